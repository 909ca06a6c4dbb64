"""The catalogues of texts: `<lang>/LC_MESSAGES/tableside.po` and, compiled from them, `.mo`."""

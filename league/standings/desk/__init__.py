"""The office's pages of seasons, void participations and exclusions."""

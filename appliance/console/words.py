"""What the phone's shell says by itself, in both languages at once: its script chooses."""

from __future__ import annotations

import re

from appliance.i18n import LANGUAGES, N_, Translator

WORDS = {
    "title": N_("Tableside: the commissioner's phone"),
    "clock": N_("Clock"),
    "players": N_("Players"),
    "tables": N_("Tables"),
    "door": N_("Door"),
    "more": N_("More"),
    "dealer": N_("Table"),
    "level": N_("Level {level}"),
    "break": N_("Break"),
    "left-in": N_("{n} left"),
    "entered": N_("{n} entered"),
    "connected": N_("Connected"),
    "no-round": N_("No round"),
    "not-signed-in": N_("This phone is not signed in"),
    "how": N_(
        "A commissioner taps their card at a kiosk, chooses “Phones” and “Sign a phone in”; this phone's camera reads"
        " the picture."
    ),
    "compare": N_("Compare these digits with the kiosk and confirm there"),
    "coming": N_("Signing in…"),
    "pair-refused": N_("The kiosk refused this phone."),
    "pair-expired": N_("It took too long. Have the kiosk show a new picture."),
    "pair-taken": N_("Another phone used this picture first. Refuse it at the kiosk, and have it show a new one."),
    "cut-off": N_("This phone was signed out."),
    "over": N_("The evening is over for this phone: sign in anew."),
    "offline": N_("No connection. As of {time}."),
    "never": N_("No connection."),
    "unanswered": N_("Not answered yet. It is sent again by itself, and counts once."),
    "send-again": N_("Send again"),
    "discard": N_("Discard"),
    "failed": N_("The director could not do that. Its log says why."),
    "busy": N_("The director is busy. Try again."),
    "not-found": N_("There is no such page for this phone."),
    "theme": N_("Light or dark"),
    "language": N_("Česky"),
    "no-script": N_("These pages need JavaScript."),
}


def words() -> dict[str, dict[str, str]]:
    """The texts by language; what stands in braces is filled in by the script."""
    return {lang: {key: _said(Translator(lang), text) for key, text in WORDS.items()} for lang in LANGUAGES}


def _said(translator: Translator, text: str) -> str:
    names = re.findall(r"{(\w+)}", text)
    return translator.gettext(text, **{name: "{" + name + "}" for name in names})

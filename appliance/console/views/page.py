"""A page being drawn: what is known, in whose language, by which template."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any
from urllib.parse import urlencode

from jinja2 import Environment, PackageLoader, StrictUndefined

from appliance.console.asked import Asked
from appliance.console.views.looking import here_of
from appliance.display.scene import Venue
from appliance.floor.forms import Here
from appliance.floor.said import Text, say, worded
from appliance.game.refusal import Refusal
from appliance.game.state import Round
from appliance.i18n import Translator, duration

_HERE = Venue("")


@cache
def translator(lang: str) -> Translator:
    """The texts of a language."""
    return Translator(lang)


@cache
def _environment() -> Environment:
    return Environment(
        loader=PackageLoader("appliance.console"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )


class Page:
    """One page for one phone. ``back``: the view that a form leads back to."""

    def __init__(self, asked: Asked, back: str = "") -> None:
        self.asked = asked
        self.back = back
        self.tr = translator(asked.lang)
        self.here: Here = here_of(asked)
        self.round: Round | None = self.here.round

    def say(self, text: Text) -> str:
        """A text in the phone's language."""
        return say(text, self.tr)

    def label(self, label: Any) -> str:
        """A label in the phone's language."""
        return say(worded(label), self.tr)

    def name(self, participant: str) -> str:
        """What to call a participant."""
        return self.here.name(participant)

    def clock(self, at_ms: int) -> str:
        """A time of day here."""
        return self.tr.clock(_HERE.at(self.here.times.right(at_ms)))

    def draw(self, template: str, **values: Any) -> str:
        """A template with these values; what it says is in the phone's language."""
        known: dict[str, Any] = {
            "page": self,
            "phone": self.asked.phone,
            "round": self.round,
            "back": self.back,
            "_": self.tr.gettext,
            "ngettext": self.tr.ngettext,
            "num": self.tr.number,
            "czk": self.tr.crowns,
            "place": self.tr.place,
            "dur": duration,
            "form_url": form_url,
            "lang": self.asked.lang,
        }
        return _environment().get_template(template).render({**known, **values})

    def done(self, said: str, *, copied: bool = True) -> str:
        """What is said for a moment once something was done; the page below is drawn anew."""
        return self.draw("done.html", title="", said=said, told=[], race=None, copied=copied)

    def refused(self, refusal: Refusal) -> str:
        """Why nothing was done."""
        return self.draw("refused.html", why=self.say(refusal))


def form_url(action: str, filled: Mapping[str, object] | None = None, back: str = "") -> str:
    """Where the form of an action is, with what it begins with."""
    asked = {**(filled or {}), **({"back": back} if back else {})}
    return f"/form/{action}?{urlencode(asked)}" if asked else f"/form/{action}"

"""A text in both languages, side by side: who translates one sees the other."""

from __future__ import annotations

from typing import Literal, NamedTuple

Lang = Literal["cs", "en"]


class Words(NamedTuple):
    """The same sentence in Czech and in English."""

    cs: str
    en: str

    def say(self, lang: Lang) -> str:
        """The sentence in this language."""
        return self.cs if lang == "cs" else self.en

"""``python -m scripts.league_texts [APP ...]``: takes the league's texts into the catalogues and compiles them.

Every app with a folder ``locale`` keeps its own texts; those of the others stand in ``league/locale``. Django looks in
all of them. A text that stands in another catalogue already is not taken again. English is the language of the code:
its catalogue fills itself, with plurals left to be checked. What lacks Czech is printed, and the status is 1.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.utils.translation.template import templatize

LEAGUE = Path(__file__).parent.parent / "league"
LANGUAGES = ("cs", "en")
_KEYWORDS: dict[str, tuple[int | tuple[int, str], ...] | None] = {
    "_": None, "gettext": None, "gettext_lazy": None, "gettext_noop": None, "N_": None,
    "ngettext": (1, 2), "ngettext_lazy": (1, 2), "pgettext": ((1, "c"), 2), "pgettext_lazy": ((1, "c"), 2),
    "npgettext": ((1, "c"), 2, 3),
}  # fmt: skip


def catalogues() -> list[Path]:
    """The folders that have catalogues: the common one, then those of apps."""
    return [LEAGUE / "locale", *sorted(LEAGUE.glob("*/locale"))]


def texts_of(app: Path) -> Iterator[tuple[str, int, Message]]:
    """The texts of an app's code and templates: file, line, message."""
    for file in sorted(app.rglob("*")):
        if file.suffix not in (".py", ".html", ".txt") or "migrations" in file.parts:
            continue
        source = file.read_text(encoding="utf-8")
        if file.suffix != ".py":
            source = templatize(source)
        found = extract("python", io.BytesIO(source.encode()), _KEYWORDS, options={"encoding": "utf-8"})
        for line, text, _comments, context in found:
            yield str(file.relative_to(LEAGUE)), line, Message(text, context=context)


def read(folder: Path, language: str) -> Catalog:
    """A catalogue as it is, or an empty one."""
    path = folder / language / "LC_MESSAGES" / "django.po"
    if not path.exists():
        return Catalog(locale=language, project="Tableside league", version="0.1", language_team=language)
    with path.open("rb") as file:
        return read_po(file, locale=language)


def update(folder: Path) -> list[str]:
    """Bring an app's catalogues up to its texts; what lacks a translation."""
    others = {
        (message.id if isinstance(message.id, str) else message.id[0], message.context)
        for other in catalogues()
        if other != folder
        for message in read(other, "cs")
        if message.id
    }
    texts = [
        (file, line, text)
        for file, line, text in texts_of(folder.parent)
        if (text.id if isinstance(text.id, str) else text.id[0], text.context) not in others
    ]
    lacking: list[str] = []
    for language in LANGUAGES:
        before, after = read(folder, language), read(folder, language)
        for message in list(after):
            if message.id:
                after.delete(message.id, message.context)
        for file, line, text in texts:
            known = before.get(text.id, text.context)
            string = known.string if known else ""
            if language == "en" and not (string if isinstance(string, str) else all(string)):
                string = text.id
            after.add(text.id, string, [(file, line)], context=text.context)
        lacking += [f"{language}: {message.id}" for message in after if message.id and not _whole(message)]
        _write(folder / language / "LC_MESSAGES", after)
    return lacking


def _whole(message: Message) -> bool:
    return bool(message.string) if isinstance(message.string, str) else bool(message.string) and all(message.string)


def _write(folder: Path, catalogue: Catalog) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "django.po").open("wb") as file:
        write_po(file, catalogue, width=120, sort_by_file=True, include_lineno=False)
    with (folder / "django.mo").open("wb") as file:
        write_mo(file, catalogue)


def main(names: list[str]) -> int:
    """Update the apps named, else all that have catalogues of their own."""
    folders = [LEAGUE / name / "locale" for name in names] or catalogues()[1:]
    lacking = [f"{folder.parent.name}: {text}" for folder in folders for text in update(folder)]
    print("\n".join(lacking) or "all texts are there")
    return 1 if lacking else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Bring the catalogues up to date with the sources: ``python -m appliance.locale.update``. Needs Babel.

New messages are added with an empty translation (English: with themselves), messages no longer used are dropped, and
the .mo files are written anew. Translate the empty ones in the .po file and run it once more.
"""

from __future__ import annotations

import datetime as dt
import io
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from appliance.i18n import DOMAIN, LANGUAGES, LOCALE_DIR

SOURCES = Path(__file__).parents[1]
_READ = [("**.py", "python"), ("console/templates/**.html", "jinja2")]
_FIXED = dt.datetime(2026, 11, 29, tzinfo=dt.UTC)
"""The catalogues carry one date, so that they differ only when a text does."""


def template() -> Catalog:
    """Every message of the sources."""
    catalog = Catalog(domain=DOMAIN, project="Tableside", creation_date=_FIXED)
    for filename, _, message, _, context in extract_from_dir(SOURCES, _READ):
        catalog.add(message, locations=[(filename, 0)], context=context)
    return catalog


def path(lang: str, suffix: str) -> Path:
    """The catalogue file of a language: suffix ``po`` or ``mo``."""
    return LOCALE_DIR / lang / "LC_MESSAGES" / f"{DOMAIN}.{suffix}"


def load(lang: str) -> Catalog:
    """The catalogue as translated so far; empty when there is none."""
    try:
        with path(lang, "po").open("rb") as file:
            return read_po(file, locale=lang, domain=DOMAIN)
    except FileNotFoundError:
        return Catalog(locale=lang, domain=DOMAIN)


def compiled(catalog: Catalog) -> bytes:
    """The bytes of the .mo file."""
    out = io.BytesIO()
    write_mo(out, catalog)
    return out.getvalue()


def untranslated(catalog: Catalog) -> list[str]:
    """Messages that lack a text, or one of their plural forms."""
    missing = []
    for message in catalog:
        texts = message.string if isinstance(message.string, (tuple, list)) else (message.string,)
        forms = catalog.num_plurals if message.pluralizable else 1
        if message.id and (len(texts) != forms or not all(texts) or message.fuzzy):
            missing.append(str(message.id))
    return missing


def update(lang: str) -> Catalog:
    """Merge new messages into a language's catalogue and write both its files."""
    catalog = load(lang)
    catalog.update(template(), no_fuzzy_matching=True)
    catalog.obsolete.clear()
    catalog.creation_date = catalog.revision_date = _FIXED
    catalog.project, catalog.version, catalog.fuzzy = "Tableside", "1", False
    catalog.header_comment = f"# Texts of Tableside: {lang}"
    catalog.last_translator = catalog.language_team = catalog.msgid_bugs_address = "Tableside"
    if lang == "en":
        for message in catalog:
            if message.id and not any(message.string or ()):
                message.string = message.id
    path(lang, "po").parent.mkdir(parents=True, exist_ok=True)
    with path(lang, "po").open("wb") as file:
        write_po(file, catalog, sort_output=True, omit_header=False, no_location=True, width=110)
    path(lang, "mo").write_bytes(compiled(catalog))
    return catalog


def main() -> None:
    for lang in LANGUAGES:
        catalog = update(lang)
        missing = untranslated(catalog)
        print(f"{lang}: {len(catalog)} messages, {len(missing)} untranslated", *missing, sep="\n  ")


if __name__ == "__main__":
    main()

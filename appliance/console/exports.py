"""What a commissioner's phone takes home: the results as CSV, as PDF and for print, and the journal.

The journal is read beside the engine, in a thread of its own and for reading only, as the uplink's program does.
"""

from __future__ import annotations

import asyncio
import csv
import io
import logging
from collections.abc import Awaitable, Callable
from pathlib import Path

from appliance import audit
from appliance.console.asked import Asked
from appliance.console.pages import File
from appliance.console.views import past
from appliance.game.results import results
from appliance.i18n import N_, Translator
from appliance.journal import Journal, JournalError
from appliance.record import RecordError

SHOWN = ("round/", "table/", "venue/")
"""Streams that are exported: the league's has everybody's roster in it."""

_COLUMNS = (N_("Place"), N_("Number"), N_("Name"), N_("Prize (CZK)"), N_("Points"))
_log = logging.getLogger(__name__)


def exports(journal: Path) -> Callable[[str, Asked], Awaitable[File | None]]:
    """``export/results.csv``, ``export/results.pdf`` and ``export/journal.jsonl``, and ``print/results``, for
    commissioners."""

    async def file(name: str, asked: Asked) -> File | None:
        if asked.phone.role != "commissioner":
            return None
        if name == "export/results.csv":
            return _results(asked)
        if name == "export/results.pdf":
            return File("application/pdf", past.as_pdf(asked), f"results-{asked.round or 'none'}.pdf")
        if name == "print/results":
            return File("text/html; charset=utf-8", past.printed(asked))
        if name == "export/journal.jsonl":
            return await asyncio.to_thread(_journal, journal, asked.sight.venue)
        return None

    return file


def _results(asked: Asked) -> File | None:
    """With a mark at its beginning by which spreadsheets know it for UTF-8, and the separator of the language."""
    ledger = asked.sight.ledgers.get(asked.round or "")
    round = ledger.round if ledger is not None else None
    if round is None:
        return None
    tr, out = Translator(asked.lang), io.StringIO()
    rows = csv.writer(out, delimiter=";" if asked.lang == "cs" else ",", lineterminator="\r\n")
    rows.writerow([tr.gettext(each) for each in _COLUMNS])
    names = asked.sight.roster.entries
    for each in results(round):
        known = names.get(each.participant)
        points = f"{each.points_half // 2}.5" if each.points_half % 2 else f"{each.points_half // 2}"
        name = _plain((known.public_name if known is not None else None) or "")
        rows.writerow([each.place, each.participant, name, each.prize, tr.decimal(points)])
    return File("text/csv; charset=utf-8", b"\xef\xbb\xbf" + out.getvalue().encode(), f"results-{round.id}.csv")


def _plain(text: str) -> str:
    """No name is to be taken for a formula by a spreadsheet."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@") else text


def _journal(path: Path, venue: str) -> File | None:
    try:
        with Journal(path, read_only=True) as journal:
            lines = [raw for record, raw in audit.every_record(journal) if record.stream.startswith(SHOWN)]
    except (JournalError, RecordError, OSError) as error:
        _log.error("the journal is not exported: %s", error)
        return None
    return File("application/jsonl", b"".join(line + b"\n" for line in lines), f"journal-{venue}.jsonl")

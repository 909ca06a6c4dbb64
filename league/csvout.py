"""CSV for spreadsheets: UTF-8 with its mark, semicolons, and nothing that they would take for a formula."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator

from django.http import StreamingHttpResponse

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""How a cell begins that a spreadsheet would calculate, or that hides such a beginning."""


def harmless(cell: object) -> str:
    """Text that no spreadsheet takes for a formula."""
    text = str(cell)
    return f"'{text}" if text.lstrip(" ").startswith(FORMULA) else text


def lines(rows: Iterable[Iterable[object]]) -> Iterator[str]:
    """The file, row by row."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, delimiter=";", lineterminator="\r\n")
    yield "\ufeff"
    for row in rows:
        writer.writerow([harmless(cell) for cell in row])
        yield buffer.getvalue()
        buffer.seek(0)
        buffer.truncate()


def download(name: str, rows: Iterable[Iterable[object]]) -> StreamingHttpResponse:
    """The file as an answer that browsers store."""
    answer = StreamingHttpResponse(lines(rows), content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer

"""A table as a PDF that every reader opens: its own pages, the fonts that are in every reader (ISO 32000-1, 9.6.2.2).

Letters with accents are named by their glyphs' names, as the fonts' makers name them; what has none is a question mark.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from itertools import count

_WIDE, _HIGH, _MARGIN, _ROW = 595, 842, 56, 22
"""A4 in points, and the height of a row."""

_ACCENTS = {
    "\u0300": "grave", "\u0301": "acute", "\u0302": "circumflex", "\u0303": "tilde", "\u0306": "breve",
    "\u0307": "dotaccent", "\u0308": "dieresis", "\u030a": "ring", "\u030b": "hungarumlaut", "\u030c": "caron",
    "\u0327": "cedilla", "\u0328": "ogonek",
}  # fmt: skip
_NAMES = {
    "ł": "lslash", "Ł": "Lslash", "ß": "germandbls", "ø": "oslash", "Ø": "Oslash", "đ": "dcroat", "Đ": "Dcroat",
    "–": "endash", "—": "emdash", "·": "periodcentered", "’": "quoteright", "“": "quotedblleft", "”": "quotedblright",
    "„": "quotedblbase",
}  # fmt: skip
_NARROW = dict.fromkeys(" .,:;|!'il\u00a0", 278)
_FIRST, _LAST = 128, 255


class _Letters:
    """The codes of the letters that a document uses."""

    def __init__(self) -> None:
        self.codes: dict[str, int] = {}
        self.names: list[str] = []

    def written(self, text: str) -> bytes:
        """A text as a PDF's string, in hexadecimal."""
        return b"<" + bytes(self._code(char) for char in unicodedata.normalize("NFC", text)).hex().encode() + b">"

    def _code(self, char: str) -> int:
        if " " <= char <= "~":
            return ord(char)
        if char.isspace():
            return ord(" ")
        if char not in self.codes:
            name = _glyph(char)
            if name is None or _FIRST + len(self.names) > _LAST:
                return ord("?")
            self.codes[char] = _FIRST + len(self.names)
            self.names.append(name)
        return self.codes[char]


def _glyph(char: str) -> str | None:
    if char in _NAMES:
        return _NAMES[char]
    base, accents = (apart := unicodedata.normalize("NFD", char))[0], apart[1:]
    return base + _ACCENTS[accents] if base.isascii() and base.isalpha() and accents in _ACCENTS else None


def table(
    title: str, about: Iterable[str], header: Sequence[str], rows: Sequence[Sequence[str]], right: frozenset[int]
) -> bytes:
    """A title, lines below it, and a table on as many pages as it takes. ``right``: columns of numbers."""
    letters = _Letters()
    shares = _shares([header, *rows], right)
    pages = list(_pages(letters, title, list(about), header, rows, shares, right))
    return _document(letters, title, pages)


def _shares(rows: Sequence[Sequence[str]], right: frozenset[int]) -> list[tuple[float, float]]:
    """From where to where each column goes: what holds names takes what the others leave."""
    wide = [max(_width(row[column], 12) for row in rows) + 16 for column in range(len(rows[0]))]
    room = _WIDE - 2 * _MARGIN
    loose = next(column for column in range(len(wide)) if column not in right and column > 0)
    wide[loose] = max(60.0, room - (sum(wide) - wide[loose]))
    left, found = float(_MARGIN), []
    for width in wide:
        found.append((left, left + width))
        left += width
    return found


def _width(text: str, size: int) -> float:
    return sum(_NARROW.get(char, 667 if char.isupper() else 556) for char in text) * size / 1000


def _pages(
    letters: _Letters, title: str, about: list[str], header: Sequence[str], rows: Sequence[Sequence[str]],
    shares: list[tuple[float, float]], right: frozenset[int],
) -> Iterator[bytes]:  # fmt: skip
    done = 0
    for number in count():
        y = _HIGH - _MARGIN - 24
        drawn: list[bytes] = []
        if not number:
            drawn.append(_text(letters, title, _MARGIN, y, 24, bold=True))
            for line in about:
                y -= 20
                drawn.append(_text(letters, line, _MARGIN, y, 11))
            y -= 34
        drawn.append(_row(letters, header, shares, right, y, bold=True))
        while done < len(rows) and y - _ROW > _MARGIN:
            y -= _ROW
            drawn.append(_row(letters, rows[done], shares, right, y))
            done += 1
        yield b"\n".join(drawn)
        if done >= len(rows):
            return


def _row(
    letters: _Letters, row: Sequence[str], shares: list[tuple[float, float]], right: frozenset[int], y: float,
    *, bold: bool = False,
) -> bytes:  # fmt: skip
    cells = []
    for column, text in enumerate(row):
        start, end = shares[column]
        x = end - 8 - _width(text, 12) if column in right else start
        cells.append(_text(letters, text, x, y, 12, bold=bold))
    line = f"0.7 G 0.5 w {_MARGIN} {y - 7:.1f} m {_WIDE - _MARGIN} {y - 7:.1f} l S"
    return b"\n".join([*cells, line.encode()])


def _text(letters: _Letters, text: str, x: float, y: float, size: int, *, bold: bool = False) -> bytes:
    font = b"/B" if bold else b"/R"
    return b"BT %s %d Tf %.1f %.1f Td %s Tj ET" % (font, size, x, y, letters.written(text))


def _document(letters: _Letters, title: str, pages: list[bytes]) -> bytes:
    """The objects one after another, and where each begins."""
    kids = b" ".join(b"%d 0 R" % (6 + 2 * n) for n in range(len(pages)))
    differences = (
        b"%d %s" % (_FIRST, b" ".join(b"/" + name.encode() for name in letters.names)) if letters.names else b""
    )
    font = b"<< /Type /Font /Subtype /Type1 /BaseFont /%s /Encoding 5 0 R >>"
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [%s] /Count %d >>" % (kids, len(pages)),
        font % b"Helvetica", font % b"Helvetica-Bold",
        b"<< /Type /Encoding /BaseEncoding /WinAnsiEncoding /Differences [%s] >>" % differences,
    ]  # fmt: skip
    for number, drawn in enumerate(pages):
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 %d %d] /Contents %d 0 R "
            b"/Resources << /Font << /R 3 0 R /B 4 0 R >> >> >>" % (_WIDE, _HIGH, 7 + 2 * number)
        )
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(drawn), drawn))
    objects.append(b"<< /Title <FEFF%s> >>" % title.encode("utf-16-be").hex().upper().encode())
    out, starts = bytearray(b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n"), []
    for number, each in enumerate(objects, 1):
        starts.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, each)
    begins = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % start for start in starts)
    out += b"trailer\n<< /Size %d /Root 1 0 R /Info %d 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (
        len(objects) + 1, len(objects), begins,
    )  # fmt: skip
    return bytes(out)

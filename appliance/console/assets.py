"""What a browser loads once: our files and those that ``scripts/assets.py`` fetches, read and deflated at the start.

All of them stand under one address that is made of their bytes, so that a browser may keep them for ever and files name
each other as they lie in their folders.
"""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent
STATIC, VENDOR = HERE / "static", HERE / "vendor"

NEEDED = ("vendor/htmx/htmx.min.js", "vendor/noble/hmac.js", "vendor/noble/sha2.js", "vendor/noble/utils.js")
"""Without these no page works."""

_TYPES = {
    ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml",
    ".png": "image/png", ".woff2": "font/woff2", ".webmanifest": "application/manifest+json",
}  # fmt: skip


class NoAssets(Exception):
    """What pages need is not there; the text says what."""


class Asset(NamedTuple):
    """A file as it is and as it goes out deflated."""

    kind: str
    plain: bytes
    packed: bytes


class Assets:
    """All files by their paths; ``mark`` is the part of their address that changes when one of them does."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self._files = {name: _asset(name, content) for name, content in files.items()}
        known = hashlib.sha256()
        for name, content in sorted(files.items()):
            known.update(f"{name}\n{hashlib.sha256(content).hexdigest()}\n".encode())
        self.mark = known.hexdigest()[:16]

    @classmethod
    def load(cls, static: Path = STATIC, vendor: Path = VENDOR) -> Assets:
        """Raises `NoAssets`, which is no fault of the program: it was set up without."""
        files = dict(_read(static, "")) | dict(_read(vendor, "vendor/"))
        if missing := [name for name in NEEDED if name not in files]:
            raise NoAssets(f"{missing[0]} is not there: python -m scripts.assets fetches it")
        return cls(files)

    def get(self, name: str) -> Asset | None:
        """The file at that path below the address."""
        return self._files.get(name)

    def names(self) -> list[str]:
        """The paths of all files."""
        return sorted(self._files)


def packed(content: bytes) -> bytes:
    """The same bytes for the same content: no time stands in them."""
    return gzip.compress(content, 9, mtime=0)


def _read(folder: Path, prefix: str) -> Iterator[tuple[str, bytes]]:
    for path in sorted(folder.rglob("*")) if folder.is_dir() else ():
        if path.suffix in _TYPES and path.is_file():
            yield prefix + path.relative_to(folder).as_posix(), path.read_bytes()


def _asset(name: str, content: bytes) -> Asset:
    return Asset(_TYPES[Path(name).suffix], content, packed(content))

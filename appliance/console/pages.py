"""What the server asks of the pages: it knows who asks, they know what is shown."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import NamedTuple

from appliance.console.asked import Asked, Asks


class File(NamedTuple):
    """A print or an export: its bytes, what they are, and the name under which they are kept; no name to show it."""

    kind: str
    body: bytes
    name: str = ""


class Pages(NamedTuple):
    """``render``: a view by its name, as HTML; None if there is none for that phone. ``form``: a form with the answers
    so far, or, to ``send``, what has become of it, under the ``id`` that the phone made; a field that was answered more
    than once has its answers parted by spaces. ``file``: a print (``print/…``) or export (``export/…``).
    """

    render: Callable[[str, Asked], str | None]
    form: Callable[[Asks, Asked, str, Mapping[str, str], bool, str], Awaitable[str]]
    file: Callable[[str, Asked], Awaitable[File | None]]

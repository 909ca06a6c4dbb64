"""How every driver lets a dialog speak with the card in its field, and what it makes of the outcome."""

from __future__ import annotations

import logging
import traceback

from appliance.hw.ports import CardLost, Channel, Dialog, NotSupported, Technology, Unreadable

log = logging.getLogger(__name__)


class UidOnly:
    """A `Channel` to a card that gives its UID and no more; the others begin from it."""

    technology = Technology.NONE

    def transmit(self, apdu: bytes) -> bytes:
        raise NotSupported(f"no APDUs over {self.technology}")

    def read_pages(self, page: int) -> bytes:
        raise NotSupported(f"no pages over {self.technology}")

    def write_page(self, page: int, data: bytes) -> None:
        raise NotSupported(f"no pages over {self.technology}")

    def command(self, raw: bytes) -> bytes:
        raise NotSupported(f"no raw commands over {self.technology}")


def ask(dialog: Dialog | None, channel: Channel, uid: str, *, reader: str) -> object:
    """What the dialog says of the card; None without a dialog. Raises only `CardLost`.

    Whatever else a dialog raises is logged by its type and place alone: its text, and the frames it passed,
    may hold what must not be written down. To the room such a card is one that does not answer.
    """
    if dialog is None:
        return None
    try:
        return dialog(channel, uid)
    except CardLost:
        raise
    except Exception as error:  # noqa: BLE001 (no card and no dialog may end a reader's thread)
        where = traceback.extract_tb(error.__traceback__)[-1]
        log.error("%s: dialog failed: %s at %s:%s", reader, type(error).__name__, where.filename, where.lineno)
    raise CardLost(Unreadable.MUTE)

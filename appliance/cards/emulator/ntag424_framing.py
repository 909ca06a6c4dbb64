"""How commands of a simulated NTAG 424 DNA come in and answers go out, in plain, with a MAC or encrypted (9.1.8)."""

from __future__ import annotations

from collections.abc import Callable

from appliance.cards.emulator.ntag424_secure import CardSession
from appliance.cards.emulator.ntag424_state import Card, Refused

Answer = tuple[bytes, int]
Command = Callable[[Card, bytes], Answer]

OK, MORE = 0x9100, 0x91AF
INTEGRITY, LENGTH, NO_KEY, DENIED, PARAMETER = 0x911E, 0x917E, 0x9140, 0x919D, 0x919E
DELAY, AUTHENTICATION, BOUNDARY = 0x91AD, 0x91AE, 0x91BE
PLAIN, MAC, FULL = 0, 1, 3


def opened(card: Card, ins: int, field: bytes, header: int, mode: int) -> tuple[bytes, bytes]:
    """Header and data of a command that came in this mode; MAC and padding are right, and it is counted."""
    session = card.power.session
    if session is None:
        if len(field) < header:
            raise Refused(LENGTH)
        return field[:header], field[header:]
    if mode == PLAIN:
        if len(field) < header:
            raise Refused(LENGTH)
        session.count()
        return field[:header], field[header:]
    if len(field) < header + 8:
        raise Refused(LENGTH)
    body = session.check(ins, field)
    data = body[header:]
    return body[:header], session.decrypt(data) if mode == FULL and data else data


def closed(card: Card, mode: int, answer: bytes = b"") -> Answer:
    """A successful answer, as the session and the command's mode want it."""
    session = card.power.session
    if session is None or mode == PLAIN:
        return answer, OK
    return session.sign(session.encrypt(answer) if mode == FULL else answer), OK


def master(card: Card) -> CardSession:
    """The session of key 0, which the command needs."""
    session = card.power.session
    if session is None or session.key_no != 0:
        raise Refused(AUTHENTICATION)
    return session

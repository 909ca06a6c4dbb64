"""The server that takes our letters: read from a URL, spoken to by SMTP."""

from __future__ import annotations

import re
import smtplib
import ssl
from email.errors import MessageError
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, parseaddr
from typing import NamedTuple
from urllib.parse import parse_qs, unquote, urlsplit

from django.utils.timezone import localtime

from league.mail.models import Letter

TIMEOUT_S = 30
_ADDRESS = re.compile(r"[^\s<>()\[\]:;,\"']+@[^\s<>()\[\]:;,\"']+")
_PORTS = {"smtp": 587, "smtps": 465}


class Server(NamedTuple):
    """Where letters go, and whom they are from. ``tls``: from the start, after STARTTLS, or none at all."""

    host: str
    port: int
    user: str
    password: str
    tls: str
    sender: str


class ServerError(Exception):
    """The server is away or takes nothing from us: no letter's fault."""


class ConnectionEnded(ServerError):
    """The server ended the connection over a letter, or nobody can say what it answered."""


class LetterError(Exception):
    """This letter was not taken; ``final``: nor will it be."""

    def __init__(self, text: str, final: bool) -> None:
        super().__init__(text)
        self.final = final


def read_server(url: str, sender: str) -> Server | None:
    """The server that a URL names, None without one. Raises ValueError saying what is wrong.

    ``smtp://user:password@host:587`` (STARTTLS is demanded), ``smtps://host`` (TLS from the start), and
    ``smtp://127.0.0.1:25?tls=none`` for a server on the same machine.
    """
    if not url:
        return None
    parts = urlsplit(url)
    if parts.scheme not in _PORTS or not parts.hostname or parts.path.strip("/"):
        raise ValueError("TABLESIDE_MAIL_URL: must be smtp://host:port or smtps://host:port")
    wish = parse_qs(parts.query).get("tls", [""])[0]
    if wish not in ("", "none") or (wish == "none" and parts.scheme == "smtps"):
        raise ValueError("TABLESIDE_MAIL_URL: tls may only be none, and only with smtp://")
    tls = wish or ("start" if parts.scheme == "smtp" else "whole")
    if "@" not in parseaddr(sender)[1]:
        raise ValueError("TABLESIDE_MAIL_FROM: must be an address, such as Liga <liga@example.cz>")
    user, password = unquote(parts.username or ""), unquote(parts.password or "")
    return Server(parts.hostname, parts.port or _PORTS[parts.scheme], user, password, tls, sender)


class Connection:
    """A connection to the server, for as many letters as one likes."""

    def __init__(self, server: Server) -> None:
        """Connect and sign in. Raises `ServerError`."""
        self._server = server
        try:
            self._smtp = _connect(server)
        except (OSError, smtplib.SMTPException, ValueError) as error:
            raise ServerError(said(error)) from None

    def send(self, letter: Letter) -> None:
        """Hand a letter over. Raises `LetterError`, or where the connection is of no use any more `ServerError`."""
        try:
            self._smtp.send_message(message_of(letter, self._server.sender))
        except smtplib.SMTPRecipientsRefused as error:
            raise _answered(*next(iter(error.recipients.values()))) from None
        except smtplib.SMTPSenderRefused as error:
            # that is we, in every letter: they wait until the server takes us
            raise ServerError(said(error)) from None
        except smtplib.SMTPResponseException as error:
            raise _answered(error.smtp_code, error.smtp_error) from None
        except (smtplib.SMTPNotSupportedError, MessageError, ValueError) as error:
            raise LetterError(said(error), final=True) from None
        except OSError as error:
            raise ConnectionEnded(said(error)) from None

    def close(self) -> None:
        """Say goodbye, if the other side still listens."""
        try:
            self._smtp.quit()
        except (OSError, smtplib.SMTPException):
            self._smtp.close()


def message_of(letter: Letter, sender: str) -> EmailMessage:
    """A letter as it goes out. The same letter sent twice has the same Message-ID. Raises ValueError."""
    if "@" not in letter.to:
        raise ValueError("no address")
    name, address = parseaddr(sender)
    message = EmailMessage(policy=SMTP)
    message["From"] = Address(name, addr_spec=address)
    message["To"] = Address(addr_spec=letter.to)
    message["Subject"] = letter.subject
    message["Date"] = format_datetime(localtime(letter.made_at))
    message["Message-ID"] = f"<letter-{letter.pk}-{int(letter.made_at.timestamp() * 1000)}@{address.partition('@')[2]}>"
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(letter.body + letter.enclosed, charset="utf-8", cte="quoted-printable")
    return message


def without_addresses(text: str) -> str:
    """The same for who sees no personal data, operators and the journal: servers repeat whom a letter is for."""
    return _ADDRESS.sub("***", text)


def said(error: Exception) -> str:
    """An error as the list of letters shows it."""
    if isinstance(error, smtplib.SMTPResponseException):
        return _reply(error.smtp_code, error.smtp_error)
    return (str(error) or type(error).__name__)[:300]


def _connect(server: Server) -> smtplib.SMTP:
    if server.tls == "whole":
        context = ssl.create_default_context()
        smtp: smtplib.SMTP = smtplib.SMTP_SSL(server.host, server.port, timeout=TIMEOUT_S, context=context)
    else:
        smtp = smtplib.SMTP(server.host, server.port, timeout=TIMEOUT_S)
    try:
        if server.tls == "start":
            smtp.starttls(context=ssl.create_default_context())
        if server.user:
            smtp.login(server.user, server.password)
    except BaseException:
        smtp.close()
        raise
    return smtp


def _answered(code: int, text: bytes | str) -> Exception:
    """421 ends the connection; what else a server answers is about the letter (or about us, which staff will see)."""
    # smtplib says 500, or no code at all, where it does not understand the server
    unread = code == 500 and text in ("Line too long.", b"Line too long.")
    if code == 421 or unread or not 200 <= code < 600:
        return ConnectionEnded(_reply(code, text))
    return LetterError(_reply(code, text), final=500 <= code < 600)


def _reply(code: int, text: bytes | str) -> str:
    words = text.decode("utf-8", "replace") if isinstance(text, bytes) else text
    return f"{code} {' '.join(words.split())}"[:300]

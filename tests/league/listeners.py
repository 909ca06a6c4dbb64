"""Listeners of the league's live streams, as simple as the protocol allows."""

from __future__ import annotations

import json
import socket
import time
from typing import Any
from urllib.parse import urlsplit

from tests.league.processes import WAIT_S


class Listener:
    """One connection that reads a stream's events."""

    def __init__(self, base: str, path: str, *headers: str) -> None:
        address = urlsplit(base)
        self.socket = socket.create_connection((address.hostname, address.port), WAIT_S)
        said = [f"GET {path} HTTP/1.1", f"Host: {address.netloc}", *headers, "", ""]
        self.socket.sendall("\r\n".join(said).encode())
        self.file = self.socket.makefile("rb")
        self.status = int(self.file.readline().split()[1])
        self.headers = {}
        while (line := self.file.readline().decode().strip()) != "":
            name, _, value = line.partition(":")
            self.headers[name.lower()] = value.strip()
        self._text = ""
        self.last_id = ""

    def next(self, kind: str) -> Any:
        """The data of the next event of this kind, the others passed over. Raises EOFError at the stream's end."""
        until = time.monotonic() + WAIT_S
        while time.monotonic() < until:
            while "\n\n" not in self._text:
                self._text += self._chunk()
            event, _, self._text = self._text.partition("\n\n")
            fields = dict(line.split(": ", 1) for line in event.splitlines())
            self.last_id = fields.get("id", self.last_id)
            if fields["event"] == kind:
                return json.loads(fields["data"])
        raise TimeoutError(kind)

    def html_with(self, kind: str, text: str) -> str:
        """What takes the page's place once it says this."""
        while text not in (html := str(self.next(kind)["html"])):
            pass
        return html

    def close(self) -> None:
        self.file.close()
        self.socket.close()

    def _chunk(self) -> str:
        size = int(self.file.readline() or b"0", 16)
        if not size:
            raise EOFError
        data = self.file.read(size)
        self.file.readline()
        return data.decode()

"""paho's client without the web client: nothing else is missing, and whoever wants the web has it."""

from __future__ import annotations

import subprocess
import sys

import pytest

_WATCH = """
import sys
from appliance.link.client import paho
assert "http.client" not in sys.modules and "email" not in sys.modules
paho.Client(paho.CallbackAPIVersion.VERSION2)._get_proxy()
import urllib.request
assert urllib.request.Request("http://127.0.0.1").host == "127.0.0.1"
"""


def test_the_link_loads_no_web_client_and_leaves_it_to_those_who_want_it() -> None:
    done = subprocess.run([sys.executable, "-c", _WATCH], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


_LATE = """
import sys, urllib.request as before
from appliance.link.client import paho
assert paho and sys.modules["urllib.request"] is before
"""


def test_a_web_client_that_is_there_stays_the_one() -> None:
    done = subprocess.run([sys.executable, "-c", _LATE], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


_CONNECT = """
import queue, socket, ssl, sys, threading
from appliance.link.client import Client, Endpoint

with socket.create_server(("127.0.0.1", 0)) as listener:
    context = ssl.create_default_context() if sys.argv[1] == "tls" else None
    client = Client(Endpoint("localhost", listener.getsockname()[1], tls=context), "plain", queue.SimpleQueue())
    client.start()
    line, _ = listener.accept()
    heard = line.recv(4096)
    client.leave()
    line.close()
assert (b"localhost" if context else b"MQTT") in heard, heard
print(*{"encodings.idna", "stringprep", "unicodedata"} & set(sys.modules))
"""


@pytest.mark.parametrize("way", ["plain", "tls"])
def test_a_connection_by_name_loads_no_tables_of_unicode(way: str) -> None:
    done = subprocess.run([sys.executable, "-c", _CONNECT, way], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout.strip()) == (0, ""), (done.stdout, done.stderr)

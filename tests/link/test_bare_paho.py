"""paho's client without the web client: nothing else is missing, and whoever wants the web has it."""

from __future__ import annotations

import subprocess
import sys

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

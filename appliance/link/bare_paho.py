"""paho's client without Python's web client, which it loads for the sake of proxies: 2 MB and 25 ms of a kiosk.

It asks for a proxy only where PySocks is installed; there nothing is left out.
"""

from __future__ import annotations

import importlib.util
import sys
from types import ModuleType

_WEB = "urllib.request"
_stands_in = _WEB not in sys.modules and importlib.util.find_spec("socks") is None
if _stands_in:
    sys.modules[_WEB] = ModuleType(_WEB)
try:
    import paho.mqtt.client as paho
finally:
    if _stands_in:
        del sys.modules[_WEB]

__all__ = ["paho"]

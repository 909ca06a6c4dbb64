"""Searches in which names are typed: they come in a form's body, and in the address of what is found they are sealed.

Addresses end up in proxies' logs and in the browser's history. Yet what was found stays to be paged through, taken as a
file, and come back to; so the address holds the words, in a form that is readable here alone, and for whose search it
was.
"""

from __future__ import annotations

import base64
import binascii
import json
import os

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from django.forms import Form
from django.http import HttpRequest, HttpResponseRedirect, QueryDict
from django.shortcuts import redirect
from django.utils.crypto import salted_hmac

SEALED = "s"
"""The name, in addresses, of what was typed."""

_LONGEST = 150
_BLOCK = 128
"""Words are filled up to a multiple of so many bytes: their length is nobody's business either."""

_NONCE = 12


def asked(request: HttpRequest, *words: str) -> QueryDict:
    """What a list is asked for by its address, with the fields ``words`` from what is sealed in it, and only there."""
    data = request.GET.copy()
    opened = _open(request, data.pop(SEALED, [""])[-1])
    for name in words:
        data.pop(name, None)
        if name in opened:
            data[name] = opened[name]
    return data


def found(request: HttpRequest, form: type[Form], *words: str) -> HttpResponseRedirect:
    """On to what the posted search finds: of the form's fields ``words`` sealed, the rest as they are."""
    given = {name: request.POST.get(name, "").strip()[:_LONGEST] for name in form.base_fields}
    given = {name: text for name, text in given.items() if text}
    typed = {name: given.pop(name) for name in words if name in given}
    address = QueryDict(mutable=True)
    if typed:
        address[SEALED] = _seal(request, typed)
    address.update(given)
    query = address.urlencode()
    return redirect(f"{request.path}?{query}" if query else request.path)


def _seal(request: HttpRequest, typed: dict[str, str]) -> str:
    text = json.dumps(typed, ensure_ascii=False).encode()
    nonce = os.urandom(_NONCE)
    text += b" " * (-len(text) % _BLOCK)
    sealed = nonce + _cipher().encrypt(nonce, text, _whose(request))
    return base64.urlsafe_b64encode(sealed).decode().rstrip("=")


def _open(request: HttpRequest, sealed: str) -> dict[str, str]:
    """What is sealed; nothing of what somebody else sealed, or that is no seal of ours."""
    try:
        raw = base64.b64decode(sealed + "=" * (-len(sealed) % 4), altchars=b"-_", validate=True)
        words: dict[str, str] = json.loads(_cipher().decrypt(raw[:_NONCE], raw[_NONCE:], _whose(request)))
    except (ValueError, binascii.Error, InvalidTag):
        return {}
    return words


def _cipher() -> AESGCM:
    return AESGCM(salted_hmac("league.staff.searching", b"", algorithm="sha256").digest())


def _whose(request: HttpRequest) -> bytes:
    return str(request.user.pk).encode()

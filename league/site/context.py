"""What every page's frame needs."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.urls import translate_url
from django.utils.translation import get_language


def frame(request: HttpRequest) -> dict[str, Any]:
    """The other language, by its own name, with this page's address in it."""
    here = get_language()
    others = [(code, name) for code, name in settings.LANGUAGES if code != here]
    return {
        "other_languages": [
            {"code": code, "name": name, "url": translate_url(request.path, code)} for code, name in others
        ]
    }

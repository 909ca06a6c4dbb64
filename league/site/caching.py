"""Public pages kept in the process for a moment: many who ask for the same at once are answered with one page.

They are the same for everybody: no cookie, no session and nobody who is signed in makes a difference. A page is kept
by its address, its language and the number of the latest public change (`league.live`), and no longer than
`LONGEST_S`: what the clock alone changes, such as the end of an announcement, shows then. Browsers keep a copy, but ask
each time whether it still holds (``ETag``, 304): a consent that is withdrawn takes the name away at once (LG-7).
"""

from __future__ import annotations

import functools
import hashlib
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, NamedTuple

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response
from django.utils.translation import get_language
from django.views.decorators.csrf import csrf_exempt

from league.live import changes

LONGEST_S = 2.0
"""How old a page may be, in seconds; with 0 none is kept."""

MOST_PAGES = 500
MOST_BYTES = 32 * 1024 * 1024
LONGEST_ADDRESS = 300
"""Addresses that are longer are nobody's in earnest: their pages are made each time."""

HEADERS = ("Content-Type", "Content-Language", "Content-Disposition", "Link", "Refresh", "X-Robots-Tag",
           "Access-Control-Allow-Origin", "Access-Control-Expose-Headers")  # fmt: skip
"""What of a page's headers is kept with it; all others are set on each answer anew."""

Key = tuple[str, str, str | None, int]
View = Callable[..., HttpResponseBase]


class Page(NamedTuple):
    """A page as it was made."""

    made_at: float
    etag: str
    headers: dict[str, str]
    body: bytes


class Pages:
    """The pages of a process, those that were asked for last."""

    def __init__(self) -> None:
        self._pages: OrderedDict[Key, Page] = OrderedDict()
        self._bytes = 0
        self._lock = threading.Lock()
        self._making: dict[Key, threading.Lock] = {}

    def get(self, key: Key) -> Page | None:
        """The page, unless it is too old."""
        with self._lock:
            page = self._pages.get(key)
            if page is None:
                return None
            if time.monotonic() - page.made_at >= LONGEST_S:
                self._drop(key)
                return None
            self._pages.move_to_end(key)
            return page

    def put(self, key: Key, page: Page) -> None:
        """Keep a page, and forget the oldest that there is no room for."""
        if len(page.body) > MOST_BYTES // 8:
            return
        with self._lock:
            if key in self._pages:
                self._drop(key)
            self._pages[key] = page
            self._bytes += len(page.body)
            while len(self._pages) > MOST_PAGES or self._bytes > MOST_BYTES:
                self._drop(next(iter(self._pages)))

    def making(self, key: Key) -> threading.Lock:
        """To be held while a page is made: whoever else wants it waits for it."""
        with self._lock:
            return self._making.setdefault(key, threading.Lock())

    def made(self, key: Key) -> None:
        """Nobody makes it any more."""
        with self._lock:
            self._making.pop(key, None)

    def clear(self) -> None:
        """Forget all."""
        with self._lock:
            self._pages.clear()
            self._bytes = 0

    def _drop(self, key: Key) -> None:
        self._bytes -= len(self._pages.pop(key).body)


PAGES = Pages()


def public(view: View) -> View:
    """Keep what a view answers to ``GET``, and answer 304 to whoever has it already.

    Nothing is changed here: to any other method it answers 405 itself, before anybody asks where a form came from.
    """

    @csrf_exempt
    @functools.wraps(view)
    def kept(request: HttpRequest, *args: Any, **given: Any) -> HttpResponseBase:
        if request.method not in ("GET", "HEAD"):
            return HttpResponse(status=405, headers={"Allow": "GET, HEAD"})
        address = request.get_full_path()
        if not LONGEST_S or len(address) > LONGEST_ADDRESS:
            return _finished(request, view(request, *args, **given))
        key = (f"{request.scheme}://{request.get_host()}", address, get_language(), changes.current())
        page = PAGES.get(key)
        if page is None:
            with PAGES.making(key):
                page = PAGES.get(key)
                if page is None:
                    try:
                        answer = view(request, *args, **given)
                        if not isinstance(answer, HttpResponse) or answer.status_code != 200 or answer.cookies:
                            return _finished(request, answer)
                        page = _page(answer)
                        PAGES.put(key, page)
                    finally:
                        PAGES.made(key)
        return _finished(request, HttpResponse(page.body, headers=page.headers), page.etag)

    return kept


def _page(answer: HttpResponse) -> Page:
    headers = {name: answer.headers[name] for name in HEADERS if name in answer.headers}
    return Page(time.monotonic(), _etag(answer.content), headers, answer.content)


def _etag(body: bytes) -> str:
    return f'"{hashlib.blake2b(body, digest_size=16).hexdigest()}"'


def _finished(request: HttpRequest, answer: HttpResponseBase, etag: str | None = None) -> HttpResponseBase:
    answer.headers.setdefault("Cache-Control", "public, max-age=0, must-revalidate")
    # a search engine may find a page, but keeps no copy that outlasts a consent or a season
    answer.headers.setdefault("X-Robots-Tag", "noarchive")
    if not isinstance(answer, HttpResponse) or answer.status_code != 200:
        return answer
    answer.headers["ETag"] = etag or _etag(answer.content)
    found = get_conditional_response(request, etag=answer.headers["ETag"], response=answer)
    return answer if found is None else found

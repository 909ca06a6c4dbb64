"""Every page of the league found from the first one, as a browser would: by its links and by its forms.

What no link leads to and no form is sent to is missing from what was found, so that nothing new escapes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import NamedTuple
from urllib.parse import parse_qsl, urlencode, urljoin, urlsplit

from django.urls import Resolver404, URLPattern, URLResolver, get_resolver, resolve
from django.utils.translation import override

A_PATTERN = 10
"""Pages looked at of one kind, such as participants."""

A_PATTERN_ELSE = 2
"""The same in the other language."""


class Answer(NamedTuple):
    """What a page says: its status, where it sends one, its text, and what a file holds instead of one."""

    status: int
    to: str
    text: str
    headers: Mapping[str, str]
    file: bytes = b""


@dataclass
class Form:
    """A form on a page: where it goes, what it holds as it stands, the fields that must be filled in, its buttons."""

    page: str
    action: str
    method: str
    fields: dict[str, str] = field(default_factory=dict)
    kinds: dict[str, str] = field(default_factory=dict)
    required: list[str] = field(default_factory=list)
    buttons: list[tuple[str, str]] = field(default_factory=list)


class _Reader(HTMLParser):
    """Links and forms of one page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.page = page
        self.links: list[str] = []
        self.forms: list[Form] = []
        self._form: Form | None = None
        self._area = self._select = ""

    def handle_starttag(self, tag: str, found: list[tuple[str, str | None]]) -> None:
        attrs = {name: value or "" for name, value in found}
        name, form = attrs.get("name", ""), self._form
        if tag == "a" and "href" in attrs:
            self.links.append(urljoin(self.page, attrs["href"]))
        elif tag == "form":
            action = urljoin(self.page, attrs.get("action", "") or self.page)
            self._form = Form(self.page, action, attrs.get("method", "get").lower())
            self.forms.append(self._form)
        elif form is None:
            return
        elif tag == "button" or (tag == "input" and attrs.get("type") == "submit"):
            form.buttons.append((name, attrs.get("value", "")))
        elif tag == "input" and name:
            kind = attrs.get("type", "text")
            if kind not in ("checkbox", "radio") or "checked" in attrs:
                form.fields[name] = attrs.get("value", "on" if kind == "checkbox" else "")
            self._know(form, name, kind, attrs)
        elif tag in ("textarea", "select") and name:
            form.fields[name] = ""
            self._know(form, name, tag, attrs)
            self._area, self._select = (name, "") if tag == "textarea" else ("", name)
        elif tag == "option" and self._select and ("selected" in attrs or not form.fields[self._select]):
            form.fields[self._select] = attrs.get("value", "")

    @staticmethod
    def _know(form: Form, name: str, kind: str, attrs: dict[str, str]) -> None:
        form.kinds[name] = kind
        if "required" in attrs:
            form.required.append(name)

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._form = None
        elif tag == "textarea":
            self._area = ""
        elif tag == "select":
            self._select = ""

    def handle_data(self, data: str) -> None:
        if self._area and self._form is not None:
            before = self._form.fields[self._area]
            self._form.fields[self._area] = before + (data if before else data.removeprefix("\n"))


def read(page: str, text: str) -> tuple[list[str], list[Form]]:
    """The links and the forms of a page; ``page``: its address."""
    reader = _Reader(page)
    reader.feed(text)
    return reader.links, reader.forms


@dataclass
class Found:
    """All that was reached: answers by address, and the forms by where they go."""

    pages: dict[str, Answer] = field(default_factory=dict)
    forms: dict[str, Form] = field(default_factory=dict)

    def html(self) -> dict[str, Answer]:
        """The pages alone: no files, nothing that only sends one on."""
        return {address: answer for address, answer in self.pages.items() if answer.status == 200 and answer.text}

    def reached(self) -> set[str]:
        """The patterns of what was reached, forms' targets included."""
        return {kind(address) for address in (*self.pages, *self.forms)}


def crawl(get: Callable[[str], Answer], *starts: str, into: Found | None = None, without: str = "#") -> Found:
    """Follow links and searches from ``starts``; of pages that differ by their names only, so many. Nothing is changed.

    ``without``: how addresses begin that are not followed.
    """
    found = into or Found()
    counts: dict[str, int] = {}
    queue = list(starts)
    while queue:
        address = queue.pop(0).partition("#")[0]
        if address in found.pages or not address.startswith("/") or address.startswith(without):
            continue
        other = address.startswith("/en/")
        of = f"{other} {kind(address)}?{'&'.join(sorted(name for name, _ in parse_qsl(urlsplit(address).query)))}"
        counts[of] = counts.get(of, 0) + 1
        if counts[of] > (A_PATTERN_ELSE if other else A_PATTERN):
            continue
        answer = found.pages[address] = get(address)
        if answer.to:
            queue.append(urljoin(address, answer.to))
        links, forms = read(address, answer.text)
        queue += links
        for form in forms:
            if form.method == "post":
                found.forms.setdefault(form.action, form)
            else:
                queue.append(f"{form.action.partition('?')[0]}?{urlencode(form.fields)}")
    return found


def kind(address: str) -> str:
    """The pattern that an address is of, without the language."""
    path = urlsplit(address).path
    path = path.removeprefix("/en") if path.startswith("/en/") else path
    try:
        with override("cs"):
            return _plain(resolve(path).route)
    except Resolver404:
        return f"nothing serves {path}"


def routes() -> Iterator[tuple[str, URLPattern]]:
    """Every pattern that the league serves, in the default language, with its view."""
    yield from _routes(get_resolver(), "")


def _routes(resolver: URLResolver, before: str) -> Iterator[tuple[str, URLPattern]]:
    for part in resolver.url_patterns:
        if isinstance(part, URLResolver):
            yield from _routes(part, before + str(part.pattern))
        else:
            yield _plain(before + str(part.pattern)), part


def _plain(route: str) -> str:
    return re.sub(r"(?<=.)\^", "", route)


def client_get(client: object) -> Callable[[str], Answer]:
    """Ask in this process: ``client``: Django's."""

    def get(address: str) -> Answer:
        answer = client.get(address)  # type: ignore[attr-defined]
        kind_of = answer.headers.get("Content-Type", "")
        content = b"".join(answer.streaming_content) if answer.streaming else answer.content
        text, file = (content.decode(), b"") if "html" in kind_of else ("", content)
        return Answer(answer.status_code, answer.headers.get("Location", ""), text, answer.headers, file)

    return get

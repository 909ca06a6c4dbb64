"""Results for print and as a PDF: all places, with the letters of their names."""

from __future__ import annotations

import re

import pytest

from appliance.console import pdf
from appliance.console.views.past import as_pdf, printed
from tests.console.viewing import Desk, roster
from tests.game.conftest import Evening

NAMES = ("Adam Černý", "Bára Řeháková", "Cyril Ůček", "<b>Ďas</b> Ťuhýk")


@pytest.fixture
def desk() -> Desk:
    return Desk(Evening().seated([1, 2, 3, 4]).bust(4).bust(3).bust(2), lang="cs", roster=roster(*NAMES))


def test_the_print_has_every_place_and_nothing_that_the_policy_refuses(desk: Desk) -> None:
    html = printed(desk.asked()).decode()
    assert html.count("<tr>") == 5 and "Adam Č. (000001)" in html and "&lt;b&gt;" in html
    assert not re.search(r"<style|style=|<script|https?:", html)


def test_a_pdf_says_where_each_of_its_objects_begins(desk: Desk) -> None:
    body = as_pdf(desk.asked())
    begins = int(body.rsplit(b"startxref\n", 1)[1].split()[0])
    starts = [int(line[:10]) for line in body[begins:].splitlines()[3:] if line.endswith(b" n ")]
    assert starts and all(body[at:].startswith(b"%d 0 obj" % n) for n, at in enumerate(starts, 1))
    assert b"/Rcaron" in body and b"/Ccaron" in body and b"/Uring" in body


def test_many_rows_take_several_pages() -> None:
    rows = [[f"{n}.", f"Hráč {n}", "1 Kč"] for n in range(1, 100)]
    body = pdf.table("Výsledky", ["brno"], ["Místo", "Hráč", "Výhra"], rows, frozenset({2}))
    assert body.count(b"/Type /Page ") == 4 and b"/Count 4" in body

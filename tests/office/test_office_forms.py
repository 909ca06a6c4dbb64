"""Every form of the office, sent once wrong and once right: errors beside fields, nothing lost of what was typed."""

from __future__ import annotations

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import Browser, Locator, Page

from tests.league.office_crawl import Form, kind
from tests.office.conftest import Site, Watched, signed_in

TYPED = "Žluťoučký kůň 7"
TEXTS = ("text", "search", "email", "textarea", "number", "date", "time")


def day(days: int) -> str:
    return (datetime.now(ZoneInfo("Europe/Prague")) + timedelta(days=days)).date().isoformat()


PERSON = {
    "first_name": "Radúz", "surname": "Nový", "birth_date": "1980-01-01", "document": "X 1", "street": "Úzká 1",
    "town": "Brno", "postcode": "602 00", "email": "raduz@hraci.example", "proof": "passport", "proven_to": "clerk",
    "processing": "on",
}  # fmt: skip
FULL_ROUND = {
    "name": "Sedmé kolo", "season": f"Ročník {day(40)[:4]}", "venue": "zabreh", "day": day(40), "time": "19:00",
    "deposit": "100", "shares": "50 30 20",
}  # fmt: skip
RIGHT: dict[str, dict[str, str]] = {
    "people-register": PERSON,
    "people-new-text": {"text_cs": "Souhlasím.", "text_en": "I agree."},
    "cards-keep": {"uid": "04AABBCC000001", "kept_by": "000900"},
    "people-show": {"reason": "Dotaz úřadu"},
    "people-correct": {"surname": "Opravená"},
    "people-erase": {"number": "{3}", "reason": "na žádost"},
    "rounds-new": FULL_ROUND,
    "rounds-edit": {"name": "Jiné jméno"},
    "rounds-new-structure": {"name": "Rychlá", "sb": "25", "bb": "50", "minutes": "20"},
    "rounds-new-share": {"name": "Dvě místa", "shares": "60 40"},
    "rounds-move": {"day": day(60), "reason": "oprava sálu"},
    "rounds-cancel": {"reason": "málo lidí", "sure": "on"},
    "rounds-sign-up": {"number": "000900"},
    "season-new": {"name": "Další ročník"},
    "season-points": {},
    "season-void": {"round": "S2", "participant": "000101", "reason": "podvod"},
    "season-decline": {"reason": "jen slova"},
    "season-exclude": {"participant": "000101", "reason": "rvačka"},
    "season-lift": {"reason": "odvolání"},
    "season-act": {"reason": "sál"},
    "season-act interrupt": {"day": "{3}-03-01", "stay": "on"},
    "season-act extend": {"day": "{next}-01-31"},
    "season-act shorten": {"day": "{3}-07-01"},
    "notices-announce": {"title_cs": "Slyšte"},
    "fleet-resolve": {"reason": "vyměněný disk"},
    "fleet-notice": {"text_cs": "Zítra se nehraje."},
    "fleet-notice-all": {"text_cs": "Zítra se nehraje nikde."},
    "fleet-invite": {"device": "table-9", "table": "9"},
    "fleet-revoke": {"reason": "ukradené"},
    "fleet-accept": {"day": day(2)},
    "staff-add": {"name": "novy.clen", "email": "novy@liga.example", "roles": "clerk"},
}
"""What must be typed into a form that begins empty, by the name of the page that it is sent to, with the last part of
its address where that says what is done. ``{3}``: the third part, which says whom or what it is about; ``{next}``: the
year after it."""


def test_P_wrong_forms_say_so_beside_the_field_and_lose_nothing(site: Site, chromium: Browser) -> None:
    context = signed_in(chromium, site, "everybody")
    watched = Watched(context.new_page())
    forms = [form for form in one_of_each(site) if form.required]
    faults = [fault for form in forms for fault in send_wrong(watched.page, form)]
    context.close()
    if faults + watched.complaints:
        pytest.fail("\n".join(faults + watched.complaints))
    assert len(forms) > 15


def send_wrong(page: Page, form: Form) -> list[str]:
    """Everything typed but what must be there; what is wrong with the answer."""
    page.goto(form.page)
    box = the(page, form)
    typed: dict[str, str] = {}
    for name, kind_of in form.kinds.items():
        field = box.locator(f'[name="{name}"]').first
        if kind_of not in TEXTS or not field.is_enabled():
            continue
        show(field)
        if name in form.required:
            field.fill("")
        elif kind_of in ("text", "search", "textarea"):
            longest = int(field.get_attribute("maxlength") or 99)
            typed[name] = TYPED[:longest]
            field.fill(typed[name])
    send(box)
    where = f"{form.page} → {form.action}"
    wrong = page.locator('[aria-invalid="true"]')
    if not wrong.count():
        return [f"{where}: no field is said to be wrong"]
    beside = "field => !!field.closest('.field, td, fieldset, p, li').querySelector('.errorlist, .error')"
    faults = [] if wrong.first.evaluate(beside) else [f"{where}: nothing is said beside the field"]
    if not page.locator(".errors, [role=alert]").count():
        faults.append(f"{where}: nothing is said on top")
    for name, text in typed.items():
        now = page.locator(f'form[method="post"] [name="{name}"]').first.input_value()
        if now.replace(" ", "") != text.replace(" ", ""):  # numbers are shown without spaces between
            faults.append(f"{where}: {name} is lost")
    return faults


def test_P_right_forms_do_what_they_say_with_scripts_off_too(site: Site, chromium: Browser) -> None:
    context = signed_in(chromium, site, "everybody", script=False)
    page = context.new_page()
    forms = sorted((form for form in one_of_each(site) if "file" not in form.kinds.values()), key=is_last)
    faults = [fault for form in forms for fault in send_right(page, form)]
    context.close()
    if faults:
        pytest.fail("\n".join(faults))
    assert {name.partition(" ")[0] for name in RIGHT} <= {view_of(form) for form in forms}


LAST = ("consent/", "erase", "shut", "/end/", "cancel", "discard", "factor", "drop")


def is_last(form: Form) -> bool:
    """Whether others would miss what it takes away."""
    return any(word in form.action for word in LAST)


def send_right(page: Page, form: Form) -> list[str]:
    """Fill in what must be there, and send; what it complains of."""
    name, parts = view_of(form), [*form.action.partition("?")[0].split("/"), "", ""]
    if name == "season-act" and parts[4] == "end" and int(parts[3]) > int(day(0)[:4]):
        return []  # a season that has not begun has no day to be ended on
    answer = page.goto(form.page)
    assert answer is not None
    box = the(page, form)
    if answer.status != 200 or not box.count():
        return []  # an act before has taken it away
    for field_name, said in (RIGHT.get(name, {}) | RIGHT.get(f"{name} {parts[4]}", {})).items():
        value = said.replace("{3}", parts[3])
        if "{next}" in value:
            value = value.replace("{next}", str(int(parts[3]) + 1))
        field = box.locator(f'[name="{field_name}"]').first
        if not field.count():
            continue
        show(field)
        of = field.get_attribute("type") or field.evaluate("field => field.localName")
        if of in ("checkbox", "radio"):
            box.locator(f'[name="{field_name}"][value="{value}"], [name="{field_name}"]').first.check()
        elif of == "select":
            field.select_option(**{"label" if value.startswith("Ročník") else "value": value})
        else:
            field.fill(value)
    send(box)
    where = f"{form.page} → {form.action}"
    said = " ".join(page.locator(".errors, .errorlist, li.error").all_inner_texts())
    return [f"{where}: {said or 'no page'}"] if said or page.locator("h1").count() != 1 else []


def one_of_each(site: Site) -> list[Form]:
    """A form of each kind that is sent somewhere in the office, in Czech."""
    chosen: dict[str, Form] = {}
    for form in site.found("everybody", "/office/", without="/en/").forms.values():
        if form.action.startswith("/office/") and form.page.startswith("/office/"):
            of = kind(form.action) + (
                form.action if "<slug:what>" in kind(form.action) or "act>" in form.action else ""
            )
            chosen.setdefault(of, form)
    return list(chosen.values())


def view_of(form: Form) -> str:
    from django.urls import resolve

    return str(resolve(form.action.partition("?")[0]).url_name)


def the(page: Page, form: Form) -> Locator:
    """The form on its page: by where it goes, or the page's own."""
    path, _, asked = form.action.partition("?")
    wanted = page.locator(f'form[method="post"][action="{path}{"?" + asked if asked else ""}"]')
    return wanted.first if wanted.count() else page.locator('main form[method="post"]:not([action])').first


def show(field: Locator) -> None:
    """Open what it is folded into."""
    field.evaluate(
        "field => { for (let at = field; at; at = at.parentElement) if (at.localName === 'details') at.open = true }"
    )


def send(box: Locator) -> None:
    """Press its first button, whatever the browser itself would complain of."""
    box.evaluate("form => { form.noValidate = true }")
    button = box.locator("button:not([name=after]):not([name=more]):not([aria-hidden])").first
    show(button)
    button.click()
    box.page.wait_for_load_state()

"""What a check finds: a thing of this device, how it stands, and what to do where that is not well."""

from __future__ import annotations

from typing import Literal

import msgspec

from appliance.i18n import N_, Translator

Standing = Literal["ok", "absent", "issue"]
"""``absent``: not here, and nothing says that it should be."""


class Finding(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """``subject`` is what it is about ("reader door"), ``code`` is stable, ``facts`` are names, versions and states.

    ``text`` and ``remedy`` are English sentences of the catalogues, to be said with `said` in a person's language;
    ``params`` go into them.
    """

    subject: str
    standing: Standing
    code: str
    text: str
    remedy: str = ""
    facts: dict[str, str] = {}
    params: dict[str, str] = {}


def said(finding: Finding, tr: Translator) -> tuple[str, str]:
    """The finding's sentence and its remedy in a language."""
    remedy = tr.gettext(finding.remedy, **finding.params) if finding.remedy else ""
    return tr.gettext(finding.text, **finding.params), remedy


_SUBJECTS = {
    "reader": N_("reader"),
    "readers": N_("readers"),
    "card keys": N_("card keys"),
    "card counters": N_("card counters"),
    "pins": N_("pins"),
    "button": N_("button"),
    "printer": N_("printer"),
    "sound": N_("sound"),
    "display": N_("display"),
    "time": N_("time"),
    "configuration": N_("configuration"),
    "membership": N_("membership"),
    "uplink": N_("uplink"),
    "phones": N_("phones"),
    "quarantine": N_("quarantine"),
}
_FACTS = {
    "file": N_("file"),
    "keys": N_("keys"),
    "until": N_("until"),
    "driver": N_("driver"),
    "profile": N_("profile"),
    "port": N_("port"),
    "firmware": N_("firmware"),
    "vendor": N_("maker"),
    "state": N_("state"),
    "error": N_("error"),
    "volume": N_("volume"),
    "device": N_("device"),
    "backlog": N_("records waiting:"),
    "since": N_("since"),
    "stored": N_("last stored"),
    "fetching": N_("coming back:"),
    "place": N_("record"),
}
_STATES = {"empty": N_("empty"), "card": N_("a card lies on it")}


def named(finding: Finding, tr: Translator) -> str:
    """What it is about, in a language; a name that somebody gave stays as it is: "čtečka leva"."""
    if finding.subject in _SUBJECTS:
        return tr.gettext(_SUBJECTS[finding.subject])
    kind, space, name = finding.subject.partition(" ")
    return (tr.gettext(_SUBJECTS[kind]) if kind in _SUBJECTS else kind) + space + name


def told(finding: Finding, tr: Translator) -> str:
    """Its facts in a language, in one line."""
    rows = []
    for name, value in finding.facts.items():
        shown = tr.gettext(_STATES[value]) if name == "state" and value in _STATES else value
        rows.append(f"{tr.gettext(_FACTS[name]) if name in _FACTS else name} {shown}")
    return ", ".join(rows)

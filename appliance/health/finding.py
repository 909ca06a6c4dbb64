"""What a check finds: a thing of this device, how it stands, and what to do where that is not well."""

from __future__ import annotations

from typing import Literal

import msgspec

from appliance.i18n import Translator

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

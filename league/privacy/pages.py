"""How long what is kept, and what is over now."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from league.privacy import retention
from league.privacy.models import RetentionRule
from league.staff import audit
from league.staff.roles import Role, require, roles_of

_LONGEST = 36_500


class PeriodsForm(forms.Form):
    """Days for each subject; empty: no end."""

    def __init__(self, rules: list[RetentionRule], *args: object, **options: object) -> None:
        super().__init__(*args, **options)  # type: ignore[arg-type]
        for rule in rules:
            self.fields[rule.subject] = forms.IntegerField(
                label=gettext_lazy("Days: %(what)s") % {"what": rule.get_subject_display()},
                required=False, min_value=1, max_value=_LONGEST, initial=rule.days,
            )  # fmt: skip


@require(Role.COMMISSIONER, Role.AUDITOR)
@require_safe
def periods(request: HttpRequest) -> HttpResponse:
    """All periods, with how much is over by each."""
    rules = list(RetentionRule.objects.order_by("subject"))
    return _page(request, rules, PeriodsForm(rules))


@require(Role.COMMISSIONER)
@require_POST
def change_periods(request: HttpRequest) -> HttpResponse:
    """Set the days anew."""
    rules = list(RetentionRule.objects.order_by("subject"))
    form = PeriodsForm(rules, request.POST)
    if not form.is_valid():
        return _page(request, rules, form)
    _keep(request, rules, form)
    return redirect("office:privacy-periods")


def _page(request: HttpRequest, rules: list[RetentionRule], form: PeriodsForm) -> HttpResponse:
    over = {rule.subject: rows.count() for rule, rows in retention.due(timezone.now())}
    lines = [(rule, form[rule.subject], over.get(rule.subject)) for rule in rules]
    may_change = Role.COMMISSIONER in roles_of(request.user)
    return render(request, "office/privacy/periods.html", {"lines": lines, "form": form, "may_change": may_change})


def _keep(request: HttpRequest, rules: list[RetentionRule], form: PeriodsForm) -> None:
    with transaction.atomic():
        for rule in rules:
            days = form.cleaned_data[rule.subject]
            if days != rule.days:
                audit.note(request, audit.What.ACT, about=f"retention {rule.subject}: {rule.days} -> {days} days")
                rule.days = days
                rule.save()
    messages.success(request, _("The periods are recorded."))

"""Django's own staff pages, behind the office's gate: the same sign-in, the same second factor, the same audit log."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar, cast

from django.contrib.admin import AdminSite, ModelAdmin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect

from league.staff import audit
from league.staff.roles import gate, passed_second_factor

V = TypeVar("V", bound=Callable[..., HttpResponseBase])
NAMES = frozenset({"surname", "first_name", "last_name", "username", "email"})
_SILENT = {"index", "jsi18n", "app_list", "logout", "autocomplete"}


class _NoNames:
    """Of an admin's search: the fields that hold nobody's name."""

    def get_search_fields(self, request: HttpRequest) -> list[str]:
        fields: Iterable[str] = super().get_search_fields(request)  # type: ignore[misc]
        return [name for name in fields if name.strip("=^@").rpartition("__")[2] not in NAMES]


class OfficeAdmin(AdminSite):
    """Django's site: nobody in without a second factor; what is looked at or changed is in the audit log."""

    def register(self, model_or_iterable: Any, admin_class: Any = None, **options: Any) -> None:
        """Django's, with no search by names: what is searched for stands in the address, and that in others' logs."""
        of = admin_class or ModelAdmin
        super().register(model_or_iterable, type(of.__name__, (_NoNames, of), {}), **options)

    def has_permission(self, request: HttpRequest) -> bool:
        return super().has_permission(request) and passed_second_factor(request)

    def login(self, request: HttpRequest, *_args: Any, **_options: Any) -> HttpResponse:
        """The office's own sign-in; 403 for who is in, but may not come here."""
        asked = gate(request)
        if asked is not None:
            return asked
        if not super().has_permission(request):
            raise PermissionDenied
        return redirect("admin:index")

    def admin_view(self, view: V, cacheable: bool = False) -> V:
        """Django's, with an entry in the audit log."""

        def noted(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            answer = view(request, *args, **kwargs)
            name = request.resolver_match.url_name if request.resolver_match else ""
            if name not in _SILENT and answer.status_code < 400:
                did = audit.What.CHANGE if request.method == "POST" else audit.What.VIEW
                audit.note(request, did, about=request.path[-200:])
            return answer

        return cast(V, super().admin_view(noted, cacheable))

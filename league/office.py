"""What the staff pages of all apps share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest

if TYPE_CHECKING:
    from django.contrib.admin import ModelAdmin, TabularInline
else:

    class ModelAdmin(admin.ModelAdmin):
        """Django's own, with the type parameter that only its stubs know."""

        def __class_getitem__(cls, _model: object) -> type:
            return cls

    class TabularInline(admin.TabularInline):
        """Django's own, with the type parameters that only its stubs know."""

        def __class_getitem__(cls, _models: object) -> type:
            return cls


__all__ = ["ModelAdmin", "ReadOnlyAdmin", "ReadOnlyInline", "TabularInline"]

M = TypeVar("M", bound=Model)
P = TypeVar("P", bound=Model)


class ReadOnlyAdmin(ModelAdmin[M]):
    """For what comes from the venues or is derived from it: to be seen, never edited by hand."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class ReadOnlyInline(TabularInline[M, P]):
    """The same for rows that are shown with another."""

    extra = 0

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

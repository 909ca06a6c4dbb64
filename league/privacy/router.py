"""Keeps persons' keys in a database of their own, so that a copy of the other one opens nothing."""

from __future__ import annotations

from typing import Any

KEYS = "keys"
_MODELS = {"personkey", "birthindex", "indexkey", "erasure", "highestnumber"}


class KeysApart:
    """Django's database router: the models of the store of keys go there, all others never do."""

    def db_for_read(self, model: Any, **_hints: Any) -> str | None:
        return KEYS if _is_key(model._meta.app_label, model._meta.model_name) else None

    def db_for_write(self, model: Any, **hints: Any) -> str | None:
        return self.db_for_read(model, **hints)

    def allow_relation(self, one: Any, other: Any, **_hints: Any) -> bool | None:
        apart = {_is_key(model._meta.app_label, model._meta.model_name) for model in (one, other)}
        return None if len(apart) == 1 else False

    def allow_migrate(self, db: str, app_label: str, model_name: str | None = None, **_hints: Any) -> bool | None:
        if db == KEYS:
            return app_label == "privacy" and (model_name is None or model_name in _MODELS)
        return False if _is_key(app_label, model_name) else None


def _is_key(app_label: str, model_name: str | None) -> bool:
    return app_label == "privacy" and model_name in _MODELS

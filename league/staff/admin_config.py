from __future__ import annotations

from django.contrib.admin.apps import AdminConfig


class OfficeAdminConfig(AdminConfig):
    """Takes the place of ``django.contrib.admin``: its pages behind the office's gate."""

    default_site = "league.staff.gate.OfficeAdmin"

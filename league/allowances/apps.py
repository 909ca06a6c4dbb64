from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AllowancesConfig(AppConfig):
    name = "league.allowances"
    verbose_name = _("Allowances")

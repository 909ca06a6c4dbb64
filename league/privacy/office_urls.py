from __future__ import annotations

from django.urls import path

from league.privacy import pages

urlpatterns = [
    path("", pages.periods, name="privacy-periods"),
    path("change/", pages.change_periods, name="privacy-change-periods"),
]

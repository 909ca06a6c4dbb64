from __future__ import annotations

from django.urls import path

from league.imports import pages

urlpatterns = [
    path("", pages.home, name="imports-home"),
    path("participants/", pages.import_people, name="imports-people"),
    path("results/", pages.import_results, name="imports-results"),
    path("participants/file/", pages.export_people, name="exports-people"),
    path("results/file/", pages.export_results, name="exports-results"),
]

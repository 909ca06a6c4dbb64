from __future__ import annotations

from django.urls import path

from league.notices import pages

app_name = "notices"
urlpatterns = [
    path("rules/", pages.edition, {"kind": "rules"}, name="rules"),
    path("rules/<int:number>/", pages.edition, {"kind": "rules"}, name="rules-version"),
    path("game-plan/", pages.edition, {"kind": "plan"}, name="plan"),
    path("game-plan/<int:number>/", pages.edition, {"kind": "plan"}, name="plan-version"),
    path("prices/", pages.edition, {"kind": "prices"}, name="prices"),
    path("prices/<int:number>/", pages.edition, {"kind": "prices"}, name="prices-version"),
]

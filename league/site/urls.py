from __future__ import annotations

from django.urls import path, register_converter

from league.site import views
from league.site.converters import RoundId

register_converter(RoundId, "round")

app_name = "site"
urlpatterns = [
    path("", views.home, name="home"),
    path("rounds/<round:round_id>/", views.round_page, name="round"),
    path("standings/", views.standings, name="standings"),
    path("standings/<int:year>/", views.standings, name="season"),
]

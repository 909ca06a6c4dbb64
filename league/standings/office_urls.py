from __future__ import annotations

from django.urls import path

from league.standings.desk import exclusions, points, seasons, voids

urlpatterns = [
    path("", seasons.season_list, name="season-list"),
    path("new/", seasons.edit_season, name="season-new"),
    path("voids/", voids.voids, name="season-voids"),
    path("voids/new/", voids.void, name="season-void"),
    path("exclusions/", exclusions.exclusions, name="season-exclusions"),
    path("exclusions/new/", exclusions.exclude, name="season-exclude"),
    path("exclusions/proposed/<str:round_id>/<str:number>/decline/", exclusions.decline, name="season-decline"),
    path("exclusions/<int:pk>/lift/", exclusions.lift, name="season-lift"),
    path("<int:year>/", seasons.season, name="season"),
    path("<int:year>/edit/", seasons.edit_season, name="season-edit"),
    path("<int:year>/points/", points.points, name="season-points"),
    path("<int:year>/<slug:what>/", seasons.act, name="season-act"),
]

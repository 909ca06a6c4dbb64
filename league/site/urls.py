from __future__ import annotations

from django.urls import path, register_converter

from league.site import feed, players, tv, venues, views
from league.site.converters import PlayerNumber, RoundId, VenueId

register_converter(RoundId, "round")
register_converter(PlayerNumber, "number")
register_converter(VenueId, "venue")

app_name = "site"
urlpatterns = [
    path("", views.home, name="home"),
    path("rounds/<round:round_id>/", views.round_page, name="round"),
    path("standings/", views.standings, name="standings"),
    path("standings/<int:year>/", views.standings, name="season"),
    path("standings/<int:year>/records/", venues.season_records, name="records"),
    path("players/<number:number>/", players.player, name="player"),
    path("players/<number:number>/<int:year>/", players.player, name="player-season"),
    path("venues/", venues.venues, name="venues"),
    path("venues/<venue:venue_id>/", venues.venue, name="venue"),
    path("venues/<venue:venue_id>/calendar.ics", feed.feed, name="venue-feed"),
    path("calendar.ics", feed.feed, name="feed"),
    path("tv/", tv.screens, name="tv"),
    path("tv/<round:round_id>/", tv.screen, name="tv-round"),
]

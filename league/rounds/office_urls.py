from __future__ import annotations

from django.urls import path, re_path

from league.rounds.pages import acts, listing, planning, round

urlpatterns = [
    path("", listing.rounds, name="rounds-list"),
    path("new/", planning.new_round, name="rounds-new"),
    path("templates/", planning.stock, name="rounds-stock"),
    path("templates/structure/", planning.structure, name="rounds-new-structure"),
    path("templates/structure/<int:pk>/", planning.structure, name="rounds-structure"),
    path("templates/shares/", planning.share, name="rounds-new-share"),
    path("templates/shares/<int:pk>/", planning.share, name="rounds-share"),
    re_path(r"^templates/(?P<kind>structure|shares)/(?P<pk>[0-9]{1,9})/drop/$", planning.drop, name="rounds-drop"),
    path("round/<str:round_id>/", round.round_page, name="rounds-round"),
    path("round/<str:round_id>/plan/", planning.edit_round, name="rounds-edit"),
    path("round/<str:round_id>/announce/", acts.announce, name="rounds-announce"),
    path("round/<str:round_id>/discard/", acts.discard, name="rounds-discard"),
    path("round/<str:round_id>/move/", acts.move, name="rounds-move"),
    path("round/<str:round_id>/cancel/", acts.cancel, name="rounds-cancel"),
    path("round/<str:round_id>/notified/", acts.notified, name="rounds-notified"),
    path("round/<str:round_id>/sign-up/", acts.sign_up_for, name="rounds-sign-up"),
    path("round/<str:round_id>/sign-up/<str:number>/cancel/", acts.cancel_sign_up_for, name="rounds-sign-off"),
]

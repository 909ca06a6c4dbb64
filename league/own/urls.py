from __future__ import annotations

from django.urls import path

from league.own import acting, pages

app_name = "own"
urlpatterns = [
    path("", pages.home, name="home"),
    path("sent/", pages.sent, name="sent"),
    path("link/<str:token>/", pages.link, name="link"),
    path("leave/", pages.leave, name="leave"),
    path("data/", acting.data, name="data"),
    path("data/correct/", acting.correct_own, name="correct"),
    path("data/export/", acting.export, name="export"),
    path("consents/", acting.consents, name="consents"),
    path("consents/change/", acting.consent, name="consent"),
    path("consents/processing/", acting.end, {"what": "processing"}, name="end-processing"),
    path("rounds/<str:round_id>/", acting.round, name="round"),
    path("end/", acting.end, {"what": "cancel"}, name="end"),
]

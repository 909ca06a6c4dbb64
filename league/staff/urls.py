from __future__ import annotations

from django.urls import include, path, re_path

from league.staff import audit_views, staff_views, views

app_name = "office"
urlpatterns = [
    path("", views.home, name="home"),
    path("sessions/<int:pk>/end/", views.session_end, name="session-end"),
    path("staff/", staff_views.staff_list, name="staff-list"),
    path("staff/add/", staff_views.staff_add, name="staff-add"),
    path("staff/<int:pk>/", staff_views.staff_edit, name="staff-edit"),
    re_path(
        f"^staff/(?P<pk>[0-9]{{1,9}})/(?P<act>{'|'.join(staff_views.ACTS)})/$", staff_views.staff_act, name="staff-act"
    ),
    path("audit/", audit_views.audit_log, name="audit"),
    path("audit/file/", audit_views.audit_file, name="audit-file"),
    path("participants/", include("league.people.office_urls")),
    path("cards/", include("league.cards.office_urls")),
    path("imports/", include("league.imports.office_urls")),
    path("rounds/", include("league.rounds.office_urls")),
    path("letters/", include("league.mail.office_urls")),
    path("fleet/", include("league.fleet.office_urls")),
    path("retention/", include("league.privacy.office_urls")),
    path("", include("league.notices.office_urls")),
    path("seasons/", include("league.standings.office_urls")),
]

from __future__ import annotations

from django.urls import path

from league.fleet import office, office_devices

urlpatterns = [
    path("", office.venues, name="fleet-list"),
    path("message/", office.notice, name="fleet-notice-all"),
    path("alerts/<int:pk>/resolve/", office.resolve, name="fleet-resolve"),
    path("venues/<str:venue_id>/", office.venue_page, name="fleet-venue"),
    path("venues/<str:venue_id>/message/", office.notice, name="fleet-notice"),
    path("venues/<str:venue_id>/invite/", office_devices.invite, name="fleet-invite"),
    path("venues/<str:venue_id>/devices/<str:name>/revoke/", office_devices.revoke, name="fleet-revoke"),
    path("venues/<str:venue_id>/devices/<str:name>/accept/", office_devices.accept, name="fleet-accept"),
]

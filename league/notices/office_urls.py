from __future__ import annotations

from django.urls import path, re_path

from league.notices import office

urlpatterns = [
    path("announcements/", office.announcements, name="notices-announcements"),
    path("announcements/new/", office.announce, name="notices-announce"),
    path("announcements/<int:pk>/", office.announce, name="notices-announcement"),
    path("announcements/<int:pk>/withdraw/", office.withdraw_announcement, name="notices-withdraw"),
    path("publishing/", office.edition_list, name="notices-editions"),
    path("publishing/new/", office.begin_edition, name="notices-begin"),
    path("publishing/<int:pk>/", office.edition, name="notices-edition"),
    path("publishing/<int:pk>/edit/", office.edit_edition, name="notices-edit"),
    re_path(
        r"^publishing/(?P<pk>[0-9]{1,9})/(?P<act>publish|withdraw|discard)/$", office.act_on_edition, name="notices-act"
    ),
]

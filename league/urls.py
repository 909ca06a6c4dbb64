from __future__ import annotations

from django.conf.urls.i18n import i18n_patterns
from django.contrib import admin
from django.templatetags.static import static
from django.urls import include, path
from django.views.generic import RedirectView

from league.fleet.views import enrolment
from league.site import crawling

urlpatterns = [
    path("favicon.ico", RedirectView.as_view(url=static("league/spade.svg"))),
    path("api/1/", include("league.site.api")),
    path("robots.txt", crawling.robots),
    path("sitemap.xml", crawling.sitemap),
    path("enrol", enrolment),
    *i18n_patterns(
        path("admin/", admin.site.urls),
        path("office/", include("league.staff.urls")),
        path("account/", include("league.staff.account_urls")),
        path("me/", include("league.own.urls")),
        path("", include("league.notices.urls")),
        path("", include("league.site.urls")),
        prefix_default_language=False,
    ),
]

handler404 = "league.site.views.not_found"
handler500 = "league.site.views.server_error"

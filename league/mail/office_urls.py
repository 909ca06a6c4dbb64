from __future__ import annotations

from django.urls import path

from league.mail import office

urlpatterns = [
    path("", office.letters, name="mail-list"),
    path("<int:pk>/", office.letter, name="mail-letter"),
    path("<int:pk>/try/", office.try_letter, name="mail-try"),
]

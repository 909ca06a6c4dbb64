from __future__ import annotations

from django.urls import path

from league.cards import pages

urlpatterns = [
    path("", pages.cards, name="cards-list"),
    path("file/", pages.cards_file, name="cards-file"),
    path("refused/", pages.refused, name="cards-refused"),
    path("refused/<int:pk>/back/", pages.given_back, name="cards-given-back"),
    path("waiting/", pages.waiting, name="cards-waiting"),
    path("confiscated/", pages.keep, name="cards-keep"),
    path("<int:pk>/", pages.card, name="cards-card"),
    path("<int:pk>/state/", pages.declare, name="cards-declare"),
    path("<int:pk>/found/", pages.found_again, name="cards-found"),
    path("<int:pk>/replace/", pages.replace, name="cards-replace"),
    path("<int:pk>/replace/back/", pages.unorder, name="cards-unorder"),
]

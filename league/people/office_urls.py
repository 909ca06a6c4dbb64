from __future__ import annotations

from django.urls import path

from league.people.pages import changing, listing, person, registering, texts

urlpatterns = [
    path("", listing.participants, name="people-list"),
    path("new/", registering.register_person, name="people-register"),
    path("consents/", texts.consent_texts, name="people-texts"),
    path("consents/new/", texts.new_consent_text, name="people-new-text"),
    path("<str:number>/", person.person, name="people-person"),
    path("<str:number>/show/", person.show, name="people-show"),
    path("<str:number>/export/", person.export, name="people-export"),
    path("<str:number>/correct/", changing.correct_person, name="people-correct"),
    path("<str:number>/act/", changing.act, name="people-act"),
    path("<str:number>/consent/", changing.consent, name="people-consent"),
    path("<str:number>/end-processing/", changing.end_processing, name="people-end"),
    path("<str:number>/role/", changing.appoint, name="people-appoint"),
    path("<str:number>/erase/", changing.erase_person, name="people-erase"),
]

from __future__ import annotations

from django.urls import path

from league.staff import views

app_name = "office"
urlpatterns = [
    path("", views.home, name="home"),
]

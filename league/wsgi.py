"""The WSGI application, for any server that speaks it."""

from __future__ import annotations

import os

from django.core.wsgi import get_wsgi_application

from league import home

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")
home.prepare(home.data_dir())
application = get_wsgi_application()

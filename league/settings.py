"""Django settings of the league. Everything that differs between places comes from the environment.

``TABLESIDE_LEAGUE_DIR`` data directory; ``TABLESIDE_LEAGUE_HOSTS`` host names served, comma separated;
``TABLESIDE_LEAGUE_HTTPS=1`` behind TLS; ``TABLESIDE_LEAGUE_SECRET_KEY``; ``TABLESIDE_LEAGUE_DEBUG=1``;
``DATABASE_URL``; ``TABLESIDE_KEYS_DATABASE_URL`` for the store of persons' keys; ``TABLESIDE_MAIL_URL``
(``smtp://user:password@host:587``) and ``TABLESIDE_MAIL_FROM`` for letters; ``TABLESIDE_LEAGUE_PROXIES`` how many
proxies stand in front and add to ``X-Forwarded-For`` (0); ``TABLESIDE_LEAGUE_SITE`` the pages' address in letters.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from league import home

BASE_DIR = Path(__file__).resolve().parent
DATA_DIR = home.data_dir()

DEBUG = os.environ.get("TABLESIDE_LEAGUE_DEBUG") == "1"
SECRET_KEY = home.secret_key(DATA_DIR)
ALLOWED_HOSTS = [
    name.strip()
    for name in os.environ.get("TABLESIDE_LEAGUE_HOSTS", "localhost,127.0.0.1,[::1]").split(",")
    if name.strip()
]

INSTALLED_APPS = [
    "league.site",  # before the staff pages, whose frame it gives another language
    "league.staff",  # before the sign-in's pages, whose looks and texts it gives
    "league.staff.admin_config.OfficeAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "django_htmx",
    "league.privacy",
    "league.mail",
    "league.people",
    "league.rounds",
    "league.fleet",
    "league.imports",
    "league.ingest",
    "league.standings",
    "league.allowances",
    "league.backups",
    "league.cards",
    "league.notices",
    "league.own",
    "league.live",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "league.middleware.PageSecurity",
    "league.middleware.Measured",
    "league.staff.middleware.ClientAddress",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "league.middleware.BackToPages",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "allauth.usersessions.middleware.UserSessionsMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]

ROOT_URLCONF = "league.urls"
WSGI_APPLICATION = "league.wsgi.application"
TEMPLATES: list[dict[str, Any]] = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "league.site.context.frame",
                "league.staff.context.office",
            ]
        },
    }
]

PROXIES = home.proxies()
SITE = home.site()
DATABASES = {"default": home.database(DATA_DIR), "keys": home.keys_database(DATA_DIR)}
DATABASE_ROUTERS = ["league.privacy.router.KeysApart"]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("UserAttributeSimilarityValidator", "CommonPasswordValidator")
] + [
    {"NAME": "league.staff.passwords.LongEnough", "OPTIONS": {"min_length": 12}},
]

AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.Argon2PasswordHasher"]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "office:home"
ACCOUNT_ADAPTER = "league.staff.adapters.AccountAdapter"
ACCOUNT_LOGIN_METHODS = {"username"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_SESSION_REMEMBER = False
ACCOUNT_LOGOUT_REDIRECT_URL = "account_login"
ACCOUNT_RATE_LIMITS = {"login": None, "login_failed": None}  # tries are counted by league.staff.lockout
ALLAUTH_TRUSTED_PROXY_COUNT = 0  # league.staff.middleware has put the client's address where it belongs
MFA_ADAPTER = "league.staff.adapters.MFAAdapter"
MFA_FORMS = {
    "authenticate": "league.staff.adapters.SecondFactor",
    "reauthenticate": "league.staff.adapters.SecondFactorAgain",
    "activate_totp": "league.staff.adapters.FirstCode",
}
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_ALLOW_UNVERIFIED_EMAIL = True  # an operator wrote the address; nobody signs up
MFA_TOTP_ISSUER = "Tableside"
MFA_TOTP_TOLERANCE = 1
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = os.environ.get("TABLESIDE_LEAGUE_HTTPS") != "1"  # localhost; browsers see to it
USERSESSIONS_TRACK_ACTIVITY = True
CACHES = {"default": {
    "BACKEND": "django.core.cache.backends.db.DatabaseCache", "LOCATION": "staff_passing",
    "OPTIONS": {"MAX_ENTRIES": 10_000},
}}  # fmt: skip

MAIL_URL = os.environ.get("TABLESIDE_MAIL_URL", "")
MAIL_FROM = os.environ.get("TABLESIDE_MAIL_FROM", "")

LANGUAGE_CODE = "cs"
LANGUAGES = [("cs", "Čeština"), ("en", "English")]
LOCALE_PATHS = [BASE_DIR / "locale"]
FORMAT_MODULE_PATH = "league.locale"
TIME_ZONE = "Europe/Prague"
USE_I18N = True
USE_TZ = True

STATIC_URL = "/static/"
WHITENOISE_USE_FINDERS = True  # served from the package: no collectstatic step to forget

SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]  # subdomains and preload lists are the host's to decide
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_AGE = 12 * 3600  # a long day in the office; nobody stays signed in overnight
if os.environ.get("TABLESIDE_LEAGUE_HTTPS") == "1":
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_SSL_REDIRECT = True
    SECURE_HSTS_SECONDS = 31_536_000
    SESSION_COOKIE_SECURE = True
    CSRF_COOKIE_SECURE = True

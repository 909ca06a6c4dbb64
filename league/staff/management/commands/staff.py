from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.core.management.base import CommandError, CommandParser
from django.db import transaction

from league.command import LeagueCommand
from league.staff import accounts, audit, lockout
from league.staff.roles import Role, has_second_factor, roles_of


class Command(LeagueCommand):
    help = "The accounts of the league's staff: list them, add one, give roles, a new start, close or open one."

    def add_arguments(self, parser: CommandParser) -> None:
        acts = parser.add_subparsers(dest="act", required=True)
        acts.add_parser("list", help="who there is")
        add = acts.add_parser("add", help="make an account; prints the link at which its password is set")
        add.add_argument("name")
        add.add_argument("--email", default="")
        _roles(add)
        _site(add)
        role = acts.add_parser("role", help="give an account exactly these roles")
        role.add_argument("name")
        _roles(role)
        reset = acts.add_parser("reset", help="a new start: end the sessions, take the password away, print a link")
        reset.add_argument("name")
        reset.add_argument("--factor", action="store_true", help="take the second factors and recovery codes away, too")
        _site(reset)
        for name, told in (
            ("unlock", "open a sign-in that failures closed"),
            ("close", "close an account: nobody signs in with it"),
            ("reopen", "open a closed account"),
        ):
            acts.add_parser(name, help=told).add_argument("name")

    def handle(self, *args: Any, **options: Any) -> None:
        act = options["act"]
        if act == "list":
            for user in User.objects.prefetch_related("groups").order_by("username"):
                self.stdout.write(_line(user))
            return
        if act == "add":
            self._add(options)
            return
        try:
            user = User.objects.get(username=options["name"])
        except User.DoesNotExist:
            raise CommandError(f"there is no account {options['name']!r}") from None
        with transaction.atomic():
            acts = {
                "role": self._role, "reset": self._reset, "unlock": self._unlock, "close": self._close,
                "reopen": self._reopen,
            }  # fmt: skip
            acts[act](user, options)

    def _add(self, options: dict[str, Any]) -> None:
        try:
            with transaction.atomic():
                user = accounts.make(options["name"], options["email"], _asked(options))
                _note(accounts.MADE, user, ["roles"])
        except ValidationError as error:
            raise CommandError(" ".join(error.messages)) from None
        self._print_link(user, options["site"])

    def _role(self, user: User, options: dict[str, Any]) -> None:
        accounts.give(user, _asked(options))
        _note(accounts.ROLES, user, ["roles"])
        self.stdout.write(_line(User.objects.get(pk=user.pk)))

    def _reset(self, user: User, options: dict[str, Any]) -> None:
        if options["factor"]:
            accounts.take_factor(user)
            _note(accounts.FACTOR_TAKEN, user)
        accounts.take_password(user)
        _note(accounts.LINK_SENT, user)
        self._print_link(user, options["site"])

    def _unlock(self, user: User, _options: dict[str, Any]) -> None:
        if lockout.open_again(user.username):
            _note(accounts.OPENED, user)
        self.stdout.write(f"{user.username}: the sign-in is open")

    def _close(self, user: User, _options: dict[str, Any]) -> None:
        accounts.shut(user)
        _note(accounts.SHUT, user)
        self.stdout.write(_line(user))

    def _reopen(self, user: User, _options: dict[str, Any]) -> None:
        accounts.reopen(user)
        _note(accounts.REOPENED, user)
        self.stdout.write(_line(user))

    def _print_link(self, user: User, site: str) -> None:
        self.stdout.write(f"{user.username} sets the password here, once, within three days:")
        self.stdout.write(accounts.link(user, site))


def _roles(parser: CommandParser) -> None:
    parser.add_argument(
        "--role", action="append", choices=[role.value for role in Role], required=True, help="may be given again"
    )


def _site(parser: CommandParser) -> None:
    parser.add_argument("--site", default=_home(), help="the address of the league's pages (default %(default)s)")


def _home() -> str:
    scheme = "https" if settings.SECURE_SSL_REDIRECT else "http"
    return f"{scheme}://{settings.ALLOWED_HOSTS[0] if settings.ALLOWED_HOSTS else 'localhost'}"


def _asked(options: dict[str, Any]) -> list[Role]:
    return [Role(name) for name in options["role"]]


def _line(user: User) -> str:
    roles = "everything" if user.is_superuser else ", ".join(sorted(roles_of(user, active=False))) or "no role"
    notes = [
        "" if has_second_factor(user) else "no second factor",
        "" if user.is_active else "closed",
        "sign-in closed after failures" if lockout.closed_until(lockout.key_of("name", user.username)) else "",
    ]
    return "  ".join([user.username, roles, *filter(None, notes)])


def _note(about: str, user: User, fields: list[str] | None = None) -> None:
    audit.note_by("command", audit.What.ACT, about=f"{about}: {user.username}", fields=fields or [])

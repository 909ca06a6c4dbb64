"""Several web processes on one database: together they allow no more tries than one would."""

from __future__ import annotations

import re
import urllib.parse
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from http.cookiejar import CookieJar

from league.staff.lockout import NAME_LIMIT
from tests.league.processes import League

TRIES = 14


class Visitor:
    """A browser with cookies, at a sign-in's form."""

    def __init__(self, site: str) -> None:
        self.address = f"{site}account/login/"
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
        found = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', self._ask(None))
        assert found
        self.token = found[1]

    def sign_in(self, name: str, password: str) -> str:
        form = {"login": name, "password": password, "csrfmiddlewaretoken": self.token}
        return self._ask(urllib.parse.urlencode(form).encode())

    def _ask(self, body: bytes | None) -> str:
        with self.opener.open(self.address, body, timeout=60) as answer:
            return str(answer.read().decode())


def test_P_many_tries_at_once_at_two_web_processes_are_five_at_most(league: League) -> None:
    sites = [league.start("serve", "--port", "0", until="serving")[1].split()[1] for _ in range(2)]
    visitors = [Visitor(sites[n % 2]) for n in range(TRIES)]
    with ThreadPoolExecutor(TRIES) as pool:
        pages = list(pool.map(lambda visitor: visitor.sign_in("novak", "wrong"), visitors))
    looked_at = [page for page in pages if "Jméno nebo heslo nesouhlasí" in page]
    closed = [page for page in pages if "uzavřeno do" in page]
    assert len(looked_at) + len(closed) == TRIES
    assert len(looked_at) <= NAME_LIMIT
    assert league.rows("SELECT max(failures) FROM staff_signincount") == [(NAME_LIMIT,)]
    assert league.rows("SELECT count(*) FROM staff_auditentry WHERE about = 'sign-in closed'") == [(1,)]

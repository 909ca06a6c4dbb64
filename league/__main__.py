"""``python -m league``: the management commands."""

import sys

from league.manage import main

main("python -m league", sys.argv[1:])

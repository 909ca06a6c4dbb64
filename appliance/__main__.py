"""``python -m appliance`` is the ``tableside`` command."""

import sys

from appliance.cli import main

sys.exit(main())

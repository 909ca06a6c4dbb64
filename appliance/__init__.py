"""Tableside's appliance: readers, screens, house rules and the road to the league."""

VERSION = "0.1.0"
"""The distribution's version, known without asking the packaging system: that costs a first frame 0.1 s."""

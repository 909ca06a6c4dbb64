"""Tableside's appliance: readers, screens, house rules and the road to the league."""

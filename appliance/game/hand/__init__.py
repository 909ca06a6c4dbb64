"""One hand of hold'em: cards and their ranking, betting, pots and showdown. As pure as the rest of the rules."""

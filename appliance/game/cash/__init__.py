"""Cash tables (C-1 to C-8): who sits, who waits, who owes a blind, and where the chips went."""

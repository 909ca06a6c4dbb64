"""Cash tables (RULES: cash, C-1 to C-12): who sits, who waits, who owes a blind, and where the chips went."""

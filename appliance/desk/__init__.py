"""The issuing desk: blank cards become participants' cards, and nothing else holds the keys that do it (DESIGN §7)."""

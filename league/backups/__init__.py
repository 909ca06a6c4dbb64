"""Backups of the league and, apart from them, of the store of persons' keys; and what a restore must see to."""

"""The central service: people, cards, rounds, ingest, standings and the public site."""

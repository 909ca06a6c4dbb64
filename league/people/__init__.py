"""Participants of the league, their consents and their cards."""

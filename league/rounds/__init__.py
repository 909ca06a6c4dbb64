"""Seasons, venues with their devices, and the rounds the league announces."""

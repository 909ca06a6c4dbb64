"""Simulated cards: the card's side of every conversation, for the demo and for tests."""

"""The rules of the house, pure: no I/O, no clock reads, no unseeded randomness.

Commands come in, `round.decide` answers with events or a refusal, and `round.fold` turns events into state.
"""

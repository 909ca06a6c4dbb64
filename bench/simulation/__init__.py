"""Whole evenings as a floor would run them, from a seed, and what must hold on every one of them.

Tests and benches stand on the same evenings: ``book`` gives commands and keeps what became of them, ``programme`` makes
announcements, ``manager`` runs the floor with ``incidents`` thrown in, ``anything`` gives commands that nobody would,
``promises`` looks at what happened, ``whole`` puts an evening together.
"""

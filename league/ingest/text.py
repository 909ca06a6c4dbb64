"""Words that came from outside, as a database takes them."""

from __future__ import annotations


def kept(text: str, limit: int) -> str:
    """At most ``limit`` characters, and a sign for each NUL, which PostgreSQL cannot hold."""
    return text[:limit].replace("\0", "\ufffd")

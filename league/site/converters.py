"""Ids in addresses."""


class RoundId:
    """A round's id, in the letters a stream name allows."""

    regex = "[A-Za-z0-9][A-Za-z0-9._-]{0,63}"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value

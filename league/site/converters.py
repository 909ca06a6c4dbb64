"""Ids in addresses."""


class _Id:
    """Stands in an address as it is."""

    regex = ""

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


class RoundId(_Id):
    """A round's id, in the letters a stream name allows."""

    regex = "[A-Za-z0-9][A-Za-z0-9._-]{0,63}"


class PlayerNumber(_Id):
    """A registration number."""

    regex = "[0-9]{1,12}"


class VenueId(_Id):
    """A venue's code."""

    regex = "[a-z0-9-]{1,32}"

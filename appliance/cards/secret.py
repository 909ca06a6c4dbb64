"""A key that tells itself to nobody: not to a log, an exception, a crash dump, a pickle or a debugger's line."""

from __future__ import annotations

import hmac
import secrets
from typing import NoReturn


class Secret:
    """Some bytes that must not be seen; immutable, compared in constant time.

    ``reveal()`` hands out the bytes. Call it only as an argument of the function that encrypts with them, never
    into a variable: a traceback may carry the variables of its frames.
    """

    __slots__ = ("__value",)
    __value: bytes

    def __init__(self, value: bytes) -> None:
        object.__setattr__(self, "_Secret__value", bytes(value))

    @classmethod
    def random(cls, length: int = 16) -> Secret:
        """A new secret from the system's random numbers."""
        return cls(secrets.token_bytes(length))

    @classmethod
    def from_hex(cls, text: str) -> Secret:
        """A secret from its hex form; ValueError without the text in it when that is no hex."""
        try:
            return cls(bytes.fromhex(text))
        except ValueError:
            pass
        del text  # a key with one letter wrong is still a key
        raise ValueError("a secret that is not hex")

    def reveal(self) -> bytes:
        """The bytes themselves."""
        return self.__value

    def __len__(self) -> int:
        return len(self.__value)

    def __eq__(self, other: object) -> bool:
        return hmac.compare_digest(self.__value, other.__value) if isinstance(other, Secret) else NotImplemented

    __hash__ = None  # type: ignore[assignment]  # a hash would be a value that depends on the secret

    def __repr__(self) -> str:
        return "Secret(***)"

    def __format__(self, _spec: str) -> str:
        return repr(self)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError("a secret does not change")

    def __copy__(self) -> Secret:
        return self

    def __deepcopy__(self, _memo: object) -> Secret:
        return self

    def __bytes__(self) -> NoReturn:
        raise TypeError("a secret is not bytes: reveal() it where it is used")

    def __getstate__(self) -> NoReturn:
        raise TypeError("a secret has no state to show")

    def __reduce_ex__(self, _protocol: object) -> NoReturn:
        raise TypeError("a secret is not pickled")

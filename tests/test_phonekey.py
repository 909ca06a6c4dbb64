"""A phone's key is on the network only sealed: for one director, and one session."""

from __future__ import annotations

import pytest
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from appliance.phonekey import BOX_BYTES, BadBox, seal, unseal

SESSION, KEY = "00000000000000a1", bytes(range(32))


def public(key: X25519PrivateKey) -> str:
    return key.public_key().public_bytes_raw().hex()


def test_only_the_director_it_is_sealed_to_reads_a_key() -> None:
    director, other = X25519PrivateKey.generate(), X25519PrivateKey.generate()
    box = seal(KEY, SESSION, public(director))
    assert len(box) == 2 * BOX_BYTES and KEY.hex() not in box
    assert unseal(box, SESSION, director) == KEY
    with pytest.raises(BadBox):
        unseal(box, SESSION, other)


def test_a_box_opens_for_no_other_session() -> None:
    director = X25519PrivateKey.generate()
    with pytest.raises(BadBox):
        unseal(seal(KEY, SESSION, public(director)), "00000000000000b2", director)


def test_no_two_boxes_are_alike() -> None:
    director = public(X25519PrivateKey.generate())
    assert seal(KEY, SESSION, director) != seal(KEY, SESSION, director)


@pytest.mark.parametrize("box", ["", "00", "zz", "00" * BOX_BYTES])
def test_what_is_no_box_is_told(box: str) -> None:
    with pytest.raises(BadBox):
        unseal(box, SESSION, X25519PrivateKey.generate())


@pytest.mark.parametrize("to", ["", "00", "zz" * 32, "00" * 32])
def test_what_is_no_directors_key_is_told(to: str) -> None:
    with pytest.raises(BadBox):
        seal(KEY, SESSION, to)

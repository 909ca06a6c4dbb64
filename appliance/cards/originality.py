"""The maker's signature of a card's UID: ECDSA over the curve secp128r1 (SEC 2), without hashing (NXP AN11350).

It says that NXP made a chip with this UID. A copy of another make does not have one for its own UID; one that says
another chip's UID and signature is found out by nothing but a card with keys. Ordinary integers are quick enough, and
no library at hand has the curve. Only public values are calculated with here, but for `sign`, which is for simulated
cards: it takes no care of its timing.
"""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

P = 0xFFFFFFFDFFFFFFFFFFFFFFFFFFFFFFFF
A = 0xFFFFFFFDFFFFFFFFFFFFFFFFFFFFFFFC
B = 0xE87579C11079F43DD824993C2CEE5ED3
N = 0xFFFFFFFE0000000075A30D1B9038A115
G = (0x161FF7528B899B2D0C28607CA52C5B86, 0xCF5AC8395BAFEB13C02DA292DDED7A83)
SIGNATURE_BYTES = 32

Point: TypeAlias = tuple[int, int]
_Jacobian: TypeAlias = tuple[int, int, int]
_INFINITY: _Jacobian = (1, 1, 0)


class BadKey(ValueError):
    """Bytes that are no point of the curve."""


class PublicKey(Struct, frozen=True):
    """A maker's public key, a point of the curve."""

    point: Point

    @classmethod
    def from_hex(cls, text: str) -> PublicKey:
        """From its uncompressed form, ``04`` and both coordinates; raises `BadKey`."""
        try:
            data = bytes.fromhex(text)
        except ValueError:
            raise BadKey("not hex") from None
        x, y = int.from_bytes(data[1:17]), int.from_bytes(data[17:])
        if len(data) != 33 or data[0] != 4 or x >= P or y >= P or (y * y - x * x * x - A * x - B) % P:
            raise BadKey("not a point of secp128r1")
        return cls((x, y))

    def to_hex(self) -> str:
        """As `from_hex` reads it."""
        return f"04{self.point[0]:032X}{self.point[1]:032X}"


NXP_NTAG21X = PublicKey.from_hex("04494E1A386D3D3CFE3DC10E5DE68A499B1C202DB5B132393E89ED19FE5BE8BC61")
"""NXP's key for NTAG210 to NTAG216 (AN11350)."""


def verify(key: PublicKey, uid: bytes, signature: bytes) -> bool:
    """Whether ``signature`` (r and s, 16 bytes each) is the key's signature of this UID."""
    r, s = int.from_bytes(signature[:16]), int.from_bytes(signature[16:])
    if len(signature) != SIGNATURE_BYTES or not 0 < r < N or not 0 < s < N:
        return False
    w = pow(s, -1, N)
    x = _x(_two_products(int.from_bytes(uid) * w % N, key.point, r * w % N))
    return x is not None and x % N == r


def public_key(private: int) -> PublicKey:
    """The public half of a simulated maker's key, 1 to `N` - 1."""
    if not 0 < private < N:
        raise BadKey("not a private key of secp128r1")
    return PublicKey(_affine(_two_products(private, G, 0)))


def sign(private: int, uid: bytes) -> bytes:
    """A simulated maker's signature of a UID, the same each time: chips have it written in once."""
    seed = 1
    while True:
        k = (private * 0x9E3779B97F4A7C15 + int.from_bytes(uid) * 0xD1B54A32D192ED03 + seed) % N
        if k:
            r = _affine(_two_products(k, G, 0))[0] % N
            s = pow(k, -1, N) * (int.from_bytes(uid) + r * private) % N
            if r and s:
                return r.to_bytes(16) + s.to_bytes(16)
        seed += 1


def _two_products(u: int, q: Point, v: int) -> _Jacobian:
    """``u`` times G and ``v`` times q, added: both at once (Shamir's trick)."""
    both = _affine_or_none(_add(_add(_INFINITY, G), q))
    total = _INFINITY
    for bit in range(max(u.bit_length(), v.bit_length()) - 1, -1, -1):
        total = _double(total)
        at_u, at_v = u >> bit & 1, v >> bit & 1
        if at_u and at_v:
            total = _add(total, both) if both else total
        elif at_u:
            total = _add(total, G)
        elif at_v:
            total = _add(total, q)
    return total


def _double(point: _Jacobian) -> _Jacobian:
    x, y, z = point
    if not z or not y:
        return _INFINITY
    yy = y * y % P
    s = 4 * x * yy % P
    zz = z * z % P
    m = 3 * (x - zz) * (x + zz) % P  # a is -3
    x3 = (m * m - 2 * s) % P
    return x3, (m * (s - x3) - 8 * yy * yy) % P, 2 * y * z % P


def _add(point: _Jacobian, other: Point) -> _Jacobian:
    x1, y1, z1 = point
    x2, y2 = other
    if not z1:
        return x2, y2, 1
    zz = z1 * z1 % P
    h = (x2 * zz - x1) % P
    r = (y2 * zz * z1 - y1) % P
    if not h:
        return _double(point) if not r else _INFINITY
    hh = h * h % P
    hhh = h * hh % P
    v = x1 * hh % P
    x3 = (r * r - hhh - 2 * v) % P
    return x3, (r * (v - x3) - y1 * hhh) % P, z1 * h % P


def _x(point: _Jacobian) -> int | None:
    found = _affine_or_none(point)
    return None if found is None else found[0]


def _affine_or_none(point: _Jacobian) -> Point | None:
    x, y, z = point
    if not z:
        return None
    inverse = pow(z, -1, P)
    square = inverse * inverse % P
    return x * square % P, y * square * inverse % P


def _affine(point: _Jacobian) -> Point:
    found = _affine_or_none(point)
    if found is None:
        raise BadKey("no point")
    return found

"""The device's key is made once and kept to its owner."""

import stat
import subprocess
import sys

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

from appliance.identity import IdentityError, load_or_make, load_or_make_opening, public_hex, public_key


def test_the_key_is_made_once_and_only_its_owner_reads_it(tmp_path):
    made = load_or_make(tmp_path / "device.key")
    assert public_hex(load_or_make(tmp_path / "device.key")) == public_hex(made)
    assert stat.S_IMODE((tmp_path / "device.key").stat().st_mode) == 0o600
    assert public_key(public_hex(made)).public_bytes_raw().hex() == public_hex(made)


@pytest.mark.parametrize(
    "content", [b"", b"garbage", b"-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"]
)
def test_a_file_that_is_no_key_is_an_error_and_stays(tmp_path, content):
    (tmp_path / "device.key").write_bytes(content)
    with pytest.raises(IdentityError, match=r"device\.key"):
        load_or_make(tmp_path / "device.key")
    assert (tmp_path / "device.key").read_bytes() == content


def test_the_key_that_opens_what_is_sealed_is_made_once_and_is_no_signing_key(tmp_path):
    path = tmp_path / "opening.key"
    made = load_or_make_opening(path)
    assert load_or_make_opening(path).private_bytes_raw() == made.private_bytes_raw()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    with pytest.raises(IdentityError, match="Ed25519"):
        load_or_make(path)
    load_or_make(tmp_path / "device.key")
    with pytest.raises(IdentityError, match="X25519"):
        load_or_make_opening(tmp_path / "device.key")


def test_keys_of_other_programs_are_read_too_and_those_made_here_are_read_as_the_library_reads_them(tmp_path):
    path = tmp_path / "device.key"
    made = load_or_make(path)
    theirs = serialization.load_pem_private_key(path.read_bytes(), None)
    assert theirs.private_bytes_raw() == made.private_bytes_raw() == load_or_make(path).private_bytes_raw()
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert load_or_make(path).private_bytes_raw() == made.private_bytes_raw()
    path.write_bytes(
        ec.generate_private_key(ec.SECP256R1()).private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
    )
    with pytest.raises(IdentityError, match="not an Ed25519 key"):
        load_or_make(path)


def test_a_kiosk_loads_none_of_what_reads_certificates_until_it_is_wanted():
    script = "import sys, appliance.apps.kiosk, appliance.apps.kiosk_screen, appliance.station; print(*sys.modules)"
    modules = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.split()
    assert "appliance.identity" in modules
    assert not {"cryptography.x509", "cryptography.hazmat.primitives.serialization"} & set(modules)

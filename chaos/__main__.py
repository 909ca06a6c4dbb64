"""``python -m chaos --seed N``: one evening in namespaces with everything let loose; 1 if a promise did not hold."""

from __future__ import annotations

import argparse
import random
import shutil
import subprocess
import sys
import tempfile
import time
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

from chaos.evening import Evening, Size
from chaos.nets import enter_own
from chaos.plan import Lan

LANS = {"secure": Lan(True, True), "open": Lan(True, False), "fixed": Lan(False, False)}
"""A broker with whoever directs, behind certificates or open to all; or one on a host of its own."""


def main(arguments: list[str]) -> int:
    """Run the evenings asked for; 1 if any of them broke a promise."""
    parser = argparse.ArgumentParser(prog="python -m chaos", description=__doc__)
    parser.add_argument("--seed", type=int, metavar="N", help="of the evening and its faults; default: any")
    parser.add_argument("--seeds", type=int, default=1, metavar="N", help="so many evenings, one seed after another")
    parser.add_argument("--players", type=int, default=90, metavar="N")
    parser.add_argument("--tables", type=int, default=10, metavar="N")
    parser.add_argument("--find", choices=LANS, help="how devices find each other; default: another way with each seed")
    parser.add_argument("--speed", type=int, default=30, metavar="N", help="evening seconds a second")
    parser.add_argument(
        "--rate", type=float, default=0.25, help="how many steps of the script have faults, from 0 to 1"
    )
    parser.add_argument("--minutes", type=float, default=20, help="an evening that takes longer has failed")
    parser.add_argument("--hasty", action="store_true", help="take over before the room has missed the director")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="keep logs and disks here, also of what went well")
    args = parser.parse_args(arguments)
    first = random.randrange(1 << 32) if args.seed is None else args.seed
    if args.seeds > 1:
        each = [sys.executable, "-m", "chaos", *arguments, "--seeds", "1", "--seed"]
        return max(
            [subprocess.run([*each, str(seed)], check=False).returncode for seed in range(first, first + args.seeds)]
        )
    enter_own("chaos", arguments)
    find = args.find or list(LANS)[first % len(LANS)]
    size = Size(args.players, args.tables, args.speed, args.rate, args.minutes, LANS[find], args.hasty)
    return _one(first, size, args.keep)


def _one(seed: int, size: Size, keep: Path | None) -> int:
    folder = Path(tempfile.mkdtemp(prefix=f"tableside-chaos-{seed}-")) if keep is None else keep.absolute() / str(seed)
    folder.mkdir(parents=True, exist_ok=True)
    begun = time.monotonic()
    evening = Evening(folder, seed, size, starts_at(datetime.now(ZoneInfo("Europe/Prague"))))
    broken = evening.run()
    took = time.monotonic() - begun
    for line in broken:
        print(f"broken: {line[:1500]}")
    kept = f"{len(broken)} promises broken" if broken else "all promises kept"
    print(f"seed {seed}: {evening.told}; {took:.0f} s; {kept}")
    if broken:
        print(f"seed {seed}: logs and disks are in {folder}", flush=True)
    elif keep is None:
        shutil.rmtree(folder)
    sys.stdout.flush()
    return 1 if broken else 0


def starts_at(now: datetime) -> str:
    """When tonight's round starts: soon, but never so that its allowances end in the middle of it, at six."""
    soon = now + timedelta(minutes=15)
    if now.hour < 6:
        soon = now.replace(hour=6, minute=0, second=0)
    return soon.isoformat(timespec="seconds")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

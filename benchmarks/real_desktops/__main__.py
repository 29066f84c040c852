"""Measure and print: `python -m benchmarks.real_desktops`."""

from __future__ import annotations

import argparse
import os
import platform
import sys

import drums
import drums.local
from benchmarks.real_desktops import memory, stock, through_api
from drums.local.machines.machine import MachineError
from drums.local.machines.runc import doctor, hold, setup
from drums.local.machines.runc.images import installed
from drums.local.machines.runc.layout import Layout
from drums.local.machines.runc.machine import adopt_orphans

FORK_SIZES = (1, 2, 4, 8)
MANY = 32


def main() -> int:
    """Read the command line, measure, print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.real_desktops")
    parser.add_argument(
        "--image", action="append", choices=sorted(through_api.CONTENTS), help="default: every built one"
    )
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--many", action="store_true", help=f"a fork of {MANY} as well")
    given = parser.parse_args()
    reason = doctor.why_not()
    if reason is not None:
        print(f"no real desktops here: {reason}", file=sys.stderr)
        return 1
    layout = Layout.from_environment()
    print(f"Linux {platform.release()}, {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}; milliseconds")
    for content in given.image or built(layout):
        of_stock(layout, content, given.rounds)
        of_ours(layout, content, given.rounds, (*FORK_SIZES, MANY) if given.many else FORK_SIZES)
    return 0


def of_ours(layout: Layout, content: str, rounds: int, sizes: tuple[int, ...]) -> None:
    """Measure one image through the API."""
    with drums.local.serving(machine="runc") as daemon, drums.connect(daemon.url, daemon.token) as client:
        figures = through_api.measure(client, content, rounds, sizes)
        env = through_api.CONTENTS[content][1](client, through_api.CONTENTS[content][0])
        share, taken = memory.child_mb(env, layout, 8)
        figures.notes.append(
            f"memory per child of 8: {share:.1f} MB of its own by PSS; the host had {taken:.1f} MB less for each"
        )
        figures.show(f"{content}, through the HTTP API")


def of_stock(layout: Layout, content: str, rounds: int) -> None:
    """Measure stock runc on the same image, without what is opened in it."""
    held = hold.take(layout)
    try:
        adopt_orphans()
        figures = stock.measure(setup.an_engine(layout), through_api.CONTENTS[content][0], max(2, rounds // 3))
        figures.show(f"{content} as it is after its start, by stock runc checkpoint and restore")
    except (MachineError, RuntimeError) as fault:
        print(f"stock runc could not be measured: {fault}", file=sys.stderr)
    finally:
        held.release()


def built(layout: Layout) -> list[str]:
    """The contents whose image is built."""
    there = {image.name for image in installed(layout)}
    return [content for content, (image, _) in through_api.CONTENTS.items() if image in there]


if __name__ == "__main__":
    raise SystemExit(main())

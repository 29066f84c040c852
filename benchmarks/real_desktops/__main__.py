"""Measure and print: `python -m benchmarks.real_desktops`."""

from __future__ import annotations

import argparse
import os
import platform
import sys
from typing import TYPE_CHECKING

import drums
import drums.local
from benchmarks.real_desktops import memory, stock, through_api
from drums.local.machines.machine import MachineError
from drums.local.machines.runc import doctor, hold, merging, setup
from drums.local.machines.runc.images import installed
from drums.local.machines.runc.layout import Layout
from drums.local.machines.runc.machine import adopt_orphans

if TYPE_CHECKING:
    from benchmarks.real_desktops.figures import Figures

FORK_SIZES = (1, 2, 4, 8)
LIGHT = "desktop"
MANY = 32
MERGED_S = 15.0
"""More than the kernel needs to have looked at all pages of eight children."""


def main() -> int:
    """Read the command line, measure, print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.real_desktops")
    parser.add_argument(
        "--image", action="append", choices=sorted(through_api.CONTENTS), help="default: every built one"
    )
    parser.add_argument("--rounds", type=int, default=10)
    given = parser.parse_args()
    reason = doctor.why_not()
    if reason is not None:
        print(f"no real desktops here: {reason}", file=sys.stderr)
        return 1
    layout = Layout.from_environment()
    print(f"Linux {platform.release()}, {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}; milliseconds")
    contents = given.image or built(layout)
    for content in contents:
        of_stock(layout, content, given.rounds)
        of_ours(layout, content, given.rounds)
    for content in contents:
        merged(layout, content)
    return 0


def of_ours(layout: Layout, content: str, rounds: int) -> None:
    """Measure one image through the API."""
    with drums.local.serving(machine="runc") as daemon, drums.connect(daemon.url, daemon.token) as client:
        figures = through_api.measure(client, content, rounds, FORK_SIZES)
        if content == LIGHT:
            many(figures, client)
        figures.notes.append(memory_of_children(layout, client, content, in_s=0))
        figures.show(f"{content}, through the HTTP API")


def many(figures: Figures, client: drums.Client) -> None:
    """Measure a large fork, where the kernel lets so many desktops watch files."""
    watchers = doctor.watches()
    if watchers.state != "ok":
        figures.notes.append(f"no fork of {MANY}: {watchers.seen}; {watchers.mend}")
        return
    with through_api.opened(client, LIGHT) as env:
        through_api.forks(figures, env, MANY, 3)


def merged(layout: Layout, content: str) -> None:
    """Measure what a child takes once the kernel has merged equal pages, in a daemon of its own."""
    if not merging.KSM.is_dir():
        print("this kernel can't merge pages")
        return
    os.environ["DRUMS_DESKTOPS_MERGE"] = "1"
    try:
        with drums.local.serving(machine="runc") as daemon, drums.connect(daemon.url, daemon.token) as client:
            print(f"\n{content}, pages merged: {memory_of_children(layout, client, content, in_s=MERGED_S)}")
    finally:
        del os.environ["DRUMS_DESKTOPS_MERGE"]


def memory_of_children(layout: Layout, client: drums.Client, content: str, in_s: float) -> str:
    """What one of eight children takes, in words."""
    with through_api.opened(client, content) as env:
        share, taken = memory.child_mb(env, layout, 8, in_s)
    when = f", {in_s:g} s after the fork" if in_s else ""
    return f"memory per child of 8{when}: {share:.1f} MB by PSS; the host had {taken:.1f} MB less for each"


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

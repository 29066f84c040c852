"""Prepares a host for real desktops: packages, CRIU, area, images. As root, on Debian and Ubuntu.

Invariant: idempotent; what is there already is left alone, and nothing outside the packages, the programs' prefix and
the state folder is changed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from drums.local.machines.machine import MachineError
from drums.local.machines.runc import area, hold, recipe
from drums.local.machines.runc.criu import Criu
from drums.local.machines.runc.engine import Engine
from drums.local.machines.runc.layout import Layout
from drums.local.machines.runc.setup import criu_source, host, image_build, packages, plan

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

DEFAULT_IMAGES = ("desktop",)


class HopelessError(MachineError):
    """Nothing that the set-up does could give this host real desktops."""


class AreaStep:
    """Have a btrfs area."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout

    def describe(self) -> str:
        """What it does."""
        return f"make a btrfs area at {self.layout.state}"

    def needed(self) -> bool:
        """Whether there is none."""
        return not area.is_there(self.layout) or not self.layout.state.is_dir()

    def execute(self) -> None:
        """Make it."""
        area.make(self.layout)


def main(
    image_names: Sequence[str] = DEFAULT_IMAGES, say: Callable[[str], None] = print, layout: Layout | None = None
) -> None:
    """Prepare the host and build the images named.

    Raises:
        HopelessError: It can't be done here; nothing was changed. The message says what to do.
        MachineError: A step did not work.
    """
    layout = layout or Layout.from_environment()
    refuse_where_hopeless(layout)
    recipes = [recipe.load(name) for name in image_names]
    plan.carry_out(
        [packages.Packages(packages.HOST_PACKAGES, "real desktops"), criu_source.Criu(), AreaStep(layout)], say
    )
    build_images(layout, recipes, say)
    say("ready: drums up --machine runc")


def build_images(layout: Layout, recipes: Sequence[recipe.Recipe], say: Callable[[str], None]) -> None:
    """Build the images that are missing or made of something else.

    Raises:
        MachineError: One could not be built, or a daemon uses the state folder.
    """
    steps = [image_build.ImageStep(an_engine(layout), wanted) for wanted in recipes]
    if not steps:
        return
    held = hold.take(layout)
    try:
        plan.carry_out(steps, say)
    finally:
        held.release()


def an_engine(layout: Layout) -> Engine:
    """An engine with this host's CRIU.

    Raises:
        MachineError: There is no CRIU that works.
    """
    program = criu_source.found()
    if program is None:
        raise MachineError("there is no CRIU that works on this kernel; run: drums setup")
    return Engine(layout, Criu(program, layout.tools))


def refuse_where_hopeless(layout: Layout) -> None:
    """Say what keeps this host from having real desktops, before anything is changed.

    Raises:
        HopelessError: Something does.
    """
    found = host.obstacles(layout.state)
    if found:
        raise HopelessError("this host can't have real desktops:\n" + "\n".join(f"  - {words}" for words in found))


def remove(layout: Layout | None = None, say: Callable[[str], None] = print) -> None:
    """Undo the set-up's state: end every desktop, delete states and images, unmount and delete the area.

    Raises:
        MachineError: A daemon uses it.
    """
    from drums.local.machines.runc import clearing  # noqa: PLC0415 - only needed here

    clearing.clear_all(layout or Layout.from_environment(), say)

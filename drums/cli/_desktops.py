"""`drums setup`, `drums doctor`, `drums image build|ls|rm`: preparing this host for real desktops.

It parses and prints; what is done is in `drums.local.machines.runc`. Invariant: `doctor` and `image ls` change nothing.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from drums.local.errors import DaemonError, HostUnsuitableError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Sequence

SETUP = (
    "Prepare this host for real desktops, as root: packages, CRIU, a btrfs area, an image. "
    "A second time changes nothing. Everything lies in one folder, /var/lib/drums or what DRUMS_DESKTOPS_DIR names. "
    f"The exit status is 0 when all is there, {HostUnsuitableError.status} when this host can't have real desktops "
    "(nothing was changed), 1 when a step failed."
)
REMOVE = "end every real desktop and delete states, images and the area; packages and CRIU stay"
COLUMN_GAP = 2


def add_desktops(commands: Any) -> None:
    """Add `setup`, `doctor` and `image` to the subcommands of a parser."""
    setup = commands.add_parser("setup", help="prepare this host for real desktops", description=SETUP)
    setup.add_argument("--image", action="append", metavar="NAME", help="build this one; may be repeated (desktop)")
    setup.add_argument("--remove", action="store_true", help=REMOVE)
    setup.set_defaults(act=told(_setup))
    doctor = commands.add_parser("doctor", help="tell what this host can do for real desktops, and how to mend it")
    doctor.set_defaults(act=told(_doctor))
    _add_image(commands.add_parser("image", help="build, list and remove the images of real desktops"))


def _add_image(image: argparse.ArgumentParser) -> None:
    commands = image.add_subparsers(required=True, metavar="command")
    build = commands.add_parser("build", help="build images from their recipes")
    build.add_argument("name", nargs="+", help="a recipe that comes with drums, or the path of a .toml")
    build.set_defaults(act=told(_build))
    listing = commands.add_parser("ls", help="list recipes and images")
    listing.set_defaults(act=told(_list))
    remove = commands.add_parser("rm", help="remove images")
    remove.add_argument("name", nargs="+")
    remove.set_defaults(act=told(_remove))


def told(act: Callable[[argparse.Namespace], int]) -> Callable[[argparse.Namespace], int]:
    """The command, with what goes wrong on the host told as the other commands tell it.

    Raises:
        HostUnsuitableError: This host can't have real desktops.
        DaemonError: Something else went wrong; the message says what to do.
    """

    def acting(parsed: argparse.Namespace) -> int:
        from drums.local.machines.machine import MachineError  # noqa: PLC0415 -- only these commands need it
        from drums.local.machines.runc.setup import HopelessError  # noqa: PLC0415 -- as above

        try:
            return act(parsed)
        except HopelessError as error:
            raise HostUnsuitableError(str(error)) from error
        except MachineError as error:
            raise DaemonError(str(error)) from error

    return acting


def _setup(parsed: argparse.Namespace) -> int:
    from drums.local.machines.runc import clearing, setup  # noqa: PLC0415 -- as above
    from drums.local.machines.runc.layout import Layout  # noqa: PLC0415 -- as above

    if parsed.remove:
        clearing.clear_all(Layout.from_environment(), _say)
    else:
        setup.main(parsed.image or setup.DEFAULT_IMAGES, _say)
    return 0


def _doctor(_parsed: argparse.Namespace) -> int:
    from drums.local.machines.runc import doctor  # noqa: PLC0415 -- as above

    rows = doctor.report()
    _table([("what", "state", "seen", "mend"), *((row.what, row.state, row.seen, row.mend) for row in rows)])
    return 1 if any(row.state == "missing" for row in rows) else 0


def _build(parsed: argparse.Namespace) -> int:
    from drums.local.machines.runc import recipe, setup  # noqa: PLC0415 -- as above
    from drums.local.machines.runc.layout import Layout  # noqa: PLC0415 -- as above

    setup.build_images(Layout.from_environment(), [recipe.load(name) for name in parsed.name], _say)
    return 0


def _list(_parsed: argparse.Namespace) -> int:
    from drums.local.machines.runc import images, recipe  # noqa: PLC0415 -- as above
    from drums.local.machines.runc.layout import Layout  # noqa: PLC0415 -- as above

    there = {image.name: image for image in images.installed(Layout.from_environment())}
    rows = [("name", "also called", "built on", "MB")]
    for name in sorted({*recipe.known(), *there}):
        image = there.get(name)
        aliases = image.aliases if image else recipe.load(name).aliases
        built_on, size = (image.release, str(image.size_bytes >> 20)) if image else ("-", "-")
        rows.append((name, " ".join(aliases), built_on, size))
    _table(rows)
    return 0


def _remove(parsed: argparse.Namespace) -> int:
    from drums.local.machines.runc import hold, images  # noqa: PLC0415 -- as above
    from drums.local.machines.runc.layout import Layout  # noqa: PLC0415 -- as above

    layout = Layout.from_environment()
    held = hold.take(layout)
    try:
        for name in parsed.name:
            images.remove(layout, name)
    finally:
        held.release()
    return 0


def _table(rows: Sequence[Sequence[str]]) -> None:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        cells = (cell.ljust(width + COLUMN_GAP) for cell, width in zip(row, widths, strict=True))
        _say("".join(cells).rstrip())


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()

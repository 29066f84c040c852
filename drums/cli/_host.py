"""`drums setup`, `drums doctor`, `drums image build|ls|rm`: preparing this host for real desktops.

It parses and prints; what is done is in `drums.local.machines.runc`. Invariant: `doctor` and `image ls` change nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import asdict
from typing import Annotated

import typer

from drums.cli._options import Json, examples
from drums.cli._output import Output, note
from drums.local.errors import DaemonError, HostUnsuitableError

Names = Annotated[list[str], typer.Argument(metavar="NAME", help="Names of images, one or more.")]
Recipes = Annotated[
    list[str], typer.Argument(metavar="NAME", help="Recipes that come with drums, or paths of .toml files.")
]


def register(app: typer.Typer) -> None:
    """Add `setup`, `doctor` and `image`."""
    app.command("setup", epilog=examples("sudo drums setup", "sudo drums setup --image desktop --image office"))(setup)
    app.command("doctor", epilog=examples("drums doctor", "drums doctor --json"))(doctor)
    image = typer.Typer(help="Build, list and remove the images of real desktops.", no_args_is_help=False)
    image.command("build", epilog=examples("sudo drums image build office"))(build)
    image.command("ls", epilog=examples("drums image ls", "drums image ls --json"))(listed)
    image.command("rm", epilog=examples("sudo drums image rm office"))(remove)
    app.add_typer(image, name="image", epilog=examples("drums image ls"))


def setup(
    image: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Build this one; may be repeated. Default: desktop.")
    ] = None,
    remove: Annotated[
        bool,
        typer.Option(
            "--remove",
            help="End every real desktop and delete states, images and the area; packages and CRIU stay.",
        ),
    ] = False,
    as_json: Json = False,
) -> None:
    """Prepare this host for real desktops.

    As root: packages, CRIU, a btrfs area, an image. A second time changes nothing. Everything lies in one folder,
    /var/lib/drums or what DRUMS_DESKTOPS_DIR names. The exit status is 0 when all is there, 69 when this host can't
    have real desktops (nothing was changed), 1 when a step failed.
    """
    from drums.local.machines.runc import clearing  # noqa: PLC0415 -- only these commands need it
    from drums.local.machines.runc import setup as making  # noqa: PLC0415 -- as above
    from drums.local.machines.runc.layout import Layout  # noqa: PLC0415 -- as above

    with _told():
        if remove:
            clearing.clear_all(Layout.from_environment(), _saying(as_json))
        else:
            making.main(image or making.DEFAULT_IMAGES, _saying(as_json))
    _list_as_json(as_json)


def doctor(as_json: Json = False) -> int:
    """Tell what this host can do for real desktops, and how to mend it."""
    from drums.local.machines.runc import doctor as examining  # noqa: PLC0415 -- as above

    with _told():
        rows = examining.report()
    out = Output(as_json)
    if as_json:
        out.document([asdict(row) for row in rows])
    else:
        out.table(("what", "state", "seen", "mend"), [(row.what, row.state, row.seen, row.mend) for row in rows])
    return 1 if any(row.state == "missing" for row in rows) else 0


def build(name: Recipes, as_json: Json = False) -> None:
    """Build images from their recipes."""
    from drums.local.machines.runc import recipe  # noqa: PLC0415 -- as above
    from drums.local.machines.runc import setup as making  # noqa: PLC0415 -- as above
    from drums.local.machines.runc.layout import Layout  # noqa: PLC0415 -- as above

    with _told():
        making.build_images(Layout.from_environment(), [recipe.load(one) for one in name], _saying(as_json))
    _list_as_json(as_json)


def listed(as_json: Json = False) -> None:
    """List recipes and images."""
    from drums.local.machines.runc import images, recipe  # noqa: PLC0415 -- as above
    from drums.local.machines.runc.layout import Layout  # noqa: PLC0415 -- as above

    with _told():
        there = {image.name: image for image in images.installed(Layout.from_environment())}
        names = sorted({*recipe.known(), *there})
        aliases = {name: there[name].aliases if name in there else recipe.load(name).aliases for name in names}
    out = Output(as_json)
    built = {name: (image.release, image.size_bytes) for name, image in there.items()}
    if as_json:
        absent = (None, None)
        out.document(
            [
                {"name": name, "aliases": list(aliases[name])}
                | dict(zip(("built_on", "bytes"), built.get(name, absent), strict=True))
                for name in names
            ]
        )
        return
    rows = [
        (name, " ".join(aliases[name]), *((built[name][0], built[name][1] >> 20) if name in built else ("-", "-")))
        for name in names
    ]
    out.table(("name", "also called", "built on", "MB"), rows)


def remove(name: Names, as_json: Json = False) -> None:
    """Remove images."""
    from drums.local.machines.runc import hold, images  # noqa: PLC0415 -- as above
    from drums.local.machines.runc.layout import Layout  # noqa: PLC0415 -- as above

    with _told():
        layout = Layout.from_environment()
        held = hold.take(layout)
        try:
            for one in name:
                images.remove(layout, one)
        finally:
            held.release()
    _list_as_json(as_json)


def _saying(as_json: bool) -> Callable[[str], None]:
    """Where the progress of a long command goes: to standard error where the answer is JSON."""
    return note if as_json else Output().line


def _list_as_json(as_json: bool) -> None:
    """What a command that changed the images answers with --json: the images that there are now."""
    if as_json:
        listed(as_json=True)


@contextmanager
def _told() -> Generator[None]:
    """What goes wrong on the host, told as the other commands tell it.

    Raises:
        HostUnsuitableError: This host can't have real desktops.
        DaemonError: Something else went wrong; the message says what to do.
    """
    from drums.local.machines.machine import MachineError  # noqa: PLC0415 -- as above
    from drums.local.machines.runc.setup import HopelessError  # noqa: PLC0415 -- as above

    try:
        yield
    except HopelessError as error:
        raise HostUnsuitableError(str(error)) from error
    except MachineError as error:
        raise DaemonError(str(error)) from error

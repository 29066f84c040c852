"""`drums up` and `drums down`: what they print, their exit status; and `python -m drums.local`, which has just these.

It wires nothing: `service.serve` runs a daemon here, `detach` in a process of its own; `flags` has the options.
Invariant: standard output holds what a shell may `eval`, or with --json one document, and nothing else; whatever can be
foreseen to go wrong is one message on standard error and the error's own status, 1 for nearly all.
"""

from __future__ import annotations

import argparse
import json
import logging
import shlex
import sys
from functools import partial
from typing import TYPE_CHECKING

from drums.local import detach, flags, needing_the_extra, serve
from drums.local.domain.limits import Limits
from drums.local.errors import DaemonError
from drums.local.faults import Faults
from drums.local.instance import default_state_dir, prepare_state_dir

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path
    from typing import Any

    from drums.local.flags import Flag
    from drums.local.service import Service

LOG_FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"
UP = (
    "Start a daemon on this machine. Once it listens, two lines that tell a shell where are printed; then it logs to "
    'standard error until Ctrl-C. With --detach it goes on in the background: eval "$(drums up --detach)".'
)
DOWN = "End the daemon that `drums up` started, and its desktops. Where none runs that is fine."


def main(arguments: Sequence[str] | None = None) -> int:
    """Run `up` or `down` with these arguments (None: the process's own) and give the exit status."""
    parser = argparse.ArgumentParser(prog="python -m drums.local", description="A Drums daemon on this machine.")
    commands = parser.add_subparsers(required=True, metavar="command")
    _add(commands.add_parser("up", help="start a daemon on this machine", description=UP), flags.UP, up)
    _add(commands.add_parser("down", help="end the daemon that `up` started", description=DOWN), flags.DOWN, down)
    parsed = parser.parse_args(arguments)
    try:
        act: Callable[[argparse.Namespace], int] = parsed.act
        return act(parsed)
    except DaemonError as error:
        _say(str(error))
        return error.status


def up(parsed: argparse.Namespace) -> int:
    """Start a daemon, with a value for each of `flags.UP`.

    Raises:
        DaemonError: It could not start, and why.
    """
    state_dir = prepare_state_dir(parsed.state_dir or default_state_dir())
    if parsed.detach:
        return _up_detached(parsed, state_dir)
    level = logging.DEBUG if parsed.verbose else logging.INFO
    logging.basicConfig(stream=sys.stderr, format=LOG_FORMAT, level=logging.WARNING)
    logging.getLogger("drums.local").setLevel(level)
    serve(_service(parsed, state_dir), partial(_tell_where, parsed))
    return 0


def down(parsed: argparse.Namespace) -> int:
    """End the daemon of a state directory, with a value for each of `flags.DOWN`.

    Raises:
        DaemonError: It still runs, and why.
    """
    state_dir = parsed.state_dir or default_state_dir()
    stopped = detach.stop(state_dir)
    if parsed.json:
        _document({"state_dir": str(state_dir), "pid": stopped.pid, "message": stopped.words})
    else:
        _print(f"{stopped.words}\n")
    return 0


def _add(parser: argparse.ArgumentParser, options: Iterable[Flag], act: Callable[[argparse.Namespace], int]) -> None:
    parser.set_defaults(act=act)
    for flag in options:
        told: dict[str, Any] = {"dest": flag.dest, "default": flag.initial, "help": flag.what.replace("%", "%%")}
        if flag.switch:
            parser.add_argument(flag.name, action="store_true", **told)
            continue
        if flag.default is not None:
            told["help"] += " (default: %(default)s)"
        if flag.repeated:
            told["action"] = "append"
        parser.add_argument(flag.name, type=_reader(flag), metavar=flag.metavar, choices=flag.choices or None, **told)


def _reader(flag: Flag) -> Callable[[str], Any]:
    """What reads a flag's value, with its reason for a refusal as argparse tells it."""

    def read(text: str) -> Any:
        try:
            return flag.type(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from error

    return read


def _up_detached(parsed: argparse.Namespace, state_dir: Path) -> int:
    """Start one in the background; where one already runs on that directory, tell where it is."""
    running = detach.running(state_dir)
    if running is None:
        given = [word for flag in flags.UP if flag.detached for word in flag.words(getattr(parsed, flag.dest))]
        _tell_where(parsed, detach.start(state_dir, given))
    else:
        pid, lines = running
        _say(
            f"a daemon already runs on {state_dir} (process {pid}), with the options it was started with; "
            "`drums down` ends it"
        )
        _tell_where(parsed, lines)
    return 0


def _tell_where(parsed: argparse.Namespace, lines: str) -> None:
    """Print the two lines that tell a shell where a daemon is, or the same as JSON."""
    if parsed.json:
        named = dict(word.split("=", 1) for word in shlex.split(lines) if "=" in word)
        _document({"url": named["DRUMS_URL"], "token_file": named["DRUMS_TOKEN_FILE"]})
    else:
        _print(lines)


def _document(value: object) -> None:
    _print(json.dumps(value, indent=2) + "\n")


def _print(lines: str) -> None:
    sys.stdout.write(lines)
    sys.stdout.flush()


def _say(message: str) -> None:
    sys.stderr.write(f"drums: {message}\n")


def _service(parsed: argparse.Namespace, state_dir: Path) -> Service:
    with needing_the_extra():
        from drums.local.daemon import Options  # noqa: PLC0415 -- needs the extra
        from drums.local.domain.metrics import Price  # noqa: PLC0415 -- as above
        from drums.local.osworld import TaskSources  # noqa: PLC0415 -- as above
        from drums.local.service import Service  # noqa: PLC0415 -- as above

    options = Options(
        machine=parsed.machine,
        limits=Limits(**{flag.limit: getattr(parsed, flag.dest) for flag in flags.UP if flag.limit}),
        price=Price(parsed.price_per_hour),
        faults=Faults.parse(*parsed.fault),
        emulate=parsed.emulate,
        tasks=TaskSources(
            osworld=parsed.osworld or TaskSources.from_environment().osworld,
            packs=tuple(parsed.tasks),
            cache=parsed.osworld_cache,
            allow_downloads=parsed.allow_downloads,
        ),
    )
    return Service(parsed.host, parsed.port, state_dir, parsed.token_file, options)

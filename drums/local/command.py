"""`drums up` and `drums down`: their arguments, what they print, their exit status.

It wires nothing: `service.serve` runs a daemon here, `detach` in a process of its own.
Invariant: standard output holds what a shell may `eval` and nothing else; whatever can be foreseen to go wrong is one
message on standard error and the error's own status, 1 for nearly all.
"""

from __future__ import annotations

import argparse
import logging
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from drums.local import detach, needing_the_extra, serve
from drums.local.domain.limits import Limits
from drums.local.emulation import VERSIONS
from drums.local.errors import DaemonError
from drums.local.faults import FORMS, BadFault, Faults
from drums.local.instance import DEFAULT_HOST, DEFAULT_PORT, default_state_dir, prepare_state_dir
from drums.local.machines.registry import AUTO, MACHINES

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from drums.local.service import Service

LOG_FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"


@dataclass(frozen=True, slots=True)
class _LimitFlag:
    """A flag that sets one of `Limits`."""

    flag: str
    field: str
    type: Callable[[str], float]
    what: str


def _count(text: str) -> int:
    number = int(text)
    if number < 1:
        message = "must be at least 1"
        raise argparse.ArgumentTypeError(message)
    return number


def _number(text: str) -> float:
    number = float(text)
    if not 0 <= number < float("inf"):
        message = "must be a number, 0 or more"
        raise argparse.ArgumentTypeError(message)
    return number


LIMIT_FLAGS = (
    _LimitFlag("--max-slots", "max_slots", _count, "desktops that live at once"),
    _LimitFlag("--max-states", "max_states", _count, "saved states that are kept at once"),
    _LimitFlag("--max-fork", "fork", _count, "children of one fork"),
    _LimitFlag("--prefork-max-age", "prefork_max_age_s", _number, "seconds that a prepared fork waits to be claimed"),
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run `up` or `down` with these arguments (None: the process's own) and give the exit status."""
    parser = argparse.ArgumentParser(prog="python -m drums.local", description="A Drums daemon on this machine.")
    add_commands(parser.add_subparsers(required=True, metavar="command"))
    return run(parser.parse_args(arguments))


def run(parsed: argparse.Namespace) -> int:
    """Do what was parsed and give the exit status."""
    act: Callable[[argparse.Namespace], int] = parsed.act
    try:
        return act(parsed)
    except DaemonError as error:
        _say(str(error))
        return error.status


def add_commands(commands: Any) -> None:
    """Add `up` and `down` to the subcommands of a parser."""
    up = commands.add_parser("up", help="start a daemon on this machine", description=UP)
    up.set_defaults(act=_up)
    _add_state_dir(up)
    _add_place(up)
    _add_nature(up)
    down = commands.add_parser("down", help="end the daemon that `drums up` started", description=DOWN)
    down.set_defaults(act=_down)
    _add_state_dir(down)


UP = (
    "Start a daemon on this machine. Once it listens, two lines that tell a shell where are printed; then it logs to "
    'standard error until Ctrl-C. With --detach it goes on in the background: eval "$(drums up --detach)".'
)
DOWN = "End the daemon that `drums up` started, and its desktops. Where none runs that is fine."


def _add_state_dir(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--state-dir",
        type=Path,
        metavar="DIR",
        help="where its records, token and log are; one daemon each (default: %(default)s)",
        default=default_state_dir(),
    )


def _add_place(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--host", default=DEFAULT_HOST, help="a loopback address (default: %(default)s)")
    parser.add_argument("--port", type=int, default=DEFAULT_PORT, help="0 takes a free one (default: %(default)s)")
    parser.add_argument("--token-file", type=Path, metavar="FILE", help="made at the first start (default: in DIR)")
    parser.add_argument("--detach", action="store_true", help="return once it listens; the daemon goes on")
    parser.add_argument("--verbose", action="store_true", help="log reading requests too")


def _add_nature(parser: argparse.ArgumentParser) -> None:
    machines = "; ".join(f"{kind.name}: {kind.what}" for kind in MACHINES)
    parser.add_argument(
        "--machine",
        choices=(AUTO, *(kind.name for kind in MACHINES)),
        default=AUTO,
        help=f"what runs the desktops (default: %(default)s, the first that can be used here). {machines}",
    )
    limits = Limits()
    for limit in LIMIT_FLAGS:
        parser.add_argument(
            limit.flag,
            type=limit.type,
            dest=limit.field,
            default=getattr(limits, limit.field),
            metavar="N",
            help=f"{limit.what} (%(default)s)",
        )
    parser.add_argument("--price-per-hour", type=_number, metavar="USD", help="what this host costs, for the metrics")
    parser.add_argument("--emulate", choices=tuple(VERSIONS), help="be an older daemon, for tests of clients")
    forms = ", ".join(form for form, _, _ in FORMS)
    parser.add_argument(
        "--fault", action="append", default=[], metavar="SPEC", type=_fault, help=f"let something go wrong: {forms}"
    )


def _fault(text: str) -> str:
    try:
        Faults.parse(text)
    except BadFault as error:
        raise argparse.ArgumentTypeError(str(error)) from error
    return text


def _up(parsed: argparse.Namespace) -> int:
    state_dir = prepare_state_dir(parsed.state_dir)
    if parsed.detach:
        return _up_detached(parsed, state_dir)
    level = logging.DEBUG if parsed.verbose else logging.INFO
    logging.basicConfig(stream=sys.stderr, format=LOG_FORMAT, level=logging.WARNING)
    logging.getLogger("drums.local").setLevel(level)
    serve(_service(parsed, state_dir), _print)
    return 0


def _up_detached(parsed: argparse.Namespace, state_dir: Path) -> int:
    """Start one in the background; where one already runs on that directory, tell where it is."""
    running = detach.running(state_dir)
    if running is None:
        _print(detach.start(state_dir, _as_arguments(parsed, state_dir)))
    else:
        pid, lines = running
        _say(
            f"a daemon already runs on {state_dir} (process {pid}), with the options it was started with; "
            "`drums down` ends it"
        )
        _print(lines)
    return 0


def _down(parsed: argparse.Namespace) -> int:
    _print(detach.stop(parsed.state_dir.expanduser().absolute()) + "\n")
    return 0


def _print(lines: str) -> None:
    sys.stdout.write(lines)
    sys.stdout.flush()


def _say(message: str) -> None:
    sys.stderr.write(f"drums: {message}\n")


def _service(parsed: argparse.Namespace, state_dir: Path) -> Service:
    with needing_the_extra():
        from drums.local.daemon import Options  # noqa: PLC0415 -- needs the extra
        from drums.local.domain.metrics import Price  # noqa: PLC0415 -- as above
        from drums.local.service import Service  # noqa: PLC0415 -- as above

    options = Options(
        machine=parsed.machine,
        limits=Limits(**{limit.field: getattr(parsed, limit.field) for limit in LIMIT_FLAGS}),
        price=Price(parsed.price_per_hour),
        faults=Faults.parse(*parsed.fault),
        emulate=parsed.emulate,
    )
    return Service(parsed.host, parsed.port, state_dir, parsed.token_file, options)


def _as_arguments(parsed: argparse.Namespace, state_dir: Path) -> list[str]:
    """The arguments of an `up` that does the same in the foreground, wherever it is run."""
    token_file = parsed.token_file and parsed.token_file.expanduser().absolute()
    given: dict[str, object] = {
        "--state-dir": state_dir,
        "--host": parsed.host,
        "--port": parsed.port,
        "--token-file": token_file,
        "--machine": parsed.machine,
        "--price-per-hour": parsed.price_per_hour,
        "--emulate": parsed.emulate,
        **{limit.flag: getattr(parsed, limit.field) for limit in LIMIT_FLAGS},
    }
    arguments = [f"{flag}={value}" for flag, value in given.items() if value is not None]
    arguments += [f"--fault={text}" for text in parsed.fault]
    return [*arguments, "--verbose"] if parsed.verbose else arguments

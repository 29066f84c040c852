"""The options of `up` and `down`, each once: for two parsers and for the daemon in the background.

`python -m drums.local` and the `drums` command read them from here, and `drums up --detach` hands them on. This parses
no command line and starts nothing. Invariant: a `default` is what its `type` would give, or None: not given.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from drums.local.domain.limits import Limits
from drums.local.emulation import VERSIONS
from drums.local.faults import FORMS, BadFault, Faults
from drums.local.instance import DEFAULT_HOST, DEFAULT_PORT
from drums.local.machines.registry import AUTO, MACHINES

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True, slots=True)
class Flag:
    """One option."""

    name: str
    """As it is typed: `--state-dir`."""
    what: str
    """What it is for, in a few words."""
    type: Callable[[str], Any] = str
    """Reads a value; a ValueError says what is wrong with it."""
    default: Any = None
    metavar: str | None = None
    choices: tuple[str, ...] = ()
    repeated: bool = False
    """Whether it may be given several times; its value is then a list."""
    switch: bool = False
    """Whether it takes no value; its value is then a bool."""
    detached: bool = True
    """Whether a daemon that goes on in the background gets it too."""
    limit: str | None = None
    """The field of `Limits` that it sets."""

    @property
    def dest(self) -> str:
        """The name that its value has."""
        return self.limit or self.name.removeprefix("--").replace("-", "_")

    @property
    def initial(self) -> Any:
        """The value where it is not given."""
        return [] if self.repeated and self.default is None else self.default

    def words(self, value: Any) -> list[str]:
        """The words of a command line that give it this value."""
        if self.switch:
            return [self.name] if value else []
        values: list[Any] = value if self.repeated else [value]
        return [f"{self.name}={one}" for one in values if one is not None]


def _count(text: str) -> int:
    number = int(text)
    if number < 1:
        message = "must be at least 1"
        raise ValueError(message)
    return number


def _number(text: str) -> float:
    number = float(text)
    if not 0 <= number < float("inf"):
        message = "must be a number, 0 or more"
        raise ValueError(message)
    return number


def _fault(text: str) -> str:
    try:
        Faults.parse(text)
    except BadFault as error:
        raise ValueError(str(error)) from error
    return text


def _path(text: str) -> Path:
    return Path(text).expanduser().absolute()


_LIMITS = Limits()

STATE_DIR = Flag(
    "--state-dir",
    "where its records, token and log are; one daemon each (default: $XDG_STATE_HOME/drums, else ~/.local/state/drums)",
    type=_path,
    metavar="DIR",
)
JSON = Flag("--json", "print one JSON document and nothing else", switch=True, default=False, detached=False)
PLACE = (
    Flag("--host", "a loopback address", default=DEFAULT_HOST, metavar="HOST"),
    Flag("--port", "0 takes a free one", type=int, default=DEFAULT_PORT, metavar="PORT"),
    Flag("--token-file", "made at the first start (default: in the state directory)", type=_path, metavar="FILE"),
    Flag("--detach", "return once it listens; the daemon goes on", switch=True, default=False, detached=False),
    Flag("--verbose", "log reading requests too", switch=True, default=False),
)
NATURE = (
    Flag(
        "--machine",
        "what runs the desktops; auto takes the first that can be used here. "
        + "; ".join(f"{kind.name}: {kind.what}" for kind in MACHINES),
        default=AUTO,
        choices=(AUTO, *(kind.name for kind in MACHINES)),
    ),
    Flag("--max-slots", "desktops that live at once", _count, _LIMITS.max_slots, "N", limit="max_slots"),
    Flag("--max-states", "saved states that are kept at once", _count, _LIMITS.max_states, "N", limit="max_states"),
    Flag("--max-fork", "children of one fork", _count, _LIMITS.fork, "N", limit="fork"),
    Flag(
        "--prefork-max-age",
        "seconds that a prepared fork waits to be claimed",
        _number,
        _LIMITS.prefork_max_age_s,
        "N",
        limit="prefork_max_age_s",
    ),
    Flag("--price-per-hour", "what this host costs, for the metrics", type=_number, metavar="USD"),
    Flag("--emulate", "be an older daemon, for tests of clients", choices=tuple(VERSIONS)),
    Flag(
        "--fault",
        f"let something go wrong: {', '.join(form for form, _, _ in FORMS)}",
        type=_fault,
        metavar="SPEC",
        repeated=True,
    ),
)
TASKS = (
    Flag("--osworld", "a checkout of OSWorld, for its tasks (default: $DRUMS_OSWORLD)", type=_path, metavar="DIR"),
    Flag("--tasks", "a folder of tasks, laid out <domain>/<id>.json", type=_path, metavar="DIR", repeated=True),
    Flag("--allow-downloads", "fetch the files that tasks name by URL, over https", switch=True, default=False),
    Flag(
        "--osworld-cache",
        "where those files are kept (default: $DRUMS_OSWORLD_CACHE, else ~/.cache/drums/osworld)",
        type=_path,
        metavar="DIR",
    ),
)
UP = (STATE_DIR, *PLACE, *NATURE, *TASKS, JSON)
DOWN = (STATE_DIR, JSON)

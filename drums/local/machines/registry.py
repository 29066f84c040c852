"""The machines there are, in the order in which `auto` prefers them, and why one can't be used here.

It starts nothing and imports a machine only when that one is made.
Invariant: a machine that says it can't be used here is never chosen by `auto`, and named by hand it is refused with its
own reason.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from drums.local.errors import MachineUnavailableError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from drums.local.faults import Faults
    from drums.local.machines.machine import Machine

AUTO = "auto"


@dataclass(frozen=True, slots=True)
class Making:
    """What a machine is made with."""

    faults: Faults
    alive_gate_s: float | None = None
    """Seconds after a desktop came up at which its processes are looked at again; None: the machine's own default."""


@dataclass(frozen=True, slots=True)
class Kind:
    """One machine."""

    name: str
    what: str
    """For the help text."""
    why_not: Callable[[], str | None]
    """Why it can't be used on this host; None where it can."""
    make: Callable[[Making], Machine]


@dataclass(frozen=True, slots=True)
class Choice:
    """A machine that can be used here, and why it is this one."""

    kind: Kind
    why: str


def chosen(name: str, kinds: Sequence[Kind] | None = None) -> Choice:
    """The machine of that name, or for `auto` the first that can be used here.

    Raises:
        MachineUnavailableError: There is none of that name, or it can't be used here.
    """
    kinds = MACHINES if kinds is None else kinds
    passed_over: list[str] = []
    for kind in kinds:
        if name not in {AUTO, kind.name}:
            continue
        reason = kind.why_not()
        if reason is None:
            return Choice(kind, _why(name, passed_over))
        passed_over.append(f"{kind.name} can't be used here: {reason}")
    if not passed_over:
        message = f"there is no machine {name}; known are {AUTO}, {', '.join(kind.name for kind in kinds)}"
        raise MachineUnavailableError(message)
    message = f"{'; '.join(passed_over)}. Leave --machine away to get what can"
    raise MachineUnavailableError(message)


def _why(name: str, passed_over: Sequence[str]) -> str:
    return "as asked" if name != AUTO else "; ".join(passed_over) or "it is the best there is"


def _runc_missing() -> str | None:
    from drums.local.machines.runc import doctor  # noqa: PLC0415 -- looks at the host, which only `up` needs

    return doctor.why_not()


def _make_runc(making: Making) -> Machine:
    from drums.local.machines.machine import MachineError  # noqa: PLC0415
    from drums.local.machines.runc import made  # noqa: PLC0415 -- loads what drives containers

    options = {} if making.alive_gate_s is None else {"alive_gate_s": making.alive_gate_s}
    try:
        return made.machine(making.faults, **options)
    except MachineError as error:
        raise MachineUnavailableError(str(error)) from error


def _make_sim(making: Making) -> Machine:
    from drums.local.machines.sim import SimMachine  # noqa: PLC0415 -- loads the image library and the shell

    options = {} if making.alive_gate_s is None else {"alive_gate_s": making.alive_gate_s}
    return SimMachine(making.faults, **options)


MACHINES: tuple[Kind, ...] = (
    Kind("runc", "real desktops in containers, with live forks", _runc_missing, _make_runc),
    Kind("sim", "simulated desktops in memory, on any system", lambda: None, _make_sim),
)

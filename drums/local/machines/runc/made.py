"""Makes the machine as this host and the environment say.

`DRUMS_DESKTOPS_DIR` names the state folder, `DRUMS_DESKTOPS_LIMITS` what a desktop may use
(`memory=4G,pids=1024,cpus=2,disk=2G`, each optional), `DRUMS_DESKTOPS_MERGE=1` lets the kernel merge equal pages.
Invariant: a setting that can't be read is an error, not a default.
"""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING

from drums.local.machines.machine import MachineError
from drums.local.machines.runc.cgroups import Limits
from drums.local.machines.runc.layout import Layout
from drums.local.machines.runc.machine import ALIVE_GATE_S, RuncMachine
from drums.local.machines.runc.setup import an_engine

if TYPE_CHECKING:
    from drums.local.faults import Faults

UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


def machine(faults: Faults | None = None, alive_gate_s: float = ALIVE_GATE_S) -> RuncMachine:
    """The machine `runc` of this host.

    Raises:
        MachineError: There is no CRIU, or a setting can't be read.
    """
    layout = Layout.from_environment()
    criu = an_engine(layout).criu
    limits = limits_of(os.environ.get("DRUMS_DESKTOPS_LIMITS", ""))
    merge_pages = os.environ.get("DRUMS_DESKTOPS_MERGE", "0") == "1"
    return RuncMachine(criu, layout, limits=limits, faults=faults, alive_gate_s=alive_gate_s, merge_pages=merge_pages)


def limits_of(text: str) -> Limits:
    """The limits that a text names, the others as they are by default.

    Raises:
        MachineError: It names something else.
    """
    limits = Limits()
    for part in filter(None, text.split(",")):
        name, _, value = part.partition("=")
        try:
            match name.strip():
                case "memory":
                    limits = replace(limits, memory_bytes=size(value))
                case "disk":
                    limits = replace(limits, disk_bytes=size(value))
                case "pids":
                    limits = replace(limits, pids=int(value))
                case "cpus":
                    limits = replace(limits, cpus=float(value))
                case _:
                    raise ValueError(name)
        except ValueError:
            message = f"DRUMS_DESKTOPS_LIMITS: {part!r} can't be read; write memory=4G,pids=1024,cpus=2,disk=2G"
            raise MachineError(message) from None
    return limits


def size(text: str) -> int:
    """A size in bytes from `512M`, `4G` or a bare number."""
    text = text.strip()
    unit = UNITS.get(text[-1:].upper())
    return int(text) if unit is None else int(float(text[:-1]) * unit)

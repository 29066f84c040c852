"""After a start: what an earlier daemon left. What is whole is kept, everything else is removed.

Wholeness is told by the records alone, which are written last and removed first. Invariant: afterwards every process,
cgroup, disk and folder below the state folder belongs to a desktop, a state or an image that has its record.
"""

from __future__ import annotations

import contextlib
import logging
import shutil
from typing import TYPE_CHECKING

from drums.local.machines.machine import GuestError
from drums.local.machines.runc import cgroups, facts, guest, tree

if TYPE_CHECKING:
    from pathlib import Path

    from drums.local.machines.runc.engine import Engine
    from drums.local.machines.runc.facts import DesktopFacts, StateFacts

log: logging.Logger = logging.getLogger("drums.local.runc")

CAPTURE_PREFIX = "capture."
FINISH_S = 10.0
"""A capture that goes on without its daemon ends by itself; killing it is the last resort."""


def recover(engine: Engine) -> tuple[dict[str, DesktopFacts], dict[str, StateFacts]]:
    """Remove what is half made and give what still works: desktops by slot, states by id."""
    end_captures(engine)
    states = whole_states(engine)
    desktops = whole_desktops(engine)
    for name in cgroups.names_below(engine.layout.key) - desktops.keys():
        cgroups.Cgroup(engine.layout.key, name).remove()
    clear(engine.layout.private_tmp)
    return desktops, states


def end_captures(engine: Engine) -> None:
    """Let the captures end that were under way when the earlier daemon was killed."""
    for name in cgroups.names_below(engine.layout.key):
        if name.startswith(CAPTURE_PREFIX):
            cgroup = cgroups.Cgroup(engine.layout.key, name)
            cgroup.wait_empty(FINISH_S)
            cgroup.remove()


def whole_states(engine: Engine) -> dict[str, StateFacts]:
    """The saved states that have record, disk and memory; the others are deleted."""
    found: dict[str, StateFacts] = {}
    for name in names_in(engine.layout.saved, engine.layout.saved_disks):
        paths = engine.layout.saved_state(name)
        record = facts.read_state(paths.facts)
        if record is not None and paths.disk.is_dir() and engine.layout.image(record.image).usr.is_dir():
            found[name] = record
        else:
            log.warning("state %s is half made: removed", name)
            engine.delete(paths)
    return found


def whole_desktops(engine: Engine) -> dict[str, DesktopFacts]:
    """The desktops that run and answer; the others are ended."""
    found: dict[str, DesktopFacts] = {}
    for name in names_in(engine.layout.desktops, engine.layout.disks):
        record = facts.read_desktop(engine.layout.desktop(name).facts)
        if record is not None and works(engine, record):
            found[name] = record
        else:
            log.warning("desktop %s is half made or has ended: removed", name)
            engine.end(name)
    return found


def works(engine: Engine, record: DesktopFacts) -> bool:
    """Whether a desktop is still the one of the record, and answers."""
    if record.boot != tree.boot_id() or not tree.is_same(record.init, record.started):
        return False
    try:
        guest.ask(engine.layout.desktop(record.slot).disk, "ping")
    except GuestError:
        return False
    return True


def names_in(*folders: Path) -> set[str]:
    """The names of what lies in the folders."""
    return {entry.name for folder in folders if folder.is_dir() for entry in folder.iterdir()}


def clear(folder: Path) -> None:
    """Remove what a killed CRIU left in its temporary folder."""
    for entry in folder.iterdir():
        if entry.is_dir():
            with contextlib.suppress(OSError):
                entry.rmdir()
                continue
            shutil.rmtree(entry, ignore_errors=True)
        else:
            entry.unlink(missing_ok=True)

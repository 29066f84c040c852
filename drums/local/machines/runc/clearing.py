"""Removes all that the real desktops have on this host but packages and CRIU.

Invariant: when it returns no process, cgroup, mount, loop device or file below the state folder is left.
"""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

from drums.local.machines.runc import area, cgroups, hold, images, recovery

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from drums.local.machines.runc.layout import Layout


def clear_all(layout: Layout, say: Callable[[str], None]) -> None:
    """End every desktop, delete states and images, unmount and delete the area.

    Raises:
        MachineError: A daemon uses it.
    """
    if not layout.state.is_dir() or not area.is_there(layout):
        say(f"nothing at {layout.state}")
        return
    held = hold.take(layout)
    try:
        end_all(layout)
        area.unmount(layout)
    finally:
        held.release()
    for path in (layout.area_file, layout.lock):
        path.unlink(missing_ok=True)
    for folder in (layout.tools, layout.live, layout.area):
        shutil.rmtree(folder, ignore_errors=True)
    say(f"removed what was at {layout.state}")


def end_all(layout: Layout) -> None:
    """End every desktop and delete what lies in the area."""
    from drums.local.machines.runc.criu import Criu  # noqa: PLC0415
    from drums.local.machines.runc.engine import Engine  # noqa: PLC0415

    engine = Engine(layout, Criu("criu", layout.tools))
    for name in cgroups.names_below(layout.key):
        cgroups.Cgroup(layout.key, name).remove()
    cgroups.remove_parent(layout.key)
    for name in recovery.names_in(layout.desktops, layout.disks):
        engine.end(name)
    for name in recovery.names_in(layout.saved, layout.saved_disks):
        engine.delete(layout.saved_state(name))
    for name in names_of(layout.images):
        images.remove(layout, name)


def names_of(folder: Path) -> list[str]:
    """What lies in a folder."""
    return [entry.name for entry in folder.iterdir()] if folder.is_dir() else []

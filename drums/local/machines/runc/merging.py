"""Letting the kernel merge equal pages of the desktops (KSM). An option, since its switch is the whole machine's.

The switch's earlier position is written down before it is turned, so that it can be turned back after a kill too.
Invariant: once a daemon of this state folder has ended in order, the switch is where it was.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from drums.local.machines.machine import MachineError

if TYPE_CHECKING:
    from drums.local.machines.runc.layout import Layout

KSM = Path("/sys/kernel/mm/ksm")
SETTINGS = {"pages_to_scan": "4000", "sleep_millisecs": "20", "run": "1"}
"""About a tenth of a core while there is something new; merged within four seconds."""


def begin(layout: Layout) -> None:
    """Turn merging on.

    Raises:
        MachineError: The kernel can't.
    """
    if not KSM.is_dir():
        raise MachineError("this kernel can't merge pages (no /sys/kernel/mm/ksm): leave DRUMS_DESKTOPS_MERGE away")
    end(layout)
    earlier = {name: (KSM / name).read_text().strip() for name in SETTINGS}
    layout.merging.write_text(json.dumps(earlier))
    for name, value in SETTINGS.items():
        (KSM / name).write_text(value)


def end(layout: Layout) -> None:
    """Turn the switch back to where it was; if nothing was turned that is fine."""
    try:
        earlier = dict(json.loads(layout.merging.read_text()))
    except FileNotFoundError:
        return
    for name, value in earlier.items():
        (KSM / name).write_text(str(value))
    layout.merging.unlink()

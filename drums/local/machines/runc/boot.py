"""Brings an installed image's first desktop up with runc and captures it; every `create` restores that state.

Invariant: what it starts is ended before it returns, also when it fails.
"""

from __future__ import annotations

import contextlib
import logging
import os
import time
from typing import TYPE_CHECKING

from drums.local.machines.machine import GuestError, MachineError
from drums.local.machines.runc import btrfs, bundle, commands, facts, guest, home, pstree, tree
from drums.local.machines.runc.engine import checked, give_to_user, size_of, windows_of

if TYPE_CHECKING:
    from pathlib import Path

    from drums.local.machines.runc.engine import Engine
    from drums.local.machines.runc.facts import StateFacts
    from drums.local.machines.runc.layout import DesktopPaths

log: logging.Logger = logging.getLogger("drums.local.runc")

BOOT_S = 120.0
RUNC_S = 60.0
STILL_S = 2.0
"""No process may have started for so long before the first desktop is captured."""
POLL_S = 0.05
LOG_IN_DESKTOP = "run/agent/log"


def boot(engine: Engine, image: str) -> StateFacts:
    """Start, capture and end an image's first desktop.

    Raises:
        MachineError: It did not come up, or could not be captured.
    """
    slot = f"boot.{checked(image)}"
    target = engine.layout.booted(image)
    engine.end(slot)
    engine.delete(target)
    log.info("boot %s started", image)
    try:
        init, session = start(engine, image, slot)
        saved = capture(engine, image, slot, init, session)
    except BaseException:
        engine.delete(target)
        raise
    finally:
        stop(engine, slot)
    log.info("boot %s done: %d MB", image, saved.size_bytes >> 20)
    return saved


def start(engine: Engine, image: str, slot: str) -> tuple[int, dict[str, int]]:
    """Start the first desktop; gives its first process and those of its session."""
    paths, installed = engine.layout.desktop(slot), engine.layout.image(image)
    paths.frame.mkdir(parents=True)
    give_to_user(paths.frame)
    paths.work.mkdir()
    btrfs.snapshot(installed.root, paths.disk)
    cgroup = engine.cgroup(slot)
    cgroup.make(engine.limits)
    bundle.write(
        paths.work, disk=paths.disk, usr=installed.usr, frame=paths.frame, cgroup=f"{engine.layout.key}/{slot}"
    )
    status = commands.run_detached(
        [*runc(paths), "run", "--detach", "--bundle", str(paths.work), slot], timeout_s=RUNC_S
    )
    if status != 0:
        raise MachineError(f"runc: {commands.ending(status)}: {last_line(paths.work / 'runc.log')}")
    state = commands.run([*runc(paths), "state", slot]).stdout
    init = facts.pid_of_runc(state)
    return init, until_still(paths.disk, init)


def until_still(disk: Path, init: int) -> dict[str, int]:
    """Wait until the session is up and no process starts any more; gives the session's processes."""
    deadline = time.monotonic() + BOOT_S
    last_pid, since = -1, time.monotonic()
    while True:
        if time.monotonic() > deadline or tree.start_time(init) is None:
            raise GuestError(f"the image's desktop did not come up: {agent_log(disk)}")
        try:
            reply = guest.ask(disk, "ping")
        except GuestError:
            time.sleep(POLL_S)
            continue
        if reply["last_pid"] != last_pid:
            last_pid, since = reply["last_pid"], time.monotonic()
        elif time.monotonic() - since > STILL_S:
            return {str(name): int(pid) for name, pid in reply["session"].items()}
        time.sleep(POLL_S)


def capture(engine: Engine, image: str, slot: str, init: int, session: dict[str, int]) -> StateFacts:
    """Capture the first desktop as the image's state."""
    paths, target = engine.layout.desktop(slot), engine.layout.booted(image)
    windows = windows_of(paths.disk)
    engine.dump(init, paths, target)
    saved = facts.StateFacts(
        image=image,
        processes=sorted((one.pid, one.name) for one in pstree.saved_processes(target.memory)),
        session=session,
        windows=[windows],
        home=home.digest(target.disk),
        size_bytes=size_of(target.folder),
        made_at=time.time(),
    )
    facts.write(target.facts, saved)
    return saved


def stop(engine: Engine, slot: str) -> None:
    """End the first desktop and what runc keeps of it."""
    paths = engine.layout.desktop(slot)
    engine.cgroup(slot).kill()
    if paths.work.is_dir():
        with contextlib.suppress(commands.CommandError):
            commands.run([*runc(paths), "delete", "--force", slot], timeout_s=RUNC_S)
    engine.end(slot)


def runc(paths: DesktopPaths) -> list[str]:
    """runc, keeping its own records in the desktop's folder."""
    return ["runc", "--root", str(paths.work / "runc"), "--log", str(paths.work / "runc.log")]


def agent_log(disk: Path) -> str:
    """The end of what the agent wrote about its start."""
    try:
        fd = guest.open_beneath(disk, LOG_IN_DESKTOP, os.O_RDONLY | os.O_NONBLOCK)
    except OSError:
        return "its agent did not start"
    with os.fdopen(fd, "rb") as file:
        return file.read(1 << 16).decode(errors="replace")[-2000:]


def last_line(path: Path) -> str:
    """The last line of a log."""
    with contextlib.suppress(FileNotFoundError):
        return (path.read_text(errors="replace").splitlines() or [""])[-1]
    return "it wrote no log"

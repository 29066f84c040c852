"""The deeds on desktops: restore, capture, end. Each blocks; `machine` runs them beside the event loop.

Invariant: a deed that fails or is cut off leaves no record, so whatever it had made is recognised as half made and
removed.
"""

from __future__ import annotations

import contextlib
import logging
import os
import re
import shutil
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from drums.local.machines.machine import DesktopGone, MachineError, ProcessTree, RestoreError, TreeChanged
from drums.local.machines.runc import area, btrfs, bundle, commands, criu, facts, guest, home, pstree, tree
from drums.local.machines.runc.cgroups import Cgroup, Limits
from drums.local.machines.runc.frame import FILE_LIMIT_BYTES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from drums.local.machines.runc.facts import DesktopFacts, StateFacts, Window
    from drums.local.machines.runc.layout import DesktopPaths, Layout, StatePaths

log: logging.Logger = logging.getLogger("drums.local.runc")

RESTORES_AT_ONCE = 3
"""More of them only share the same cores."""
RESTORE_S = 60.0
DUMP_S = 120.0
PRIVATE_RUN = Path("/run")
PRIVATE_TMP = Path("/tmp")  # noqa: S108 - hidden in the restore's own mount namespace by a folder of ours
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}")
USER_ON_HOST = bundle.FIRST_HOST_ID + 1000


class RestoreRefusedError(RestoreError):
    """CRIU could not bring a state back; none of its processes ran."""


@dataclass(frozen=True, slots=True)
class Restore:
    """What is to be restored, and as what."""

    slot: str
    source: str
    state: StatePaths
    saved: StateFacts


@dataclass
class Engine:
    """What the deeds share."""

    layout: Layout
    criu: criu.Criu
    limits: Limits = field(default_factory=Limits)
    _turns: threading.BoundedSemaphore = field(default_factory=lambda: threading.BoundedSemaphore(RESTORES_AT_ONCE))
    _growing: threading.Lock = field(default_factory=threading.Lock)
    _groups: set[int] = field(default_factory=set[int])

    def restore(self, slot: str, source: str, state: StatePaths) -> DesktopFacts:
        """Start a desktop from a state, trying a second time if no process of it ran.

        Raises:
            RestoreError: It did not come up; nothing of it is left.
        """
        saved = facts.read_state(state.facts)
        if saved is None:
            raise RestoreError(f"there is no whole state {source}")
        wanted = Restore(checked(slot), source, state, saved)
        self.make_room()
        with self._turns:
            try:
                return self._restore(wanted, 1)
            except RestoreRefusedError as first:
                log.warning("restore %s from %s: %s; trying once more", slot, source, first)
            try:
                return self._restore(wanted, 2)
            except RestoreError as second:
                second.tries = 2
                raise

    def make_room(self) -> None:
        """Have space in the area for one more desktop or state."""
        with self._growing:
            area.make_room(self.layout)

    def _restore(self, wanted: Restore, tries: int) -> DesktopFacts:
        """Restore, or leave nothing."""
        try:
            made = self._restored(wanted, tries)
            facts.write(self.layout.desktop(wanted.slot).facts, made)
        except BaseException as fault:
            self.end(wanted.slot)
            if isinstance(fault, OSError | commands.CommandError):
                raise RestoreRefusedError(f"the desktop's parts could not be made: {fault}") from fault
            raise
        return made

    def _restored(self, wanted: Restore, tries: int) -> DesktopFacts:
        paths, cgroup = self.layout.desktop(wanted.slot), self.cgroup(wanted.slot)
        cgroup.make(self.limits)
        self._lay_out(wanted.state, paths)
        before = home.digest(paths.disk)
        init = self._run_restore(wanted, paths, cgroup)
        found = tree.processes_of(init)
        if not found:
            raise RestoreError("the desktop ended as soon as it ran")
        return facts.DesktopFacts(
            slot=wanted.slot,
            source=wanted.source,
            init=init,
            started=found[0].process.started,
            boot=tree.boot_id(),
            state=wanted.saved,
            home=before,
            memory_bytes=self.limits.memory_bytes,
            pids=self.limits.pids,
            cpus=self.limits.cpus,
            disk_bytes=self.limits.disk_bytes,
            tries=tries,
            tree=[(one.process.pid, one.process.started, one.process.name) for one in found],
        )

    def _lay_out(self, state: StatePaths, paths: DesktopPaths) -> None:
        """Make the desktop's disk, frame and working folder."""
        for folder in (paths.frame, paths.work / "root"):
            folder.mkdir(parents=True)
        give_to_user(paths.frame)
        copy_frame(state.frame, paths.frame / state.frame.name)
        btrfs.snapshot(state.disk, paths.disk)
        btrfs.limit_own_bytes(paths.disk, self.limits.disk_bytes)

    def _run_restore(self, wanted: Restore, paths: DesktopPaths, cgroup: Cgroup) -> int:
        """Run CRIU in a private mount namespace and the desktop's cgroup; gives the first process."""
        root = paths.work / "root"
        binds = {root: paths.disk, PRIVATE_RUN: self.layout.private_run, PRIVATE_TMP: self.layout.private_tmp}
        shown = {"/usr": PRIVATE_RUN / "usr", "/run/fb": PRIVATE_RUN / "fb"}
        binds |= {shown["/usr"]: self.layout.image(wanted.saved.image).usr, shown["/run/fb"]: paths.frame}
        table = paths.work / "fstab"
        table.write_text(criu.bind_table(binds))
        restore = self.criu.restore(images=wanted.state.memory, work=paths.work, root=root, sources=shown)
        mount = ["mount", "--all", "--fstab", str(table)]
        command = criu.in_private_mounts(criu.in_cgroups(restore, cgroup.procs_files, [mount]))
        status = commands.run_detached(command, environment=self.criu.environment, timeout_s=RESTORE_S)
        if status == commands.TOOK_TOO_LONG:
            raise RestoreError(f"CRIU took longer than {RESTORE_S:g} s: {tail(paths.work / 'restore.log')}")
        if status != 0:
            raise RestoreRefusedError(f"CRIU: {commands.ending(status)}: {tail(paths.work / 'restore.log')}")
        return int((paths.work / "pid").read_text())

    def capture(self, desktop: DesktopFacts, target: StatePaths, expected: ProcessTree | None) -> StateFacts:
        """Save a running desktop, disk and live processes; it goes on running.

        Raises:
            TreeChanged: What was captured is not `expected`; nothing is left of it.
            MachineError: CRIU could not capture it; nothing is left of it, and the desktop goes on.
        """
        source = self.layout.desktop(desktop.slot)
        if not tree.is_same(desktop.init, desktop.started):
            raise DesktopGone(f"{desktop.slot} no longer runs")
        try:
            saved = self._captured(desktop, source, target, expected)
            facts.write(target.facts, saved)
        except BaseException:
            self.delete(target)
            raise
        return saved

    def _captured(
        self, desktop: DesktopFacts, source: DesktopPaths, target: StatePaths, expected: ProcessTree | None
    ) -> StateFacts:
        self.make_room()
        guest.ask(source.disk, "rest")
        before = windows_of(source.disk)
        self.dump(desktop.init, source, target)
        processes = pstree.saved_processes(target.memory)
        if expected is not None:
            compare(processes, expected)
        return facts.StateFacts(
            image=desktop.state.image,
            processes=sorted((one.pid, one.name) for one in processes),
            session=desktop.state.session,
            windows=[before, windows_of(source.disk)],
            home=home.digest(target.disk),
            size_bytes=size_of(target.folder),
            made_at=time.time(),
        )

    def dump(self, init: int, source: DesktopPaths, target: StatePaths) -> None:
        """Run CRIU over a desktop, with the script that saves disk and frame while it is stopped."""
        target.memory.mkdir(parents=True)
        target.memory.chmod(0o755)  # the desktop's root reads it at a restore; nobody else gets as far as here
        script = target.folder / "post-dump.sh"
        script.write_text(
            criu.post_dump_script(
                source=source.disk,
                target=target.disk,
                frame=source.frame / target.frame.name,
                frame_copy=target.frame,
                frame_limit_bytes=FILE_LIMIT_BYTES,
            )
        )
        script.chmod(0o700)
        command = self.criu.dump(images=target.memory, init=init, script=script)
        worker = self.worker(target.folder.name)
        worker.make(Limits(memory_bytes=8 << 30, pids=4096, cpus=64))
        try:
            done = criu.in_cgroups(command, worker.procs_files)
            status = commands.run_detached(done, environment=self.criu.environment, timeout_s=DUMP_S)
        finally:
            worker.remove()
        if status != 0:
            raise MachineError(
                f"it could not be captured: CRIU: {commands.ending(status)}: {tail(target.memory / 'dump.log')}"
            )
        # The script copied only the content; CRIU compares the mode too.
        shutil.copymode(source.frame / target.frame.name, target.frame, follow_symlinks=False)

    def end(self, slot: str) -> None:
        """End a desktop and free all that was its own; one that is already gone is no error."""
        paths = self.layout.desktop(checked(slot))
        desktop = facts.read_desktop(paths.facts)
        with contextlib.suppress(FileNotFoundError):
            paths.facts.unlink()
        self.cgroup(slot).remove()
        if desktop is not None:
            reap(desktop.init)
        self.delete_disk(paths.disk)
        shutil.rmtree(paths.folder, ignore_errors=True)

    def delete(self, state: StatePaths) -> None:
        """Delete a saved state; one that is already gone is no error."""
        with contextlib.suppress(FileNotFoundError):
            state.facts.unlink()
        self.delete_disk(state.disk)
        shutil.rmtree(state.folder, ignore_errors=True)

    def delete_disk(self, disk: Path) -> None:
        """Delete a subvolume, and its quota group as soon as the kernel lets go of it."""
        if btrfs.is_subvolume(disk):
            self._groups.add(btrfs.subvolume_id(disk))
            btrfs.delete(disk)
        for group in list(self._groups):
            if btrfs.drop_quota_group(self.layout.area, group):
                self._groups.discard(group)

    def cgroup(self, slot: str) -> Cgroup:
        """A desktop's cgroup."""
        return Cgroup(self.layout.key, slot)

    def worker(self, checkpoint: str) -> Cgroup:
        """The cgroup of the CRIU that captures a state."""
        return Cgroup(self.layout.key, f"capture.{checkpoint}")


def windows_of(disk: Path) -> list[Window]:
    """The windows of a running desktop, bottom first."""
    rows: Sequence[Sequence[int]] = [(row[0], *row[2:]) for row in guest.ask(disk, "windows")["windows"]]
    return [facts.window_of(list(row)) for row in rows]


def compare(processes: frozenset[pstree.SavedProcess], expected: ProcessTree) -> None:
    """Check that a capture holds the processes that were seen before it.

    Raises:
        TreeChanged: It does not.
    """
    saved = {(one.pid, one.threads, one.name) for one in processes if not one.zombie}
    seen = {(one.pid, one.threads, one.name) for one in expected.processes if one.state == "running"}
    if saved != seen:
        names = sorted({f"{name} ({pid})" for pid, _, name in saved ^ seen})
        raise TreeChanged(f"processes started, ended or changed before the capture: {', '.join(names)}")


def give_to_user(folder: Path) -> None:
    """Let a folder be the desktop's user's, whatever this process's umask is."""
    folder.chmod(0o755)
    os.chown(folder, USER_ON_HOST, USER_ON_HOST)


def copy_frame(source: Path, target: Path) -> None:
    """Copy a saved frame buffer to where a desktop's X server will map it."""
    shutil.copyfile(source, target, follow_symlinks=False)
    shutil.copymode(source, target, follow_symlinks=False)
    os.chown(target, USER_ON_HOST, USER_ON_HOST, follow_symlinks=False)


def checked(name: str) -> str:
    """A name that is safe as a file name.

    Raises:
        MachineError: It is not.
    """
    if not NAME.fullmatch(name):
        raise MachineError(
            f"the name {name!r} can't be used: letters, digits, dot, dash and underscore only, at most 128"
        )
    return name


def reap(pid: int) -> None:
    """Take the exit status of a desktop's first process, where it became our child."""
    with contextlib.suppress(ChildProcessError):
        os.waitpid(pid, 0)


def size_of(folder: Path) -> int:
    """What a folder's files take, in bytes."""
    return sum(path.lstat().st_blocks * 512 for path in folder.rglob("*"))


def tail(path: Path) -> str:
    """The first error that a CRIU log tells, else its last line."""
    try:
        lines = path.read_text(errors="replace").splitlines()
    except FileNotFoundError:
        return "it wrote no log"
    errors = [line for line in lines if "Error" in line]
    return " | ".join((errors or lines or ["its log is empty"])[-4:])

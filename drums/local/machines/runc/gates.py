"""The gates of a real desktop: each looks at the running processes, from the host, and says what it saw.

A gate reads and never repairs. Invariant: a gate that can't look has not passed; what a gate compares with was written
down before anything in the desktop ran.
"""

from __future__ import annotations

import secrets
from pathlib import Path
from time import monotonic, sleep
from typing import TYPE_CHECKING

from drums.local.machines.machine import GateReading, GateSpec
from drums.local.machines.runc import bundle, facts, frame, guest, netns, tree
from drums.local.machines.runc.cgroups import Limits

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from drums.local.machines.runc.cgroups import Cgroup
    from drums.local.machines.runc.facts import DesktopFacts
    from drums.local.machines.runc.layout import DesktopPaths
    from drums.local.machines.runc.tree import HostProcess

PROCESSES_ALIVE = "processes_alive"
ALIVE_GATE_S = 5.0
REPAINT_S = 1.0
NAMESPACE_FILES = ("user", "pid", "mnt", "ipc", "uts", "net")
SECCOMP_FILTER = "2"
EXPECTED_MOUNTS = {
    "/": ("btrfs", "rw"),
    "/proc": ("proc", "rw"),
    "/dev": ("tmpfs", "rw"),
    "/dev/pts": ("devpts", "rw"),
    "/dev/shm": ("tmpfs", "rw"),  # noqa: S108 - a mount point
    "/usr": ("btrfs", "ro"),
    "/run/fb": ("tmpfs", "rw"),
}
DEVICE_MOUNTS = {f"/dev/{name}" for name in bundle.DEVICES} | {"/dev/console", "/dev/ptmx"}


class Subject:
    """A running desktop, as its gates see it."""

    def __init__(self, desktop: DesktopFacts, paths: DesktopPaths, cgroup: Cgroup) -> None:
        self.desktop = desktop
        self.paths = paths
        self.cgroup = cgroup

    def processes(self) -> list[HostProcess]:
        """What runs in it."""
        return tree.processes_of(self.desktop.init)

    def file(self, pid: int, name: str) -> str:
        """A file of a process's folder in /proc."""
        return Path(f"/proc/{pid}/{name}").read_text(errors="replace")

    @property
    def limits(self) -> Limits:
        """What it was given."""
        made = self.desktop
        return Limits(made.memory_bytes, made.pids, made.cpus, made.disk_bytes)


def isolation(subject: Subject) -> GateReading:
    """Every process is in the desktop's own namespaces, without privileges outside them."""
    init = subject.desktop.init
    ours = {name: str(Path(f"/proc/self/ns/{name}").readlink()) for name in NAMESPACE_FILES}
    its = {name: str(Path(f"/proc/{init}/ns/{name}").readlink()) for name in NAMESPACE_FILES}
    shared = [name for name in NAMESPACE_FILES if ours[name] == its[name]]
    if shared:
        return GateReading(False, f"namespaces shared with the host: {', '.join(shared)}")
    if subject.file(init, "uid_map").split() != ["0", str(bundle.FIRST_HOST_ID), str(bundle.ID_COUNT)]:
        return GateReading(False, "its users are mapped to others on the host than they should be")
    found = subject.processes()
    for one in found:
        try:
            fault = escaped(subject, one, its)
        except (FileNotFoundError, ProcessLookupError):
            continue  # it ended while it was looked at
        if fault:
            return GateReading(False, f"{one.process.name} ({one.process.pid}) {fault}")
    return GateReading(True, f"{len(found)} processes in {len(its)} namespaces of their own")


def escaped(subject: Subject, one: HostProcess, namespaces: Mapping[str, str]) -> str | None:
    """What is wrong with one process's confinement; None when nothing is."""
    if one.process.state == "zombie":
        return None
    for name, link in namespaces.items():
        if str(Path(f"/proc/{one.host_pid}/ns/{name}").readlink()) != link:
            return f"is in another {name} namespace"
    status = dict(line.split(":\t", 1) for line in subject.file(one.host_pid, "status").splitlines() if ":\t" in line)
    if status["NoNewPrivs"] != "1":
        return "may gain privileges"
    if status["Seccomp"] != SECCOMP_FILTER:
        return "may make any system call"
    if int(status["CapBnd"], 16) & ~allowed_capabilities():
        return "has more capabilities than the agent"
    return None


def allowed_capabilities() -> int:
    """The bits of `bundle.AGENT_CAPABILITIES`, as linux/capability.h numbers them."""
    numbers = {"CAP_CHOWN": 0, "CAP_KILL": 5, "CAP_SETGID": 6, "CAP_SETUID": 7}
    return sum(1 << numbers[name] for name in bundle.AGENT_CAPABILITIES)


def mounts(subject: Subject) -> GateReading:
    """Exactly the mounts of the bundle, `/usr` read-only, the disk the desktop's own."""
    seen: dict[str, tuple[str, str]] = {}
    for line in subject.file(subject.desktop.init, "mountinfo").splitlines():
        fields, _, rest = line.partition(" - ")
        words = fields.split()
        seen[words[4]] = (rest.split()[0], words[5].split(",")[0])
        if words[4] == "/" and not words[3].endswith(f"/{subject.paths.disk.parent.name}/{subject.paths.disk.name}"):
            return GateReading(False, f"its disk is {words[3]}")
    extra = sorted(seen.keys() - EXPECTED_MOUNTS.keys() - DEVICE_MOUNTS)
    wrong = sorted(path for path, kind in EXPECTED_MOUNTS.items() if seen.get(path) != kind)
    if extra or wrong:
        return GateReading(
            False, f"unexpected mounts: {', '.join(extra) or 'none'}; missing or changed: {', '.join(wrong) or 'none'}"
        )
    return GateReading(True, f"{len(seen)} mounts, /usr read-only, a disk of its own")


def network(subject: Subject) -> GateReading:
    """Nothing but a loopback device, which works."""
    init = subject.desktop.init
    devices = netns.devices(init)
    if list(devices) != ["lo"]:
        return GateReading(False, f"network devices: {', '.join(devices) or 'none'}; only lo may be there")
    if not devices["lo"]:
        return GateReading(False, "the loopback device is down")
    routes = subject.file(init, "net/route").splitlines()[1:]
    if routes:
        return GateReading(False, f"{len(routes)} routes lead out")
    return GateReading(True, "only lo, no route out")


def limits(subject: Subject) -> GateReading:
    """The limits are in force, over every process, and nothing was killed by them."""
    unmet = subject.cgroup.unmet(subject.limits)
    if unmet:
        return GateReading(False, "; ".join(unmet))
    strays = strays_of(subject)
    if strays:
        return GateReading(False, f"{len(strays)} processes are outside the limits")
    kills = subject.cgroup.oom_kills()
    if kills:
        return GateReading(False, f"{kills} processes were killed for memory")
    used = subject.cgroup.memory_bytes() >> 20
    return GateReading(
        True, f"{used} of {subject.limits.memory_bytes >> 20} MB, at most {subject.limits.pids} processes"
    )


def strays_of(subject: Subject) -> set[int]:
    """The processes outside its cgroups. One that ends meanwhile is in none, and is no stray."""
    missing = subject.cgroup.strays(running(subject))
    return missing & running(subject) if missing else missing


def running(subject: Subject) -> set[int]:
    """The numbers, on the host, of what runs and is not about to end."""
    return {one.host_pid for one in subject.processes() if one.process.state == "running"}


def state_hash(subject: Subject) -> GateReading:
    """What was captured is what runs: processes, windows, home folder."""
    desktop = subject.desktop
    if desktop.home != desktop.state.home:
        return GateReading(False, "its home folder is not the one that was captured")
    came_up = sorted((pid, name) for pid, _, name in desktop.tree)
    if came_up != desktop.state.processes:
        differ = sorted({f"{name} ({pid})" for pid, name in set(came_up) ^ set(desktop.state.processes)})
        return GateReading(False, f"its processes are not those that were captured: {', '.join(differ)}")
    shown = windows_of(subject.paths)
    if shown not in desktop.state.windows:
        return GateReading(
            False, f"its {len(shown)} windows are not the {len(desktop.state.windows[0])} that were captured"
        )
    return GateReading(True, f"{len(came_up)} processes, {len(shown)} windows and the home folder as captured")


def windows_of(paths: DesktopPaths) -> list[facts.Window]:
    """The windows now, bottom first."""
    rows = guest.ask(paths.disk, "windows")["windows"]
    return [facts.window_of([row[0], *row[2:]]) for row in rows]


def guest_answers(subject: Subject) -> GateReading:
    """The agent answers with what it was just given."""
    nonce = secrets.token_hex(8)
    reply = guest.ask(subject.paths.disk, "ping", nonce=nonce)
    if reply.get("nonce") != nonce:
        return GateReading(False, "the agent's answer is not to what it was asked")
    return GateReading(True, "the agent answers")


def screen(subject: Subject) -> GateReading:
    """The screen shows more than one colour, at some time in a short while: a desktop is repainted ground first."""
    until = monotonic() + REPAINT_S
    while frame.is_blank(frame.pixels(subject.paths.frame)):
        if monotonic() > until:
            return GateReading(False, "the screen is blank")
        sleep(REPAINT_S / 20)
    return GateReading(True, "the screen shows something")


def processes_alive(subject: Subject) -> GateReading:
    """Every process that came up still runs."""
    now = {(one.process.pid, one.process.started) for one in subject.processes() if one.process.state == "running"}
    ended = sorted(f"{name} ({pid})" for pid, started, name in subject.desktop.tree if (pid, started) not in now)
    if ended:
        return GateReading(False, f"ended since the desktop came up: {', '.join(ended)}")
    return GateReading(True, f"{len(subject.desktop.tree)} processes run as before")


def health(subject: Subject) -> str | None:
    """What has gone wrong since the desktop came up that makes the episode worthless; None when nothing has."""
    kills = subject.cgroup.oom_kills()
    if kills:
        return f"{kills} processes were killed for memory"
    started = {pid: begun for pid, begun, _ in subject.desktop.tree}
    now = {one.process.pid: one.process for one in subject.processes()}
    for name, pid in subject.desktop.state.session.items():
        process = now.get(pid)
        if process is None or process.started != started.get(pid) or process.state != "running":
            return f"{name}, a part of the session, has ended"
    return None


GATES: Mapping[str, Callable[[Subject], GateReading]] = {
    "isolation": isolation,
    "mounts": mounts,
    "network": network,
    "limits": limits,
    "state_hash": state_hash,
    "guest": guest_answers,
    "screen": screen,
    PROCESSES_ALIVE: processes_alive,
}
"""Every gate, in the order in which they are taken."""


def specs(alive_gate_s: float) -> tuple[GateSpec, ...]:
    """The gates; the last one waits `alive_gate_s` seconds after the desktop came up."""
    return tuple(GateSpec(name, alive_gate_s if name == PROCESSES_ALIVE else 0.0) for name in GATES)

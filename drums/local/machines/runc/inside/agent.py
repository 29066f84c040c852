"""The agent: takes one request per connection and answers it.

Every process that it starts is reaped and, if late, killed.

A request is a line of JSON, the reply is JSON up to the connection's end. One thread, no waiting: what takes time runs
in a fork or a program, as the user, while the agent (another user, whom nothing in the desktop can touch) watches its
pipes. Invariant: between requests the agent has no connection open, since a capture can't save one to the host; and
once asked to rest it has no process but itself until the next action.
"""

from __future__ import annotations

import base64
import contextlib
import gc
import json
import os
import selectors
import shlex
import signal
import socket
import time
import traceback
from typing import TYPE_CHECKING, Any, NoReturn

from . import files, jobs, person
from .session import start
from .worker import Worker

if TYPE_CHECKING:
    from collections.abc import Callable

    from .hands import Hands
    from .session import Session

REQUEST_S = 30.0
"""A host that sends nothing for so long is cut off."""
AHEAD_S = 0.002
"""So long after an action nothing must have been asked before its like is made ready for: a request comes first."""


class Agent:
    """Serves the host."""

    def __init__(self, session: Session, hands: Hands) -> None:
        self.session = session
        self.hands = hands
        self.selector: selectors.DefaultSelector = selectors.DefaultSelector()
        self.jobs: dict[int, jobs.Job] = {}
        self.actions: set[int] = set()
        self.worker: Worker | None = None
        self.ahead: bool = False
        self.answers: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
            "ping": self.ping,
            "rest": self.rest,
            "windows": lambda _: {"windows": self.hands.windows()},
            "launch": self.launch,
        }

    def serve(self) -> None:
        """Answer until the desktop ends."""
        gc.collect()
        gc.freeze()  # what is there now is never collected, so a fork shares it for good
        listener = socket.socket(socket.AF_UNIX)
        with contextlib.suppress(FileNotFoundError):
            os.unlink(person.SOCKET)  # noqa: PTH108
        listener.bind(person.SOCKET)
        listener.listen(64)
        os.chmod(person.SOCKET, 0o600)  # noqa: PTH101
        self.selector.register(listener, selectors.EVENT_READ, lambda: self.accept(listener))
        self.watch_children()
        while True:
            found = self.selector.select(self.patience_s())
            if self.ahead and not found:
                self.fork_ahead()
            for key, _ in found:
                # What was done for one may have closed another, and its number may be another file's already.
                if self.selector.get_map().get(key.fileobj) is key:
                    key.data()
            self.end_late_jobs()

    def watch_children(self) -> None:
        """Wake the loop when a child ends."""
        reader, writer = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda _signal, _frame: None)

        def drain() -> None:
            with contextlib.suppress(BlockingIOError):
                os.read(reader, 4096)
            self.reap()

        self.selector.register(reader, selectors.EVENT_READ, drain)
        self.reap()

    def reap(self) -> None:
        """Take the exit status of every child that ended; a job's is its result."""
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            job = self.jobs.pop(pid, None)
            if job is not None:
                job.end(os.waitstatus_to_exitcode(status))
            if self.worker is not None and pid == self.worker.pid:
                self.worker.forget()
                self.worker = None
            if pid in self.actions:
                self.actions.discard(pid)
                self.ahead = self.worker is None

    def patience_s(self) -> float | None:
        """Seconds until there is something to do that nothing will tell: a late job, a fork ahead; None: nothing."""
        deadlines = [job.deadline - time.monotonic() for job in self.jobs.values()]
        if self.ahead:
            deadlines.append(AHEAD_S)
        return max(0.0, min(deadlines)) if deadlines else None

    def fork_ahead(self) -> None:
        """Have a worker for the next action."""
        self.ahead = False
        try:
            self.hands.make_ready()
        except Exception:  # noqa: BLE001 - an X server that gives no connection is the next action's matter
            traceback.print_exc()
            return
        self.worker = Worker(self.hands)
        self.hands.leave()

    def end_late_jobs(self) -> None:
        """Kill the jobs that took too long, with all that they started."""
        now = time.monotonic()
        for pid, job in self.jobs.items():
            if now >= job.deadline and not job.late:
                job.late = True
                jobs.kill_with_descendants(pid)

    def accept(self, listener: socket.socket) -> None:
        """Take one request; a host that breaks off is no error."""
        connection, _ = listener.accept()
        try:
            connection.settimeout(REQUEST_S)
            self.answer(connection, read_request(connection))
        except (OSError, ValueError) as broken:
            with contextlib.suppress(OSError):
                send(connection, {"fault": str(broken)})

    def answer(self, connection: socket.socket, request: dict[str, Any]) -> None:
        """Answer at once, or start the job whose end is the answer."""
        do = request["do"]
        if do in self.answers:
            try:
                send(connection, self.answers[do](request))
            except Exception as fault:  # noqa: BLE001 - whatever goes wrong is the reply; the agent has to live on
                send(connection, {"fault": f"{type(fault).__name__}: {fault}"})
        elif do == "execute":
            self.execute(connection, request)
        elif do != "pyautogui" or not self.act(connection, request):
            self.fork(connection, request)

    def ping(self, request: dict[str, Any]) -> dict[str, Any]:
        """Show that the agent lives, and how many processes and threads were ever started here."""
        return {"nonce": request.get("nonce"), "last_pid": last_pid(), "session": self.session.processes}

    def rest(self, request: dict[str, Any]) -> dict[str, Any]:
        """Be as after the start, without a worker, so that a capture or a count of processes finds none; and `ping`."""
        if self.worker is not None:
            self.worker.end()
            self.worker = None
        self.ahead = False
        self.hands.make_ready()
        return self.ping(request)

    def launch(self, request: dict[str, Any]) -> dict[str, Any]:
        """Start a program and leave it running."""
        try:
            child = start(argv_of(request))
        except (OSError, ValueError) as fault:
            return {"error": str(fault)}
        forget(child)
        return {"pid": child.pid}

    def execute(self, connection: socket.socket, request: dict[str, Any]) -> None:
        """Start a program whose end is the answer."""
        job = jobs.Job(self.selector, connection, request["timeout_s"])
        try:
            child = job.start_program(argv_of(request))
        except (OSError, ValueError) as fault:
            job.fail(127, str(fault))
            return
        forget(child)
        self.jobs[child.pid] = job

    def act(self, connection: socket.socket, request: dict[str, Any]) -> bool:
        """Run an action's code in the worker that waits for it; False where there is none."""
        worker, self.worker = self.worker, None
        if worker is None:
            return False
        if not worker.begin(request["code"]):
            return False
        job = jobs.Job(self.selector, connection, request["timeout_s"], pipes=worker.pipes)
        job.started()
        self.jobs[worker.pid] = job
        self.actions.add(worker.pid)
        return True

    def fork(self, connection: socket.socket, request: dict[str, Any]) -> None:
        """Do it in a fork as the user: an action's code, or reading and writing the user's files."""
        do = request["do"]
        if do == "pyautogui":
            self.hands.make_ready()
        binary_bytes = request["limit_bytes"] + 1 if do == "read_file" else 0
        timeout_s = request.get("timeout_s", REQUEST_S)
        job = jobs.Job(self.selector, connection, timeout_s, binary_bytes=binary_bytes)
        pid = os.fork()
        if pid == 0:
            self.be_fork(job, do, request)
        job.started()
        self.jobs[pid] = job
        if do == "pyautogui":
            self.actions.add(pid)
            self.ahead = False
            self.hands.leave()

    def be_fork(self, job: jobs.Job, do: str, request: dict[str, Any]) -> NoReturn:
        """The fork's whole life."""
        try:
            job.pipes.enter_fork({self.hands.action_fd} if do == "pyautogui" else frozenset())
            person.become()
            os._exit(self.in_fork(do, request))
        except BaseException:  # noqa: BLE001 - nothing may unwind into the agent's loop here
            traceback.print_exc()
        finally:
            os._exit(1)

    def in_fork(self, do: str, request: dict[str, Any]) -> int:
        """What the fork does; its exit status."""
        if do == "pyautogui":
            return self.hands.act(request["code"])
        if do == "read_file":
            return files.read(request["path"], request["limit_bytes"])
        if do == "write_file":
            return files.write(request["path"], base64.b64decode(request["content"]), request["executable"])
        return files.complain(f"no such request: {do}", 2)


def argv_of(request: dict[str, Any]) -> list[str]:
    """What to run for a command: a list as it is, a string through a shell or split as a shell would."""
    command = request["command"]
    if request["shell"]:
        return ["/bin/sh", "-c", command if isinstance(command, str) else shlex.join(command)]
    argv = shlex.split(command) if isinstance(command, str) else list(command)
    if not argv:
        raise ValueError("the command is empty")
    return [os.path.join(person.HOME, word[2:]) if word.startswith("~/") else word for word in argv]  # noqa: PTH118


def forget(child: Any) -> None:
    """Tell a Popen that its child is looked after: the loop reaps it."""
    child.returncode = 0


def last_pid() -> int:
    """The number given to the last process or thread started in this desktop."""
    with open("/proc/loadavg") as file:  # noqa: PTH123
        return int(file.read().split()[-1])


def read_request(connection: socket.socket) -> dict[str, Any]:
    """One line of JSON."""
    with connection.makefile("rb") as file:
        return dict(json.loads(file.readline()))


def send(connection: socket.socket, reply: dict[str, Any]) -> None:
    """Send the reply and end the connection."""
    try:
        connection.sendall(json.dumps(reply).encode())
    finally:
        connection.close()

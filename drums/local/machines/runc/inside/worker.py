"""A fork of the agent made ahead of the action that it is for, so that the action does not wait for the fork.

Invariant: until it has the whole of its code it is the agent's own, which nothing of the user's can touch; then it
becomes the user's, for that one action. So an action begins with what the agent has, never with what another left.
"""

from __future__ import annotations

import os
import signal
import traceback
from typing import TYPE_CHECKING, NoReturn

from . import jobs, person

if TYPE_CHECKING:
    from .hands import Hands


class Worker:
    """Waits for an action's code."""

    def __init__(self, hands: Hands) -> None:
        self.pipes: jobs.Pipes = jobs.Pipes()
        reader, writer = os.pipe2(os.O_CLOEXEC)
        self.code_fd: int = writer
        self.pid: int = os.fork()
        if self.pid == 0:
            be_worker(self.pipes, reader, hands)
        os.close(reader)
        self.pipes.close_writers()

    def begin(self, code: str) -> bool:
        """Let it act; False where it is gone and nothing was done."""
        rest = memoryview(code.encode("utf-8", "surrogatepass"))
        try:
            while rest:
                rest = rest[os.write(self.code_fd, rest) :]
        except BrokenPipeError:
            self.forget()
            return False
        os.close(self.code_fd)
        return True

    def end(self) -> None:
        """End it without an action."""
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        self.forget()

    def forget(self) -> None:
        """Close what led to it: it has ended."""
        os.close(self.code_fd)
        self.pipes.close_readers()


def be_worker(pipes: jobs.Pipes, reader: int, hands: Hands) -> NoReturn:
    """The worker's whole life."""
    try:
        pipes.enter_fork({reader, hands.action_fd})
        hands.rehearse()
        with os.fdopen(reader, "rb") as file:
            code = file.read().decode("utf-8", "surrogatepass")
        person.become()
        os._exit(hands.act(code))
    except BaseException:  # noqa: BLE001 - nothing may unwind into the agent's loop here
        traceback.print_exc()
    finally:
        os._exit(1)

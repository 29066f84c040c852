"""Commands in a desktop: run to their end, or started as jobs that go on between calls."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from drums.hybrid._names import GuestPath
    from drums.hybrid.aio._desktop import Desktop
    from drums.hybrid.results import JobOutput, ShellResult

Command: TypeAlias = "str | Sequence[str]"
"""One text, which a shell interprets; or a program with its arguments as a list, which none does."""


class Shell:
    """Commands in one desktop, as its user; part of `Tools`."""

    def __init__(self, desktop: Desktop) -> None:
        self._desktop = desktop

    async def run(
        self,
        command: Command,
        *,
        cwd: GuestPath | None = None,
        env: Mapping[str, str] | None = None,
        timeout: float | None = None,
        stdin: str | bytes | None = None,
        check: bool = True,
    ) -> ShellResult:
        """Run a command in the desktop and wait for its end.

        Args:
            command: One text that a shell runs, so that `|`, `~` and `*` mean something; or a program with its
                arguments as a list, in which nothing is interpreted.
            cwd: Folder to run it in; None: the home folder.
            env: Variables besides those that it has anyway.
            timeout: Seconds after which it is ended with all that it started; None: 100. It may be hours.
            stdin: What it reads; None: nothing.
            check: Whether another returncode than 0 is an error.

        Returns:
            Returncode and output. The middle of a long output is left out.

        Raises:
            CommandFailed: It ended with another returncode than 0 and `check`; `.result` has the output.
            CommandLate: Its time was over, whatever `check` is.
            FileMissing: There is no folder `cwd`.
        """
        raise NotImplementedError

    async def start(
        self,
        command: Command,
        *,
        cwd: GuestPath | None = None,
        env: Mapping[str, str] | None = None,
        stdin: str | bytes | None = None,
    ) -> Job:
        """Start a command in the desktop that goes on in the background, and don't wait for it.

        It has no time limit. It lives as long as the desktop, and a fork of the desktop has it as well.

        Args:
            command: As for `run`.
            cwd: Folder to run it in; None: the home folder.
            env: Variables besides those that it has anyway.
            stdin: What it reads; None: nothing.

        Returns:
            The job, to be polled, read and killed.

        Raises:
            FileMissing: There is no folder `cwd`.
        """
        raise NotImplementedError

    def job(self, job_id: str) -> Job:
        """A job by its id, started by another process, or in the desktop that this one was forked from.

        Args:
            job_id: As `Job.id` has it.
        """
        raise NotImplementedError


class Job:
    """A command that runs in the background of a desktop; made by `Shell.start` and `Shell.job`."""

    def __init__(self, desktop: Desktop, job_id: str) -> None:
        self._desktop = desktop
        self.id: str = job_id
        """Names it in this desktop and in its forks."""

    async def poll(self) -> int | None:
        """Whether the job has ended.

        Returns:
            None while it runs; its returncode, or minus the number of the signal that killed it.

        Raises:
            JobMissing: The desktop does not know it.
        """
        raise NotImplementedError

    async def output(self) -> JobOutput:
        """What the job has printed so far; of a long output the end.

        Raises:
            JobMissing: The desktop does not know it.
        """
        raise NotImplementedError

    async def wait(self, timeout: float = 60.0) -> int | None:
        """Wait until the job has ended.

        Args:
            timeout: Seconds to wait at most.

        Returns:
            Its returncode; None if it still runs.

        Raises:
            JobMissing: The desktop does not know it.
        """
        raise NotImplementedError

    async def kill(self) -> int:
        """End the job and all that it started; one that has ended already stays as it is.

        Returns:
            Its returncode.

        Raises:
            JobMissing: The desktop does not know it.
        """
        raise NotImplementedError

    async def remove(self) -> None:
        """Kill the job if it runs, and forget it and its output. One that is gone already is fine."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"<Job {self.id} of {self._desktop.env.id}>"

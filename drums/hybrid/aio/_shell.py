"""Commands in a desktop: run to their end, or started as jobs that go on between calls."""

from __future__ import annotations

import secrets
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from drums._io import aio as io
from drums._quote import excerpt
from drums.hybrid import _commands as commands
from drums.hybrid._chunks import ARGUMENT, arguments_of
from drums.hybrid._facts import REPLACEMENT, job_output
from drums.hybrid._host import Memory
from drums.hybrid._names import path_word, shown
from drums.hybrid.aio._content import Meter, Write, store
from drums.hybrid.errors import CommandFailed, CommandLate, FileDenied, FileMissing, JobMissing, ToolError, Unsupported
from drums.hybrid.results import ShellResult

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from drums.hybrid._names import GuestPath
    from drums.hybrid.aio._desktop import Desktop, Ran
    from drums.hybrid.results import JobOutput

FIRST_PAUSE_S = 0.05
LONGEST_PAUSE_S = 2.0
"""How often a job that is waited for is looked at: soon at first, then less and less."""

Command: TypeAlias = "str | Sequence[str | bytes]"
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
        max_output: int = commands.OUTPUT_CHARS,
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
            max_output: Characters of `stdout`, and of `stderr`, that are given back; the middle of what is longer is
                left out, and a line says so.

        Returns:
            Returncode and output.

        Raises:
            CommandFailed: It ended with another returncode than 0 and `check`; `.result` has the output.
            CommandLate: Its time was over, whatever `check` is.
            FileMissing: There is no folder `cwd`.
        """
        words, limit = [*commands.variables_of(env), *commands.words_of(command)], commands.seconds_of(timeout)
        began = io.monotonic()
        if limit > commands.READY_S:
            return await self._run_as_job(words, cwd, len(env or {}), stdin, limit, check=check, most=max_output)
        fed = await self._fed(stdin)
        token = secrets.token_hex(8)
        count = str(len(env or {}))
        ran = await self._desktop.script(commands.RUN, token, _folder(cwd), count, fed, f"{limit:g}", *words)
        self._demand_begun(ran, token, cwd, "shell.run()")
        took = io.monotonic() - began
        late = ran.status == commands.TIMED_OUT or (ran.status == commands.TIMED_OUT_AND_KILLED and took >= limit)
        result = _result(ran.status, ran.output, ran.complaint, took, max_output)
        return self._checked(result, check=check, late=late)

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
        words = [*commands.variables_of(env), *commands.words_of(command)]
        return await self._started(words, cwd, len(env or {}), stdin, "shell.start()")

    def job(self, job_id: str) -> Job:
        """A job by its id, started by another process, or in the desktop that this one was forked from.

        Args:
            job_id: As `Job.id` has it.
        """
        return Job(self._desktop, commands.job_id_of(job_id))

    # --- parts --------------------------------------------------------------------------------------------------------

    async def _fed(self, stdin: str | bytes | None) -> str:
        """What a command reads as a word of the scripts; what is long is put into a file first, which they remove."""
        if stdin is None:
            return "n"
        data = stdin.encode() if isinstance(stdin, str) else stdin
        if len(data) <= ARGUMENT:
            return "b" + "".join(arguments_of(data))
        path = f"/tmp/.drums-in-{secrets.token_hex(8)}"  # noqa: S108  in the desktop
        await store(self._desktop, Memory(data), Write(path, "shell.run(stdin=…)", mode=0o600), Meter(None, len(data)))
        return "f" + path_word(path)

    async def _started(
        self, words: list[str], cwd: GuestPath | None, variables: int, stdin: str | bytes | None, call: str
    ) -> Job:
        job_id, token = secrets.token_hex(8), secrets.token_hex(8)
        fed = await self._fed(stdin)
        ran = await self._desktop.script(commands.START, token, _folder(cwd), str(variables), fed, job_id, *words)
        self._demand_begun(ran, token, cwd, call)
        if ran.status != 0:
            raise ToolError(f"the job could not be started: {excerpt(ran.complaint)}", tried=self._desktop.tried(call))
        return Job(self._desktop, job_id)

    async def _run_as_job(
        self,
        words: list[str],
        cwd: GuestPath | None,
        variables: int,
        stdin: str | bytes | None,
        limit: float,
        *,
        check: bool,
        most: int,
    ) -> ShellResult:
        """Run a command that may take longer than a server waits for."""
        began = io.monotonic()
        job = await self._started(words, cwd, variables, stdin, "shell.run()")
        try:
            returncode = await job.wait(limit)
            late = returncode is None
            if returncode is None:
                returncode = await job.kill()
            told = await job.output()
        finally:
            await io.finish(job.remove)
        result = _result(returncode, told.stdout, told.stderr, io.monotonic() - began, most)
        whole = replace(result, truncated=result.truncated or told.truncated, lossy=told.lossy)
        return self._checked(whole, check=check, late=late)

    def _demand_begun(self, ran: Ran, token: str, cwd: GuestPath | None, call: str) -> None:
        why = commands.why_not_begun(ran.complaint, token) if ran.status == commands.OWN_END else None
        if why is None:
            return
        tried = self._desktop.tried(call)
        if why == "lacking":
            raise Unsupported("the desktop has no `timeout` or no `setsid`", tried=tried)
        raise (FileMissing if why == "missing" else FileDenied)(shown("~" if cwd is None else cwd), tried=tried)

    def _checked(self, result: ShellResult, *, check: bool, late: bool) -> ShellResult:
        if late:
            raise CommandLate(result, tried=self._desktop.tried("shell.run()"))
        if check and result.returncode != 0:
            raise CommandFailed(result, tried=self._desktop.tried("shell.run()"))
        return result


def _folder(cwd: GuestPath | None) -> str:
    return path_word("~" if cwd is None else cwd)


def _result(returncode: int, stdout: str, stderr: str, seconds: float, most: int) -> ShellResult:
    shown_out, cut_out = commands.shortened(stdout, most)
    shown_err, cut_err = commands.shortened(stderr, most)
    lossy = REPLACEMENT in stdout or REPLACEMENT in stderr
    return ShellResult(returncode, shown_out, shown_err, cut_out or cut_err, lossy, seconds)


class Job:
    """A command that runs in the background of a desktop; made by `Shell.start` and `Shell.job`."""

    def __init__(self, desktop: Desktop, job_id: str) -> None:
        self._desktop = desktop
        self.id: str = job_id
        """Names it in this desktop and in its forks."""

    async def poll(self) -> int | None:
        """Whether the job has ended.

        Returns:
            None while it runs; its returncode; -9 where it was killed.

        Raises:
            JobMissing: The desktop does not know it.
        """
        return self._ending((await self._desktop.script(commands.POLL, self.id)).output, "poll()")

    async def output(self) -> JobOutput:
        """What the job has printed so far; of a long output the end.

        Raises:
            JobMissing: The desktop does not know it.
        """
        ran = await self._desktop.script(commands.OUTPUT, self.id, str(commands.JOB_OUTPUT_BYTES))
        ending, *streams = ran.output.split("\n")
        self._ending(ending, "output()")
        return job_output(streams)

    async def wait(self, timeout: float = 60.0) -> int | None:
        """Wait until the job has ended.

        Args:
            timeout: Seconds to wait at most.

        Returns:
            Its returncode; None if it still runs.

        Raises:
            JobMissing: The desktop does not know it.
        """
        until = io.monotonic() + commands.seconds_of(timeout)
        pause = FIRST_PAUSE_S
        while (returncode := await self.poll()) is None and io.monotonic() < until:
            await io.sleep(min(pause, max(until - io.monotonic(), 0.0)))
            pause = min(2 * pause, LONGEST_PAUSE_S)
        return returncode

    async def kill(self) -> int:
        """End the job and all that it started; one that has ended already stays as it is.

        Returns:
            Its returncode.

        Raises:
            JobMissing: The desktop does not know it.
        """
        returncode = self._ending((await self._desktop.script(commands.KILL, self.id)).output, "kill()")
        if returncode is None:
            raise ToolError("the job did not end although it was killed", tried=self._tried("kill()"))
        return returncode

    async def remove(self) -> None:
        """Kill the job if it runs, and forget it and its output. One that is gone already is fine."""
        await self._desktop.script(commands.REMOVE, self.id)

    def _ending(self, line: str, call: str) -> int | None:
        try:
            return commands.ending_of(line)
        except LookupError:
            raise JobMissing(self.id, tried=self._tried(call)) from None

    def _tried(self, call: str) -> str:
        return self._desktop.tried(f"job {self.id} {call}")

    def __repr__(self) -> str:
        return f"<Job {self.id} of {self._desktop.env.id}>"

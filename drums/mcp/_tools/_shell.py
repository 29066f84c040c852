"""Commands in the desktop, as its user: run to their end, or started as jobs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from drums.mcp._envelope import Answer
from drums.mcp._tools._base import Toolset, tool

if TYPE_CHECKING:
    from drums.hybrid import JobOutput, ShellResult

LONGEST_RUN_S = 600.0

Command = Annotated[str, Field(min_length=1, max_length=100_000, description="What a shell of the desktop runs.")]
Folder = Annotated[str, Field(description="Folder of the desktop to run it in; empty: the home folder.")]
Stdin = Annotated[str | None, Field(description="What it reads.")]
JobId = Annotated[str, Field(min_length=1, max_length=100, description="As `start` gave it.")]


class ShellTools(Toolset):
    """Commands."""

    @tool("Run a command", destroys=True)
    async def run(
        self,
        command: Command,
        cwd: Folder = "",
        timeout_s: Annotated[float, Field(gt=0, le=LONGEST_RUN_S, description="Seconds.")] = 60.0,
        stdin: Stdin = None,
    ) -> Answer:
        """Run a command in a shell of the desktop and wait for its end. A returncode that is not 0 is no error here."""
        result = await self._tools.shell.run(command, cwd=cwd or None, timeout=timeout_s, stdin=stdin, check=False)
        return Answer({"returncode": result.returncode}, _printed(result), truncated=result.truncated)

    @tool("Start a job", destroys=True)
    async def start(self, command: Command, cwd: Folder = "", stdin: Stdin = None) -> Answer:
        """Start a command that goes on in the background. Answers with the job's id, for `job` and `kill_job`."""
        job = await self._tools.shell.start(command, cwd=cwd or None, stdin=stdin)
        return Answer({"job": job.id})

    @tool("Look at a job", reads=True)
    async def job(self, job: JobId) -> Answer:
        """Tell whether a job has ended, and what it has printed so far; returncode is null while it runs."""
        found = self._tools.shell.job(job)
        returncode, output = await found.poll(), await found.output()
        return Answer({"returncode": returncode}, _printed(output), truncated=output.truncated)

    @tool("End a job", destroys=True, repeats=True)
    async def kill_job(self, job: JobId) -> Answer:
        """End a job and all that it started."""
        return Answer({"returncode": await self._tools.shell.job(job).kill()})


def _printed(result: ShellResult | JobOutput) -> str:
    """What a command printed, and after it what it complained about."""
    return result.stdout + (f"\n[stderr]\n{result.stderr}" if result.stderr else "")

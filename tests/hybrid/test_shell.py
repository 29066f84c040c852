"""Commands and jobs: what they are given arrives as it is, and what they did comes back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from drums import BadRequest
from drums.hybrid import CommandFailed, CommandLate, FileMissing, JobMissing

if TYPE_CHECKING:
    import drums.hybrid.aio

words = st.text(st.characters(exclude_characters="\0", codec="utf-8"), max_size=20)
hostile = st.sampled_from(
    ["$(id)", "`id`", "; id", "'", '"', "\\", "-n", "~/x", "~", "*", "\n", "a\n\n", "&&", "$HOME", "%"]
)
several = settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])


@several
@given(arguments=st.lists(words | hostile, max_size=5))
async def test_no_argument_of_a_list_is_interpreted(tools: drums.hybrid.aio.Tools, arguments: list[str]) -> None:
    ran = await tools.shell.run(["printf", "[%s]", "first", *arguments])
    assert ran.stdout == "".join(f"[{argument}]" for argument in ["first", *arguments])


@several
@given(value=words | hostile)
async def test_no_variable_and_no_input_is_interpreted(tools: drums.hybrid.aio.Tools, value: str) -> None:
    ran = await tools.shell.run('printf %s "$GIVEN"; printf "|"; cat', env={"GIVEN": value}, stdin=value)
    assert ran.stdout == f"{value}|{value}"


async def test_no_folder_is_interpreted(tools: drums.hybrid.aio.Tools) -> None:
    for name in ("a b", "$(id)", "-P", "it's", "x\ny"):
        await tools.files.mkdir(f"/home/user/{name}")
        assert (await tools.shell.run(["pwd"], cwd=f"/home/user/{name}")).stdout == f"/home/user/{name}\n"
    with pytest.raises(FileMissing):
        await tools.shell.run(["pwd"], cwd="nothing")


async def test_one_text_is_a_shells(tools: drums.hybrid.aio.Tools) -> None:
    ran = await tools.shell.run("echo out; echo err >&2; exit 3", check=False)
    assert (ran.returncode, ran.stdout, ran.stderr) == (3, "out\n", "err\n")
    assert (ran.truncated, ran.lossy) == (False, False)
    assert ran.seconds > 0
    assert (await tools.shell.run("cd /tmp && pwd | tr a-z A-Z")).stdout == "/TMP\n"


async def test_another_returncode_is_an_error_unless_it_is_not_checked(tools: drums.hybrid.aio.Tools) -> None:
    with pytest.raises(CommandFailed, match="returncode 2: oh no") as failed:
        await tools.shell.run("echo oh no >&2; exit 2")
    assert failed.value.returncode == 2
    assert failed.value.result.stderr == "oh no\n"
    assert (await tools.shell.run(["no-such-program"], check=False)).returncode == 127


async def test_a_command_that_takes_too_long_is_ended(tools: drums.hybrid.aio.Tools) -> None:
    with pytest.raises(CommandLate):
        await tools.shell.run("sleep 50", timeout=2, check=False)
    assert (await tools.shell.run("sleep 500; echo done", timeout=1000)).stdout == "done\n"


async def test_a_long_output_is_cut_in_the_middle_and_says_so(tools: drums.hybrid.aio.Tools) -> None:
    ran = await tools.shell.run("seq 1 20000", max_output=100)
    assert ran.truncated
    assert ran.stdout.startswith("1\n2\n")
    assert ran.stdout.endswith("20000\n")
    assert "characters left out" in ran.stdout
    assert len(ran.stdout) < 200


async def test_bytes_that_are_no_text_are_marked(tools: drums.hybrid.aio.Tools) -> None:
    ran = await tools.shell.run(["cat"], stdin=b"a\xff\xfeb")
    assert ran.lossy
    assert ran.stdout.startswith("a")
    ran.stdout.encode()


async def test_a_long_input_arrives_whole(tools: drums.hybrid.aio.Tools) -> None:
    assert (await tools.shell.run("wc -c", stdin="x" * 300_000)).stdout.strip() == "300000"
    assert (await tools.shell.run("cat", stdin="")).stdout == ""
    assert [entry for entry in await tools.files.list("/tmp") if "drums-in" in entry.path] == []


@pytest.mark.parametrize("command", ["", "  ", [], [""], ["a\0"], [1], "\ud800"])
async def test_what_is_no_command_is_refused(tools: drums.hybrid.aio.Tools, command: str) -> None:
    with pytest.raises(BadRequest):
        await tools.shell.run(command)
    with pytest.raises(BadRequest):
        await tools.shell.start(command)
    assert tools.env.steps == 0


@pytest.mark.parametrize("name", ["", "a b", "1a", "a=b", "$x", "_drums_count", "a\n"])
async def test_what_is_no_variable_is_refused(tools: drums.hybrid.aio.Tools, name: str) -> None:
    with pytest.raises(BadRequest):
        await tools.shell.run("true", env={name: "x"})


@pytest.mark.parametrize("timeout", [0, -1, float("nan"), float("inf"), True])
async def test_what_is_no_time_limit_is_refused(tools: drums.hybrid.aio.Tools, timeout: float) -> None:
    with pytest.raises(BadRequest):
        await tools.shell.run("true", timeout=timeout)


async def test_a_job_is_started_polled_read_and_forgotten(tools: drums.hybrid.aio.Tools) -> None:
    job = await tools.shell.start('cat; echo "$X" >&2; pwd; exit 7', cwd="/tmp", env={"X": "a b"}, stdin="in\n")
    same = tools.shell.job(job.id)
    assert await same.wait(5) == await job.poll() == 7
    told = await same.output()
    assert (told.stdout, told.stderr, told.truncated, told.lossy) == ("in\n/tmp\n", "a b\n", False, False)
    assert await job.kill() == 7
    await job.remove()
    await job.remove()
    for call in (job.poll, job.output, job.kill, job.wait):
        with pytest.raises(JobMissing):
            await call()


async def test_a_fork_has_its_parents_jobs(tools: drums.hybrid.aio.Tools) -> None:
    job = await tools.shell.start("echo before; exit 3")
    async with await tools.env.fork(1) as children:
        copy = type(tools)(children[0]).shell.job(job.id)
        assert await copy.wait(5) == 3
        assert (await copy.output()).stdout == "before\n"
        await copy.remove()
    assert await job.poll() == 3


async def test_a_folder_that_is_not_there_starts_no_job(tools: drums.hybrid.aio.Tools) -> None:
    with pytest.raises(FileMissing):
        await tools.shell.start("true", cwd="/nothing")


@pytest.mark.parametrize("job_id", ["", "../x", "a" * 16 + "\n", "A" * 16])
async def test_what_is_no_jobs_id_is_refused(tools: drums.hybrid.aio.Tools, job_id: str) -> None:
    with pytest.raises(BadRequest):
        tools.shell.job(job_id)

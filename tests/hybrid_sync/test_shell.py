# Generated from tests/hybrid/test_shell.py by tools/generate_sync.py. Edit that file.
"""Commands and jobs: what they are given arrives as it is, and what they did comes back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from drums import BadRequest
from drums.hybrid import CommandFailed, CommandLate, FileMissing, JobMissing

if TYPE_CHECKING:
    import drums.hybrid

words = st.text(st.characters(exclude_characters="\0", codec="utf-8"), max_size=20)
hostile = st.sampled_from(
    ["$(id)", "`id`", "; id", "'", '"', "\\", "-n", "~/x", "~", "*", "\n", "a\n\n", "&&", "$HOME", "%"]
)
several = settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])


@several
@given(arguments=st.lists(words | hostile, max_size=5))
def test_no_argument_of_a_list_is_interpreted(tools: drums.hybrid.Tools, arguments: list[str]) -> None:
    ran = tools.shell.run(["printf", "[%s]", "first", *arguments])
    assert ran.stdout == "".join(f"[{argument}]" for argument in ["first", *arguments])


@several
@given(value=words | hostile)
def test_no_variable_and_no_input_is_interpreted(tools: drums.hybrid.Tools, value: str) -> None:
    ran = tools.shell.run('printf %s "$GIVEN"; printf "|"; cat', env={"GIVEN": value}, stdin=value)
    assert ran.stdout == f"{value}|{value}"


def test_no_folder_is_interpreted(tools: drums.hybrid.Tools) -> None:
    for name in ("a b", "$(id)", "-P", "it's", "x\ny"):
        tools.files.mkdir(f"/home/user/{name}")
        assert (tools.shell.run(["pwd"], cwd=f"/home/user/{name}")).stdout == f"/home/user/{name}\n"
    with pytest.raises(FileMissing):
        tools.shell.run(["pwd"], cwd="nothing")


def test_one_text_is_a_shells(tools: drums.hybrid.Tools) -> None:
    ran = tools.shell.run("echo out; echo err >&2; exit 3", check=False)
    assert (ran.returncode, ran.stdout, ran.stderr) == (3, "out\n", "err\n")
    assert (ran.truncated, ran.lossy) == (False, False)
    assert ran.seconds > 0
    assert (tools.shell.run("cd /tmp && pwd | tr a-z A-Z")).stdout == "/TMP\n"


def test_another_returncode_is_an_error_unless_it_is_not_checked(tools: drums.hybrid.Tools) -> None:
    with pytest.raises(CommandFailed, match="returncode 2: oh no") as failed:
        tools.shell.run("echo oh no >&2; exit 2")
    assert failed.value.returncode == 2
    assert failed.value.result.stderr == "oh no\n"
    assert (tools.shell.run(["no-such-program"], check=False)).returncode == 127


def test_a_command_that_takes_too_long_is_ended(tools: drums.hybrid.Tools) -> None:
    with pytest.raises(CommandLate):
        tools.shell.run("sleep 50", timeout=2, check=False)
    assert (tools.shell.run("sleep 500; echo done", timeout=1000)).stdout == "done\n"


def test_a_long_output_is_cut_in_the_middle_and_says_so(tools: drums.hybrid.Tools) -> None:
    ran = tools.shell.run("seq 1 20000", max_output=100)
    assert ran.truncated
    assert ran.stdout.startswith("1\n2\n")
    assert ran.stdout.endswith("20000\n")
    assert "characters left out" in ran.stdout
    assert len(ran.stdout) < 200


def test_bytes_that_are_no_text_are_marked(tools: drums.hybrid.Tools) -> None:
    ran = tools.shell.run(["cat"], stdin=b"a\xff\xfeb")
    assert ran.lossy
    assert ran.stdout.startswith("a")
    ran.stdout.encode()


def test_a_long_input_arrives_whole(tools: drums.hybrid.Tools) -> None:
    assert (tools.shell.run("wc -c", stdin="x" * 300_000)).stdout.strip() == "300000"
    assert (tools.shell.run("cat", stdin="")).stdout == ""
    assert [entry for entry in tools.files.list("/tmp") if "drums-in" in entry.path] == []


@pytest.mark.parametrize("command", ["", "  ", [], [""], ["a\0"], [1], "\ud800"])
def test_what_is_no_command_is_refused(tools: drums.hybrid.Tools, command: str) -> None:
    with pytest.raises(BadRequest):
        tools.shell.run(command)
    with pytest.raises(BadRequest):
        tools.shell.start(command)
    assert tools.env.steps == 0


@pytest.mark.parametrize("name", ["", "a b", "1a", "a=b", "$x", "_drums_count", "a\n"])
def test_what_is_no_variable_is_refused(tools: drums.hybrid.Tools, name: str) -> None:
    with pytest.raises(BadRequest):
        tools.shell.run("true", env={name: "x"})


@pytest.mark.parametrize("timeout", [0, -1, float("nan"), float("inf"), True])
def test_what_is_no_time_limit_is_refused(tools: drums.hybrid.Tools, timeout: float) -> None:
    with pytest.raises(BadRequest):
        tools.shell.run("true", timeout=timeout)


def test_a_job_is_started_polled_read_and_forgotten(tools: drums.hybrid.Tools) -> None:
    job = tools.shell.start('cat; echo "$X" >&2; pwd; exit 7', cwd="/tmp", env={"X": "a b"}, stdin="in\n")
    same = tools.shell.job(job.id)
    assert same.wait(5) == job.poll() == 7
    told = same.output()
    assert (told.stdout, told.stderr, told.truncated, told.lossy) == ("in\n/tmp\n", "a b\n", False, False)
    assert job.kill() == 7
    job.remove()
    job.remove()
    for call in (job.poll, job.output, job.kill, job.wait):
        with pytest.raises(JobMissing):
            call()


def test_a_fork_has_its_parents_jobs(tools: drums.hybrid.Tools) -> None:
    job = tools.shell.start("echo before; exit 3")
    with tools.env.fork(1) as children:
        copy = type(tools)(children[0]).shell.job(job.id)
        assert copy.wait(5) == 3
        assert (copy.output()).stdout == "before\n"
        copy.remove()
    assert job.poll() == 3


def test_a_folder_that_is_not_there_starts_no_job(tools: drums.hybrid.Tools) -> None:
    with pytest.raises(FileMissing):
        tools.shell.start("true", cwd="/nothing")


@pytest.mark.parametrize("job_id", ["", "../x", "a" * 16 + "\n", "A" * 16])
def test_what_is_no_jobs_id_is_refused(tools: drums.hybrid.Tools, job_id: str) -> None:
    with pytest.raises(BadRequest):
        tools.shell.job(job_id)

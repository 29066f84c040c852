"""The examples run as a user would run them, and each asyncio twin is its sync one with `await`."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = ROOT / "examples"
PAIRS = ["quickstart", "group_rollouts"]
RUNNABLE = sorted(f"{name}{suffix}.py" for name in PAIRS for suffix in ("", "_async"))


def run(*arguments: str, **variables: str) -> str:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("DRUMS")} | variables
    command = [sys.executable, "-W", "error", *arguments]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout


@pytest.mark.parametrize("script", RUNNABLE)
def test_an_example_runs_with_nothing_set_up_and_leaves_nothing(script: str) -> None:
    assert run(str(EXAMPLES / script), DRUMS_URL="local").endswith("computers left: 0\n")


@pytest.mark.parametrize("script", ["quickstart.py", "quickstart_async.py"])
def test_the_quickstart_ends_in_a_verified_reward(script: str) -> None:
    assert "score 1 valid True\n" in run(str(EXAMPLES / script), DRUMS_URL="local")


def test_a_file_goes_there_and_back_with_a_progress_bar() -> None:
    printed = run(str(EXAMPLES / "transfer.py"), "3", DRUMS_URL="local")
    assert printed.count("3.0/3.0 MB") == 2
    assert printed.endswith("same\n")


def body_without_await(source: str) -> list[str]:
    """The words of the program below its imports, as the sync twin would write them; `await` moves line breaks."""
    text = source.split("import drums", 1)[1].partition("\n")[2]
    text = (
        re.sub(r"\b(async|await) ", "", text).replace("drums.aio.", "drums.").replace("asyncio.run(main())", "main()")
    )
    text = re.sub(r"asyncio\.gather\(\s*\*\((.*?\))\)\s*\)\n", r"[\1]\n", text, flags=re.DOTALL)
    return re.findall(r"\w+|[^\w\s]", text)


@pytest.mark.parametrize("name", PAIRS)
def test_the_asyncio_twin_is_the_sync_example_with_await(name: str) -> None:
    sync, asynchronous = (EXAMPLES / f"{name}.py").read_text(), (EXAMPLES / f"{name}_async.py").read_text()
    assert body_without_await(asynchronous) == body_without_await(sync)


def test_the_programs_in_the_readme_run() -> None:
    """Both of its programs, one after the other, in one process."""
    programs = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), flags=re.DOTALL)
    assert len(programs) == 2
    printed = run("-c", "\n".join(programs))
    assert "1 True" in printed
    assert "[1, 0, 0, 0]" in printed

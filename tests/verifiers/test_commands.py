"""The two commands of the guide as a user gives them, and the tools over MCP: real processes, a few seconds each."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, ClassVar

import pytest

from tests.verifiers.installed import need_verifiers

need_verifiers()

import verifiers.v1 as vf
from verifiers.v1.harnesses.utils.mcp import mcp_client

import drums

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator

    from drums.local import InProcess
    from tests.verifiers.stage import Stage

ROOT = Path(__file__).resolve().parent.parent.parent
BIN = Path(sys.executable).parent
pytestmark = [pytest.mark.long, pytest.mark.timeout(300)]


def commands() -> list[str]:
    """The guide's commands that evaluate."""
    guide = (ROOT / "docs" / "verifiers.md").read_text()
    return re.findall(r"^vf-eval .*$", guide, flags=re.MULTILINE)


@contextmanager
def policy() -> Iterator[str]:
    """`examples/mock_policy.py` as the guide starts it, on a free port; its URL."""
    command = [sys.executable, str(ROOT / "examples" / "mock_policy.py"), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield process.stdout.readline().split()[-1]
        finally:
            process.terminate()


def evaluated(command: str, daemon: InProcess, folder: Path) -> list[dict[str, Any]]:
    """Run a command of the guide; the episodes that it wrote."""
    evaluator = shutil.which("vf-run", path=BIN) or shutil.which("vf-eval", path=BIN)
    assert evaluator is not None
    assert daemon.url is not None
    variables = {name: value for name, value in os.environ.items() if not name.startswith("DRUMS")}
    variables |= {"DRUMS_URL": daemon.url, "DRUMS_TOKEN": daemon.token, "MOCK_KEY": "none", "HOME": str(folder)}
    with policy() as url:
        _, *arguments = shlex.split(command.replace("http://127.0.0.1:8011/v1", url))
        done = subprocess.run(
            [evaluator, *arguments, "--no-rich"], cwd=folder, env=variables, capture_output=True, text=True, check=False
        )
    assert done.returncode == 0, done.stdout + done.stderr
    (traces,) = folder.glob("outputs/**/traces.jsonl")
    return [json.loads(line) for line in traces.read_text().splitlines()]


def scores(episode: dict[str, Any]) -> list[float]:
    return [trace["rewards"]["checker"]["score"] for trace in episode["traces"]]


def assert_sound_and_nothing_left(episodes: list[dict[str, Any]], daemon: InProcess) -> None:
    assert all(episode["ok"] for episode in episodes)
    told = [trace["info"]["drums"] for episode in episodes for trace in episode["traces"]]
    assert [(one["verdict"], one["dropped"]) for one in told] == [("valid", None)] * len(told)
    with drums.connect(daemon.url, daemon.token) as client:
        assert client.envs() == []
        assert [image.id for image in client.images() if image.kind != "image"] == []


def test_the_guide_has_two_commands() -> None:
    assert len(commands()) == 2


def test_two_rollouts_of_the_default_task_are_worth_0_and_1(daemon: InProcess, tmp_path: Path) -> None:
    episodes = evaluated(commands()[0], daemon, tmp_path)
    assert sorted(score for episode in episodes for score in scores(episode)) == [0.0, 1.0]
    assert [len(episode["traces"]) for episode in episodes] == [1, 1]
    assert_sound_and_nothing_left(episodes, daemon)


def test_a_forked_group_of_two_is_worth_0_and_1(daemon: InProcess, tmp_path: Path) -> None:
    (episode,) = evaluated(commands()[1], daemon, tmp_path)
    assert sorted(scores(episode)) == [0.0, 1.0]
    assert {trace["info"]["drums"]["parent"] for trace in episode["traces"]} == {"s1"}
    assert_sound_and_nothing_left([episode], daemon)


@pytest.mark.parametrize("stream", [False, True])
def test_the_mock_policy_answers_whole_and_as_a_stream(stream: bool) -> None:
    import openai

    with policy() as url, openai.OpenAI(base_url=url, api_key="none") as client:
        tools: Any = [{"type": "function", "function": {"name": "computer_key", "parameters": {"type": "object"}}}]
        ask = {"model": "mock", "messages": [{"role": "user", "content": "do it"}], "tools": tools}
        if stream:
            chunks = list(client.chat.completions.create(**ask, stream=True))
            calls = [call for chunk in chunks for choice in chunk.choices for call in choice.delta.tool_calls or []]
            reason = [choice.finish_reason for chunk in chunks for choice in chunk.choices][-1]
        else:
            choice = client.chat.completions.create(**ask).choices[0]
            calls, reason = choice.message.tool_calls or [], choice.finish_reason
        assert [call.function and call.function.name for call in calls] == ["computer_screenshot"]
        assert reason == "tool_calls"
        assert [model.id for model in client.models.list()] == ["mock"]


class Program(vf.Harness[vf.HarnessConfig]):
    """Stands in for a harness that is a program of its own: it gets the tools as URLs, and asks no model."""

    SUPPORTS_MCP = True
    EXECUTES_CODE = False
    NEEDS_CONTAINER = False
    told: ClassVar[dict[str, Any]] = {}
    before: ClassVar[list[Callable[[], Awaitable[object]]]] = []

    async def launch(  # noqa: PLR0917 - verifiers' signature
        self, ctx: Any, trace: Any, runtime: Any, endpoint: str, secret: str, mcp_urls: dict[str, str], data: Any
    ) -> vf.ProgramResult:
        (url,) = mcp_urls.values()
        async with mcp_client({"url": url}) as client:
            self.told["names"] = [tool.name for tool in (await client.list_tools()).tools]
            for deed in self.before:
                await deed()
            for name, arguments in CALLS:
                self.told[name] = (await client.call_tool(name, arguments)).content
        self.told["desktop"], self.told["ended"] = trace.state.desktop, trace.state.ended
        return vf.ProgramResult(0, "", "")


CALLS: list[tuple[str, dict[str, Any]]] = [
    ("computer_move", {"x": 5000, "y": 0}),
    ("computer_click", {"x": 0, "y": 0}),
    ("computer_done", {}),
]


async def test_the_tools_are_served_over_mcp_for_other_harnesses(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("a_program")
    vars(module).update(__all__=["Program"], Program=Program)
    monkeypatch.setitem(sys.modules, module.__name__, module)
    episode = await stage.play(agent={"harness": {"id": "a-program"}})
    told = Program.told
    assert episode.ok, episode.traces[0].errors
    assert told["names"][:2] == ["computer_click", "computer_double_click"]
    assert told["computer_move"][0].text.startswith("error: x=5000 is outside the screen")
    assert [block.type for block in told["computer_click"]] == ["text", "image"]
    assert (told["desktop"], told["ended"]) == ("s1", "done"), "the state came back"
    assert episode.traces[0].reward == 0.0
    assert await stage.live() == []


async def test_a_desktop_that_is_quarantined_ends_a_rollout_of_another_harness_too(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = ModuleType("a_program")
    vars(module).update(__all__=["Program"], Program=Program)
    monkeypatch.setitem(sys.modules, module.__name__, module)

    async def quarantine() -> None:
        (env,) = await stage.watcher.envs()
        await env.quarantine()

    monkeypatch.setattr(Program, "before", [quarantine])
    (trace,) = (await stage.play(agent={"harness": {"id": "a-program"}})).traces
    assert Program.told["computer_click"][0].text == "the desktop can't be used any more"
    assert trace.dropped == "drums_invalid:invalid:quarantine"
    assert trace.rewards == {}

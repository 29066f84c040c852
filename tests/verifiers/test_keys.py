"""The keys of the environment, as verifiers reads them: names, defaults, refusals, the TOML of the examples."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tests.verifiers.installed import need_verifiers

need_verifiers()

import verifiers.v1 as vf
from pydantic import ValidationError

from drums_verifiers.env import DrumsEnvConfig
from drums_verifiers.harness import DrumsHarness, DrumsHarnessConfig
from drums_verifiers.taskset import DrumsTaskset
from tests.verifiers.stage import config_of

ROOT = Path(__file__).resolve().parent.parent.parent
TASK = "e0df059f-28a6-4169-924f-b9623e7184cc"

DEFAULTS: dict[str, Any] = {
    "env.taskset.task_ids": [TASK],
    "env.taskset.image": "osworld-ubuntu",
    "env.fork_n": 0,
    "env.prefix": [],
    "env.child_prefix": [],
    "env.settle_s": 3.0,
    "env.max_concurrent_agents": 8,
    "env.admission_wait_s": 900.0,
    "env.agent.max_turns": None,
    "env.agent.harness.images_to_keep": 5,
    "env.taskset.task.tools.style": "drums",
    "env.taskset.task.tools.obs_width": 1280,
    "env.taskset.task.tools.obs_height": 720,
    "env.taskset.task.tools.pause_s": 1.0,
    "env.taskset.task.verify_timeout_s": 600.0,
}
OTHERS: dict[str, Any] = {
    "env.taskset.task_ids": ["e0df059f", TASK],
    "env.taskset.image": "another",
    "env.fork_n": 4,
    "env.prefix": ["pyautogui.moveTo(10, 10)", {"type": "sleep", "seconds": 1}],
    "env.child_prefix": [{"type": "execute", "command": ["ls", "-l"], "shell": False}],
    "env.settle_s": 0.0,
    "env.max_concurrent_agents": 1,
    "env.admission_wait_s": 0.0,
    "env.agent.max_turns": 15,
    "env.agent.harness.images_to_keep": 1,
    "env.taskset.task.tools.style": "scalecua",
    "env.taskset.task.tools.obs_width": 1920,
    "env.taskset.task.tools.obs_height": 1080,
    "env.taskset.task.tools.pause_s": 0.0,
    "env.taskset.task.verify_timeout_s": 1.5,
}
WRONG: list[tuple[str, Any]] = [
    ("env.taskset.task_ids", []),
    ("env.taskset.task_ids", ["short"]),
    ("env.taskset.image", ""),
    ("env.fork_n", -1),
    ("env.fork_n", "many"),
    ("env.prefix", [{"type": "fly"}]),
    ("env.prefix", [{"type": "sleep", "seconds": -1}]),
    ("env.prefix", [3]),
    ("env.child_prefix", [{"action_type": "WAIT"}]),
    ("env.settle_s", -0.1),
    ("env.settle_s", float("nan")),
    ("env.max_concurrent_agents", 0),
    ("env.admission_wait_s", float("inf")),
    ("env.agent.max_turns", "few"),
    ("env.agent.harness.images_to_keep", 0),
    ("env.taskset.task.tools.style", "anthropic"),
    ("env.taskset.task.tools.obs_width", 0),
    ("env.taskset.task.tools.obs_height", -720),
    ("env.taskset.task.tools.pause_s", -1),
    ("env.taskset.task.verify_timeout_s", 0),
]


def nested(key: str, value: Any) -> dict[str, Any]:
    for part in reversed(key.split(".")):
        value = {part: value}
    env: dict[str, Any] = value["env"]
    env.setdefault("taskset", {})["id"] = "drums-verifiers"
    return env


def at(config: vf.EnvConfig, key: str) -> Any:
    value: Any = config
    for part in key.split(".")[1:]:
        value = getattr(value, part)
    return value


@pytest.mark.parametrize("key", DEFAULTS)
def test_a_key_has_its_default_and_takes_another_value(key: str) -> None:
    assert at(vf.resolve_env_config({"taskset": {"id": "drums-verifiers"}}), key) == DEFAULTS[key]
    given = vf.resolve_env_config(nested(key, OTHERS[key]))
    assert at(given, key) == OTHERS[key]
    again = vf.resolve_env_config(given.model_dump(exclude_unset=True))
    assert at(again, key) == OTHERS[key], "it survives the way to an env server"


@pytest.mark.parametrize(("key", "value"), WRONG, ids=lambda value: str(value)[:40])
def test_a_wrong_value_is_refused_by_the_name_of_its_key(key: str, value: Any) -> None:
    with pytest.raises(ValidationError) as refused:
        vf.resolve_env_config(nested(key, value))
    places = [".".join(map(str, error["loc"])) for error in refused.value.errors()]
    assert any(place.startswith(key.removeprefix("env.")) for place in places), places


@pytest.mark.parametrize(
    "key",
    [
        "env.fork",
        "env.taskset.tasks",
        "env.agent.harness.images",
        "env.taskset.task.tools.width",
        "env.taskset.task.timeout",
    ],
)
def test_a_key_that_there_is_not_is_refused_by_name(key: str) -> None:
    with pytest.raises(ValidationError, match=re.escape(key.removeprefix("env."))):
        vf.resolve_env_config(nested(key, 3))


def test_the_role_plays_with_our_harness_in_the_evaluators_own_process() -> None:
    """Neither a paid machine, verifiers' default, nor the bash harness, which it falls back to."""
    config = config_of()
    assert isinstance(config, DrumsEnvConfig)
    assert isinstance(config.agent.harness, DrumsHarnessConfig)
    assert isinstance(config.agent.runtime, vf.SubprocessConfig)
    again = vf.resolve_env_config(config.model_dump(exclude_unset=True))
    assert isinstance(again, DrumsEnvConfig)
    assert isinstance(again.agent.harness, DrumsHarnessConfig)
    assert isinstance(vf.load_environment(again).taskset, DrumsTaskset)


def test_another_harness_can_be_chosen() -> None:
    config = config_of(agent={"harness": {"id": "null"}})
    assert isinstance(config, DrumsEnvConfig)
    assert not isinstance(config.agent.harness, DrumsHarnessConfig)


def test_loading_the_taskset_needs_no_server() -> None:
    taskset = vf.load_taskset(config_of(taskset={"task_ids": ["e0df059f", TASK]}).taskset)
    assert [(task.key, task.data.idx) for task in taskset] == [("e0df059f", 0), (TASK, 1)]
    assert type(taskset).task_type().config_type().__name__ == "DrumsTaskConfig"


def test_a_rollouts_task_keeps_its_key_whatever_its_desktop() -> None:
    task = next(iter(vf.load_taskset(config_of().taskset)))
    assert task.with_data(desktop="s7", child=3).key == task.key == TASK


def test_the_training_configuration_of_the_examples_is_read() -> None:
    whole = tomllib.loads((ROOT / "examples" / "rl-drums-fork.toml").read_text())
    assert whole["orchestrator"]["train"]["group_size"] == 1
    assert whole["orchestrator"]["train"]["algo"]["type"] == "grpo"
    (source,) = whole["orchestrator"]["train"]["source"]
    config = vf.resolve_env_config(source["env"])
    assert isinstance(config, DrumsEnvConfig)
    assert config.fork_n == 8
    assert config.agent.max_turns == 15
    assert config.max_concurrent_agents == config.fork_n + 1
    set_there = {f"env.{path}" for path in paths_of(source["env"])} - {"env.taskset.id"}
    assert set_there == set(DEFAULTS), "the example names every key"


def paths_of(table: dict[str, Any], before: str = "") -> list[str]:
    paths: list[str] = []
    for name, value in table.items():
        path = f"{before}{name}"
        paths += paths_of(value, f"{path}.") if isinstance(value, dict) else [path]
    return paths


def test_the_guide_names_every_key_with_its_default() -> None:
    guide = (ROOT / "docs" / "verifiers.md").read_text()
    rows = dict(re.findall(r"^\| `(env\.[\w.]+)` \| `?([^|`]*?)`? \|", guide, flags=re.MULTILINE))
    assert set(rows) == set(DEFAULTS)
    for key, value in DEFAULTS.items():
        told = "" if value is None else f"{value:g}" if isinstance(value, float) else str(value).replace("'", '"')
        assert rows[key] == (told or "no limit"), key


# --- what importing costs ---------------------------------------------------------------------------------------------

HEAVY = (
    "verifiers.v1.env",
    "verifiers.v1.agent",
    "pydantic",
    "openai",
    "mcp",
    "transformers",
    "PIL",
    "aiohttp",
    "drums.aio",
)


def run(program: str, *flags: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *flags, "-c", program], capture_output=True, text=True, check=False, cwd=ROOT
    )


def test_importing_the_package_loads_nothing_until_a_class_is_used() -> None:
    program = (
        f"import sys, drums_verifiers; print([name for name in {HEAVY} if name in sys.modules]); "
        "drums_verifiers.DrumsEnv; print('verifiers.v1.env' in sys.modules)"
    )
    done = run(program)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["[]", "True"]


def test_each_class_can_be_the_first_that_is_used() -> None:
    """verifiers asks the package for its classes while one of its modules is still loading."""
    names = ["DrumsEnv", "DrumsHarness", "DrumsTaskset"]
    for name in names:
        done = run(f"import drums_verifiers as d; d.{name}; print(d.DrumsEnv, d.DrumsHarness, d.DrumsTaskset)")
        assert done.returncode == 0, done.stderr
        assert all(each in done.stdout for each in names)


def test_without_verifiers_the_import_gives_the_command_that_installs_it() -> None:
    hidden = (
        "import importlib.util as util; find = util.find_spec; "
        "util.find_spec = lambda name, *rest: None if name == 'verifiers' else find(name, *rest)"
    )
    done = run(f"{hidden}\nimport drums_verifiers")
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].endswith("pip install 'drums-sdk[verifiers]'")


def test_the_harness_says_which_tasks_it_plays() -> None:
    assert DrumsHarness.SUPPORTS_MCP is False
    with pytest.raises(AttributeError, match="has no attribute 'DrumsNothing'"):
        __import__("drums_verifiers").DrumsNothing  # noqa: B018 - the access is what is tested

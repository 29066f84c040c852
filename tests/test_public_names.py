"""What `drums` and `drums.aio` offer, at what cost, and in which words."""

from __future__ import annotations

import ast
import importlib
import inspect
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import drums
import drums.aio
from tests.rules.every_call import all_operations

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

ROOT = Path(__file__).resolve().parent.parent
PACKAGES: list[ModuleType] = [drums, drums.aio]
COSTLY = (
    "httpx",
    "attrs",
    "attr",
    "asyncio",
    "aiohttp",
    "importlib.metadata",
    "dataclasses",
    "inspect",
    "json",
    "logging",
)
CONTRACT = {
    "drums": """connect Client Env ForkResult State GuestClient StepResult Observation Reward env DEFAULT_URL
        DEFAULT_IMAGE __version__ DrumsError BadRequest AuthError Forbidden QuotaExceeded NotFound Conflict NotQuiescent
        CheckpointStale EnvGone TaskUnsupported Overloaded GuestError DaemonUnavailable ProtocolError EnvFailed
        RestoreFailed GateFailed TaskSetupFailed ForkError BatchError InvalidEpisode CheckerError ActionFailed""",
    "drums.aio": "connect Client Env ForkResult State GuestClient env DEFAULT_URL DEFAULT_IMAGE AsyncClient AsyncEnv",
}
"""The names that the contract fixes."""

CLIENT = """url timeout retry_s owned_envs close call health metrics reset_metrics images delete_state tasks task envs
    env_records create create_many map"""
ENV = """id episode state validity task from_state record steps last_state client refresh reset step observe screenshot
    gates valid wait_valid verify load_task metrics wait_quiescent save prefork fork branch quarantine release close
    guest last_fork"""
MEMBERS = {
    "Client": CLIENT,
    "Env": ENV,
    "ForkResult": "state checkpoint failed seconds close delete_state raw",
    "GuestClient": "execute launch screenshot screen_size platform env",
}


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.__name__)
def test_the_three_lists_of_names_agree(package: ModuleType) -> None:
    """`__all__`, what a type checker sees, and what is loaded on demand."""
    assert package.__file__ is not None
    checked = {
        str(alias.asname)
        for node in ast.walk(ast.parse(Path(package.__file__).read_text()))
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("drums.")
        for alias in node.names
    }
    assert sorted(package.__all__) == sorted(checked) == sorted(vars(package)["_HOME"]) == dir(package)


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.__name__)
def test_every_name_is_there_and_is_what_the_contract_fixes(package: ModuleType) -> None:
    assert set(package.__all__) == set(CONTRACT[package.__name__].split())
    for name in package.__all__:
        assert getattr(package, name) is not None


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.__name__)
def test_no_public_name_is_also_a_submodule(package: ModuleType) -> None:
    """Importing such a submodule would put it in the place of what the name means."""
    below = {path.stem for path in Path(package.__path__[0]).iterdir() if path.suffix in {"", ".py"}}
    assert not below & set(package.__all__)
    for name in below - {"__init__", "__pycache__", "_sync", "local", "conform", "cli"}:
        importlib.import_module(f"{package.__name__}.{name}")
    assert callable(package.connect)
    assert callable(package.env)


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.__name__)
@pytest.mark.parametrize("name", MEMBERS)
def test_a_class_offers_what_the_contract_fixes_and_nothing_else(package: ModuleType, name: str) -> None:
    cls: type = getattr(package, name)
    instance = {"steps", "last_state", "checkpoint", "failed", "seconds", "raw", "env"}
    offered = {member for member in dir(cls) if not member.startswith("_")} - set(dir(list))
    assert offered | (instance & set(MEMBERS[name].split())) == set(MEMBERS[name].split())


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.__name__)
def test_a_wrong_name_is_an_attribute_error(package: ModuleType) -> None:
    with pytest.raises(AttributeError, match=f"module '{package.__name__}' has no attribute 'Envv'"):
        _ = package.Envv


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.__name__)
def test_a_star_import_gives_the_public_names(package: ModuleType) -> None:
    names: dict[str, Any] = {}
    exec(f"from {package.__name__} import *", names)
    assert set(package.__all__) <= set(names)


def test_the_asyncio_names_of_0_2_5_are_aliases() -> None:
    assert drums.aio.AsyncClient is drums.aio.Client
    assert drums.aio.AsyncEnv is drums.aio.Env


@pytest.mark.parametrize("program", ["import drums", "import drums, drums.aio"])
def test_importing_loads_nothing_costly(program: str) -> None:
    program += f"; import sys; print([name for name in {COSTLY!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_sync_sdk_loads_no_event_loop_and_no_http_library() -> None:
    program = (
        "import drums, sys; drums.connect, drums.Env; print([n for n in ('httpx', 'aiohttp') if n in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


# --- the border between the two vocabularies --------------------------------------------------------------------------

WIRE_WORDS = re.compile(r"slot|branch|capture|checkpoint", re.IGNORECASE)
MAY_SPEAK_WIRE = {"_core/calls.py", "_core/replies.py", "records.py", "errors.py"}
ALLOWED = re.compile(
    r"""CheckpointStale | \bcheckpoint\b(?!s) | __slots__ | slots=True | \bbranch(\ =\ fork|:\ )
      | Branch(Reply|Child) | \bSlot(Metrics)?\b | \bCheckpoint\b | calls\.\w+ | captured\b | Server:.* | "slot" """,
    re.VERBOSE,
)
"""The contract's own uses (a class, the attribute `checkpoint`, the alias `branch`), and records and calls by name."""


def sdk_files() -> Iterator[Path]:
    """The SDK's own sources: not the daemon, its conformance check and the command, nor what is generated."""
    for path in sorted((ROOT / "drums").rglob("*.py")):
        below = path.relative_to(ROOT / "drums")
        if below.parts[0] not in {"local", "conform", "cli", "_sync"} and below.as_posix() not in MAY_SPEAK_WIRE:
            yield path


@pytest.mark.parametrize("path", list(sdk_files()), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_the_wires_words_stay_behind_the_border(path: Path) -> None:
    found = [
        f"{number}: {line.strip()}"
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if WIRE_WORDS.search(ALLOWED.sub("", line))
    ]
    assert found == []


# --- documentation ----------------------------------------------------------------------------------------------------


def public_callables(package: ModuleType) -> Iterator[tuple[str, Any]]:
    """Every function and method that a user of the package can call, by its dotted name."""
    for name in package.__all__:
        value = getattr(package, name)
        if inspect.isfunction(value):
            yield name, value
        elif inspect.isclass(value) and name in MEMBERS:
            for member in MEMBERS[name].split():
                method = getattr(value, member, None)
                if inspect.isfunction(method):
                    yield f"{name}.{member}", method


def operations_named_by(function: Any) -> set[str]:
    """The operations in the `Server:` line of a docstring."""
    line = re.search(r"^ *Server: (.+)$", inspect.getdoc(function) or "", re.MULTILINE)
    return set(line[1].split(", ")) if line else set()


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.__name__)
def test_every_method_names_real_operations_and_every_operation_has_a_method(package: ModuleType) -> None:
    named = {name: operations_named_by(function) for name, function in public_callables(package)}
    assert set().union(*named.values()) == all_operations()
    without = {"Client.owned_envs", "Client.call", "Client.map", "Env.guest"}
    assert {name for name, operations in named.items() if not operations} == without


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.__name__)
def test_every_public_thing_has_a_docstring_that_says_more_than_its_name(package: ModuleType) -> None:
    for name, function in public_callables(package):
        told = inspect.getdoc(function)
        assert told, name
        assert told.splitlines()[0].endswith((".", "`")), name
    for name, members in MEMBERS.items():
        cls = getattr(package, name)
        for member in members.split():
            value = inspect.getattr_static(cls, member, None)
            assert not isinstance(value, property) or value.__doc__, f"{name}.{member}"


def test_both_sides_have_the_same_signatures() -> None:
    ours = {name: function for name, function in public_callables(drums) if name != "Client.map"}
    theirs = dict(public_callables(drums.aio))
    for name, function in ours.items():
        here, there = inspect.signature(function), inspect.signature(theirs[name])
        assert list(here.parameters.values()) == list(there.parameters.values()), name

"""The converter: what it makes, what it refuses, and that its check sees every difference between two trees."""

from __future__ import annotations

import ast
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tools import generate_sync
from tools._codegen import to_sync

if TYPE_CHECKING:
    from pathlib import Path

HEAD = "# Generated from drums/aio/_thing.py by tools/generate_sync.py. Edit that file.\n"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project of one small asyncio package; no rule has to be needed by it."""
    (tmp_path / "pyproject.toml").write_text((generate_sync.ROOT / "pyproject.toml").read_text())
    (tmp_path / "drums/aio").mkdir(parents=True)
    (tmp_path / "drums/aio/_thing.py").write_text("async def thing() -> int:\n    return await other()\n")
    monkeypatch.setattr(generate_sync, "TREES", {"drums/aio": "drums/_sync"})
    with_rules(monkeypatch, {})
    return tmp_path


def with_rules(monkeypatch: pytest.MonkeyPatch, names: dict[str, str]) -> None:
    monkeypatch.setattr(generate_sync, "NAMES", names)
    monkeypatch.setattr(to_sync, "NAMES", names)


def run(project: Path, *arguments: str) -> int:
    return generate_sync.main(list(arguments), project)


def converted(source: str) -> str:
    return to_sync.Converter().convert(source)


def refusals(source: str) -> list[str]:
    return [what for _, what in to_sync.faults(ast.parse(source))]


@pytest.mark.parametrize(
    ("asynchronous", "sync"),
    [
        ("async def f():\n    return await g()\n", "def f():\n    return g()\n"),
        ("async with a as b, c as d:\n    pass\n", "with a as b, c as d:\n    pass\n"),
        ("x = [y async for y in z]\n", "x = [y for y in z]\n"),
        ("x = await(f())\n", "x = (f())\n"),
        ("from drums._io import aio as io\n", "from drums._io import sync as io\n"),
        ("import drums.aio\n", "import drums\n"),
        ("import drums.hybrid.aio\n", "import drums.hybrid\n"),
        ("from drums.hybrid.aio import Tools\n", "from drums.hybrid import Tools\n"),
        ("from drums.hybrid.aio._tools import Tools\n", "from drums.hybrid._sync._tools import Tools\n"),
        ("tools = drums.hybrid.aio.Tools(env)\n", "tools = drums.hybrid.Tools(env)\n"),
        ("'Use `await drums.hybrid.aio.Tools(env).act()`.'\n", "'Use `drums.hybrid.Tools(env).act()`.'\n"),
        ("from drums.aio import Client\n", "from drums import Client\n"),
        ("from drums.aio._env import Env\n", "from drums._sync._env import Env\n"),
        ("client = drums.aio.connect()\n", "client = drums.connect()\n"),
        ("def connect() -> io.Opening[Client]: ...\n", "def connect() -> Client: ...\n"),
        ("async def __aexit__(self): ...\n", "def __exit__(self): ...\n"),
        ("'''Use `async with drums.aio.connect()`, then `await client.create()`.'''\n",
         "'''Use `with drums.connect()`, then `client.create()`.'''\n"),
        ("# await the reply\n", "# await the reply\n"),
        ("f'{a} await it {b}'\n", "f'{a} await it {b}'\n"),
        ("f'call await {a}.close()'\n", "f'call await {a}.close()'\n"),
        ("f'call await env.close() of {a}'\n", "f'call env.close() of {a}'\n"),
        ("x = f'''{a\n + 'b'}''' + await_\n", "x = f'''{a\n + 'b'}''' + await_\n"),
    ],
)  # fmt: skip
def test_async_and_await_go_and_names_change(asynchronous: str, sync: str) -> None:
    assert converted(asynchronous) == sync


@pytest.mark.parametrize(
    "source",
    [
        "import asyncio",
        "from asyncio import sleep",
        "import aiohttp.web",
        "async def f():\n    return f'{await g()}'",
        "async def f():\n    return f'{x.aio}'",
        "x: Awaitable[int]",
        "x = AsyncLock()",
        "x = io.create_task(f())",
    ],
)
def test_what_would_not_survive_is_refused(source: str) -> None:
    assert len(refusals(source)) == 1


def test_an_ordinary_module_is_not_refused() -> None:
    assert refusals("from . import _env\nfrom drums._io import aio as io\nx = f'{y!r}'\nz: AsyncIterator[int]") == []


def test_the_check_passes_on_what_was_just_made(project: Path) -> None:
    assert run(project) == 0
    assert run(project, "--check") == 0
    made = (project / "drums/_sync/_thing.py").read_text()
    assert made == HEAD + "def thing() -> int:\n    return other()\n"


@pytest.mark.parametrize("harm", ["edited tail", "cut", "missing", "left over", "left over folder", "not python"])
def test_the_check_sees_every_difference(project: Path, harm: str) -> None:
    assert run(project) == 0
    tree = project / "drums/_sync"
    thing = tree / "_thing.py"
    match harm:
        case "edited tail":
            thing.write_text(thing.read_text() + "\n")
        case "cut":
            thing.write_text(HEAD)
        case "missing":
            thing.unlink()
        case "left over":
            (tree / "_old.py").write_text("")
        case "left over folder":
            (tree / "old").mkdir()
            (tree / "old/_old.py").write_text("")
        case _:
            (tree / "junk.txt").write_text("")
    assert run(project, "--check") == 1
    assert run(project) == 0
    assert run(project, "--check") == 0


@pytest.mark.parametrize("source", ["import asyncio\n", "async def f(:\n"])
def test_a_source_that_cannot_be_converted_fails_and_writes_nothing(project: Path, source: str) -> None:
    (project / "drums/aio/_worse.py").write_text(source)
    for arguments in ([], ["--check"]):
        assert run(project, *arguments) == 2
    assert not (project / "drums/_sync").exists()


def test_a_rule_for_nothing_is_a_mistake(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with_rules(monkeypatch, {"anext": "next"})
    assert run(project) == 2
    assert "anext" in capsys.readouterr().err


def test_another_ruff_than_the_pinned_one_is_refused(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings = project / "pyproject.toml"
    settings.write_text(settings.read_text().replace("ruff==", "ruff==99."))
    assert run(project, "--check") == 2
    assert "99." in capsys.readouterr().err


def test_the_sync_sdk_is_what_the_asyncio_sdk_gives() -> None:
    command = [sys.executable, "tools/generate_sync.py", "--check"]
    done = subprocess.run(command, cwd=generate_sync.ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")

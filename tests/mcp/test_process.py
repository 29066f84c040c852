"""The server as a process over standard input and output: it serves, and leaves no desktop behind, however it ends."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters

import drums.aio
from tests.mcp.conftest import Session

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator
    from pathlib import Path

    from drums.local import InProcess


@pytest.fixture
async def onlooker(daemon: InProcess) -> AsyncIterator[drums.aio.Client]:
    """Sees which desktops there are."""
    async with drums.aio.connect(daemon.url, daemon.token) as client:
        yield client


def environment(daemon: InProcess, tmp_path: Path) -> dict[str, str]:
    """The variables of a server: the token is in a file, as a person would have it."""
    file = tmp_path / "token"
    file.write_text(daemon.token)
    file.chmod(0o600)
    kept = {name: value for name, value in os.environ.items() if not name.startswith("DRUMS")}
    return kept | {"DRUMS_URL": str(daemon.url), "DRUMS_TOKEN_FILE": str(file)}


@asynccontextmanager
async def served(daemon: InProcess, tmp_path: Path, *options: str) -> AsyncGenerator[Session]:
    """A session with a server of its own."""
    parameters = StdioServerParameters(
        command=sys.executable, args=["-m", "drums.mcp", *options], env=environment(daemon, tmp_path)
    )
    async with Client(parameters) as client:
        yield Session(client)


async def started(daemon: InProcess, tmp_path: Path, *options: str) -> asyncio.subprocess.Process:
    """A server that speaks to nobody yet."""
    return await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "drums.mcp", *options),
        env=environment(daemon, tmp_path),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )


async def until(onlooker: drums.aio.Client, count: int) -> list[drums.aio.Env]:
    """Wait until there are that many desktops."""
    async with asyncio.timeout(60):
        while len(envs := await onlooker.envs()) != count:  # noqa: ASYNC110 -- the daemon tells nobody of an end
            await asyncio.sleep(0.02)
    return envs


async def test_a_session_makes_its_desktop_and_ends_it(
    daemon: InProcess, tmp_path: Path, onlooker: drums.aio.Client
) -> None:
    async with served(daemon, tmp_path, "--task", "e0df059f", "--allow-verify") as model:
        assert len(await onlooker.envs()) == 1
        await model.call("run", command="mv ~/Desktop/todo_list_Jan_1 ~/Desktop/todo_list_Jan_2")
        assert (await model.call("verify"))["facts"]["score"] == 1
    await until(onlooker, 0)


async def test_a_desktop_that_was_there_before_outlives_the_server(
    daemon: InProcess, tmp_path: Path, onlooker: drums.aio.Client
) -> None:
    env = await onlooker.create()
    async with served(daemon, tmp_path, "--env", env.id) as model:
        assert (await model.call("run", command="touch ~/was-here"))["ok"]
    assert [one.id for one in await onlooker.envs()] == [env.id]
    assert (await env.step({"type": "execute", "command": ["ls", "/home/user/was-here"]})).result.returncode == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
async def test_a_server_that_is_told_to_end_ends_its_desktop(
    daemon: InProcess, tmp_path: Path, onlooker: drums.aio.Client, number: signal.Signals
) -> None:
    server = await started(daemon, tmp_path, "--lease", "600")
    await until(onlooker, 1)
    server.send_signal(number)
    await server.wait()
    assert await onlooker.envs() == []


async def test_a_server_whose_input_ends_ends_its_desktop(
    daemon: InProcess, tmp_path: Path, onlooker: drums.aio.Client
) -> None:
    server = await started(daemon, tmp_path, "--lease", "600")
    await until(onlooker, 1)
    out, _ = await server.communicate(b"")
    assert (server.returncode, out) == (0, b"")
    assert await onlooker.envs() == []


def message(number: int | None, method: str, **params: Any) -> bytes:
    """A line of the protocol."""
    told = {"jsonrpc": "2.0", "method": method, "params": params} | ({} if number is None else {"id": number})
    return json.dumps(told).encode() + b"\n"


async def test_a_server_killed_in_a_call_leaves_no_desktop(
    daemon: InProcess, tmp_path: Path, onlooker: drums.aio.Client
) -> None:
    """Nobody renews the lease any more."""
    server = await started(daemon, tmp_path, "--lease", "5")
    assert server.stdin is not None
    assert server.stdout is not None
    client = {"name": "test", "version": "1"}
    server.stdin.write(message(1, "initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo=client))
    assert b'"serverInfo"' in await server.stdout.readline()
    server.stdin.write(message(None, "notifications/initialized"))
    server.stdin.write(message(2, "tools/call", name="run", arguments={"command": "true"}))
    assert b"returncode" in await server.stdout.readline()
    server.stdin.write(message(3, "tools/call", name="run", arguments={"command": "sleep 1000", "timeout_s": 600}))
    await server.stdin.drain()
    server.kill()
    await server.wait()
    await until(onlooker, 0)


async def test_a_lease_is_renewed_while_the_server_lives(
    daemon: InProcess, tmp_path: Path, onlooker: drums.aio.Client
) -> None:
    async with served(daemon, tmp_path, "--lease", "3") as model:
        assert (await model.call("wait", seconds=5))["ok"]
        assert (await model.call("run", command="true"))["ok"]
    await until(onlooker, 0)


@pytest.mark.parametrize("options", [["--env", "s999"], ["--task", "no-such-task"], ["--env", "s1", "--task", "x"]])
async def test_a_server_that_cannot_have_its_desktop_says_why_in_one_line(
    daemon: InProcess, tmp_path: Path, options: list[str]
) -> None:
    server = await started(daemon, tmp_path, *options)
    out, err = await server.communicate(b"")
    assert server.returncode not in {0, None}
    assert out == b""
    assert err.startswith(b"drums: ")
    assert err.count(b"\n") == 1
    assert daemon.token.encode() not in err

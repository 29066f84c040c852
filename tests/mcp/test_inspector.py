"""The MCP inspector, a client that we did not write, lists the tools and calls one."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from drums.mcp import Terms
from drums.mcp._tools import offered

INSPECTOR = Path(__file__).resolve().parents[2] / "tools" / "mcp_inspector.sh"
NOT_HERE = 69


def inspected(*arguments: str) -> Any:
    """What the inspector prints of a server with a simulated desktop of its own."""
    server = ["-e", "DRUMS_URL=local", sys.executable, "-m", "drums.mcp"]
    command = [str(INSPECTOR), "--cli", *server, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode == NOT_HERE:
        pytest.skip(done.stderr.strip())
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.long
@pytest.mark.timeout(600)
def test_the_inspector_lists_every_tool_and_calls_one() -> None:
    listed = inspected("--method", "tools/list")
    assert {tool["name"] for tool in listed["tools"]} == set(offered(Terms()))
    called = inspected("--method", "tools/call", "--tool-name", "run", "--tool-arg", "command=echo hello")
    assert called["structuredContent"]["untrusted"] == "hello\n"

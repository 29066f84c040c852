"""The host's side of the agent: one request, one connection.

The path to the agent's socket lies in the desktop's own disk, so every step of it is opened without following links: a
desktop can't lead the host to another socket. Invariant: when a request returns, both ends of its connection are
closed.
"""

from __future__ import annotations

import asyncio
import json
import os
import socket
import stat
from typing import TYPE_CHECKING, Any, cast

from drums.local.machines.machine import GuestError
from drums.local.machines.runc import layout

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

QUICK_S = 10.0
"""For requests that the agent answers at once."""
FILE_S = 60.0
GRACE_S = 5.0
"""What a request may take beyond the time that the agent itself allows the action."""
REPLY_LIMIT_BYTES = 256 << 20


def ask(disk: Path, do: str, *, wait_s: float = QUICK_S, **arguments: object) -> dict[str, Any]:
    """Send the agent a request and give its reply.

    Raises:
        GuestError: It does not answer, not in time, or says that it could not do it.
    """
    try:
        return understood(do, exchange(disk, request_of(do, arguments), wait_s))
    except (OSError, ValueError) as broken:
        raise GuestError(f"the desktop does not answer ({do}: {broken})") from broken


async def ask_async(disk: Path, do: str, *, wait_s: float = QUICK_S, **arguments: object) -> dict[str, Any]:
    """The same without blocking the event loop."""
    try:
        async with asyncio.timeout(wait_s):
            return understood(do, await exchange_async(disk, request_of(do, arguments)))
    except (OSError, ValueError) as broken:  # TimeoutError is an OSError
        raise GuestError(f"the desktop does not answer ({do}: {str(broken) or 'not in time'})") from broken


def request_of(do: str, arguments: Mapping[str, object]) -> bytes:
    """A request as the agent reads it."""
    return json.dumps({"do": do, **arguments}).encode() + b"\n"


def understood(do: str, reply: bytes) -> dict[str, Any]:
    """What the agent replied.

    Raises:
        GuestError: It could not do it.
        ValueError: It is no reply.
    """
    content = json.loads(reply)
    if not isinstance(content, dict):
        raise ValueError("the answer is not an object")  # noqa: TRY004 - bad input, not a caller's mistake
    if "fault" in content:
        raise GuestError(f"the desktop could not do it ({do}: {content['fault']})")
    return cast("dict[str, Any]", content)


async def exchange_async(disk: Path, request: bytes) -> bytes:
    """Send bytes, and read until the agent has closed its end."""
    loop = asyncio.get_running_loop()
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_CLOEXEC) as connection:
        connect(connection, disk)
        connection.setblocking(False)
        await loop.sock_sendall(connection, request)
        pieces: list[bytes] = []
        while piece := await loop.sock_recv(connection, 1 << 20):
            pieces.append(piece)
            if sum(map(len, pieces)) > REPLY_LIMIT_BYTES:
                raise ValueError("the answer is too large")
        return b"".join(pieces)


def exchange(disk: Path, request: bytes, wait_s: float) -> bytes:
    """Send bytes, and read until the agent has closed its end."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_CLOEXEC) as connection:
        connection.settimeout(wait_s)
        connect(connection, disk)
        connection.sendall(request)
        pieces: list[bytes] = []
        while piece := connection.recv(1 << 20):
            pieces.append(piece)
            if sum(map(len, pieces)) > REPLY_LIMIT_BYTES:
                raise ValueError("the answer is too large")
        return b"".join(pieces)


def connect(connection: socket.socket, disk: Path) -> None:
    """Connect to the agent's socket below a desktop's disk."""
    fd = open_beneath(disk, layout.SOCKET_IN_DESKTOP, os.O_PATH)
    try:
        if not stat.S_ISSOCK(os.fstat(fd).st_mode):
            raise OSError("the agent's socket is not a socket")
        connection.connect(f"/proc/self/fd/{fd}")
    finally:
        os.close(fd)


def open_beneath(folder: Path, path: str, flags: int) -> int:
    """Open a path below a folder, following no link on the way."""
    *folders, name = path.split("/")
    fd = os.open(folder, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        for step in folders:
            inner = os.open(step, os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=fd)
            os.close(fd)
            fd = inner
        return os.open(name, flags | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=fd)
    finally:
        os.close(fd)

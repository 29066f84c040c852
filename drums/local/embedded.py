"""A daemon inside this process, on an event loop and thread of its own; by call, or over loopback HTTP as well.

The caller's thread never runs daemon code and the daemon's thread never runs the caller's; what passes between them is
a request and a future. The thread is a daemon thread and nothing is registered for the exit of the process: a program
may end without `close`, and clean-up that runs at exit still finds the daemon working.
Invariant: a request that was begun is finished, whether or not someone still waits for its future.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import threading
from concurrent.futures import Future
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from drums.local.server import listen_on, listening, url_of

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable, Mapping
    from typing import Self

    from drums.local.app import Receive, Scope, Send
    from drums.local.daemon import Daemon
    from drums.local.faults import Faults

Answer = tuple[int, dict[str, str], bytes]
"""Status, headers with names in lower case, body."""

CLOSE_S = 15.0
"""How long `close` waits for the daemon's thread; requests in flight get no grace, simulated desktops end at once."""


class InProcess:
    """A running daemon inside this process; any thread may use it. A context manager that closes it.

    Args:
        make: Makes the daemon; called again by `reset`.
        listener: A loopback socket on which the daemon is to serve HTTP too; it is closed with the daemon.
    """

    def __init__(self, make: Callable[[], Daemon], listener: socket.socket | None = None) -> None:
        self.url: str | None = url_of(listener) if listener else None
        """Where it serves HTTP; None if it does not."""
        self._make = make
        self._daemon = make()
        self._listener = listener
        self._pid = os.getpid()
        self._closed = False
        self._lock = threading.Lock()
        self._closing = asyncio.Event()
        self._requests: set[asyncio.Task[Any]] = set()
        """In flight, by call or over HTTP."""
        started: Future[asyncio.AbstractEventLoop] = Future()
        self._thread = threading.Thread(target=self._run, args=(started,), name="drums.local", daemon=True)
        self._thread.start()
        self._loop = started.result()

    @property
    def token(self) -> str:
        """The token that every request must carry."""
        return self._daemon.token

    @property
    def faults(self) -> Faults:
        """What is to go wrong; a test orders it here."""
        return self._daemon.faults

    def submit(self, method: str, target: str, headers: Mapping[str, str], body: bytes | None) -> Future[Answer]:
        """Begin one request. To cancel the future gives up the answer, not the request.

        Args:
            method: `GET`, `POST` or `DELETE`.
            target: Path and query, percent-encoded.
            headers: Among them `authorization`.
            body: JSON, or None.

        Returns:
            The answer to come; in it a dropped connection is a `ConnectionResetError`, a closed daemon a
            `ConnectionRefusedError`.

        Raises:
            RuntimeError: This is a forked process, and the daemon lives in its parent.
        """
        self._check_process()
        answer: Future[Answer] = Future()
        with self._lock:
            if self._closed:
                answer.set_exception(ConnectionRefusedError("the daemon in this process was closed"))
            else:
                scope = _scope(method, target, headers)
                self._loop.call_soon_threadsafe(self._begin, scope, body or b"", answer)
        return answer

    def reset(self) -> None:
        """Start afresh: end every desktop, forget every record and fault, and be a daemon that was just started.

        The URL and the token stay.
        """
        self._check_process()
        asyncio.run_coroutine_threadsafe(self._restart(), self._loop).result()

    def close(self) -> None:
        """End the daemon and its desktops; a second time, and in a forked process, nothing is done.

        Requests in flight are answered with 503.
        """
        if os.getpid() != self._pid:
            return
        with self._lock:
            if self._closed:
                return
            self._closed = True
            self._loop.call_soon_threadsafe(self._closing.set)
        if threading.current_thread() is not self._thread:
            self._thread.join(CLOSE_S)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exc: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<drums.local.InProcess {self.url or 'without HTTP'}{', closed' if self._closed else ''}>"

    def _check_process(self) -> None:
        if os.getpid() != self._pid:
            message = (
                f"this daemon lives in process {self._pid}, and a forked process can't reach it; "
                "start one with `drums up`, or connect to 'local' anew in this process"
            )
            raise RuntimeError(message)

    def _run(self, started: Future[asyncio.AbstractEventLoop]) -> None:
        try:
            asyncio.run(self._main(started))
        except BaseException as fault:
            if started.done():
                raise
            started.set_exception(fault)

    async def _main(self, started: Future[asyncio.AbstractEventLoop]) -> None:
        await self._daemon.start()
        try:
            async with contextlib.AsyncExitStack() as stack:
                if self._listener is not None:
                    await stack.enter_async_context(listening(self._serve, self._listener))
                started.set_result(asyncio.get_running_loop())
                await self._closing.wait()
                await self._end_requests()
        finally:
            await self._daemon.stop()

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        task = asyncio.current_task()
        if task is not None:
            self._keep(task)
        await self._daemon.app(scope, receive, send)

    async def _restart(self) -> None:
        await self._end_requests()
        await self._daemon.stop()
        self._daemon.faults.clear()
        self._daemon = self._make()
        await self._daemon.start()

    def _keep(self, task: asyncio.Task[Any]) -> None:
        self._requests.add(task)
        task.add_done_callback(self._requests.discard)

    async def _end_requests(self) -> None:
        for task in self._requests:
            task.cancel()
        if self._requests:
            await asyncio.wait(self._requests)

    def _begin(self, scope: Scope, body: bytes, answer: Future[Answer]) -> None:
        task = asyncio.ensure_future(_answered(self._serve, scope, body))
        self._keep(task)
        task.add_done_callback(partial(_hand_over, answer))


def serving(make: Callable[[], Daemon], host: str, port: int) -> InProcess:
    """A daemon inside this process that serves HTTP on a loopback address too; port 0 takes a free one.

    Raises:
        AddressError: The address can't be listened on.
    """
    listener = listen_on(host, port)
    try:
        return InProcess(make, listener)
    except BaseException:
        listener.close()
        raise


def _hand_over(answer: Future[Answer], task: asyncio.Task[Answer]) -> None:
    if not answer.set_running_or_notify_cancel():
        return
    if task.cancelled():
        answer.set_exception(ConnectionResetError("the daemon in this process was closed"))
    elif fault := task.exception():
        answer.set_exception(fault)
    else:
        answer.set_result(task.result())


def _scope(method: str, target: str, headers: Mapping[str, str]) -> Scope:
    path, _, query = target.partition("?")
    named = {"host": "127.0.0.1", **{name.lower(): value for name, value in headers.items()}}
    return {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": unquote(path),
        "raw_path": path.encode("ascii"),
        "query_string": query.encode("ascii"),
        "root_path": "",
        "headers": [(name.encode("latin-1"), value.encode("latin-1")) for name, value in named.items()],
        "client": None,
        "server": None,
        "state": {},
    }


async def _answered(app: Callable[[Scope, Receive, Send], Any], scope: Scope, body: bytes) -> Answer:
    """Run one request through an ASGI application."""
    sent: list[Mapping[str, Any]] = []
    unread = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> dict[str, Any]:
        return unread.pop() if unread else {"type": "http.disconnect"}

    async def send(message: Mapping[str, Any]) -> None:
        sent.append(message)

    await app(scope, receive, send)
    start, *parts = sent
    headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in start["headers"]}
    return start["status"], headers, b"".join(part["body"] for part in parts)

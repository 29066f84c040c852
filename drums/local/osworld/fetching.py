"""Fetching one file from the web into a folder of the host, for a daemon that was given leave to.

Only https and only public addresses, redirects included: a task is data from others, and must not lead the daemon to
what else answers on this machine's networks. A proxy that the environment names is its user's own choice. Invariant:
the file has its name only once it is whole; a try that failed leaves nothing; no server can make it last.
"""

from __future__ import annotations

import contextlib
import http.client
import ipaddress
import os
import socket
import ssl
import tempfile
import threading
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

FILE_LIMIT_BYTES = 512 * 1024 * 1024
"""The largest file of a task."""
TIMEOUT_S = 60.0
"""The longest that a server may say nothing."""
WITHIN_S = 900.0
"""The longest that one file may take."""
TRIES = 3
PIECE_BYTES = 1 << 20
SCHEME = "https://"


class CannotFetch(Exception):
    """The file was not had; the message says why."""


def is_public(address: str) -> bool:
    """Whether an IP address is one of the public internet."""
    ip = ipaddress.ip_address(address.partition("%")[0])
    inner = ip.ipv4_mapped if isinstance(ip, ipaddress.IPv6Address) else None
    return (inner or ip).is_global and not ip.is_multicast


class _Watched(http.client.HTTPConnection):
    """Looks where it got to, before it says anything there."""

    https: _Https
    """Who opened it."""
    _by_proxy = False

    def set_tunnel(self, *arguments: Any, **named: Any) -> None:
        """Go by a proxy."""
        self._by_proxy = True
        super().set_tunnel(*arguments, **named)

    def connect(self) -> None:
        """Connect.

        Raises:
            CannotFetch: It led to an address that may not be asked.
        """
        super().connect()
        self.https.opened.append(self.sock.dup())  # TLS takes the socket itself away
        address = self.sock.getpeername()[0]
        if not (self._by_proxy or self.https.may_reach(address)):
            self.close()
            raise CannotFetch(f"{self.host} is {address}, and only public addresses are asked")


class _WatchedTls(http.client.HTTPSConnection, _Watched):
    """The same, with TLS on top of it."""


class _Https(urllib.request.HTTPSHandler):
    """Opens watched connections.

    Args:
        context: Which certificates are trusted.
        may_reach: Whether an address may be asked.
    """

    def __init__(self, context: ssl.SSLContext, may_reach: Callable[[str], bool]) -> None:
        super().__init__(context=context)
        self.context = context
        self.may_reach = may_reach
        self.opened: list[socket.socket] = []
        """A handle on each connection's socket."""
        self.is_cut_off = False

    def https_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        """Ask."""
        return self.do_open(self._connection, req)  # type: ignore[arg-type]  # it only calls it

    def cut_off(self) -> None:
        """End what is being read, from another thread."""
        self.is_cut_off = True
        for opened in self.opened:
            with contextlib.suppress(OSError):
                opened.shutdown(socket.SHUT_RDWR)

    def forget(self) -> None:
        """Let go of the connections."""
        for opened in self.opened:
            opened.close()

    def _connection(self, host: str, *, timeout: float) -> _WatchedTls:
        connection = _WatchedTls(host, timeout=timeout, context=self.context)
        connection.https = self
        return connection


class _OnlyHttps(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *arguments: Any, **named: Any) -> Any:
        """What to ask instead; the URL is the last argument."""
        redirected = super().redirect_request(*arguments, **named)
        if redirected is not None:
            _demand_https(redirected.full_url)
        return redirected


def fetch(
    url: str,
    target: Path,
    *,
    context: ssl.SSLContext | None = None,
    limit_bytes: int = FILE_LIMIT_BYTES,
    within_s: float = WITHIN_S,
    may_reach: Callable[[str], bool] = is_public,
    sleep: Callable[[float], None] = time.sleep,
) -> None:
    """Fetch a URL into a file, three times at most; folders are made. It blocks.

    Args:
        url: What; `https` only.
        target: Where to.
        context: Which certificates are trusted; None: the system's.
        limit_bytes: The most that it may be.
        within_s: The longest that one try may take.
        may_reach: Whether an IP address may be asked.
        sleep: How to wait between tries, in seconds.

    Raises:
        CannotFetch: It could not be had, or is too large.
        OSError: The file can't be written.
    """
    _demand_https(url)
    target.parent.mkdir(parents=True, exist_ok=True)
    for attempt in range(1, TRIES + 1):
        try:
            _fetch_once(url, target, _Https(context or ssl.create_default_context(), may_reach), limit_bytes, within_s)
        except urllib.error.HTTPError as error:
            error.close()
            if attempt == TRIES or error.code < http.client.INTERNAL_SERVER_ERROR:
                raise CannotFetch(f"the server answered {error.code} {error.reason}") from error
        except (urllib.error.URLError, http.client.HTTPException, TimeoutError, ConnectionError) as error:
            if attempt == TRIES:
                raise CannotFetch(str(getattr(error, "reason", error)) or type(error).__name__) from error
        else:
            return
        sleep(float(attempt))


def _fetch_once(url: str, target: Path, https: _Https, limit_bytes: int, within_s: float) -> None:
    opener = urllib.request.build_opener(https, _OnlyHttps)
    request = urllib.request.Request(url, headers={"User-Agent": "drums"})  # noqa: S310 -- https, seen to above
    number, name = tempfile.mkstemp(prefix=".part-", dir=target.parent)
    part = Path(name)
    over = threading.Timer(within_s, https.cut_off)
    over.daemon = True
    over.start()
    try:
        with os.fdopen(number, "wb") as file, opener.open(request, timeout=TIMEOUT_S) as reply:
            _copy(reply, file, limit_bytes)
        part.replace(target)
    except (OSError, http.client.HTTPException) as error:
        if https.is_cut_off:
            raise CannotFetch(f"it took longer than {within_s:g} s") from error
        raise
    finally:
        over.cancel()
        over.join()
        https.forget()
        with contextlib.suppress(FileNotFoundError):
            part.unlink()


def _copy(reply: http.client.HTTPResponse, file: IO[bytes], limit_bytes: int) -> None:
    promised, size = reply.length, 0
    if promised is None and not reply.chunked:
        raise http.client.HTTPException("the server does not say where the file ends")
    while piece := reply.read(PIECE_BYTES):
        size += len(piece)
        if size > limit_bytes:
            raise CannotFetch(f"it is larger than {limit_bytes} bytes")
        file.write(piece)
    if promised is not None and size < promised:
        raise http.client.IncompleteRead(b"", promised - size)


def _demand_https(url: str) -> None:
    if not url.lower().startswith(SCHEME):
        raise CannotFetch(f"only {SCHEME} is fetched")

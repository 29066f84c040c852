"""Fetching one file from the web into a folder of the host, for a daemon that was given leave to.

Only https, redirects included: a task is data from others, and must not lead the daemon to what else answers on this
machine's networks. Invariant: the file has its name only once it is whole; a try that failed leaves nothing.
"""

from __future__ import annotations

import contextlib
import http.client
import os
import ssl
import tempfile
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
    sleep: Callable[[float], None] = time.sleep,
) -> None:
    """Fetch a URL into a file, three times at most; folders are made. It blocks.

    Args:
        url: What; `https` only.
        target: Where to.
        context: Which certificates are trusted; None: the system's.
        limit_bytes: The most that it may be.
        sleep: How to wait between tries, in seconds.

    Raises:
        CannotFetch: It could not be had, or is too large.
        OSError: The file can't be written.
    """
    _demand_https(url)
    target.parent.mkdir(parents=True, exist_ok=True)
    for attempt in range(1, TRIES + 1):
        try:
            _fetch_once(url, target, context, limit_bytes)
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


def _fetch_once(url: str, target: Path, context: ssl.SSLContext | None, limit_bytes: int) -> None:
    opener = urllib.request.build_opener(
        urllib.request.HTTPSHandler(context=context or ssl.create_default_context()), _OnlyHttps
    )
    request = urllib.request.Request(url, headers={"User-Agent": "drums"})  # noqa: S310 -- https, seen to above
    number, name = tempfile.mkstemp(prefix=".part-", dir=target.parent)
    part = Path(name)
    try:
        with os.fdopen(number, "wb") as file, opener.open(request, timeout=TIMEOUT_S) as reply:
            _copy(reply, file, reply.length, limit_bytes)
        part.replace(target)
    finally:
        with contextlib.suppress(FileNotFoundError):
            part.unlink()


def _copy(reply: IO[bytes], file: IO[bytes], promised: int | None, limit_bytes: int) -> None:
    deadline = time.monotonic() + WITHIN_S
    size = 0
    while piece := reply.read(PIECE_BYTES):
        size += len(piece)
        if size > limit_bytes:
            raise CannotFetch(f"it is larger than {limit_bytes} bytes")
        if time.monotonic() > deadline:
            raise CannotFetch(f"it took longer than {WITHIN_S:g} s")
        file.write(piece)
    if promised is not None and size < promised:
        raise http.client.IncompleteRead(b"", promised - size)


def _demand_https(url: str) -> None:
    if not url.lower().startswith(SCHEME):
        raise CannotFetch(f"only {SCHEME} is fetched")

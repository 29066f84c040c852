"""Where the server is and who asks: argument over environment over token file, checked once, before any request.

`resolve` reads the environment at the call, never at import, and never a file of the working directory: whoever sets
the address receives the token. The invariant: a `Settings` that exists is sound, and shows its token to nobody but the
transport. It is not in the repr, and a pickle carries none: the process that unpickles it reads its own.
"""

from __future__ import annotations

import math
import os
import stat
import warnings
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from drums._core.address import LOCAL, checked_url, is_loopback, proxy_for
from drums.errors import AuthError, BadRequest

if TYPE_CHECKING:
    from collections.abc import Mapping

DEFAULT_URL: Final = "http://127.0.0.1:7070"
"""Where `drums up` listens."""

TIMEOUT_S: Final = 900.0
"""A fork of many desktops on a busy host takes minutes; nothing takes a quarter of an hour."""

RETRY_S: Final = 60.0
"""A daemon that restarts is back well within a minute."""

CONNECT_TIMEOUT_S: Final = 10.0
"""A host that takes no connection within this time is unreachable, however long the call itself may take."""

_LONGEST_TOKEN_FILE: Final = 64 * 1024
_SET_A_TOKEN: Final = "Pass token=, or set DRUMS_TOKEN, or let DRUMS_TOKEN_FILE name a file that only you can read."  # noqa: S105


@dataclass(frozen=True, slots=True)
class Settings:
    """What every request needs, already checked."""

    url: str
    """Base URL without a trailing slash, its path kept; or `local`."""
    token: str | None = field(default=None, repr=False)
    """The bearer token, or None to send none."""
    timeout_s: float = TIMEOUT_S
    """Seconds that one request may take, unless the call says otherwise."""
    retry_s: float = RETRY_S
    """Seconds to go on trying a GET while the server is unreachable."""
    proxy: str | None = field(default=None, repr=False)
    """The HTTP proxy to go through (its URL may hold a password), or None."""
    token_source: str | None = None
    """Where the token was taken from, in words for a message; None where there is none."""

    @property
    def is_local(self) -> bool:
        """Whether this names the daemon inside this process."""
        return self.url == LOCAL

    def __reduce__(self) -> tuple[object, tuple[str, float, float, bool]]:
        return (_in_another_process, (self.url, self.timeout_s, self.retry_s, self.token is not None))

    def __copy__(self) -> Settings:
        return self

    def __deepcopy__(self, memo: object) -> Settings:
        return self


def resolve(
    url: str | None = None,
    token: str | None = None,
    *,
    timeout_s: float = TIMEOUT_S,
    retry_s: float = RETRY_S,
    environ: Mapping[str, str] | None = None,
    stacklevel: int = 1,
) -> Settings:
    """Settle where to connect and with which token.

    Args:
        url: `http://…`, `https://…` or `local`; None: `$DRUMS_URL`, `$DRUMSD_URL`, else the daemon on this machine.
        token: None: `$DRUMS_TOKEN`, else the file that `$DRUMS_TOKEN_FILE` names, else none. An empty one sends none.
        timeout_s: Seconds that one request may take.
        retry_s: Seconds to go on trying a GET while the server is unreachable.
        environ: What to read instead of `os.environ`.
        stacklevel: Whose line a warning names: 1 is the caller of this function, 2 the caller's caller.

    Raises:
        BadRequest: The URL, a time, the token or the proxy is not usable.
        AuthError: The token file is missing, readable by others, or empty.

    Warns:
        UserWarning: The token would cross a network unencrypted.
    """
    environ = os.environ if environ is None else environ
    if url is None:
        url = environ.get("DRUMS_URL") or environ.get("DRUMSD_URL") or DEFAULT_URL
    base = checked_url(url)
    timeout_s, retry_s = _seconds("timeout", timeout_s, zero=False), _seconds("retry_s", retry_s, zero=True)
    if base == LOCAL:
        return Settings(base, None, timeout_s, retry_s)
    secret, source = _token(token, environ)
    if secret and base.startswith("http:") and not is_loopback(base):
        words = f"the token goes unencrypted to {base}: everybody on the way can read it. Use https."
        warnings.warn(words, UserWarning, stacklevel=stacklevel + 1)
    return Settings(base, secret, timeout_s, retry_s, proxy_for(base, environ), source)


def _in_another_process(url: str, timeout_s: float, retry_s: float, had_token: bool) -> Settings:
    settings = resolve(url, timeout_s=timeout_s, retry_s=retry_s)
    if had_token and settings.token is None:
        raise _no_token("this client came from another process, and this one has no token of its own")
    return settings


def _seconds(name: str, value: object, *, zero: bool) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise BadRequest(400, f"{name} must be a number of seconds", sent="no")
    if not math.isfinite(value) or value < 0 or (value == 0 and not zero):
        raise BadRequest(
            400, f"{name} must be {'0 or more' if zero else 'more than 0'} seconds and finite, not {value}", sent="no"
        )
    return float(value)


def _token(given: str | None, environ: Mapping[str, str]) -> tuple[str | None, str | None]:
    """The token and where it came from."""
    if given is not None:
        return _checked(given, "the argument token=")
    if environ.get("DRUMS_TOKEN"):
        return _checked(environ["DRUMS_TOKEN"], "$DRUMS_TOKEN")
    path = environ.get("DRUMS_TOKEN_FILE")
    if not path:
        return None, None
    token, source = _checked(_read(path), f"the file {path}")
    if token is None:
        raise _no_token(f"the token file {path} is empty")
    return token, source


def _checked(token: object, source: str) -> tuple[str | None, str | None]:
    if not isinstance(token, str):
        raise BadRequest(400, f"the token from {source} must be a text", sent="no", hint=_SET_A_TOKEN)
    token = token.strip()
    if not token:
        return None, None
    if not all("!" <= c <= "~" for c in token):
        what = f"the token from {source} holds a blank or a character that no token has"
        raise BadRequest(400, what, sent="no", hint=_SET_A_TOKEN)
    return token, source


def _read(path: str) -> str:
    """The file's text.

    Raises:
        AuthError: It can't be read, or others could read it too.
    """
    try:
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NONBLOCK", 0))
    except OSError as fault:
        raise _no_token(f"the token file {path} can't be opened: {fault.strerror}") from fault
    try:
        facts = os.fstat(handle)
        if not stat.S_ISREG(facts.st_mode):
            raise _no_token(f"the token file {path} is not a file")
        # Windows has no such bits: every file there looks readable by all.
        if os.name == "posix" and facts.st_mode & (stat.S_IRWXG | stat.S_IRWXO):
            raise _no_token(f"the token file {path} can be read by others", hint=f"Run: chmod 600 {path}")
        return os.read(handle, _LONGEST_TOKEN_FILE).decode("utf-8", "replace")
    finally:
        os.close(handle)


def _no_token(what: str, *, hint: str = _SET_A_TOKEN) -> AuthError:
    return AuthError(401, what, sent="no", hint=hint)

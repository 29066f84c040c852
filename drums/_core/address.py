"""What a usable server address is, whether it is this machine, and which proxy leads to it.

Pure text rules over the standard library's URL splitting. The invariant: what `checked_url` lets through has a scheme
and a host, holds no secret and nothing that could end a line of an HTTP head.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from drums.errors import BadRequest

if TYPE_CHECKING:
    from collections.abc import Mapping
    from urllib.parse import SplitResult

LOCAL: Final = "local"
"""The URL that stands for a daemon with simulated desktops inside this process."""

_PORTS: Final = {"http": 80, "https": 443}
_USE: Final = "Use http://host:port, https://host/path or local."


def checked_url(url: object) -> str:
    """The base URL without a trailing slash; its path is kept.

    Raises:
        BadRequest: It is no http or https URL, or holds a user name, a query or characters that belong percent-encoded.
    """
    if not isinstance(url, str) or not url.strip():
        raise _bad("the server's URL must be a text that is not empty")
    url = url.strip()
    if url == LOCAL:
        return LOCAL
    if not url.isascii() or any(c <= " " or c == "\x7f" or c in '\\<>"{}|^`' for c in url):
        raise _bad("the server's URL holds characters that belong percent-encoded, or for a host name in its xn-- form")
    parts = split(url)
    if parts.scheme not in _PORTS:
        raise _bad(f"the server's URL must begin with http:// or https://, not with {parts.scheme or 'a path'!r}")
    if "@" in parts.netloc:
        raise _bad("the server's URL must not hold a user name or password; pass the token as token=")
    if not parts.hostname or parts.netloc.endswith(":"):
        raise _bad("the server's URL names no host, or no port after its colon")
    if not _is_name(parts.hostname):
        raise _bad(f"the server's URL names a host that can't exist: {parts.hostname[:80]}")
    if parts.query or parts.fragment or url.endswith(("?", "#")):
        raise _bad("the server's URL must end with its path: no ? and no #")
    return f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}"


def split(url: str) -> SplitResult:
    """The parts of a URL whose port, if any, is a number.

    Raises:
        BadRequest: It can't be split.
    """
    from urllib.parse import urlsplit  # noqa: PLC0415  # 5 ms that `import drums` need not pay

    try:
        parts = urlsplit(url)
        if parts.port == 0:
            raise _bad("the port 0 of the server's URL is not a place to connect to")
    except ValueError as fault:
        raise _bad(f"the server's URL can't be read: {fault}") from None
    return parts


def host_and_port(url: str) -> tuple[str, int]:
    """The host (an IPv6 address without brackets) and port of a checked URL."""
    parts = split(url)
    return parts.hostname or "", parts.port or _PORTS[parts.scheme]


def authority(host: str, port: int) -> str:
    """Host and port as they stand in a URL."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def is_loopback(url: str) -> bool:
    """Whether a checked URL can only mean this machine."""
    host = split(url).hostname or ""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    from ipaddress import ip_address  # noqa: PLC0415  # as above

    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def proxy_for(url: str, environ: Mapping[str, str]) -> str | None:
    """The proxy that the environment sets for a checked URL, or None to connect directly.

    `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY` and `NO_PROXY` are read as curl and httpx read them; the small letters win.
    This machine is never reached through a proxy.

    Raises:
        BadRequest: The proxy is not an `http://` one.
    """
    scheme = split(url).scheme
    proxy = _variable(environ, f"{scheme}_proxy") or _variable(environ, "all_proxy")
    if not proxy or is_loopback(url) or _is_exempt(url, _variable(environ, "no_proxy")):
        return None
    if "://" not in proxy:
        proxy = f"http://{proxy}"
    parts = split(proxy)
    if parts.scheme != "http" or not parts.hostname:
        raise _bad(
            f"the proxy that the environment sets for {scheme} is {parts.scheme!r}, and only http:// ones are spoken",
            hint=f"Set {scheme}_proxy to an http:// proxy, or name the server in NO_PROXY.",
        )
    return proxy


def _is_name(host: str) -> bool:
    """Whether a resolver could take it: an address, or labels of 1 to 63 characters."""
    labels = host.removesuffix(".").split(".")
    return ":" in host or (len(host) < 254 and all(0 < len(label) < 64 for label in labels))


def _variable(environ: Mapping[str, str], name: str) -> str:
    # Where a web server started this process, HTTP_PROXY is a header of the visitor's request, not a setting (httpoxy).
    if name == "http_proxy" and "REQUEST_METHOD" in environ:
        return environ.get(name, "").strip()
    return (environ.get(name) or environ.get(name.upper()) or "").strip()


def _is_exempt(url: str, no_proxy: str) -> bool:
    host, port = host_and_port(url)
    for entry in no_proxy.replace(",", " ").split():
        name, _, wanted = (
            entry.lower().rpartition(":") if entry.rpartition(":")[2].isdigit() else (entry.lower(), "", "")
        )
        if wanted and int(wanted) != port:
            continue
        name = name.lstrip("*").strip("[]")
        if not name or host == name.lstrip(".") or host.endswith("." + name.lstrip(".")):
            return True
    return False


def _bad(what: str, *, hint: str = _USE) -> BadRequest:
    return BadRequest(400, what, sent="no", hint=hint)

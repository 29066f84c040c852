"""`open URL…`, `close URL…`, `list`: the tabs of the browser whose debugging port listens in this desktop.

OSWorld's tasks have the browser listen on 1337 and pass 9222 on to it. A browser that was just started may not listen
yet: it is waited for. Invariant: the exit status is 0 only when every tab that was named was opened or closed.
"""

from __future__ import annotations

import json
import sys
import time
import urllib.parse
import urllib.request
from typing import Any

PORTS = (9222, 1337)
LISTENS_WITHIN_S = {"open": 30.0, "close": 30.0, "list": 5.0}
ANSWER_S = 10.0
NOT_LISTENING = 3


def ask(port: int, path: str, method: str = "GET") -> bytes:
    """One request to the browser."""
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    request = urllib.request.Request(f"http://127.0.0.1:{port}/json/{path}", method=method)
    with direct.open(request, timeout=ANSWER_S) as reply:
        return bytes(reply.read())


def listening(within_s: float) -> int | None:
    """The port that answers; None when none does in time."""
    deadline = time.monotonic() + within_s
    while True:
        for port in PORTS:
            try:
                ask(port, "version")
            except (OSError, ValueError):
                continue
            return port
        if time.monotonic() >= deadline:
            return None
        time.sleep(0.5)


def pages(port: int) -> list[dict[str, Any]]:
    """The tabs, the one that was last in front first."""
    return [target for target in json.loads(ask(port, "list")) if target.get("type") == "page"]


def open_tabs(port: int, urls: list[str]) -> int:
    """Open a tab for each URL; the empty ones that were there go."""
    empty = [
        page for page in pages(port) if page["url"].startswith(("about:blank", "chrome://newtab", "chrome://new-tab"))
    ]
    for url in urls:
        ask(port, "new?" + urllib.parse.quote(url, safe=":/?&=%#"), "PUT")
    for page in empty:
        ask(port, f"close/{page['id']}")
    return 0


def close_tabs(port: int, urls: list[str]) -> int:
    """Close a tab of each URL."""
    for url in urls:
        found = [page for page in pages(port) if page["url"].rstrip("/") == url.rstrip("/")]
        if not found:
            sys.stderr.write(f"no tab shows {url}\n")
            return 1
        ask(port, f"close/{found[0]['id']}")
    return 0


def main() -> int:
    """Do what the arguments say."""
    deed, *urls = sys.argv[1:]
    port = listening(LISTENS_WITHIN_S[deed])
    if port is None:
        sys.stderr.write(f"no browser listens on port {' or '.join(map(str, PORTS))}\n")
        return NOT_LISTENING
    if deed == "list":
        json.dump([{"title": page.get("title", ""), "url": page["url"]} for page in pages(port)], sys.stdout)
        return 0
    return open_tabs(port, urls) if deed == "open" else close_tabs(port, urls)


if __name__ == "__main__":
    sys.exit(main())

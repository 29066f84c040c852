"""The steps that deal with the browser: tabs, over its debugging port, and the history that it has on disk.

What talks to the browser is a program of ours that runs in the desktop: the host opens no connection to one. Invariant:
only pages that a desktop without network can show are opened; a task with others is refused when it is read.
"""

from __future__ import annotations

import ipaddress
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from drums.local.osworld.errors import TaskMalformed, TaskUnsupported
from drums.local.osworld.fields import Fields, kind, texts
from drums.local.osworld.inside import script

from .base import demand_success

if TYPE_CHECKING:
    from drums.local.osworld.reading import Reading
    from drums.local.osworld.stage import Stage

HISTORY = "~/.config/google-chrome/Default/History"
WEB = "pages of the web, and desktops have no network"


@dataclass(frozen=True, slots=True)
class Tabs:
    """Open or close tabs of the browser that listens."""

    name: str
    deed: str
    """`open` or `close`."""
    urls: tuple[str, ...]
    observes: bool = False

    @classmethod
    def read_open(cls, name: str, fields: Fields, _: Reading) -> Tabs:
        """From `{"urls_to_open": […]}`."""
        return cls(name, "open", _read_urls(fields, "urls_to_open"))

    @classmethod
    def read_close(cls, name: str, fields: Fields, _: Reading) -> Tabs:
        """From `{"urls_to_close": […]}`."""
        return cls(name, "close", _read_urls(fields, "urls_to_close"))

    async def run(self, stage: Stage) -> None:
        """Do it."""
        command = ["python3", "-c", script("tabs"), self.deed, *self.urls]
        demand_success(self.name, await stage.desktop.execute(command, shell=False))


@dataclass(frozen=True, slots=True)
class BrowseHistory:
    """Add visits to the browser's history; it must not run meanwhile."""

    name: str
    visits: tuple[tuple[str, str, float], ...]
    """URL, title, seconds ago."""
    observes: bool = False

    @classmethod
    def read(cls, name: str, fields: Fields, _: Reading) -> BrowseHistory:
        """From `{"history": [{"url": …, "title": …, "visit_time_from_now_in_seconds": …}]}`."""
        fields.only("history")
        visits: list[tuple[str, str, float]] = []
        for entry in fields.objects("history"):
            entry.only("url", "title", "visit_time_from_now_in_seconds")
            title = entry.text_or("title", "")
            visits.append((entry.text("url"), title, entry.seconds("visit_time_from_now_in_seconds")))
        return cls(name, tuple(visits))

    async def run(self, stage: Stage) -> None:
        """Do it."""
        command = ["python3", "-c", script("history"), HISTORY, json.dumps(self.visits)]
        demand_success(self.name, await stage.desktop.execute(command, shell=False))


def _read_urls(fields: Fields, name: str) -> tuple[str, ...]:
    fields.only(name)
    urls = texts(fields.items(name), fields.at(name))
    if not urls:
        raise TaskMalformed(fields.at(name), f"expected a list of URLs, got {kind(fields.get(name))}")
    for url in urls:
        if on_the_web(url):
            raise TaskUnsupported(f"{fields.at(name)}: {url[:80]!r} is one of the {WEB}", f"the {WEB}")
    return urls


def on_the_web(url: str) -> bool:
    """Whether a page is anywhere but in the desktop itself."""
    try:
        parts = urlsplit(url if "://" in url or url.startswith(("about:", "data:")) else f"https://{url}")
        host = parts.hostname or ""
    except ValueError:
        return True
    if parts.scheme not in {"http", "https", "ws", "wss", "ftp"}:
        return False
    try:
        return not ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host != "localhost" and not host.endswith(".localhost")

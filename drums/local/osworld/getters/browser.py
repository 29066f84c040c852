"""Getters of the browser: its settings, as Chrome keeps them on disk, and its tabs, as it tells them.

The host opens no connection into a desktop: a program of ours asks the browser from inside. Invariant: a profile that
is not there, or is no profile, reads as a fresh one: what Chrome would do without it.
"""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from drums.local.machines.machine import GuestError
from drums.local.osworld.inside import script

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from drums.local.osworld.fields import Fields, Json
    from drums.local.osworld.reading import Reading
    from drums.local.osworld.stage import Stage

    from .base import Getter

    Profile = Mapping[str, Json]

PROFILE = "~/.config/google-chrome/Default"
PROFILE_LIMIT_BYTES = 8 * 1024 * 1024
NOT_LISTENING = 3
"""What the program that asks for tabs ends with where no browser listens."""
RESTORE_NEW_TAB = 5
FRESH_FONT_SIZES = {"default_fixed_font_size": 13, "default_font_size": 16, "minimum_font_size": 13}


@dataclass(frozen=True, slots=True)
class ProfileValue:
    """One thing out of a JSON file of the browser's profile."""

    file: str
    pick: Callable[[Profile], Json]

    async def fetch(self, stage: Stage) -> Json:
        """It, or what a fresh profile has."""
        content = await stage.desktop.read_file(f"{PROFILE}/{self.file}", PROFILE_LIMIT_BYTES)
        return self.pick(await asyncio.to_thread(_object_in, content))


@dataclass(frozen=True, slots=True)
class OpenTabs:
    """The tabs of the browser that listens."""

    async def fetch(self, stage: Stage) -> list[dict[str, str]]:
        """Their titles and URLs, the one in front first; empty where no browser listens."""
        outcome = await stage.desktop.execute(["python3", "-c", script("tabs"), "list"], shell=False)
        if outcome.returncode == NOT_LISTENING:
            return []
        if outcome.returncode != 0:
            raise GuestError(f"the browser does not tell its tabs: {(outcome.error or '').strip()[-200:]}")
        try:
            listed: Json = json.loads(outcome.output or "")
        except (ValueError, RecursionError) as error:
            raise GuestError("the browser's tabs are no JSON") from error
        tabs = cast("list[Json]", listed) if isinstance(listed, list) else []
        return [{key: str(tab.get(key, "")) for key in ("title", "url")} for tab in map(_as_object, tabs)]


@dataclass(frozen=True, slots=True)
class ActiveTab:
    """The tab in front."""

    url_only: bool

    async def fetch(self, stage: Stage) -> dict[str, str] | str | None:
        """Its title and URL, or its URL; None where no browser listens."""
        tabs = await OpenTabs().fetch(stage)
        if not tabs:
            return None
        return tabs[0]["url"] if self.url_only else tabs[0]


def _object_in(content: bytes | None) -> Profile:
    try:
        return _as_object(json.loads(content or b"{}"))
    except (ValueError, RecursionError):
        return {}


def _as_object(value: Json) -> Profile:
    return cast("dict[str, Json]", value) if isinstance(value, dict) else {}


def _at(profile: Profile, *path: str) -> Json:
    """The value at a path; None where it is missing."""
    value: Json = profile
    for name in path:
        value = _as_object(value).get(name)
    return value


def _words(condition: bool) -> str:
    return "true" if condition else "false"


def _search_engine(profile: Profile) -> Json:
    return _at(profile, "default_search_provider_data", "template_url_data", "short_name") or "Google"


def _safe_browsing(profile: Profile) -> Json:
    return _words(any(_at(profile, "safebrowsing", name) for name in ("enhanced", "enabled")))


def _startup_page(profile: Profile) -> Json:
    session = profile.get("session")
    return _words(session is None or _at(profile, "session", "restore_on_startup") == RESTORE_NEW_TAB)


def _extensions(profile: Profile, *path: str) -> Json:
    settings = _as_object(_at(profile, "extensions", "settings"))
    return [found for entry in settings.values() if (found := _at(_as_object(entry), *path)) is not None]


PREFERENCES: Mapping[str, Callable[[Profile], Json]] = {
    "chrome_font_size": lambda profile: _at(profile, "webkit", "webprefs") or FRESH_FONT_SIZES,
    "data_delete_automacally": lambda profile: _words(
        _at(profile, "profile", "default_content_setting_values", "cookies") is not None
    ),
    "default_search_engine": _search_engine,
    "enable_do_not_track": lambda profile: _words(bool(profile.get("enable_do_not_track"))),
    "enable_enhanced_safety_browsing": lambda profile: _words(bool(_at(profile, "safebrowsing", "enhanced"))),
    "enable_safe_browsing": _safe_browsing,
    "find_installed_extension_name": lambda profile: _extensions(profile, "manifest", "name"),
    "find_unpacked_extension_path": lambda profile: _extensions(profile, "path"),
    "new_startup_page": _startup_page,
    "profile_name": lambda profile: _at(profile, "profile", "name"),
}
"""What each getter of a setting takes out of the profile's `Preferences`."""


def read_preference(name: str) -> Callable[[Fields, Reading], Getter]:
    """The reader of a getter of a setting."""

    def read(fields: Fields, _: Reading) -> Getter:
        fields.only("type")
        return ProfileValue("Preferences", PREFERENCES[name])

    return read


def read_bookmarks(fields: Fields, _: Reading) -> Getter:
    """The roots of the bookmarks."""
    fields.only("type")
    return ProfileValue("Bookmarks", lambda bookmarks: _at(bookmarks, "roots") or {})


def read_open_tabs(fields: Fields, _: Reading) -> Getter:
    """All tabs."""
    fields.only("type")
    return OpenTabs()


def read_active_tab(fields: Fields, _: Reading) -> Getter:
    """The tab in front. `goto_prefix` mends what OSWorld reads off the screen; the browser tells the whole URL."""
    fields.only("type", "goto_prefix")
    return ActiveTab(url_only=False)


def read_active_url(fields: Fields, _: Reading) -> Getter:
    """The URL of the tab in front."""
    fields.only("type", "goto_prefix")
    return ActiveTab(url_only=True)

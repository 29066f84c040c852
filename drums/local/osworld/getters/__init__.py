"""Getters: what is read off a desktop, or out of the task, for a checker to look at.

A getter fetches and never judges. Invariant: None means that the thing is not there, which is a fact about the
desktop; a desktop that does not answer is an exception, and never looks like a missing thing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from drums.local.osworld.errors import TaskMalformed, TaskUnsupported
from drums.local.osworld.fields import Fields, Json

from . import apps, browser, commands, files, screen
from .base import FILE_LIMIT_BYTES, Getter
from .files import tree_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from drums.local.osworld.reading import Reading
    from drums.local.osworld.stage import Stage


@dataclass(frozen=True, slots=True)
class Rule:
    """What the task itself says; nothing is fetched."""

    rules: Json

    async def fetch(self, _: Stage) -> Json:
        """The rules."""
        return self.rules


def _read_rule(fields: Fields, _: Reading) -> Getter:
    fields.only("type", "rules")
    if fields.get("rules") is None:
        raise TaskMalformed(fields.at("rules"), "is missing")
    return Rule(fields.get("rules"))


GETTERS: Mapping[str, Callable[[Fields, Reading], Getter]] = {
    "accessibility_tree": screen.read_tree,
    "active_tab_info": browser.read_active_tab,
    "active_url_from_accessTree": browser.read_active_url,
    "bookmarks": browser.read_bookmarks,
    "cache_file": commands.read_kept,
    "cloud_file": files.read_cloud_file,
    "default_video_player": apps.read_video_player,
    "gimp_config_file": apps.read_gimp,
    "list_directory": files.read_directory,
    "open_tabs_info": browser.read_open_tabs,
    "pack_file": files.read_pack_file,
    "rule": _read_rule,
    "vlc_config": apps.read_vlc,
    "vm_command_error": commands.read_command("error"),
    "vm_command_line": commands.read_command("output"),
    "vm_file": files.read_vm_file,
    "vm_screen_size": screen.read_screen_size,
    "vm_terminal_output": screen.read_terminal,
    "vm_wallpaper": screen.read_wallpaper,
    "vm_window_size": screen.read_window_size,
    "vscode_config": apps.read_vscode,
    **{name: browser.read_preference(name) for name in browser.PREFERENCES},
}
"""How each type of getter is read; a type that is not here is not supported."""


ACCESSIBLE = frozenset({"accessibility_tree", "vm_terminal_output"})
"""The getters that read what programs tell of their widgets."""


def read_getter(value: Json, where: str, reading: Reading) -> Getter:
    """One getter of an evaluator.

    Raises:
        TaskMalformed: It is not what OSWorld's format says.
        TaskUnsupported: Its type, or a parameter of it, is not built here.
    """
    fields = Fields.of(value, where)
    name = fields.text("type")
    if name not in GETTERS:
        what = f"the getter {name!r}"
        raise TaskUnsupported(f"{where}: {what} is not supported", what)
    return GETTERS[name](fields, reading)


__all__ = ["ACCESSIBLE", "FILE_LIMIT_BYTES", "GETTERS", "Getter", "Rule", "read_getter", "tree_of"]

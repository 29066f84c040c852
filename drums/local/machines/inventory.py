"""What of a desktop two looks compare, to tell what was touched between them: files, settings and running programs.

Machines take it from outside the desktop, so that nothing inside can answer for it; what a difference means is the
task's. Invariant: bounded. A desktop with more in it than the limits gives an inventory that says it is not complete.
"""

from __future__ import annotations

import json
import zlib
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

HOME = "/home/user"
CACHE_FOLDER = ".cache"
"""In the home folder: programs' own scratch, which is not looked at."""
KEYFILE = ".config/glib-2.0/settings/keyfile"
"""In the home folder: where desktops keep their settings (GLib's keyfile backend)."""

ENTRY_LIMIT = 50_000
"""The most files and folders of one home folder."""
HASHED_BYTES_LIMIT = 512 * 1024 * 1024
"""The most content of one home folder that is hashed."""
KEYFILE_BYTES_LIMIT = 1024 * 1024
SYSTEM_FOLDERS = ("/usr/", "/bin/", "/sbin/", "/lib/", "/lib64/", "/opt/")
"""Where the desktop's user can't put programs."""


@dataclass(frozen=True, slots=True)
class Inventory:
    """What there is in a desktop at one moment."""

    files: Mapping[str, str] = field(default_factory=dict[str, str])
    """A fingerprint of each file, folder and link of the home folder, by its path: kind, mode, owner and content."""
    settings: Mapping[str, str] = field(default_factory=dict[str, str])
    """The value of each setting that was set, by schema and key: `org.gnome.desktop.session.idle-delay`."""
    programs: Mapping[str, int] = field(default_factory=dict[str, int])
    """How many processes run each program, by `program_name`."""
    complete: bool = True
    """Whether it has everything; not where there is more than the limits allow."""

    def packed(self) -> bytes:
        """It as few bytes, for `unpacked`."""
        content = [dict(self.files), dict(self.settings), dict(self.programs), self.complete]
        return zlib.compress(json.dumps(content, separators=(",", ":")).encode(), 6)

    @classmethod
    def unpacked(cls, packed: bytes) -> Inventory:
        """The inventory that `packed` gave these bytes."""
        return cls(*json.loads(zlib.decompress(packed)))


def settings_of(keyfile: bytes | None) -> dict[str, str]:
    """The settings in a keyfile's content; what is no group and no entry is left out, as GLib does."""
    found: dict[str, str] = {}
    schema = ""
    for line in (keyfile or b"").decode("utf-8", "replace").splitlines():
        if line.startswith("[") and line.endswith("]"):
            schema = line[1:-1].strip("/").replace("/", ".")
        elif "=" in line and not line.startswith("#"):
            key, _, value = line.partition("=")
            found[f"{schema}.{key.strip()}"] = value.strip()
    return found


def program_name(path: str) -> str:
    """What a program is called: its file's name where the system keeps it; else the path, as users choose names."""
    return path.rpartition("/")[2] if path.startswith(SYSTEM_FOLDERS) else path


def counted(names: Iterable[str]) -> dict[str, int]:
    """How often each name is there."""
    return dict(Counter(names))

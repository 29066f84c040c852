"""What a folder shows: its entries without the hidden ones, folders first, each with the kind of its icon.

Invariant: pure; the picture and the mouse see the same entries in the same order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from .tree import Folder

if TYPE_CHECKING:
    from .disk import Disk

Kind = Literal["folder", "text", "image", "archive", "program", "file"]

KINDS: dict[str, Kind] = {
    **dict.fromkeys(
        ("txt", "md", "csv", "json", "log", "py", "sh", "html", "xml", "ini", "cfg", "yaml", "yml", "toml"), "text"
    ),
    **dict.fromkeys(("png", "jpg", "jpeg", "gif", "webp", "bmp", "svg"), "image"),
    **dict.fromkeys(("zip", "tar", "gz", "tgz", "xz", "bz2", "7z"), "archive"),
}
"""The icon of a file, by the end of its name."""
PROGRAM_BITS = 0o111


def shown(disk: Disk, folder: str) -> dict[str, Kind]:
    """A folder's entries by name; none where it cannot be read."""
    try:
        entries = disk.entries(folder)
    except OSError:
        return {}
    kinds: dict[str, Kind] = {name: _kind(disk, folder, name) for name in entries if not name.startswith(".")}
    return dict(sorted(kinds.items(), key=lambda item: (item[1] != "folder", item[0].lower(), item[0])))


def _kind(disk: Disk, folder: str, name: str) -> Kind:
    node = disk.find(f"{folder}/{name}")
    if isinstance(node, Folder):
        return "folder"
    end = name.rpartition(".")[2].lower()
    if end in KINDS:
        return KINDS[end]
    return "program" if node is not None and node.mode & PROGRAM_BITS else "file"

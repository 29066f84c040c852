"""The inventory of a simulated desktop.

It only reads. Invariant: a fingerprint is of what a node is, not of when it was written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from drums.local.machines.inventory import CACHE_FOLDER, ENTRY_LIMIT, HOME, KEYFILE, Inventory, counted, settings_of

from .files.tree import File, Folder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .files.tree import Node
    from .guest import Guest


def inventory_of(guest: Guest) -> Inventory:
    """Files below the home folder, settings, and what runs."""
    home = guest.disk.root.below(HOME.strip("/").split("/"))
    keyfile = guest.disk.root.below(f"{HOME}/{KEYFILE}".strip("/").split("/"))
    nodes = list(_nodes(home, HOME)) if isinstance(home, Folder) else []
    return Inventory(
        {path: _fingerprint(node) for path, node in nodes[:ENTRY_LIMIT]},
        settings_of(keyfile.content if isinstance(keyfile, File) else None),
        counted(process.name for process in guest.processes.table.values()),
        complete=len(nodes) <= ENTRY_LIMIT,
    )


def _nodes(folder: Folder, path: str) -> Iterator[tuple[str, Node]]:
    for name, node in folder.entries.items():
        if name == CACHE_FOLDER and path == HOME:
            continue
        below = f"{path}/{name.encode('utf-8', 'surrogateescape').decode('utf-8', 'backslashreplace')}"
        yield below, node
        if isinstance(node, Folder):
            yield from _nodes(node, below)


def _fingerprint(node: Node) -> str:
    """What is in a folder has fingerprints of its own."""
    return f"folder {node.mode:o} {node.owner}" if isinstance(node, Folder) else node.digest.hex()

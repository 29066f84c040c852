"""The images that are installed in the area.

Invariant: an image without its record is half made and is not listed.
"""

from __future__ import annotations

import json
import shutil
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from drums.local.machines.machine import MachineError
from drums.local.machines.runc import btrfs, facts

if TYPE_CHECKING:
    from drums.local.machines.runc.layout import Layout


@dataclass(frozen=True, slots=True)
class Image:
    """An installed image."""

    name: str
    aliases: tuple[str, ...]
    fingerprint: str
    """Of the recipe and of all that is put into the image."""
    release: str
    size_bytes: int


def installed(layout: Layout) -> list[Image]:
    """The images that are whole, by name."""
    if not layout.images.is_dir():
        return []
    found = [read(layout, entry.name) for entry in sorted(layout.images.iterdir())]
    return [image for image in found if image is not None]


def read(layout: Layout, name: str) -> Image | None:
    """One image; None where it is not whole."""
    raw = facts.load(layout.image(name).facts)
    if raw is None:
        return None
    fields: dict[str, Any] = {**raw, "aliases": tuple(raw["aliases"])}
    return Image(**fields)


def write(layout: Layout, image: Image) -> None:
    """Record that an image is whole."""
    path = layout.image(image.name).facts
    draft = path.with_suffix(".draft")
    draft.write_text(json.dumps(asdict(image), indent=1))
    draft.rename(path)


def remove(layout: Layout, name: str, *, keep_base: bool = False) -> None:
    """Remove an image, whole or half made; its base can be kept for the next build.

    Raises:
        MachineError: A saved state needs it.
    """
    users = (
        [entry.name for entry in layout.saved.iterdir() if uses(layout, entry.name, name)]
        if layout.saved.is_dir()
        else []
    )
    if users:
        raise MachineError(f"saved states need the image {name}: {', '.join(sorted(users))}; delete them first")
    paths = layout.image(name)
    paths.facts.unlink(missing_ok=True)
    for subvolume in btrfs.subvolumes_in(paths.folder):
        if not (keep_base and subvolume == paths.base):
            btrfs.delete(subvolume)
    if not keep_base:
        shutil.rmtree(paths.folder, ignore_errors=True)
    shutil.rmtree(layout.live / "images" / name, ignore_errors=True)


def uses(layout: Layout, checkpoint: str, image: str) -> bool:
    """Whether a saved state needs an image."""
    record = facts.read_state(layout.saved_state(checkpoint).facts)
    return record is not None and record.image == image

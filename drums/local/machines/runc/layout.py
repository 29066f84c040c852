"""Where everything of the real desktops lies on the host.

That is one state folder, and inside it the area (btrfs) and the live folder (tmpfs).

Invariant: every path that a desktop, a state or an image owns is named here, so that `recovery` can remove what nobody
owns.
"""

from __future__ import annotations

import os
import zlib
from dataclasses import dataclass
from pathlib import Path

DEFAULT_STATE_FOLDER = Path("/var/lib/drums")
PROGRAMS_FOLDER = Path("/opt/drums")
"""Programs that the set-up built, one prefix each."""
SOCKET_IN_DESKTOP = "run/agent/socket"
FRAME_FILE = "Xvfb_screen0"


@dataclass(frozen=True, slots=True)
class Layout:
    """The paths below one state folder. Two daemons may not share one."""

    state: Path

    @classmethod
    def from_environment(cls) -> Layout:
        """The folder that `$DRUMS_DESKTOPS_DIR` names, else `/var/lib/drums`."""
        return cls(Path(os.environ.get("DRUMS_DESKTOPS_DIR") or DEFAULT_STATE_FOLDER))

    @property
    def key(self) -> str:
        """A short name for this state folder: cgroups of its desktops carry it."""
        return f"drums-{zlib.crc32(str(self.state.absolute()).encode()):08x}"

    @property
    def area_file(self) -> Path:
        """The loop file, where the state folder itself is not on btrfs."""
        return self.state / "area.btrfs"

    @property
    def area(self) -> Path:
        """On btrfs: images, and the disks of desktops and states."""
        return self.state / "area"

    @property
    def live(self) -> Path:
        """On tmpfs: captured memory, frame buffers, records of what runs; gone after a reboot, as are the desktops."""
        return self.state / "live"

    @property
    def lock(self) -> Path:
        """Held by the daemon that uses this state folder."""
        return self.state / "lock"

    @property
    def merging(self) -> Path:
        """Where the kernel's page merging stood before it was turned on."""
        return self.state / "merging.json"

    @property
    def images(self) -> Path:
        """One folder per installed image."""
        return self.area / "images"

    @property
    def disks(self) -> Path:
        """One subvolume per running desktop."""
        return self.area / "desktops"

    @property
    def saved_disks(self) -> Path:
        """One read-only subvolume per saved state."""
        return self.area / "states"

    @property
    def desktops(self) -> Path:
        """One live folder per running desktop."""
        return self.live / "desktops"

    @property
    def saved(self) -> Path:
        """One live folder per saved state."""
        return self.live / "states"

    def image(self, name: str) -> ImagePaths:
        """The paths of an installed image."""
        return ImagePaths(self.images / name)

    def booted(self, image: str) -> StatePaths:
        """The paths of an installed image's first desktop, captured once it stood."""
        return StatePaths(self.images / image / "booted", self.live / "images" / image)

    @property
    def tools(self) -> Path:
        """Stand-ins for programs that CRIU calls."""
        return self.state / "tools"

    @property
    def private_run(self) -> Path:
        """What CRIU sees as /run: on tmpfs, else it probes the kernel anew each time."""
        return self.live / "run"

    @property
    def private_tmp(self) -> Path:
        """What CRIU sees as /tmp while it restores: what a killed one leaves there is ours to remove."""
        return self.live / "tmp"

    def desktop(self, slot: str) -> DesktopPaths:
        """The paths of a running desktop."""
        return DesktopPaths(self.disks / slot, self.desktops / slot)

    def saved_state(self, checkpoint: str) -> StatePaths:
        """The paths of a saved state."""
        return StatePaths(self.saved_disks / checkpoint, self.saved / checkpoint)


@dataclass(frozen=True, slots=True)
class ImagePaths:
    """An installed image: `usr` is shared read-only by all its desktops, `root` is the rest of its disk."""

    folder: Path

    @property
    def base(self) -> Path:
        """The subvolume with what came from archives; the image is made from it."""
        return self.folder / "base"

    @property
    def base_facts(self) -> Path:
        """What the base was made of; written last."""
        return self.folder / "base.txt"

    @property
    def usr(self) -> Path:
        """The shared subvolume."""
        return self.folder / "usr"

    @property
    def root(self) -> Path:
        """The subvolume a first desktop is a snapshot of; its own `usr` is an empty folder."""
        return self.folder / "root"

    @property
    def facts(self) -> Path:
        """What was installed, and the size; written last, so an image without it is half made."""
        return self.folder / "image.json"


@dataclass(frozen=True, slots=True)
class DesktopPaths:
    """A running desktop."""

    disk: Path
    folder: Path

    @property
    def frame(self) -> Path:
        """The folder that is mounted at /run/fb in the desktop."""
        return self.folder / "fb"

    @property
    def work(self) -> Path:
        """CRIU's working folder during the restore."""
        return self.folder / "work"

    @property
    def facts(self) -> Path:
        """The desktop's record; written last, so a desktop without it is half made."""
        return self.folder / "desktop.json"


@dataclass(frozen=True, slots=True)
class StatePaths:
    """A saved state."""

    disk: Path
    folder: Path

    @property
    def memory(self) -> Path:
        """CRIU's images."""
        return self.folder / "memory"

    @property
    def frame(self) -> Path:
        """The frame buffer's content at the capture."""
        return self.folder / FRAME_FILE

    @property
    def facts(self) -> Path:
        """The state's record; written last, so a state without it is half made."""
        return self.folder / "state.json"

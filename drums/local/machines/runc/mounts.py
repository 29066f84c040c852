"""What is mounted on the host, from /proc/self/mountinfo (proc(5)).

Invariant: the answer is of this moment; nothing is remembered.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

ESCAPES = {"\\040": " ", "\\011": "\t", "\\012": "\n", "\\134": "\\"}


@dataclass(frozen=True, slots=True)
class Mount:
    """One mounted file system."""

    target: Path
    kind: str
    source: str


def mounted() -> list[Mount]:
    """Every mount, in the order in which they were made."""
    found: list[Mount] = []
    for line in Path("/proc/self/mountinfo").read_text().splitlines():
        fields, _, rest = line.partition(" - ")
        kind, source = rest.split()[:2]
        found.append(Mount(Path(unescaped(fields.split()[4])), kind, unescaped(source)))
    return found


def at(target: Path) -> Mount | None:
    """The mount whose top is the path; None where there is none."""
    wanted = target.absolute()
    return next((mount for mount in reversed(mounted()) if mount.target == wanted), None)


def holding(path: Path) -> Mount:
    """The mount that a path lies on; the path itself need not exist."""
    wanted = path.absolute()
    over = [mount for mount in mounted() if wanted.is_relative_to(mount.target)]
    return max(enumerate(over), key=lambda pair: (len(pair[1].target.parts), pair[0]))[1]


def below(folder: Path) -> list[Mount]:
    """The mounts at or below a folder, innermost last."""
    wanted = folder.absolute()
    return [mount for mount in mounted() if mount.target.is_relative_to(wanted)]


def unescaped(text: str) -> str:
    """A path as it is, from how the kernel prints it."""
    for escape, character in ESCAPES.items():
        text = text.replace(escape, character)
    return text

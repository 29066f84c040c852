"""Reads from CRIU's images which processes they hold: number, parent, threads, name, state.

An image file is a magic number, then records of a length and a protobuf message; only a few fields of `pstree_entry`
and `core_entry` are read. Invariant: what can't be read is an error, never fewer processes.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING

from drums.local.machines.machine import MachineError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

IMAGE_MAGIC_BYTES = 8
VARINT, FIXED_64, BYTES, FIXED_32 = 0, 1, 2, 5
PSTREE_PID, PSTREE_PPID, PSTREE_THREADS = 1, 2, 5
CORE_TC = 3
TC_STATE, TC_COMM = 1, 6
TASK_ALIVE, TASK_DEAD = 1, 2

Fields = list[tuple[int, "int | bytes"]]


@dataclass(frozen=True, slots=True)
class SavedProcess:
    """A process in a capture, in the desktop's numbering."""

    pid: int
    parent: int
    threads: int
    name: str
    zombie: bool


def saved_processes(images: Path) -> frozenset[SavedProcess]:
    """The processes that a capture holds."""
    return frozenset(one(images, dict_of(message)) for message in messages(images / "pstree.img"))


def one(images: Path, entry: dict[int, list[int | bytes]]) -> SavedProcess:
    """A process from its entry in the tree and its own file."""
    pid = number(entry, PSTREE_PID)
    core = dict_of(next(messages(images / f"core-{pid}.img")))
    facts = dict_of(content(core, CORE_TC)) if CORE_TC in core else {}
    name = content(facts, TC_COMM).decode(errors="replace") if TC_COMM in facts else ""
    threads = sum(count_of(value) for value in entry.get(PSTREE_THREADS, []))
    return SavedProcess(pid, number(entry, PSTREE_PPID), threads, name, number(facts, TC_STATE) == TASK_DEAD)


def count_of(value: int | bytes) -> int:
    """How many numbers a repeated field's value holds: one, or a packed row."""
    return 1 if isinstance(value, int) else sum(byte < 0x80 for byte in value)


def messages(path: Path) -> Iterator[bytes]:
    """The records of an image file."""
    raw = path.read_bytes()
    at = IMAGE_MAGIC_BYTES
    while at < len(raw):
        (size,) = struct.unpack_from("<I", raw, at)
        yield raw[at + 4 : at + 4 + size]
        at += 4 + size


def dict_of(message: bytes) -> dict[int, list[int | bytes]]:
    """A message's fields by number."""
    found: dict[int, list[int | bytes]] = {}
    for field, value in fields(message):
        found.setdefault(field, []).append(value)
    return found


def fields(message: bytes) -> Fields:
    """The fields of a protobuf message."""
    found: Fields = []
    at = 0
    while at < len(message):
        key, at = varint(message, at)
        field, kind = key >> 3, key & 7
        if kind == VARINT:
            value, at = varint(message, at)
            found.append((field, value))
        elif kind == BYTES:
            size, at = varint(message, at)
            found.append((field, message[at : at + size]))
            at += size
        elif kind in (FIXED_64, FIXED_32):
            at += 8 if kind == FIXED_64 else 4
        else:
            raise MachineError("the capture's list of processes can't be read")
    return found


def varint(message: bytes, at: int) -> tuple[int, int]:
    """A number of variable length, and where the next field is."""
    value = shift = 0
    while True:
        byte = message[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7


def number(entry: dict[int, list[int | bytes]], field: int) -> int:
    """A field that is a number; 0 when it is absent, as in protobuf."""
    value = entry.get(field, [0])[-1]
    return value if isinstance(value, int) else 0


def content(entry: dict[int, list[int | bytes]], field: int) -> bytes:
    """A field that is a message or a string."""
    value = entry[field][-1]
    return value if isinstance(value, bytes) else b""

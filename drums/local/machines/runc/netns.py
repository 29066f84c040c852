"""Looks into a desktop's network namespace from the host.

A thread of its own enters the namespace and ends there, so nothing else of this process is ever in it.
Invariant: it only reads.
"""

from __future__ import annotations

import ctypes
import fcntl
import os
import socket
import struct
from threading import Thread

CLONE_NEWNET = 0x40000000
SIOCGIFFLAGS = 0x8913
IFF_UP = 0x1


def devices(pid: int) -> dict[str, bool]:
    """The network devices that a process sees, by name, and whether each is up.

    Raises:
        OSError: The namespace can't be entered.
    """
    found: dict[str, bool] = {}
    faults: list[OSError] = []

    def look() -> None:
        try:
            enter(pid)
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
                found.update({name: is_up(asking, name) for _, name in socket.if_nameindex()})
        except OSError as fault:
            faults.append(fault)

    thread = Thread(target=look)
    thread.start()
    thread.join()
    if faults:
        raise faults[0]
    return found


def enter(pid: int) -> None:
    """Bring the calling thread, and only it, into a process's network namespace."""
    library = ctypes.CDLL(None, use_errno=True)
    fd = os.open(f"/proc/{pid}/ns/net", os.O_RDONLY | os.O_CLOEXEC)
    try:
        if library.setns(fd, CLONE_NEWNET) != 0:
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    finally:
        os.close(fd)


def is_up(asking: socket.socket, name: str) -> bool:
    """Whether a device is up, as netdevice(7) tells it."""
    answer = fcntl.ioctl(asking, SIOCGIFFLAGS, struct.pack("16sH14x", name.encode(), 0))
    return bool(struct.unpack_from("H", answer, 16)[0] & IFF_UP)

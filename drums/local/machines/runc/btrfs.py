"""Snapshots and disk limits by the kernel's own calls: a `btrfs` process would cost more than the snapshot does.

Names and numbers are those of linux/btrfs.h. Invariant: a function either did the whole deed or raises OSError.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import functools
import os
import struct
import uuid
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Generator

BTRFS_SUPER_MAGIC = 0x9123683E
BTRFS_FIRST_FREE_OBJECTID = 256
"""The inode number of every subvolume's top folder."""

BTRFS_IOC_SNAP_CREATE_V2 = 0x50009417
BTRFS_IOC_SUBVOL_CREATE_V2 = 0x50009418
BTRFS_IOC_SNAP_DESTROY = 0x5000940F
BTRFS_IOC_SUBVOL_GETFLAGS = 0x80089419
BTRFS_IOC_SUBVOL_SETFLAGS = 0x4008941A
BTRFS_IOC_INO_LOOKUP = 0xD0009412
BTRFS_IOC_QGROUP_CREATE = 0x4010942A
BTRFS_IOC_FS_INFO = 0x8400941F
BTRFS_IOC_QUOTA_CTL = 0xC0109428
BTRFS_IOC_QGROUP_LIMIT = 0x8030942B
BTRFS_SUBVOL_RDONLY = 2
BTRFS_QUOTA_CTL_ENABLE = 1
BTRFS_QUOTA_CTL_ENABLE_SIMPLE_QUOTA = 4
"""Linux 6.7: a block counts for who wrote it. Costs nothing; with full quotas a snapshot takes 15 ms, not 1.5."""
BTRFS_QGROUP_LIMIT_MAX_RFER = 1
BTRFS_QGROUP_LIMIT_MAX_EXCL = 2


def snapshot(source: Path, target: Path, *, read_only: bool = False) -> None:
    """Make `target` a copy of the subvolume `source` that shares all its blocks."""
    with opened(source) as source_fd, opened(target.parent) as parent_fd:
        flags = BTRFS_SUBVOL_RDONLY if read_only else 0
        fcntl.ioctl(parent_fd, BTRFS_IOC_SNAP_CREATE_V2, vol_args_v2(source_fd, flags, target.name))


def create(target: Path) -> None:
    """Make an empty subvolume."""
    with opened(target.parent) as parent_fd:
        fcntl.ioctl(parent_fd, BTRFS_IOC_SUBVOL_CREATE_V2, vol_args_v2(0, 0, target.name))


def delete(target: Path) -> None:
    """Delete a subvolume and those inside it; one that is not there is no error."""
    for inner in subvolumes_in(target):
        delete(inner)
    with contextlib.suppress(FileNotFoundError), opened(target.parent) as parent_fd:
        argument = bytearray(struct.pack("=q4088s", 0, target.name.encode()))
        fcntl.ioctl(parent_fd, BTRFS_IOC_SNAP_DESTROY, argument)


def subvolumes_in(folder: Path) -> list[Path]:
    """The subvolumes directly below a folder."""
    try:
        entries = [Path(entry.path) for entry in os.scandir(folder) if entry.is_dir(follow_symlinks=False)]
    except (FileNotFoundError, NotADirectoryError):
        return []
    return [path for path in entries if is_subvolume(path)]


def is_subvolume(path: Path) -> bool:
    """Whether the path, on a btrfs, is the top folder of a subvolume."""
    return path.is_dir() and path.lstat().st_ino == BTRFS_FIRST_FREE_OBJECTID


def set_read_only(target: Path, read_only: bool) -> None:
    """Make a subvolume read-only or writable."""
    with opened(target) as fd:
        flags = struct.unpack("=Q", fcntl.ioctl(fd, BTRFS_IOC_SUBVOL_GETFLAGS, bytes(8)))[0]
        wanted = flags | BTRFS_SUBVOL_RDONLY if read_only else flags & ~BTRFS_SUBVOL_RDONLY
        if wanted != flags:
            fcntl.ioctl(fd, BTRFS_IOC_SUBVOL_SETFLAGS, struct.pack("=Q", wanted))


def enable_quota(area: Path) -> None:
    """Let the file system count what each subvolume writes; a second time changes nothing."""
    with opened(area) as fd:
        try:
            fcntl.ioctl(fd, BTRFS_IOC_QUOTA_CTL, struct.pack("=QQ", BTRFS_QUOTA_CTL_ENABLE_SIMPLE_QUOTA, 0))
        except OSError as unknown:
            if unknown.errno != errno.EINVAL:
                raise
            fcntl.ioctl(fd, BTRFS_IOC_QUOTA_CTL, struct.pack("=QQ", BTRFS_QUOTA_CTL_ENABLE, 0))


def limit_own_bytes(target: Path, size_bytes: int) -> None:
    """Let a new snapshot grow by so many bytes; beyond them its writers get EDQUOT."""
    kind = BTRFS_QGROUP_LIMIT_MAX_RFER if simple_quota(target) else BTRFS_QGROUP_LIMIT_MAX_EXCL
    sizes = (size_bytes, 0) if kind == BTRFS_QGROUP_LIMIT_MAX_RFER else (0, size_bytes)
    with opened(target) as fd:
        own_group = 0
        fcntl.ioctl(fd, BTRFS_IOC_QGROUP_LIMIT, struct.pack("=QQQQQQ", own_group, kind, *sizes, 0, 0))


def subvolume_id(target: Path) -> int:
    """The number of a subvolume, which is also that of its quota group."""
    with opened(target) as fd:
        argument = bytearray(struct.pack("=QQ4080x", 0, BTRFS_FIRST_FREE_OBJECTID))
        fcntl.ioctl(fd, BTRFS_IOC_INO_LOOKUP, argument)
        return int(struct.unpack_from("=Q", argument)[0])


def drop_quota_group(area: Path, group: int) -> bool:
    """Drop the quota group of a deleted subvolume; False while the kernel still frees its blocks."""
    with opened(area) as fd:
        try:
            fcntl.ioctl(fd, BTRFS_IOC_QGROUP_CREATE, struct.pack("=QQ", 0, group))
        except OSError as refused:
            if refused.errno == errno.EBUSY:
                return False
            if refused.errno not in (errno.ENOENT, errno.ENOTCONN):
                raise
    return True


@functools.cache
def simple_quota_of(uuid: str) -> bool:
    """Whether the file system with this id counts by writer; only then does it say so in its `qgroups/mode`."""
    try:
        return Path(f"/sys/fs/btrfs/{uuid}/qgroups/mode").read_text().strip() == "squota"
    except OSError:
        return False


def simple_quota(path: Path) -> bool:
    """Whether the file system of a path counts by writer."""
    return simple_quota_of(filesystem_id(path))


def filesystem_id(path: Path) -> str:
    """The UUID of the btrfs that holds a path, as in /sys/fs/btrfs."""
    with opened(path) as fd:
        answer = bytearray(1024)
        fcntl.ioctl(fd, BTRFS_IOC_FS_INFO, answer)
    return str(uuid.UUID(bytes=bytes(answer[16:32])))


def vol_args_v2(fd: int, flags: int, name: str) -> bytearray:
    """`struct btrfs_ioctl_vol_args_v2`; a bytearray, since `ioctl` refuses more than 1024 immutable bytes."""
    return bytearray(struct.pack("=qQQ32x4040s", fd, 0, flags, name.encode()))


@contextlib.contextmanager
def opened(folder: Path) -> Generator[int]:
    """A folder's file descriptor."""
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        yield fd
    finally:
        os.close(fd)

"""Takes from the calling process what judging needs not: memory without end, files, processes, the network.

For good, and for a process that then only computes. It knows nothing of checkers. On Linux (x86-64 and arm64) a system
call filter refuses the network, new processes and programs, whatever is done to other processes (signals, ptrace,
limits), and every change to a file, with or without root; elsewhere the resource limits that the system has are all
there is. Invariant: what a system lacks is left out, what it has is in force when `confine` returns.
"""

from __future__ import annotations

import ctypes
import math
import os
import platform
import signal
import struct
import sys

if sys.platform != "win32":
    import resource

MEMORY_BYTES = 1 << 30
"""The most address space that a checker may use, the interpreter and its libraries included."""
OPEN_FILES = 32
"""The most open files; a library that is imported late needs a few."""


def confine(seconds: float) -> None:
    """Confine this process, and end it by the system's own clock after so many seconds.

    Raises:
        OSError: A limit that the system has was refused.
    """
    if sys.platform == "win32":
        return
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    _limit_resources(seconds)
    if sys.platform == "linux":
        _give_up_capabilities()
        _filter_system_calls()


def _limit_resources(seconds: float) -> None:
    for name, value in (
        ("RLIMIT_AS", MEMORY_BYTES),
        ("RLIMIT_CPU", math.ceil(seconds) + 1),
        ("RLIMIT_FSIZE", 0),
        ("RLIMIT_NOFILE", OPEN_FILES),
        ("RLIMIT_NPROC", 0),
        ("RLIMIT_CORE", 0),
    ):
        kind = getattr(resource, name, None)
        if kind is None:
            continue
        _, hard = resource.getrlimit(kind)
        most = value if hard == resource.RLIM_INFINITY else min(value, hard)
        try:
            resource.setrlimit(kind, (most, most))
        except ValueError:  # macOS does not take every limit
            if sys.platform == "linux":
                raise


# Linux. The numbers are those of prctl(2), capset(2), seccomp(2) and the tables of system calls.

_PR_SET_NO_NEW_PRIVS, _PR_SET_SECCOMP, _SECCOMP_MODE_FILTER = 38, 22, 2
_CAPABILITY_VERSION_3 = 0x20080522
_LOAD, _EQUAL, _AT_LEAST, _ANY_OF, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _REFUSE, _KILL = 0x7FFF0000, 0x00050001, 0x80000000
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16
_X32 = 0x40000000
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC

_REFUSED: dict[str, tuple[int, ...]] = {
    "x86_64": (
        *(41, 42, 43, 49, 50, 53, 288),  # socket connect accept bind listen socketpair accept4
        *(56, 57, 58, 59, 322, 435),  # clone fork vfork execve execveat clone3
        *(272, 308),  # unshare setns
        *(62, 200, 234, 129, 297, 424, 434, 438),  # kill tkill tgkill rt_sigqueueinfo rt_tgsigqueueinfo pidfd_…
        *(101, 310, 311),  # ptrace process_vm_readv process_vm_writev
        *(85, 437, 86, 265, 88, 266, 87, 263),  # creat openat2 link linkat symlink symlinkat unlink unlinkat
        *(82, 264, 316, 83, 258, 84, 133, 259),  # rename renameat renameat2 mkdir mkdirat rmdir mknod mknodat
        *(76, 77, 90, 91, 268, 452, 92, 93, 94, 260),  # truncate ftruncate chmod fchmod fchmodat… chown fchown…
        *(280, 188, 190),  # utimensat setxattr fsetxattr
        *(
            321,
            248,
            249,
            250,
            298,
            323,
            425,
        ),  # bpf add_key request_key keyctl perf_event_open userfaultfd io_uring_setup
        *(
            302,
            141,
            203,
            142,
            144,
            314,
            251,
        ),  # prlimit64 setpriority sched_set{affinity,param,scheduler,attr} ioprio_set
        *(256, 279, 440, 448),  # migrate_pages move_pages process_madvise process_mrelease
        *(29, 31, 64, 66, 68, 71, 240, 241),  # shmget shmctl semget semctl msgget msgctl mq_open mq_unlink
        16,  # ioctl, which can have the system send signals, as fcntl can
    ),
    "aarch64": (
        *(198, 203, 202, 200, 201, 199, 242),
        *(220, 221, 281, 435),
        *(97, 268),
        *(129, 130, 131, 138, 240, 424, 434, 438),
        *(117, 270, 271),
        *(437, 37, 36, 35),
        *(38, 276, 34, 33),
        *(45, 46, 52, 53, 452, 55, 54),
        *(88, 5, 7),
        *(280, 217, 218, 219, 241, 282, 425),
        *(261, 140, 122, 118, 119, 274, 30),
        *(238, 239, 440, 448),
        *(194, 195, 190, 191, 186, 187, 180, 181),
        29,
    ),
}
_OPENS = {"x86_64": ((2, 1), (257, 2)), "aarch64": ((56, 2),)}
"""The calls that open a file, and which argument of each has the flags."""
_FCNTL = {"x86_64": 72, "aarch64": 25}
_SETTING_OWNER = (8, 10, 15)
"""F_SETOWN F_SETSIG F_SETOWN_EX: whom the system sends which signal when there is something to read."""
_AUDIT_ARCHITECTURE = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}


def _filter_of(machine: str) -> bytes:
    """The filter's program, in classic BPF."""

    def op(code: int, operand: int, if_true: int = 0, if_false: int = 0) -> bytes:
        return struct.pack("=HBBI", code, if_true, if_false, operand)

    parts = [
        op(_LOAD, _ARCHITECTURE),
        op(_EQUAL, _AUDIT_ARCHITECTURE[machine], 1, 0),
        op(_RETURN, _KILL),
        op(_LOAD, _NUMBER),
    ]
    if machine == "x86_64":
        parts += [op(_AT_LEAST, _X32, 0, 1), op(_RETURN, _KILL)]
    for number in _REFUSED[machine]:
        parts += [op(_EQUAL, number, 0, 1), op(_RETURN, _REFUSE)]
    for number, flags in _OPENS[machine]:
        parts += [
            op(_EQUAL, number, 0, 4),
            op(_LOAD, _ARGUMENTS + 8 * flags),
            op(_ANY_OF, _WRITING, 0, 1),
            op(_RETURN, _REFUSE),
            op(_RETURN, _ALLOW),
        ]
    parts += [op(_EQUAL, _FCNTL[machine], 0, 1 + 2 * len(_SETTING_OWNER)), op(_LOAD, _ARGUMENTS + 8)]
    for command in _SETTING_OWNER:
        parts += [op(_EQUAL, command, 0, 1), op(_RETURN, _REFUSE)]
    return b"".join([*parts, op(_RETURN, _ALLOW)])


# Made when the module is read, so that a check need not. Windows has no such library, and never comes to use it.
_LIBC = ctypes.CDLL(None if sys.platform != "win32" else "msvcrt")
_FILTER = _filter_of(platform.machine()) if platform.machine() in _REFUSED and sys.maxsize > 2**32 else None


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_void_p))


def _filter_system_calls() -> None:
    """Kernels without this filter leave the process as the resource limits make it."""
    if _FILTER is None:
        return
    code = ctypes.create_string_buffer(_FILTER, len(_FILTER))
    program = _Program(len(_FILTER) // 8, ctypes.cast(code, ctypes.c_void_p))
    if _LIBC.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0:
        _LIBC.prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.byref(program), 0, 0)


def _give_up_capabilities() -> None:
    """Root keeps its user id, since the interpreter's files may be root's alone, but none of root's powers."""
    header = struct.pack("=Ii", _CAPABILITY_VERSION_3, 0)
    _LIBC.capset(header, bytes(24))

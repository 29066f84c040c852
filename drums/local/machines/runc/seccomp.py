"""The system calls that a desktop may not make.

Everything runs without privileges in its own user namespace already; this keeps the kernel's larger attack surface and
whatever could reach another process or make namespaces out of reach. Invariant: nothing here refuses what a desktop
program needs.
"""

from __future__ import annotations

REFUSED = (
    "acct", "add_key", "bpf", "clock_adjtime", "clock_settime", "create_module", "delete_module", "fanotify_init",
    "finit_module", "fsconfig", "fsmount", "fsopen", "fspick", "get_kernel_syms", "get_mempolicy", "init_module",
    "io_uring_enter", "io_uring_register", "io_uring_setup", "ioperm", "iopl", "kcmp", "kexec_file_load",
    "kexec_load", "keyctl", "lookup_dcookie", "mbind", "mount", "mount_setattr", "move_mount", "move_pages",
    "name_to_handle_at", "nfsservctl", "open_by_handle_at", "open_tree", "perf_event_open", "personality",
    "pidfd_getfd", "pivot_root", "process_madvise", "process_vm_readv", "process_vm_writev", "ptrace",
    "query_module", "quotactl", "quotactl_fd", "reboot", "request_key", "set_mempolicy", "setdomainname",
    "sethostname", "setns", "settimeofday", "stime", "swapoff", "swapon", "sysfs", "syslog", "umount", "umount2",
    "unshare", "uselib", "userfaultfd", "ustat", "vhangup", "vm86", "vm86old",
)  # fmt: skip
"""Refused with EPERM."""

CLONE_NEWNS = 0x00020000
CLONE_NEWUSER = 0x10000000
NEW_NAMESPACE_FLAGS = (CLONE_NEWNS, 0x02000000, 0x04000000, 0x08000000, CLONE_NEWUSER, 0x20000000, 0x40000000)
"""mount, cgroup, uts, ipc, user, pid, net: a clone with one of them is refused."""
ENOSYS = 38


def profile() -> dict[str, object]:
    """The `seccomp` entry of a bundle's config.json."""
    refused: list[dict[str, object]] = [{"names": list(REFUSED), "action": "SCMP_ACT_ERRNO", "errnoRet": 1}]
    refused.extend(clone_with(flag) for flag in NEW_NAMESPACE_FLAGS)
    # A filter can't read clone3's flags, which lie in memory; the C library falls back to clone on ENOSYS.
    refused.append({"names": ["clone3"], "action": "SCMP_ACT_ERRNO", "errnoRet": ENOSYS})
    return {
        "defaultAction": "SCMP_ACT_ALLOW",
        "architectures": ["SCMP_ARCH_X86_64", "SCMP_ARCH_X86", "SCMP_ARCH_X32", "SCMP_ARCH_AARCH64"],
        "syscalls": refused,
    }


def clone_with(flag: int) -> dict[str, object]:
    """The rule that refuses a clone with a flag."""
    masked = {"index": 0, "value": flag, "valueTwo": flag, "op": "SCMP_CMP_MASKED_EQ"}
    return {"names": ["clone"], "action": "SCMP_ACT_ERRNO", "errnoRet": 1, "args": [masked]}

"""Why a daemon can't start, or can't be ended; each message says what is in the way and what to do.

DaemonError
├── MissingExtraError         a package of the extra `[local]` is not installed (an ImportError too)
├── StateDirError             the state directory can't be used
├── AlreadyRunningError       another daemon holds the state directory
├── TokenError                the token file can't be used
├── store.StoreError          the database can't be used
├── AddressError              the address can't be listened on
├── MachineUnavailableError   the machine that was named can't be used here
├── TasksError                the tasks that were named can't be read
├── HostUnsuitableError       this host can't have real desktops, whatever is installed
├── UnknownVersionError       there is no emulation of the version that was named
└── DetachError               a daemon in the background did not start, or did not end

What a running daemon refuses is `domain.refusals.Refusal`. No message holds a token.
"""

from __future__ import annotations


class DaemonError(Exception):
    """The daemon can't start, or can't be ended."""

    status: int = 1
    """What the command that met it exits with."""


class MissingExtraError(DaemonError, ImportError):
    """What the local daemon needs is not installed."""

    status = 69


class StateDirError(DaemonError):
    """The state directory can't be made, or others can write in it."""


class AlreadyRunningError(DaemonError):
    """Another daemon holds the state directory."""


class TokenError(DaemonError):
    """The token file is readable by others, is not this user's, can't be written, or holds no token."""


class AddressError(DaemonError):
    """The host is not loopback, or the port is taken or not allowed."""


class MachineUnavailableError(DaemonError):
    """There is no machine of that name, or it can't be used on this host."""


class TasksError(DaemonError):
    """A folder of tasks that was named holds none, or something else."""


class HostUnsuitableError(DaemonError):
    """This host can't have real desktops: not root, an unknown system, or a kernel that lacks what they need."""

    status = 69
    """`EX_UNAVAILABLE` of sysexits(3): a script can tell "not on this host" from a set-up that failed."""


class UnknownVersionError(DaemonError):
    """There is no emulation of that version."""


class DetachError(DaemonError):
    """A daemon in the background did not start, or did not end, in time."""

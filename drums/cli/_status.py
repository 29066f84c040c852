"""The exit statuses of `drums`: one table, the same in `docs/cli.md`.

A script may rely on a number meaning the same for every command, with two exceptions that are named here: `exec` ends
with the status of what ran in the desktop, and `conform` with its own three. Invariant: every error has a status, and
none has 0.
"""

from __future__ import annotations

from enum import IntEnum

from drums import errors
from drums._extras import PackageMissing
from drums.local.errors import DaemonError


class Status(IntEnum):
    """What a command's exit status says."""

    OK = 0
    """It was done."""
    FAILED = 1
    """It was not, for a reason that has no status of its own."""
    USAGE = 2
    """The command line is wrong, or what it asks for is: the same is refused again."""
    UNAUTHORIZED = 3
    """The token is missing, not this daemon's, or may not do this."""
    NOT_FOUND = 4
    """No desktop, state, image or task has this name, or it is gone."""
    CONFLICT = 5
    """It exists, but is in no state for this now: quarantined, not at rest, still in use."""
    OVERLOADED = 6
    """The host or the workspace is full; nothing was started."""
    INVALID = 7
    """The episode is not valid, or the desktop did not come up soundly: no reward of it may be used."""
    BELOW = 8
    """The score is below the one that was asked for."""
    CHECKER = 9
    """The task's checker failed: there is no score, which is not a score of 0."""
    DESKTOP = 10
    """The desktop did not do it: an action failed in it, or it did not answer."""
    UNAVAILABLE = 69
    """Nothing answers at the URL; or a package is missing, or this host can't have real desktops (`EX_UNAVAILABLE`)."""
    INTERRUPTED = 130
    """Ctrl-C."""


EXEC_FAILED = 255
"""What `drums exec` ends with when the command could not be run at all, as ssh does: the rest are the command's own."""

_BY_ERROR: tuple[tuple[type[BaseException], Status], ...] = (
    (PackageMissing, Status.UNAVAILABLE),
    (errors.BadRequest, Status.USAGE),
    (errors.AuthError, Status.UNAUTHORIZED),
    (errors.QuotaExceeded, Status.OVERLOADED),
    (errors.Forbidden, Status.UNAUTHORIZED),
    (errors.NotFound, Status.NOT_FOUND),
    (errors.EnvGone, Status.NOT_FOUND),
    (errors.Conflict, Status.CONFLICT),
    (errors.Overloaded, Status.OVERLOADED),
    (errors.DaemonUnavailable, Status.UNAVAILABLE),
    (errors.InvalidEpisode, Status.INVALID),
    (errors.EnvFailed, Status.INVALID),
    (errors.CheckerError, Status.CHECKER),
    (errors.ActionFailed, Status.DESKTOP),
    (errors.GuestError, Status.DESKTOP),
)
"""The first row whose class an error is of decides; a class stands before its parents."""


def status_of(error: BaseException) -> int:
    """The exit status that an error ends a command with; one of several failures has that of the first."""
    if isinstance(error, DaemonError):
        return error.status
    if isinstance(error, errors.BatchError | errors.ForkError) and error.failed:
        return status_of(error.failed[0])
    return next((status for kind, status in _BY_ERROR if isinstance(error, kind)), Status.FAILED)

"""What to do about an error, for whoever typed a command; the SDK's own words are for a programmer.

Invariant: only a hint that says no more than the error's class is replaced. One that knows the call stays.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from drums import errors

if TYPE_CHECKING:
    from drums.errors import DrumsError

_BY_CLASS: dict[type[DrumsError], str] = {
    errors.DrumsError: "`drums health` tells how the daemon is",
    errors.BadRequest: errors.BadRequest.default_hint,
    errors.TaskUnsupported: "Take a task that this daemon knows: `drums tasks`",
    errors.AuthError: "Give this daemon's token: --token-file, DRUMS_TOKEN_FILE or DRUMS_TOKEN",
    errors.Forbidden: "Use a token that may do this: --token-file",
    errors.QuotaExceeded: "Nothing was started; ask for fewer, or end some: `drums rm`, `drums reap`",
    errors.NotFound: "See what there is: `drums ls`, `drums states`, `drums tasks`",
    errors.Conflict: "`drums show` tells its state; `drums release` and then `drums reset` end a quarantine",
    errors.NotQuiescent: "Nothing was captured; try again, or wait longer with --quiesce-timeout",
    errors.CheckpointStale: "Make it anew with `drums save`",
    errors.EnvGone: "Make another with `drums create`; --idle-timeout and --ttl say how long it lives",
    errors.Overloaded: "Nothing was started; try again later, or end some: `drums rm`, `drums reap`",
    errors.GuestError: "`drums screenshot` and `drums gates` show more; `drums reset` gives a fresh desktop",
    errors.ProtocolError: "Report it to whoever runs the daemon; `drums conform` tells what else is wrong with it",
    errors.EnvFailed: "`drums show` and `drums gates` tell more; `drums reset` may bring it back, `drums rm` ends it",
    errors.RestoreFailed: "Try again; where it stays so, the daemon's log says why",
    errors.GateFailed: "Leave it out of training; `drums gates` says why, `drums reset` begins a new episode",
    errors.TaskSetupFailed: "Correct the step that the message names",
    errors.ForkError: "`drums ls` shows those that came up",
    errors.InvalidEpisode: "Leave it out of training; `drums reset` begins a new episode",
    errors.CheckerError: "Leave it out of training, it is no 0",
    errors.ActionFailed: "`drums screenshot` shows the desktop",
}
_NOBODY_THERE = "Start a daemon with `drums up --detach`, or name another with --url or DRUMS_URL"
_NOT_NOW = "Wait and try again"


def hint_for(error: DrumsError) -> str:
    """The error's own hint, or in its place the same for the command line."""
    if isinstance(error, errors.DaemonUnavailable) and error.sent != "maybe":
        return _NOBODY_THERE if error.status == 0 else _NOT_NOW
    if error.hint != type(error).default_hint:
        return error.hint
    return next((_BY_CLASS[kind] for kind in type(error).__mro__ if kind in _BY_CLASS), error.hint)

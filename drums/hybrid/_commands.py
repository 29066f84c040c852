"""The scripts that run a user's command in a desktop, now or as a job, and what their end means.

Constants, as those of `_scripts`: command, folder, variables and input come as words. The invariant: a list is handed
to the system as it is; only what was given as one text is ever read by a shell, and by one of its own. The script's own
variables have names that no user's variable has.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from drums._quote import excerpt
from drums.errors import BadRequest
from drums.hybrid._names import text_word

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

READY_S: Final = 100.0
"""Seconds that one request waits for a command: a server gives up after 120."""
TIMED_OUT: Final = 124
"""Status of `timeout` when the time was over."""
TIMED_OUT_AND_KILLED: Final = 137
"""Its status when the command had to be killed, some seconds later; also that of a command that another killed."""
KILLED: Final = -9
OWN_END: Final = 120
"""Status of the scripts themselves, when the command was not begun; a line with the call's token says why."""
OUTPUT_CHARS: Final = 100_000
"""Characters of each stream that a result has, unless asked otherwise."""
JOB_OUTPUT_BYTES: Final = 256 * 1024
"""Bytes of the end of each of a job's streams that are looked at."""

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_JOB_ID = re.compile(r"[0-9a-f]{16}")

_WORDS = r"""
_drums_token=$1 _drums_folder=$2 _drums_count=$3 _drums_input=$4
shift 4
_drums_why=
_drums_word() {
    case $1 in
        l*) _drums_value=${1#?} ;;
        h) _drums_value=$HOME ;;
        h*) _drums_value=$HOME/${1#?} ;;
        *) _drums_value=$(printf %s "${1#?}" | base64 -d; echo .)
           _drums_value=${_drums_value%.}
           case $1 in H*) _drums_value=$HOME/$_drums_value ;; esac ;;
    esac
}
_drums_word "$_drums_folder"
unset CDPATH
if ! [ -d "$_drums_value" ]; then
    _drums_why=missing
elif ! cd -- "$_drums_value"; then
    _drums_why=denied
fi
_drums_limit=$(command -v timeout) || _drums_why=lacking
_drums_session=$(command -v setsid) || _drums_why=lacking
while [ "$_drums_count" -gt 0 ]; do
    _drums_word "$1"
    export "$_drums_value"
    shift
    _drums_count=$((_drums_count - 1))
done
_drums_count=$#
while [ "$_drums_count" -gt 0 ]; do
    _drums_word "$1"
    shift
    set -- "$@" "$_drums_value"
    _drums_count=$((_drums_count - 1))
done
_drums_feed() {
    case $_drums_input in
        b*) printf %s "${_drums_input#?}" | base64 -d ;;
        f*) _drums_word "${_drums_input#?}"; cat -- "$_drums_value"; rm -f -- "$_drums_value" ;;
    esac
}
"""

RUN: Final = (
    _WORDS.replace("shift 4", "_drums_time=$5\nshift 5")
    + r"""
if [ -n "$_drums_why" ]; then
    _drums_feed >/dev/null
    echo "$_drums_token $_drums_why" >&2
    (exit 120)
elif [ "$_drums_input" = n ]; then
    "$_drums_limit" -k 3 "$_drums_time" "$@"
else
    _drums_feed | "$_drums_limit" -k 3 "$_drums_time" "$@"
fi
"""
)
"""TOKEN FOLDER COUNT INPUT SECONDS VARIABLE… COMMAND…"""

START: Final = (
    _WORDS.replace("shift 4", "_drums_job=/tmp/.drums-jobs/$5\nshift 5")
    + r"""
if [ -n "$_drums_why" ]; then
    _drums_feed >/dev/null
    echo "$_drums_token $_drums_why" >&2
    (exit 120)
elif ! mkdir -p -m 700 /tmp/.drums-jobs || ! mkdir -m 700 "$_drums_job"; then
    echo "$_drums_token denied" >&2
    (exit 120)
else
    _drums_feed >"$_drums_job/in"
    "$_drums_session" sh -c '
        _drums_job=$1
        _drums_program=$2
        shift 2
        "$_drums_program" "$@" <"$_drums_job/in" >"$_drums_job/out" 2>"$_drums_job/err"
        echo $? >"$_drums_job/ending"
        mv -f "$_drums_job/ending" "$_drums_job/end"
    ' drums "$_drums_job" "$@" </dev/null >/dev/null 2>&1 &
    echo "$!" >"$_drums_job/pid"
fi
"""
)
"""TOKEN FOLDER COUNT INPUT JOB VARIABLE… COMMAND…: the command has a session of its own, and leaves its status."""

_JOB = r"""
export LC_ALL=C
job=/tmp/.drums-jobs/$1
lives() { read -r pid <"$job/pid" && [ -n "$pid" ] && kill -s 0 -- "-$pid" 2>/dev/null; }
settle() {
    if ! [ -d "$job" ]; then
        echo missing
    elif [ -f "$job/end" ]; then
        cat "$job/end"
    elif lives; then
        echo runs
    elif [ -f "$job/end" ]; then
        cat "$job/end"
    else
        echo killed
    fi
}
"""

POLL: Final = _JOB + "settle\n"
"""JOB: `missing`, `runs`, `killed`, or its status."""

OUTPUT: Final = (
    _JOB
    + r"""
settle
for stream in out err; do
    if [ -f "$job/$stream" ]; then
        stat -c %s "$job/$stream"
        tail -c "$2" "$job/$stream" | base64 -w 0
        echo
    else
        echo 0
        echo
    fi
done
"""
)
"""JOB BYTES: as `POLL`, then of each stream its size and its end."""

KILL: Final = (
    _JOB
    + r"""
if lives && ! [ -f "$job/end" ]; then
    kill -s KILL -- "-$pid"
    tries=0
    while lives && [ "$tries" -lt 100 ]; do
        sleep 0.02
        tries=$((tries + 1))
    done
fi
settle
"""
)
"""JOB: end it; then as `POLL`."""

REMOVE: Final = KILL.replace("\nsettle\n", '\nrm -rf -- "$job"\n')
"""JOB: end it and forget it."""


LAUNCH: Final = r"""
case $1 in
    accessible)
        unset NO_AT_BRIDGE
        export GTK_MODULES="${GTK_MODULES:+$GTK_MODULES:}gail:atk-bridge" GNOME_ACCESSIBILITY=1
        export QT_ACCESSIBILITY=1 QT_LINUX_ACCESSIBILITY_ALWAYS_ON=1
        ;;
esac
shift
_drums_count=$#
while [ "$_drums_count" -gt 0 ]; do
    case $1 in
        l*) _drums_value=${1#?} ;;
        *) _drums_value=$(printf %s "${1#?}" | base64 -d; echo .)
           _drums_value=${_drums_value%.} ;;
    esac
    shift
    set -- "$@" "$_drums_value"
    _drums_count=$((_drums_count - 1))
done
unset _drums_count _drums_value
_drums_program=$1
shift
exec "$_drums_program" "$@"
"""
"""usual|accessible COMMAND…: become the command."""


def words_of(command: str | Sequence[str | bytes]) -> list[str]:
    """A command as words.

    Raises:
        BadRequest: It is none.
    """
    if isinstance(command, str):
        if not command.strip():
            raise _refused("the command is empty")
        return [text_word(word) for word in ("sh", "-c", command)]
    given: list[object] = list(command)
    if not given or not all(isinstance(word, str | bytes) for word in given):
        raise _refused("a command is one text, or a list of texts")
    words = [word for word in given if isinstance(word, str | bytes)]
    if not words[0]:
        raise _refused("a command's program has no name")
    return [text_word(word) for word in words]


def variables_of(variables: Mapping[str, str] | None) -> list[str]:
    """Variables as words.

    Raises:
        BadRequest: A name is none that a shell can have, or it is one of the scripts' own.
    """
    words: list[str] = []
    for name, value in (variables or {}).items():
        if not _NAME.fullmatch(name) or name.startswith("_drums_"):
            raise _refused(f"{excerpt(repr(name))} is no name of a variable")
        words.append(text_word(f"{name}={value}"))
    return words


def seconds_of(timeout: float | None) -> float:
    """A time limit in seconds.

    Raises:
        BadRequest: It is none.
    """
    if timeout is None:
        return READY_S
    if isinstance(timeout, bool) or not 0 < timeout < 1e7:  # false for NaN too
        raise _refused(f"timeout={excerpt(str(timeout))} is no number of seconds above 0")
    return float(timeout)


def job_id_of(job_id: str) -> str:
    """A job's id, if it can be one.

    Raises:
        BadRequest: It can't.
    """
    if not _JOB_ID.fullmatch(job_id):
        raise _refused(f"{excerpt(repr(job_id))} is no job's id")
    return job_id


def shortened(text: str, most: int) -> tuple[str, bool]:
    """A text with its middle left out where it is longer than `most`, and whether it is."""
    if len(text) <= most:
        return text, False
    head = most // 2
    tail = most - head
    return f"{text[:head]}\n[… {len(text) - most} characters left out …]\n{text[len(text) - tail :]}", True


def why_not_begun(complaint: str, token: str) -> str | None:
    """What a script says for itself when it did not begin the command; None where the status is the command's."""
    last = complaint.rstrip().rpartition("\n")[2].split(" ")
    return last[1] if len(last) == 2 and last[0] == token else None


def ending_of(line: str) -> int | None:
    """What `POLL` printed as a returncode; None while it runs.

    Raises:
        LookupError: There is no such job.
    """
    word = line.strip()
    if word == "runs":
        return None
    if word == "missing" or not (word == "killed" or re.fullmatch(r"\d{1,3}", word)):
        raise LookupError(word)
    return KILLED if word == "killed" else int(word)


def _refused(what: str) -> BadRequest:
    return BadRequest(400, what, sent="no", hint='Give "ls -l | wc" or ["ls", "-l"]')

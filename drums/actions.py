"""What an env can be told to do: typed actions, the dicts that go over the wire, and the check of what a user gives.

It runs nothing and parses no pyautogui code; a str is code, whatever is in it, but for OSWorld's three words FAIL, DONE
and WAIT. The one invariant: what `action` returns is a JSON object of a type that the spec names, made anew, and
everything else is refused before a request is sent.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from json import dumps, loads
from numbers import Integral, Real
from sys import float_info
from typing import Any, ClassVar, Final, Literal, NotRequired, TypeAlias, TypedDict, cast, get_args

from drums._quote import excerpt
from drums.errors import BadRequest

SignalName: TypeAlias = Literal["FAIL", "DONE", "WAIT"]
"""`FAIL`: the task can't be done. `DONE`: it is done. `WAIT`: let the desktop run for a moment."""
SIGNALS: Final[tuple[SignalName, ...]] = get_args(SignalName)

_LONG = 10**30
"""From here on an int is not worth printing."""
_MOST_IN_A_BATCH = 100


class PyautoguiAction(TypedDict):
    """Python code that runs in the desktop as its user, with `import pyautogui, time` before it."""

    type: Literal["pyautogui"]
    code: str


class ExecuteAction(TypedDict):
    """A command that runs in the desktop as its user; waits for its end, 120 s at most."""

    type: Literal["execute"]
    command: str | Sequence[str]
    shell: NotRequired[bool]


class LaunchAction(TypedDict):
    """A command that is started in the desktop and not waited for."""

    type: Literal["launch"]
    command: str | Sequence[str]
    shell: NotRequired[bool]


class SleepAction(TypedDict):
    """A pause, in seconds."""

    type: Literal["sleep"]
    seconds: float


class SignalAction(TypedDict):
    """What the agent says of its task instead of acting; only servers with the capability `signals` know it."""

    type: Literal["signal"]
    name: SignalName


class BatchAction(TypedDict):
    """Several actions in one turn; only servers with the capability `batch` know it."""

    type: Literal["batch"]
    actions: Sequence[PyautoguiAction | ExecuteAction | LaunchAction | SleepAction | SignalAction]


@dataclass(frozen=True, slots=True)
class Pyautogui:
    """Run Python code in the desktop as its user, with `import pyautogui, time` before it."""

    type: ClassVar[Literal["pyautogui"]] = "pyautogui"
    code: str


@dataclass(frozen=True, slots=True)
class Execute:
    """Run a command in the desktop as its user and wait for its end, 120 s at most; with `shell`, through a shell."""

    type: ClassVar[Literal["execute"]] = "execute"
    command: str | Sequence[str]
    shell: bool = False


@dataclass(frozen=True, slots=True)
class Launch:
    """Start a command in the desktop as its user and do not wait for it; with `shell`, through a shell."""

    type: ClassVar[Literal["launch"]] = "launch"
    command: str | Sequence[str]
    shell: bool = False


@dataclass(frozen=True, slots=True)
class Sleep:
    """Let time pass in the desktop, in seconds."""

    type: ClassVar[Literal["sleep"]] = "sleep"
    seconds: float


@dataclass(frozen=True, slots=True)
class Signal:
    """Say something of the task instead of acting: FAIL (it can't be done), DONE (it is done), WAIT (a moment).

    FAIL and DONE touch nothing and end nothing; they count at verify as long as no other action follows.
    """

    type: ClassVar[Literal["signal"]] = "signal"
    name: SignalName


@dataclass(frozen=True, slots=True)
class Batch:
    """Do several actions in one turn, each as `env.step` takes it, up to the first that fails; no batch in a batch."""

    type: ClassVar[Literal["batch"]] = "batch"
    actions: Sequence[SingleAction]


ActionDict: TypeAlias = PyautoguiAction | ExecuteAction | LaunchAction | SleepAction | SignalAction | BatchAction
SingleAction: TypeAlias = str | ActionDict | Mapping[str, Any] | Pyautogui | Execute | Launch | Sleep | Signal
"""What a batch may hold."""
Action: TypeAlias = SingleAction | Batch
"""What `env.step` takes; a str is pyautogui code, but for the three `SIGNALS`."""


def action(given: Action, *, tried: str | None = None) -> dict[str, object]:
    """The action as the JSON object that is sent; fields that the spec does not name are kept.

    Args:
        given: pyautogui code, one of the words FAIL, DONE and WAIT, a typed action, or a mapping with `type`.
        tried: The call that it is for, for the error.

    Raises:
        BadRequest: It is no action. Nothing was sent.
    """
    try:
        return _checked(_fields(given))
    except _WrongError as wrong:
        raise BadRequest(400, wrong.what, sent="no", tried=tried, hint=wrong.do) from None


class _WrongError(Exception):
    """What is wrong with an action, and what to give instead."""

    def __init__(self, what: str, do: str) -> None:
        super().__init__(what)
        self.what, self.do = what, do


def _fields(given: object) -> dict[str, object]:
    if isinstance(given, str):
        return {"type": "signal", "name": given} if given in SIGNALS else {"type": "pyautogui", "code": given}
    if isinstance(given, Pyautogui | Execute | Launch | Sleep | Signal | Batch):
        return {name: getattr(given, name) for name in ("type", *given.__match_args__)}
    if isinstance(given, Mapping):
        return dict(cast("Mapping[str, object]", given))
    raise _WrongError(
        f"an action is text or a mapping, got {_what(given)}",
        'Give pyautogui code as text, or a mapping such as {"type": "sleep", "seconds": 1}',
    )


def _checked(fields: dict[str, object]) -> dict[str, object]:
    kind = fields.pop("type", None)
    check = _CHECKS.get(kind) if isinstance(kind, str) else None
    if check is None:
        raise _WrongError(
            f"an action's type is {', '.join(_CHECKS)}, got {_what(kind)}",
            'Give one of these as "type"; text alone is pyautogui code',
        )
    known: dict[str, object] = {"type": str(kind)} | check(fields)
    extra = {name: value for name, value in fields.items() if name not in known}
    return known | _json_of(extra) if extra else known


def _pyautogui(fields: Mapping[str, object]) -> dict[str, object]:
    return {"code": _text(fields.get("code"), "code")}


def _command(fields: Mapping[str, object]) -> dict[str, object]:
    shell = fields.get("shell", False)
    if not isinstance(shell, bool):
        raise _WrongError(f"shell is true or false, got {_what(shell)}", "Give True to run the command through a shell")
    return {"command": _text_or_texts(fields.get("command")), "shell": shell}


def _text_or_texts(command: object) -> str | list[str]:
    given = command
    if isinstance(command, str) and command:
        return _text(command, "command")
    if isinstance(command, Sequence) and command and not isinstance(command, str | bytes | bytearray | memoryview):
        return [_text(word, "each word of command") for word in cast("Sequence[object]", command)]
    raise _WrongError(f"command is text or a list of texts, got {_what(given)}", 'Give "ls -l" or ["ls", "-l"]')


def _sleep(fields: Mapping[str, object]) -> dict[str, object]:
    seconds = fields.get("seconds")
    span = _number(seconds)
    if span is None or not 0 <= span <= float_info.max:
        raise _WrongError(
            f"seconds is a number from 0 up, got {_what(seconds)}", "Give the pause in seconds, such as 1.5"
        )
    return {"seconds": span}


def _signal(fields: Mapping[str, object]) -> dict[str, object]:
    name = fields.get("name")
    if not isinstance(name, str) or name not in SIGNALS:
        raise _WrongError(f"a signal's name is {', '.join(SIGNALS)}, got {_what(name)}", "Give one of these as name")
    return {"name": str(name)}


def _batch(fields: Mapping[str, object]) -> dict[str, object]:
    given = fields.get("actions")
    told = _what(given)
    if not isinstance(given, Sequence) or isinstance(given, str | bytes | bytearray | memoryview):
        raise _WrongError(f"actions is a list of actions, got {told}", 'Give ["pyautogui.click(1, 2)", "DONE"]')
    actions = list(cast("Sequence[object]", given))
    if not 1 <= len(actions) <= _MOST_IN_A_BATCH:
        raise _WrongError(f"a batch has 1 to {_MOST_IN_A_BATCH} actions, got {len(actions)}", "Give fewer, or some")
    return {"actions": [_checked(_not_a_batch(_fields(one))) for one in actions]}


def _not_a_batch(fields: dict[str, object]) -> dict[str, object]:
    if fields.get("type") == Batch.type:
        raise _WrongError("a batch can't hold a batch", "Give its actions themselves")
    return fields


def _number(value: object) -> float | None:
    """The number that a value is, also one of numpy's; None for a truth value and for one beyond all bounds."""
    if isinstance(value, bool) or not isinstance(value, Real):
        return None
    try:
        return int(value) if isinstance(value, Integral) else float(value)
    except (OverflowError, ValueError):
        return None


_CHECKS: Final[dict[str, Callable[[Mapping[str, object]], dict[str, object]]]] = {
    "pyautogui": _pyautogui,
    "execute": _command,
    "launch": _command,
    "sleep": _sleep,
    "signal": _signal,
    "batch": _batch,
}


def _text(value: object, name: str) -> str:
    if not isinstance(value, str):
        raise _WrongError(f"{name} is text, got {_what(value)}", "Give it as text")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise _WrongError(f"{name} holds half a character", "Give text that UTF-8 can encode") from None
    return str(value)


def _json_of(extra: dict[str, object]) -> dict[str, object]:
    try:
        copied: dict[str, object] = loads(dumps(extra, allow_nan=False))
    except (TypeError, ValueError, RecursionError):
        names = excerpt(", ".join(str(name) for name in extra))
        raise _WrongError(f"{names} holds what JSON has not", "Give text, numbers, lists and mappings only") from None
    return copied


def _what(value: object) -> str:
    """A value given by mistake, in a few words."""
    if value is None:
        return "nothing"
    if isinstance(value, str):
        return excerpt(repr(value[:80]))
    if isinstance(value, bool | float) or (isinstance(value, int) and abs(value) < _LONG):
        return repr(value)
    return f"a {type(value).__name__}"

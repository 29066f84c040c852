"""Hypothesis strategies: one a record, state, action and error that crosses a border; all property tests use them.

`sound_*` is what a correct server sends; a `Fault` breaks one thing of it; `free_*` is any mixture of fields, right or
wrong. Nothing here asserts.
"""

from __future__ import annotations

import copy
import math
import string
import struct
import zlib
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from hypothesis import strategies as st

from drums import actions, errors

if TYPE_CHECKING:
    from collections.abc import Callable

Json = dict[str, Any]

# --- words ------------------------------------------------------------------------------------------------------------

json_scalars: st.SearchStrategy[Any] = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=12)
)
json_values: st.SearchStrategy[Any] = st.recursive(
    json_scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3)
)
unknown_fields = st.dictionaries(st.text("xyz_", min_size=4, max_size=8), json_values, max_size=3)
"""Fields of a server that is newer than this SDK; their names are none that the spec uses."""

slot_ids = st.integers(1, 10**6).map(lambda number: f"s{number}")
checkpoint_ids = st.just("osworld-ubuntu") | st.integers(1, 999).map(lambda number: f"c{number}")
task_ids = st.uuids().map(str)
episodes = st.integers(1, 10**6)
gate_names = st.sampled_from(["isolation", "mounts", "network", "limits", "state_hash", "processes_alive"])
seconds = st.floats(0, 1e4, allow_nan=False)
times = st.datetimes().map(lambda moment: f"{moment.isoformat()}Z")

not_ready = st.sampled_from(["creating", "quarantined", "down", "destroyed", "hibernating"])
"""States other than ready; the last is a newer server's."""
states = st.just("ready") | not_ready
verdicts = st.sampled_from(["pending", "valid", "invalid", "doubtful"])
"""Verdicts; the last is a newer server's."""
gate_statuses = st.sampled_from(["passed", "pending", "failed", "skipped"])
"""Statuses of a gate; the last is a newer server's."""

secrets = st.text(string.ascii_letters + string.digits, min_size=8, max_size=40).map(lambda middle: f"7q{middle}X9")
"""What must never be shown; no word of a message looks like it."""


@st.composite
def texts_with_a_secret(draw: st.DrawFn) -> tuple[str, str]:
    """A text as a server might send it, and the secret in it: a bearer token, an API key, a URL's password."""
    secret = draw(secrets)
    shape = draw(
        st.sampled_from(
            [
                "Bearer {}",
                "bearer  {}",
                "Authorization: Bearer {}",
                'authorization: "Bearer {}"',
                "Bearer%20{}",
                "drums_sk_{}",
                "DRUMS_SK_{}",
                "https://user:{}@host/path",
                "http://{}@127.0.0.1:7070/v1",
                "https:\\/\\/user:{}@host\\/path",
                "x://a@{}@host",
            ]
        )
    )
    before, after = draw(st.text(max_size=8)), draw(st.text(max_size=8))
    joint = draw(st.sampled_from([" ", "\n", ", ", "\t"]))
    return f"{before}{joint}{shape.format(secret)}{joint}{after}", secret


# --- gates and rewards ------------------------------------------------------------------------------------------------


@st.composite
def gates(draw: st.DrawFn, statuses: st.SearchStrategy[str] = gate_statuses, *, min_size: int = 0) -> list[Json]:
    """The gates of one episode, each name once."""
    names = draw(st.lists(gate_names, unique=True, min_size=min_size))
    return [{"name": name, "status": draw(statuses), "detail": None, "seconds": draw(seconds)} for name in names]


def audits(*, trusted: bool) -> st.SearchStrategy[Json]:
    """An audit that found nothing, or one that found something."""
    flags = (
        st.just(list[str]()) if trusted else st.lists(st.sampled_from(["recheck_disagrees", "new_flag"]), min_size=1)
    )
    return st.fixed_dictionaries(
        {"trusted": st.just(trusted), "flags": flags},
        optional={
            "recheck": st.none() | st.just({"ran": True, "agrees": trusted, "score": 1.0}),
            "redundant": st.none() | st.just(trusted),
            "scope": st.sampled_from([None, "within"]),
            "checker_seconds": seconds,
            "sandbox": json_values,
        },
    )


@st.composite
def sound_replies(draw: st.DrawFn, *, audited: bool | None = None) -> Json:
    """A verify reply of a valid, scored episode: by today's daemon, or one before 0.4.2 (no audit, no reasons)."""
    reply: Json = {
        "slot": draw(slot_ids),
        "episode": draw(episodes),
        "task_id": draw(task_ids),
        "state": "ready",
        "score": draw(st.sampled_from([0, 1, 0.0, 1.0]) | st.floats(0, 1)),
        "valid": True,
        "validity": {"verdict": "valid", "gates": []},
        "checker_error": None,
        "checker_skipped": None,
        "gates": draw(gates(st.just("passed"), min_size=1)),
        "seconds": draw(seconds),
    }
    if draw(st.booleans()) if audited is None else audited:
        reply |= {"invalid_reasons": [], "audit": draw(audits(trusted=True))}
    return draw(unknown_fields) | reply


SOUND: Json = {
    "slot": "s104",
    "episode": 3,
    "task_id": "e0df059f-28a6-4169-924f-b9623e7184cc",
    "state": "ready",
    "score": 1,
    "valid": True,
    "validity": {"verdict": "valid", "gates": []},
    "checker_error": None,
    "checker_skipped": None,
    "gates": [{"name": "network", "status": "passed"}, {"name": "processes_alive", "status": "passed"}],
    "seconds": 0.8,
    "invalid_reasons": [],
    "audit": {"trusted": True, "flags": [], "recheck": {"ran": True, "agrees": True, "score": 1}},
}
"""One sound reply, for where a single one will do."""


class Fault(NamedTuple):
    """One thing that speaks against a verify reply."""

    name: str
    applied: Callable[[Json], Json]

    def applied_to(self, reply: Json) -> Json:
        """A copy of the reply with this fault."""
        return self.applied(copy.deepcopy(reply))

    def __repr__(self) -> str:
        return f"Fault({self.name})"


def _sets(*path: str, to: object) -> Fault:
    def applied(reply: Json) -> Json:
        target = reply
        for name in path[:-1]:
            if not isinstance(target.get(name), dict):
                target[name] = {}
            target = target[name]
        target[path[-1]] = to
        return reply

    return Fault(f"{'.'.join(path)} = {to!r}", applied)


def _lacks(name: str) -> Fault:
    return Fault(f"no {name}", lambda reply: {key: value for key, value in reply.items() if key != name})


def _gates_of(reply: Json) -> list[Any]:
    return reply["gates"] if isinstance(reply.get("gates"), list) else []


def _has_gate(gate: object) -> Fault:
    return Fault(f"gate {gate!r}", lambda reply: reply | {"gates": [*_gates_of(reply), gate]})


_STRANGE: tuple[object, ...] = ("new", "", 1, True, [], {})
"""What no field of a reward may be taken for an answer of."""


def _each(*path: str, to: tuple[object, ...]) -> list[Fault]:
    return [_sets(*path, to=value) for value in to]


INVALIDATING: list[Fault] = [
    *_each("valid", to=(False, None, "true", "false", 1, 1.0, [], {}, [True])),
    _lacks("valid"),
    *_each("state", to=("creating", "quarantined", "down", "destroyed", "READY", *_STRANGE)),
    *_each("validity", "verdict", to=("pending", "invalid", "VALID", *_STRANGE)),
    *_each("validity", "gates", to=(["network"], [""], [{"name": "network"}], [None], "network", {}, 1)),
    *_each("validity", to=("valid", [], 1, True, {"gates": ["network"]})),
    *_each("gates", to=({}, "passed", 1, {"gates": []})),
    *[_has_gate({"name": "network", "status": status}) for status in ("failed", "pending", "PASSED", None, *_STRANGE)],
    *[_has_gate(gate) for gate in ({"name": "network"}, {"name": [], "status": "failed"}, None, *_STRANGE)],
    *_each("invalid_reasons", to=(["env is down"], [""], [None], "env is down", 1, {"why": 1}, True)),
    *_each("checker_skipped", to=("quarantined: client", "Quarantined", "no task", "")),
    *_each("quarantined", to=(True, "client", {"by": "client"}, ["client"])),
]
"""Each alone makes a sound reply not valid; `checker_skipped` does because a sound reply has a score beside it."""

UNTRUSTING: list[Fault] = [
    *_each("audit", "trusted", to=(False, None, "true", 1, [], {})),
    *_each("audit", "flags", to=(["recheck_disagrees"], ["new"], "new", 1, {"x": 1}, [None], [""])),
    *_each("audit", "recheck", to=({"ran": True, "agrees": False, "score": 0}, {"ran": True}, {"agrees": 1}, "no", [])),
    *_each("audit", "redundant", to=(False, 0, 1, "true", {"agrees": True})),
    *_each("audit", "scope", to=("beyond", "new", "", ["within"], True)),
    *_each("audit", "beyond", to=([{"kind": "file", "name": "/etc/passwd"}], [None], {}, "file", True)),
    *_each("audit", to=({}, [], "trusted", True, 1)),
    *_each("score", to=(None, math.nan, math.inf, -math.inf, True, "1.0", [1], 10**400, 1.01, -0.01, 2)),
    _lacks("score"),
    *_each("checker_error", to=("boom", True, {"why": 1}, ["boom"])),
]
"""Each alone takes the trust away from a sound, audited reply; the episode stays valid."""

invalidating_faults = st.sampled_from(INVALIDATING)
untrusting_faults = st.sampled_from(UNTRUSTING)

_anything = json_values | st.just(math.nan)
free_replies: st.SearchStrategy[Json] = st.fixed_dictionaries(
    {"slot": slot_ids | _anything, "valid": st.just(True) | st.booleans() | _anything},
    optional={
        "state": st.just("ready") | states | _anything,
        "episode": episodes | _anything,
        "task_id": task_ids | _anything,
        "score": st.floats() | _anything,
        "validity": st.fixed_dictionaries(
            {}, optional={"verdict": st.just("valid") | verdicts | _anything, "gates": st.lists(gate_names) | _anything}
        )
        | _anything,
        "gates": gates() | st.lists(_anything, max_size=2) | _anything,
        "checker_error": st.none() | st.text(max_size=5) | _anything,
        "checker_skipped": st.none() | st.just("quarantined: client") | _anything,
        "invalid_reasons": st.just(list[str]()) | st.lists(st.text(max_size=5), max_size=2) | _anything,
        "audit": audits(trusted=True) | audits(trusted=False) | _anything,
        "quarantined": st.booleans() | _anything,
        "newer": json_values,
    },
)
"""Any mixture of fields, each right, wrong or of another type."""

# --- slots and steps --------------------------------------------------------------------------------------------------


@st.composite
def slots(draw: st.DrawFn, state: st.SearchStrategy[str] = states) -> Json:
    """A slot record."""
    return draw(unknown_fields) | draw(
        st.fixed_dictionaries(
            {"id": slot_ids, "state": state},
            optional={
                "episode": episodes,
                "checkpoint": checkpoint_ids,
                "task": st.none() | st.fixed_dictionaries({"id": task_ids, "instruction": st.text(max_size=12)}),
                "validity": st.fixed_dictionaries({"verdict": verdicts, "gates": st.lists(gate_names, max_size=2)}),
                "last_error": st.none() | st.sampled_from(["restore failed: no memory", "task setup failed: download"]),
                "reason": st.none() | st.text(max_size=12),
                "closed_reason": st.none() | st.sampled_from(["idle_timeout", "ttl", "client"]),
                "created_at": times,
                "idle_timeout_s": seconds,
                "ttl_s": st.none() | seconds,
                "parent": st.none() | slot_ids,
            },
        )
    )


action_results: st.SearchStrategy[Json] = st.fixed_dictionaries(
    {
        "returncode": st.none() | st.integers(-15, 255),
        "output": st.none() | st.text(max_size=20),
        "error": st.none() | st.text(max_size=20),
    },
    optional={"pid": st.none() | st.integers(1, 99999)},
)


@st.composite
def step_replies(draw: st.DrawFn) -> Json:
    """What a step replies."""
    known = {
        "slot": draw(slot_ids),
        "episode": draw(episodes),
        "result": draw(action_results),
        "validity": {"verdict": draw(verdicts), "gates": draw(st.lists(gate_names, max_size=2))},
        "seconds": draw(seconds),
    }
    return draw(unknown_fields) | known


@st.composite
def pngs(draw: st.DrawFn, widths: st.SearchStrategy[int], heights: st.SearchStrategy[int]) -> bytes:
    """The start of a PNG with a whole header of this size."""
    header = b"IHDR" + struct.pack(">IIBBBBB", draw(widths), draw(heights), 8, 2, 0, 0, 0)
    chunk = struct.pack(">I", 13) + header + struct.pack(">I", zlib.crc32(header))
    return b"\x89PNG\r\n\x1a\n" + chunk + draw(st.binary(max_size=8))


# --- actions ----------------------------------------------------------------------------------------------------------

sendable_texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
"""Text that can be encoded: half a surrogate pair can't."""
commands = sendable_texts.filter(bool) | st.lists(sendable_texts, min_size=1, max_size=4)
pauses = st.integers(0, 600) | st.floats(0, 600)
signal_names = st.sampled_from(actions.SIGNALS)

typed_actions: st.SearchStrategy[Any] = (
    st.builds(actions.Pyautogui, sendable_texts)
    | st.builds(actions.Execute, commands, st.booleans())
    | st.builds(actions.Launch, commands | commands.map(tuple), st.booleans())
    | st.builds(actions.Sleep, pauses)
    | st.builds(actions.Signal, signal_names)
)
single_action_dicts: st.SearchStrategy[Json] = st.one_of(
    st.fixed_dictionaries({"type": st.just("pyautogui"), "code": sendable_texts}),
    st.fixed_dictionaries(
        {"type": st.sampled_from(["execute", "launch"]), "command": commands}, optional={"shell": st.booleans()}
    ),
    st.fixed_dictionaries({"type": st.just("sleep"), "seconds": pauses}),
    st.fixed_dictionaries({"type": st.just("signal"), "name": signal_names}),
)
batch_dicts = st.fixed_dictionaries(
    {"type": st.just("batch"), "actions": st.lists(single_action_dicts, min_size=1, max_size=3)}
)
action_dicts = single_action_dicts | batch_dicts
single_actions = sendable_texts | signal_names | typed_actions | single_action_dicts
good_actions: st.SearchStrategy[Any] = (
    single_actions
    | batch_dicts
    | st.builds(actions.Batch, st.lists(single_actions, min_size=1, max_size=3))
    | st.builds(lambda a, b: b | a, action_dicts, unknown_fields)
)

ACTION_TYPES = ("pyautogui", "execute", "launch", "sleep", "signal", "batch")
_no_text: st.SearchStrategy[Any] = st.sampled_from([None, 1, b"x", ["x"], "\ud800"])
_no_command: st.SearchStrategy[Any] = st.sampled_from(
    [None, 1, b"x", "", [], (), [1], ["a", None], {}, {"a"}, "\ud800"]
)
_no_pause: st.SearchStrategy[Any] = st.sampled_from(
    [math.nan, math.inf, -math.inf, -1, -0.001, True, None, "1", 10**400, 10**5000, 1j, [1], Fraction(10**400)]
)
_no_type: st.SearchStrategy[Any] = json_values.filter(lambda given: given not in ACTION_TYPES)
_no_flag: st.SearchStrategy[Any] = json_values.filter(lambda given: not isinstance(given, bool))
_no_signal: st.SearchStrategy[Any] = st.sampled_from([None, "", "fail", "STOP", 1, ["FAIL"]])
_no_batch: st.SearchStrategy[Any] = (
    st.sampled_from([None, [], "DONE", b"x", {}, 1, [None], [{"type": "zoom"}], ["DONE"] * 101])
    | st.lists(batch_dicts, min_size=1, max_size=2)
    | st.just([actions.Batch(["DONE"])])
)
_running = st.sampled_from(["execute", "launch"])


def _dicts(**fields: st.SearchStrategy[Any]) -> st.SearchStrategy[Json]:
    return st.fixed_dictionaries(fields)


bad_actions: st.SearchStrategy[Any] = st.one_of(
    st.none() | st.integers() | st.floats() | st.binary() | st.lists(action_dicts),
    _dicts(code=sendable_texts, command=commands, seconds=pauses),
    _dicts(type=_no_type, code=sendable_texts, command=commands, seconds=pauses),
    _dicts(type=st.just("pyautogui"), code=_no_text),
    _dicts(type=_running, command=_no_command),
    _dicts(type=_running, command=commands, shell=_no_flag),
    _dicts(type=st.just("sleep"), seconds=_no_pause),
    _dicts(type=st.sampled_from(ACTION_TYPES)),
    _dicts(type=st.just("sleep"), seconds=pauses, note=st.sampled_from([{1, 2}, math.nan, b"x", {(1, 2): 3}])),
    st.builds(actions.Pyautogui, _no_text),
    st.builds(actions.Execute, _no_command),
    st.builds(actions.Launch, commands, _no_flag),
    st.builds(actions.Sleep, _no_pause),
    st.builds(actions.Signal, _no_signal),
    st.builds(actions.Batch, _no_batch),
    _dicts(type=st.just("signal"), name=_no_signal),
    _dicts(type=st.just("batch"), actions=_no_batch),
)
"""What is no action."""

# --- errors -----------------------------------------------------------------------------------------------------------

statuses = st.just(0) | st.integers(100, 599)
codes = (
    st.none()
    | st.sampled_from([*sorted({row.code for row in errors.rows if row.code}), "new_code"])
    | st.text(max_size=6)
)
messages = st.text(max_size=300) | st.sampled_from(["slot is destroyed", "Slot is destroyed: s104", "host is full"])
error_bodies: st.SearchStrategy[Any] = st.one_of(
    st.fixed_dictionaries(
        {"error": messages | json_values},
        optional={
            "code": codes | json_values,
            "slot": slots() | json_values,
            "gates": st.fixed_dictionaries({"slot": slot_ids, "gates": gates()}) | json_values,
            "closed_reason": st.text(max_size=12) | json_values,
            "retry_after_s": seconds | json_values | st.just(math.nan),
            "request_id": st.text(max_size=12) | json_values,
        },
    ),
    slots().map(lambda record: record | {"error": "no", "code": "conflict"}),
    json_values,
    st.sampled_from(["", "<html><title>502 Bad Gateway</title>", "{", b"\x89PNG", None]),
)
"""Bodies of an error reply, of old and new servers, of gateways and of nobody."""

facts: st.SearchStrategy[errors.Facts] = st.fixed_dictionaries(
    {},
    optional={
        "method": st.sampled_from(["GET", "POST", "DELETE"]),
        "path": slot_ids.map(lambda slot: f"/v1/slots/{slot}"),
        "request_id": st.text(max_size=12),
        "retry_after": seconds,
        "sent": st.sampled_from(["no", "maybe", "yes"]),
        "tried": st.sampled_from(["create()", "fork(8) of s104"]),
        "hint": st.text(max_size=40),
    },
)  # type: ignore[assignment]
"""What a caller knows of the call that failed."""

"""Requests made from the spec, by schemathesis: each operation by itself and sequences of them, held to the spec.

It needs schemathesis, which is not installed with this package. Invariant: as in `visit`, an id in a path is one that
this run made or made up: whatever was generated is replaced before it is sent.
"""

from __future__ import annotations

import copy
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast
from zlib import crc32

from drums.conform.operations import document
from drums.conform.outcome import Broken, Outcome, Report
from drums.conform.run import Options, Wire
from drums.conform.visit import Visit

if TYPE_CHECKING:
    from collections.abc import Callable

    import hypothesis

    from drums._core.settings import Settings

CHECKS = (
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "response_schema_conformance",
)
UNTOUCHED = frozenset({"reset_metrics", "delete_checkpoint"})
"""What is not fuzzed: it would change what others share, or delete what others saved."""
SEQUENCES_EACH = 5
"""One sequence for so many requests to each operation."""
STEPS = 12
"""Requests in one sequence."""
LONGEST_S = 0.05
"""No wait and no sleep that is asked for takes longer."""


class Unfuzzable(Exception):
    """schemathesis is not installed."""


def with_fuzzing(report: Report, settings: Settings, options: Options, examples: int) -> Report:
    """The report with one more outcome for each operation that was fuzzed.

    Raises:
        Unfuzzable: schemathesis is not installed.
    """
    try:
        import schemathesis  # noqa: PLC0415 -- optional
    except ModuleNotFoundError as missing:
        raise Unfuzzable("--fuzz needs schemathesis: pip install schemathesis") from missing
    schema = schemathesis.openapi.from_dict(copy.deepcopy(dict(document())))
    began = time.monotonic()
    visit = Visit(Wire(settings), options.image, timeout_s=options.timeout_s, patience_s=options.patience_s)
    fuzz = _Fuzz(visit, settings, examples)
    try:
        found: list[Any] = [one.ok() for one in cast("Any", schema).get_all_operations()]
        outcomes = [fuzz.outcome(one) for one in found if _id_of(one) not in UNTOUCHED]
        outcomes.append(fuzz.sequences(cast("Any", schema).exclude(operation_id=sorted(UNTOUCHED))))
    finally:
        left = visit.close()
    return replace(
        report,
        outcomes=(*report.outcomes, *outcomes),
        notes=(*report.notes, *(f"fuzzing left {what}" for what in left)),
        seconds=report.seconds + time.monotonic() - began,
    )


def _id_of(operation: Any) -> str:
    return str(operation.definition.raw["operationId"])


class _Fuzz:
    """Fuzzes one operation after the other."""

    def __init__(self, visit: Visit, settings: Settings, examples: int) -> None:
        import schemathesis.specs.openapi.checks as spec_checks  # noqa: PLC0415 -- optional

        self._visit = visit
        self._settings_of_daemon = settings
        self._examples = examples
        self._checks = [getattr(spec_checks, name) for name in CHECKS]
        self._slot = ""

    def outcome(self, operation: Any) -> Outcome:
        """What came of one operation."""
        return self._told(_id_of(operation), lambda: self._run(operation))

    def sequences(self, schema: Any) -> Outcome:
        """What came of sequences of operations that follow ids from one reply into the next request."""
        return self._told("sequences", lambda: self._run_sequences(schema))

    def _told(self, name: str, act: Callable[[], None]) -> Outcome:
        from hypothesis.errors import HypothesisException  # noqa: PLC0415 -- comes with schemathesis

        began = time.monotonic()
        try:
            act()
        except (Broken, AssertionError, HypothesisException, BaseExceptionGroup) as broken:
            if isinstance(broken, BaseExceptionGroup) and broken.subgroup((KeyboardInterrupt, SystemExit)):
                raise
            words = " ".join(str(broken).split())
            return Outcome("fuzzing", name, _rule(name), "failed", words[:1000], time.monotonic() - began)
        return Outcome("fuzzing", name, _rule(name), "passed", "", time.monotonic() - began)

    def _profile(self, examples: int, steps: int = 1) -> hypothesis.settings:
        from hypothesis import HealthCheck, Phase, settings  # noqa: PLC0415 -- comes with schemathesis

        return settings(
            max_examples=examples,
            stateful_step_count=steps,
            deadline=None,
            database=None,
            derandomize=True,
            phases=[Phase.explicit, Phase.generate],
            suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
        )

    def _run_sequences(self, schema: Any) -> None:
        fuzz = self

        class Sequences:
            """Mixed into the machine that follows the links that schemathesis finds in the spec."""

            def before_call(self, case: Any) -> None:
                fuzz.place(case)

            def get_call_kwargs(self, _case: Any) -> dict[str, Any]:
                return fuzz.asking

            def validate_response(self, response: Any, case: Any, **_asked: Any) -> None:
                fuzz.hold(response, case)

        machine: Any = type("Machine", (Sequences, schema.as_state_machine()), {})
        count = max(1, self._examples // SEQUENCES_EACH)
        machine.run(settings=self._profile(count, STEPS))

    def _run(self, operation: Any) -> None:
        from hypothesis import given  # noqa: PLC0415 -- comes with schemathesis

        @self._profile(self._examples)
        @given(case=operation.as_strategy())
        def check(case: Any) -> None:
            self._check(case)

        check()

    def _check(self, case: Any) -> None:
        self.place(case)
        self.hold(case.call(**self.asking), case)

    @property
    def asking(self) -> dict[str, Any]:
        """Where to ask, and as whom."""
        token = self._settings_of_daemon.token
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        return {"base_url": self._settings_of_daemon.url, "headers": headers}

    def hold(self, response: Any, case: Any) -> None:
        """Hold one reply to the spec."""
        self._visit.note_made(case.operation.definition.raw["operationId"], response.status_code, response.content)
        case.validate_response(response, checks=self._checks)

    def place(self, case: Any) -> None:
        """Let ids be ours, and nothing take long; the same request is always changed alike."""
        chance = crc32(repr((case.method, case.path, case.query, case.body)).encode())
        named = str(case.path_parameters["id"]) if "{id}" in case.path else ""
        if named and not case.path.startswith("/v1/tasks") and not self._visit.owns(named):
            case.path_parameters["id"] = self._live_slot() if chance % 4 else self._visit.made_up()
        if _id_of(case.operation) == "list_slots":
            # Without `limit` the reply is a bare list, which the spec tells in words only.
            case.query = {"limit": chance % 3 + 1, **(case.query or {})}
        body: Any = case.body
        if isinstance(body, dict):
            self._place_in(cast("dict[str, Any]", body), chance)

    def _place_in(self, body: dict[str, Any], chance: int) -> None:
        shorten(body)
        if "checkpoint" in body and chance % 2:
            body["checkpoint"] = self._visit.image
        if isinstance(body.get("n"), int):
            body["n"] = min(body["n"], 2)

    def _live_slot(self) -> str:
        if not self._slot or self._visit.try_ask_slot(self._slot) != 200:
            self._slot = self._visit.make()["id"]
        return self._slot


def shorten(body: dict[str, Any]) -> None:
    """Let no wait and no sleep in a body take long."""
    for name, value in body.items():
        if isinstance(value, dict):
            shorten(cast("dict[str, Any]", value))
        elif name == "actions" and isinstance(value, list):
            for action in cast("list[object]", value):
                if isinstance(action, dict):
                    shorten(cast("dict[str, Any]", action))
        elif (name, value) == ("name", "WAIT"):
            body[name] = "DONE"
        elif name in {"timeout_s", "quiesce_timeout_s", "window_s", "seconds"} and isinstance(value, int | float):
            body[name] = min(value, LONGEST_S)


def _rule(operation: str) -> str:
    if operation == "sequences":
        return "Whatever follows whatever, the reply is one that the spec allows"
    return f"Whatever is sent to {operation}, the reply is one that the spec allows"

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
    from drums._core.settings import Settings

CHECKS = (
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "response_schema_conformance",
)
UNTOUCHED = frozenset({"reset_metrics", "delete_checkpoint"})
"""What is not fuzzed: it would change what others share, or delete what others saved."""
LONGEST_S = 0.05
"""No wait and no sleep that is asked for takes longer."""


class Unfuzzable(Exception):  # noqa: N818 - it is an answer, not an error of ours
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
        self._settings = settings
        self._examples = examples
        self._checks = [getattr(spec_checks, name) for name in CHECKS]
        self._slot = ""

    def outcome(self, operation: Any) -> Outcome:
        """What came of one operation."""
        name = _id_of(operation)
        began = time.monotonic()
        try:
            self._run(operation)
        except (Broken, AssertionError, BaseExceptionGroup) as broken:
            if isinstance(broken, BaseExceptionGroup) and broken.subgroup((KeyboardInterrupt, SystemExit)):
                raise
            words = " ".join(str(broken).split())
            return Outcome("fuzzing", name, _rule(name), "failed", words[:1000], time.monotonic() - began)
        return Outcome("fuzzing", name, _rule(name), "passed", "", time.monotonic() - began)

    def _run(self, operation: Any) -> None:
        from hypothesis import HealthCheck, Phase, given, settings  # noqa: PLC0415 -- comes with schemathesis

        @settings(
            max_examples=self._examples,
            deadline=None,
            database=None,
            derandomize=True,
            phases=[Phase.explicit, Phase.generate],
            suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
        )
        @given(case=operation.as_strategy())
        def check(case: Any) -> None:
            self._check(case)

        check()

    def _check(self, case: Any) -> None:
        self._place(case)
        headers = {"Authorization": f"Bearer {self._settings.token}"} if self._settings.token else {}
        response = case.call(base_url=self._settings.url, headers=headers)
        self._visit.note_made(case.operation.definition.raw["operationId"], response.status_code, response.content)
        case.validate_response(response, checks=self._checks)

    def _place(self, case: Any) -> None:
        """Let ids be ours, and nothing take long; the same request is always changed alike."""
        chance = crc32(repr((case.method, case.path, case.query, case.body)).encode())
        if case.path_parameters and "id" in case.path_parameters and not case.path.startswith("/v1/tasks"):
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
        elif name in {"timeout_s", "quiesce_timeout_s", "window_s", "seconds"} and isinstance(value, int | float):
            body[name] = min(value, LONGEST_S)


def _rule(operation: str) -> str:
    return f"Whatever is sent to {operation}, the reply is one that the spec allows"

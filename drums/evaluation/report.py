"""The report of a run: one page that opens without a server, with every rollout that is recorded.

The figures are written into it here; the rollouts are data that `page/report.js` shows. Invariants: nothing is loaded
from elsewhere, and no script runs but that one (a policy in the page forbids both); whatever a task, a model or a
desktop said is escaped or is put on the page as text.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final, cast

from drums.evaluation.figures_page import figures_html, header_html
from drums.evaluation.pictures import Pictures
from drums.evaluation.summary import SUCCESS
from drums.screen import SCREEN_HEIGHT_PX, SCREEN_WIDTH_PX

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from drums.evaluation.records import ActionRecord, GateRecord, RolloutRecord, TurnRecord
    from drums.evaluation.settings import Header
    from drums.evaluation.summary import Summary

NAME: Final = "report.html"
LONGEST_TEXT: Final = 4000
"""Characters of one text on the page; `results.jsonl` has all of it."""
LONGEST_OF_MANY: Final = 400
MANY_TURNS: Final = 2000
"""Turns of all rollouts together from which on texts are shorter."""

_POINT: Final = re.compile(
    r"\.(?:click|doubleClick|tripleClick|rightClick|middleClick|moveTo|dragTo|mouseDown)\(\s*(?:x\s*=\s*)?(\d{1,5})\s*,"
    r"\s*(?:y\s*=\s*)?(\d{1,5})\b"
)


@dataclass(frozen=True, slots=True)
class Report:
    """A report that was written."""

    path: Path
    size_bytes: int
    pictures_left_out: int
    """Screenshots that are in the run's folder only."""


def write_report(
    folder: Path, header: Header, records: Sequence[RolloutRecord], summary: Summary, planned: int
) -> Report:
    """Write `report.html`; one that is there is replaced when the new one is complete.

    Args:
        folder: The run's.
        header: What the run is.
        records: Its rollouts.
        summary: Its figures.
        planned: Rollouts that it has when it is complete.

    Raises:
        OSError: It can't be written.
    """
    pictures = Pictures(folder)
    pictures.take(records)
    ordered = sorted(records, key=lambda record: (record["domain"], record["task_id"], record["attempt"]))
    few = sum(len(record["turns"]) for record in records) < MANY_TURNS
    shown = _Shown(pictures, LONGEST_TEXT if few else LONGEST_OF_MANY)
    rollouts = [shown.rollout(record) for record in ordered]
    notes = _notes(len(records), planned, pictures.left_out)
    text = page(header, summary, rollouts, pictures.uris, notes).encode("utf-8", "replace")
    path = folder / NAME
    unfinished = folder / f".{NAME}.{os.getpid()}"
    unfinished.write_bytes(text)
    unfinished.replace(path)
    return Report(path, len(text), pictures.left_out)


def page(
    header: Header, summary: Summary, rollouts: Sequence[Mapping[str, Any]], uris: Sequence[str], notes: Sequence[str]
) -> str:
    """The page as HTML."""
    names = ("report.html", "report.css", "report.js")
    template, style, script = ((files("drums.evaluation") / "page" / name).read_text("utf-8") for name in names)
    rules = (
        f"default-src 'none'; img-src data:; style-src {_allowed(style)}; script-src {_allowed(script)}; "
        "base-uri 'none'; form-action 'none'"
    )
    parts = {
        "rules": rules,
        "style": style,
        "script": script,
        "header": header_html(header, notes),
        "figures": figures_html(summary),
        "rollouts": _data(rollouts),
        "pictures": _data(uris),
    }
    return re.sub(r"\{\{(\w+)\}\}", lambda name: parts[name[1]], template)  # once: what is put in is not looked at


def class_of(record: RolloutRecord) -> str:
    """In which of five ways a rollout ended: `success`, `partial`, `fail`, `invalid`, `error`."""
    if record["outcome"] != "scored":
        return record["outcome"]
    score = record["score"] or 0.0
    return "success" if score >= SUCCESS else "partial" if score > 0 else "fail"


class _Shown:
    """Rollouts as the script shows them.

    Args:
        pictures: Those that are on the page.
        longest: Characters of one text.
    """

    def __init__(self, pictures: Pictures, longest: int) -> None:
        self._pictures = pictures
        self._longest = longest

    def rollout(self, record: RolloutRecord) -> dict[str, Any]:
        """One rollout."""
        usage, cost, error = record["usage"], record["cost"], record["error"]
        tokens = None if usage is None else f"{usage['prompt_tokens']} in, {usage['completion_tokens']} out"
        costs = [f"{name} {amount:.4f}" for name in ("model", "host") if (amount := cost.get(name)) is not None]
        last = record["last_screenshot"]
        frames = [self._frame(turn) for turn in record["turns"]]
        if last is not None:
            frames.append({**self._seen(last), "last": True, "actions": [], "marks": []})
        return {
            "id": self._text(record["id"]),
            "task_id": self._text(record["task_id"]),
            "domain": self._text(record["domain"]),
            "instruction": self._text(record["instruction"]),
            "attempt": record["attempt"],
            "class": class_of(record),
            "score": record["score"],
            "error": None if error is None else self._text(f"{error['kind']}: {error['message']}"),
            "reasons": [self._text(reason) for reason in record["reasons"]],
            "bad_gates": [self._text(name) for name in record["bad_gates"]],
            "flags": [self._text(flag) for flag in record["audit_flags"]],
            "beyond": [self._text(touched) for touched in record["beyond"]],
            "trusted": record["trusted"],
            "gates": [self._gate(gate) for gate in record["gates"]],
            "ended": record["ended"],
            "env": record["env"],
            "parent": record["parent"],
            "seconds": record["seconds"],
            "play_seconds": record["play_seconds"],
            "turns": len(record["turns"]),
            "usage": tokens,
            "cost": ", ".join(costs) or None,
            "frames": frames,
        }

    def _frame(self, turn: TurnRecord) -> dict[str, Any]:
        actions = turn["actions"]
        return {
            **self._seen(turn["screenshot"]),
            "at": turn["at_s"],
            "said": self._text(turn["said"]),
            "signal": turn["signal"],
            "actions": [self._action(action) for action in actions],
            "marks": [point for action in actions for point in points_of(action["action"])],
        }

    def _seen(self, path: str | None) -> dict[str, Any]:
        return {"picture": self._pictures.index(path), "path": self._text(path)}

    def _gate(self, gate: GateRecord) -> dict[str, Any]:
        return {"name": self._text(gate["name"]), "status": gate["status"], "detail": self._text(gate["detail"])}

    def _action(self, action: ActionRecord) -> dict[str, Any]:
        return {
            "text": self._text(action_text(action["action"])),
            "returncode": action["returncode"],
            "output": self._text(action["output"].strip()),
            "error": self._text(action["error"].strip()),
        }

    def _text(self, value: str | None) -> str | None:
        if value is None or len(value) <= self._longest:
            return value
        return f"{value[: self._longest]}… ({len(value) - self._longest} more characters in results.jsonl)"


def action_text(action: Mapping[str, object]) -> str:
    """An action as a person reads it."""
    kind = action.get("type")
    if kind == "pyautogui":
        return str(action.get("code"))
    if kind in {"execute", "launch"}:
        command = action.get("command")
        words = " ".join(map(str, cast("list[object]", command))) if isinstance(command, list) else str(command)
        return f"{'$' if kind == 'execute' else 'start'} {words}"
    return json.dumps(action, ensure_ascii=False)


def points_of(action: Mapping[str, object]) -> list[tuple[float, float]]:
    """Where on the screen an action points, each as shares of its width and height."""
    found = _POINT.findall(str(action.get("code") or ""))[:20]
    shares = [(int(x) / SCREEN_WIDTH_PX, int(y) / SCREEN_HEIGHT_PX) for x, y in found]
    return [(x, y) for x, y in shares if x <= 1 and y <= 1]


def _notes(recorded: int, planned: int, left_out: int) -> list[str]:
    notes: list[str] = []
    if recorded < planned:
        notes.append(
            f"This run is not complete: {recorded} of {planned} rollouts are recorded. --resume goes on with it."
        )
    if left_out:
        notes.append(f"{left_out} screenshots are left out of this page to keep it small; they are in screenshots/.")
    return notes


def _data(value: object) -> str:
    """JSON that can stand in a page: nothing in it ends a script or begins a tag."""
    text = json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _allowed(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"

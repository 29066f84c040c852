"""The spec's lint refuses a document that is broken: what `make spec` runs, on twelve broken copies."""

from __future__ import annotations

import copy
import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from tools._compat.redocly import SCRIPT, VERSION

if TYPE_CHECKING:
    from collections.abc import Callable

Spec = dict[str, Any]
ROOT = Path(__file__).parents[2]
BROKEN: dict[str, Callable[[Spec], object]] = {
    "a reference to nothing": lambda spec: spec["components"]["schemas"]["Slot"]["allOf"].append(
        {"$ref": "#/components/schemas/No"}
    ),
    "an operationId twice": lambda spec: spec["paths"]["/v1/health"]["get"].update(operationId="get_metrics"),
    "a path parameter that is not described": lambda spec: spec["paths"]["/v1/tasks/{id}"].pop("parameters"),
    "a required field that is not described": lambda spec: spec["components"]["schemas"]["Gate"]["required"].append(
        "colour"
    ),
    "an example against its schema": lambda spec: spec["components"]["examples"]["StepReply"]["value"].update(
        seconds="fast"
    ),
    "nullable, which 3.1 does not have": lambda spec: spec["components"]["schemas"]["Gate"]["properties"][
        "name"
    ].update(nullable=True),
    "a type that there is not": lambda spec: spec["components"]["schemas"]["Gate"]["properties"]["name"].update(
        type="text"
    ),
    "a schema that nothing uses": lambda spec: spec["components"]["schemas"].update(Lonely={"type": "object"}),
    "an operation without words": lambda spec: spec["paths"]["/v1/health"]["get"].pop("description"),
    "an operation without a 4xx": lambda spec: [
        spec["paths"]["/v1/health"]["get"]["responses"].pop(one) for one in ("401", "403", "429")
    ],
    "a response without a description": lambda spec: spec["components"]["responses"]["Gone"].pop("description"),
    "a keyword that there is not": lambda spec: spec["paths"]["/v1/health"]["get"].update(operationID="get_health"),
}


def with_tag_of_nothing(spec: Spec) -> None:
    spec["components"]["schemas"]["Action"]["discriminator"]["mapping"]["drag"] = "#/components/schemas/DragAction"


def errors_of(paths: list[Path]) -> dict[str, list[str]]:
    """The rules that each file breaks, as redocly's lint sees it."""
    config = str(ROOT / "spec" / "redocly.yaml")
    quiet = {"REDOCLY_TELEMETRY": "off", "REDOCLY_SUPPRESS_UPDATE_NOTICE": "true"}
    done = subprocess.run(
        [str(SCRIPT), VERSION, "lint", *map(str, paths), "--config", config, "--format", "json"],
        env={**os.environ, **quiet},
        capture_output=True,
        text=True,
        check=False,
    )
    found: dict[str, list[str]] = {}
    text = done.stdout
    for path in paths:  # one report each, in their order
        report, end = json.JSONDecoder().raw_decode(text)
        text = text[end:].lstrip()
        found[path.name] = [problem["ruleId"] for problem in report["problems"] if problem["severity"] == "error"]
    return found


@pytest.mark.long
@pytest.mark.timeout(400)
@pytest.mark.skipif(shutil.which("npm") is None, reason="redocly needs Node.js with npm, not on PATH")
def test_broken_documents_are_refused_and_the_sound_one_is_not(tmp_path: Path) -> None:
    sound = yaml.safe_load((ROOT / "spec" / "openapi.yaml").read_bytes())
    names = ["sound", *BROKEN, "a tag of nothing"]
    for number, name in enumerate(names):
        document = json.loads(json.dumps(sound))
        (BROKEN | {"sound": len, "a tag of nothing": with_tag_of_nothing})[name](document)
        (tmp_path / f"{number}.json").write_text(json.dumps(document))
    found = errors_of([tmp_path / f"{number}.json" for number in range(len(names))])
    refused = {name: found[f"{number}.json"] for number, name in enumerate(names)}
    assert refused.pop("sound") == []
    assert [name for name, rules in refused.items() if not rules] == []
    assert len(refused) >= 12


def test_each_break_changes_the_document() -> None:
    sound = yaml.safe_load((ROOT / "spec" / "openapi.yaml").read_bytes())
    for name, breaks in BROKEN.items():
        document = copy.deepcopy(sound)
        breaks(document)
        assert document != sound, name

"""The spec as openapi-generator can use it: the same API, without the shapes that it gets wrong.

- The tag of an action is a constant in each variant already; with `discriminator` too, its Rust writes `type`
  twice and can't read it back. So the copy has none.
- A value that is a text or a list of texts (`type: [string, array]`) becomes a text only, in Rust nothing at all. In
  the copy it may be anything.
- A number without a format becomes a float of 32 bits in Go. In the copy numbers are `double`.
"""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any, cast

import yaml

SPEC = Path(__file__).resolve().parents[2] / "spec" / "openapi.yaml"


def prepared(spec: dict[str, Any]) -> dict[str, Any]:
    """A copy of the spec for openapi-generator."""
    changed = copy.deepcopy(spec)
    for name in ("Action", "SingleAction"):
        del changed["components"]["schemas"][name]["discriminator"]
    _change(changed)
    return changed


def write_prepared(path: Path, spec: Path = SPEC) -> None:
    """Write the copy as JSON."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(prepared(yaml.safe_load(spec.read_bytes()))), encoding="utf-8")


def _change(part: Any) -> None:
    if isinstance(part, list):
        for item in cast("list[Any]", part):  # type: ignore[redundant-cast]  # pyright needs it
            _change(item)
    if not isinstance(part, dict):
        return
    node = cast("dict[str, Any]", part)
    words = node.get("type")
    if words == ["string", "array"]:
        del node["type"], node["items"]
    elif words in ("number", ["number", "null"]):
        node.setdefault("format", "double")
    for name, inner in node.items():
        if name not in {"example", "examples"}:
            _change(inner)

"""Our own rules over two OpenAPI documents: paths, operations, parameters, bodies; schemas are `walk`'s. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tools._compat.walk import Walk, change

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tools._compat.change import Change
    from tools._compat.walk import Direction, Schema

METHODS = ("get", "put", "post", "delete", "patch", "head", "options")


def changes(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[Change]:
    """Every change between two documents, each once."""
    return list(dict.fromkeys(_paths(Walk(old, new), old["paths"], new["paths"])))


def _paths(walk: Walk, old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[Change]:
    for path, before in old.items():
        if path not in new:
            yield change("path-removed", path, "the path is gone")
            continue
        yield from _methods(walk, path, before, new[path])
    for path in new.keys() - old.keys():
        yield change("path-added", path, "the path is new", "minor")


def _methods(walk: Walk, path: str, old: Schema, new: Schema) -> Iterator[Change]:
    for method in METHODS:
        at = f"{method.upper()} {path}"
        if method in old and method not in new:
            yield change("operation-removed", at, "the operation is gone")
        elif method in new and method not in old:
            yield change("operation-added", at, "the operation is new", "minor")
        elif method in old:
            yield from _operation(walk, at, _with_shared(old, method), _with_shared(new, method))


def _with_shared(path: Schema, method: str) -> Schema:
    """An operation with the parameters of its path."""
    return {**path[method], "parameters": [*path.get("parameters", []), *path[method].get("parameters", [])]}


def _operation(walk: Walk, at: str, old: Schema, new: Schema) -> Iterator[Change]:
    if old.get("operationId") != new.get("operationId"):
        yield change("operation-id-renamed", at, f"{old.get('operationId')} became {new.get('operationId')}")
    for word in ("summary", "description"):
        if old.get(word) != new.get(word):
            yield change("words-changed", at, f"another {word}", "patch")
    yield from _parameters(walk, at, old, new)
    before, after = walk.old(old.get("requestBody")), walk.new(new.get("requestBody"))
    if after.get("required") and not before.get("required"):
        yield change("request-body-required", at, "a body must be sent now")
    yield from _contents(walk, before, after, "request", f"{at} request")
    yield from _responses(walk, at, old["responses"], new["responses"])


def _parameters(walk: Walk, at: str, old: Schema, new: Schema) -> Iterator[Change]:
    before = {(one["in"], one["name"]): one for one in map(walk.old, old["parameters"])}
    after = {(one["in"], one["name"]): one for one in map(walk.new, new["parameters"])}
    for key, parameter in before.items():
        where = f"{at} {key[0]} {key[1]}"
        if key not in after:
            yield change("parameter-removed", where, "the parameter is gone")
            continue
        if after[key].get("required") and not parameter.get("required"):
            yield change("parameter-required", where, "the parameter must be sent now")
        yield from walk.schemas(parameter["schema"], after[key]["schema"], "request", where)
    for key in after.keys() - before.keys():
        where = f"{at} {key[0]} {key[1]}"
        if after[key].get("required"):
            yield change("parameter-required", where, "a new parameter must be sent")
        else:
            yield change("parameter-added", where, "the parameter is new", "minor")


def _responses(walk: Walk, at: str, old: Schema, new: Schema) -> Iterator[Change]:
    for status, response in old.items():
        where = f"{at} {status}"
        if status in new:
            yield from _contents(walk, walk.old(response), walk.new(new[status]), "response", where)
        elif status.startswith(("2", "3")):
            yield change("success-status-removed", where, "the status is no longer sent")
        else:
            yield change("error-status-removed", where, "the status is no longer sent", "minor")
    for status in new.keys() - old.keys():
        yield change("status-added", f"{at} {status}", "the status is new", "minor")


def _contents(walk: Walk, old: Schema, new: Schema, direction: Direction, where: str) -> Iterator[Change]:
    after: dict[str, Any] = new.get("content") or {}
    before: dict[str, Any] = old.get("content") or {}
    for kind, media in before.items():
        if kind in after:
            yield from walk.schemas(media.get("schema"), after[kind].get("schema"), direction, where)
        else:
            yield change("media-type-removed", where, f"{kind} is gone")

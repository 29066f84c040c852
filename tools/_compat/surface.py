"""The public Python API as text: one stub for each public module, every name with its signature, inherited ones too.

It is read from the source by griffe, nothing is imported. The text is what the release step commits, so that the next
version has something to be compared with, and what a reviewer reads. Invariant: a private base class or module never
shows, so moving code about changes nothing here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import griffe

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PACKAGES = ("drums", "drums_verifiers")
MODULES = ("drums", "drums.aio", "drums.actions", "drums.errors", "drums.records", "drums.validity", "drums_verifiers")
"""What a user imports. `drums.local` is left out: it may change until it says otherwise."""
SPECIAL = {"__aenter__", "__aexit__", "__enter__", "__exit__", "__init__", "__iter__", "__len__", "__getitem__"}


def stubs(root: Path) -> dict[str, str]:
    """The text of every public module that this checkout has."""
    loader = griffe.GriffeLoader(search_paths=[str(root)], allow_inspection=False)
    for package in PACKAGES:
        if (root / package / "__init__.py").exists():
            loader.load(package)
    loader.resolve_aliases(implicit=False, external=False)
    collection = loader.modules_collection
    return {
        name: _stub(collection[name])
        for name in MODULES
        if name.partition(".")[0] in collection and _has(collection, name)
    }


def _has(collection: griffe.ModulesCollection, name: str) -> bool:
    try:
        collection[name]
    except KeyError:
        return False
    return True


def _stub(module: Any) -> str:
    names = [str(name) for name in module.exports or ()] or [
        name for name in module.members if not name.startswith("_")
    ]
    found = [(name, _target(module[name])) for name in sorted(names) if name in module.members]
    own = [pair for pair in found if pair[1] is not None and pair[1].path.partition(".")[0] in PACKAGES]
    return "\n".join(line for name, one in own for line in _lines_or_home(module.path, name, one)) + "\n"


def _lines_or_home(module: str, name: str, one: Any) -> Iterator[str]:
    """A name's lines; for one that another public module has too, only where that is."""
    home = one.path.rpartition(".")[0]
    if home != module and home in MODULES:
        yield f"{name}: {home}.{name}"
    else:
        yield from _lines(name, one, "")


def _target(member: Any) -> Any:
    """What a name stands for; None for what is not ours."""
    try:
        return member.final_target if member.is_alias else member
    except (griffe.AliasResolutionError, griffe.CyclicAliasError):
        return None


def _lines(name: str, one: Any, indent: str) -> Iterator[str]:
    if one.is_class:
        yield from _class_lines(name, one, indent)
    elif one.is_function:
        word = "async def" if "async" in one.labels else "def"
        yield f"{indent}{word} {name}({_parameters(one)}) -> {one.returns or 'None'}: ..."
    elif one.is_attribute and "property" in one.labels:
        yield f"{indent}@property"
        yield f"{indent}def {name}(self) -> {one.annotation or 'object'}: ..."
    elif one.is_attribute:
        yield f"{indent}{name}: {one.annotation or 'object'}"


def _class_lines(name: str, one: Any, indent: str) -> Iterator[str]:
    bases = [str(base).rpartition(".")[2] for base in one.bases]
    public = [base for base in bases if not base.startswith("_") and base in PUBLIC_BASES]
    listed = f"({', '.join(public)})" if public else ""
    yield f"{indent}class {name}{listed}:"
    members = _members(one)
    inside = [line for member in sorted(members) for line in _lines(member, members[member], f"{indent}    ")]
    yield from inside or [f"{indent}    ..."]


PUBLIC_BASES = {
    "dict",
    "list",
    "str",
    "Exception",
    "TypedDict",
    "DrumsError",
    "EnvFailed",
    "Forbidden",
    "Conflict",
    "BadRequest",
}
"""Bases that a user may rely on."""


def _members(one: Any) -> dict[str, Any]:
    """A class's public members, those of its bases among them."""
    found = {name: _target(member) for name, member in one.all_members.items() if _is_public(name)}
    return {name: member for name, member in found.items() if member is not None}


def _is_public(name: str) -> bool:
    return not name.startswith("_") or name in SPECIAL


def _parameters(function: Any) -> str:
    """The parameters as they would be written."""
    words: list[str] = []
    kinds = griffe.ParameterKind
    seen: set[Any] = set()
    for one in function.parameters:
        if one.kind is kinds.keyword_only and not seen & {kinds.keyword_only, kinds.var_positional}:
            words.append("*")
        if kinds.positional_only in seen and one.kind is not kinds.positional_only and "/" not in words:
            words.append("/")
        seen.add(one.kind)
        star = {kinds.var_positional: "*", kinds.var_keyword: "**"}.get(one.kind, "")
        annotation = f": {one.annotation}" if one.annotation is not None else ""
        default = f" = {one.default}" if one.default is not None and not star else ""
        words.append(f"{star}{one.name}{annotation}{default}")
    if seen == {kinds.positional_only}:
        words.append("/")
    return ", ".join(words)

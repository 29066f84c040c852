"""Write drums/records.py: a read-only record for every object of a reply, with typed attributes and what they mean.

What a field may hold comes from `kinds`; this file only words it. The text that leaves here is formatted, so that it is
the same wherever it is made.
"""

from __future__ import annotations

import re
import subprocess
import sys
import textwrap
from typing import TYPE_CHECKING

from tools._codegen.faults import CodegenError
from tools._codegen.kinds import Kind, is_map, kind_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tools._codegen.spec import Field, Spec

LINE = 120

BY_NAME_ONLY = {"SlotPage": ("items",)}
"""Fields that are called like a method of dict, so that they have no attribute; the SDK alone reads these records."""

_HEAD = '''"""What the server replies, as read-only records.

Made by tools/generate.py from spec/openapi.yaml; never edited. Each class is a dict with typed attributes (see
`drums._record`). The types named after an open enum hold the values known today; a server may send others, so the
attributes are plain `str`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Literal

from drums._record import Record, Shape

if TYPE_CHECKING:
    from collections.abc import Mapping

'''


def records_module(spec: Spec) -> bytes:
    """The text of drums/records.py.

    Raises:
        CodegenError: A schema is outside of what is understood here, or the formatter failed.
    """
    names = [name for name in spec.reply_objects() if not is_map(spec.schemas[name])]
    kinds = {name: _kinds(spec, name) for name in names}
    enums = _enums(kinds)
    exported = "".join(f'    "{name}",\n' for name in sorted([*names, *enums]))
    parts = [_HEAD, f"__all__ = [\n{exported}]\n"]
    parts += [_enum(title, known) for title, known in sorted(enums.items())]
    parts += [_record(spec, name, kinds[name]) for name in names]
    return _formatted("\n".join(parts))


def _kinds(spec: Spec, name: str) -> dict[str, Kind]:
    return {field.name: kind_of(spec, field.schema, f"{name}.{field.name}") for field in spec.fields(name)}


def _enums(kinds: dict[str, dict[str, Kind]]) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for name, fields in kinds.items():
        for field, kind in fields.items():
            for part in (kind, kind.each):
                if part is None or not part.known:
                    continue
                if found.setdefault(part.title, part.known) != part.known:
                    raise CodegenError(f"{name}.{field}: {part.title} is the title of an enum with other values")
    return found


def _enum(title: str, known: tuple[str, ...]) -> str:
    values = ", ".join(f'"{value}"' for value in known)
    return f'{title} = Literal[{values}]\n"""Values known today; a server may send others."""\n'


def _record(spec: Spec, name: str, kinds: dict[str, Kind]) -> str:
    fields = spec.fields(name)
    required = tuple(field.name for field in fields if field.required)
    shapes = "".join(f'        "{field.name}": {kinds[field.name].shape},\n' for field in fields)
    lines = [
        f"\nclass {name}(Record):",
        _docstring(spec.schemas[name].get("description", ""), name),
        "",
        "    __slots__ = ()",
        "",
    ]
    if fields:
        lines.append(f"    __shapes__: ClassVar[Mapping[str, Shape]] = {{\n{shapes}    }}")
    if required:
        lines.append(f"    __required__: ClassVar[tuple[str, ...]] = {required!r}")
    for field in fields:
        if field.name not in BY_NAME_ONLY.get(name, ()):
            lines += ["", *_attribute(field, kinds[field.name], f"{name}.{field.name}")]
    return "\n".join(lines) + "\n"


def _attribute(field: Field, kind: Kind, where: str) -> Iterator[str]:
    always = field.required and not kind.nullable
    known = (kind.each or kind).known
    words = f" Known today: {', '.join(f'`{value}`' for value in known)}; there may be others." if known else ""
    optional = "" if always or kind.nullable or kind.main in {"array", ""} or kind.each else " | None"
    annotation = kind.annotation
    if kind.main == "array" or kind.each:
        annotation = annotation.removesuffix(" | None") if kind.main else f"{annotation} | None"
    yield "    @property"
    yield f"    def {field.name}(self) -> {annotation}{optional}:"
    yield textwrap.indent(_docstring(field.description + words, where), "    ")
    yield from (f"        {line}" for line in _body(field.name, kind, f"{annotation}{optional}", always=always))


def _body(name: str, kind: Kind, annotation: str, *, always: bool) -> list[str]:
    if not kind.words:
        return [f'return self.get("{name}")']
    if kind.main == "array":
        return [f"return {_items(name, kind.each)}"]
    if kind.main == "object" and kind.each:
        return _values(name, kind.each)
    if kind.record and always:
        return [f'return {kind.record}(self["{name}"])']
    if kind.record:
        return [f'value = self.get("{name}")', f"return None if value is None else {kind.record}(value)"]
    return [f"value: {annotation} = " + (f'self["{name}"]' if always else f'self.get("{name}")'), "return value"]


def _items(name: str, each: Kind | None) -> str:
    source = f'self.get("{name}") or ()'
    return f"[{each.record}(item) for item in {source}]" if each and each.record else f"list({source})"


def _values(name: str, each: Kind) -> list[str]:
    source = f'self.get("{name}") or {{}}'
    if not each.record:
        return [f"return dict({source})"]
    return [
        f"values: dict[str, Any] = {source}",
        f"return {{key: {each.record}(value) for key, value in values.items()}}",
    ]


def _docstring(text: str, where: str) -> str:
    """A docstring of the text: its first sentence by itself, the rest below.

    Raises:
        CodegenError: The first sentence does not fit on one line.
    """
    words = re.sub(r"\b[Nn]ull( or absent)?\b", "None", " ".join(text.split()))
    first, _, rest = words.partition(". ")
    summary = first.removesuffix(".") + "."
    if not 1 < len(summary) <= LINE - 14:
        raise CodegenError(
            f"{where}: the first sentence of its description must be there and have {LINE - 14} characters at most"
        )
    if not rest:
        return f'    """{summary}"""'
    below = textwrap.fill(rest, LINE - 8, break_long_words=False, break_on_hyphens=False)
    return textwrap.indent(f'"""{summary}\n\n{below}\n"""', "    ")


def _formatted(text: str) -> bytes:
    style = [
        "--isolated",
        "--no-cache",
        "--quiet",
        "--stdin-filename",
        "records.py",
        "--config",
        f"line-length = {LINE}",
    ]
    content = text.encode()
    for command in (["check", "--fix", "--select", "I,F401,UP", "--target-version", "py311"], ["format"]):
        done = subprocess.run(
            [sys.executable, "-m", "ruff", *command, *style, "-"], input=content, capture_output=True, check=False
        )
        if done.returncode != 0:
            raise CodegenError(f"ruff refused drums/records.py:\n{done.stderr.decode()}{done.stdout.decode()}")
        content = done.stdout
    return content

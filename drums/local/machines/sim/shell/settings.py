"""The program gsettings: settings with a type, kept as GLib's keyfile backend keeps them in the user's home.

It knows the schemas that real desktops have and that tasks are about (schemas.txt). Invariant: what it takes, refuses
and prints is what the real one does with that key, and its whole state is one file of the desktop.
"""

from __future__ import annotations

import ast
import math
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, cast

from drums.local.machines.sim.files.disk import HOME

from .call import Call, done, refused

if TYPE_CHECKING:
    from collections.abc import Mapping

    from just_bash import ExecResult

    Value = bool | int | float | str | list[str]
    Groups = dict[str, dict[str, str]]

KEYFILE = f"{HOME}/.config/glib-2.0/settings/keyfile"
OUT_OF_RANGE = "The provided value is outside of the valid range"
INT_LIMITS = {"i": (-(2**31), 2**31 - 1), "u": (0, 2**32 - 1)}


class BadSetting(Exception):
    """There is no such schema or key, or the value is none for it; the text is the program's own."""


@dataclass(frozen=True, slots=True)
class Key:
    """One key of a schema."""

    kind: str
    """GVariant's letters: b, i, u, d, s, as."""
    shown: str
    """The value that it has from the start, as it is printed."""
    choices: tuple[str, ...] = ()
    least: float = -math.inf
    most: float = math.inf

    @classmethod
    def read(cls, allowed: str, shown: str) -> Key:
        """From what `gsettings range` and `gsettings get` print of it."""
        word, _, rest = allowed.partition(" ")
        if word == "enum":
            return cls("s", shown, tuple(choice.strip("'") for choice in rest.split()))
        if word == "range":
            kind, least, most = rest.split()
            return cls(kind, shown, (), float(least), float(most))
        return cls(rest, shown)

    def read_value(self, text: str) -> Value:
        """A value as a user writes it.

        Raises:
            BadSetting: It is none of this kind, or not allowed.
        """
        value = _parsed(self.kind, text)
        if self.choices and value not in self.choices:
            raise BadSetting(OUT_OF_RANGE)
        if isinstance(value, int | float) and not self.least <= value <= self.most:
            raise BadSetting(OUT_OF_RANGE)
        return value

    def range_text(self) -> str:
        """What `gsettings range` prints."""
        if self.choices:
            return "enum\n" + "".join(f"'{choice}'\n" for choice in self.choices)
        if math.isfinite(self.least):
            least, most = (printed(self.kind, cast("float", _parsed(self.kind, f"{end:.17g}"))) for end in self.ends)
            return f"range {self.kind} {least} {most}\n".replace("uint32 ", "")
        return f"type {self.kind}\n"

    @property
    def ends(self) -> tuple[float, float]:
        """The least and the greatest number."""
        return self.least, self.most


def _parsed(kind: str, text: str) -> Value:
    text = text.strip()
    try:
        match kind:
            case "b" if text in {"true", "false"}:
                return text == "true"
            case "i" | "u":
                number = int(text.removeprefix("uint32 ").removeprefix("int32 "), 0)
                if not INT_LIMITS[kind][0] <= number <= INT_LIMITS[kind][1]:
                    raise BadSetting(f"number out of range for type '{kind}':\n  {text}")
                return number
            case "d":
                if math.isfinite(float(text)):
                    return float(text)
            case "s":
                # A text without quotes is taken as it is.
                return str(ast.literal_eval(text)) if text[:1] in {"'", '"'} else text
            case "as":
                listed = ast.literal_eval(text.removeprefix("@as "))
                if isinstance(listed, list) and all(isinstance(part, str) for part in cast("list[object]", listed)):
                    return cast("list[str]", listed)
            case _:
                pass
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        pass
    raise BadSetting(f"expected value:\n  {text}\n  ^")


def printed(kind: str, value: Value) -> str:
    """A value as `gsettings get` prints it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return f"[{', '.join(map(_quoted, value))}]" if value else "@as []"
    if isinstance(value, str):
        return _quoted(value)
    if kind == "d":
        text = f"{value:.17g}"
        return text if set(text) & set(".e") else f"{text}.0"
    return f"uint32 {value}" if kind == "u" else str(value)


def _quoted(text: str) -> str:
    quote = '"' if "'" in text and '"' not in text else "'"
    return quote + text.replace("\\", "\\\\").replace(quote, f"\\{quote}").replace("\n", "\\n") + quote


@cache
def schemas() -> Mapping[str, Mapping[str, Key]]:
    """The keys of every schema."""
    found: dict[str, dict[str, Key]] = {}
    for line in (files("drums.local.machines.sim.shell") / "schemas.txt").read_text("utf-8").splitlines():
        schema, key, allowed, shown = line.split(" | ")
        found.setdefault(schema, {})[key] = Key.read(allowed, shown)
    return found


# The file: a group for each schema.


def read_groups(text: str) -> Groups:
    """The groups of a keyfile; what is no group and no entry is left out, as GLib does."""
    groups: Groups = {}
    group: dict[str, str] = {}
    for line in text.splitlines():
        if line.startswith("[") and line.endswith("]"):
            group = groups.setdefault(line[1:-1], {})
        elif "=" in line and not line.startswith("#"):
            name, _, value = line.partition("=")
            group[name.strip()] = value.strip()
    return groups


def write_groups(groups: Groups) -> str:
    """A keyfile's text."""
    blocks = [
        f"[{name}]\n" + "".join(f"{key}={value}\n" for key, value in entries.items())
        for name, entries in groups.items()
        if entries
    ]
    return "\n".join(blocks)


@dataclass(frozen=True, slots=True)
class _Settings:
    """The settings of one desktop."""

    call: Call

    def key(self, schema: str, key: str) -> Key:
        """A key, by names that the user gave."""
        if key not in self.keys(schema):
            raise BadSetting(f"No such key “{key}”")
        return self.keys(schema)[key]

    def keys(self, schema: str) -> Mapping[str, Key]:
        """A schema's keys."""
        if schema not in schemas():
            raise BadSetting(f"No such schema “{schema}”")
        return schemas()[schema]

    def shown(self, schema: str, name: str) -> str:
        """A key's value; a stored one that is none for it counts as not set."""
        key = self.key(schema, name)
        stored = self._groups().get(_group(schema), {}).get(name)
        if stored is None:
            return key.shown
        try:
            return printed(key.kind, key.read_value(stored))
        except BadSetting:
            return key.shown

    async def store(self, schema: str, name: str, value: str | None) -> None:
        """Keep a value, or forget what was kept."""
        groups = self._groups()
        group = groups.setdefault(_group(schema), {})
        if value is None:
            group.pop(name, None)
        else:
            group[name] = value
        await self.call.shell.fs.mkdir(KEYFILE.rpartition("/")[0], recursive=True)
        await self.call.shell.fs.write_file(KEYFILE, write_groups(groups))

    def _groups(self) -> Groups:
        if self.call.guest.disk.find(KEYFILE) is None:
            return {}
        return read_groups(self.call.guest.disk.read(KEYFILE).decode("utf-8", "replace"))


def _group(schema: str) -> str:
    return schema.replace(".", "/")


async def _run(settings: _Settings, command: str, rest: list[str]) -> str:
    match command, rest:
        case "list-schemas", []:
            return "".join(f"{schema}\n" for schema in sorted(schemas()))
        case "list-keys", [schema]:
            return "".join(f"{name}\n" for name in settings.keys(schema))
        case "list-recursively", names if len(names) < 2:
            return "".join(
                f"{schema} {name} {settings.shown(schema, name)}\n"
                for schema in names or sorted(schemas())
                for name in settings.keys(schema)
            )
        case "get", [schema, name]:
            return settings.shown(schema, name) + "\n"
        case "range", [schema, name]:
            return settings.key(schema, name).range_text()
        case "writable", [schema, name]:
            settings.key(schema, name)
            return "true\n"
        case "set", [schema, name, text]:
            key = settings.key(schema, name)
            value = printed(key.kind, key.read_value(text))
            await settings.store(schema, name, value.removeprefix("uint32 ").removeprefix("@as "))
        case "reset", [schema, name]:
            settings.key(schema, name)
            await settings.store(schema, name, None)
        case "reset-recursively", [schema]:
            for name in settings.keys(schema):
                await settings.store(schema, name, None)
        case _:
            raise BadSetting("Usage:\n  gsettings COMMAND SCHEMA KEY [VALUE]")
    return ""


async def gsettings(args: list[str], call: Call) -> ExecResult:
    """`gsettings get|set|reset|range|writable|list-schemas|list-keys|list-recursively|reset-recursively …`."""
    try:
        return done(await _run(_Settings(call), args[0] if args else "", args[1:]))
    except (BadSetting, OSError) as error:
        return refused(str(error))

"""Reading a task's JSON: typed access to an object's fields, with the place of a fault in every message.

It knows nothing of tasks. Invariant: what comes out has the type that the method's name says, or TaskMalformed was
raised.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from .errors import TaskMalformed, TaskUnsupported

if TYPE_CHECKING:
    from collections.abc import Mapping

Json = object
"""What `json.loads` gives: None, bool, int, float, str, list or dict with str keys."""
Command = str | tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Fields:
    """One JSON object and where in the task it is."""

    values: Mapping[str, Json]
    where: str

    @classmethod
    def of(cls, value: Json, where: str) -> Fields:
        """The fields of `value`, which must be an object."""
        if not isinstance(value, dict):
            raise TaskMalformed(where, f"expected an object, got {kind(value)}")
        return cls(cast("dict[str, Json]", value), where)

    def at(self, name: str) -> str:
        """The place of a field, for messages."""
        return f"{self.where}.{name}"

    def get(self, name: str) -> Json:
        """A field as it is; None where it is missing."""
        return self.values.get(name)

    def only(self, *names: str) -> None:
        """Refuse fields that would change the meaning if they were ignored."""
        for name in self.values:
            if name not in names:
                what = f"{self.at(name)} is not supported"
                raise TaskUnsupported(what, f"the parameter {name!r}")

    def text(self, name: str) -> str:
        """A string that is not empty."""
        value = self.values.get(name)
        if not isinstance(value, str) or not value:
            raise TaskMalformed(self.at(name), f"expected text, got {kind(value)}")
        return value

    def text_or(self, name: str, default: str) -> str:
        """A string; the default where it is missing, null or empty."""
        return default if self.values.get(name) in (None, "") else self.text(name)

    def flag(self, name: str) -> bool:
        """A boolean; False where it is missing. The text "true", which OSWorld's tasks also write, is one."""
        value = self.values.get(name, False)
        if value == "true":
            return True
        if not isinstance(value, bool):
            raise TaskMalformed(self.at(name), f"expected true or false, got {kind(value)}")
        return value

    def seconds(self, name: str) -> float:
        """A span that is not negative."""
        value = self.values.get(name)
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value) or value < 0:
            raise TaskMalformed(self.at(name), f"expected seconds, got {kind(value)}")
        return float(value)

    def command(self, name: str = "command") -> Command:
        """A command line, or a program and its arguments."""
        value = self.values.get(name)
        if not value or not isinstance(value, str | list):
            raise TaskMalformed(self.at(name), f"expected a command (text or a list of texts), got {kind(value)}")
        return value if isinstance(value, str) else texts(self.items(name), self.at(name))

    def items(self, name: str) -> list[Json]:
        """A list; empty where it is missing or null."""
        value = self.values.get(name)
        if value is None:
            return []
        if not isinstance(value, list):
            raise TaskMalformed(self.at(name), f"expected a list, got {kind(value)}")
        return cast("list[Json]", value)

    def objects(self, name: str) -> list[Fields]:
        """A list of objects with at least one in it."""
        values = self.items(name)
        if not values:
            raise TaskMalformed(self.at(name), f"expected a list of objects, got {kind(self.values.get(name))}")
        return [Fields.of(value, f"{self.at(name)}[{index}]") for index, value in enumerate(values)]


def texts(values: list[Json], where: str) -> tuple[str, ...]:
    """The strings of a list."""
    for index, value in enumerate(values):
        if not isinstance(value, str):
            raise TaskMalformed(f"{where}[{index}]", f"expected text, got {kind(value)}")
    return tuple(cast("list[str]", values))


def kind(value: Json) -> str:
    """What a JSON value is, in words for a message."""
    match value:
        case None:
            return "nothing"
        case bool():
            return "true" if value else "false"
        case int() | float():
            return f"the number {value}"
        case str():
            return "an empty text" if not value else f"the text {value[:40]!r}"
        case list():
            return "an empty list" if not value else "a list"
        case _:
            return "an object"

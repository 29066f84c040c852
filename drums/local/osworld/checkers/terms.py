"""The terms of one rule of a task, read with a refusal by name of whatever is not built.

It knows no rule's meaning. Invariant: a term that nobody took is refused, so that no part of a rule is ever ignored.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from .base import CheckerFault, as_object, kind
from .cells import Area, SheetIndex, area_of
from .matching import knows, matches

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    Test = Callable[[object], bool]

AREA_LIMIT = 1_000_000
"""The most cells that a rule may name."""


class Refused(CheckerFault):
    """A rule, or a term of it, that is not built; the message names it."""


class Terms:
    """One rule as the task writes it."""

    def __init__(self, value: object, where: str) -> None:
        try:
            self._left = dict(as_object(value, where))
        except CheckerFault as error:
            raise Refused(str(error)) from error
        self.where = where

    def take(self, name: str, default: object = None) -> object:
        """A term as it is; the default where it is missing."""
        return self._left.pop(name, default)

    def done(self) -> None:
        """Refuse what nobody took."""
        if self._left:
            raise Refused(f"{self.where}: {min(self._left)!r} is not supported")

    def text(self, name: str, default: str | None = None) -> str:
        """A text."""
        value = self.take(name, default)
        if not isinstance(value, str):
            raise self._wrong(name, "text", value)
        return value

    def flag(self, name: str) -> bool:
        """True or false; false where it is missing."""
        value = self.take(name, default=False)
        if not isinstance(value, bool):
            raise self._wrong(name, "true or false", value)
        return value

    def whole(self, name: str, default: int) -> int:
        """A whole number that is not negative."""
        value = self.take(name, default)
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            raise self._wrong(name, "a whole number", value)
        return value

    def items(self, name: str) -> list[object]:
        """A list; empty where it is missing."""
        value = self.take(name, [])
        if not isinstance(value, list):
            raise self._wrong(name, "a list", value)
        return cast("list[object]", value)

    def chosen(self, name: str, known: Collection[str]) -> tuple[str, ...]:
        """Some of the words that are known."""
        words = self.items(name)
        for word in words:
            if word not in known:
                raise Refused(f"{self.where}: {name} {word!r} is not supported")
        return tuple(cast("list[str]", words))

    def sheet(self, name: str) -> SheetIndex:
        """Which sheet is meant."""
        value = self.take(name)
        index = SheetIndex.read(value)
        if index is None:
            raise self._wrong(name, "a sheet as 0, 'RI0', 'RNname', 'EI0' or 'ENname'", value)
        return index

    def areas(self, name: str) -> list[Area]:
        """Ranges of cells."""
        areas = [area_of(part) if isinstance(part, str) else None for part in self.items(name)]
        if None in areas:
            raise Refused(f"{self.where}: {name} names a range that is none")
        found = cast("list[Area]", areas)
        if sum(area.size for area in found) > AREA_LIMIT:
            raise Refused(f"{self.where}: {name} names more than {AREA_LIMIT} cells")
        return found

    def comparisons(self, name: str, known: Collection[str]) -> dict[str, Test]:
        """Properties that are known, each with the comparison that its value has to pass."""
        return read_comparisons(self.take(name, {}), f"{self.where}: {name}", known)

    def _wrong(self, name: str, wanted: str, value: object) -> Refused:
        return Refused(f"{self.where}: {name} has to be {wanted}, not {kind(value)}")


def read_comparisons(value: object, where: str, known: Collection[str]) -> dict[str, Test]:
    """What `{property: {method, ref}}` asks of each property.

    Raises:
        Refused: A property or method is not built.
    """
    props = Terms(value, where)
    found: dict[str, Test] = {}
    for prop in sorted(known):
        term = props.take(prop)
        if term is None:
            continue
        terms = Terms(term, f"{where} {prop}")
        method, ref = terms.text("method"), terms.take("ref")
        terms.done()
        if not knows(method):
            raise Refused(f"{where} {prop}: the method {method!r} is not supported")
        found[prop] = _comparison(method, ref)
    props.done()
    return found


def _comparison(method: str, ref: object) -> Test:
    return lambda value: matches(method, ref, value)

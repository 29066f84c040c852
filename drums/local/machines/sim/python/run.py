"""One run of a piece of code: its names, its output, its line, and how much it may still do.

Invariant: whatever is done for the code is counted here, so that it always comes to an end.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from .values import Function, Module, Value, text_of

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, MutableMapping

    from drums.local.machines.sim.pace import Pace

STEP_LIMIT = 200_000
"""Statements and rounds of loops that one piece of code may execute."""
DEPTH_LIMIT = 40
"""Calls of the code's own functions inside each other."""
OUTPUT_LIMIT_CHARS = 1_000_000


class Unsupported(Exception):
    """Code uses something of Python that the simulator does not know."""


class Scope(dict[str, Value]):
    """The names in a function: its own, and those outside to be read."""

    def __init__(self, own: Mapping[str, Value], outside: MutableMapping[str, Value]) -> None:
        super().__init__(own)
        self.outside: MutableMapping[str, Value] = outside.outside if isinstance(outside, Scope) else outside

    def __contains__(self, name: object) -> bool:
        return super().__contains__(name) or name in self.outside

    def __missing__(self, name: str) -> Value:
        return self.outside[name]


@dataclass
class Run:
    """A piece of code that is being run."""

    modules: Mapping[str, Module]
    """What it may import."""
    pace: Pace
    names: MutableMapping[str, Value] = field(default_factory=dict[str, Value])
    line: int = 1
    """The line of the statement that is being run."""
    output: list[str] = field(default_factory=list[str])
    _steps: int = 0
    _depth: int = 0
    _printed: int = 0

    async def step(self) -> None:
        """Count one statement or round of a loop, and let others have their turn.

        Raises:
            Unsupported: There were too many.
        """
        self._steps += 1
        if self._steps > STEP_LIMIT:
            raise Unsupported(f"the simulated desktop stops code after {STEP_LIMIT} steps")
        await self.pace.step()

    def module(self, name: str) -> Module:
        """A module by its name."""
        if name not in self.modules:
            known = ", ".join(sorted(self.modules))
            raise ModuleNotFoundError(f"No module named '{name}' on the simulated desktop; it has {known}")
        return self.modules[name]

    async def called(self, body: Callable[[], Awaitable[Value]], given: Mapping[str, Value]) -> Value:
        """Do what a function of the code does, with its arguments as names of its own."""
        if self._depth >= DEPTH_LIMIT:
            raise RecursionError("maximum recursion depth exceeded")
        outer, line = self.names, self.line
        self.names = Scope(given, outer)
        self._depth += 1
        try:
            value = await body()
            self.line = line
            return value
        finally:
            self._depth -= 1
            self.names = outer

    @property
    def print(self) -> Function:
        """`print`, into the output."""

        async def call(*values: Value, sep: str = " ", end: str = "\n", flush: Value = None) -> None:  # noqa: ARG001
            text = sep.join(map(text_of, values)) + end
            self._printed += len(text)
            if self._printed > OUTPUT_LIMIT_CHARS:
                raise MemoryError("the output is larger than the simulated desktop can hold")
            self.output.append(text)

        return Function("print", call)

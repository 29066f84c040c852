"""The program bc: calculations with decimal numbers, a line each.

It knows expressions, comparisons, variables and `scale`; no functions, loops or bases. Invariant: no calculation takes
long, and none is done by the host's own interpreter.
"""

from __future__ import annotations

import re
from decimal import ROUND_DOWN, Context, Decimal, InvalidOperation, Overflow, localcontext
from typing import TYPE_CHECKING

from .call import Call, refused

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

from just_bash import ExecResult

TOKEN = re.compile(r"\s*(\d+\.?\d*|\.\d+|[a-z][a-z0-9_]*|<=|>=|==|!=|&&|\|\||[-+*/%^()<>=!])")
MOST_DIGITS = 1000
MOST_POWER = 1000
MOST_BRACKETS = 50
MOST_NUMBERS = 500
"""Numbers and signs in one statement."""
LIBRARY_SCALE = 20

_COMPARISONS: Mapping[str, Callable[[Decimal, Decimal], bool]] = {
    "<": lambda left, right: left < right,
    ">": lambda left, right: left > right,
    "<=": lambda left, right: left <= right,
    ">=": lambda left, right: left >= right,
    "==": lambda left, right: left == right,
    "!=": lambda left, right: left != right,
}


class BadCalculation(Exception):
    """It is none; the text is bc's."""


class _Calculator:
    """One run of bc: its variables, and the line that it is at."""

    def __init__(self, scale: int) -> None:
        self._variables: dict[str, Decimal] = {"scale": Decimal(scale)}
        self._tokens: list[str] = []
        self._count = 0

    def line(self, text: str) -> str:
        """What a statement prints."""
        self._tokens, self._count = _tokens(text), 0
        if self._tokens in ([], ["quit"]):
            return ""
        if len(self._tokens) > 1 and self._tokens[1] == "=" and self._tokens[0][0].isalpha():
            name = self._tokens[0]
            self._tokens = self._tokens[2:]
            self._variables[name] = self._whole()
            return ""
        return _shown(self._whole()) + "\n"

    def _whole(self) -> Decimal:
        value = self._logic()
        if self._tokens:
            raise BadCalculation("syntax error")
        return value

    def _next_in(self, *operators: str) -> str | None:
        return self._tokens.pop(0) if self._tokens and self._tokens[0] in operators else None

    def _logic(self) -> Decimal:
        value = self._comparison()
        while operator := self._next_in("&&", "||"):
            right = self._comparison()
            both = bool(value) and bool(right)
            value = Decimal(int(both if operator == "&&" else bool(value) or bool(right)))
        return value

    def _comparison(self) -> Decimal:
        value = self._sum()
        while operator := self._next_in(*_COMPARISONS):
            value = Decimal(int(_COMPARISONS[operator](value, self._sum())))
        return value

    def _sum(self) -> Decimal:
        value = self._product()
        while operator := self._next_in("+", "-"):
            right = self._product()
            value = value + right if operator == "+" else value - right
        return value

    def _product(self) -> Decimal:
        value = self._power()
        while operator := self._next_in("*", "/", "%"):
            right = self._power()
            if operator == "*":
                places = min(_places(value) + _places(right), max(self._scale, _places(value), _places(right)))
                value = _cut(value * right, places)
            elif not right:
                raise BadCalculation("Divide by zero" if operator == "/" else "Modulo by zero")
            elif operator == "/":
                value = _cut(value / right, self._scale)
            else:
                value -= _cut(value / right, self._scale) * right
        return value

    def _power(self) -> Decimal:
        value = self._atom()
        if self._next_in("^") is None:
            return value
        power = self._power()
        if power != int(power) or abs(power) > MOST_POWER:
            raise BadCalculation("exponent too large or not an integer")
        if power < 0:
            return _cut(1 / value ** int(-power), self._scale)
        places = min(_places(value) * int(power), max(self._scale, _places(value)))
        return _cut(value ** int(power), places)

    def _atom(self) -> Decimal:
        self._count += 1
        if not self._tokens or self._count > MOST_NUMBERS:
            raise BadCalculation("syntax error")
        word = self._tokens.pop(0)
        if word == "-":
            return -self._atom()
        if word == "!":
            return Decimal(int(not self._atom()))
        if word == "(":
            if self._tokens.count("(") > MOST_BRACKETS:
                raise BadCalculation("too deep")
            value = self._logic()
            if self._next_in(")") is None:
                raise BadCalculation("syntax error")
            return value
        if word[0].isalpha():
            return self._variables.get(word, Decimal(0))
        if not word[0].isdigit() and word[0] != ".":
            raise BadCalculation("syntax error")
        return Decimal(word)

    @property
    def _scale(self) -> int:
        return max(0, min(MOST_DIGITS // 2, int(self._variables["scale"])))


def _tokens(text: str) -> list[str]:
    found: list[str] = []
    at = 0
    text = text.rstrip()
    while at < len(text):
        match = TOKEN.match(text, at)
        if match is None:
            raise BadCalculation("syntax error")
        found.append(match[1])
        at = match.end()
    return found


def _places(value: Decimal) -> int:
    exponent = value.as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0


def _cut(value: Decimal, places: int) -> Decimal:
    return value.quantize(Decimal(1).scaleb(-places), ROUND_DOWN)


def _shown(value: Decimal) -> str:
    """A number without the zero before its point, as bc prints it."""
    text = f"{value:f}"
    if not value:
        return "0"
    return re.sub(r"^(-?)0\.", r"\1.", text)


async def bc(args: list[str], call: Call) -> ExecResult:
    """`bc [-l] [-q]`: each line, or part between semicolons, of the standard input."""
    names = [arg for arg in args if not arg.startswith("-")]
    if names:
        return refused("bc: the simulated desktop calculates only what comes on the standard input")
    calculator = _Calculator(LIBRARY_SCALE if {"-l", "-lq", "-ql"} & set(args) else 0)
    printed: list[str] = []
    complaints: list[str] = []
    with localcontext(Context(prec=MOST_DIGITS)):
        for number, line in enumerate(call.shell.stdin.splitlines(), start=1):
            await call.pace.step()
            try:
                printed += [calculator.line(part) for part in line.partition("#")[0].split(";")]
            except BadCalculation as error:
                complaints.append(f"(standard_in) {number}: {error}\n")
            except (InvalidOperation, Overflow):
                complaints.append(f"(standard_in) {number}: number too large\n")
    return ExecResult("".join(printed), "".join(complaints), 0)

"""Running a piece of Python as agents write it for pyautogui: over its syntax tree, never by exec or eval.

Invariant: a construct that is not in the tables of statements.py and expressions.py is refused before anything is
done; every failure of the code ends in a returncode and a traceback that names the line.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from just_bash import ExecResult

from drums.local.machines.sim.pace import OutOfTime

from .expressions import EXPRESSIONS
from .modules import modules
from .run import Run
from .statements import STATEMENTS, do

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from drums.local.machines.sim.pace import Pace
    from drums.local.machines.sim.windows.session import Session

CODE_LIMIT_CHARS = 200_000
PARTS: tuple[type[ast.AST], ...] = (
    ast.Module,
    ast.alias,
    ast.withitem,
    ast.arguments,
    ast.arg,
    ast.keyword,
    ast.Starred,
    ast.comprehension,
    ast.expr_context,
    ast.operator,
    ast.unaryop,
    ast.boolop,
    ast.cmpop,
)
"""Nodes that are parts of statements and expressions."""
WORDS: Mapping[type[ast.AST], str] = {
    ast.Try: "try",
    ast.ClassDef: "class",
    ast.AsyncFunctionDef: "async def",
    ast.Lambda: "lambda",
    ast.Global: "global",
    ast.Delete: "del",
    ast.Raise: "raise",
    ast.Assert: "assert",
    ast.Set: "sets",
    ast.SetComp: "sets",
    ast.DictComp: "dict comprehensions",
    ast.NamedExpr: "':='",
    ast.Match: "match",
    ast.Yield: "yield",
    ast.Await: "await",
    ast.MatMult: "'@'",
}
"""What constructs that are not known are called in a message."""


async def run_code(code: str, session: Session, pace: Pace, *, imported: Iterable[str] = ()) -> ExecResult:
    """Run code to its end or its first error, as `python -c` would.

    Args:
        code: The program.
        session: The desktop that pyautogui drives.
        pace: The program's time.
        imported: Modules that are there without an `import`.

    Raises:
        OutOfTime: It did not come to an end.
    """
    run = Run(modules(session, pace), pace)
    run.names.update({name: run.module(name) for name in imported})
    error = ""
    try:
        await do(run, parsed(code).body)
    except OutOfTime:
        raise
    except SyntaxError as refused:
        error = f'  File "<string>", line {refused.lineno or 1}\n    {(refused.text or "").strip()}\n{_said(refused)}'
    except Exception as failed:  # noqa: BLE001  whatever the code raises is its own failure
        error = _traceback(code, run.line, failed)
    return ExecResult("".join(run.output), error, 1 if error else 0)


def parsed(code: str) -> ast.Module:
    """The code's syntax tree.

    Raises:
        SyntaxError: It is no Python, or uses a construct that is not known; the error names the line.
    """
    if len(code) > CODE_LIMIT_CHARS:
        raise SyntaxError("the code is longer than the simulated desktop reads")
    try:
        tree = ast.parse(code, "<string>")
    except (ValueError, RecursionError, MemoryError) as error:
        raise SyntaxError(str(error) or "the code is nested too deeply") from error
    for node in ast.walk(tree):
        if type(node) not in STATEMENTS and type(node) not in EXPRESSIONS and not _is_part(node):
            line = getattr(node, "lineno", 1)
            message = f"the simulated desktop does not run {WORDS.get(type(node), type(node).__name__)}"
            raise SyntaxError(message, ("<string>", line, 1, code.splitlines()[line - 1]))
    _demand_in_place(tree.body, in_loop=False, in_function=False)
    return tree


def _demand_in_place(body: Iterable[ast.stmt], *, in_loop: bool, in_function: bool) -> None:
    """Refuse what the grammar allows and the language does not: a break outside a loop, a return outside a function."""
    for node in body:
        match node:
            case ast.Break() | ast.Continue() if not in_loop:
                word = type(node).__name__.lower()
                raise SyntaxError(f"'{word}' outside loop", ("<string>", node.lineno, 1, word))
            case ast.Return() if not in_function:
                raise SyntaxError("'return' outside function", ("<string>", node.lineno, 1, "return"))
            case ast.For() | ast.While():
                _demand_in_place(node.body, in_loop=True, in_function=in_function)
                _demand_in_place(node.orelse, in_loop=in_loop, in_function=in_function)
            case ast.FunctionDef():
                _demand_in_place(node.body, in_loop=False, in_function=True)
            case ast.If():
                _demand_in_place([*node.body, *node.orelse], in_loop=in_loop, in_function=in_function)
            case ast.With():
                _demand_in_place(node.body, in_loop=in_loop, in_function=in_function)
            case _:
                pass


def _is_part(node: ast.AST) -> bool:
    return isinstance(node, PARTS) and not isinstance(node, ast.MatMult)


def _said(error: Exception) -> str:
    message = error.msg if isinstance(error, SyntaxError) else str(error)
    return f"{type(error).__name__}: {message}\n" if message else f"{type(error).__name__}\n"


def _traceback(code: str, line: int, error: Exception) -> str:
    lines = code.splitlines()
    source = f"    {lines[line - 1].strip()}\n" if 0 < line <= len(lines) else ""
    return f'Traceback (most recent call last):\n  File "<string>", line {line}, in <module>\n{source}{_said(error)}'

"""What statements do: one function for each kind of node that is known, in a table.

Invariant: every statement and every round of a loop is counted, so that code always comes to an end.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, cast

from .expressions import bind, value_of
from .operators import combined
from .pyautogui import Hold
from .run import Unsupported
from .values import Function, Value

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Mapping

    from .run import Run


class _Break(Exception):
    pass


class _Continue(Exception):
    pass


class _Return(Exception):
    def __init__(self, value: Value) -> None:
        super().__init__()
        self.value = value


async def do(run: Run, body: Iterable[ast.stmt]) -> None:
    """Run statements."""
    for statement in body:
        run.line = statement.lineno
        await run.step()
        await STATEMENTS[type(statement)](run, statement)


async def _expression(run: Run, node: ast.Expr) -> None:
    await value_of(run, node.value)


async def _pass(_: Run, __: ast.Pass) -> None:
    pass


async def _import(run: Run, node: ast.Import) -> None:
    for alias in node.names:
        run.names[alias.asname or alias.name] = run.module(alias.name)


async def _import_from(run: Run, node: ast.ImportFrom) -> None:
    module = run.module(node.module or ".")
    for alias in node.names:
        if alias.name == "*":
            run.names.update({**module.members, **module.settings})
        else:
            run.names[alias.asname or alias.name] = module.get(alias.name)


async def _assign(run: Run, node: ast.Assign) -> None:
    value = await value_of(run, node.value)
    for target in node.targets:
        await bind(run, target, value)


async def _annotated(run: Run, node: ast.AnnAssign) -> None:
    if node.value is not None:
        await bind(run, node.target, await value_of(run, node.value))


async def _augmented(run: Run, node: ast.AugAssign) -> None:
    # The node of a target and that of the same place read differ only in their context, which nothing here looks at.
    new = combined(node.op, await value_of(run, node.target), await value_of(run, node.value))
    await bind(run, node.target, new)


async def _if(run: Run, node: ast.If) -> None:
    await do(run, node.body if await value_of(run, node.test) else node.orelse)


async def _for(run: Run, node: ast.For) -> None:
    for element in cast("Iterable[Value]", await value_of(run, node.iter)):
        await bind(run, node.target, element)
        if not await _round(run, node.body):
            return
    await do(run, node.orelse)


async def _while(run: Run, node: ast.While) -> None:
    while await value_of(run, node.test):
        if not await _round(run, node.body):
            return
    await do(run, node.orelse)


async def _round(run: Run, body: list[ast.stmt]) -> bool:
    """One round of a loop; whether it goes on."""
    await run.step()
    try:
        await do(run, body)
    except _Continue:
        return True
    except _Break:
        return False
    return True


async def _break(_: Run, __: ast.Break) -> None:
    raise _Break


async def _continue(_: Run, __: ast.Continue) -> None:
    raise _Continue


async def _with(run: Run, node: ast.With) -> None:
    holds: list[Hold] = []
    for item in node.items:
        hold = await value_of(run, item.context_expr)
        if not isinstance(hold, Hold):
            raise Unsupported("the simulated desktop knows 'with pyautogui.hold(…)' only")
        holds.append(hold)
    for hold in holds:
        await hold.press()
    try:
        await do(run, node.body)
    finally:
        for hold in reversed(holds):
            hold.release()


async def _define(run: Run, node: ast.FunctionDef) -> None:
    arguments = node.args
    if node.decorator_list or arguments.vararg or arguments.kwarg or arguments.kwonlyargs or arguments.posonlyargs:
        raise Unsupported("the simulated desktop knows functions with plain arguments only")
    names = [argument.arg for argument in arguments.args]
    defaults = [await value_of(run, default) for default in arguments.defaults]
    optional = dict(zip(names[len(names) - len(defaults) :], defaults, strict=True))

    async def body() -> Value:
        try:
            await do(run, node.body)
        except _Return as returned:
            return returned.value
        return None

    async def call(*args: Value, **kwargs: Value) -> Value:
        if len(args) > len(names) or not set(kwargs) <= set(names[len(args) :]):
            raise TypeError(f"{node.name}() got arguments that it does not take")
        given = {**optional, **dict(zip(names, args, strict=False)), **kwargs}
        if missing := [name for name in names if name not in given]:
            raise TypeError(f"{node.name}() missing {len(missing)} required argument: '{missing[0]}'")
        return await run.called(body, given)

    run.names[node.name] = Function(node.name, call)


async def _return(run: Run, node: ast.Return) -> None:
    raise _Return(await value_of(run, node.value) if node.value else None)


# A function takes the kind of node that it stands under: what a checker of types can't see in a table.
STATEMENTS = cast(
    "Mapping[type[ast.stmt], Callable[[Run, ast.stmt], Awaitable[None]]]",
    {
        ast.Expr: _expression,
        ast.Pass: _pass,
        ast.Import: _import,
        ast.ImportFrom: _import_from,
        ast.Assign: _assign,
        ast.AnnAssign: _annotated,
        ast.AugAssign: _augmented,
        ast.If: _if,
        ast.For: _for,
        ast.While: _while,
        ast.Break: _break,
        ast.Continue: _continue,
        ast.With: _with,
        ast.FunctionDef: _define,
        ast.Return: _return,
    },
)

"""What expressions are worth: one function for each kind of node that is known, in a table.

Invariant: a value comes out of the tables of values.py, of the code's own names or of a module; nowhere else.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, cast

from .operators import applied, combined, compared, formatted
from .values import BUILTINS, Function, Module, Value, attribute, small

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping

    from .run import Run

    Bind = Callable[[Run, ast.expr, Value], Awaitable[None]]


async def value_of(run: Run, node: ast.expr) -> Value:
    """What an expression is."""
    return await EXPRESSIONS[type(node)](run, node)


async def _constant(_: Run, node: ast.Constant) -> Value:
    return small(node.value)


async def _name(run: Run, node: ast.Name) -> Value:
    if node.id in run.names:
        return run.names[node.id]
    if node.id == "print":
        return run.print
    if node.id not in BUILTINS:
        raise NameError(f"name '{node.id}' is not defined on the simulated desktop")
    return BUILTINS[node.id]


async def _attribute(run: Run, node: ast.Attribute) -> Value:
    return attribute(await value_of(run, node.value), node.attr)


async def _subscript(run: Run, node: ast.Subscript) -> Value:
    container, index = await value_of(run, node.value), await value_of(run, node.slice)
    if not isinstance(container, str | list | tuple | dict | range):
        raise TypeError(f"'{type(container).__name__}' object is not subscriptable")
    return cast("dict[Value, Value]", container)[index]


async def _slice(run: Run, node: ast.Slice) -> Value:
    return slice(*[await value_of(run, part) if part else None for part in (node.lower, node.upper, node.step)])


async def _call(run: Run, node: ast.Call) -> Value:
    function = await value_of(run, node.func)
    args = await elements(run, node.args)
    kwargs: dict[str, Value] = {}
    for keyword in node.keywords:
        value = await value_of(run, keyword.value)
        kwargs |= cast("dict[str, Value]", value) if keyword.arg is None else {keyword.arg: value}
    if not isinstance(function, Function):
        raise TypeError(f"'{type(function).__name__}' object is not callable")
    return await function.call(*args, **kwargs)


async def elements(run: Run, nodes: list[ast.expr]) -> list[Value]:
    """The values of several expressions, those behind a star one by one."""
    values: list[Value] = []
    for node in nodes:
        if isinstance(node, ast.Starred):
            values.extend(cast("Iterable[Value]", await value_of(run, node.value)))
        else:
            values.append(await value_of(run, node))
    return values


async def _list(run: Run, node: ast.List) -> Value:
    return await elements(run, node.elts)


async def _tuple(run: Run, node: ast.Tuple) -> Value:
    return tuple(await elements(run, node.elts))


async def _dict(run: Run, node: ast.Dict) -> Value:
    values: dict[Value, Value] = {}
    for key, value in zip(node.keys, node.values, strict=True):
        if key is None:
            values |= cast("dict[Value, Value]", await value_of(run, value))
        else:
            values[await value_of(run, key)] = await value_of(run, value)
    return values


async def _binary(run: Run, node: ast.BinOp) -> Value:
    return combined(node.op, await value_of(run, node.left), await value_of(run, node.right))


async def _unary(run: Run, node: ast.UnaryOp) -> Value:
    return applied(node.op, await value_of(run, node.operand))


async def _boolean(run: Run, node: ast.BoolOp) -> Value:
    value: Value = None
    for part in node.values:
        value = await value_of(run, part)
        if bool(value) != isinstance(node.op, ast.And):
            break
    return value


async def _compare(run: Run, node: ast.Compare) -> Value:
    left = await value_of(run, node.left)
    for compare, part in zip(node.ops, node.comparators, strict=True):
        right = await value_of(run, part)
        if not compared(compare, left, right):
            return False
        left = right
    return True


async def _conditional(run: Run, node: ast.IfExp) -> Value:
    return await value_of(run, node.body if await value_of(run, node.test) else node.orelse)


async def _joined(run: Run, node: ast.JoinedStr) -> Value:
    return small("".join([str(await value_of(run, part)) for part in node.values]))


async def _formatted(run: Run, node: ast.FormattedValue) -> Value:
    spec = str(await value_of(run, node.format_spec)) if node.format_spec else ""
    return formatted(await value_of(run, node.value), node.conversion, spec)


async def _comprehension(run: Run, node: ast.ListComp | ast.GeneratorExp) -> Value:
    async def body() -> Value:
        return [await value_of(run, node.elt) async for _ in _rounds(run, node.generators)]

    return await run.called(body, dict(run.names))


async def _rounds(run: Run, generators: list[ast.comprehension]) -> AsyncIterator[None]:
    if not generators:
        yield
        return
    first, *rest = generators
    for element in cast("Iterable[Value]", await value_of(run, first.iter)):
        await run.step()
        await bind(run, first.target, element)
        if all([await value_of(run, test) for test in first.ifs]):
            async for _ in _rounds(run, rest):
                yield


async def bind(run: Run, target: ast.expr, value: Value) -> None:
    """Give a value to a name, an element, a module's setting, or one by one to several of them."""
    if type(target) not in TARGETS:
        raise TypeError("the simulated desktop cannot assign to that")
    await TARGETS[type(target)](run, target, value)


async def _bind_name(run: Run, target: ast.Name, value: Value) -> None:
    run.names[target.id] = value


async def _bind_attribute(run: Run, target: ast.Attribute, value: Value) -> None:
    owner = await value_of(run, target.value)
    if not isinstance(owner, Module):
        kind = type(owner).__name__
        raise AttributeError(f"the simulated desktop cannot set attributes of '{kind}'")  # noqa: TRY004 - as Python does
    owner.put(target.attr, value)


async def _bind_element(run: Run, target: ast.Subscript, value: Value) -> None:
    container, index = await value_of(run, target.value), await value_of(run, target.slice)
    if not isinstance(container, list | dict):
        raise TypeError(f"'{type(container).__name__}' object does not support item assignment")
    cast("dict[Value, Value]", container)[index] = value


async def _bind_each(run: Run, target: ast.Tuple | ast.List, value: Value) -> None:
    values = list(cast("Iterable[Value]", value))
    if len(values) != len(target.elts):
        raise ValueError(f"expected {len(target.elts)} values to unpack, got {len(values)}")
    for part, element in zip(target.elts, values, strict=True):
        await bind(run, part, element)


# A function takes the kind of node that it stands under: what a checker of types can't see in a table.
EXPRESSIONS = cast(
    "Mapping[type[ast.expr], Callable[[Run, ast.expr], Awaitable[Value]]]",
    {
        ast.Constant: _constant,
        ast.Name: _name,
        ast.Attribute: _attribute,
        ast.Subscript: _subscript,
        ast.Slice: _slice,
        ast.Call: _call,
        ast.List: _list,
        ast.Tuple: _tuple,
        ast.Dict: _dict,
        ast.BinOp: _binary,
        ast.UnaryOp: _unary,
        ast.BoolOp: _boolean,
        ast.Compare: _compare,
        ast.IfExp: _conditional,
        ast.JoinedStr: _joined,
        ast.FormattedValue: _formatted,
        ast.ListComp: _comprehension,
        ast.GeneratorExp: _comprehension,
    },
)
TARGETS = cast(
    "Mapping[type[ast.expr], Bind]",
    {
        ast.Name: _bind_name,
        ast.Attribute: _bind_attribute,
        ast.Subscript: _bind_element,
        ast.Tuple: _bind_each,
        ast.List: _bind_each,
    },
)

"""Python as agents write it for pyautogui, interpreted over its syntax tree; never exec, never eval.

A small part of the language over plain values. Invariant: code reaches only what is in the tables of values.py and
pyautogui.py; other constructs are refused before anything is done, in a traceback that names the line.
"""

from __future__ import annotations

import ast
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, MutableMapping
from typing import TYPE_CHECKING, cast

from just_bash import ExecResult

from .pace import OutOfTime
from .pyautogui import Hold, modules
from .values import BINARY, BUILTINS, COMPARE, UNARY, Function, Module, Value, attribute, formatted, small, text_of

if TYPE_CHECKING:
    from .pace import Pace
    from .session import Session

STEP_LIMIT = 200_000
"""Statements and rounds of loops that one piece of code may execute."""
DEPTH_LIMIT = 40
"""Calls of the code's own functions inside each other."""
OUTPUT_LIMIT_CHARS = 1_000_000
CODE_LIMIT_CHARS = 200_000

SUPPORTED: tuple[type[ast.AST], ...] = (
    *(ast.Module, ast.Expr, ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Pass, ast.Import, ast.ImportFrom, ast.alias),
    *(ast.For, ast.While, ast.If, ast.Break, ast.Continue, ast.With, ast.withitem, ast.FunctionDef, ast.Return),
    *(ast.arguments, ast.arg, ast.keyword, ast.Constant, ast.Name, ast.Attribute, ast.Subscript, ast.Slice, ast.Call),
    *(ast.Starred, ast.List, ast.Tuple, ast.Dict, ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.IfExp),
    *(ast.JoinedStr, ast.FormattedValue, ast.ListComp, ast.GeneratorExp, ast.comprehension),
    *(ast.expr_context, ast.operator, ast.unaryop, ast.boolop, ast.cmpop),
)
"""The constructs that are interpreted."""


class Unsupported(Exception):
    """Code uses something of Python that the simulator does not know."""


class _Break(Exception):
    pass


class _Continue(Exception):
    pass


class _Return(Exception):
    def __init__(self, value: Value) -> None:
        super().__init__()
        self.value = value


async def run_python(code: str, session: Session, pace: Pace, *, imported: Iterable[str] = ()) -> ExecResult:
    """Run code to its end or its first error, as `python -c` would.

    Args:
        code: The program.
        session: The desktop that pyautogui drives.
        pace: The program's time.
        imported: Modules that are there without an `import`.

    Raises:
        OutOfTime: It did not come to an end.
    """
    program = _Program(modules(session, pace), pace)
    program.names.update({name: program.modules[name] for name in imported})
    try:
        tree = _parsed(code)
        await program.block(tree.body)
    except OutOfTime:
        raise
    except SyntaxError as error:
        return program.failed(
            f'  File "<string>", line {error.lineno or 1}\n    {(error.text or "").strip()}\n{_said(error)}'
        )
    except Exception as error:  # noqa: BLE001  whatever the code raises is its own failure
        return program.failed(_traceback(code, program.line, error))
    return ExecResult(stdout="".join(program.output))


def _parsed(code: str) -> ast.Module:
    if len(code) > CODE_LIMIT_CHARS:
        raise SyntaxError("the code is longer than the simulated desktop reads")
    try:
        tree = ast.parse(code, "<string>")
    except (ValueError, RecursionError, MemoryError) as error:
        raise SyntaxError(str(error) or "the code is nested too deeply") from error
    for node in ast.walk(tree):
        if not isinstance(node, SUPPORTED):
            line = getattr(node, "lineno", 1)
            construct = _CONSTRUCTS.get(type(node), type(node).__name__)
            text = code.splitlines()[line - 1]
            message = f"the simulated desktop does not run {construct}"
            raise SyntaxError(message, ("<string>", line, 1, text))
    return tree


_CONSTRUCTS: Mapping[type[ast.AST], str] = {
    ast.Try: "try",
    ast.ClassDef: "class",
    ast.AsyncFunctionDef: "async def",
    ast.Lambda: "lambda",
    ast.Global: "global",
    ast.Delete: "del",
    ast.Raise: "raise",
    ast.Assert: "assert",
    ast.DictComp: "dict comprehensions",
    ast.Set: "sets",
    ast.SetComp: "sets",
    ast.NamedExpr: "assignment expressions",
    ast.Match: "match",
    ast.Yield: "yield",
    ast.Await: "await",
}


def _said(error: BaseException) -> str:
    message = error.msg if isinstance(error, SyntaxError) else str(error)
    return f"{type(error).__name__}: {message}\n" if message else f"{type(error).__name__}\n"


def _traceback(code: str, line: int, error: Exception) -> str:
    lines = code.splitlines()
    source = f"    {lines[line - 1].strip()}\n" if 0 < line <= len(lines) else ""
    return f'Traceback (most recent call last):\n  File "<string>", line {line}, in <module>\n{source}{_said(error)}'


class _Program:
    """One run of one piece of code."""

    def __init__(self, known: Mapping[str, Module], pace: Pace) -> None:
        self.modules = known
        self.names: MutableMapping[str, Value] = {}
        self.output: list[str] = []
        self.line = 1
        self._pace = pace
        self._steps = 0
        self._depth = 0
        self._printed = 0

    def failed(self, error: str) -> ExecResult:
        """What was printed up to an error, and the error."""
        return ExecResult(stdout="".join(self.output), stderr=error, exit_code=1)

    async def _step(self) -> None:
        self._steps += 1
        if self._steps > STEP_LIMIT:
            raise Unsupported(f"the simulated desktop stops code after {STEP_LIMIT} steps")
        await self._pace.step()

    async def block(self, body: Iterable[ast.stmt]) -> None:
        """Run statements."""
        for statement in body:
            self.line = statement.lineno
            await self._step()
            await _STATEMENTS[type(statement)](self, statement)

    # Statements.

    async def _expression_statement(self, node: ast.Expr) -> None:
        await self.value(node.value)

    async def _pass(self, node: ast.Pass) -> None:
        pass

    async def _import(self, node: ast.Import) -> None:
        for alias in node.names:
            self.names[alias.asname or alias.name] = self._module(alias.name)

    async def _import_from(self, node: ast.ImportFrom) -> None:
        module = self._module(node.module or ".")
        for alias in node.names:
            if alias.name == "*":
                self.names.update({**module.members, **module.settings})
            else:
                self.names[alias.asname or alias.name] = module.get(alias.name)

    def _module(self, name: str) -> Module:
        if name not in self.modules:
            known = ", ".join(sorted(self.modules))
            raise ModuleNotFoundError(f"No module named '{name}' on the simulated desktop; it has {known}")
        return self.modules[name]

    async def _assign(self, node: ast.Assign) -> None:
        value = await self.value(node.value)
        for target in node.targets:
            await self._bind(target, value)

    async def _annotated(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            await self._bind(node.target, await self.value(node.value))

    async def _augmented(self, node: ast.AugAssign) -> None:
        load = ast.copy_location(_loading(node.target), node)
        new = BINARY[type(node.op)](await self.value(load), await self.value(node.value))
        await self._bind(node.target, small(new))

    async def _bind(self, target: ast.expr, value: Value) -> None:
        match target:
            case ast.Name():
                self.names[target.id] = value
            case ast.Attribute():
                module = await self.value(target.value)
                if not isinstance(module, Module):
                    raise Unsupported("the simulated desktop sets attributes of modules only")
                module.put(target.attr, value)
            case ast.Subscript():
                container = await self.value(target.value)
                if not isinstance(container, list | dict):
                    raise TypeError(f"'{type(container).__name__}' object does not support item assignment")
                cast("dict[Value, Value]", container)[await self.value(target.slice)] = value
            case ast.Tuple() | ast.List():
                await self._unpack(target.elts, value)
            case _:
                raise Unsupported("the simulated desktop cannot assign to that")

    async def _unpack(self, targets: list[ast.expr], value: Value) -> None:
        values = list(cast("Iterable[Value]", value))
        if len(values) != len(targets):
            raise ValueError(f"expected {len(targets)} values to unpack, got {len(values)}")
        for target, element in zip(targets, values, strict=True):
            await self._bind(target, element)

    async def _if(self, node: ast.If) -> None:
        await self.block(node.body if await self.value(node.test) else node.orelse)

    async def _for(self, node: ast.For) -> None:
        for element in cast("Iterable[Value]", await self.value(node.iter)):
            await self._bind(node.target, element)
            if not await self._round(node.body):
                return
        await self.block(node.orelse)

    async def _while(self, node: ast.While) -> None:
        while await self.value(node.test):
            if not await self._round(node.body):
                return
        await self.block(node.orelse)

    async def _round(self, body: list[ast.stmt]) -> bool:
        """One round of a loop; whether it goes on."""
        await self._step()
        try:
            await self.block(body)
        except _Continue:
            pass
        except _Break:
            return False
        return True

    async def _break(self, node: ast.Break) -> None:
        raise _Break

    async def _continue(self, node: ast.Continue) -> None:
        raise _Continue

    async def _with(self, node: ast.With) -> None:
        holds: list[Hold] = []
        for item in node.items:
            hold = await self.value(item.context_expr)
            if not isinstance(hold, Hold):
                raise Unsupported("the simulated desktop knows 'with pyautogui.hold(…)' only")
            holds.append(hold)
        for hold in holds:
            await hold.press()
        try:
            await self.block(node.body)
        finally:
            for hold in reversed(holds):
                await hold.release()

    async def _define(self, node: ast.FunctionDef) -> None:
        arguments = node.args
        if node.decorator_list or arguments.vararg or arguments.kwarg or arguments.kwonlyargs or arguments.posonlyargs:
            raise Unsupported("the simulated desktop knows functions with plain arguments only")
        names = [argument.arg for argument in arguments.args]
        defaults = [await self.value(default) for default in arguments.defaults]
        optional = dict(zip(names[len(names) - len(defaults) :], defaults, strict=True))

        async def call(*args: Value, **kwargs: Value) -> Value:
            if len(args) > len(names) or not set(kwargs) <= set(names[len(args) :]):
                raise TypeError(f"{node.name}() got arguments that it does not take")
            given = {**optional, **dict(zip(names, args, strict=False)), **kwargs}
            if missing := [name for name in names if name not in given]:
                raise TypeError(f"{node.name}() missing {len(missing)} required argument: '{missing[0]}'")
            return await self._called(node.body, given)

        self.names[node.name] = Function(node.name, call)

    async def _called(self, body: list[ast.stmt], given: dict[str, Value]) -> Value:
        if self._depth >= DEPTH_LIMIT:
            raise RecursionError("maximum recursion depth exceeded")
        outer = self.names
        self.names = _Scope(given, outer.outermost if isinstance(outer, _Scope) else outer)
        self._depth += 1
        try:
            await self.block(body)
        except _Return as returned:
            return returned.value
        finally:
            self._depth -= 1
            self.names = outer
        return None

    async def _return(self, node: ast.Return) -> None:
        raise _Return(await self.value(node.value) if node.value else None)

    # Expressions.

    async def value(self, node: ast.expr) -> Value:
        """What an expression is."""
        return await _EXPRESSIONS[type(node)](self, node)

    async def _constant(self, node: ast.Constant) -> Value:
        return small(node.value)

    async def _name(self, node: ast.Name) -> Value:
        if node.id in self.names:
            return self.names[node.id]
        if node.id == "print":
            return Function("print", self._print)
        if node.id not in BUILTINS:
            raise NameError(f"name '{node.id}' is not defined on the simulated desktop")
        return BUILTINS[node.id]

    async def _print(self, *values: Value, sep: str = " ", end: str = "\n", **_: Value) -> None:
        text = sep.join(map(text_of, values)) + end
        self._printed += len(text)
        if self._printed > OUTPUT_LIMIT_CHARS:
            raise MemoryError("the output is larger than the simulated desktop can hold")
        self.output.append(text)

    async def _attribute(self, node: ast.Attribute) -> Value:
        return attribute(await self.value(node.value), node.attr)

    async def _subscript(self, node: ast.Subscript) -> Value:
        container = await self.value(node.value)
        if not isinstance(container, str | list | tuple | dict | range):
            raise TypeError(f"'{type(container).__name__}' object is not subscriptable")
        return cast("dict[Value, Value]", container)[await self.value(node.slice)]

    async def _slice(self, node: ast.Slice) -> Value:
        parts = [await self.value(part) if part else None for part in (node.lower, node.upper, node.step)]
        return slice(*parts)

    async def _call(self, node: ast.Call) -> Value:
        function = await self.value(node.func)
        args = await self._elements(node.args)
        kwargs: dict[str, Value] = {}
        for keyword in node.keywords:
            value = await self.value(keyword.value)
            kwargs |= cast("dict[str, Value]", value) if keyword.arg is None else {keyword.arg: value}
        if not isinstance(function, Function):
            raise TypeError(f"'{type(function).__name__}' object is not callable")
        return await function.call(*args, **kwargs)

    async def _elements(self, nodes: list[ast.expr]) -> list[Value]:
        values: list[Value] = []
        for node in nodes:
            if isinstance(node, ast.Starred):
                values.extend(cast("Iterable[Value]", await self.value(node.value)))
            else:
                values.append(await self.value(node))
        return values

    async def _list(self, node: ast.List) -> Value:
        return await self._elements(node.elts)

    async def _tuple(self, node: ast.Tuple) -> Value:
        return tuple(await self._elements(node.elts))

    async def _dict(self, node: ast.Dict) -> Value:
        values: dict[Value, Value] = {}
        for key, value in zip(node.keys, node.values, strict=True):
            if key is None:
                values |= cast("dict[Value, Value]", await self.value(value))
            else:
                values[await self.value(key)] = await self.value(value)
        return values

    async def _binary(self, node: ast.BinOp) -> Value:
        return small(BINARY[type(node.op)](await self.value(node.left), await self.value(node.right)))

    async def _unary(self, node: ast.UnaryOp) -> Value:
        return UNARY[type(node.op)](await self.value(node.operand))

    async def _boolean(self, node: ast.BoolOp) -> Value:
        value: Value = None
        for part in node.values:
            value = await self.value(part)
            if bool(value) != isinstance(node.op, ast.And):
                break
        return value

    async def _compare(self, node: ast.Compare) -> Value:
        left = await self.value(node.left)
        for compare, part in zip(node.ops, node.comparators, strict=True):
            right = await self.value(part)
            if not COMPARE[type(compare)](left, right):
                return False
            left = right
        return True

    async def _conditional(self, node: ast.IfExp) -> Value:
        return await self.value(node.body if await self.value(node.test) else node.orelse)

    async def _joined(self, node: ast.JoinedStr) -> Value:
        return small("".join([str(await self.value(part)) for part in node.values]))

    async def _formatted(self, node: ast.FormattedValue) -> Value:
        spec = str(await self.value(node.format_spec)) if node.format_spec else ""
        return formatted(await self.value(node.value), node.conversion, spec)

    async def _comprehension(self, node: ast.ListComp | ast.GeneratorExp) -> Value:
        outer = dict(self.names)
        values = [await self.value(node.elt) async for _ in self._rounds(node.generators)]
        for name in set(self.names) - set(outer):
            del self.names[name]
        self.names.update(outer)
        return values

    async def _rounds(self, generators: list[ast.comprehension]) -> AsyncIterator[None]:
        if not generators:
            yield
            return
        first, *rest = generators
        for element in cast("Iterable[Value]", await self.value(first.iter)):
            await self._step()
            await self._bind(first.target, element)
            if all([await self.value(test) for test in first.ifs]):
                async for _ in self._rounds(rest):
                    yield


class _Scope(dict[str, Value]):
    """The names in a function: its own, and those outside to be read."""

    def __init__(self, own: dict[str, Value], outermost: MutableMapping[str, Value]) -> None:
        super().__init__(own)
        self.outermost = outermost

    def __contains__(self, name: object) -> bool:
        return super().__contains__(name) or name in self.outermost

    def __missing__(self, name: str) -> Value:
        return self.outermost[name]


def _loading(target: ast.expr) -> ast.expr:
    """The target of `x += 1`, to be read."""
    match target:
        case ast.Name():
            return ast.Name(target.id, ast.Load())
        case ast.Attribute():
            return ast.Attribute(target.value, target.attr, ast.Load())
        case ast.Subscript():
            return ast.Subscript(target.value, target.slice, ast.Load())
        case _:
            raise Unsupported("the simulated desktop cannot assign to that")


_Statement = Callable[[_Program, ast.stmt], Awaitable[None]]
_Expression = Callable[[_Program, ast.expr], Awaitable[Value]]
# The methods are private to the class, not to the tables that belong to it.
_P = _Program
_STATEMENTS = cast(
    "Mapping[type[ast.stmt], _Statement]",
    {
        ast.Expr: _P._expression_statement,
        ast.Pass: _P._pass,
        ast.Import: _P._import,
        ast.ImportFrom: _P._import_from,
        ast.Assign: _P._assign,
        ast.AnnAssign: _P._annotated,
        ast.AugAssign: _P._augmented,
        ast.If: _P._if,
        ast.For: _P._for,
        ast.While: _P._while,
        ast.Break: _P._break,
        ast.Continue: _P._continue,
        ast.With: _P._with,
        ast.FunctionDef: _P._define,
        ast.Return: _P._return,
    },
)
_EXPRESSIONS = cast(
    "Mapping[type[ast.expr], _Expression]",
    {
        ast.Constant: _P._constant,
        ast.Name: _P._name,
        ast.Attribute: _P._attribute,
        ast.Subscript: _P._subscript,
        ast.Slice: _P._slice,
        ast.Call: _P._call,
        ast.List: _P._list,
        ast.Tuple: _P._tuple,
        ast.Dict: _P._dict,
        ast.BinOp: _P._binary,
        ast.UnaryOp: _P._unary,
        ast.BoolOp: _P._boolean,
        ast.Compare: _P._compare,
        ast.IfExp: _P._conditional,
        ast.JoinedStr: _P._joined,
        ast.FormattedValue: _P._formatted,
        ast.ListComp: _P._comprehension,
        ast.GeneratorExp: _P._comprehension,
    },
)

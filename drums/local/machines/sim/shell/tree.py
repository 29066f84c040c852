"""A script's syntax tree, mended where just-bash would not do what bash does.

just-bash ignores where loops, conditions and functions print to, waits for what is started with `&`, after
`> FILE 2>&1` still prints the errors, looks at what a function is called with only after `$1` means its own, and splits
the arguments that `for x do` goes through. These are rewritten into forms that it knows: a group that has the
redirections, marks around what runs in the background, `&> FILE`, an array that is filled before the call, and `"$@"`.
Invariant: a mended script does what bash would do with the script; a tree without such places comes out as it went in.
"""

from __future__ import annotations

import re
from dataclasses import fields, is_dataclass, replace
from typing import TYPE_CHECKING, TypeVar, cast

from just_bash import parse
from just_bash.ast import (
    AssignmentNode,
    CaseNode,
    CStyleForNode,
    DoubleQuotedPart,
    ForNode,
    FunctionDefNode,
    GroupNode,
    IfNode,
    LiteralPart,
    ParameterExpansionPart,
    PipelineNode,
    ScriptNode,
    SimpleCommandNode,
    SingleQuotedPart,
    StatementNode,
    UntilNode,
    WhileNode,
    WordNode,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from just_bash.ast import CommandNode, RedirectionNode
    from just_bash.ast.types import RedirectionOperator

ARGUMENTS = "__arguments"
BACKGROUND_BEGINS = "__background_begins"
BACKGROUND_ENDS = "__background_ends"
_INPUT = frozenset({"<", "<<", "<<-", "<<<", "<&"})
_MENDABLE = re.compile(r"\b(?:done|fi|esac)\b|&|\(\)|\bfunction\b")
_Compound = IfNode | ForNode | CStyleForNode | WhileNode | UntilNode | CaseNode
_Redirected = _Compound | SimpleCommandNode
T = TypeVar("T")


def tree_of(script: str) -> ScriptNode:
    """The mended tree of a script.

    Raises:
        ParseException: It is not in bash's language, or not in what just-bash knows of it.
    """
    tree = parse(script)
    return _Mender(frozenset(_functions(tree))).mended(tree) if _MENDABLE.search(script) else tree


def call_of(words: Sequence[str]) -> ScriptNode:
    """The tree of one program with its arguments, in which nothing is interpreted."""
    name, *args = (WordNode(parts=(SingleQuotedPart(value=word),)) for word in words)
    return ScriptNode(statements=(_statement(SimpleCommandNode(name=name, args=tuple(args))),))


def _functions(node: object) -> Iterator[str]:
    """The names of the functions that are defined in a tree."""
    if isinstance(node, FunctionDefNode):
        yield node.name
    for part in _parts(node):
        yield from _functions(part)


def _parts(node: object) -> Iterator[object]:
    if isinstance(node, tuple):
        yield from cast("tuple[object, ...]", node)
    elif is_dataclass(node) and not isinstance(node, type):
        yield from (getattr(node, field.name) for field in fields(node))


class _Mender:
    def __init__(self, functions: frozenset[str]) -> None:
        self._functions = functions

    def mended(self, node: T) -> T:
        """A node with everything below it mended, and itself."""
        if isinstance(node, tuple):
            elements = cast("tuple[object, ...]", node)
            return cast("T", tuple(mended for element in elements for mended in self._each(element)))
        if not is_dataclass(node) or isinstance(node, type):
            return node
        changes: dict[str, object] = {}
        for field in fields(node):
            before = cast("object", getattr(node, field.name))
            after = self.mended(before)
            if field.name == "redirections":
                after = _joined(cast("tuple[RedirectionNode, ...]", after))
            if after != before:
                changes[field.name] = after
        return cast("T", self._redirected(replace(node, **changes) if changes else node))

    def _each(self, element: object) -> list[object]:
        """What stands for one element of a list: a statement in the background gets a mark before and behind it."""
        mended = self.mended(element)
        if isinstance(mended, StatementNode) and mended.background:
            return [_command(BACKGROUND_BEGINS), replace(mended, background=False), _command(BACKGROUND_ENDS)]
        return [mended]

    def _redirected(self, node: object) -> object:
        """A loop, condition or call of a function that prints elsewhere, as a group that does."""
        if isinstance(node, ForNode) and node.words is None:
            node = replace(node, words=_words_of("@"))
        if not (isinstance(node, _Compound) or self._is_call(node)):
            return node
        command = cast("_Redirected", node)
        before: tuple[StatementNode, ...] = ()
        if isinstance(command, SimpleCommandNode) and not all(_is_literal(word) for word in command.args):
            before = (_statement(SimpleCommandNode(assignments=(AssignmentNode(name=ARGUMENTS, array=command.args),))),)
            command = replace(command, args=_words_of(f"{ARGUMENTS}[@]"))
        output = tuple(redirection for redirection in command.redirections if redirection.operator not in _INPUT)
        if not output and not before:
            return node
        kept = tuple(redirection for redirection in command.redirections if redirection.operator in _INPUT)
        inner = replace(command, redirections=kept)
        return GroupNode(body=(*before, _statement(inner)), redirections=output)

    def _is_call(self, node: object) -> bool:
        if not isinstance(node, SimpleCommandNode) or node.name is None or len(node.name.parts) != 1:
            return False
        part = node.name.parts[0]
        return isinstance(part, LiteralPart) and part.value in self._functions


def _joined(redirections: tuple[RedirectionNode, ...]) -> tuple[RedirectionNode, ...]:
    """The same redirections, with errors that follow the output into a file (`2>&1`) sent there at once."""
    found: list[RedirectionNode] = []
    for redirection in redirections:
        into = next((at for at, other in enumerate(found) if _is_output(other)), None)
        if into is not None and _follows_output(redirection):
            both: RedirectionOperator = "&>" if found[into].operator == ">" else "&>>"
            found[into] = replace(found[into], fd=None, operator=both)
        else:
            found.append(redirection)
    return tuple(found)


def _is_output(redirection: RedirectionNode) -> bool:
    return redirection.fd in {None, 1} and redirection.operator in {">", ">>"}


def _follows_output(redirection: RedirectionNode) -> bool:
    target = redirection.target
    return (
        redirection.fd == 2
        and redirection.operator == ">&"
        and isinstance(target, WordNode)
        and target.parts == (LiteralPart(value="1"),)
    )


def _command(name: str) -> StatementNode:
    return _statement(SimpleCommandNode(name=WordNode(parts=(LiteralPart(value=name),))))


def _statement(command: CommandNode) -> StatementNode:
    return StatementNode(pipelines=(PipelineNode(commands=(command,)),))


def _words_of(parameter: str) -> tuple[WordNode, ...]:
    """A parameter in double quotes."""
    return (WordNode(parts=(DoubleQuotedPart(parts=(ParameterExpansionPart(parameter=parameter),)),)),)


def _is_literal(word: WordNode) -> bool:
    return all(isinstance(part, LiteralPart | SingleQuotedPart) for part in word.parts)

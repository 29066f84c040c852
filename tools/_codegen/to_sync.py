"""From asyncio source to sync source: drops `async` and `await`, renames what `NAMES` lists, refuses all else.

It is no general converter. What differs between both sides lives in `drums/_io/aio.py` and `drums/_io/sync.py`, under
the same names. The invariant: the output is the same on every Python that the project supports, so an f-string, which
has become many tokens in 3.12, is one piece of text here.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tools._codegen.faults import CodegenError

if TYPE_CHECKING:
    from collections.abc import Iterator

NAMES = {
    "aio": "sync",
    "AsyncIterator": "Iterator",
    "__aenter__": "__enter__",
    "__aexit__": "__exit__",
}
"""Each must occur in some source: a rule for nothing is a mistake."""

REFUSED_IMPORTS = {"asyncio", "aiohttp", "anyio", "trio", "inspect"}
REFUSED_NAMES = {"Awaitable", "AsyncGenerator", "Coroutine", "TaskGroup", "create_task", "ensure_future", "gather"}
LAYOUT = {tokenize.INDENT, tokenize.DEDENT, tokenize.NEWLINE, tokenize.NL, tokenize.ENDMARKER}
FSTRING_START = getattr(tokenize, "FSTRING_START", -1)
FSTRING_END = getattr(tokenize, "FSTRING_END", -1)


@dataclass
class Converter:
    """Turns one source after another; remembers which rules were needed."""

    used: set[str] = field(default_factory=set[str])

    def convert(self, source: str) -> str:
        """The sync text of one module, not yet formatted."""
        source = re.sub(r"\bio\.Opening\[(\w+)\]", r"\1", source)
        tokens = list(whole_tokens(source))
        out: list[str] = []
        position = 0
        skip_gap = False
        for index, (kind, text, start, end) in enumerate(tokens):
            out.append("" if skip_gap else source[position:start])
            position = end
            skip_gap = kind == tokenize.NAME and text in {"async", "await"}
            if skip_gap:
                continue
            if kind == tokenize.NAME and text == "aio" and behind_a_package(tokens, index):
                inner = "".join(t[1] for t in tokens[index + 1 : index + 3])
                out.append(self.package(out, private=inner.startswith("._")))
            elif kind == tokenize.NAME and text in NAMES:
                self.used.add(text)
                out.append(NAMES[text])
            elif kind in {tokenize.STRING, tokenize.COMMENT}:
                out.append(prose(text))
            else:
                out.append(text)
        return "".join(out)

    @staticmethod
    def package(out: list[str], *, private: bool) -> str:
        """What `aio` becomes behind a package: the private package, or nothing (the dot before it goes as well)."""
        if private:
            return "_sync"
        while out and out[-1] != ".":
            out.pop()
        out.pop()
        return ""


def behind_a_package(tokens: list[tuple[int, str, int, int]], index: int) -> bool:
    """Whether the name at `index` follows `drums.` or `drums.hybrid.`, which have an `aio` and a sync side."""
    before = [token[1] for token in tokens[max(index - 4, 0) : index]]
    return before[-2:] == ["drums", "."] or before == ["drums", ".", "hybrid", "."]


def whole_tokens(source: str) -> Iterator[tuple[int, str, int, int]]:
    """(kind, text, start, end) of each token; an f-string is one STRING, as Python 3.11 has it."""
    offsets = [0]
    for line in source.splitlines(keepends=True):
        offsets.append(offsets[-1] + len(line))
    depth, opened = 0, 0
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        start = offsets[token.start[0] - 1] + token.start[1]
        end = offsets[token.end[0] - 1] + token.end[1] if token.end[0] <= len(offsets) else len(source)
        if token.type == FSTRING_START:
            opened, depth = (start if depth == 0 else opened), depth + 1
        elif token.type == FSTRING_END:
            depth -= 1
            if depth == 0:
                yield tokenize.STRING, source[opened:end], opened, end
        elif depth == 0 and token.type not in LAYOUT:
            yield token.type, token.string, start, end
    yield tokenize.ENDMARKER, "", len(source), len(source)


def prose(text: str) -> str:
    """A string or comment for the sync side: programs in it lose `async` and `await`, `drums.aio` is `drums`."""
    text = re.sub(r"\b(?:await (?=[\w.]+\()|async (?=(?:with|for|def) ))", "", text)
    return re.sub(r"\b(drums(?:\.hybrid)?)\.aio\b(?!\.?_)", r"\1", text)


def faults(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """(line, what) of every construct that would not survive the conversion."""
    for node in ast.walk(tree):
        line = getattr(node, "lineno", 0)
        if isinstance(node, ast.Import):
            yield from ((line, f"import {a.name}: it belongs in drums/_io") for a in node.names if refused(a.name))
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and refused(node.module or ""):
            yield line, f"import {node.module}: it belongs in drums/_io"
        elif isinstance(node, ast.JoinedStr):
            yield from ((line, what) for what in faults_of_fstring(node))
        elif isinstance(node, ast.Name | ast.Attribute):
            name = node.id if isinstance(node, ast.Name) else node.attr
            if name in REFUSED_NAMES:
                yield line, f"{name}: use a name of drums/_io for it"
            elif name.lower().startswith("async") and name not in NAMES:
                yield line, f"{name}: no rule for this name"


def parsed(text: str, shown: str) -> ast.Module:
    """The syntax tree, or a refusal that names the line."""
    try:
        return ast.parse(text, shown)
    except SyntaxError as fault:
        raise CodegenError(f"{shown}:{fault.lineno}: {fault.msg}") from fault


def refused(module: str) -> bool:
    """Whether a module must not be imported on either side."""
    return module.partition(".")[0] in REFUSED_IMPORTS


def faults_of_fstring(node: ast.JoinedStr) -> Iterator[str]:
    """Code inside an f-string is text to the converter, so it must need no conversion."""
    for inner in ast.walk(node):
        if isinstance(inner, ast.Await):
            yield "await inside an f-string: assign it first"
        elif isinstance(inner, ast.Name | ast.Attribute):
            name = inner.id if isinstance(inner, ast.Name) else inner.attr
            if name in NAMES:
                yield f"{name} inside an f-string: assign it first"

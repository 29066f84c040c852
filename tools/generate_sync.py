"""Make the sync SDK and its tests from the asyncio ones: drums/aio -> drums/_sync, tests/wire -> tests/wire_sync.

Usage: `generate_sync.py [--check]`. With `--check` nothing is written, and the exit status tells whether the trees on disk
are exactly what their sources give: an edited, a missing and a left-over file are all found.

It is no general converter: it drops `async` and `await`, renames what `NAMES` lists, and refuses a source with anything in
it that would not survive that. What differs between both sides lives in `drums/_io/aio.py` and `drums/_io/sync.py`, under
the same names. The output is the same on every Python that the project supports.
"""

from __future__ import annotations

import ast
import io
import re
import subprocess
import sys
import tokenize
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parent.parent
TREES = {"drums/aio": "drums/_sync", "tests/wire": "tests/wire_sync"}

NAMES = {
    "aio": "sync",
    "AsyncExitStack": "ExitStack",
    "AsyncIterator": "Iterator",
    "__aenter__": "__enter__",
    "__aexit__": "__exit__",
    "aclosing": "closing",
    "anext": "next",
    "asynccontextmanager": "contextmanager",
}
"""Each must occur in some source: a rule for nothing is a mistake."""

PLAIN_ASYNC_NAMES = {"AsyncClient", "AsyncEnv"}
"""Public aliases that exist on the asyncio side only, as strings in `__all__`; `drums/_sync` has no public names."""

REFUSED_IMPORTS = {"asyncio", "aiohttp", "anyio", "trio", "inspect"}
REFUSED_NAMES = {"Awaitable", "AsyncGenerator", "Coroutine", "TaskGroup", "create_task", "ensure_future", "gather"}
LAYOUT = {tokenize.INDENT, tokenize.DEDENT, tokenize.NEWLINE, tokenize.NL, tokenize.ENDMARKER}
FSTRING_START = getattr(tokenize, "FSTRING_START", -1)
FSTRING_END = getattr(tokenize, "FSTRING_END", -1)


class RefusedError(Exception):
    """A source can't be converted; the message is a list of `file:line: what`."""


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
            if kind == tokenize.NAME and text == "aio" and [t[1] for t in tokens[index - 2 : index]] == ["drums", "."]:
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
        """What `aio` becomes behind `drums.`: the private package, or nothing (the dot before it goes as well)."""
        if private:
            return "_sync"
        while out and out[-1] != ".":
            out.pop()
        out.pop()
        return ""


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
    return re.sub(r"\bdrums\.aio\b(?!\.?_)", "drums", text)


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
            elif name.lower().startswith("async") and name not in NAMES and name not in PLAIN_ASYNC_NAMES:
                yield line, f"{name}: no rule for this name"


def parsed(text: str, shown: str) -> ast.Module:
    """The syntax tree, or a refusal that names the line."""
    try:
        return ast.parse(text, shown)
    except SyntaxError as fault:
        raise RefusedError(f"{shown}:{fault.lineno}: {fault.msg}") from fault


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


def ruff(text: str, *arguments: str) -> str:
    """The text after one ruff command that reads stdin; the settings here are the only ones that count."""
    command = [sys.executable, "-m", "ruff", *arguments, "--isolated", "--quiet", "--target-version", "py311", "-"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RefusedError(done.stderr or done.stdout)
    return done.stdout


def formatted(text: str, line_length: int) -> str:
    """Sorted imports, no unused ones, the project's layout."""
    own = 'lint.isort.known-first-party=["drums", "drums_api", "tests"]'
    text = ruff(text, "check", "--select", "I,F401,RUF100", "--fix", "--config", own)
    return ruff(text, "format", "--line-length", str(line_length))


def made_from(source: Path, target: str, converter: Converter, line_length: int) -> dict[str, str]:
    """Every file of one generated tree, by its path below the project's root."""
    made: dict[str, str] = {}
    bad: list[str] = []
    for path in sorted(source.rglob("*.py")):
        shown, below = path.relative_to(ROOT).as_posix(), path.relative_to(source).as_posix()
        text = path.read_text(encoding="utf-8")
        found = [f"{shown}:{line}: {what}" for line, what in faults(parsed(text, shown))]
        bad += found
        if found:
            continue
        body = converter.convert(text)
        parsed(body, f"{target}/{below}")
        head = f"# Generated from {shown} by tools/generate_sync.py. Edit that file.\n"
        made[f"{target}/{below}"] = formatted(head + body, line_length)
    if bad:
        raise RefusedError("\n".join(bad))
    return made


def everything() -> dict[str, str]:
    """Every generated file and its text."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    require_pinned_ruff(settings["dependency-groups"]["codegen"])
    converter = Converter()
    made: dict[str, str] = {}
    for source, target in TREES.items():
        made |= made_from(ROOT / source, target, converter, settings["tool"]["ruff"]["line-length"])
    if unused := NAMES.keys() - converter.used:
        raise RefusedError(f"rules that nothing needs: {', '.join(sorted(unused))}")
    return made


def require_pinned_ruff(pins: list[str]) -> None:
    """The layout depends on ruff's version, so no other than the pinned one may make it."""
    pinned = next(pin.partition("==")[2] for pin in pins if pin.startswith("ruff=="))
    asked = subprocess.run([sys.executable, "-m", "ruff", "--version"], capture_output=True, text=True, check=True)
    found = asked.stdout.split()[-1]
    if found != pinned:
        raise RefusedError(f"ruff {found} is installed, pyproject.toml pins {pinned}")


def on_disk() -> dict[str, str]:
    """Every file that lies in a generated tree now."""
    paths = (path for target in TREES.values() for path in (ROOT / target).rglob("*") if path.is_file())
    return {
        path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
        for path in paths
        if "__pycache__" not in path.parts
    }


def differing(made: dict[str, str], there: dict[str, str]) -> list[str]:
    """Every file that is edited, missing or left over, with which of these it is."""
    edited = [name for name in sorted(made.keys() & there.keys()) if made[name] != there[name]]
    return [
        *(f"{name}: edited, or made by another version" for name in edited),
        *(f"{name}: missing" for name in sorted(made.keys() - there.keys())),
        *(f"{name}: nothing makes it" for name in sorted(there.keys() - made.keys())),
    ]


def write(made: dict[str, str], there: dict[str, str]) -> None:
    """Bring the trees on disk to what was made; unchanged files keep their times."""
    for name in there.keys() - made.keys():
        (ROOT / name).unlink()
    for name, text in made.items():
        if there.get(name) != text:
            (ROOT / name).parent.mkdir(parents=True, exist_ok=True)
            (ROOT / name).write_text(text, encoding="utf-8")


def main() -> int:
    """Write the trees, or compare them; 1 if a source was refused or a tree differs."""
    try:
        made = everything()
    except RefusedError as refusal:
        print(refusal, file=sys.stderr)
        return 1
    there = on_disk()
    if "--check" not in sys.argv[1:]:
        write(made, there)
        return 0
    wrong = differing(made, there)
    if wrong:
        print("\n".join([*wrong, "Run tools/generate_sync.py."]), file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

"""The program find: an expression over the entries of folders.

just-bash's own breaks names at blanks and forgets actions. Invariant: a name is passed on whole, whatever is in it.
"""

from __future__ import annotations

import fnmatch
import posixpath
import re
import shlex
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from just_bash import ExecResult

from drums.local.machines.sim.files.tree import File, Folder, Link

from .call import Call, refused
from .timing import moment_of

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator, Mapping

    from drums.local.machines.sim.files.tree import Node

    Test = Callable[["Entry"], Awaitable[bool]]

KINDS: Mapping[str, type[Node]] = {"f": File, "d": Folder, "l": Link}
UNITS = {"": 512, "b": 512, "c": 1, "w": 2, "k": 1024, "M": 1024**2, "G": 1024**3}
DAY_S, MINUTE_S = 86400.0, 60.0
DEEPEST = 128
"""No folder is deeper; links that are followed may go in a circle."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A file or folder that was come by."""

    shown: str
    """Its path as it is printed: it begins as the argument does."""
    path: str
    node: Node
    depth: int

    @property
    def name(self) -> str:
        """The last part of the path."""
        return posixpath.basename(self.shown.rstrip("/")) or "/"


class BadExpression(Exception):
    """The arguments are no expression that is known."""


@dataclass
class _Search:
    """One run of find."""

    call: Call
    tokens: list[str]
    depths: tuple[int, int] = (0, 10**6)
    follow: bool = False
    """Whether links are taken for what they point to."""
    acts: bool = False
    """Whether the expression has an action of its own, so that nothing is printed by itself."""
    output: list[str] = field(default_factory=list[str])
    error: list[str] = field(default_factory=list[str])
    pending: dict[tuple[str, ...], list[str]] = field(default_factory=dict[tuple[str, ...], list[str]])
    """Names for commands that take many at once."""

    # The expression, by recursive descent.

    def expression(self) -> Test:
        """All tokens, up to a closing bracket."""
        left = self._conjunction()
        while self.tokens and self.tokens[0] in {"-o", "-or"}:
            self.tokens.pop(0)
            left = _either(left, self._conjunction())
        return left

    def _conjunction(self) -> Test:
        left = self._negation()
        while self.tokens and self.tokens[0] not in {"-o", "-or", ")"}:
            if self.tokens[0] in {"-a", "-and"}:
                self.tokens.pop(0)
            left = _both(left, self._negation())
        return left

    def _negation(self) -> Test:
        word = self._next("an expression")
        if word in {"!", "-not"}:
            return _inverse(self._negation())
        if word == "(":
            inner = self.expression()
            if self._next("')'") != ")":
                raise BadExpression("expected ')'")
            return inner
        return self._primary(word)

    def _next(self, wanted: str) -> str:
        if not self.tokens:
            raise BadExpression(f"expected {wanted}")
        return self.tokens.pop(0)

    def _primary(self, word: str) -> Test:
        if word in PLAIN_TESTS:
            return _test(PLAIN_TESTS[word](self, self._next(f"an argument to `{word}'")))
        if word in {"-print", "-print0"}:
            self.acts = True
            return self.printing("\n" if word == "-print" else "\0")
        if word == "-printf":
            self.acts = True
            return self._printing_as(self._next("a format"))
        if word in {"-exec", "-execdir"}:
            self.acts = True
            return self._executing()
        if word == "-delete":
            self.acts = True
            return self._deleting()
        if word == "-empty":
            return _test(_is_empty)
        if word in {"-maxdepth", "-mindepth"}:
            number = self._next("a number")
            if not number.isdigit():
                raise BadExpression(f"expected a positive decimal integer argument to {word}, but got '{number}'")
            least, most = self.depths
            self.depths = (int(number), most) if word == "-mindepth" else (least, int(number))
            return _test(lambda _: True)
        raise BadExpression(f"unknown predicate `{word}'")

    # Actions.

    def printing(self, end: str) -> Test:
        """The action that prints the path."""

        async def act(entry: Entry) -> bool:
            self.output.append(entry.shown + end)
            return True

        return act

    def _printing_as(self, form: str) -> Test:
        async def act(entry: Entry) -> bool:
            self.output.append(re.sub(r"%(?:T@|[a-zA-Z%])|\\.", lambda match: _fact(entry, match[0]), form))
            return True

        return act

    def _deleting(self) -> Test:
        async def act(entry: Entry) -> bool:
            try:
                self.call.guest.disk.remove(entry.path)
            except OSError as error:
                self.error.append(f"find: cannot delete '{entry.shown}': {error}\n")
                return False
            return True

        return act

    def _executing(self) -> Test:
        words: list[str] = []
        while self.tokens and self.tokens[0] not in {";", "+"}:
            words.append(self.tokens.pop(0))
        many = self._next("';'") == "+"
        command = tuple(words)

        async def act(entry: Entry) -> bool:
            if many:
                self.pending.setdefault(command, []).append(entry.shown)
                return True
            return await self.run([word.replace("{}", entry.shown) for word in command])

        return act

    async def run(self, words: list[str]) -> bool:
        """Run a command; whether it returned 0."""
        result = await self.call.run(shlex.join(words))
        self.output.append(result.stdout)
        self.error.append(result.stderr)
        return result.exit_code == 0

    # The entries.

    def entries(self, shown: str) -> Iterator[Entry]:
        """Everything from an argument down, a folder before what is in it."""
        path = self.call.path(shown)
        node = self.call.guest.disk.look(path, follow=False)
        yield from self._below(Entry(shown, path, self._meant(path, node, always=shown.endswith("/")), 0))

    def as_it_is_now(self, entry: Entry) -> Entry:
        """An entry that was come by earlier: what is in a folder may have been deleted since."""
        node = self.call.guest.disk.find(entry.path, follow=not isinstance(entry.node, Link))
        return entry if node is None or node is entry.node else replace(entry, node=node)

    def _below(self, entry: Entry) -> Iterator[Entry]:
        yield entry
        if isinstance(entry.node, Folder) and entry.depth < min(self.depths[1], DEEPEST):
            for name, node in sorted(entry.node.entries.items()):
                shown, path = (f"{base.rstrip('/')}/{name}" for base in (entry.shown, entry.path))
                yield from self._below(Entry(shown, path, self._meant(path, node), entry.depth + 1))

    def _meant(self, path: str, node: Node, *, always: bool = False) -> Node:
        """A node, or what it points to where links are followed; one that points nowhere is itself."""
        followed = isinstance(node, Link) and (self.follow or always)
        return (self.call.guest.disk.find(path) or node) if followed else node


def _fact(entry: Entry, directive: str) -> str:
    """What a part of `-printf`'s format stands for; one that is not known stays as it is."""
    node = entry.node
    facts = {
        "%p": entry.shown,
        "%P": "/".join(entry.shown.split("/")[-entry.depth :]) if entry.depth else "",
        "%f": entry.name,
        "%h": posixpath.dirname(entry.shown) or ".",
        "%s": str(node.size_bytes if isinstance(node, File) else 0),
        "%m": f"{node.mode:o}",
        "%y": next(letter for letter, kind in KINDS.items() if isinstance(node, kind)),
        "%d": str(entry.depth),
        "%T@": f"{node.mtime:.10f}",
        "%u": node.owner,
        "%g": node.owner,
        "%l": node.target if isinstance(node, Link) else "",
        "%%": "%",
        "\\n": "\n",
        "\\t": "\t",
        "\\0": "\0",
        "\\\\": "\\",
    }
    return facts.get(directive, directive)


def _test(rule: Callable[[Entry], object]) -> Test:
    async def test(entry: Entry) -> bool:
        return bool(rule(entry))

    return test


def _both(left: Test, right: Test) -> Test:
    async def test(entry: Entry) -> bool:
        return await left(entry) and await right(entry)

    return test


def _either(left: Test, right: Test) -> Test:
    async def test(entry: Entry) -> bool:
        return await left(entry) or await right(entry)

    return test


def _inverse(inner: Test) -> Test:
    async def test(entry: Entry) -> bool:
        return not await inner(entry)

    return test


def _is_empty(entry: Entry) -> bool:
    node = entry.node
    return not node.entries if isinstance(node, Folder) else isinstance(node, File) and not node.content


def _named(pattern: str, *, whole: bool = False, fold: bool = False) -> Callable[[Entry], object]:
    matches = re.compile(fnmatch.translate(pattern), re.IGNORECASE if fold else 0).match
    return lambda entry: matches(entry.shown if whole else entry.name)


def _of_kind(letters: str) -> Callable[[Entry], object]:
    kinds = [KINDS.get(letter) for letter in letters.split(",")]
    if None in kinds:
        raise BadExpression(f"Unknown argument to -type: {letters}")
    return lambda entry: type(entry.node) in kinds


def _compared(text: str, unit: float, of: Callable[[Entry], float]) -> Callable[[Entry], object]:
    """`N`, `+N` (more) or `-N` (less) units, as find counts them."""
    match = re.fullmatch(r"([+-]?)(\d+)", text)
    if match is None:
        raise BadExpression(f"invalid argument `{text}'")
    wanted = int(match[2])
    if match[1] == "+":
        return lambda entry: of(entry) // unit > wanted
    return lambda entry: (of(entry) // unit < wanted) if match[1] == "-" else (of(entry) // unit == wanted)


def _sized(text: str) -> Callable[[Entry], object]:
    match = re.fullmatch(r"([+-]?\d+)([bcwkMG]?)", text)
    if match is None:
        raise BadExpression(f"invalid -size type `{text}'")
    unit = UNITS[match[2]]
    # A size is rounded up to whole units.
    return _compared(match[1], unit, lambda entry: -(-entry.node.size_bytes // unit) * unit)


def _aged(search: _Search, text: str, unit: float) -> Callable[[Entry], object]:
    return _compared(text, unit, lambda entry: search.call.guest.clock_s - entry.node.mtime)


def _newer(search: _Search, name: str) -> Callable[[Entry], object]:
    reference = search.call.guest.disk.find(search.call.path(name))
    if reference is None:
        raise BadExpression(f"'{name}': No such file or directory")
    return lambda entry: entry.node.mtime > reference.mtime


def _newer_than(search: _Search, text: str) -> Callable[[Entry], object]:
    moment = moment_of(text, datetime.fromtimestamp(search.call.guest.clock_s, UTC))
    if moment is None:
        raise BadExpression(f"I cannot figure out how to interpret '{text}' as a date or time")
    return lambda entry: entry.node.mtime > moment.timestamp()


def _permitted(text: str) -> Callable[[Entry], object]:
    match = re.fullmatch(r"([-/]?)([0-7]+)", text)
    if match is None:
        raise BadExpression(f"invalid mode '{text}'")
    bits = int(match[2], 8)
    if match[1] == "-":
        return lambda entry: entry.node.mode & bits == bits
    return lambda entry: bool(entry.node.mode & bits) if match[1] == "/" else entry.node.mode == bits


PLAIN_TESTS: Mapping[str, Callable[[_Search, str], Callable[[Entry], object]]] = {
    "-name": lambda _, text: _named(text),
    "-iname": lambda _, text: _named(text, fold=True),
    "-path": lambda _, text: _named(text, whole=True),
    "-type": lambda _, text: _of_kind(text),
    "-size": lambda _, text: _sized(text),
    "-perm": lambda _, text: _permitted(text),
    "-newermt": _newer_than,
    "-newer": _newer,
    "-user": lambda _, text: lambda entry: entry.node.owner == text,
    "-mtime": lambda search, text: _aged(search, text, DAY_S),
    "-mmin": lambda search, text: _aged(search, text, MINUTE_S),
}
"""The tests that take one argument."""


async def find(args: list[str], call: Call) -> ExecResult:
    """`find [-HLP] [PATH…] [EXPRESSION]`."""
    follow = False
    while args and args[0] in {"-H", "-L", "-P"}:
        follow, args = args[0] == "-L", args[1:]
    count = next((index for index, arg in enumerate(args) if arg.startswith("-") or arg in {"!", "("}), len(args))
    search = _Search(call, args[count:], follow=follow)
    try:
        test = search.expression() if search.tokens else _test(lambda _: True)
        if search.tokens:
            raise BadExpression(f"unexpected `{search.tokens[0]}'")
    except BadExpression as error:
        return refused(f"find: {error}")
    if not search.acts:
        test = _both(test, search.printing("\n"))
    depth_first = "-delete" in args or "-depth" in args
    for name in args[:count] or ["."]:
        try:
            found = list(search.entries(name))
        except OSError as error:
            search.error.append(f"find: '{name}': {error}\n")
            continue
        for entry in reversed(found) if depth_first else found:
            await call.pace.step()
            if entry.depth >= search.depths[0]:
                await test(search.as_it_is_now(entry))
    for command, names in search.pending.items():
        await search.run([part for word in command for part in (names if word == "{}" else [word])])
    complaints = "".join(search.error)
    return ExecResult("".join(search.output), complaints, 1 if complaints else 0)

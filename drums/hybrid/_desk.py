"""What asks a desktop's window system, its clipboard and its accessibility bus; and what they answer.

Scripts are constants, like those of `_scripts`; into `inside.windows` numbers are put, and nothing else. Answers are
JSON behind a mark. The invariant: an answer is untrusted, so it is read field by field, and is an error where it makes
no sense.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final, cast

from drums.hybrid.errors import ToolError
from drums.hybrid.inside import source
from drums.hybrid.results import Box, Element, Tree, Window

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

MARK: Final = "drums-answer "
"""Behind it is the answer: what is printed before comes from libraries."""


def windows_code(do: str, number: int = 0, box: Box | None = None) -> str:
    """Python code that does something with a window (`list`: with none) and then lists all.

    Args:
        do: `list`, `activate`, `close` or `place`.
        number: The window's.
        box: Where it is to be.
    """
    return f"{source('windows')}\nanswer({do!r}, {number:d}, {tuple(box) if box else ()!r})\n"


CLIPBOARD_GET: Final = r"""
export LC_ALL=C
if command -v xclip >/dev/null; then
    if xclip -selection clipboard -o -t TARGETS 2>/dev/null | grep -q UTF8_STRING; then
        xclip -selection clipboard -o -t UTF8_STRING | base64 -w 0
    else
        xclip -selection clipboard -o 2>/dev/null | base64 -w 0
    fi
elif command -v xsel >/dev/null; then
    xsel --clipboard --output | base64 -w 0
else
    (exit 127)
fi
"""

CLIPBOARD_SET: Final = r"""
export LC_ALL=C
fill() { for a in "$@"; do printf %s "$a"; done | base64 -d; }
if command -v xclip >/dev/null; then
    fill "$@" | xclip -selection clipboard -i >/dev/null 2>&1
elif command -v xsel >/dev/null; then
    fill "$@" | xsel --clipboard --input >/dev/null 2>&1
else
    (exit 127)
fi
"""
"""DATA…"""

TYPE: Final = r"""
export LC_ALL=C.UTF-8
if command -v xdotool >/dev/null; then
    printf %s "$1" | base64 -d | xdotool type --clearmodifiers --delay 20 --file -
else
    (exit 127)
fi
"""
"""DATA: type text."""


def answer_of(output: str) -> Mapping[str, object] | None:
    """What one of the programs answered; None where there is no answer."""
    at = output.rfind(MARK)
    if at < 0:
        return None
    try:
        found: object = json.loads(output[at + len(MARK) :])
    except (ValueError, RecursionError):
        return None
    return cast("Mapping[str, object]", found) if isinstance(found, dict) else None


def windows_in(answer: Mapping[str, object]) -> list[Window]:
    """The windows of an answer.

    Raises:
        ToolError: It makes no sense.
    """
    return [_window(_row(row, 6)) for row in _rows(answer.get("windows"))]


def tree_in(answer: Mapping[str, object], depth: int) -> Tree:
    """The accessibility tree of an answer, no deeper than it was asked for.

    Raises:
        ToolError: It makes no sense.
    """
    programs = tuple(_element(_row(row, 6), depth + 1) for row in _rows(answer.get("programs")))
    return Tree(programs, _int(answer.get("count")), answer.get("cut") is True)


def _window(row: Sequence[object]) -> Window:
    number, title, kind, pid, at, active = row
    box = _box(at)
    if box is None:
        raise _nonsense()
    return Window(_int(number), _str(title), _str(kind), None if pid is None else _int(pid), box, active is True)


def _element(row: Sequence[object], depth: int) -> Element:
    if depth < 0:
        raise _nonsense()
    role, name, states, at, text, children = row
    below = tuple(_element(_row(child, 6), depth - 1) for child in _rows(children))
    return Element(_str(role), _str(name), tuple(sorted(map(_str, _rows(states)))), _box(at), _str(text), below)


def _rows(value: object) -> Sequence[object]:
    if not isinstance(value, list):
        raise _nonsense()
    return cast("list[object]", value)


def _row(value: object, length: int) -> Sequence[object]:
    row = _rows(value)
    if len(row) != length:
        raise _nonsense()
    return row


def _box(value: object) -> Box | None:
    return None if value is None else Box(*(_int(part) for part in _row(value, 4)))


def _int(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise _nonsense()
    return value


def _str(value: object) -> str:
    if not isinstance(value, str):
        raise _nonsense()
    return value.encode("utf-8", "replace").decode()


def _nonsense() -> ToolError:
    return ToolError("what the desktop answered makes no sense", hint="Look at the screen instead: gui.screenshot()")

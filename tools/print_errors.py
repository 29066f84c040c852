"""Prints docs/errors.md from the classes and the table in drums/errors.py.

Usage: python tools/print_errors.py          writes docs/errors.md
       python tools/print_errors.py --check  ends with 1 when docs/errors.md is not what it would write
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "errors.md"
sys.path.insert(0, str(ROOT))

from drums import errors  # noqa: E402

HEAD = """\
# Errors

Every failure is a `drums.DrumsError`. Made by `tools/print_errors.py` from `drums/errors.py`; do not edit.

`str(e)` is `<what was tried>: <what happened>. <what to do>`; `e.hint` is the last part alone. `e.sent` says what the
server may have done: `no` (it never saw the request), `maybe` (it can't be known: look before you repeat it), `yes` (it
replied). Only a GET is ever repeated by the SDK. `e.status` is 0 without a reply, and 200 where a record tells the
failure. No message, `repr` or pickle holds a token; `e.body` is what the server sent, as it came.

"""


def page() -> str:
    """The whole of docs/errors.md."""
    parts = [HEAD, "```\n", tree(), "\n```\n\n", "## From a reply\n\nThe first line that matches counts.\n\n"]
    parts += [table(["status", "code or words", "class", "what to do"], [reply_line(row) for row in errors.rows])]
    parts += ["\n## From a record\n\nThe server's reply was a 200; what it tells is a failure.\n\n"]
    parts += [table(["class", "what happened", "what to do"], [record_line(cls) for cls in from_records()])]
    return "".join(parts)


def tree() -> str:
    """The class tree, as the module's docstring draws it."""
    doc = (errors.__doc__ or "").split("\n\n")[1]
    return "\n".join(line.removeprefix("    ") for line in doc.splitlines())


def from_records() -> list[type[errors.DrumsError]]:
    """The classes that no status gives, in the order of the module."""
    given = {row.cls for row in errors.rows}
    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, errors.DrumsError)]
    return [kind for kind in kinds if kind not in given]


def reply_line(row: errors.Row) -> list[str]:
    """The cells of one row of the table."""
    status = f"{row.status[0]} to {row.status[-1]}" if isinstance(row.status, range) else str(row.status)
    what = f"`{row.code}`" if row.code else f'"{row.words}" in the message' if row.words else ""
    parents = [kind.__name__ for kind in row.cls.__mro__[1:] if issubclass(kind, errors.DrumsError)][:-1]
    name = f"`{row.cls.__name__}`" + "".join(f" ({parent})" for parent in parents)
    return [status, what, name, row.hint or row.cls.default_hint]


def record_line(cls: type[errors.DrumsError]) -> list[str]:
    """The cells of a class that a record gives."""
    return [f"`{cls.__name__}`", (cls.__doc__ or "").split("\n")[0], cls.default_hint]


def table(head: list[str], lines: list[list[str]]) -> str:
    """A Markdown table."""
    cells = [head, ["---"] * len(head), *lines]
    return "".join(f"| {' | '.join(line)} |\n" for line in cells)


def main() -> int:
    """Write the page, or compare it."""
    if "--check" not in sys.argv[1:]:
        PAGE.write_text(page(), encoding="utf-8")
        return 0
    if PAGE.read_text(encoding="utf-8") == page():
        return 0
    print(f"{PAGE.relative_to(ROOT)} is not what tools/print_errors.py prints; run it without --check")
    return 1


if __name__ == "__main__":
    raise SystemExit(main())

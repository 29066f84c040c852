"""Write the table of checkers into docs/checkers.md; with --check only tell whether it is there as it should be.

The checkers are the source: a checker's meaning is the first line of its docstring. Everything above the mark in the
page is written by hand.
"""

from __future__ import annotations

import sys
from pathlib import Path

from drums.local.osworld.checkers import CHECKERS

PAGE = Path(__file__).resolve().parent.parent / "docs" / "checkers.md"
MARK = "<!-- Written by tools/checkers_page.py from the checkers. -->\n"


def table() -> str:
    """The checkers in the order of their modules: name, meaning, options, and what they need."""
    lines = [
        f"{len(CHECKERS)} checkers:",
        "",
        "| func | scores 1 when, or else | options | needs |",
        "|---|---|---|---|",
    ]
    for name, spec in CHECKERS.items():
        meaning = (spec.run.__doc__ or "").strip().split("\n")[0].replace("|", "\\|")
        options = ", ".join(f"`{option}`" for option in sorted(spec.options))
        needs = "`[checkers]`" if spec.libraries else ""
        lines.append(f"| `{name}` | {meaning} | {options} | {needs} |")
    return "\n".join(lines) + "\n"


def page(before: str) -> str:
    """The page with the table of now."""
    return before.partition(MARK)[0] + MARK + "\n" + table()


def main() -> int:
    """Write or check; the exit status tells whether the page is as it should be."""
    before = PAGE.read_text("utf-8")
    after = page(before)
    if "--check" in sys.argv[1:]:
        if before != after:
            print(f"{PAGE.name} does not show the checkers as they are: run tools/checkers_page.py")
        return int(before != after)
    PAGE.write_text(after, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

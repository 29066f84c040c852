"""Write the table of the pack's tasks into docs/pack.md; with --check only tell whether it is there as it should be.

The tasks and their proofs are the source; everything above the mark in the page is written by hand.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

from drums.local.osworld import TaskLibrary
from drums.local.osworld.proofs import own_proofs

PAGE = Path(__file__).resolve().parent.parent / "docs" / "pack.md"
MARK = "<!-- Written by tools/pack_page.py from the pack. -->\n"


def table() -> str:
    """The tasks by domain: the beginning of the id, how hard, where, and what is asked for."""
    library, proofs = TaskLibrary(), own_proofs()
    counts = Counter(proof.difficulty for proof in proofs.values())
    simulated = sum(proof.sim for proof in proofs.values())
    levels = ", ".join(f"{counts[level]} {level}" for level in ("easy", "medium", "hard"))
    lines = [
        f"{len(proofs)} tasks: {levels}; {simulated} of them on simulated desktops too.",
        "",
        "| id | domain | difficulty | sim | image | |",
        "|---|---|---|---|---|---|",
    ]
    for summary in library.summaries():
        proof = proofs[summary.id]
        says_no = " *(can't be done)*" if library.find(summary.id).evaluator.infeasible else ""
        asked = summary.instruction.replace("|", "\\|") + says_no
        sim = "yes" if proof.sim else "no"
        lines.append(
            f"| `{summary.id[:8]}` | {summary.domain} | {proof.difficulty} | {sim} | {proof.image} | {asked} |"
        )
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
            print(f"{PAGE.name} does not show the pack as it is: run tools/pack_page.py")
        return int(before != after)
    PAGE.write_text(after, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

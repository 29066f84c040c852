"""The page about checkers shows the checkers."""

from __future__ import annotations

import subprocess
import sys

from drums.local.osworld.checkers import CHECKERS
from tools import checkers_page


def test_the_page_shows_every_checker_as_it_is() -> None:
    before = checkers_page.PAGE.read_text("utf-8")
    assert checkers_page.page(before) == before


def test_every_checker_says_what_it_means() -> None:
    assert [name for name, spec in CHECKERS.items() if not (spec.run.__doc__ or "").strip()] == []


def test_what_is_written_by_hand_stays() -> None:
    written = checkers_page.page(f"By hand.\n{checkers_page.MARK}an old table\n")

    assert written.startswith(f"By hand.\n{checkers_page.MARK}")
    assert "an old table" not in written
    assert "`exact_match`" in written


def test_no_extra_is_needed_to_read_the_checkers() -> None:
    extras = {"PIL", "numpy", "pypdf", "yaml", "openpyxl", "docx", "pptx", "lxml", "defusedxml"}
    script = f"import sys, drums.local.osworld.checkers; print(sorted({extras} & sys.modules.keys()))"
    done = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "[]"

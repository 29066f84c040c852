"""Checkers: pure functions from what was fetched to a score from 0 to 1, with OSWorld's meaning and none of its code.

They do no I/O, run no guest content and never guess: a value of a kind that they do not judge raises CheckerFault,
which becomes a `checker_error` and never the score 0. A value None, a file or text that the desktop does not have, is
scored. Time and memory are bounded from outside: `drums.local.osworld.sandbox` runs them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import (
    archives,
    browser,
    configs,
    documents,
    files,
    images,
    mail,
    office_settings,
    pdfs,
    slides,
    spreadsheets,
    structured,
    tables,
    text,
)
from .base import CheckerFault, CheckerSpec, CheckerTimeout

if TYPE_CHECKING:
    from collections.abc import Mapping

CHECKERS: Mapping[str, CheckerSpec] = {
    **text.CHECKERS,
    **files.CHECKERS,
    **structured.CHECKERS,
    **tables.CHECKERS,
    **configs.CHECKERS,
    **mail.CHECKERS,
    **browser.CHECKERS,
    **images.CHECKERS,
    **pdfs.CHECKERS,
    **archives.CHECKERS,
    **spreadsheets.CHECKERS,
    **documents.CHECKERS,
    **slides.CHECKERS,
    **office_settings.CHECKERS,
}
"""Every checker that is built, by OSWorld's name for it."""

__all__ = ["CHECKERS", "CheckerFault", "CheckerSpec", "CheckerTimeout"]

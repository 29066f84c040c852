"""Checkers of PDF files: their text and their pages.

A library reads the text; looks, pictures and forms are not compared. Invariant: a file that is no PDF scores 0.
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from .base import CheckerFault, CheckerSpec, as_bytes, as_many, as_text, rule, score
from .likeness import likeness
from .matching import matches

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pypdf import PdfReader

_LIBRARIES = ("pypdf",)


def compare_pdfs(result: object, expected: object, _: Mapping[str, object]) -> float:
    """How alike the texts of PDF files are, from 0 to 1, pair by pair on average; either side may be the desktop's."""
    pairs = list(zip(as_many(result), as_many(expected), strict=False))
    count = max(len(as_many(result)), len(as_many(expected)))
    return sum(_likeness(one, other) for one, other in pairs) / count if count else 0.0


def check_pdf_pages(result: object, rules: object, _: Mapping[str, object]) -> float:
    """The PDF has as many pages as `rules.relation` to `rules.ref_value` allows."""
    relation, ref = as_text(rule(rules, "relation"), "rules.relation"), rule(rules, "ref_value")
    reader = None if result is None else _opened(as_bytes(result, "the result"))
    return 0.0 if reader is None else score(matches(relation, ref, len(reader.pages)))


def _likeness(one: object, other: object) -> float:
    """0 where either is missing: which side is the task's own only its getter knows, and that never gives nothing."""
    if one is None or other is None:
        return 0.0
    readers = _opened(as_bytes(one, "the result")), _opened(as_bytes(other, "the expected file"))
    if readers[0] is None and readers[1] is None:
        raise CheckerFault("neither file is a PDF")
    if readers[0] is None or readers[1] is None:
        return 0.0
    return likeness(*("".join(page.extract_text() for page in reader.pages).strip() for reader in readers if reader))


def _opened(data: bytes) -> PdfReader | None:
    from pypdf import PdfReader  # noqa: PLC0415  an extra
    from pypdf.errors import PyPdfError  # noqa: PLC0415

    try:
        reader = PdfReader(io.BytesIO(data))
        len(reader.pages)
    except (PyPdfError, OSError, ValueError):
        return None
    return reader


CHECKERS: Mapping[str, CheckerSpec] = {
    "compare_pdfs": CheckerSpec(compare_pdfs, libraries=_LIBRARIES, all_files=True),
    "check_pdf_pages": CheckerSpec(check_pdf_pages, libraries=_LIBRARIES),
}

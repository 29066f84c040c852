"""The one way in which generation fails: a sentence for the person who ran it."""

from __future__ import annotations


class CodegenError(Exception):
    """Nothing was generated. The message tells what is wrong and where to change it."""

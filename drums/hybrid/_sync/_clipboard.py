# Generated from drums/hybrid/aio/_clipboard.py by tools/generate_sync.py. Edit that file.
"""The clipboard of a desktop, as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from drums._quote import excerpt
from drums.hybrid import _desk as desk
from drums.hybrid._chunks import UPLOAD_PART, arguments_of
from drums.hybrid._facts import decoded
from drums.hybrid._refusals import NO_SUCH_PROGRAM
from drums.hybrid.errors import ToolError, Unsupported
from drums.hybrid.gestures import refusal

if TYPE_CHECKING:
    from drums.hybrid._sync._desktop import Desktop


def clipboard(desktop: Desktop, tried: str) -> str:
    """The text in it; empty where there is none.

    Raises:
        Unsupported: The desktop has no program for it.
    """
    ran = desktop.script(desk.CLIPBOARD_GET)
    _demand(desktop, ran.status, ran.complaint, tried)
    return decoded(ran.output).decode("utf-8", "replace")


def set_clipboard(desktop: Desktop, text: str, tried: str) -> None:
    """Put text in it.

    Raises:
        BadRequest: It is too long.
        Unsupported: The desktop has no program for it.
    """
    data = text.encode("utf-8", "replace")
    if len(data) > UPLOAD_PART:
        raise refusal(f"text has {len(data)} bytes, more than {UPLOAD_PART}", "Write it to a file: files.write_text()")
    ran = desktop.script(desk.CLIPBOARD_SET, *arguments_of(data))
    _demand(desktop, ran.status, ran.complaint, tried)


def _demand(desktop: Desktop, status: int, complaint: str, tried: str) -> None:
    if status == NO_SUCH_PROGRAM:
        raise Unsupported("the desktop has neither xclip nor xsel", tried=desktop.tried(tried))
    if status != 0:
        raise ToolError(f"the clipboard can't be reached: {excerpt(complaint)}", tried=desktop.tried(tried))

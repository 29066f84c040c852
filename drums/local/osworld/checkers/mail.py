"""The checker of a mail folder, a file in which Thunderbird keeps messages one after the other.

It compares messages, not the file: what Thunderbird notes about a message can be left out. Invariant: a message is
text and is never decoded, so that nothing in it can matter but its lines.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .base import CheckerFault, CheckerSpec, as_content, as_many, score

if TYPE_CHECKING:
    from collections.abc import Mapping

_DELETED = 0x0008
_STATUS = frozenset({"x-mozilla-status", "x-mozilla-status2"})
_KEYS = frozenset({"x-mozilla-keys"})
_MESSAGE = re.compile(r"^From .*\n", re.MULTILINE)
_HEADER = re.compile(r"^([!-9;-~]+):(.*(?:\n[ \t].*)*)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Message:
    """One message."""

    headers: tuple[tuple[str, str], ...]
    """Their names in lower case and their values, unfolded."""
    body: str

    @classmethod
    def read(cls, text: str) -> Message:
        """A message as a folder has it."""
        head, _, body = text.partition("\n\n")
        found = ((match[1].lower(), " ".join(match[2].split())) for match in _HEADER.finditer(head))
        return cls(tuple(found), body.strip())

    @property
    def deleted(self) -> bool:
        """Whether Thunderbird marked it as deleted and left it in the file."""
        status = dict(self.headers).get("x-mozilla-status", "")
        return re.fullmatch(r"[0-9a-fA-F]{1,8}", status) is not None and bool(int(status, 16) & _DELETED)

    def without(self, names: frozenset[str]) -> Message:
        """The message without some headers."""
        return Message(tuple(header for header in self.headers if header[0] not in names), self.body)


def check_thunderbird_folder(result: object, expected: object, options: Mapping[str, object]) -> float:
    """A mail folder has the expected messages in order; options leave out deleted or repeated ones, status and keys."""
    folders, references = ([] if result is None else as_many(result)), as_many(expected)
    wanted = [_messages(as_content(folder, "the expected folder"), options) for folder in references]
    if len(folders) != len(wanted):
        if result is None:
            return 0.0
        raise CheckerFault(f"{len(folders)} folders can't be compared with {len(wanted)}")
    if None in folders:
        return 0.0
    return score([_messages(as_content(folder, "the folder"), options) for folder in folders] == wanted)


def _messages(text: str, options: Mapping[str, object]) -> list[Message]:
    messages = [Message.read(part) for part in _MESSAGE.split(text)[1:]] if text.startswith("From ") else []
    if not messages and text.strip():
        messages = [Message.read(text)]  # a message that was saved by itself
    if options.get("remove_deleted", True):
        messages = [message for message in messages if not message.deleted]
    if options.get("ignore_status"):
        messages = [message.without(_STATUS) for message in messages]
    if options.get("ignore_keys"):
        messages = [message.without(_KEYS) for message in messages]
    return list(dict.fromkeys(messages)) if options.get("remove_duplicate", True) else messages


CHECKERS: Mapping[str, CheckerSpec] = {
    "check_thunderbird_folder": CheckerSpec(
        check_thunderbird_folder,
        frozenset({"remove_deleted", "remove_duplicate", "ignore_status", "ignore_keys"}),
        all_files=True,
    ),
}

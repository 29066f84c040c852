"""Programs of just-bash whose arguments or rules need mending: grep, awk, sed, sort.

just-bash does not know POSIX's classes of characters, ends a range of sed on the line that begins it, and does not
merge. Invariant: what they did right before they still do the same way.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from just_bash.commands import create_command_registry
from just_bash.commands.sed.sed import SedAddress, SedCommand

if TYPE_CHECKING:
    from collections.abc import Mapping

    from just_bash import Command, ExecResult

    from .call import Call, Program

_THEIRS: Mapping[str, Command] = create_command_registry()
_CLASSES = {
    "alpha": "a-zA-Z",
    "digit": "0-9",
    "alnum": "a-zA-Z0-9",
    "upper": "A-Z",
    "lower": "a-z",
    "space": r" \t\n\r\f\v",
    "blank": r" \t",
    "xdigit": "0-9A-Fa-f",
    # Without brackets and the backslash: just-bash takes them for ends of the set.
    "punct": "!-/:-@^_`{-~",
    "word": "a-zA-Z0-9_",
}
_CLASS = re.compile(rf"\[:({'|'.join(_CLASSES)}):\]")


def spelled_out(text: str) -> str:
    """A pattern, or a script with patterns, in which classes such as `[:space:]` stand as their characters."""
    return _CLASS.sub(lambda match: _CLASSES[match[1]], text)


class _Sed(SedCommand):
    """sed whose ranges end on a later line than they begin on, where a pattern ends them."""

    def _address_matches(  # noqa: PLR0917  just-bash's own signature
        self,
        address: SedAddress | None,
        line_num: int,
        total_lines: int,
        pattern_space: str,
        in_range: dict[int, bool],
        cmd_idx: int,
    ) -> bool:
        begins = address is not None and address.type == "range" and not in_range.get(cmd_idx, False)
        matches = super()._address_matches(address, line_num, total_lines, pattern_space, in_range, cmd_idx)
        if begins and matches and address is not None and address.end_value is None:
            in_range[cmd_idx] = line_num < total_lines
        return matches


def _with_classes(command: Command) -> Program:
    async def run(args: list[str], call: Call) -> ExecResult:
        return await command.execute([spelled_out(arg) for arg in args], call.shell)

    return run


async def sort(args: list[str], call: Call) -> ExecResult:
    """`sort` of just-bash; files to be merged (`-m`) are sorted, which for sorted files is the same."""
    return await _THEIRS["sort"].execute(
        [re.sub("m", "", arg) if _asks_to_merge(arg) else arg for arg in args], call.shell
    )


def _asks_to_merge(arg: str) -> bool:
    return re.fullmatch(r"-[bdfgnruszcVhi]*m[bdfgnruszcVhi]*", arg) is not None


grep: Program = _with_classes(_THEIRS["grep"])
egrep: Program = _with_classes(_THEIRS["egrep"])
awk: Program = _with_classes(_THEIRS["awk"])
sed: Program = _with_classes(_Sed())

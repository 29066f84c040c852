"""The program crontab: the user's table of jobs.

Nothing runs the jobs, as nothing does on a real desktop of ours: what counts is the table. Invariant: a table that cron
would not take is refused and the old one stays.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .call import Call, done, refused

if TYPE_CHECKING:
    from just_bash import ExecResult

SPOOL = "/var/spool/cron/crontabs"
FIELDS: tuple[tuple[str, int, int, str], ...] = (
    ("minute", 0, 59, ""),
    ("hour", 0, 23, ""),
    ("day-of-month", 1, 31, ""),
    ("month", 1, 12, "jan feb mar apr may jun jul aug sep oct nov dec"),
    ("day-of-week", 0, 7, "sun mon tue wed thu fri sat"),
)
"""A line's first fields: least and greatest number, and names that count from the least."""
WORDS = {"@reboot", "@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly"}


def fault(table: str) -> str | None:
    """What is wrong with a table, as cron says it; None where it can be installed."""
    if table and not table.endswith("\n"):
        return "new crontab file is missing newline before EOF, can't install."
    for number, line in enumerate(table.split("\n")[:-1]):
        wrong = _wrong_in(line.strip())
        if wrong is not None:
            return f'"-":{number}: {wrong}\nerrors in crontab file, can\'t install.'
    return None


def _wrong_in(line: str) -> str | None:
    if not line or line.startswith("#") or re.match(r"[A-Za-z_]\w*\s*=|(['\"]).*\1\s*=", line):
        return None
    if line.startswith("@"):
        word, _, command = line.partition(" ")
        return None if word in WORDS and command.strip() else "bad time specifier"
    parts = line.split(None, len(FIELDS))
    for (name, least, most, names), text in zip(FIELDS, parts, strict=False):
        if not all(_is_item(item, least, most, names.split()) for item in text.split(",")):
            return f"bad {name}"
    if len(parts) <= len(FIELDS):
        return "bad command" if len(parts) == len(FIELDS) else f"bad {FIELDS[len(parts)][0]}"
    return None


def _is_item(item: str, least: int, most: int, names: list[str]) -> bool:
    """`*`, a number or a range, each perhaps with a step."""
    match = re.fullmatch(r"(\*|(\w+)(?:-(\w+))?)(?:/(\d+))?", item)
    if match is None or match[4] == "0":
        return False
    ends = [_number(text, least, names) for text in (match[2], match[3]) if text is not None]
    return all(end is not None and least <= end <= most for end in ends)


def _number(text: str, least: int, names: list[str]) -> int | None:
    if text.isdigit():
        return int(text)
    return names.index(text.lower()) + least if text.lower() in names else None


async def crontab(args: list[str], call: Call) -> ExecResult:
    """`crontab [-l|-r|FILE|-]`."""
    rest = [arg for arg in args if arg not in {"-u", call.guest.disk.actor}]
    path = f"{SPOOL}/{call.guest.disk.actor}"
    if rest in (["-l"], ["-r"]) and call.guest.disk.find(path) is None:
        return refused(f"no crontab for {call.guest.disk.actor}")
    try:
        if rest == ["-l"]:
            return done(await call.shell.fs.read_file(path))
        if rest == ["-r"]:
            await call.shell.fs.rm(path)
            return done()
        if len(rest) > 1 or rest[:1] == ["-e"]:
            return refused("crontab: the simulated desktop knows 'crontab -l', 'crontab -r' and 'crontab FILE'")
        table = call.shell.stdin if rest in ([], ["-"]) else await call.shell.fs.read_file(call.path(rest[0]))
        wrong = fault(table)
        if wrong is not None:
            return refused(wrong)
        await call.shell.fs.write_file(path, table)
    except OSError as error:
        return refused(f"{rest[0] if rest else '-'}: {error}")
    return done()

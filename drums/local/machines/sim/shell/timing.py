"""Programs about time: sleep, timeout, date.

Invariant: time is the desktop's; nobody waits for it and the host's clock is not asked.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from drums.local.machines.sim.pace import OutOfTime

from .call import TIMED_OUT, Call, done, refused

if TYPE_CHECKING:
    from just_bash import ExecResult


async def sleep(args: list[str], call: Call) -> ExecResult:
    """`sleep NUMBER[smhd]…`: the desktop's time goes on, nobody waits."""
    if not args:
        return refused("sleep: missing operand")
    spans = [_span(arg) for arg in args]
    for arg, span in zip(args, spans, strict=True):
        if span is None:
            return refused(f"sleep: invalid time interval '{arg}'")
    call.pace.sleep(sum(span for span in spans if span is not None))
    return done()


async def timeout(args: list[str], call: Call) -> ExecResult:
    """`timeout [-k SPAN] [-s SIGNAL] SPAN COMMAND…`: 124 where the command takes longer, in the desktop's time."""
    rest = list(args)
    while rest and rest[0].startswith("-"):
        option = rest.pop(0)
        if option in {"-k", "-s", "--kill-after", "--signal"} and rest:
            rest.pop(0)
    span = _span(rest[0]) if rest else None
    if span is None or len(rest) < 2:
        return refused("Usage: timeout DURATION COMMAND [ARG]...", 125)
    try:
        with call.pace.within(span or float("inf")):
            return await call.run(rest[1:])
    except OutOfTime:
        # The time that ended may be that of the whole command: then there is none left for us either.
        call.pace.check()
        return done(returncode=TIMED_OUT)


_UNITS = {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86400}


def _span(text: str) -> float | None:
    match = re.fullmatch(r"(\d+\.?\d*|\.\d+)([smhd]?)", text)
    return float(match[1]) * _UNITS[match[2]] if match else None


async def date(args: list[str], call: Call) -> ExecResult:
    """`date [-u] [-I] [-R] [-d TEXT] [+FORMAT]`, by the desktop's clock, in UTC."""
    now = datetime.fromtimestamp(call.guest.clock_s, UTC)
    form = "%a %b %d %H:%M:%S UTC %Y"
    rest = list(args)
    while rest:
        arg = rest.pop(0)
        if arg.startswith("+"):
            form = arg[1:]
        elif arg in {"-I", "--iso-8601"}:
            form = "%Y-%m-%d"
        elif arg in {"-R", "--rfc-email"}:
            form = "%a, %d %b %Y %H:%M:%S +0000"
        elif arg.startswith(("-d", "--date")):
            text = arg.partition("=")[2] or arg[2:] if arg not in {"-d", "--date"} else (rest.pop(0) if rest else "")
            moment = moment_of(text, now)
            if moment is None:
                return refused(f"date: invalid date '{text}'")
            now = moment
        elif arg not in {"-u", "--utc"}:
            return refused(f"date: the simulated desktop does not know the option {arg}")
    return done(_formatted(now, form) + "\n")


def moment_of(text: str, now: datetime) -> datetime | None:
    """The moment that a text means: `@SECONDS`, ISO 8601, or a word; None where it is none of them."""
    days = {"now": 0, "today": 0, "yesterday": -1, "tomorrow": 1}
    if text in days:
        return now + timedelta(days=days[text])
    try:
        if text.startswith("@"):
            return datetime.fromtimestamp(float(text[1:]), UTC)
        moment = datetime.fromisoformat(text)
    except (ValueError, OverflowError, OSError):
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _formatted(moment: datetime, form: str) -> str:
    # What C libraries differ in is replaced first, so that every host prints the same.
    own = {
        "%s": str(int(moment.timestamp())),
        "%N": f"{moment.microsecond:06d}000",
        "%e": f"{moment.day:2d}",
        "%Z": "UTC",
        "%z": "+0000",
        "%F": "%Y-%m-%d",
        "%T": "%H:%M:%S",
        "%R": "%H:%M",
        "%D": "%m/%d/%y",
    }
    for directive, text in own.items():
        form = form.replace(directive, text)
    form = re.sub(r"%-([dmHMSIj])", lambda match: moment.strftime(f"%{match[1]}").lstrip("0") or "0", form)
    return moment.strftime(form)

"""Faults that a test orders and the local daemon then shows: failing gates, lost replies, refusals, a guest that hangs.

One control object for a daemon; any thread may use it. It is not a mock: the daemon does its work and asks here
whether this time it must go wrong. Invariant: deterministic. A fault is ordered for the next occasions and used up by
them, never drawn by chance.
"""

from __future__ import annotations

import re
import threading
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Callable

Occasion = Literal["gate", "restore", "hang", "overload", "unavailable", "drop-before", "drop-after"]
Mark = Literal["lost", "busy"]


class BadFault(ValueError):
    """A fault's text, as given to `drums up --fault`, is none that is known."""


@dataclass(frozen=True, slots=True)
class Refused:
    """A request is to be refused before any work is done."""

    status: Literal[429, 503]
    retry_after_s: float | None = None


@dataclass(frozen=True, slots=True)
class Hang:
    """The guest does not answer this time."""

    wait_s: float
    """Real seconds that the caller is kept waiting before it is told."""


@dataclass(slots=True)
class _Order:
    """The next occasions of one kind on which something goes wrong."""

    kind: Occasion
    name: str | None = None
    """The gate or operation; None: any."""
    slot: str | None = None
    """The desktop; None: any."""
    times: int | None = 1
    """Occasions left; None: every one."""
    skip: int = 0
    """Occasions that are let pass first."""
    seconds: float | None = None
    """A span that belongs to the fault: how long it lasts, keeps waiting, or tells the client to wait."""
    until: float | None = None
    """When an outage ends; set by the first request that meets it."""

    def concerns(self, kind: Occasion, name: str | None, slot: str | None) -> bool:
        return self.kind == kind and self.name in {None, name} and self.slot in {None, slot}

    def due(self) -> bool:
        """Count one occasion; whether it goes wrong."""
        if self.skip > 0:
            self.skip -= 1
            return False
        if self.times is not None:
            self.times -= 1
        return True


@dataclass
class Faults:
    """What is to go wrong and when. The verbs order a fault; `take_…` and `is_…` are how the daemon asks."""

    clock: Callable[[], float] = time.monotonic
    """Seconds on a clock that never jumps; measures outages."""
    _orders: list[_Order] = field(default_factory=list[_Order], init=False, repr=False)
    _marks: set[tuple[Mark, str]] = field(default_factory=set[tuple[Mark, str]], init=False, repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False, repr=False)

    # What a test orders.

    def fail_gate(self, name: str, times: int | None = 1, slot: str | None = None) -> None:
        """The gate `name` fails the next `times` it is taken (None: always), of one desktop or of any."""
        self._order(_Order("gate", name=name, slot=slot, times=times))

    def fail_restore(self, times: int = 1, skip: int = 0) -> None:
        """After `skip` desktops that come up, the next `times` do not; forked children count like created desktops."""
        self._order(_Order("restore", times=times, skip=skip))

    def hang_guest(self, times: int = 1, wait_s: float = 0.0, slot: str | None = None) -> None:
        """The guest does not answer the next `times` it is asked; the caller is told after `wait_s` real seconds."""
        self._order(_Order("hang", slot=slot, times=times, seconds=wait_s))

    def lose_desktop(self, slot: str) -> None:
        """That desktop is gone, as after a crash, until its slot is started again."""
        with self._lock:
            self._marks.add(("lost", slot))

    def keep_busy(self, slot: str) -> None:
        """In that desktop processes start and end all the time, so that it never comes to rest."""
        with self._lock:
            self._marks.add(("busy", slot))

    def let_rest(self, slot: str) -> None:
        """End `keep_busy`."""
        with self._lock:
            self._marks.discard(("busy", slot))

    def overload(self, times: int = 1, retry_after_s: float | None = None) -> None:
        """The next `times` requests are refused with 429."""
        self._order(_Order("overload", times=times, seconds=retry_after_s))

    def unavailable(self, times: int | None = None, seconds: float | None = None) -> None:
        """Requests are refused with 503: the next `times`, or for `seconds` from the first one; neither: for good."""
        self._order(_Order("unavailable", times=times, seconds=seconds))

    def drop_before(self, operation: str, times: int = 1) -> None:
        """The connection is dropped before the operation (its operationId) does anything."""
        self._order(_Order("drop-before", name=operation, times=times))

    def drop_after(self, operation: str, times: int = 1) -> None:
        """The connection is dropped after the operation (its operationId) was done: its reply is lost."""
        self._order(_Order("drop-after", name=operation, times=times))

    def clear(self) -> None:
        """Forget every fault that was ordered."""
        with self._lock:
            self._orders.clear()
            self._marks.clear()

    # What the daemon asks.

    def take_gate(self, name: str, slot: str) -> bool:
        """Whether this gate of this desktop must fail now."""
        return self._take("gate", name, slot) is not None

    def take_restore(self) -> bool:
        """Whether the desktop that is being started must not come up."""
        return self._take("restore") is not None

    def take_hang(self, slot: str) -> Hang | None:
        """Whether the guest must not answer now."""
        order = self._take("hang", slot=slot)
        return Hang(order.seconds or 0.0) if order else None

    def take_refusal(self) -> Refused | None:
        """Whether the request that has just come must be refused."""
        with self._lock:
            if self._unavailable():
                return Refused(503)
        order = self._take("overload")
        return Refused(429, order.seconds) if order else None

    def take_drop_before(self, operation: str) -> bool:
        """Whether the connection must be dropped before the operation."""
        return self._take("drop-before", operation) is not None

    def take_drop_after(self, operation: str) -> bool:
        """Whether the connection must be dropped after the operation."""
        return self._take("drop-after", operation) is not None

    def is_lost(self, slot: str) -> bool:
        """Whether that desktop must be gone."""
        return ("lost", slot) in self._marks

    def found(self, slot: str) -> None:
        """That slot was started again, so the loss of its former desktop is over."""
        with self._lock:
            self._marks.discard(("lost", slot))

    def is_busy(self, slot: str) -> bool:
        """Whether processes start and end in that desktop all the time."""
        return ("busy", slot) in self._marks

    # The command's flag.

    @classmethod
    def parse(cls, *texts: str) -> Faults:
        """The faults that `drums up --fault TEXT` names, e.g. `gate:network`, `restore:2`, `drop-after:create_slot`.

        Raises:
            BadFault: A text is none of the forms in `FORMS`.
        """
        faults = cls()
        for text in texts:
            faults.order(text)
        return faults

    def order(self, text: str) -> None:
        """Order the one fault that `text` describes; see `FORMS`.

        Raises:
            BadFault: It is none of them.
        """
        for _, pattern, act in FORMS:
            if match := re.fullmatch(pattern, text):
                act(self, {key: value for key, value in match.groupdict().items() if value is not None})
                return
        forms = ", ".join(form for form, _, _ in FORMS)
        raise BadFault(f"{text!r} is not a fault; the forms are {forms}")

    def _order(self, order: _Order) -> None:
        if order.times is not None and order.times < 1:
            raise BadFault(f"a fault must be ordered for at least one occasion, not {order.times}")
        with self._lock:
            self._orders.append(order)

    def _take(self, kind: Occasion, name: str | None = None, slot: str | None = None) -> _Order | None:
        with self._lock:
            for order in self._orders:
                if order.concerns(kind, name, slot) and order.due():
                    self._forget_used_up()
                    return order
        return None

    def _unavailable(self) -> bool:
        now = self.clock()
        for order in [order for order in self._orders if order.kind == "unavailable"]:
            if order.seconds is not None:
                order.until = now + order.seconds if order.until is None else order.until
                if now >= order.until:
                    self._orders.remove(order)
                    continue
            order.due()
            self._forget_used_up()
            return True
        return False

    def _forget_used_up(self) -> None:
        self._orders[:] = [order for order in self._orders if order.times != 0]


_Words = dict[str, str]

FORMS: tuple[tuple[str, str, Callable[[Faults, _Words], None]], ...] = (
    (
        "gate:NAME[:TIMES][@SLOT]",
        r"gate:(?P<name>\w+)(:(?P<times>\d+))?(@(?P<slot>\w+))?",
        lambda faults, words: faults.fail_gate(words["name"], _times(words), words.get("slot")),
    ),
    (
        "restore[:TIMES][+SKIP]",
        r"restore(:(?P<times>\d+))?(\+(?P<skip>\d+))?",
        lambda faults, words: faults.fail_restore(_times(words), int(words.get("skip", 0))),
    ),
    (
        "hang[:TIMES][:SECONDSs]",
        r"hang(:(?P<times>\d+))?(:(?P<seconds>[\d.]+)s)?",
        lambda faults, words: faults.hang_guest(_times(words), _seconds(words) or 0.0),
    ),
    ("lose:SLOT", r"lose:(?P<slot>\w+)", lambda faults, words: faults.lose_desktop(words["slot"])),
    ("busy:SLOT", r"busy:(?P<slot>\w+)", lambda faults, words: faults.keep_busy(words["slot"])),
    (
        "429[:TIMES][:SECONDSs]",
        r"429(:(?P<times>\d+))?(:(?P<seconds>[\d.]+)s)?",
        lambda faults, words: faults.overload(_times(words), _seconds(words)),
    ),
    (
        "503[:TIMES|:SECONDSs]",
        r"503(:(?P<times>\d+)|:(?P<seconds>[\d.]+)s)?",
        lambda faults, words: faults.unavailable(_times(words) if "times" in words else None, _seconds(words)),
    ),
    (
        "drop-before:OPERATION[:TIMES]",
        r"drop-before:(?P<name>\w+)(:(?P<times>\d+))?",
        lambda faults, words: faults.drop_before(words["name"], _times(words)),
    ),
    (
        "drop-after:OPERATION[:TIMES]",
        r"drop-after:(?P<name>\w+)(:(?P<times>\d+))?",
        lambda faults, words: faults.drop_after(words["name"], _times(words)),
    ),
)
"""How each fault is written on the command line: its form for the help text, its pattern, what it orders."""


def _times(words: _Words) -> int:
    return int(words.get("times", 1))


def _seconds(words: _Words) -> float | None:
    return float(words["seconds"]) if "seconds" in words else None

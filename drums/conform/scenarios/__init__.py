"""The scenarios, by group; each is a function that does requests and holds the daemon to one rule.

`scenario` registers one: its name is the function's, its rule the first line of its docstring. Invariant: a scenario
uses only what its visit made, so that all of them may run at the same time.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from drums.conform.visit import Visit

GROUPS = (
    "access",
    "lifecycle",
    "desktop",
    "episodes",
    "validity",
    "signals",
    "quarantine",
    "fork",
    "prefork",
    "states",
    "quiescence",
    "leases",
    "paging",
    "figures",
)
"""The modules of this package, in the order in which they are reported."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """One scenario."""

    group: str
    name: str
    rule: str
    act: Callable[[Visit], None]
    exclusive: bool
    """Whether it changes what all clients of the daemon share; it runs only where the caller allows it."""


_found: list[Scenario] = []


def scenario(act: Callable[[Visit], None]) -> Callable[[Visit], None]:
    """Register a scenario."""
    return _register(act, exclusive=False)


def exclusive_scenario(act: Callable[[Visit], None]) -> Callable[[Visit], None]:
    """Register a scenario that changes what all clients share."""
    return _register(act, exclusive=True)


def all_scenarios() -> list[Scenario]:
    """Every scenario, by group."""
    for group in GROUPS:
        import_module(f"{__name__}.{group}")
    return sorted(_found, key=lambda one: GROUPS.index(one.group))


def _register(act: Callable[[Visit], None], *, exclusive: bool) -> Callable[[Visit], None]:
    rule = (act.__doc__ or "").strip().partition("\n")[0].rstrip(".")
    _found.append(Scenario(act.__module__.rpartition(".")[2], act.__name__, rule, act, exclusive))
    return act

"""Metrics."""

from __future__ import annotations

from drums.conform.outcome import hold, part
from drums.conform.scenarios import exclusive_scenario, scenario
from drums.conform.scenarios.episodes import task
from drums.conform.visit import Visit


@scenario
def a_slots_figures_count_what_it_did(visit: Visit) -> None:
    """A slot's metrics count its operations, its rewards and its time."""
    slot = visit.make(task())["id"]
    for _ in range(3):
        visit.ask("step_slot", slot, {"action": {"type": "sleep", "seconds": 0}})
    visit.ask("verify_slot", slot, {})
    figures = visit.ask("get_slot_metrics", slot).content
    counts = {name: latency.get("count") for name, latency in part(figures, "operations").items()}
    hold(counts.get("step") == 3, "three steps are counted", counts)
    hold(counts.get("verify") == 1, "one verify is counted", counts)
    hold(part(figures, "rewards").get("count") == 1, "one reward is counted", figures.get("rewards"))
    hold((figures["usage"].get("slot_seconds") or 0) > 0, "its time is counted", figures["usage"])


@scenario
def the_daemons_figures_grow(visit: Visit) -> None:
    """The open window counts at least what this client did in it."""
    before = visit.ask("get_metrics").content
    visit.make()
    after = visit.ask("get_metrics").content
    if (before["window"].get("id"), before["window"].get("started_at")) == (
        after["window"].get("id"),
        after["window"].get("started_at"),
    ):
        counts = [part(part(one, "operations"), "create").get("count") or 0 for one in (before, after)]
        hold(counts[1] > counts[0], "a creation is counted", counts)
    hold(after["window"].get("ended_at") is None, "the window is open", after["window"])


@exclusive_scenario
def a_reset_closes_the_window(visit: Visit) -> None:
    """`reset_metrics` gives the closed window and opens the next, which starts from zero."""
    visit.make()
    closed = visit.ask("reset_metrics", body={}).content
    hold(closed["window"].get("ended_at") is not None, "the closed window has an end", closed["window"])
    opened = visit.ask("get_metrics").content
    hold(opened["window"].get("id") != closed["window"].get("id"), "a new window is open", opened["window"])

"""What a quarantined desktop may and may not do."""

from __future__ import annotations

from drums.conform.outcome import hold, part
from drums.conform.scenarios import scenario
from drums.conform.scenarios.episodes import DONE, task
from drums.conform.scenarios.validity import sound
from drums.conform.visit import Visit

NAP: dict[str, object] = {"action": {"type": "sleep", "seconds": 0}}


@scenario
def a_quarantined_desktop_gives_no_reward(visit: Visit) -> None:
    """After a quarantine the episode is invalid for good: no score, however well the task was done."""
    slot = visit.make(task())["id"]
    visit.run(slot, f"touch {DONE}")
    record = visit.ask("quarantine_slot", slot, {"reason": "conform"}).content
    hold(
        (record["state"], record.get("reason")) == ("quarantined", "conform"),
        "the record tells state and reason",
        record,
    )
    reward = visit.ask("verify_slot", slot, {}).content
    sound(reward)
    hold(reward["valid"] is False, "a quarantined desktop's reward is not valid", reward)
    hold(reward["score"] is None, "a quarantined desktop's reward has no score", reward)
    hold(str(reward.get("checker_skipped")).startswith("quarantined"), "checker_skipped tells why", reward)
    verdict = visit.ask("get_gates", slot)["validity"]["verdict"]
    hold(verdict == "invalid", "the verdict of a quarantined episode is invalid", verdict)


@scenario
def a_quarantined_desktop_can_be_looked_at_only(visit: Visit) -> None:
    """A quarantined slot shows its screen and takes no input: 409 `conflict` with its record."""
    slot = visit.make()["id"]
    visit.ask("quarantine_slot", slot, {"reason": "conform"})
    visit.ask("get_screenshot", slot)
    visit.ask("get_gates", slot)
    refused: list[tuple[str, object]] = [
        ("step_slot", NAP),
        ("reset_slot", {}),
        ("capture_slot", {}),
        ("branch_slot", {"n": 1}),
    ]
    for operation, body in [
        *refused,
        ("prefork_slot", {"n": 1}),
        ("wait_quiescent", {}),
        ("set_task", {"task": task()}),
    ]:
        answer = visit.ask(operation, slot, body, status=409)
        hold(answer["code"] == "conflict", "the code is `conflict`", answer.content)
        hold(
            part(answer.content, "slot").get("state") == "quarantined",
            "the error carries the slot's record",
            answer.content,
        )


@scenario
def release_and_reset_bring_a_desktop_back(visit: Visit) -> None:
    """A released slot is `down`; its reset begins a new episode, which may be valid."""
    slot = visit.make(task())["id"]
    visit.ask("quarantine_slot", slot, {"reason": "conform"})
    record = visit.ask("release_slot", slot, {}).content
    hold(record["state"] == "down", "a released slot is down", record)
    visit.ask("step_slot", slot, NAP, status=409)
    visit.ask("get_screenshot", slot, status=409)
    reward = visit.ask("verify_slot", slot, {}).content
    sound(reward)
    hold(reward["valid"] is False, "a down slot's reward is not valid", reward)
    again = visit.ask("reset_slot", slot, {}).content
    hold((again["state"], again["episode"]) == ("ready", 2), "a reset brings it back in episode 2", again)
    hold(visit.settled(slot)["validity"]["verdict"] == "valid", "the new episode is valid")


@scenario
def the_first_reason_stays(visit: Visit) -> None:
    """A second quarantine keeps the first reason."""
    slot = visit.make()["id"]
    visit.ask("quarantine_slot", slot, {"reason": "first"})
    record = visit.ask("quarantine_slot", slot, {"reason": "second"}).content
    hold(record.get("reason") == "first", "the first reason stays", record)


@scenario
def only_a_quarantined_desktop_is_released(visit: Visit) -> None:
    """`release` of a slot that is not quarantined is a 409."""
    slot = visit.make()["id"]
    visit.ask("release_slot", slot, {}, status=409)
    hold(visit.ask("get_slot", slot)["state"] == "ready", "a refused release changes nothing")

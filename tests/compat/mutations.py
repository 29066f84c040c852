"""Daemons that are wrong in one way each, and the scenario of `drums conform` that must find it.

`MUTATIONS` maps a mutation's name, which says what the daemon does wrong, to it and to that scenario. Importing
`more_mutations` adds the rest. Every scenario is there at least once, so that each is shown to be able to fail.
"""

from __future__ import annotations

import struct
import zlib
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from tests.compat.wrong_daemon import TOKEN, Asked, Memory, Mutation, Said, Sound

if TYPE_CHECKING:
    from collections.abc import Callable


class Wrong(NamedTuple):
    """One mutation."""

    mutation: Mutation
    scenario: str


MUTATIONS: dict[str, Wrong] = {}


def wrong(scenario: str) -> Callable[[Mutation], Mutation]:
    """Register a mutation that this scenario must find."""

    def register(mutation: Mutation) -> Mutation:
        MUTATIONS[getattr(mutation, "__name__", "")] = Wrong(mutation, scenario)
        return mutation

    return register


def edits_reply(name: str, scenario: str, operation: str, edit: Callable[[Said], Said], status: int = 200) -> None:
    """Register a mutation that changes the replies of one operation that have this status."""

    async def mutation(asked: Asked, sound: Sound, memory: Memory) -> Said:
        said = await sound(asked)
        return edit(said) if asked.operation == operation and said.status == status else said

    MUTATIONS[name] = Wrong(mutation, scenario)


def edits_request(name: str, scenario: str, operation: str, edit: Callable[[Asked], Asked]) -> None:
    """Register a mutation that does something else than one operation was asked."""

    async def mutation(asked: Asked, sound: Sound, memory: Memory) -> Said:
        return await sound(edit(asked) if asked.operation == operation else asked)

    MUTATIONS[name] = Wrong(mutation, scenario)


def png(width: int, height: int) -> bytes:
    """A black picture of any size."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = zlib.compress((b"\0" + b"\0" * width) * height)
    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def without(content: dict[str, Any], name: str) -> dict[str, Any]:
    """A reply's content that lacks a field."""
    return {key: value for key, value in content.items() if key != name}


# --- the shape of replies -------------------------------------------------------------------------------------------

COMES_UP = "a_desktop_comes_up"
edits_reply(
    "omits_a_required_field",
    COMES_UP,
    "create_slot",
    lambda said: replace(said, content=without(said.content, "state")),
)
edits_reply("sends_a_number_as_text", COMES_UP, "create_slot", lambda said: said.but(episode="1"))
edits_reply("answers_with_an_unknown_status", COMES_UP, "create_slot", lambda said: replace(said, status=201))
edits_reply(
    "forgets_the_request_id",
    COMES_UP,
    "get_slot",
    lambda said: replace(said, headers=without(dict(said.headers), "x-request-id")),
)
edits_reply(
    "calls_json_text",
    COMES_UP,
    "get_slot",
    lambda said: replace(said, headers={**said.headers, "content-type": "text/html"}),
)
edits_reply("uses_a_wrong_code", "what_does_not_exist_is_a_404", "get_slot", lambda said: said.but(code="gone"), 404)

# --- access ---------------------------------------------------------------------------------------------------------


@wrong("no_reply_without_the_token")
async def takes_any_token(asked: Asked, sound: Sound, memory: Memory) -> Said:
    return await sound(replace(asked, headers={**asked.headers, "authorization": f"Bearer {TOKEN}"}))


edits_request(
    "mends_a_fork_of_none",
    "a_malformed_request_changes_nothing",
    "branch_slot",
    lambda asked: asked.with_body(n=max(1, asked.body.get("n", 1))),
)
edits_reply(
    "says_gone_for_what_never_was",
    "what_does_not_exist_is_a_404",
    "get_gates",
    lambda said: replace(said.but(code="gone"), status=410),
    404,
)


@wrong("unknown_fields_are_ignored")
async def refuses_unknown_fields(asked: Asked, sound: Sound, memory: Memory) -> Said:
    if isinstance(asked.body, dict) and "later" in asked.body:
        return await sound(asked.to("step_slot", "s1", {}))
    return await sound(asked)


edits_reply(
    "has_no_version",
    "the_daemon_tells_what_it_can_do",
    "get_health",
    lambda said: said.but(limits={**said.content["limits"], "fork": -1}),
)

# --- lifecycle ------------------------------------------------------------------------------------------------------

edits_request(
    "has_another_default_lease",
    COMES_UP,
    "create_slot",
    lambda asked: asked.with_body(idle_timeout_s=asked.body.get("idle_timeout_s", 60)),
)


@wrong("two_desktops_share_nothing")
async def runs_everything_in_one_desktop(asked: Asked, sound: Sound, memory: Memory) -> Said:
    if asked.operation == "step_slot":
        first = memory.replies.setdefault("first", asked.id)
        return await sound(asked.to("step_slot", first, asked.body))
    return await sound(asked)


edits_reply(
    "does_not_say_why_it_is_gone",
    "a_closed_desktop_is_gone",
    "get_slot",
    lambda said: said.but(closed_reason=None),
    410,
)
edits_reply(
    "keeps_a_closed_desktop_ready", "a_closed_desktop_is_gone", "delete_slot", lambda said: said.but(state="ready")
)
edits_reply(
    "closes_twice",
    "closing_twice_closes_once",
    "delete_slot",
    lambda said: replace(said, status=200, content={"id": "s1", "state": "destroyed"}),
    410,
)


@wrong("ids_are_never_used_again")
async def gives_an_id_again(asked: Asked, sound: Sound, memory: Memory) -> Said:
    said = await sound(asked)
    if asked.operation == "create_slot" and said.status == 200:
        return said.but(id=memory.replies.setdefault("first", said.content["id"]))
    return said


# --- desktop --------------------------------------------------------------------------------------------------------


def result(said: Said, **fields: Any) -> Said:
    """A step's reply with another result."""
    return said.but(result={**said.content["result"], **fields})


edits_reply(
    "says_that_every_command_succeeds",
    "a_command_does_what_it_says",
    "step_slot",
    lambda said: result(said, returncode=0),
)
edits_reply(
    "runs_commands_as_root", "actions_run_as_the_desktops_user", "step_slot", lambda said: result(said, output="root\n")
)
edits_reply(
    "loses_python_errors", "pyautogui_runs_in_the_desktop", "step_slot", lambda said: result(said, returncode=0)
)
edits_reply(
    "shows_a_small_screen", "the_screen_is_a_png", "get_screenshot", lambda said: replace(said, content=png(1280, 720))
)
edits_request(
    "always_takes_a_picture", "the_screen_is_a_png", "step_slot", lambda asked: asked.with_body(screenshot=True)
)

# --- episodes -------------------------------------------------------------------------------------------------------

RESET = "a_reset_begins_the_next_episode"
edits_reply("does_not_count_episodes", RESET, "reset_slot", lambda said: said.but(episode=1))


@wrong(RESET)
async def keeps_the_disk_over_a_reset(asked: Asked, sound: Sound, memory: Memory) -> Said:
    if asked.operation == "reset_slot":
        return (await sound(asked.to("get_slot", asked.id))).but(episode=2)
    return await sound(asked)


edits_reply(
    "verifies_another_episode", "every_reply_names_its_episode", "verify_slot", lambda said: said.but(episode=1)
)
edits_request(
    "never_runs_a_setup",
    "a_tasks_setup_runs_in_every_episode",
    "create_slot",
    lambda asked: asked.with_body(setup=False),
)
edits_request(
    "always_runs_the_setup", "a_setup_can_be_left_out", "create_slot", lambda asked: asked.with_body(setup=None)
)


@wrong("a_task_can_be_given_later")
async def only_notes_a_later_task(asked: Asked, sound: Sound, memory: Memory) -> Said:
    if asked.operation == "set_task":
        return (await sound(asked.to("get_slot", asked.id))).but(task={"id": asked.body["task"]["id"]})
    return await sound(asked)


@wrong("an_unsupported_task_starts_nothing")
async def starts_before_it_looks_at_the_task(asked: Asked, sound: Sound, memory: Memory) -> Said:
    said = await sound(asked)
    return await sound(asked.with_body(task=None)) if said.status == 422 else said


@wrong("a_failed_setup_is_a_record")
async def forgets_a_failed_setup(asked: Asked, sound: Sound, memory: Memory) -> Said:
    said = await sound(asked)
    if asked.operation == "create_slot" and said.status == 200 and said.content["state"] == "down":
        return said.but(last_error=None)
    return said


# --- validity -------------------------------------------------------------------------------------------------------

edits_reply(
    "says_valid_too_early",
    "gates_settle_and_agree",
    "get_gates",
    lambda said: said.but(validity={"verdict": "valid", "gates": []}, gates=[{"name": "network", "status": "pending"}]),
)
edits_reply(
    "shows_the_gates_of_the_first_episode",
    "a_new_episode_has_gates_of_its_own",
    "get_gates",
    lambda said: said.but(episode=1),
)
edits_reply("scores_everything_with_1", "verify_scores_what_was_done", "verify_slot", lambda said: said.but(score=1))
edits_reply(
    "trusts_in_spite_of_a_flag",
    "verify_scores_what_was_done",
    "verify_slot",
    lambda said: said.but(audit={"trusted": True, "flags": ["recheck_disagrees"]}),
)
edits_reply(
    "rewards_before_the_last_gate",
    "verify_waits_for_the_last_gate",
    "verify_slot",
    lambda said: said.but(valid=False, validity={"verdict": "pending", "gates": ["processes_alive"]}),
)
edits_reply(
    "scores_without_a_task",
    "without_a_task_there_is_nothing_to_verify",
    "verify_slot",
    lambda said: replace(said, status=200, content={"slot": "s1", "valid": False, "score": 0}),
    409,
)
edits_reply(
    "scores_a_broken_checker_with_0",
    "a_broken_checker_is_not_a_zero",
    "verify_slot",
    lambda said: said.but(score=0, checker_error=None),
)

# --- quarantine -----------------------------------------------------------------------------------------------------

NO_REWARD = "a_quarantined_desktop_gives_no_reward"
edits_reply("rewards_a_quarantined_desktop", NO_REWARD, "verify_slot", lambda said: said.but(valid=True, score=1))
edits_reply("gives_no_reason", NO_REWARD, "verify_slot", lambda said: said.but(invalid_reasons=[]))
edits_reply(
    "calls_a_quarantined_episode_valid",
    NO_REWARD,
    "verify_slot",
    lambda said: said.but(validity={"verdict": "valid", "gates": []}, state="ready", valid=True),
)


@wrong("a_quarantined_desktop_can_be_looked_at_only")
async def resets_a_quarantined_desktop(asked: Asked, sound: Sound, memory: Memory) -> Said:
    said = await sound(asked)
    if asked.operation == "reset_slot" and said.status == 409:
        await sound(asked.to("release_slot", asked.id, {}))
        return await sound(asked)
    return said


@wrong("release_and_reset_bring_a_desktop_back")
async def releases_to_ready(asked: Asked, sound: Sound, memory: Memory) -> Said:
    said = await sound(asked)
    if asked.operation == "release_slot" and said.status == 200:
        return await sound(asked.to("reset_slot", asked.id, {}))
    return said


@wrong("the_first_reason_stays")
async def takes_the_last_reason(asked: Asked, sound: Sound, memory: Memory) -> Said:
    said = await sound(asked)
    return (
        said.but(reason=asked.body["reason"]) if asked.operation == "quarantine_slot" and said.status == 200 else said
    )


@wrong("only_a_quarantined_desktop_is_released")
async def releases_anything(asked: Asked, sound: Sound, memory: Memory) -> Said:
    said = await sound(asked)
    return (
        await sound(asked.to("get_slot", asked.id))
        if asked.operation == "release_slot" and said.status == 409
        else said
    )

"""More daemons that are wrong in one way each: in forks, states, leases, lists and figures. See `mutations`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from tests.compat.mutations import MUTATIONS, Wrong, edits_reply, edits_request, result, without, wrong
from tests.compat.wrong_daemon import FORK_LIMIT

if TYPE_CHECKING:
    from tests.compat.wrong_daemon import Asked, Memory, Said, Sound

__all__ = ["MUTATIONS"]

SEED = "/home/user/conform-seed"

# --- signals and batches --------------------------------------------------------------------------------------------


def signals(asked: Asked, name: str | None = None) -> bool:
    """Whether an action is a signal, or this one."""
    action = asked.body.get("action", {}) if isinstance(asked.body, dict) else {}
    return asked.operation == "step_slot" and action.get("type") == "signal" and name in {None, action.get("name")}


@wrong("giving_up_solves_what_can_not_be_done")
async def hears_no_signal(asked: Asked, sound: Sound, memory: Memory) -> Said:
    return await sound(asked.with_body(action={"type": "sleep", "seconds": 0}) if signals(asked) else asked)


@wrong("giving_up_solves_what_can_not_be_done")
async def takes_done_for_giving_up(asked: Asked, sound: Sound, memory: Memory) -> Said:
    return await sound(asked.with_body(action={"type": "signal", "name": "FAIL"}) if signals(asked) else asked)


OF_THE_EPISODE = "what_was_said_is_of_the_last_action_and_the_episode"


@wrong(OF_THE_EPISODE)
async def lets_a_new_episode_give_up(asked: Asked, sound: Sound, memory: Memory) -> Said:
    said = await sound(asked)
    if asked.operation == "reset_slot" and said.status == 200:
        await sound(asked.to("step_slot", asked.id, {"action": {"type": "signal", "name": "FAIL"}}))
    return said


@wrong(OF_THE_EPISODE)
async def remembers_giving_up_for_good(asked: Asked, sound: Sound, memory: Memory) -> Said:
    said = await sound(asked)
    if signals(asked, "FAIL"):
        memory.replies[asked.id] = asked
    elif asked.operation == "step_slot" and asked.id in memory.replies:
        await sound(memory.replies[asked.id])
    return said


BATCH = "a_batch_is_done_in_order_up_to_a_failure"


def batch(asked: Asked) -> list[dict[str, Any]]:
    """The actions of a batch; none of what is none."""
    action = asked.body.get("action", {}) if isinstance(asked.body, dict) else {}
    return list(action.get("actions", ())) if asked.operation == "step_slot" else []


@wrong(BATCH)
async def goes_on_after_a_failure(asked: Asked, sound: Sound, memory: Memory) -> Said:
    said = await sound(asked)
    actions = batch(asked)
    for action in actions[len(said.content.get("results") or ()) :] if actions else ():
        await sound(asked.with_body(action=action))
    return said


edits_reply(
    "tells_the_first_of_a_batch",
    BATCH,
    "step_slot",
    lambda said: said.but(result=said.content["results"][0]) if said.content.get("results") else said,
)


@wrong("a_batch_holds_no_batch")
async def flattens_batches(asked: Asked, sound: Sound, memory: Memory) -> Said:
    flat = [inner for action in batch(asked) for inner in action.get("actions", [action])]
    return await sound(asked.with_body(action={"type": "batch", "actions": flat}) if flat else asked)


# --- fork -----------------------------------------------------------------------------------------------------------


def children(said: Said, **fields: Any) -> Said:
    """A branch reply whose children have other fields."""
    return said.but(children=[{**child, **fields} for child in said.content["children"]])


COPIES = "children_are_copies_of_the_desktop"
edits_reply("forgets_whose_child_it_is", COPIES, "branch_slot", lambda said: children(said, parent=None))
edits_reply("names_another_state", COPIES, "branch_slot", lambda said: said.but(state="c999"))
edits_reply("loses_a_child", COPIES, "branch_slot", lambda said: said.but(children=said.content["children"][:1]))
edits_reply("goes_on_with_the_parents_episode", COPIES, "branch_slot", lambda said: children(said, episode=2))


@wrong("children_change_nobody_else")
async def shares_a_disk_with_the_parent(asked: Asked, sound: Sound, memory: Memory) -> Said:
    if asked.operation == "step_slot":
        parent = (await sound(asked.to("get_slot", asked.id))).content.get("parent")
        if parent:
            await sound(asked.to("step_slot", parent, asked.body))
    return await sound(asked)


@wrong("children_are_judged_one_by_one")
async def quarantines_the_siblings_too(asked: Asked, sound: Sound, memory: Memory) -> Said:
    if asked.operation == "quarantine_slot":
        state = (await sound(asked.to("get_slot", asked.id))).content["checkpoint"]
        for record in (await sound(asked.to("list_slots"))).content:
            if record["checkpoint"] == state:
                await sound(asked.to("quarantine_slot", record["id"], asked.body))
    return await sound(asked)


@wrong("a_child_resets_to_the_fork")
async def resets_a_child_to_something_else(asked: Asked, sound: Sound, memory: Memory) -> Said:
    said = await sound(asked)
    if asked.operation == "reset_slot":
        action = {"type": "execute", "command": ["rm", "-f", SEED]}
        await sound(asked.to("step_slot", asked.id, {"action": action}))
    return said


edits_request(
    "ignores_the_leases_of_children",
    "children_have_the_leases_that_were_asked_for",
    "branch_slot",
    lambda asked: asked.with_body(idle_timeout_s=None),
)
edits_request(
    "forks_fewer_than_asked",
    "a_fork_beyond_the_limit_starts_nothing",
    "branch_slot",
    lambda asked: asked.with_body(n=min(asked.body["n"], FORK_LIMIT)),
)
edits_request(
    "keeps_a_state_for_ever",
    "a_state_may_go_with_its_children",
    "branch_slot",
    lambda asked: asked.with_body(delete_state_with_children=None),
)
edits_request(
    "always_deletes_the_state",
    "a_state_stays_without_its_children",
    "branch_slot",
    lambda asked: asked.with_body(delete_state_with_children=True),
)

# --- prefork --------------------------------------------------------------------------------------------------------


@wrong("a_prepared_fork_is_claimed")
async def leaves_a_child_too_many(asked: Asked, sound: Sound, memory: Memory) -> Said:
    if asked.operation == "branch_slot":
        said = await sound(asked.with_body(n=asked.body["n"] + 1))
        return said.but(children=said.content["children"][:-1]) if said.status == 200 else said
    return await sound(asked)


async def hands_out_a_stale_fork(asked: Asked, sound: Sound, memory: Memory) -> Said:
    """It forks at the prefork, and gives that fork whatever happened since."""
    if asked.operation == "prefork_slot":
        forked = await sound(asked.to("branch_slot", asked.id, asked.body))
        memory.replies[asked.id] = forked
        return replace(forked, content={"slot": asked.id, "n": asked.body["n"], "status": "preparing"})
    if asked.operation == "branch_slot" and asked.id in memory.replies:
        known: Said = memory.replies.pop(asked.id)
        return known
    return await sound(asked)


MUTATIONS["hands_out_a_stale_fork"] = Wrong(hands_out_a_stale_fork, "input_discards_a_prepared_fork")
MUTATIONS["shows_prepared_children"] = Wrong(hands_out_a_stale_fork, "a_prepared_child_is_nobodys")

# --- states and quiescence ------------------------------------------------------------------------------------------

edits_request(
    "names_states_itself", "a_saved_state_keeps_the_desktop", "capture_slot", lambda asked: asked.with_body(id=None)
)


@wrong("a_taken_name_is_refused")
async def gives_a_name_twice(asked: Asked, sound: Sound, memory: Memory) -> Said:
    said = await sound(asked)
    return await sound(asked.with_body(id=None)) if asked.operation == "capture_slot" and said.status == 409 else said


edits_reply(
    "deletes_a_state_in_use",
    "a_state_in_use_can_not_be_deleted",
    "delete_checkpoint",
    lambda said: replace(said, status=200, content={"id": "c1"}),
    409,
)
edits_reply("is_never_still", "an_idle_desktop_becomes_still", "wait_quiescent", lambda said: said.but(quiescent=False))


@wrong("a_busy_desktop_is_not_saved")
async def saves_a_busy_desktop(asked: Asked, sound: Sound, memory: Memory) -> Said:
    """Nothing runs in a simulated desktop: as a real one it would have to refuse here, and does not."""
    body = asked.body if isinstance(asked.body, dict) else {}
    if body.get("action", {}).get("type") == "launch":
        nap = {"action": {"type": "sleep", "seconds": 0}}
        return result(await sound(asked.to("step_slot", asked.id, nap)), pid=7)
    said = await sound(asked)
    return said.but(machine="runc") if asked.operation == "get_health" else said


# --- leases ---------------------------------------------------------------------------------------------------------


@wrong("an_unused_desktop_is_reaped")
async def reaps_nothing(asked: Asked, sound: Sound, memory: Memory) -> Said:
    if asked.operation == "create_slot":
        said = await sound(asked.with_body(idle_timeout_s=0))
        return said.but(idle_timeout_s=asked.body["idle_timeout_s"])
    return await sound(asked)


@wrong("a_used_desktop_is_kept")
async def does_not_notice_use(asked: Asked, sound: Sound, memory: Memory) -> Said:
    if asked.operation == "get_slot":
        page = await sound(asked.to("list_slots", limit="1000"))
        found = [record for record in page.content["items"] if record["id"] == asked.id]
        return replace(page, content=found[0]) if found else await sound(asked)
    return await sound(asked)


edits_request(
    "has_no_lifetimes", "a_lifetime_ends_a_used_desktop", "create_slot", lambda asked: asked.with_body(ttl_s=0)
)
edits_request(
    "keeps_unused_states", "an_unused_state_is_reaped", "capture_slot", lambda asked: asked.with_body(idle_timeout_s=0)
)

# --- paging ---------------------------------------------------------------------------------------------------------


@wrong("pages_hold_every_slot_once")
async def skips_a_slot_in_each_page(asked: Asked, sound: Sound, memory: Memory) -> Said:
    if asked.operation == "list_slots" and asked.query.get("limit") == "1":
        said = await sound(replace(asked, query={**asked.query, "limit": "2"}))
        return said.but(items=said.content["items"][1:])
    return await sound(asked)


@wrong("pages_hold_every_slot_once")
async def repeats_the_first_page(asked: Asked, sound: Sound, memory: Memory) -> Said:
    if asked.operation == "list_slots" and asked.query.get("limit") == "1":
        return await sound(replace(asked, query={"limit": "1"}))
    return await sound(asked)


@wrong("without_a_limit_there_are_no_pages")
async def always_pages(asked: Asked, sound: Sound, memory: Memory) -> Said:
    return await sound(
        replace(asked, query={"limit": "1000", **asked.query}) if asked.operation == "list_slots" else asked
    )


@wrong("destroyed_slots_are_listed_on_request")
async def hides_destroyed_slots(asked: Asked, sound: Sound, memory: Memory) -> Said:
    return await sound(replace(asked, query=without(dict(asked.query), "include_destroyed")))


@wrong("a_senseless_page_is_refused")
async def mends_a_senseless_limit(asked: Asked, sound: Sound, memory: Memory) -> Said:
    return await sound(
        replace(asked, query={**asked.query, "limit": "1"}) if asked.query.get("limit") == "0" else asked
    )


@wrong("tasks_are_found_by_prefix")
async def knows_no_prefixes(asked: Asked, sound: Sound, memory: Memory) -> Said:
    return await sound(asked.to("get_task", "none") if asked.operation == "get_task" and len(asked.id) < 36 else asked)


# --- figures --------------------------------------------------------------------------------------------------------

edits_reply(
    "does_not_count_steps",
    "a_slots_figures_count_what_it_did",
    "get_slot_metrics",
    lambda said: said.but(operations={}),
)
edits_reply(
    "counts_nothing",
    "the_daemons_figures_grow",
    "get_metrics",
    lambda said: said.but(operations={"create": {"count": 0}}),
)
edits_request(
    "never_closes_its_window", "a_reset_closes_the_window", "reset_metrics", lambda asked: asked.to("get_metrics")
)

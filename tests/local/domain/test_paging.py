"""Pages of slot records."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from drums.local.domain import lifecycle, looking
from drums.local.domain.refusals import Refusal

if TYPE_CHECKING:
    from .conftest import World


def ids(page: looking.Page) -> list[str]:
    return [row.id for row in page.rows]


async def test_pages_show_the_oldest_first_and_say_where_to_go_on(world: World) -> None:
    for _ in range(3):
        await world.a_slot()

    first = looking.page(world.host, 2)
    second = looking.page(world.host, 2, first.next_after)

    assert (ids(first), first.next_after) == (["s1", "s2"], "s2")
    assert (ids(second), second.next_after) == (["s3"], None)


async def test_a_page_that_is_just_full_is_the_last(world: World) -> None:
    await world.a_slot()

    assert looking.page(world.host, 1).next_after is None


async def test_pages_do_not_move_when_slots_come_and_go(world: World) -> None:
    for _ in range(4):
        await world.a_slot()
    first = looking.page(world.host, 2)
    await lifecycle.delete(world.host, "s1")
    await lifecycle.delete(world.host, "s2")
    await world.a_slot()

    assert ids(looking.page(world.host, 2, first.next_after)) == ["s3", "s4"]


async def test_destroyed_slots_are_shown_to_who_asks_for_them(world: World) -> None:
    await world.a_slot()
    await world.a_slot()
    await lifecycle.delete(world.host, "s1")

    assert ids(looking.page(world.host)) == ["s2"]
    shown = looking.page(world.host, include_destroyed=True).rows
    assert [(row.id, row.state) for row in shown] == [("s1", "destroyed"), ("s2", "ready")]


async def test_a_page_shows_the_last_use(world: World) -> None:
    slot = await world.a_slot()
    await world.clock.advance(100)

    looking.slot(world.host, slot)

    assert looking.page(world.host).rows[0].last_used_at == world.clock.now()


@pytest.mark.parametrize("after", ["", "5", "c5", "s", "s-1", "s1.5", "s¹"])
async def test_what_is_no_slots_id_is_refused(world: World, after: str) -> None:
    with pytest.raises(Refusal) as refused:
        looking.page(world.host, 2, after)

    assert refused.value.kind == "bad_request"

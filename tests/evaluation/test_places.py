"""Places in the moment between a waiter's cancellation and its own knowing of it."""

from __future__ import annotations

import asyncio

from drums.evaluation.admission import Places


async def test_a_place_that_comes_free_passes_over_a_waiter_that_was_just_cancelled() -> None:
    places = Places(1)
    await places.take(1)
    gone, next_one = (asyncio.ensure_future(places.take(1)) for _ in range(2))
    await asyncio.sleep(0)
    gone.cancel()
    places.give(1)  # before `gone` has run again
    await next_one
    assert gone.cancelled()
    assert places.free == 0

"""The page about the pack shows the pack."""

from __future__ import annotations

from tools import pack_page


def test_the_page_shows_every_task_as_it_is() -> None:
    before = pack_page.PAGE.read_text("utf-8")
    assert pack_page.page(before) == before


def test_what_is_written_by_hand_stays() -> None:
    written = pack_page.page(f"By hand.\n{pack_page.MARK}an old table\n")

    assert written.startswith(f"By hand.\n{pack_page.MARK}")
    assert "an old table" not in written
    assert "`e0df059f`" in written

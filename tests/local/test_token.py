"""The token file: made once, for its owner alone; one that others can read is refused."""

from __future__ import annotations

import re
import stat
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from drums.local.errors import TokenError
from drums.local.token import token_from

if TYPE_CHECKING:
    from pathlib import Path

GOOD = "a-token-of-sixteen-or-more"


def a_file(path: Path, text: str, mode: int = 0o600) -> Path:
    path.write_text(text, encoding="utf-8")
    path.chmod(mode)
    return path


def test_the_first_start_makes_a_token_that_only_its_owner_can_read(tmp_path: Path) -> None:
    path = tmp_path / "new" / "token"
    token = token_from(path)
    assert re.fullmatch(r"drums_sk_[A-Za-z0-9_-]{43}", token)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert list(path.parent.iterdir()) == [path]


def test_every_later_start_takes_the_same(tmp_path: Path) -> None:
    assert token_from(tmp_path / "token") == token_from(tmp_path / "token")


def test_a_token_of_the_users_own_is_taken_without_its_line_end(tmp_path: Path) -> None:
    assert token_from(a_file(tmp_path / "token", f"{GOOD}\n")) == GOOD


def test_many_that_start_at_once_agree_on_one_token(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        assert len(set(pool.map(token_from, [tmp_path / "token"] * 8))) == 1
    assert list(tmp_path.iterdir()) == [tmp_path / "token"]


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o666])
def test_a_file_that_others_can_read_or_write_is_refused_and_left_alone(tmp_path: Path, mode: int) -> None:
    path = a_file(tmp_path / "token", GOOD, mode)
    with pytest.raises(TokenError, match="others can read") as caught:
        token_from(path)
    assert GOOD not in str(caught.value)
    assert stat.S_IMODE(path.stat().st_mode) == mode


@pytest.mark.parametrize("text", ["", "\n", "short", "two words of a long token", "tökens-are-ascii-only", "x" * 600])
def test_a_file_without_a_usable_token_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(TokenError, match="holds no token"):
        token_from(a_file(tmp_path / "token", text))


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TokenError):
        token_from(tmp_path)


def test_a_place_where_no_file_can_be_made_is_refused_in_words(tmp_path: Path) -> None:
    with pytest.raises(TokenError, match="can't be"):
        token_from(a_file(tmp_path / "file", "") / "token")

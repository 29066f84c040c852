"""Every message as a user reads it, and the page about them, stand in files: a change of wording is seen in review.

After a change that is meant: `python -m tests.rules.test_error_messages` writes tests/rules/error_messages.txt, and
`python tools/print_errors.py` writes docs/errors.md.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from drums import errors
from tests.rules.error_examples import all_examples, of_records, of_rows

ROOT = Path(__file__).resolve().parents[2]
SNAPSHOT = Path(__file__).with_name("error_messages.txt")
EXAMPLES = all_examples()


def rendered() -> str:
    """All messages, one paragraph each."""
    return "\n".join(f"{what} [{type(error).__name__}]\n    {error}\n" for what, error in EXAMPLES.items())


def test_every_message_is_the_one_that_was_reviewed() -> None:
    assert rendered() == SNAPSHOT.read_text(encoding="utf-8")


def test_docs_errors_is_printed_from_the_table() -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "tools" / "print_errors.py", "--check"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_the_examples_show_every_class_and_every_row() -> None:
    kinds = {kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, errors.DrumsError)}
    assert {type(error) for error in EXAMPLES.values()} == kinds
    assert [type(error) for error in of_rows().values()] == [row.cls for row in errors.rows]
    assert not {type(error) for error in of_records().values()} & {row.cls for row in errors.rows}


@pytest.mark.parametrize("what", EXAMPLES)
def test_a_message_says_what_was_tried_what_happened_and_what_to_do(what: str) -> None:
    error = EXAMPLES[what]
    told = str(error)
    assert error.tried is not None
    assert told.startswith(error.tried)
    assert told.endswith(f". {error.hint}.")
    assert "\n" not in told
    assert ".." not in told.replace("token=...", "")


@pytest.mark.parametrize("what", EXAMPLES)
def test_a_message_blames_nobody_and_shows_no_type_of_python(what: str) -> None:
    told = str(EXAMPLES[what]).lower()
    assert not re.search(r"\b(failed to|please|illegal|nonetype|dict|str|float|invalid argument)\b", told)


@pytest.mark.parametrize("what", EXAMPLES)
def test_a_hint_names_a_call_or_a_thing_to_do(what: str) -> None:
    hint = EXAMPLES[what].hint
    assert hint[0].isupper()
    assert not hint.endswith(".")
    assert len(hint) <= 110


if __name__ == "__main__":
    SNAPSHOT.write_text(rendered(), encoding="utf-8")

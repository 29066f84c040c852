"""What a desktop or a daemon says can't command the terminal that shows it."""

from __future__ import annotations

import json
import re
import sys
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console

from drums.cli._output import Output, safe
from drums.cli._watch import Frame, drawn
from drums.records import Slot

if TYPE_CHECKING:
    from pathlib import Path

    import drums
    from tests.cli.conftest import Drums

HOSTILE = "\x1b]0;owned\x07\x1b[2J\x9b31m\r\u202e[bold red]x[/bold red] \x08"
OWN_STYLES = re.compile(r"\x1b\[[0-9;]*m")
"""What Rich writes of its own: colours, and no more."""
OWN_SCREEN = re.compile(r"\x1b\[\?(1049|25)[hl]|\x1b\[H")


def is_harmless(shown: str) -> bool:
    """Whether nothing in it but line ends is a character that a terminal obeys."""
    plain = OWN_SCREEN.sub("", OWN_STYLES.sub("", shown))
    return all(char.isprintable() or char == "\n" for char in plain)


@pytest.fixture
def hostile(client: drums.Client, home: Path) -> drums.Env:
    """A desktop whose task and quarantine say what they should not."""
    task = {"id": "bad" + "0" * 9, "instruction": HOSTILE, "config": [], "evaluator": {"func": "infeasible"}}
    env = client.create(task=task)
    env.quarantine(f"reason {HOSTILE}")
    return env


@given(st.text(st.characters()))
def test_safe_text_is_printable_and_what_was_printable_stays(text: str) -> None:
    assert safe(text).isprintable()
    assert safe(text, lines=True).replace("\n", "").replace("\t", "").isprintable()
    if text.isprintable():
        assert safe(text) == text


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_json_on_a_terminal_is_ascii_and_says_the_same(text: str) -> None:
    shown = json.dumps({"x": text}, indent=2)
    assert is_harmless(shown)
    assert json.loads(shown) == {"x": text}


@pytest.mark.parametrize("command", ["show", "ls", "watch --once", "gates", "verify", "ls --json", "verify --json"])
def test_hostile_words_of_a_task_and_a_reason_are_shown_and_not_obeyed(
    hostile: drums.Env, run: Drums, command: str
) -> None:
    name, *options = command.split()
    shown = run(name, *options, *([] if name in {"ls", "watch"} else [hostile.id]), terminal=True)
    assert shown.status == 0
    assert is_harmless(shown.out)
    assert is_harmless(shown.stderr)
    assert hostile.id in shown.out or name in {"gates", "verify"}
    if name == "show":
        assert r"\x1b]0;owned\x07" in shown.out
        assert "[bold red]x[/bold red]" in shown.out


def test_what_a_command_prints_is_written_out_on_a_terminal_and_raw_only_on_request(env: drums.Env, run: Drums) -> None:
    command = r"printf '\033]0;owned\007ok\n\ttab'; printf '\033[2Jbad' >&2"
    shown = run("exec", "--shell", env.id, command, terminal=True)
    assert shown.out == "\\x1b]0;owned\\x07ok\n\ttab\n"
    assert shown.stderr == "\\x1b[2Jbad\n"
    raw = run("exec", "--raw", "--shell", env.id, command, terminal=True)
    assert raw.out == "\x1b]0;owned\x07ok\n\ttab"


def test_an_error_that_quotes_a_desktop_is_one_harmless_line(env: drums.Env, run: Drums) -> None:
    script = r"printf '\033]0;owned\007' >&2; exit 1"
    failed = run("step", env.id, "--action", json.dumps({"type": "execute", "command": script, "shell": True}))
    assert failed.status == 10
    assert is_harmless(failed.stderr.rpartition("drums: ")[2])
    for arguments in (["show", HOSTILE], [f"x{HOSTILE}"], ["ls", f"--x{HOSTILE}"], ["fork", "s1", HOSTILE]):
        refused = run(*arguments, terminal=True)
        assert refused.status in {2, 4}
        assert is_harmless(refused.stderr)


RECORDS = st.builds(
    lambda **fields: Slot(fields),
    id=st.text(min_size=1),
    state=st.text(),
    episode=st.integers(0, 99),
    checkpoint=st.text(),
    task=st.none() | st.builds(lambda text: {"id": text, "instruction": text}, st.text()),
    validity=st.none()
    | st.builds(lambda word, gates: {"verdict": word, "gates": gates}, st.text(), st.lists(st.text())),
    created_at=st.none() | st.text(),
    last_used_at=st.none() | st.text(),
)


@given(st.lists(RECORDS, max_size=30), st.integers(10, 200), st.integers(3, 50))
def test_a_frame_fits_the_terminal_and_is_harmless_whatever_the_records_say(
    records: list[Any], width: int, height: int
) -> None:
    from datetime import datetime

    console = Console(width=width, height=height, force_terminal=True, color_system="standard", markup=False)
    with console.capture() as captured:
        console.print(drawn(Frame("http://x", records, datetime.now(), HOSTILE), width, height))
    lines = captured.get().splitlines()
    assert is_harmless(captured.get())
    assert len(lines) <= max(height, 6)
    assert all(cell_len(OWN_STYLES.sub("", line)) <= width for line in lines)
    if len(records) > height and width >= 20:
        assert "older" in captured.get()


@pytest.mark.parametrize("width", [60, 80, 110, 140])
def test_a_long_instruction_takes_no_room_from_the_ids_of_a_frame(width: int) -> None:
    from datetime import datetime

    task = {"id": "e0df059f-28a6-4169-924f-b9623e7184cc", "instruction": "Rename it. " * 40}
    facts = {"state": "quarantined", "episode": 12, "checkpoint": "osworld-ubuntu", "task": task}
    records = [Slot({"id": f"s{number}", **facts}) for number in range(1000, 1003)]
    console = Console(width=width, height=30)
    with console.capture() as captured:
        console.print(drawn(Frame("http://x", records, datetime.now()), width, 30))
    rows = captured.get().splitlines()[-3:]
    assert [row.split()[:3] for row in rows] == [[record.id, "quarantined", "12"] for record in records]


def test_a_table_for_a_program_is_whole_and_for_a_person_fits(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    long_id = "e0df059f-28a6-4169-924f-b9623e7184cc"
    rows = [("s1", "word " * 60), ("s22", HOSTILE)]
    Output().table(("id", "told"), rows)
    whole = capsys.readouterr().out.splitlines()
    assert whole[0] == "id   told"
    assert whole[1] == f"s1   {('word ' * 60).rstrip()}"
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    Output().table(("id", "told"), rows)
    fitted = OWN_STYLES.sub("", capsys.readouterr().out).splitlines()
    assert all(len(line) <= 60 for line in fitted)
    assert len(fitted) > 3
    Output().table(("id", "told"), [(long_id, "word " * 60)])
    assert long_id in capsys.readouterr().out

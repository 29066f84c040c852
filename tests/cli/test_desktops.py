"""Desktops, forks, rewards and figures from the command line."""

from __future__ import annotations

import io
import json
import sys
from typing import TYPE_CHECKING

import pytest

from drums.observation import png_size

if TYPE_CHECKING:
    from pathlib import Path

    import drums
    from drums.local import InProcess
    from tests.cli.conftest import Drums

TASK = "e0df059f"
RENAME = "mv ~/Desktop/todo_list_Jan_1 ~/Desktop/todo_list_Jan_2"


def live(client: drums.Client) -> set[str]:
    return {record.id for record in client.env_records()}


def test_a_desktop_that_was_made_outlives_the_command_with_the_lease_it_was_given(
    there: InProcess, run: Drums, client: drums.Client
) -> None:
    made = run("create", "--task", TASK, "--idle-timeout", "600", "--ttl", "3600")

    assert (made.status, made.stderr) == (0, "")
    record = next(record for record in client.env_records() if record.id == made.out.strip())
    assert (record.idle_timeout_s, record.ttl_s) == (600, 3600)
    assert record.task is not None
    assert record.task["id"].startswith(TASK)
    assert run("rm", record.id).out == f"{record.id}\n"
    assert record.id not in live(client)


def test_a_desktop_is_made_from_a_saved_state_and_shown(env: drums.Env, run: Drums) -> None:
    state = run("save", env.id, "--name", "base", "--ttl", "60").out.strip()
    assert state == "base"
    made = run("create", "--from-state", state, "--wait-valid", "--json").document
    assert (made["checkpoint"], made["validity"]["verdict"]) == ("base", "valid")

    shown = run("show", made["id"])

    assert shown.status == 0
    assert "made from:     base" in shown.out
    assert run("show", made["id"], "--json").document["id"] == made["id"]
    assert run("rm", made["id"]).status == run("rm", "--state", state).status == 0


def test_a_desktop_that_does_not_become_valid_is_ended_again(
    there: InProcess, run: Drums, client: drums.Client
) -> None:
    before = live(client)
    there.faults.fail_gate("network", 1)

    failed = run("create", "--wait-valid")

    assert (failed.status, failed.stdout) == (7, b"")
    assert "network" in failed.stderr
    assert live(client) == before


def test_the_list_has_whoever_made_them_and_with_all_what_is_gone(
    env: drums.Env, run: Drums, client: drums.Client
) -> None:
    gone = client.create()
    gone.close()

    assert env.id in run("ls", "-q").out.split()
    assert gone.id not in run("ls", "-q").out.split()
    records = {record["id"]: record for record in run("ls", "--all", "--json").document}
    assert (records[env.id]["state"], records[gone.id]["state"]) == ("ready", "destroyed")
    assert run("ls").out.splitlines()[0].split()[:4] == ["id", "state", "episode", "verdict"]


def test_looking_at_the_lists_keeps_no_desktop_alive(env: drums.Env, run: Drums, client: drums.Client) -> None:
    def used() -> str | None:
        return next(record.last_used_at for record in client.env_records() if record.id == env.id)

    before = used()
    assert run("ls").status == run("watch", "--once").status == run("reap", "--all", "--dry-run").status == 0
    assert used() == before


@pytest.mark.parametrize(("command", "status"), [("exit 0", 0), ("exit 3", 3), ("exit 255", 255)])
def test_exec_ends_with_the_status_of_what_ran(env: drums.Env, run: Drums, command: str, status: int) -> None:
    assert run("exec", "--shell", env.id, command).status == status


def test_exec_passes_on_both_streams_to_the_byte_and_every_option_of_the_command(env: drums.Env, run: Drums) -> None:
    said = run("exec", "--shell", env.id, r"printf 'a\033[31m\tb'; echo oh >&2")
    assert (said.stdout, said.stderr) == (b"a\x1b[31m\tb", "oh\n")
    assert run("exec", env.id, "--", "echo", "--json", "-n").out == run("exec", env.id, "echo", "--json", "-n").out
    assert run("exec", "--json", env.id, "--", "echo", "x").document["result"]["output"] == "x\n"


def test_words_of_exec_are_not_for_a_shell_unless_it_is_asked_for(env: drums.Env, run: Drums) -> None:
    assert run("exec", env.id, "echo", "$HOME; `id`", "a  b").out == "$HOME; `id` a  b\n"
    assert run("exec", "--shell", env.id, "echo $((1 + 1))").out == "2\n"


def test_exec_ends_with_255_where_nothing_ran(there: InProcess, run: Drums) -> None:
    missing = run("exec", "s999999", "true")
    assert (missing.status, missing.stdout) == (255, b"")
    assert missing.stderr.count("\n") == 1


def test_a_step_is_code_or_an_action_or_comes_from_standard_input(
    env: drums.Env, run: Drums, monkeypatch: pytest.MonkeyPatch
) -> None:
    sleep = '{"type": "sleep", "seconds": 0}'
    assert run("step", env.id, "pyautogui.click(10, 10)").status == 0
    assert run("step", env.id, "--action", sleep, "--json").document["slot"] == env.id
    monkeypatch.setattr(sys, "stdin", io.StringIO("pyautogui.moveTo(5, 5)"))
    assert run("step", env.id, "-").status == 0
    monkeypatch.setattr(sys, "stdin", io.StringIO(sleep))
    assert run("step", env.id, "--action", "-").status == 0


def test_an_action_that_fails_in_the_desktop_has_a_status_of_its_own(env: drums.Env, run: Drums) -> None:
    failed = run("step", env.id, "--action", json.dumps({"type": "execute", "command": ["false"]}))
    assert failed.status == 10
    assert "returncode 1" in failed.stderr


@pytest.mark.parametrize(
    "arguments",
    [(), ("x", "--action", "{}"), ("--action", "no JSON"), ("--action", "[]"), ("--action", '{"type": "?"}')],
)
def test_a_step_that_means_nothing_is_refused(env: drums.Env, run: Drums, arguments: tuple[str, ...]) -> None:
    refused = run("step", env.id, *arguments)
    assert (refused.status, refused.stdout) == (2, b"")
    assert refused.stderr.count("\n") == 1


def test_a_picture_goes_to_a_file_or_a_pipe_and_to_no_terminal(env: drums.Env, run: Drums, tmp_path: Path) -> None:
    file = tmp_path / "a b.png"
    assert run("screenshot", env.id, "-o", str(file), "--json").document["width"] == 1920
    assert png_size(file.read_bytes()) == png_size(run("screenshot", env.id).stdout) == (1920, 1080)
    assert run("step", env.id, "pyautogui.click(1, 1)", "--screenshot", str(file)).status == 0
    assert png_size(file.read_bytes()) == (1920, 1080)
    assert run("screenshot", env.id, "-o", str(tmp_path / "none" / "x.png")).status == 1
    assert run("screenshot", env.id, "--json").status == 2
    refused = run("screenshot", env.id, terminal=True)
    assert (refused.status, refused.stdout) == (2, b"")
    assert "-o" in refused.stderr


def test_a_fork_prints_the_ids_of_its_children_and_each_can_be_verified(env: drums.Env, run: Drums) -> None:
    env.wait_valid()
    before = run("states", "-q").out
    forked = run("fork", env.id, "2", "--drop-state")
    children = forked.out.split()
    assert len(children) == 2
    assert run("exec", "--shell", children[0], RENAME).status == 0

    scores = [run("verify", child, "--json").document for child in children]

    assert [(one["score"], one["valid"]) for one in scores] == [(1, True), (0, True)]
    assert run("verify", children[0], "--at-least", "1").status == 0
    below = run("verify", children[1], "--at-least", "0.5")
    assert (below.status, below.stderr) == (8, "drums: the score is 0, not 0.5 or more\n")
    assert run("rm", *children).out.split() == children
    assert run("states", "-q").out == before


def test_a_child_that_does_not_come_up_is_told_and_ended_and_the_others_are_kept(
    env: drums.Env, run: Drums, there: InProcess, client: drums.Client
) -> None:
    env.wait_valid()
    there.faults.fail_restore(1)
    before = live(client)

    forked = run("fork", env.id, "2")

    assert forked.status == 7
    assert len(forked.out.split()) == 1
    assert live(client) - before == set(forked.out.split())


def test_what_verify_says_of_an_invalid_episode_is_no_score(env: drums.Env, run: Drums) -> None:
    assert run("quarantine", env.id, "--reason", "I saw it break").status == 0

    told = run("verify", env.id, "--json")

    assert (told.status, told.document["valid"], told.document["score"]) == (0, False, None)
    assert any("I saw it break" in reason for reason in told.document["invalid_reasons"])
    strict = run("verify", env.id, "--strict")
    assert strict.status == run("verify", env.id, "--at-least", "0").status == 7
    assert strict.out.startswith("score:            none\n")
    assert run("gates", env.id, "--wait", "5").status == 7
    assert run("reset", env.id).status == 5
    assert run("release", env.id, "--json").document["state"] == "down"
    assert run("reset", env.id, "--json").document["episode"] == 2
    assert run("gates", env.id, "--wait", "5").status == 0


def test_a_reply_that_contradicts_itself_is_printed_as_what_it_is_worth() -> None:
    from drums.cli._rewards import document_of
    from drums.reward import Reward

    claim = {"slot": "s1", "episode": 1, "valid": True, "score": 1, "state": "quarantined", "invalid_reasons": []}

    told = document_of(Reward({**claim, "validity": {"verdict": "valid", "gates": []}}))

    assert (told["valid"], told["verdict"]) == (False, "invalid")
    assert told["invalid_reasons"] == ["env is quarantined"]


def test_gates_are_listed_with_what_they_saw(env: drums.Env, run: Drums) -> None:
    report = run("gates", env.id, "--wait", "10", "--json").document
    assert report["validity"]["verdict"] == "valid"
    assert [line.split()[0] for line in run("gates", env.id).out.splitlines()[1:]] == [
        gate["name"] for gate in report["gates"]
    ]


def test_figures_are_of_the_daemon_or_of_one_desktop_and_a_window_can_be_closed(env: drums.Env, run: Drums) -> None:
    assert run("metrics", env.id, "--json").document["slot"] == env.id
    closed = run("metrics", "--reset", "--json").document["window"]
    assert closed["ended_at"] is not None
    assert run("metrics", "--json").document["window"]["id"] == closed["id"] + 1
    assert run("metrics").out.splitlines()[0].split()[0] == "operation"
    assert run("metrics", env.id, "--reset").status == 2


def test_what_was_gone_before_is_fine_and_what_never_was_is_not(env: drums.Env, run: Drums) -> None:
    assert run("rm", env.id).status == 0
    again = run("rm", env.id)
    assert (again.status, again.stderr) == (0, f"drums: {env.id} was gone before\n")
    mixed = run("rm", "s999999", env.id, "--json")
    assert mixed.status == 4
    assert [(one["id"], one["error"] is None) for one in mixed.document] == [("s999999", False), (env.id, True)]


def test_a_state_that_is_in_use_is_not_deleted(env: drums.Env, run: Drums) -> None:
    run("save", env.id, "--name", "used")
    child = run("create", "--from-state", "used").out.strip()
    kept = run("rm", "--state", "used")
    assert kept.status == 5
    assert child in kept.stderr
    assert kept.stderr.endswith("End them first: `drums rm`.\n")
    assert run("rm", child).status == run("rm", "--state", "used").status == 0


def test_the_watch_shows_a_frame_and_ends_at_ctrl_c(
    env: drums.Env, run: Drums, monkeypatch: pytest.MonkeyPatch
) -> None:
    frames = iter([None, None])

    def sleep(_seconds: float) -> None:
        if next(frames, "enough") == "enough":
            raise KeyboardInterrupt

    monkeypatch.setattr("drums.cli._watch.sleep", sleep)
    watched = run("watch", "--interval", "1")
    assert (watched.status, watched.stderr) == (0, "")
    assert env.id in watched.out
    assert run("watch", "--json").status == 2
    assert env.id in {record["id"] for record in run("watch", "--once", "--json").document}


def test_the_watch_waits_for_a_daemon_that_is_away(
    env: drums.Env, run: Drums, there: InProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks = iter(range(3))

    def sleep(_seconds: float) -> None:
        look = next(looks, None)
        if look is None:
            raise KeyboardInterrupt
        if look == 0:
            there.faults.unavailable(1, 0)

    monkeypatch.setattr("drums.cli._server.RETRY_S", 0.0)
    monkeypatch.setattr("drums.cli._watch.sleep", sleep)
    assert run("watch").status == 0

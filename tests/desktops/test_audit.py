"""Audits of real desktops: the second look on a live copy, what was touched as the host sees it, nothing left."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from .conftest import an_editor, eventually, launch, shell

if TYPE_CHECKING:
    from pathlib import Path

    import drums
    from drums.local.machines.runc.layout import Layout

MADE = "/home/user/made"


def a_task(**changes: Any) -> dict[str, Any]:
    """A task that wants `made` in the file ~/made."""
    evaluator = {
        "func": "exact_match",
        "result": {"type": "vm_command_line", "command": f"cat {MADE}", "shell": True},
        "expected": {"type": "rule", "rules": {"expected": "made\n"}},
    }
    task = {"id": "drums-make", "instruction": "Write made into the file made.", "evaluator": evaluator}
    return {**task, **changes}


def step_of(line: str) -> dict[str, Any]:
    """A shell's line as a step of a task."""
    return {"type": "execute", "parameters": {"command": line, "shell": True}}


def names(folder: Path) -> set[str]:
    """What is in a folder of the state folder."""
    return {entry.name for entry in folder.iterdir()} if folder.is_dir() else set()


def nothing_is_left(host: Layout, *slots: str) -> None:
    """Only these desktops, and no saved state."""
    assert names(host.desktops) == names(host.disks) == set(slots)
    assert names(host.saved) == names(host.saved_disks) == set()


def test_closing_steps_run_on_a_live_copy_too_and_doing_nothing_is_looked_at_on_a_fresh_one(
    client: drums.Client, host: Layout
) -> None:
    saving = [step_of("xdotool key ctrl+s"), {"type": "sleep", "parameters": {"seconds": 1}}]
    result = {"type": "vm_command_line", "command": ["cat", MADE]}
    evaluator = {**a_task()["evaluator"], "result": result, "postconfig": saving}
    evaluator["expected"] = {"type": "rule", "rules": {"expected": "typed, never saved"}}
    env = client.create(task=a_task(evaluator=evaluator, config=[step_of(f"touch {MADE}")])).wait_valid()
    launch(env, f"mousepad {MADE}")
    env.wait_quiescent(30)
    env.step("time.sleep(1)\npyautogui.write('typed, never saved')")

    reward = env.verify()

    assert reward.audit is not None
    assert reward.audit.recheck is not None
    assert (reward.score, reward.audit.recheck.desktop, reward.audit.recheck.agrees) == (1, "fork", True)
    assert (reward.audit.start_score, reward.audit_flags, reward.trusted) == (0, [], True)
    nothing_is_left(host, env.id)


def test_a_desktop_that_is_never_at_rest_is_looked_at_again_as_it_is(client: drums.Client, host: Layout) -> None:
    env = client.create(task=a_task()).wait_valid()
    shell(env, f"echo made > {MADE}")
    launch(env, "while :; do sleep 0.05; done")
    reward = env.verify()
    assert reward.audit is not None
    assert reward.audit.recheck is not None
    assert (reward.score, reward.audit.recheck.desktop, reward.audit.recheck.agrees) == (1, "same", True)
    nothing_is_left(host, env.id)


def test_what_was_touched_is_seen_from_outside_whatever_the_desktop_does_to_hide_it(client: drums.Client) -> None:
    env = client.create(
        task=a_task(scope={"files": ["~/made"], "settings": [], "processes": []}, config=[step_of("echo 1 > ~/.kept")])
    ).wait_valid()
    shell(env, f"echo made > {MADE}")
    shell(env, "mkdir ~/bin; for name in find stat ls sha256sum; do printf '#!/bin/sh\\n' > ~/bin/$name; done")
    shell(
        env,
        "chmod +x ~/bin/*; echo 'export PATH=~/bin:$PATH' >> ~/.profile;"
        " gsettings set org.gnome.desktop.session idle-delay 7",
    )
    shell(env, "touch -r ~/.kept ~/stamp; echo 2 > ~/.kept; touch -r ~/stamp ~/.kept; rm ~/stamp")
    shell(env, "cp /bin/sleep /tmp/Xvfb")
    launch(env, "exec /tmp/Xvfb 1000")
    eventually(lambda: "/tmp/Xvfb" in shell(env, "readlink /proc/[0-9]*/exe; true"))

    reward = env.verify()

    assert reward.audit is not None
    told = {(one.kind, one.name, one.change) for one in reward.audit.beyond or ()}
    assert told == {
        ("file", "/home/user/.kept", "changed"),
        ("file", "/home/user/.profile", "changed"),
        ("file", "/home/user/bin", "added"),
        *(("file", f"/home/user/bin/{name}", "added") for name in ("find", "stat", "ls", "sha256sum")),
        ("setting", "org.gnome.desktop.session.idle-delay", "added"),
        ("process", "/tmp/Xvfb", "added"),
    }
    assert (reward.score, reward.audit_flags, reward.trusted) == (1, ["out_of_scope"], False)


def test_programs_that_only_run_stay_within_the_scope(client: drums.Client) -> None:
    env = client.create(task=a_task(scope={"files": [], "settings": [], "processes": ["mousepad", "xterm", "bash"]}))
    env.wait_valid()
    launch(env, "xterm")
    an_editor(env, "never saved")
    with env.fork(1, keep_state=False) as children:
        for one in (env, children[0].wait_valid()):
            audit = one.verify().audit
            assert audit is not None
            assert [dict(one) for one in audit.beyond or ()] == []


@pytest.mark.long
def test_office_programs_stay_within_the_scope(client: drums.Client) -> None:
    images = {image.id for image in client.images()}
    if "office" not in images:
        pytest.skip("the image office is not installed")
    scope = {"files": ["~/a.ods"], "settings": [], "processes": ["soffice.bin", "oosplash"]}
    env = client.create("office", task=a_task(scope=scope)).wait_valid()
    launch(env, "soffice --calc --norestore")
    env.wait_quiescent(60, 3)
    audit = env.verify().audit
    assert audit is not None
    assert [dict(one) for one in audit.beyond or ()] == []

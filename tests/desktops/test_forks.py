"""A fork copies what runs: unsaved text, windows, processes in the middle of their work."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import pytest

import drums

from .conftest import an_editor, eventually, launch, shell, status, text_in_editor

if TYPE_CHECKING:
    from drums.local import InProcess

COUNTER = """
import os, time
number = 0
while True:
    number += 1
    with open('/tmp/count.new', 'w') as file:
        file.write(str(number))
    os.replace('/tmp/count.new', '/tmp/count')
    time.sleep(0.05)
"""
HOLDER = """
import fcntl, os, socket, time
lock = open('/tmp/lock', 'w')
fcntl.flock(lock, fcntl.LOCK_EX)
deleted = open('/tmp/deleted', 'w+')
deleted.write('still here')
deleted.flush()
os.unlink('/tmp/deleted')
server = socket.create_server(('127.0.0.1', 7777))
near = socket.create_connection(('127.0.0.1', 7777))
far, _ = server.accept()
while True:
    near.sendall(b'x')
    deleted.seek(0)
    with open('/tmp/told.new', 'w') as file:
        file.write(f'{deleted.read()} {far.recv(1).decode()} {time.monotonic()}')
    os.replace('/tmp/told.new', '/tmp/told')
    time.sleep(0.05)
"""


def test_children_have_the_unsaved_text_and_go_their_own_ways(client: drums.Client, env: drums.Env) -> None:
    an_editor(env, "never saved: <é> 漢")

    with env.fork(4) as children:
        assert [text_in_editor(child) for child in children] == ["never saved: <é> 漢"] * 4
        for number, child in enumerate(children):
            child.step(f"pyautogui.press('end'); pyautogui.write(' child {number}')")

        assert [text_in_editor(child) for child in children] == [f"never saved: <é> 漢 child {n}" for n in range(4)]
        assert text_in_editor(env) == "never saved: <é> 漢"
        assert all(child.wait_valid().valid() for child in children)


def test_a_childs_first_picture_is_its_parents(env: drums.Env) -> None:
    an_editor(env, "the same picture")

    with env.fork(2) as children:
        pictures = {child.screenshot() for child in children}

        assert pictures == {env.screenshot()}


def test_a_counting_process_goes_on_in_each_child_from_the_same_number(env: drums.Env) -> None:
    a_program(env, COUNTER)
    eventually(lambda: count(env) > 5)

    with env.fork(3) as children:
        first = [count(child) for child in children]

        for child, number in zip(children, first, strict=True):
            assert 5 < number <= count(env)
            eventually(partial(counts_beyond, child, number))


def test_a_fork_of_a_fork_to_depth_four(env: drums.Env) -> None:
    an_editor(env, "depth 0")
    depth = [env]
    for number in range(1, 5):
        [child] = depth[-1].fork(1)
        child.step(f"pyautogui.press('end'); pyautogui.write(' {number}')")
        depth.append(child)

    texts = [text_in_editor(each) for each in depth]

    assert texts == ["depth 0", "depth 0 1", "depth 0 1 2", "depth 0 1 2 3", "depth 0 1 2 3 4"]


def test_eight_children_at_once(env: drums.Env) -> None:
    shell(env, "echo parent > ~/Desktop/who")

    with env.fork(8) as children:
        for child in children:
            shell(child, f"echo {child.id} > ~/Desktop/who")

        assert [shell(child, "cat ~/Desktop/who").strip() for child in children] == [child.id for child in children]
        assert shell(env, "cat ~/Desktop/who") == "parent\n"


def test_a_saved_state_outlives_its_desktop(client: drums.Client, env: drums.Env) -> None:
    an_editor(env, "kept")
    state = env.save()
    env.close()

    with client.create(from_state=state) as again:
        assert text_in_editor(again) == "kept"
        again.close()
    client.delete_state(state)

    with pytest.raises(drums.NotFound):
        client.create(from_state=state)


def test_a_reset_returns_to_the_image(env: drums.Env) -> None:
    an_editor(env, "gone after the reset")
    shell(env, "touch ~/Desktop/mark")

    env.reset()

    assert status(env, "test -e ~/Desktop/mark") != 0
    assert "Mousepad" not in shell(env, "wmctrl -l")


def test_a_child_that_does_not_come_up_is_its_own_error(daemon: InProcess, env: drums.Env) -> None:
    daemon.faults.fail_restore(skip=1)

    with env.fork(3, strict=False) as children:
        alive = [child for child in children if child.state == "ready"]

        assert len(alive) == 2
        assert len(children.failed) == 1
        assert [shell(child, "echo here") for child in alive] == ["here\n"] * 2


def test_locks_loopback_connections_and_deleted_files_survive(env: drums.Env) -> None:
    a_program(env, HOLDER)
    eventually(lambda: status(env, "test -s /tmp/told") == 0)

    with env.fork(2) as children:
        for child in children:
            told = shell(child, "cat /tmp/told")
            assert told.startswith("still here x")
            eventually(partial(tells_something_else, child, told))
            assert status(child, "flock --nonblock /tmp/lock true") != 0


def a_program(env: drums.Env, source: str) -> None:
    """Start a Python program in a desktop."""
    shell(env, f"cat > /tmp/program.py <<'END'\n{source}END")
    launch(env, "python3 /tmp/program.py")


def count(env: drums.Env) -> int:
    """How far the counting program is."""
    return int(shell(env, "cat /tmp/count || echo 0"))


def counts_beyond(env: drums.Env, number: int) -> bool:
    """Whether the counting program is further."""
    return count(env) > number


def tells_something_else(env: drums.Env, told: str) -> bool:
    """Whether the holding program goes on."""
    return shell(env, "cat /tmp/told") != told

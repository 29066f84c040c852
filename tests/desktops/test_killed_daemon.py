"""A daemon that is killed at any moment: the next one adopts what works and removes what is half made."""

from __future__ import annotations

import contextlib
import os
import random
import re
import subprocess
import sys
import threading
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import drums

from . import traces
from .conftest import an_editor, text_in_editor

if TYPE_CHECKING:
    from collections.abc import Iterator

    from drums.local.machines.runc.layout import Layout

KILLS = int(os.environ.get("DRUMS_DESKTOPS_KILLS", "50"))
LATEST_S = 2.5


@contextmanager
def a_daemon(folder: Path) -> Iterator[tuple[subprocess.Popen[str], drums.Client]]:
    """A daemon in a process of its own, and a client that leaves its desktops alone at the end."""
    command = [
        sys.executable,
        "-m",
        "drums.local",
        "up",
        "--machine",
        "runc",
        "--port",
        "0",
        "--state-dir",
        str(folder),
    ]
    with (
        (folder.parent / "log").open("a") as log,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True) as process,
    ):
        assert process.stdout is not None
        told = process.stdout.readline() + process.stdout.readline()
        words = dict(re.findall(r"(DRUMS_\w+)=(\S+)", told))
        assert "DRUMS_URL" in words, (folder.parent / "log").read_text()[-2000:]
        token = Path(words["DRUMS_TOKEN_FILE"].strip("'\"")).read_text().strip()
        try:
            yield process, drums.connect(words["DRUMS_URL"].strip("'\""), token, close_on_exit=False, retry_s=0)
        finally:
            process.kill()


def test_a_restarted_daemon_goes_on_with_its_desktops_and_states(host: Layout, tmp_path: Path) -> None:
    with a_daemon(tmp_path / "state") as (_process, client):
        env = client.create()
        an_editor(env, "before the kill")
        state = env.save()
        children = env.fork(2)
        ids = {env.id, *(child.id for child in children)}

    with a_daemon(tmp_path / "state") as (_process, client):
        assert {env.id for env in client.envs()} == ids
        assert all(text_in_editor(env) == "before the kill" for env in client.envs())
        with client.create(from_state=state) as again:
            assert text_in_editor(again) == "before the kill"
            again.close()
        close_everything(client)

        assert traces.found(host).slots == set()
        assert traces.found(host).states == set()


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_kills_at_random_moments_leave_nothing_and_no_record_lies(host: Layout, tmp_path: Path) -> None:
    chance = random.Random(4)
    before = traces.found(host)
    for _ in range(KILLS):
        with a_daemon(tmp_path / "state") as (process, client):
            records_are_true(client, host)
            moment = threading.Timer(chance.uniform(0, LATEST_S), process.kill)
            moment.start()
            with contextlib.suppress(drums.DrumsError, drums.ForkError):
                live_a_little(client, chance)
            moment.join()

    with a_daemon(tmp_path / "state") as (_process, client):
        records_are_true(client, host)
        close_everything(client)
        after = traces.found(host)

    assert (after.slots, after.states, after.processes, after.scratch) == (set(), set(), frozenset(), frozenset())
    assert (after.mounts, after.loops) == (before.mounts or after.mounts, before.loops or after.loops)


def live_a_little(client: drums.Client, chance: random.Random) -> None:
    """Make, fork, save, reset and close desktops until the daemon is gone."""
    while True:
        here = client.envs() or [client.create()]
        env = chance.choice(here)
        deed = chance.randrange(5)
        if len(here) > 6 or deed == 0:
            env.close()
        elif deed == 1:
            env.fork(chance.randint(1, 3), quiesce_timeout=5, keep_state=chance.random() < 0.5, strict=False)
        elif deed == 2:
            env.reset()
        elif deed == 3:
            client.delete_state(env.save(quiesce_timeout=5))
        else:
            client.create()


def records_are_true(client: drums.Client, host: Layout) -> None:
    """What the daemon says is what is there, and everything that it calls ready works."""
    seen = traces.found(host)
    ready = {env.id for env in client.envs() if env.state == "ready"}
    states = {image["id"] for image in client.images() if image["kind"] != "image"}

    assert seen.slots == ready
    assert seen.cgroups == seen.disks == seen.live
    assert seen.states == states
    assert seen.state_disks == seen.state_live
    for env in client.envs():
        if env.state == "ready":
            env.step({"type": "execute", "command": ["true"], "shell": False})
            assert env.screenshot().startswith(b"\x89PNG")


def close_everything(client: drums.Client) -> None:
    """Close every desktop and delete every state."""
    for env in client.envs():
        env.close()
    for image in client.images():
        if image["kind"] != "image":
            client.delete_state(image["id"])

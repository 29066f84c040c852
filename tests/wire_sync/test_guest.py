# Generated from tests/wire/test_guest.py by tools/generate_sync.py. Edit that file.
"""Commands inside a desktop."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from drums import ActionFailed, BadRequest, DaemonUnavailable, GuestError

if TYPE_CHECKING:
    import drums
    from drums.local import InProcess


def test_a_command_is_run_as_the_desktops_user(env: drums.Env) -> None:
    guest = env.guest()
    assert guest.env is env
    assert (guest.execute(["echo", "a b"])).output == "a b\n"
    assert (guest.execute("echo $HOME | tr a-z A-Z", shell=True)).output == "/HOME/USER\n"
    assert env.steps == 2


def test_another_returncode_is_an_error_unless_it_is_allowed(env: drums.Env) -> None:
    guest = env.guest()
    with pytest.raises(ActionFailed) as failure:
        guest.execute("exit 3", shell=True)
    assert failure.value.returncode == 3
    assert "guest().execute()" in str(failure.value)
    assert (guest.execute("exit 3", shell=True, allow_rc=(0, 3))).returncode == 3
    assert (guest.execute("exit 3", shell=True, allow_rc=None)).returncode == 3


@pytest.mark.parametrize("command", ["", [], None, 1, [1]])
def test_what_is_no_command_is_refused(env: drums.Env, command: str) -> None:
    with pytest.raises(BadRequest):
        env.guest().execute(command)
    with pytest.raises(BadRequest):
        env.guest().launch(command)


def test_a_command_may_be_given_its_own_time(env: drums.Env, daemon: InProcess) -> None:
    daemon.faults.hang_guest(wait_s=1.0)
    with pytest.raises(DaemonUnavailable, match=r"no complete reply in 0\.2 s") as late:
        env.guest().execute(["ls"], timeout=0.2)
    assert late.value.sent == "maybe"


def test_a_desktop_that_hangs_is_a_guest_error(env: drums.Env, daemon: InProcess) -> None:
    daemon.faults.hang_guest()
    with pytest.raises(GuestError):
        env.guest().execute(["ls"])


def test_a_program_is_started_and_not_waited_for(env: drums.Env) -> None:
    assert (env.guest().launch(["xterm"])).pid is not None


def test_the_screen_and_the_system_are_known(env: drums.Env) -> None:
    guest = env.guest()
    assert guest.screen_size() == (1920, 1080)
    assert (guest.screenshot())[:4] == b"\x89PNG"
    assert guest.platform() == "Linux"

"""Commands inside a desktop."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from drums import ActionFailed, BadRequest, DaemonUnavailable, GuestError

if TYPE_CHECKING:
    import drums.aio
    from drums.local import InProcess


async def test_a_command_is_run_as_the_desktops_user(env: drums.aio.Env) -> None:
    guest = env.guest()
    assert guest.env is env
    assert (await guest.execute(["echo", "a b"])).output == "a b\n"
    assert (await guest.execute("echo $HOME | tr a-z A-Z", shell=True)).output == "/HOME/USER\n"
    assert env.steps == 2


async def test_another_returncode_is_an_error_unless_it_is_allowed(env: drums.aio.Env) -> None:
    guest = env.guest()
    with pytest.raises(ActionFailed) as failure:
        await guest.execute("exit 3", shell=True)
    assert failure.value.returncode == 3
    assert "guest().execute()" in str(failure.value)
    assert (await guest.execute("exit 3", shell=True, allow_rc=(0, 3))).returncode == 3
    assert (await guest.execute("exit 3", shell=True, allow_rc=None)).returncode == 3


@pytest.mark.parametrize("command", ["", [], None, 1, [1]])
async def test_what_is_no_command_is_refused(env: drums.aio.Env, command: str) -> None:
    with pytest.raises(BadRequest):
        await env.guest().execute(command)
    with pytest.raises(BadRequest):
        await env.guest().launch(command)


async def test_a_command_may_be_given_its_own_time(env: drums.aio.Env, daemon: InProcess) -> None:
    daemon.faults.hang_guest(wait_s=1.0)
    with pytest.raises(DaemonUnavailable, match=r"no complete reply in 0\.2 s") as late:
        await env.guest().execute(["ls"], timeout=0.2)
    assert late.value.sent == "maybe"


async def test_a_desktop_that_hangs_is_a_guest_error(env: drums.aio.Env, daemon: InProcess) -> None:
    daemon.faults.hang_guest()
    with pytest.raises(GuestError):
        await env.guest().execute(["ls"])


async def test_a_program_is_started_and_not_waited_for(env: drums.aio.Env) -> None:
    assert (await env.guest().launch(["xterm"])).pid is not None


async def test_the_screen_and_the_system_are_known(env: drums.aio.Env) -> None:
    guest = env.guest()
    assert await guest.screen_size() == (1920, 1080)
    assert (await guest.screenshot())[:4] == b"\x89PNG"
    assert await guest.platform() == "Linux"

"""Programs as users write them, of version 0.2.5 and of today. They are type-checked and never run.

A change that breaks one of them breaks somebody's program. `assert_type` says what each call gives.
"""

from __future__ import annotations

import asyncio
import json
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, assert_type

import drums
import drums.aio
from drums import actions, records

TASK = "e0df059f-28a6-4169-924f-b9623e7184cc"

# --- 0.2.5: replies are dicts, tasks are ids, dicts or paths ----------------------------------------------------------


def quickstart_0_2_5() -> float | None:
    with drums.connect() as client:
        print(client.health()["version"], json.dumps(client.metrics()))
        with client.create("osworld-ubuntu", TASK) as env:
            env.wait_valid()
            env.step("pyautogui.click(960, 540)")
            result = env.step({"type": "execute", "command": "ls ~/Desktop", "shell": True}, check=False)
            if result["result"]["returncode"] != 0:
                raise RuntimeError(result["result"]["output"])
            Path("screen.png").write_bytes(env.screenshot())
            reward = env.verify(strict=False)
            return reward.score if reward.valid else None


def entry_point_0_1() -> None:
    with drums.env(TASK) as env:
        env.step("pyautogui.press('enter')", screenshot=True)
        print(env.verify().score)
    with drums.env({"id": "mine"}, from_state="c7", url="http://127.0.0.1:7070", token="t") as env:
        env.quarantine("looks odd")


def forks_0_2_5(client: drums.Client) -> list[float | None]:
    parent = client.create(task="tasks/mine.json", idle_timeout=600, ttl=3600)
    parent.wait_quiescent(60)
    parent.prefork(4, keep_state=False)
    children = parent.fork(4, keep_state=False)
    try:
        return [child.verify(strict=False).score for child in children]
    finally:
        children.close()
        children.delete_state()
        parent.close()


def branch_is_fork_0_2_5(env: drums.Env) -> None:
    with env.branch(2, strict=False, quiesce_timeout=10, state_ttl=60) as children:
        for failure in children.failed:
            print(failure.record, failure.status)
        print(children.state, children.checkpoint["id"], children.seconds)
    print(env.last_fork, env.last_state)


def states_0_2_5(client: drums.Client) -> None:
    env = client.create()
    state = env.save("after-login", ttl=3600)
    again = client.create(from_state=state)
    print(again.from_state, state.upper())
    client.delete_state(state)


def errors_0_2_5(client: drums.Client) -> None:
    try:
        client.create_many(4, "osworld-ubuntu", TASK, workers=2)
    except drums.BatchError as error:
        for env in error.ok:
            env.close()
        print(error.failed)
    try:
        client.create().verify()
    except drums.InvalidEpisode as error:
        print(error.reward.invalid_reasons, error.invalid_reasons)
    except drums.CheckerError as error:
        print(error.reward.checker_error)
    except drums.ActionFailed as error:
        print(error.returncode, error.output, error.error)
    except (drums.Overloaded, drums.QuotaExceeded) as error:
        print(error.retry_after, error.code)
    except drums.EnvGone as error:
        print(error.closed_reason)
    except drums.DrumsError as error:
        print(error.status, error.message, error.body, error.method, error.path, error.request_id)


def everything_else_0_2_5(client: drums.Client) -> None:
    images = [image["id"] for image in client.images()]
    instructions = [task.get("instruction") for task in client.tasks(domain="os")]
    live = [env.id for env in client.envs()]
    records_of_all = [record["id"] for record in client.env_records(include_destroyed=True, page_size=100)]
    closed = [env_id for env_id, error in client.close(timeout=5.0) if error is None]
    print(images, instructions, live, records_of_all, closed, client.task(TASK)["config"])
    print(client.call("GET", "/slots"), client.call("GET", "/slots/s1/screenshot", raw=True)[:8])
    print(drums.__version__, drums.DEFAULT_URL, drums.DEFAULT_IMAGE)


def guest_0_2_5(env: drums.Env) -> None:
    guest = env.guest()
    print(guest.execute("ls", shell=True, allow_rc=(0, 1))["output"], guest.launch(["xterm"]), guest.platform())
    width, height = guest.screen_size()
    print(width * height, len(guest.screenshot()))


def map_0_2_5(client: drums.Client) -> list[float]:
    def rollout(env: drums.Env) -> float:
        return env.verify(strict=False).score or 0.0

    outcomes = client.map(rollout, client.create_many(8), workers=4)
    return [outcome for outcome in outcomes if not isinstance(outcome, BaseException)]


async def asyncio_0_2_5() -> None:
    async with drums.aio.connect() as client:
        entered: drums.aio.AsyncClient = client
        print(entered.url)
        env: drums.aio.AsyncEnv = await client.create(task=TASK)
        await env.wait_valid()
        await env.step("pyautogui.click(1, 2)")
        children = await env.fork(2)
        await asyncio.gather(*(child.verify(strict=False) for child in children))
        await children.close()
        await env.close()


# --- today: everything is typed ---------------------------------------------------------------------------------------


def what_comes_back(client: drums.Client, env: drums.Env) -> None:
    assert_type(drums.connect("local", check=False, close_on_exit=False, handle_signals=False), drums.Client)
    assert_type(client.url, str)
    assert_type(client.timeout, float)
    assert_type(client.retry_s, float)
    assert_type(client.owned_envs(), list[drums.Env])
    assert_type(client.health().limits, records.HealthLimits | None)
    assert_type(client.metrics().window, records.MetricsWindow)
    assert_type(client.reset_metrics(), records.Metrics)
    assert_type(client.images(), list[records.Checkpoint])
    assert_type(client.tasks(), list[records.TaskSummary])
    assert_type(client.task("e0df059f"), records.Task)
    assert_type(list(client.env_records()), list[records.Slot])
    assert_type(client.create(setup=False), drums.Env)
    assert_type(client.create_many(2), list[drums.Env])
    assert_type(client.call("POST", "/slots", {}), Any)
    assert_type(client.call("GET", "/health", raw=True, timeout=1.0), bytes)
    assert_type(client.close(), list[tuple[str, drums.DrumsError | None]])


def what_an_env_gives(client: drums.Client, env: drums.Env) -> None:
    assert_type(env.id, str)
    assert_type(env.episode, int | None)
    assert_type(env.state, str)
    assert_type(env.validity, records.Validity | None)
    assert_type(env.task, records.TaskRef | None)
    assert_type(env.from_state, drums.State | None)
    assert_type(env.record, records.Slot)
    assert_type(env.steps, int)
    assert_type(env.last_state, drums.State | None)
    assert_type(env.client, drums.Client)
    assert_type(env.refresh().reset().load_task(Path("task.json")).wait_valid(), drums.Env)
    assert_type(env.step(actions.Sleep(0.5)), drums.StepResult)
    assert_type(env.step("FAIL"), drums.StepResult)
    assert_type(env.step(actions.Batch(["pyautogui.click(1, 2)", actions.Signal("DONE")])), drums.StepResult)
    assert_type(env.step(actions.Execute(["ls"])).result.returncode, int | None)
    assert_type(env.step("", screenshot=True).observation, drums.Observation | None)
    assert_type(env.observe().meta["instruction"], str | None)
    assert_type(env.observe().width, int)
    assert_type(env.gates().gates, list[records.Gate])
    assert_type(env.valid(), bool)
    assert_type(env.verify(), drums.Reward)
    assert_type(env.verify().trusted, bool | None)
    assert_type(env.metrics().usage, records.SlotUsage)
    assert_type(env.wait_quiescent().quiescent, bool)
    assert_type(env.save(), drums.State)
    assert_type(env.prefork(2), records.PreforkReply)
    assert_type(env.fork(2), drums.ForkResult)
    assert_type(env.fork(2)[0], drums.Env)
    assert_type(env.fork(2).failed, list[drums.EnvFailed])
    assert_type(env.fork(2).delete_state(), records.Checkpoint)
    assert_type(env.quarantine().release(), drums.Env)
    assert_type(env.guest().execute("ls"), records.ActionResult)
    with client as entered, env as opened, env.fork(2) as children:
        assert_type(entered, drums.Client)
        assert_type(opened, drums.Env)
        assert_type(children, drums.ForkResult)


async def what_comes_back_to_asyncio(client: drums.aio.Client, env: drums.aio.Env) -> None:
    assert_type(await drums.aio.connect("local"), drums.aio.Client)
    assert_type(await drums.aio.env(TASK), drums.aio.Env)
    assert_type(await client.health(), records.Health)
    assert_type([record async for record in client.env_records()], list[records.Slot])
    assert_type(await client.create_many(2), list[drums.aio.Env])
    assert_type(await client.call("GET", "/health", raw=True), bytes)
    assert_type(await env.wait_valid(), drums.aio.Env)
    assert_type(await env.step("pyautogui.click(1, 2)"), drums.StepResult)
    assert_type(await env.fork(2), drums.aio.ForkResult)
    assert_type((await env.fork(2))[0], drums.aio.Env)
    assert_type(await env.verify(), drums.Reward)
    assert_type(await env.guest().execute(["ls"]), records.ActionResult)
    async with drums.aio.connect() as entered, drums.aio.env() as opened:
        assert_type(entered, drums.aio.Client)
        assert_type(opened, drums.aio.Env)


async def score(env: drums.aio.Env) -> float | None:
    return (await env.verify(strict=False)).score


async def map_over_desktops(client: drums.aio.Client) -> None:
    scores = await client.map(score, await client.envs(), workers=256)
    assert_type(scores, list[float | BaseException | None])


def map_over_processes(client: drums.Client) -> None:
    with ProcessPoolExecutor() as pool:
        assert_type(client.map(drums.Env.screenshot, client.envs(), executor=pool), list[bytes | BaseException])


def typed_actions(env: drums.Env) -> None:
    env.step(actions.Pyautogui("pyautogui.click(1, 2)"))
    env.step(actions.Launch("xterm", shell=True))
    env.step({"type": "sleep", "seconds": 1.5})
    env.step({"type": "signal", "name": "WAIT"})
    env.step({"type": "batch", "actions": [{"type": "sleep", "seconds": 1.5}]})
    env.step({"type": "launch", "command": ["xterm", "-maximized"]})

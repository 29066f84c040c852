"""`drums exec`, `step`, `screenshot`: acting in a desktop and looking at it.

What a desktop prints is not ours: it reaches a terminal only with its control characters written out, unless --raw.
Invariant: `exec` ends with the status of what ran, and with 255 where nothing did.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TextIO, cast

import typer

from drums.cli._options import EnvId, Json, TokenFile, Url, examples
from drums.cli._output import Misused, Output, fail, safe
from drums.cli._server import connected
from drums.cli._status import EXEC_FAILED, Status
from drums.errors import ActionFailed, DrumsError
from drums.observation import png_size

if TYPE_CHECKING:
    from drums.records import ActionResult

SIGNALLED = 128
"""Added to a signal's number, as shells do."""
STDIN = "-"


def register(app: typer.Typer) -> None:
    """Add the commands."""
    ran = examples(
        "drums exec $id -- ls -l /home/user/Desktop",
        "drums exec --shell $id 'ls ~/Desktop | wc -l'",
        "drums exec --json $id -- uname -s",
    )
    # What follows the id belongs to the command that runs in the desktop, options included.
    app.command("exec", epilog=ran, context_settings={"allow_interspersed_args": False})(execute)
    did = examples(
        "drums step $id 'pyautogui.click(960, 540)'",
        'drums step $id --action \'{"type": "sleep", "seconds": 0.1}\' --screenshot after.png',
        "echo 'pyautogui.typewrite(\"hello\")' | drums step $id -",
        "drums step $id FAIL",
    )
    app.command("step", epilog=did)(step)
    app.command("screenshot", epilog=examples("drums screenshot $id -o now.png", "drums screenshot $id | wc -c"))(
        screenshot
    )


def execute(
    env_id: EnvId,
    command: Annotated[list[str], typer.Argument(metavar="COMMAND", help="What to run, with its arguments.")],
    *,
    shell: Annotated[bool, typer.Option("--shell", "-s", help="COMMAND is a line for a shell in the desktop.")] = False,
    raw: Annotated[
        bool, typer.Option("--raw", help="Print control characters to a terminal as they are. A desktop may abuse it.")
    ] = False,
    url: Url = None,
    token_file: TokenFile = None,
    as_json: Json = False,
) -> int:
    """Run a command in a desktop, as its user, and end with its exit status.

    It may take 120 s. Options of `exec` stand before ID. The exit status is 255 when the command could not be run.
    """
    words = command[1:] if command[0] == "--" else command
    if not words:
        raise Misused("there is no command to run")
    action: dict[str, Any] = {"type": "execute", "command": " ".join(words) if shell else words, "shell": shell}
    try:
        with connected(url, token_file) as server:
            did = server.env(env_id).step(action, check=False)
    except DrumsError as error:
        fail(error)
        return EXEC_FAILED
    if as_json:
        Output(as_json).document(did)
    else:
        _pass_on(did.result, raw=raw)
    return _exit_status(did.result.returncode)


def step(
    env_id: EnvId,
    code: Annotated[
        str | None,
        typer.Argument(metavar="CODE", help="pyautogui code; `-` reads it from standard input. FAIL gives up."),
    ] = None,
    *,
    action: Annotated[
        str | None, typer.Option(metavar="JSON", help="An action of the API instead of code; `-` reads it.")
    ] = None,
    screenshot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a picture of the screen right after it (PNG).")
    ] = None,
    raw: Annotated[
        bool, typer.Option("--raw", help="Print control characters to a terminal as they are. A desktop may abuse it.")
    ] = False,
    url: Url = None,
    token_file: TokenFile = None,
    as_json: Json = False,
) -> int:
    """Do one action in a desktop; the exit status is 10 when it failed there."""
    given = _action(code, action)
    with connected(url, token_file) as server:
        did = server.env(env_id).step(given, screenshot=screenshot is not None, check=False)
    if screenshot is not None and did.observation is not None:
        screenshot.write_bytes(did.observation.png)
    if as_json:
        Output(as_json).document({name: value for name, value in did.items() if name != "screenshot_png_b64"})
    else:
        _pass_on(did.result, raw=raw)
    if did.result.returncode in {None, 0}:
        return Status.OK
    return fail(ActionFailed(did, {} if isinstance(given, str) else given, tried=f"step of {env_id}"))


def screenshot(
    env_id: EnvId,
    *,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Where to write it. Default: standard output, if piped."),
    ] = None,
    url: Url = None,
    token_file: TokenFile = None,
    as_json: Json = False,
) -> None:
    """Take a picture of a desktop's screen, as PNG."""
    to_stdout = output is None or str(output) == STDIN
    if to_stdout and as_json:
        raise Misused("--json needs a file for the picture: -o FILE")
    if to_stdout and sys.stdout.isatty():
        raise Misused("a picture is not for a terminal: name a file with -o, or pipe it")
    with connected(url, token_file) as server:
        png = server.env(env_id).screenshot()
    width, height = png_size(png)
    if output is None or to_stdout:
        sys.stdout.buffer.write(png)
        sys.stdout.buffer.flush()
        return
    output.write_bytes(png)
    if as_json:
        told = {"slot": env_id, "file": str(output), "width": width, "height": height, "bytes": len(png)}
        Output(as_json).document(told)


def _action(code: str | None, action: str | None) -> str | dict[str, Any]:
    """What is to be done: code, or an action of the API.

    Raises:
        Misused: Neither is given, or both are, or the action is no JSON object.
    """
    if (code is None) == (action is None):
        raise Misused("give either CODE or --action")
    if action is None:
        return sys.stdin.read() if code == STDIN else str(code)
    try:
        found = json.loads(sys.stdin.read() if action == STDIN else action)
    except ValueError as error:
        raise Misused(f"--action is not JSON: {error}") from error
    if not isinstance(found, dict):
        raise Misused('--action is a JSON object such as {"type": "sleep", "seconds": 1}')
    return cast("dict[str, Any]", found)


def _pass_on(result: ActionResult, *, raw: bool) -> None:
    """Print what a command in the desktop printed, each stream to the one of the same name."""
    for text, stream in ((result.output, sys.stdout), (result.error, sys.stderr)):
        if text:
            _print(text, stream, raw=raw)


def _print(text: str, stream: TextIO, *, raw: bool) -> None:
    if stream.isatty() and not raw:
        shown = safe(text.replace("\r\n", "\n"), lines=True)
        stream.write(shown if shown.endswith("\n") else shown + "\n")
        stream.flush()
        return
    stream.flush()
    stream.buffer.write(text.encode("utf-8", "surrogateescape"))
    stream.buffer.flush()


def _exit_status(returncode: int | None) -> int:
    """What a shell would say of this returncode."""
    if returncode is None:
        return Status.OK
    if returncode < 0:
        return min(SIGNALLED - returncode, EXEC_FAILED)
    return min(returncode, EXEC_FAILED)

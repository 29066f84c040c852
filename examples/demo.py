"""What `make demo` runs: the quickstart, then a fork of four, with a picture of every desktop in demo/index.html.

`--machine sim` or `--machine runc` chooses the desktops; without it they are real ones where this host can.

It starts a daemon of its own on a free port, in a folder of its own, and stops it at the end: nothing is left running,
and no other daemon is touched.
"""

import argparse
import html
import os
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import quickstart

import drums
from drums.actions import Action, Execute

OUTPUT = Path(__file__).resolve().parent.parent / "demo"
RENAME = "mv ~/Desktop/todo_list_Jan_1 ~/Desktop/todo_list_Jan_2"
ATTEMPTS: dict[str, Action] = {
    "rename by command": Execute(f"{RENAME}; sleep 1", shell=True),
    "rename by keyboard": f"""
pyautogui.hotkey("ctrl", "alt", "t")
time.sleep(2)
pyautogui.write({RENAME!r})
pyautogui.press("enter")
time.sleep(1)
""",
    "wrong name": Execute("mv ~/Desktop/todo_list_Jan_1 ~/Desktop/todo_list; sleep 1", shell=True),
    "look, do nothing": """
pyautogui.hotkey("ctrl", "alt", "t")
time.sleep(2)
pyautogui.write("ls Desktop")
pyautogui.press("enter")
time.sleep(1)
""",
}


@dataclass(frozen=True)
class Shot:
    """One desktop of the demo, as it is shown in the table and on the page."""

    title: str
    env_id: str
    png: bytes
    reward: drums.Reward | None = None

    @property
    def verdict(self) -> str:
        """The reward in words."""
        if self.reward is None:
            return "before the fork"
        return f"score {self.reward.score} valid {self.reward.valid}"

    @property
    def reasons(self) -> str:
        """Why the episode must not be trained on; "-" when it may."""
        return "; ".join(self.reward.invalid_reasons) if self.reward and self.reward.invalid_reasons else "-"


@contextmanager
def own_daemon(machine: str) -> Generator[None]:
    """A daemon for as long as the block lasts; DRUMS_URL and DRUMS_TOKEN_FILE name it."""
    drums_command = [sys.executable, "-m", "drums.local"]
    with tempfile.TemporaryDirectory(prefix="drums-demo-") as folder:
        up = [*drums_command, "up", "--machine", machine, "--port", "0", "--detach", "--state-dir", folder]
        started = subprocess.run(up, check=False, stdout=subprocess.PIPE, text=True)
        if started.returncode:
            sys.exit(started.returncode)  # it has said why
        for line in started.stdout.splitlines():
            name, _, value = shlex.split(line)[1].partition("=")
            os.environ[name] = value
        os.environ.pop("DRUMS_TOKEN", None)
        try:
            yield
        finally:
            subprocess.run([*drums_command, "down", "--state-dir", folder], check=True, stdout=subprocess.DEVNULL)


def fork_of_four(client: drums.Client) -> tuple[list[Shot], float]:
    """Act on a desktop, fork it, let every child act on its own; the pictures, and the seconds that the fork took."""
    with client.create(task=quickstart.RENAME_FOLDER) as parent:
        parent.wait_valid()
        before = Shot("parent", parent.id, parent.screenshot())
        with parent.fork(len(ATTEMPTS), keep_state=False) as children:
            shots = [before]
            for child, (title, action) in zip(children, ATTEMPTS.items(), strict=True):
                child.step(action)
                png = child.screenshot()
                shots.append(Shot(title, child.id, png, child.verify(strict=False)))
            return shots, children.seconds


def table(shots: list[Shot]) -> str:
    """The children, a line each."""
    rows = [("child", "what it did", "score", "valid", "reasons")]
    rows += [(s.env_id, s.title, str(s.reward.score), str(s.reward.valid), s.reasons) for s in shots if s.reward]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    )


def figure(shot: Shot) -> str:
    """One desktop on the page."""
    name, title, verdict = (html.escape(text) for text in (shot.env_id, shot.title, shot.verdict))
    picture = f'<a href="{name}.png"><img src="{name}.png" alt="The screen of {name}"></a>'
    return f"<figure>{picture}<figcaption><b>{name}</b> {title}<br>{verdict}</figcaption></figure>"


def page(shots: list[Shot], seconds: float, machine: str) -> str:
    """One page with the pictures side by side; what a desktop or a server said is text, never markup."""
    figures = "\n".join(figure(shot) for shot in shots)
    return f"""<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Drums: a fork of {len(shots) - 1}</title>
<style>
  body {{ font: 16px/1.45 system-ui, sans-serif; color: #1c2330; background: #f6f7f9 }}
  body {{ margin: 2rem auto; max-width: 80rem; padding: 0 1rem }}
  main {{ display: grid; grid-template-columns: repeat(auto-fit, minmax(22rem, 1fr)); gap: 1.25rem }}
  figure {{ margin: 0; background: #fff; border-radius: 8px; overflow: hidden; box-shadow: 0 1px 4px #0003 }}
  img {{ width: 100%; display: block }}
  figcaption {{ padding: .6rem .8rem }}
</style>
<h1>One desktop, forked into {len(shots) - 1}</h1>
<p>The fork took {seconds:.3f} s on the machine <code>{html.escape(machine)}</code>. Each child went its own way
from the same moment; the parent was left as it was.</p>
<main>
{figures}
</main>
</html>
"""


def main() -> None:
    """Run both parts and write the page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--machine", choices=["auto", "sim", "runc"], default="auto")
    OUTPUT.mkdir(exist_ok=True)
    with own_daemon(parser.parse_args().machine):
        started = time.monotonic()
        print("A task, step by step:\n")
        quickstart.main()
        with drums.connect() as client:
            machine = client.health().machine or "unknown"
            shots, seconds = fork_of_four(client)
            left = len(client.envs())
        print(f"\nA fork of {len(shots) - 1} on the machine {machine}, {seconds:.3f} s:\n")
        print(table(shots))
        for shot in shots:
            (OUTPUT / f"{shot.env_id}.png").write_bytes(shot.png)
        (OUTPUT / "index.html").write_text(page(shots, seconds, machine), encoding="utf-8")
        print(f"\ncomputers left: {left}")
        print(f"{time.monotonic() - started:.1f} s. The pictures: {os.path.relpath(OUTPUT / 'index.html')}")


if __name__ == "__main__":
    main()

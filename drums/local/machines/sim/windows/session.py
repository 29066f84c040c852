"""A user's session on a simulated desktop: what can be done with windows, files and processes, by whoever does it.

The mouse, the keyboard and programs all end here; it knows neither pixels nor keys. Invariant: every window belongs
to one running process, and goes when that process goes.
"""

from __future__ import annotations

import posixpath
import re
from dataclasses import replace
from typing import TYPE_CHECKING

from drums.local.machines.sim.files.disk import HOME
from drums.local.machines.sim.files.listing import shown
from drums.local.machines.sim.pace import OutOfTime, Pace
from drums.local.machines.sim.processes import SESSION
from drums.local.machines.sim.python.code import run_code
from drums.local.machines.sim.shell import interpreter

from .layout import prompt, window_place
from .scene import Editor, Icons, Question, Scene, Terminal, Window
from .text import TextField

if TYPE_CHECKING:
    from just_bash import ExecResult

    from drums.local.machines.sim.guest import Guest

    from .scene import Content

TRASH = f"{HOME}/.local/share/Trash/files"
TERMINAL_TIME_S = 3600.0
"""The desktop's time that a command in a terminal may take."""
SCROLLBACK_LINES = 2000
EDITABLE_BYTES = 1024 * 1024
_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[()][A-Za-z]|[\x00-\x08\x0b-\x1f\x7f]")


class Session:
    """What a user can do on a desktop.

    Args:
        guest: The desktop's state.
    """

    def __init__(self, guest: Guest) -> None:
        self.guest = guest

    @property
    def scene(self) -> Scene:
        """What is on the screen."""
        return self.guest.scene

    @scene.setter
    def scene(self, scene: Scene) -> None:
        self.guest.scene = scene

    # Windows.

    def open_app(self, app: str, path: str | None = None) -> int:
        """Open a window: `files` on a folder, `editor` on a file, `terminal` in a folder; its process number."""
        if app == "files":
            return self._open(app, Icons(path or HOME))
        if app == "terminal":
            return self._open(app, Terminal(folder=path or HOME))
        return self._open(app, self._page(path))

    def open_path(self, path: str) -> int:
        """Open a file or folder with the window that is made for it; its process number."""
        return self.open_app("files" if self.guest.disk.is_folder(path) else "editor", path)

    def _open(self, app: str, content: Content) -> int:
        scene = self.scene
        place = window_place(app, scene.next_window)
        self.guest.processes, pid = self.guest.processes.started(app, self.guest.clock_s)
        window = Window(scene.next_window, pid, place.left, place.top, place.width, place.height, content)
        self.scene = replace(
            scene,
            windows=(*scene.windows, window),
            desktop_focused=False,
            menu=None,
            next_window=scene.next_window + 1,
        )
        return pid

    def _page(self, path: str | None) -> Editor:
        if path is None or self.guest.disk.find(path) is None:
            return Editor(path, TextField(), "")
        try:
            content = self.guest.disk.read(path)
        except OSError as error:
            return Editor(None, TextField(), "", notice=f"{path}: {error}")
        if len(content) > EDITABLE_BYTES or b"\0" in content:
            return Editor(None, TextField(), "", notice=f"{path}: not a text")
        text = content.decode("utf-8", "replace")
        return Editor(path, TextField(text), text)

    def ask_to_close(self, window_id: int) -> None:
        """Close a window, or ask first where text would be lost."""
        window = self.scene.window(window_id)
        if window is not None and isinstance(window.content, Editor) and window.content.changed:
            name = posixpath.basename(window.content.path or "Untitled")
            self.scene = replace(
                self.scene.raised(window_id), question=Question(window_id, f"Save changes to “{name}”?")
            )
        else:
            self.close(window_id)

    def close(self, window_id: int) -> None:
        """Close a window; its process ends."""
        window = self.scene.window(window_id)
        if window is not None:
            self.scene = self.scene.without(window_id)
            self.guest.processes = self.guest.processes.ended(window.pid)

    def answer(self, answer: str) -> None:
        """Answer the question that is open."""
        question = self.scene.question
        if question is None:
            return
        self.scene = replace(self.scene, question=None)
        if answer == "Discard" or (answer == "Save" and self.save(question.window)):
            self.close(question.window)

    def end_process(self, pid: int) -> bool:
        """End a process and close its windows; those of the session itself can't be ended."""
        process = self.guest.processes.table.get(pid)
        if process is None or process.name in SESSION:
            return False
        for window in [window for window in self.scene.windows if window.pid == pid]:
            self.scene = self.scene.without(window.id)
        self.guest.processes = self.guest.processes.ended(pid)
        return True

    # Files.

    def save(self, window_id: int) -> bool:
        """Write an editor's text to its file; whether that worked."""
        window = self.scene.window(window_id)
        if window is None or not isinstance(window.content, Editor):
            return False
        page = window.content
        path = page.path or self.free_name(f"{HOME}/Documents", "Untitled.txt")
        try:
            self.guest.disk.write(path, page.text.value.encode())
        except OSError as error:
            self.scene = self.scene.with_content(window_id, replace(page, notice=f"{path}: {error}"))
            return False
        self.scene = self.scene.with_content(window_id, replace(page, path=path, saved=page.text.value, notice=""))
        return True

    def finish_renaming(self, icons: Icons) -> Icons:
        """Give the selected entry the name that was typed; what can't be a name there changes nothing."""
        if icons.renaming is None or icons.selected is None:
            return icons
        new = icons.renaming.value.strip()
        kept = replace(icons, renaming=None)
        if not new or "/" in new or new in {".", "..", icons.selected} or new in shown(self.guest.disk, icons.folder):
            return kept
        try:
            self.guest.disk.move(f"{icons.folder}/{icons.selected}", f"{icons.folder}/{new}")
        except OSError:
            return kept
        return replace(kept, selected=new)

    def new_folder(self, icons: Icons) -> Icons:
        """Make a folder and begin to name it."""
        path = self.free_name(icons.folder, "Untitled Folder")
        try:
            self.guest.disk.make_folder(path)
        except OSError:
            return icons
        name = posixpath.basename(path)
        return replace(icons, selected=name, renaming=TextField.selected(name))

    def trash(self, path: str) -> None:
        """Move a file or folder to the trash.

        Raises:
            OSError: It can't be moved.
        """
        disk = self.guest.disk
        disk.look(path, follow=False)
        disk.make_folder(TRASH, parents=True)
        disk.move(path, self.free_name(TRASH, posixpath.basename(path)))

    def free_name(self, folder: str, name: str) -> str:
        """A path in a folder at which nothing is: the name, or the name with a number."""
        stem, dot, end = name.rpartition(".") if "." in name[1:] else (name, "", "")
        number, path = 1, f"{folder}/{name}"
        while self.guest.disk.find(path, follow=False) is not None:
            number += 1
            path = f"{folder}/{stem} {number}{dot}{end}"
        return path

    # Commands.

    async def run_in_terminal(self, window_id: int, pace: Pace) -> None:
        """Run the line that is typed in a terminal and show what it prints."""
        window = self.scene.window(window_id)
        if window is None or not isinstance(window.content, Terminal):
            return
        before = window.content
        line = before.field.value
        echoed = _with_lines(before, f"{prompt(before.folder, HOME)}{line}")
        history = (*before.history, line) if line.strip() else before.history
        self._show(window_id, replace(echoed, field=TextField(), history=history, recalled=None, scroll=0))
        if line.strip() in {"exit", "logout"}:
            self.close(window_id)
        elif line.strip():
            with pace.aside():
                await self._run_line(window_id, line, before.folder)

    async def _run_line(self, window_id: int, line: str, folder: str) -> None:
        start = folder if self.guest.disk.is_folder(folder) else HOME
        try:
            ran = await interpreter.run(self.guest, self, Pace(self.guest, TERMINAL_TIME_S), line, start)
        except OutOfTime:
            ran = interpreter.Ran(1, "", "bash: the simulated desktop stopped a command that did not end\n", start)
        window = self.scene.window(window_id)
        # The command itself may have closed the terminal.
        if window is not None and isinstance(window.content, Terminal):
            now = window.content
            if "\x1b[2J" in ran.output:
                now = replace(now, lines=())
            text = _ESCAPES.sub("", (ran.output + ran.error).expandtabs())
            shown_now = _with_lines(now, *text.removesuffix("\n").split("\n")) if text else now
            self._show(window_id, replace(shown_now, folder=ran.folder))

    def _show(self, window_id: int, terminal: Terminal) -> None:
        self.scene = self.scene.with_content(window_id, terminal)

    async def run_python(self, code: str, pace: Pace) -> ExecResult:
        """Run Python as far as the simulator knows it."""
        return await run_code(code, self, pace)


def _with_lines(terminal: Terminal, *lines: str) -> Terminal:
    return replace(terminal, lines=(*terminal.lines, *lines)[-SCROLLBACK_LINES:])

"""Using a simulated desktop by mouse and keyboard: what an agent sees and does."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from drums.local.machines.sim.files.disk import DESKTOP_FOLDER
from drums.local.machines.sim.files.listing import shown
from drums.local.machines.sim.windows import layout
from drums.local.machines.sim.windows.scene import Editor, Icons, Terminal

if TYPE_CHECKING:
    from drums.local.machines.sim.desktop import SimDesktop
    from drums.local.machines.sim.windows.scene import Window


async def does(desktop: SimDesktop, code: str) -> None:
    outcome = await desktop.pyautogui(code)
    assert outcome.returncode == 0, outcome.error


async def printed(desktop: SimDesktop, script: str) -> str | None:
    return (await desktop.execute(script, shell=True)).output


def icon(desktop: SimDesktop, name: str, window: Window | None = None) -> str:
    """Where an entry is, as arguments of a click."""
    icons = window.content if window else desktop.guest.scene.desktop
    assert isinstance(icons, Icons)
    area = layout.frame(window).body if window else layout.DESKTOP
    cells = dict(layout.icon_cells(icons, area, list(shown(desktop.guest.disk, icons.folder)), down=window is None))
    return middle(cells[name])


def middle(box: layout.Box) -> str:
    return f"{(box.left + box.right) // 2}, {(box.top + box.bottom) // 2}"


def front(desktop: SimDesktop) -> Window:
    """The window that has the keyboard."""
    window = desktop.guest.scene.focus
    assert window is not None
    return window


def editor(desktop: SimDesktop) -> Editor:
    content = front(desktop).content
    assert isinstance(content, Editor)
    return content


def terminal(desktop: SimDesktop) -> Terminal:
    content = front(desktop).content
    assert isinstance(content, Terminal)
    return content


# Icons.


@pytest.mark.parametrize(
    "way",
    [
        "pyautogui.click({at}); pyautogui.press('f2'); pyautogui.write('new'); pyautogui.press('enter')",
        "pyautogui.click({at}); pyautogui.press('f2'); pyautogui.hotkey('ctrl', 'a'); pyautogui.write('new\\n')",
        "pyautogui.rightClick({at}); pyautogui.move(40, 55); pyautogui.click(); pyautogui.write('new\\n')",
        "pyautogui.press('down'); pyautogui.press('f2'); pyautogui.write('new'); pyautogui.click(1500, 900)",
    ],
)
async def test_a_folder_is_renamed_on_the_desktop(desktop: SimDesktop, way: str) -> None:
    await desktop.execute("mkdir ~/Desktop/old", shell=True)
    await does(desktop, way.format(at=icon(desktop, "old")))
    assert await printed(desktop, "ls ~/Desktop") == "new\n"


@pytest.mark.parametrize("name", ["", "  ", "a/b", ".", "..", "taken", "x" * 256])
async def test_a_name_that_cannot_be_leaves_the_old_one(desktop: SimDesktop, name: str) -> None:
    await desktop.execute("mkdir ~/Desktop/old ~/Desktop/taken", shell=True)
    await does(
        desktop, f"pyautogui.click({icon(desktop, 'old')}); pyautogui.press('f2'); pyautogui.hotkey('ctrl', 'a')"
    )
    await does(desktop, f"pyautogui.press('backspace'); pyautogui.write({name!r}); pyautogui.press('enter')")
    assert await printed(desktop, "ls ~/Desktop") == "old\ntaken\n"
    assert desktop.guest.scene.desktop.renaming is None


async def test_escape_gives_a_renaming_up(desktop: SimDesktop) -> None:
    await desktop.execute("mkdir ~/Desktop/old", shell=True)
    await does(
        desktop, "pyautogui.press('down'); pyautogui.press('f2'); pyautogui.write('new'); pyautogui.press('esc')"
    )
    assert await printed(desktop, "ls ~/Desktop") == "old\n"


async def test_renaming_a_file_keeps_its_ending_unless_it_is_typed(desktop: SimDesktop) -> None:
    await desktop.execute("touch ~/Desktop/old.txt", shell=True)
    await does(
        desktop, "pyautogui.press('down'); pyautogui.press('f2'); pyautogui.write('new'); pyautogui.press('enter')"
    )
    assert await printed(desktop, "ls ~/Desktop") == "new.txt\n"


async def test_a_double_click_opens_a_folder_in_a_window_and_a_file_in_an_editor(desktop: SimDesktop) -> None:
    await desktop.execute("mkdir ~/Desktop/d; echo text > ~/Desktop/d/f.txt", shell=True)
    await does(desktop, f"pyautogui.doubleClick({icon(desktop, 'd')})")
    folder = front(desktop)
    assert folder.content == Icons(f"{DESKTOP_FOLDER}/d")
    await does(desktop, f"pyautogui.doubleClick({icon(desktop, 'f.txt', folder)})")
    assert (editor(desktop).path, editor(desktop).text.value) == (f"{DESKTOP_FOLDER}/d/f.txt", "text\n")


async def test_two_slow_clicks_are_no_double_click(desktop: SimDesktop) -> None:
    await desktop.execute("mkdir ~/Desktop/d", shell=True)
    at = icon(desktop, "d")
    await does(desktop, f"pyautogui.click({at}); time.sleep(1); pyautogui.click({at})")
    assert desktop.guest.scene.windows == ()
    assert desktop.guest.scene.desktop.selected == "d"


async def test_a_file_manager_goes_up_and_down(desktop: SimDesktop) -> None:
    await desktop.execute("nautilus ~/Documents", shell=True)
    await does(desktop, f"pyautogui.click({middle(layout.frame(front(desktop)).up)})")
    assert front(desktop).content == Icons("/home/user")
    await does(
        desktop, f"pyautogui.doubleClick({icon(desktop, 'Music', front(desktop))}); pyautogui.press('backspace')"
    )
    assert front(desktop).content == Icons("/home/user")


async def test_delete_moves_to_the_trash(desktop: SimDesktop) -> None:
    await desktop.execute("mkdir ~/Desktop/d", shell=True)
    await does(desktop, f"pyautogui.click({icon(desktop, 'd')}); pyautogui.press('delete')")
    assert await printed(desktop, "ls ~/Desktop; ls ~/.local/share/Trash/files") == "d\n"


async def test_a_new_folder_is_made_and_named(desktop: SimDesktop) -> None:
    await does(
        desktop, "pyautogui.rightClick(1500, 800); pyautogui.move(40, 20); pyautogui.click(); pyautogui.write('n\\n')"
    )
    await does(desktop, "pyautogui.hotkey('ctrl', 'shift', 'n'); pyautogui.press('enter')")
    assert await printed(desktop, "ls ~/Desktop") == "Untitled Folder\nn\n"


# The terminal.


async def test_a_terminal_runs_what_is_typed_and_keeps_its_folder(desktop: SimDesktop) -> None:
    await does(desktop, "pyautogui.hotkey('ctrl', 'alt', 't'); pyautogui.write('cd /tmp && echo A-b_c \"$PWD\"\\n')")
    assert terminal(desktop).lines == ('user@drums:~$ cd /tmp && echo A-b_c "$PWD"', "A-b_c /tmp")
    await does(desktop, "pyautogui.write('pwd'); pyautogui.press('enter')")
    assert terminal(desktop).lines[-2:] == ("user@drums:/tmp$ pwd", "/tmp")


async def test_a_terminals_line_is_edited_and_recalled(desktop: SimDesktop) -> None:
    await does(desktop, "pyautogui.hotkey('ctrl', 'alt', 't'); pyautogui.write('ehco one'); pyautogui.press('home')")
    await does(desktop, "pyautogui.press('right'); pyautogui.press('delete', presses=2); pyautogui.write('ch')")
    await does(desktop, "pyautogui.press('end'); pyautogui.press('backspace', 3); pyautogui.write('two\\n')")
    assert terminal(desktop).lines[-1] == "two"
    await does(desktop, "pyautogui.write('echo three\\n'); pyautogui.press('up'); pyautogui.press('up')")
    assert terminal(desktop).field.value == "echo two"
    await does(desktop, "pyautogui.press('down', presses=2); pyautogui.write('x'); pyautogui.hotkey('ctrl', 'c')")
    assert terminal(desktop).field.value == ""
    await does(desktop, "pyautogui.write('clear\\n')")
    assert terminal(desktop).lines == ()


async def test_nobody_waits_for_a_command_in_a_terminal(desktop: SimDesktop) -> None:
    await does(
        desktop, "pyautogui.hotkey('ctrl', 'alt', 't'); pyautogui.write('sleep 600; echo done\\n'); pyautogui.click()"
    )
    assert terminal(desktop).lines[-1] == "done"


async def test_a_command_in_a_terminal_that_does_not_end_is_stopped(desktop: SimDesktop) -> None:
    await does(desktop, "pyautogui.hotkey('ctrl', 'alt', 't'); pyautogui.write('sleep 10000; echo never\\n')")
    assert "stopped" in terminal(desktop).lines[-1]


@pytest.mark.parametrize("way", ["write('exit\\n')", "hotkey('ctrl', 'd')", "hotkey('alt', 'f4')"])
async def test_a_terminal_closes(desktop: SimDesktop, way: str) -> None:
    await does(desktop, f"pyautogui.hotkey('ctrl', 'alt', 't'); pyautogui.{way}")
    assert desktop.guest.scene.windows == ()
    assert desktop.guest.scene.desktop_focused


# The editor.


async def test_typed_text_is_saved_by_ctrl_s(desktop: SimDesktop) -> None:
    await desktop.execute("echo old > ~/f.txt; gedit ~/f.txt", shell=True)
    await does(desktop, "pyautogui.hotkey('ctrl', 'end'); pyautogui.write('Ä <new> {line}!\\nnext')")
    assert editor(desktop).changed
    assert await printed(desktop, "cat f.txt") == "old\n"
    await does(desktop, "pyautogui.hotkey('ctrl', 's')")
    assert await printed(desktop, "cat f.txt") == "old\nÄ <new> {line}!\nnext"
    assert not editor(desktop).changed


async def test_text_without_a_file_is_saved_in_documents(desktop: SimDesktop) -> None:
    await does(
        desktop, f"pyautogui.click({middle(layout.dock_slot(1))}); pyautogui.write('x'); pyautogui.hotkey('ctrl', 's')"
    )
    assert await printed(desktop, "cat ~/Documents/Untitled.txt") == "x"


async def test_text_is_selected_copied_and_pasted(desktop: SimDesktop) -> None:
    await desktop.execute("gedit", shell=True)
    await does(desktop, "pyautogui.write('one two')")
    await does(desktop, "with pyautogui.hold('shift'):\n    pyautogui.press('left', presses=3)")
    assert editor(desktop).text.selection == "two"
    await does(desktop, "pyautogui.hotkey('ctrl', 'x'); pyautogui.press('home'); pyautogui.hotkey('ctrl', 'v')")
    assert editor(desktop).text.value == "twoone "
    await does(desktop, "pyautogui.hotkey('ctrl', 'a'); pyautogui.write('B')")
    assert editor(desktop).text.value == "B"


async def test_the_mouse_sets_the_cursor_and_selects(desktop: SimDesktop) -> None:
    await desktop.execute("gedit", shell=True)
    await does(desktop, "pyautogui.write('first word\\nsecond')")
    body = layout.frame(front(desktop)).body
    x, y = body.left + layout.PADDING, body.top + layout.PADDING + 5
    await does(desktop, f"pyautogui.click({x + 3 * layout.EDITOR_CELL_WIDTH}, {y})")
    assert editor(desktop).text.cursor == 3
    await does(desktop, f"pyautogui.doubleClick({x + 7 * layout.EDITOR_CELL_WIDTH}, {y})")
    assert editor(desktop).text.selection == "word"
    await does(desktop, f"time.sleep(1); pyautogui.tripleClick({x + 7 * layout.EDITOR_CELL_WIDTH}, {y})")
    assert editor(desktop).text.selection == "first word"
    await does(
        desktop, f"time.sleep(1); pyautogui.moveTo({x}, {y}); pyautogui.dragTo({x + 5 * layout.EDITOR_CELL_WIDTH}, {y})"
    )
    assert editor(desktop).text.selection == "first"


@pytest.mark.parametrize(
    ("answer", "saved", "open_windows"), [("Cancel", "", 1), ("Discard", "", 0), ("Save", "new", 0)]
)
async def test_unsaved_text_is_asked_about(desktop: SimDesktop, answer: str, saved: str, open_windows: int) -> None:
    await desktop.execute("touch f; gedit f", shell=True)
    await does(desktop, "pyautogui.write('new')")
    await does(desktop, f"pyautogui.click({middle(layout.frame(front(desktop)).close)})")
    question = desktop.guest.scene.question
    assert question is not None
    boxes = dict(zip(question.answers, layout.answer_boxes(len(question.answers)), strict=True))
    await does(desktop, f"pyautogui.click({middle(boxes[answer])})")
    assert await printed(desktop, "cat f") == saved
    assert len(desktop.guest.scene.windows) == open_windows
    assert desktop.guest.scene.question is None


async def test_a_file_that_may_not_be_written_says_so_and_stays_changed(desktop: SimDesktop) -> None:
    await desktop.execute("gedit /etc/hosts", shell=True)
    await does(desktop, "pyautogui.write('x'); pyautogui.hotkey('ctrl', 's')")
    assert editor(desktop).notice == "/etc/hosts: Permission denied"
    assert editor(desktop).changed


# Windows.


async def test_a_click_raises_a_window_and_a_drag_moves_it(desktop: SimDesktop) -> None:
    await desktop.execute("nautilus; gedit", shell=True)
    below = desktop.guest.scene.windows[0]
    title = layout.frame(below).title
    await does(
        desktop, f"pyautogui.moveTo({title.left + 20}, {title.top + 10}); pyautogui.dragTo(700, 500, button='left')"
    )
    assert front(desktop).id == below.id
    assert (front(desktop).x, front(desktop).y) == (680, 490)


async def test_a_window_cannot_be_dragged_out_of_reach(desktop: SimDesktop) -> None:
    await desktop.execute("nautilus", shell=True)
    title = layout.frame(front(desktop)).title
    await does(desktop, f"pyautogui.moveTo({title.left + 400}, {title.top + 10}); pyautogui.dragTo(0, 0)")
    assert front(desktop).x + front(desktop).width > 0
    assert front(desktop).y >= layout.BAR_HEIGHT


async def test_alt_tab_goes_to_the_window_before(desktop: SimDesktop) -> None:
    await desktop.execute("nautilus; gedit", shell=True)
    first, second = desktop.guest.scene.windows
    await does(desktop, "pyautogui.hotkey('alt', 'tab')")
    assert front(desktop).id == first.id
    await does(desktop, "pyautogui.hotkey('alt', 'tab')")
    assert front(desktop).id == second.id


async def test_the_dock_opens_an_app_once(desktop: SimDesktop) -> None:
    terminal_slot = middle(layout.dock_slot(layout.DOCK_APPS.index("terminal")))
    await does(desktop, f"pyautogui.click({terminal_slot}); time.sleep(1); pyautogui.click({terminal_slot})")
    assert len(desktop.guest.scene.windows) == 1


async def test_closing_a_window_ends_its_process_and_ending_the_process_closes_the_window(desktop: SimDesktop) -> None:
    await desktop.execute("nautilus; gedit", shell=True)
    await does(desktop, "pyautogui.hotkey('alt', 'f4')")
    assert "editor" not in (await printed(desktop, "ps") or "")
    await desktop.execute("pkill files", shell=True)
    assert desktop.guest.scene.windows == ()


async def test_the_wheel_scrolls_what_is_under_the_pointer(desktop: SimDesktop) -> None:
    await desktop.execute("for i in {1..100}; do echo $i; done > f; gedit f", shell=True)
    body = layout.frame(front(desktop)).body
    await does(desktop, f"pyautogui.scroll(-4, {middle(body)})")
    assert editor(desktop).scroll == 12
    await does(desktop, f"pyautogui.scroll(100, {middle(body)})")
    assert editor(desktop).scroll == 0


# pyautogui.


@pytest.mark.parametrize(
    ("code", "at"),
    [
        ("pyautogui.moveTo(0, 0)", (0, 0)),
        ("pyautogui.click(0, 5)", (0, 5)),
        ("pyautogui.moveTo(-5, 99999)", (0, 1079)),
        ("pyautogui.moveTo(10.7, 20.2)", (10, 20)),
        ("pyautogui.moveTo((3, 4))", (3, 4)),
        ("pyautogui.moveTo(5, 6); pyautogui.moveTo(None, 9)", (5, 9)),
        ("pyautogui.moveTo(5, 6); pyautogui.move(1, -2)", (6, 4)),
        ("pyautogui.moveTo(5, 6); pyautogui.moveRel(yOffset=3)", (5, 9)),
        ("pyautogui.moveTo(5, 6, 2, pyautogui.easeInQuad); pyautogui.drag(5, 5, duration=0.5)", (10, 11)),
        ("pyautogui.mouseDown(7, 8); pyautogui.mouseUp(9, 9)", (9, 9)),
        ("from pyautogui import *\nmoveTo(1, 2)", (1, 2)),
        ("import pyautogui as gui\nfor x in range(3):\n    gui.moveTo(x, x)", (2, 2)),
        ("w, h = pyautogui.size()\npyautogui.moveTo(w / 2, h // 2)", (960, 540)),
    ],
)
async def test_the_pointer_goes_where_pyautogui_sends_it(desktop: SimDesktop, code: str, at: tuple[int, int]) -> None:
    await does(desktop, code)
    assert (desktop.guest.scene.x, desktop.guest.scene.y) == at


async def test_every_printable_character_is_typed(desktop: SimDesktop) -> None:
    text = "".join(map(chr, range(32, 127))) + "\n\tä€漢"
    await desktop.execute("gedit", shell=True)
    await does(desktop, f"pyautogui.write({text!r})")
    assert editor(desktop).text.value == text.replace("\t", "    ")


@pytest.mark.parametrize("code", ["pyautogui.press('nosuchkey')", "pyautogui.press('f13')", "pyautogui.write('\\x00')"])
async def test_a_key_that_is_none_does_nothing(desktop: SimDesktop, code: str) -> None:
    await desktop.execute("gedit", shell=True)
    await does(desktop, code)
    assert editor(desktop).text.value == ""


async def test_keys_stay_held_from_down_to_up(desktop: SimDesktop) -> None:
    await desktop.execute("gedit", shell=True)
    await does(desktop, "pyautogui.keyDown('shift')")
    await does(desktop, "pyautogui.press('a'); pyautogui.keyUp('shift'); pyautogui.press('b')")
    assert editor(desktop).text.value == "Ab"


async def test_the_failsafe_is_off_until_it_is_switched_on(desktop: SimDesktop) -> None:
    await does(desktop, "pyautogui.moveTo(0, 0); pyautogui.click()")
    outcome = await desktop.pyautogui("pyautogui.FAILSAFE = True\npyautogui.click()")
    assert "FailSafeException" in (outcome.error or "")


async def test_each_call_takes_the_pause_that_is_set(desktop: SimDesktop) -> None:
    before = desktop.guest.clock_s
    await does(desktop, "pyautogui.click(); pyautogui.PAUSE = 2; pyautogui.click(); pyautogui.click(_pause=False)")
    assert desktop.guest.clock_s - before == pytest.approx(2.1)

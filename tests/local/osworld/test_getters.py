"""Getters give what is on the desktop; what is not there is None or what a fresh profile has, never an error."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drums.local.machines.machine import GuestError, Outcome
from drums.local.osworld import TaskMalformed, TaskUnsupported
from drums.local.osworld.getters import GETTERS, read_getter
from drums.local.osworld.getters.browser import PREFERENCES
from drums.local.osworld.inside import accessible, script
from drums.local.osworld.reading import Reading
from drums.local.osworld.stage import Stage
from tests.local.osworld.scripted import ScriptedDesktop

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from drums.local.machines.machine import Desktop

PROFILE = "/home/user/.config/google-chrome/Default"


async def no_wait(_: float) -> None:
    pass


async def fetched(desktop: Any, kind: str, **parameters: Any) -> Any:
    """What a getter gives."""
    getter = read_getter({"type": kind, **parameters}, "here", Reading("task-1"))
    return await getter.fetch(Stage(desktop, no_wait))


def saying(answers: dict[tuple[str, ...], Outcome]) -> Callable[[Sequence[str]], Outcome | None]:
    """Answers to commands that begin with these words."""

    def answer(words: Sequence[str]) -> Outcome | None:
        return next((said for begin, said in answers.items() if tuple(words[: len(begin)]) == begin), None)

    return answer


def always(outcome: Outcome) -> Callable[[Sequence[str]], Outcome]:
    """The same answer to every command."""
    return lambda _: outcome


# Settings of applications.


@pytest.mark.parametrize(
    ("kind", "parameters", "path"),
    [
        ("gimp_config_file", {"file_name": "gimprc", "dest": "gimprc"}, ".config/GIMP/2.10/gimprc"),
        ("vlc_config", {"dest": "vlcrc"}, ".config/vlc/vlcrc"),
        ("vm_file", {"path": "~/notes.txt", "time_suffix": True, "time_format": "%Y"}, "notes.txt"),
    ],
)
async def test_a_settings_file_is_its_content_or_nothing(
    desktop: Desktop, kind: str, parameters: dict[str, Any], path: str
) -> None:
    assert await fetched(desktop, kind, **parameters) is None
    await desktop.write_file(f"/home/user/{path}", b"(theme Light)\n")
    assert await fetched(desktop, kind, **parameters) == b"(theme Light)\n"


async def test_the_player_of_most_kinds_of_video_is_the_default_one(desktop: Desktop) -> None:
    for printed, player in (
        ("vlc.desktop\n\nmpv.desktop\nvlc.desktop\n", "vlc.desktop"),
        ("\n\n", None),
        ("", None),
    ):
        scripted = ScriptedDesktop(desktop, always(Outcome(0, printed, "")))
        assert await fetched(scripted, "default_video_player") == player


async def test_an_extension_of_vs_code_is_asked_by_its_command(desktop: Desktop) -> None:
    pressed: list[str] = []

    class Editor(ScriptedDesktop):
        async def pyautogui(self, code: str) -> Outcome:
            pressed.append(code)
            await desktop.write_file("/home/user/OpenProject.txt", b"project")
            return Outcome(0, "", "")

    found = await fetched(
        Editor(desktop, lambda _: None),
        "vscode_config",
        vscode_extension_command="OpenProject",
        path="/home/user/OpenProject.txt",
        dest="OpenProject.txt",
    )
    assert found == b"project"
    assert pressed == [
        "pyautogui.hotkey('ctrl', 'shift', 'p')",
        "pyautogui.write('OpenProject')",
        "pyautogui.press('enter')",
    ]


# The browser.

FRESH: dict[str, Any] = {
    "bookmarks": {},
    "chrome_font_size": {"default_fixed_font_size": 13, "default_font_size": 16, "minimum_font_size": 13},
    "data_delete_automacally": "false",
    "default_search_engine": "Google",
    "enable_do_not_track": "false",
    "enable_enhanced_safety_browsing": "false",
    "enable_safe_browsing": "false",
    "find_installed_extension_name": [],
    "find_unpacked_extension_path": [],
    "new_startup_page": "true",
    "profile_name": None,
}
CHANGED: dict[str, tuple[dict[str, Any], Any]] = {
    "bookmarks": ({"roots": {"bookmark_bar": {"children": []}}}, {"bookmark_bar": {"children": []}}),
    "chrome_font_size": ({"webkit": {"webprefs": {"default_font_size": 24}}}, {"default_font_size": 24}),
    "data_delete_automacally": ({"profile": {"default_content_setting_values": {"cookies": 4}}}, "true"),
    "default_search_engine": ({"default_search_provider_data": {"template_url_data": {"short_name": "Bing"}}}, "Bing"),
    "enable_do_not_track": ({"enable_do_not_track": True}, "true"),
    "enable_enhanced_safety_browsing": ({"safebrowsing": {"enhanced": True}}, "true"),
    "enable_safe_browsing": ({"safebrowsing": {"enabled": True}}, "true"),
    "find_installed_extension_name": (
        {"extensions": {"settings": {"a": {"manifest": {"name": "Blocker"}}, "b": {"path": "/x"}}}},
        ["Blocker"],
    ),
    "find_unpacked_extension_path": (
        {"extensions": {"settings": {"a": {"manifest": {"name": "Blocker"}}, "b": {"path": "/x"}}}},
        ["/x"],
    ),
    "new_startup_page": ({"session": {"restore_on_startup": 4}}, "false"),
    "profile_name": ({"profile": {"name": "Thomas"}}, "Thomas"),
}


def test_every_setting_of_the_browser_is_seen_to_change() -> None:
    assert set(FRESH) == set(CHANGED) == {*PREFERENCES, "bookmarks"}


@pytest.mark.parametrize("kind", sorted(FRESH))
async def test_a_profile_that_is_not_there_reads_as_a_fresh_one(desktop: Desktop, kind: str) -> None:
    file = f"{PROFILE}/{'Bookmarks' if kind == 'bookmarks' else 'Preferences'}"
    assert await fetched(desktop, kind) == FRESH[kind]
    for content in (b"", b"{}", b"[1]", b"not json", b"[" * 100_000, b"\xff\xfe"):
        await desktop.write_file(file, content)
        assert await fetched(desktop, kind) == FRESH[kind]
    profile, value = CHANGED[kind]
    await desktop.write_file(file, json.dumps(profile).encode())
    assert await fetched(desktop, kind) == value


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(
        ["profile", "session", "webkit", "extensions", "settings", "safebrowsing", "name", "manifest", "roots"]
    ), inner, max_size=3),
    max_leaves=8,
)  # fmt: skip


@given(profile=st.dictionaries(st.sampled_from(["profile", "session", "extensions", "webkit"]), json_values))
def test_a_profile_of_any_shape_is_read(profile: dict[str, Any]) -> None:
    for name, pick in PREFERENCES.items():
        json.dumps({name: pick(profile)})


async def test_the_tab_in_front_is_the_first_that_the_browser_tells(desktop: Desktop) -> None:
    tabs: list[dict[str, Any]] = [
        {"title": "One", "url": "https://one.example/x"},
        {"title": "Two", "url": "chrome://settings/", "id": 3},
    ]
    asking = ("python3", "-c", script("tabs"), "list")
    scripted = ScriptedDesktop(desktop, saying({asking: Outcome(0, json.dumps(tabs), "")}))
    assert await fetched(scripted, "open_tabs_info") == [{key: one[key] for key in ("title", "url")} for one in tabs]
    assert await fetched(scripted, "active_tab_info", goto_prefix="https://") == tabs[0]
    assert await fetched(scripted, "active_url_from_accessTree", goto_prefix="") == "https://one.example/x"


async def test_without_a_browser_there_are_no_tabs_and_a_broken_one_is_an_error(desktop: Desktop) -> None:
    silent = ScriptedDesktop(desktop, lambda _: Outcome(3, "", "no browser listens\n"))
    assert await fetched(silent, "open_tabs_info") == []
    assert await fetched(silent, "active_tab_info") is None
    assert await fetched(silent, "active_url_from_accessTree") is None
    for outcome in (Outcome(1, "", "Traceback: no\n"), Outcome(0, "not json", ""), Outcome(0, "[" * 100_000, "")):
        broken = ScriptedDesktop(desktop, always(outcome))
        with pytest.raises(GuestError, match=r"'s tabs are no JSON| does not tell its tabs: Traceback: no"):
            await fetched(broken, "active_tab_info")
    odd = ScriptedDesktop(desktop, lambda _: Outcome(0, '[1, {"url": 5}]', ""))
    assert await fetched(odd, "open_tabs_info") == [{"title": "", "url": ""}, {"title": "", "url": "5"}]


# The screen.


async def test_every_screen_has_one_size(desktop: Desktop) -> None:
    assert await fetched(desktop, "vm_screen_size") == {"width": 1920, "height": 1080}


async def test_a_windows_size_is_found_by_its_class(desktop: Desktop) -> None:
    listed = (
        "0x01 -1 0 0 1920 1080 pcmanfm.Pcmanfm  desktop pcmanfm\n0x02  0 10 20 640 480 vlc.Vlc  desktop VLC\nbroken\n"
    )
    scripted = ScriptedDesktop(desktop, lambda _: Outcome(0, listed, ""))
    assert await fetched(scripted, "vm_window_size", app_class_name="vlc") == {"width": 640, "height": 480}
    assert await fetched(scripted, "vm_window_size", app_class_name="gimp") is None
    with pytest.raises(GuestError, match="can't list its windows"):
        await fetched(ScriptedDesktop(desktop, lambda _: Outcome(1, "", "")), "vm_window_size", app_class_name="vlc")


@pytest.mark.parametrize(
    ("uri", "found"),
    [
        ("'file:///home/user/a%20b.png'\n", b"PNG"),
        ("''\n", None),
        ("'file:///nowhere.png'", None),
        ("'https://x/'", None),
    ],
)
async def test_the_wallpaper_is_the_file_that_the_settings_name(
    desktop: Desktop, uri: str, found: bytes | None
) -> None:
    await desktop.write_file("/home/user/a b.png", b"PNG")
    scripted = ScriptedDesktop(desktop, saying({("gsettings",): Outcome(0, uri, "")}))
    assert await fetched(scripted, "vm_wallpaper", dest="x.png") == found


async def test_a_terminal_that_does_not_tell_its_text_is_an_error_and_none_is_nothing(desktop: Desktop) -> None:
    for outcome, text in ((Outcome(0, "$ stty size\n24 80", ""), "$ stty size\n24 80"), (Outcome(0, "", ""), None)):
        scripted = ScriptedDesktop(desktop, always(outcome))
        assert await fetched(scripted, "vm_terminal_output") == text
    silent = ScriptedDesktop(desktop, lambda _: Outcome(accessible.SILENT, "", "started without accessibility\n"))
    for kind in ("vm_terminal_output", "accessibility_tree"):
        with pytest.raises(GuestError, match="accessibility can't be read: started without accessibility"):
            await fetched(silent, kind)


@given(st.text(max_size=20), st.text(max_size=20))
def test_names_and_texts_of_widgets_are_sound_xml(name: str, text: str) -> None:
    element = ET.Element(accessible.of("state", name))
    element.text = accessible.clean(text)
    back = ET.fromstring(ET.tostring(element, encoding="utf-8"))
    assert back.tag.startswith("{https://accessibility.ubuntu.example.org/ns/state}")


# Reading.


@pytest.mark.parametrize("kind", sorted(GETTERS))
def test_every_getter_refuses_a_parameter_that_it_does_not_know(kind: str) -> None:
    with pytest.raises((TaskUnsupported, TaskMalformed)) as caught:
        read_getter({"type": kind, "surprise": 1}, "task.evaluator.result", Reading("task-1"))
    assert str(caught.value).startswith("task.evaluator.result")

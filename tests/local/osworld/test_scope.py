"""What an episode touched is told apart from what its task allows: nothing is left out, nothing allowed is told."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drums.local.machines.inventory import HOME, KEYFILE, Inventory, counted, program_name, settings_of
from drums.local.osworld import Change, Scope, TaskMalformed, TaskUnsupported
from drums.local.osworld.scope import LONGEST_GLOB, MOST_GLOBS, name_matches, path_matches, read_scope

letters = st.sampled_from("ab.*?")
globs = st.text(letters, max_size=8)
names = st.text(st.sampled_from("ab."), max_size=8)
parts = st.text(st.sampled_from("ab"), min_size=1, max_size=3)
paths = st.lists(parts, min_size=1, max_size=5).map("/".join)
path_globs = st.lists(parts | st.sampled_from(["*", "**", "?", "a*", "*b"]), min_size=1, max_size=5).map("/".join)
files = st.dictionaries(paths.map(lambda path: f"{HOME}/{path}"), st.sampled_from(["file 1", "file 2", "folder"]))
inventories = st.builds(
    Inventory,
    files,
    st.dictionaries(names.map(lambda name: f"org.{name}"), st.sampled_from(["true", "false"])),
    st.dictionaries(names.filter(bool), st.integers(1, 3)),
    st.booleans(),
)


def as_pattern(glob: str) -> str:
    """A name's glob as a regular expression: what is compared with."""
    return "".join({"*": ".*", "?": "."}.get(letter, re.escape(letter)) for letter in glob)


def as_path_pattern(glob: str) -> str:
    """A path's glob as a regular expression; several `**` in a row are one."""
    pattern = (
        as_pattern(re.sub(r"(\*\*/)+\*\*", "**", glob)).replace(".*.*", "\0").replace(".*", "[^/]*").replace("\0", "\1")
    )
    pattern = "/".join("[^/]" if part == "." else part for part in pattern.split("/"))
    while "\1/" in pattern:
        pattern = pattern.replace("\1/", "(?:[^/]+/)*", 1)
    return re.sub("/\1$", "(?:/.*)?", pattern).replace("\1", ".*")


# Globs.


@given(globs, names)
def test_a_names_glob_is_what_a_regular_expression_would_be(glob: str, name: str) -> None:
    assert name_matches(glob, name) == bool(re.fullmatch(as_pattern(glob), name))


@given(path_globs, paths)
def test_a_paths_glob_is_what_a_regular_expression_would_be(glob: str, path: str) -> None:
    assert path_matches(glob, path) == bool(re.fullmatch(as_path_pattern(glob), path))


@given(paths)
def test_a_path_is_its_own_glob(path: str) -> None:
    assert path_matches(path, path)
    assert path_matches("**", path)
    assert path_matches(f"{path}/**", path)
    assert path_matches(f"{path}/**", f"{path}/deep/below")
    assert not path_matches(f"{path}/*", path)


def test_a_hostile_name_does_not_hold_the_match() -> None:
    # One that backtracks would not come to an end.
    assert not name_matches("*a" * 200 + "b", "a" * 4000)
    assert not path_matches("/".join(["**", "a*a*a"] * 40) + "/b", "/".join(["aaaa"] * 300))


# Changes.


@given(inventories)
def test_nothing_changed_is_nothing_beyond(there: Inventory) -> None:
    assert Scope((), (), ()).beyond(there, there) == []


@given(inventories, inventories)
def test_an_empty_scope_lets_no_change_pass_and_everything_all(before: Inventory, after: Inventory) -> None:
    found = Scope((), (), ()).beyond(before, after)
    changed = {
        kind: {name for name in was.keys() | now.keys() if was.get(name) != now.get(name)}
        for kind, was, now in (
            ("file", before.files, after.files),
            ("setting", before.settings, after.settings),
            ("process", before.programs, after.programs),
        )
    }
    assert {(change.kind, change.name) for change in found} == {(k, n) for k, names in changed.items() for n in names}
    assert Scope(("**",), ("*",), ("*",)).beyond(before, after) == []


@given(inventories, inventories)
def test_a_kind_that_is_not_named_is_not_looked_at(before: Inventory, after: Inventory) -> None:
    assert Scope().beyond(before, after) == []
    assert {change.kind for change in Scope(settings=()).beyond(before, after)} <= {"setting"}


@given(inventories, inventories)
def test_a_change_is_said_as_it_is_and_the_other_way_round(before: Inventory, after: Inventory) -> None:
    there = {change.name: change.change for change in Scope(settings=()).beyond(before, after)}
    back = {change.name: change.change for change in Scope(settings=()).beyond(after, before)}
    turned = {"added": "removed", "removed": "added", "changed": "changed"}
    assert back == {name: turned[word] for name, word in there.items()}


@given(inventories)
def test_an_inventory_comes_out_of_its_bytes_as_it_went_in(there: Inventory) -> None:
    assert Inventory.unpacked(there.packed()) == there


@pytest.mark.parametrize(
    "name",
    [KEYFILE, ".cache/thing", ".config/libreoffice/4/user/registrymodifications.xcu", "Documents/.~lock.a.odt#"],
)
def test_what_programs_write_by_themselves_is_nobodys_doing(name: str) -> None:
    assert Scope(files=()).beyond(Inventory(), Inventory({f"{HOME}/{name}": "file"})) == []


def test_a_new_folder_on_the_way_to_what_may_be_made_is_allowed() -> None:
    made = {f"{HOME}/a": "folder 755", f"{HOME}/a/b": "folder 755", f"{HOME}/a/b/c.txt": "file", f"{HOME}/d": "folder"}
    assert Scope(files=("~/a/b/c.txt",)).beyond(Inventory(), Inventory(made)) == [Change("file", f"{HOME}/d", "added")]
    # but not one that was there and changed
    before = Inventory({f"{HOME}/a": "folder 755"})
    after = Inventory({f"{HOME}/a": "folder 777"})
    assert Scope(files=("~/a/b/c.txt",)).beyond(before, after) == [Change("file", f"{HOME}/a", "changed")]


@pytest.mark.parametrize("glob", ["~/Desktop/*.txt", "Desktop/*.txt", "/home/user/Desktop/*.txt"])
def test_globs_are_absolute_or_below_the_home_folder(glob: str) -> None:
    after = Inventory({f"{HOME}/Desktop/a.txt": "file", f"{HOME}/Desktop/deep/a.txt": "file"})
    assert [change.name for change in Scope(files=(glob,)).beyond(Inventory(), after)] == [f"{HOME}/Desktop/deep/a.txt"]


@pytest.mark.parametrize(
    "glob", ["org.gnome.desktop.session.idle-delay", "org.gnome.desktop.session idle-delay", "org/gnome/desktop/**"]
)
def test_settings_are_named_as_gsettings_or_dconf_name_them(glob: str) -> None:
    after = Inventory(settings=settings_of(b"[org/gnome/desktop/session]\nidle-delay=uint32 0\n"))
    assert Scope(settings=(glob,)).beyond(Inventory(), after) == []
    assert Scope(settings=("org.gnome.shell.*",)).beyond(Inventory(), after) == [
        Change("setting", "org.gnome.desktop.session.idle-delay", "added")
    ]


def test_a_program_of_the_users_own_can_not_pass_for_one_of_the_system() -> None:
    programs = counted(map(program_name, ["/usr/bin/xterm", "/tmp/xterm", "/home/user/xterm (deleted)"]))
    found = Scope(processes=("xterm",)).beyond(Inventory(), Inventory(programs=programs))
    assert [change.name for change in found] == ["/home/user/xterm (deleted)", "/tmp/xterm"]


@given(st.binary(max_size=60))
def test_any_bytes_of_a_settings_file_are_read(content: bytes) -> None:
    assert all(isinstance(value, str) for value in settings_of(content).values())


# Reading.


def test_a_task_without_a_scope_has_none() -> None:
    assert read_scope(None, "task.scope") is None
    assert read_scope({}, "task.scope") == Scope()
    assert read_scope({"files": [], "settings": None}, "task.scope") == Scope(files=())


@pytest.mark.parametrize(
    ("value", "error"),
    [
        ([], TaskMalformed),
        ({"files": "~/x"}, TaskMalformed),
        ({"files": [1]}, TaskMalformed),
        ({"files": [""]}, TaskMalformed),
        ({"files": ["a" * (LONGEST_GLOB + 1)]}, TaskMalformed),
        ({"processes": ["a"] * (MOST_GLOBS + 1)}, TaskMalformed),
        ({"windows": []}, TaskUnsupported),
    ],
)
def test_what_is_no_scope_is_refused(value: Any, error: type[Exception]) -> None:
    with pytest.raises(error, match=r"task\.scope"):
        read_scope(value, "task.scope")

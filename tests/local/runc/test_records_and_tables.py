"""The pure parts of the real desktops: what is read, written and refused, without any desktop."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drums.local.machines.machine import MachineError, Process, ProcessTree, TreeChanged
from drums.local.machines.runc import area, bundle, commands, criu, engine, facts, home, images, made, pstree, recipe
from drums.local.machines.runc.cgroups import Limits
from drums.local.machines.runc.layout import Layout
from drums.local.machines.runc.setup import criu_source, plan

if TYPE_CHECKING:
    from collections.abc import Sequence

names = st.text(st.characters(min_codepoint=32, max_codepoint=126), min_size=1, max_size=15)
numbers = st.integers(1, 1 << 22)


def varint(value: int) -> bytes:
    """A number as protobuf writes it."""
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])


def number_field(field: int, value: int) -> bytes:
    """A field that is a number."""
    return varint(field << 3) + varint(value)


def bytes_field(field: int, value: bytes) -> bytes:
    """A field that is a message or a text."""
    return varint(field << 3 | 2) + varint(len(value)) + value


def write_image(path: Path, records: Sequence[bytes]) -> None:
    """Write an image file as CRIU does."""
    path.write_bytes(bytes(8) + b"".join(struct.pack("<I", len(record)) + record for record in records))


@given(
    st.dictionaries(numbers, st.tuples(names, st.integers(1, 200), st.booleans()), min_size=1, max_size=8),
    st.booleans(),
)
def test_the_processes_in_a_capture_are_read_as_they_were_written(
    tmp_path_factory: pytest.TempPathFactory, processes: dict[int, tuple[str, int, bool]], packed: bool
) -> None:
    folder = tmp_path_factory.mktemp("images")
    entries: list[bytes] = []
    for pid, (name, threads, zombie) in processes.items():
        row = bytes_field(5, b"".join(map(varint, range(1, threads + 1))))
        loose = b"".join(number_field(5, thread) for thread in range(1, threads + 1))
        entries.append(number_field(1, pid) + number_field(2, 1) + (row if packed else loose))
        told = number_field(1, 2 if zombie else 1) + bytes_field(6, name.encode())
        write_image(folder / f"core-{pid}.img", [number_field(1, 1) + bytes_field(3, told)])
    write_image(folder / "pstree.img", entries)

    read = {one.pid: (one.name, one.threads, one.zombie) for one in pstree.saved_processes(folder)}

    assert read == processes


def a_saved(pid: int, name: str, threads: int = 1) -> pstree.SavedProcess:
    """A process in a capture."""
    return pstree.SavedProcess(pid, 1, threads, name, False)


def test_a_capture_with_the_expected_processes_passes() -> None:
    expected = ProcessTree(frozenset({Process(1, 5, 2, "running", "tini"), Process(7, 9, 1, "zombie", "gone")}), 9)

    engine.compare(frozenset({a_saved(1, "tini", 2)}), expected)


@pytest.mark.parametrize(
    "saved", [[], [a_saved(1, "tini")], [a_saved(1, "tini", 2), a_saved(8, "late")], [a_saved(1, "sh", 2)]]
)
def test_a_capture_with_other_processes_is_told_from_the_expected_one(saved: list[pstree.SavedProcess]) -> None:
    expected = ProcessTree(frozenset({Process(1, 5, 2, "running", "tini")}), 9)

    with pytest.raises(TreeChanged):
        engine.compare(frozenset(saved), expected)


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "../a", "-a", "a b", "a\n", "x" * 129, "é"])
def test_a_name_that_is_no_file_name_is_refused(name: str) -> None:
    with pytest.raises(MachineError):
        engine.checked(name)


def test_records_come_back_as_they_were_written(tmp_path: Path) -> None:
    state = facts.StateFacts("desktop", [(1, "tini")], {"agent": 6}, [[(9, -1, 2, 3, 4)], []], "home", 5, 1.5)
    desktop = facts.DesktopFacts("s1", "c1", 99, 7, "boot", state, "home", 1, 2, 0.5, 3, tree=[(1, 7, "tini")])
    facts.write(tmp_path / "state.json", state)
    facts.write(tmp_path / "desktop.json", desktop)

    assert facts.read_state(tmp_path / "state.json") == state
    assert facts.read_desktop(tmp_path / "desktop.json") == desktop
    assert facts.read_state(tmp_path / "other.json") is None


@given(st.lists(st.tuples(st.text("ab \\\t/", min_size=1), st.text("cd \\\t/", min_size=1)), max_size=4))
def test_a_bind_table_has_one_line_of_six_words_per_mount(pairs: list[tuple[str, str]]) -> None:
    table = criu.bind_table({Path("/", target): Path("/", source) for source, target in pairs})

    assert all(len(line.split()) == 6 for line in table.splitlines())
    assert len(table.splitlines()) == len({Path("/", target) for _, target in pairs})


def test_limits_are_read_from_their_text() -> None:
    assert made.limits_of("") == Limits()
    assert made.limits_of("memory=512M, pids=60,cpus=0.5,disk=1.5G") == Limits(512 << 20, 60, 0.5, 3 << 29)


@pytest.mark.parametrize("text", ["memory", "memory=lots", "threads=4", "pids=1.5", "cpus=,"])
def test_a_limit_that_can_not_be_read_is_refused(text: str) -> None:
    with pytest.raises(MachineError, match="DRUMS_DESKTOPS_LIMITS"):
        made.limits_of(text)


@pytest.mark.parametrize("name", recipe.known())
def test_every_recipe_loads_and_pins_its_python_packages(name: str) -> None:
    loaded = recipe.load(name)

    assert all("==" in requirement for requirement in loaded.python)
    assert {"xvfb", "openbox", "python3", "tini"} <= set(loaded.packages)
    assert all(file.path.startswith("/") and file.owner in {"root", "user"} for file in loaded.files)


def test_a_recipe_on_top_of_another_has_all_of_both() -> None:
    base, top = recipe.load("desktop"), recipe.load("office")

    assert set(base.packages) < set(top.packages)
    assert set(base.files) < set(top.files)
    assert (base.aliases, top.aliases) == (("osworld-ubuntu",), ())
    assert base.fingerprint != top.fingerprint


def test_a_recipe_that_is_none_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('packges = ["xterm"]')

    with pytest.raises(MachineError, match="packges"):
        recipe.load(str(path))
    with pytest.raises(MachineError, match="known are chromium, desktop, office"):
        recipe.load("windows")


def test_an_image_is_listed_once_it_is_whole(tmp_path: Path) -> None:
    layout = Layout(tmp_path)
    layout.image("half").folder.mkdir(parents=True)
    layout.image("whole").folder.mkdir()
    whole = images.Image("whole", ("also",), "f", "debian 12", 5)
    images.write(layout, whole)

    assert images.installed(layout) == [whole]


def test_a_home_is_the_same_until_anything_in_it_changes(tmp_path: Path) -> None:
    folder = tmp_path / home.HOME_IN_DESKTOP
    (folder / "Desktop").mkdir(parents=True)
    (folder / "Desktop" / "file").write_text("one")
    (folder / "link").symlink_to("/etc/passwd")
    seen = [home.digest(tmp_path)]
    assert home.digest(tmp_path) == seen[0]

    for change in (
        lambda: (folder / "Desktop" / "file").write_text("two!"),
        lambda: (folder / "Desktop" / "file").chmod(0o600),
        lambda: (folder / "Desktop" / "file").rename(folder / "file"),
        (folder / "new").mkdir,
        (folder / "link").unlink,
    ):
        change()
        seen.append(home.digest(tmp_path))

    assert len(set(seen)) == len(seen)


def test_a_failed_command_can_be_pasted() -> None:
    with pytest.raises(commands.CommandError) as failed:
        commands.run(["sh", "-c", "echo 'two words' >&2; exit 3"])

    assert str(failed.value) == "exit status 3: sh -c 'echo '\"'\"'two words'\"'\"' >&2; exit 3'\ntwo words"


def test_a_command_that_is_not_there_or_too_slow_says_so() -> None:
    with pytest.raises(commands.CommandError, match="not installed: no-such-program"):
        commands.run(["no-such-program"])
    with pytest.raises(commands.CommandError, match="took too long: sleep 5"):
        commands.run(["sleep", "5"], timeout_s=0.05)


class Deed:
    """A step that notes when it is done."""

    def __init__(self, *, done: bool) -> None:
        self.done = done

    def describe(self) -> str:
        return "do it"

    def needed(self) -> bool:
        return not self.done

    def execute(self) -> None:
        self.done = True


def test_a_plan_does_what_is_needed_and_nothing_a_second_time() -> None:
    steps, told = [Deed(done=True), Deed(done=False)], list[str]()

    assert (plan.carry_out(steps, told.append), plan.carry_out(steps, told.append)) == (1, 0)
    assert told[0] == "[1/2] do it: there already"
    assert told[1] == "[2/2] do it …"


@pytest.mark.parametrize(
    ("text", "version"),
    [("Version: 4.2.1\n", (4, 2, 1)), ("6.18.44-fc", (6, 18, 44)), ("criu-3.17", (3, 17)), ("none", ())],
)
def test_a_version_is_found_in_a_text(text: str, version: tuple[int, ...]) -> None:
    assert criu_source.version_of(text) == version


def test_a_bundle_shows_nothing_of_the_host_but_what_it_is_given(tmp_path: Path) -> None:
    config = bundle.config(tmp_path / "disk", tmp_path / "usr", tmp_path / "fb", "key/s1")

    assert [
        mount["destination"] for mount in bundle.mounts(tmp_path / "usr", tmp_path / "fb") if mount["type"] == "bind"
    ] == [
        "/usr",
        "/run/fb",
    ]
    assert config["root"] == {"path": str(tmp_path / "disk"), "readonly": False}


def test_an_area_that_the_host_can_not_hold_is_refused(tmp_path: Path) -> None:
    with pytest.raises(MachineError, match="MB too little"):
        area.demand_space(Layout(tmp_path), 1 << 60)

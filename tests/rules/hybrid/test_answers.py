"""What a desktop answers is read with care: it is what was asked for, or an error."""

from __future__ import annotations

import base64
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drums import DrumsError
from drums.hybrid import FileDenied, FileError, FileMissing, FileTaken, NotAFolder, ToolError, Unsupported
from drums.hybrid._desk import MARK, answer_of, tree_in, windows_in
from drums.hybrid._facts import job_output, listed, sum_in, told
from drums.hybrid._glob import glob_of
from drums.hybrid._host import why_unsafe
from drums.hybrid._refusals import refusal


def coded(raw: bytes) -> str:
    return base64.b64encode(raw).decode()


@given(st.text() | st.binary().map(coded) | st.lists(st.binary().map(coded)).map("\n".join))
def test_whatever_is_printed_is_a_record_or_an_error(output: str) -> None:
    for read in (told, listed, sum_in):
        try:
            read(output)
        except ToolError:
            continue


@pytest.mark.parametrize("name", [b"..", b"../x", b"a/../../x", b"/etc", b"a//b", b".", b""])
def test_no_listing_leads_out_of_its_folder(name: bytes) -> None:
    output = f"{coded(b'/home/user')}\n{coded(b'f 1 644 1.0 user' + bytes(2) + name + bytes(1))}"
    with pytest.raises(ToolError):
        listed(output)


def test_a_listing_that_is_cut_says_so() -> None:
    record = b"f 1 644 1.5 user\0\0name\0"
    whole = listed(f"{coded(b'/')}\n{coded(record)}")
    assert [(entry.path, entry.size, entry.mode) for entry in whole.entries] == [("/name", 1, 0o644)]
    assert not whole.cut
    for length in range(1, len(record)):
        assert listed(f"{coded(b'/')}\n{coded(record + record[:length])}").cut


@given(st.text(max_size=30), st.lists(st.text(max_size=10), max_size=6))
def test_a_jobs_output_is_text_or_an_error(text: str, lines: list[str]) -> None:
    raw = text.encode("utf-8", "surrogatepass")
    found = job_output([str(len(raw)), coded(raw), str(10 + len(raw)), coded(raw)])
    found.stdout.encode()
    assert found.truncated
    assert "10 bytes left out" in found.stderr
    try:
        job_output(lines)
    except ToolError:
        return


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=6) | st.dictionaries(st.sampled_from(["windows", "programs", "x"]), inner),
    max_leaves=20,
)


@given(json_values)
def test_whatever_a_desktop_answers_is_read_or_an_error(value: object) -> None:
    answer = answer_of(f"noise\n{MARK}{json.dumps(value)}\n")
    assert answer == (value if isinstance(value, dict) else None)
    for read in (windows_in, lambda found: tree_in(found, 5)):
        try:
            read(answer or {})
        except ToolError:
            continue


def test_a_tree_is_no_deeper_than_asked() -> None:
    node: list[object] = ["frame", "x", ["showing"], [0, 0, 1, 1], "", []]
    for _ in range(3):
        node = ["frame", "x", [], None, "", [node]]
    assert tree_in({"programs": [node], "count": 4, "cut": False}, 3).programs[0].children[0].role == "frame"
    with pytest.raises(ToolError):
        tree_in({"programs": [node], "count": 4, "cut": False}, 1)


@given(st.text(max_size=40), st.integers(1, 255), st.text(max_size=60))
def test_a_refusal_is_always_an_error_with_a_printable_message(path: str, status: int, complaint: str) -> None:
    error = refusal(path, status, complaint, "files.read_bytes() of s1")
    assert isinstance(error, FileError | Unsupported)
    assert isinstance(error, DrumsError)
    assert str(error).isprintable()


@pytest.mark.parametrize(
    ("complaint", "kind"),
    [
        ("ls: cannot access 'x': No such file or directory", FileMissing),
        ("ls: cannot access 'Permission denied': No such file or directory", FileMissing),
        ("sh: 3: cannot create /x: Permission denied", FileDenied),
        ("mkdir: cannot create directory 'a': File exists", FileTaken),
        ("ls: cannot access 'a/b': Not a directory", NotAFolder),
    ],
)
def test_a_path_in_a_complaint_decides_nothing(complaint: str, kind: type[FileError]) -> None:
    assert type(refusal("x", 1, complaint, "t")) is kind


def test_a_full_disk_is_told_whatever_came_of_it() -> None:
    assert "No space left" in str(refusal("x", 46, "base64: write error: No space left on device", "t"))


# --- names on the host ------------------------------------------------------------------------------------------------


@given(st.text())
def test_a_name_that_is_safe_is_one_name(name: str) -> None:
    for windows in (False, True):
        if why_unsafe(name, windows=windows) is None:
            assert name not in {"", ".", ".."}
            assert not {"/", "\0"} & set(name)
            assert not windows or not {"\\", ":"} & set(name)


@pytest.mark.parametrize("name", ["con", "NUL.txt", "a:b", "x.", "x ", "a\\b", "COM1", "a\nb", "lpt9.x.y", "CONIN$"])
def test_what_windows_can_not_have_is_refused_there_only(name: str) -> None:
    assert why_unsafe(name, windows=True)
    assert why_unsafe(name, windows=False) is None


# --- patterns ---------------------------------------------------------------------------------------------------------


@given(st.text(min_size=1))
def test_any_text_is_a_pattern(pattern: str) -> None:
    found = glob_of(pattern)
    assert found.base
    assert found.depth >= 0


@pytest.mark.parametrize(
    ("pattern", "base", "matching", "others"),
    [
        ("/a/*.txt", "/a", ["x.txt", "é.txt", "x\n.txt"], [".x.txt", "b/x.txt", "x.txt2"]),
        ("a/[!b-d]?", "a", ["ax", "ee"], ["bx", "a", "axx", ".x"]),
        ("~/**", "~", ["a", "a/b", "a/b/c"], [".a", "a/.b"]),
        ("**/x", "~", ["x", "a/x", "a/b/x"], ["ax", ".a/x"]),
        ("[", "~", ["["], ["x"]),
        ("[]]", "~", ["]"], ["["]),
        ("[^a]", "~", ["b"], ["a"]),
        ("[z-a]", "~", ["z", "-", "a"], ["b"]),
        ("*[.]*", "~", ["a.b"], ["ab"]),
    ],
)
def test_a_pattern_matches_as_a_shells(pattern: str, base: str, matching: list[str], others: list[str]) -> None:
    found = glob_of(pattern)
    assert found.base == base
    assert [path for path in matching if not found.matches.fullmatch(path)] == []
    assert [path for path in others if found.matches.fullmatch(path)] == []


@pytest.mark.parametrize(
    ("pattern", "name"), [("/t/" + "*a" * 60 + "b", "a" * 255), ("**/a/" * 40 + "b", "a/" * 500 + "a")]
)
def test_no_name_makes_a_pattern_look_for_ever(pattern: str, name: str) -> None:
    assert glob_of(pattern).matches.fullmatch(name) is None
    assert glob_of(pattern).matches.fullmatch(f"{name[:-1]}b") is not None

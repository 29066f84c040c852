"""Paths and words of the tools: what arrives in a shell of the host is what was given, and nothing is interpreted."""

from __future__ import annotations

import os
import subprocess
from pathlib import PurePosixPath

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drums import BadRequest
from drums.hybrid import _chunks, _commands, _scripts
from drums.hybrid._names import below, bytes_of, folder_word, path_word, text_word

HOME = "/home of/the user"
parts = st.binary(min_size=1, max_size=12).filter(lambda raw: not {*b"\0/"} & {*raw})
texts = st.binary(max_size=40).filter(lambda raw: b"\0" not in raw)
few = settings(max_examples=60)


def shell(script: str, *arguments: str, **variables: str) -> bytes:
    """What a script prints in the host's own shell."""
    environment = {"PATH": os.environ["PATH"], "HOME": HOME, **variables}
    command = ["sh", "-c", script, "drums", *arguments]
    return subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, check=True).stdout


needs_shell = pytest.mark.skipif(os.name != "posix", reason="there is no POSIX shell")
READ_BACK = _scripts.WORD + 'for word in "$@"; do w "$word"; printf "%s\\0" "$v"; done'


@needs_shell
@few
@given(st.lists(texts, min_size=1, max_size=5))
def test_a_word_arrives_as_the_bytes_that_it_is(given_texts: list[bytes]) -> None:
    words = [text_word(text) for text in given_texts]
    assert shell(READ_BACK, *words) == b"".join(text + b"\0" for text in given_texts)
    for word in words:
        word.encode()
        assert word[0] in "lL"


@needs_shell
@few
@given(st.lists(parts, min_size=1, max_size=4), st.sampled_from([b"", b"/", b"~/"]))
def test_a_path_begins_at_the_root_or_at_home(names: list[bytes], start: bytes) -> None:
    raw = start + b"/".join(names)
    under = HOME.encode() + b"/"
    expected = raw if start == b"/" else under + raw.removeprefix(b"~/")
    if raw == b"~":
        expected = HOME.encode()
    assert shell(READ_BACK, path_word(raw)).rstrip(b"\0") == expected
    assert shell(READ_BACK, folder_word(raw)).rstrip(b"\0") == (expected.rpartition(b"/")[0] or b"/") or raw == b"~"
    assert path_word(os.fsdecode(raw)) == path_word(raw) == path_word(raw + b"//")


@needs_shell
def test_home_itself_is_a_path() -> None:
    for home in ("~", "~/", b"~", PurePosixPath("~")):
        assert shell(READ_BACK, path_word(home)) == HOME.encode() + b"\0"
    assert shell(READ_BACK, folder_word("~/a")) == HOME.encode() + b"\0"
    assert shell(READ_BACK, folder_word("/a")) == shell(READ_BACK, path_word("/")) == b"/\0"


@given(st.text(max_size=10))
def test_what_is_no_path_is_refused_before_anything_is_sent(text: str) -> None:
    for path in (f"{text}\0", "", f"{text}\ud800", "x" * 4096):
        with pytest.raises(BadRequest) as refused:
            path_word(path)
        assert refused.value.sent == "no"


def test_names_lead_below_a_path() -> None:
    assert bytes_of(below("~/a/", ["b", "c\udcff"])) == b"~/a/b/c\xff"
    assert below("x", []) == "x"


@given(st.integers(0, 10**6), st.integers(1, 10**5))
def test_parts_are_the_whole(size: int, part: int) -> None:
    parts_found = _chunks.parts_of(size, part)
    at = 0
    for offset, length in parts_found:
        assert offset == at
        assert 0 < length <= part
        at += length
    assert at == size


@needs_shell
@pytest.mark.parametrize(
    "size", [0, 1, _chunks.ARGUMENT - 1, _chunks.ARGUMENT, _chunks.ARGUMENT + 1, _chunks.UPLOAD_PART]
)
def test_as_much_as_one_request_carries_fits_into_a_command(size: int) -> None:
    data = os.urandom(size)
    arguments = _chunks.arguments_of(data)
    assert all(len(argument) < 128 * 1024 for argument in arguments)
    assert shell('for a in "$@"; do printf %s "$a"; done | base64 -d', *arguments) == data


# --- the scripts of the shell tool, in the host's own shell -----------------------------------------------------------

WORDS = [b"a b", b"$(id)", b"`id`", b"'", b'"', b"\\", b"", b"~/x", b"\n", b"\xff\n", b"-n", b"*"]


@needs_shell
@pytest.mark.parametrize("word", WORDS)
def test_a_command_gets_its_words_and_variables_as_they_are(word: bytes) -> None:
    command = _commands.words_of(["printf", "[%s]", word, word])
    run = shell(_commands.RUN, "token", path_word("/"), "0", "n", "5", *command)
    assert run == b"[" + word + b"][" + word + b"]"
    launched = shell(_commands.LAUNCH, "usual", *command)
    assert launched == run
    variables = _commands.variables_of({"GIVEN": os.fsdecode(word), "n": "1", "v": "2"})
    asked = _commands.words_of('printf %s "$GIVEN"; pwd; printf "$n$v"')
    assert shell(_commands.RUN, "token", path_word("/"), "3", "n", "5", *variables, *asked) == word + b"/\n12"


@given(st.text(), st.integers(1, 50))
def test_a_shortened_text_has_both_ends(text: str, most: int) -> None:
    short, cut = _commands.shortened(text, most)
    assert cut == (len(text) > most)
    assert short == text or (short.startswith(text[: most // 2]) and short.endswith(text[len(text) - most // 2 :]))
    assert str(len(text) - most) in short or not cut


@pytest.mark.parametrize(("line", "ending"), [("runs", None), ("killed\n", -9), ("0\n", 0), ("137", 137)])
def test_what_a_job_is_told_by_one_word(line: str, ending: int | None) -> None:
    assert _commands.ending_of(line) == ending


@given(st.text().filter(lambda text: text.strip() not in {"runs", "killed"} and not text.strip().isdigit()))
def test_any_other_word_is_no_job(line: str) -> None:
    with pytest.raises(LookupError):
        _commands.ending_of(line)

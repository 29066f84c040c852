"""Where to connect and with which token: argument over environment over file, and nothing unsound gets through."""

from __future__ import annotations

import copy
import dataclasses
import os
import pickle
import tomllib
import warnings
from pathlib import Path
from typing import Any

import pytest
from hypothesis import event, given
from hypothesis import strategies as st
from yarl import URL

from drums._core.address import authority, checked_url, host_and_port, is_loopback, proxy_for
from drums._core.settings import DEFAULT_URL, Settings, resolve
from drums._version import __version__
from drums.errors import AuthError, BadRequest, DrumsError

TOKEN = "drums_sk_" + "c3" * 8
NAMES = ["DRUMS_URL", "DRUMSD_URL", "DRUMS_TOKEN", "DRUMS_TOKEN_FILE"]


def a_token_file(folder: Path, text: str = TOKEN + "\n", mode: int = 0o600) -> str:
    path = folder / "token"
    path.write_text(text)
    path.chmod(mode)
    return str(path)


def test_the_version_is_the_distribution_s() -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())
    assert project["project"]["version"] == __version__


def test_nothing_set_means_the_daemon_on_this_machine_and_no_token() -> None:
    assert resolve(environ={}) == Settings(DEFAULT_URL)


@pytest.mark.parametrize("given_", [True, False])
@pytest.mark.parametrize("new", [True, False])
@pytest.mark.parametrize("old", [True, False])
def test_an_argument_beats_the_environment_and_the_newer_name_the_older(given_: bool, new: bool, old: bool) -> None:
    environ = {"DRUMS_URL": "http://127.0.0.1:2"} if new else {}
    environ |= {"DRUMSD_URL": "http://127.0.0.1:3"} if old else {}
    chosen = resolve("http://127.0.0.1:1" if given_ else None, environ=environ).url
    expected = "http://127.0.0.1:1" if given_ else environ.get("DRUMS_URL") or environ.get("DRUMSD_URL") or DEFAULT_URL
    assert chosen == expected


def test_a_token_comes_from_the_argument_then_the_environment_then_the_file(tmp_path: Path) -> None:
    environ = {"DRUMS_TOKEN": "from-environment", "DRUMS_TOKEN_FILE": a_token_file(tmp_path)}
    assert resolve(token="from-argument", environ=environ).token == "from-argument"
    assert resolve(environ=environ).token == "from-environment"
    del environ["DRUMS_TOKEN"]
    assert resolve(environ=environ).token == TOKEN
    assert resolve(token="", environ=environ).token is None


def test_an_empty_variable_is_as_good_as_none(tmp_path: Path) -> None:
    environ = dict.fromkeys(NAMES, "") | {"DRUMS_TOKEN_FILE": a_token_file(tmp_path)}
    settings = resolve(environ=environ)
    assert (settings.url, settings.token) == (DEFAULT_URL, TOKEN)


def test_the_environment_is_read_at_the_call(monkeypatch: pytest.MonkeyPatch) -> None:
    for port in ("1", "2"):
        monkeypatch.setenv("DRUMS_URL", f"http://127.0.0.1:{port}")
        assert resolve().url == f"http://127.0.0.1:{port}"


@pytest.mark.skipif(os.name != "posix", reason="file modes are POSIX's")
@pytest.mark.parametrize("mode", [0o644, 0o640, 0o604, 0o620, 0o602, 0o610, 0o601, 0o777])
def test_a_token_file_that_others_can_touch_is_refused(tmp_path: Path, mode: int) -> None:
    path = a_token_file(tmp_path, mode=mode)
    with pytest.raises(AuthError, match="can be read by others") as caught:
        resolve(environ={"DRUMS_TOKEN_FILE": path})
    assert caught.value.hint == f"Run: chmod 600 {path}"
    assert TOKEN not in str(caught.value)


@pytest.mark.parametrize("mode", [0o600, 0o400])
def test_a_token_file_of_one_s_own_is_taken_without_its_line_end(tmp_path: Path, mode: int) -> None:
    path = a_token_file(tmp_path, f"  {TOKEN}\r\n", mode)
    settings = resolve(environ={"DRUMS_TOKEN_FILE": path})
    assert (settings.token, settings.token_source) == (TOKEN, f"the file {path}")


@pytest.mark.parametrize("text", ["", "\n\n"])
def test_an_empty_token_file_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(AuthError, match="is empty"):
        resolve(environ={"DRUMS_TOKEN_FILE": a_token_file(tmp_path, text)})


def test_a_token_file_that_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(AuthError, match="can't be opened: No such file"):
        resolve(environ={"DRUMS_TOKEN_FILE": str(tmp_path / "nowhere")})
    with pytest.raises(AuthError, match="is not a file"):
        resolve(environ={"DRUMS_TOKEN_FILE": str(tmp_path)})


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_token_file_that_is_a_pipe_does_not_hang(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe, 0o600)
    with pytest.raises(AuthError, match="is not a file"):
        resolve(environ={"DRUMS_TOKEN_FILE": str(pipe)})


@pytest.mark.parametrize("token", ["two words", "line\r\nX-Other: 1", "tab\tin", "ünï", "nul\0"])
def test_a_token_that_would_break_its_header_is_refused_unshown(token: str) -> None:
    with pytest.raises(BadRequest) as caught:
        resolve(token=token, environ={})
    assert token not in str(caught.value)
    assert caught.value.sent == "no"


@pytest.mark.parametrize("name", ["timeout_s", "retry_s"])
@pytest.mark.parametrize("value", [-1, float("nan"), float("inf"), "60", None, True])
def test_a_time_that_is_none_is_refused(name: str, value: Any) -> None:
    with pytest.raises(BadRequest):
        resolve(environ={}, **{name: value})


def test_no_time_at_all_is_none_for_a_request_but_fine_for_retries() -> None:
    with pytest.raises(BadRequest, match="more than 0"):
        resolve(environ={}, timeout_s=0)
    assert resolve(environ={}, retry_s=0).retry_s == 0


@pytest.mark.parametrize(
    ("url", "sound"),
    [
        ("http://127.0.0.1:7070", "http://127.0.0.1:7070"),
        ("https://host/gw/", "https://host/gw"),
        ("https://host/a/b%20c//", "https://host/a/b%20c"),
        ("HTTP://Host:80", "http://Host:80"),
        ("http://[::1]:7070/", "http://[::1]:7070"),
        ("  http://host\n", "http://host"),
        ("local", "local"),
    ],
)
def test_a_sound_url_keeps_its_path_and_loses_its_last_slash(url: str, sound: str) -> None:
    assert checked_url(url) == sound


@pytest.mark.parametrize(
    "url",
    [
        "",
        " ",
        "host:7070",
        "//host",
        "file:///etc/passwd",
        "ftp://host",
        "unix:///run/x",
        "http://",
        "http:///path",
        "http://user:pass@host",
        "https://token@host",
        "http://host?x=1",
        "http://host/#x",
        "http://host?",
        "http://host:port",
        "http://host:99999",
        "http://host:0",
        "http://host:",
        "http://a..b",
        "http://.host",
        "http://" + "x" * 64,
        "http://" + "x." * 127 + "example",
        "http://host:-1",
        "http://[::1",
        "http://ho st",
        "http://host\r\nX: y",
        "http://host/\x00",
        "http://bücher.example",
        "http://host\\other",
        "Local",
        None,
        7,
        b"http://host",
    ],
)
def test_an_unsound_url_is_refused_before_anything_is_sent(url: Any) -> None:
    with pytest.raises(BadRequest) as caught:
        checked_url(url)
    assert caught.value.sent == "no"
    assert "pass" not in caught.value.message or "password" in caught.value.message


@given(st.one_of(st.text(max_size=40), st.text(alphabet="htps:/@?#[]%.a1:-\\ ", max_size=30).map("http://".__add__)))
def test_any_text_is_a_sound_url_or_a_bad_request(url: str) -> None:
    try:
        sound = checked_url(url)
    except BadRequest:
        event("refused")
        return
    event("taken")
    assert checked_url(sound) == sound
    assert sound == "local" or sound.startswith(("http://", "https://"))
    assert not set(sound) & set("?#\r\n \\")
    assert "@" not in sound.removeprefix("http://").removeprefix("https://").partition("/")[0]
    if sound != "local":
        is_loopback(sound)
        assert proxy_for(sound, {}) is None
        host, port = host_and_port(sound)
        assert host
        assert 0 < port < 65536
        host.encode("idna")  # as the resolver does
        assert URL(sound + "/v1/slots", encoded=True).host is not None  # as aiohttp does


def test_an_ipv6_host_stands_in_brackets_where_a_port_follows() -> None:
    assert authority(*host_and_port("http://[::1]")) == "[::1]:80"
    assert authority(*host_and_port("https://Host")) == "host:443"


@pytest.mark.parametrize(
    ("url", "here"),
    [
        ("http://127.0.0.1:1", True),
        ("http://127.8.9.1", True),
        ("http://[::1]:1", True),
        ("http://localhost", True),
        ("http://LOCALHOST", True),
        ("http://drums.localhost", True),
        ("http://localhost.example", False),
        ("http://127.0.0.1.example", False),
        ("http://0.0.0.0", False),
        ("http://10.0.0.1", False),
        ("http://[2001:db8::1]", False),
    ],
)
def test_this_machine_is_told_from_others(url: str, here: bool) -> None:
    assert is_loopback(url) is here


def test_a_token_over_plain_http_to_another_host_warns_where_the_caller_stands() -> None:
    with pytest.warns(UserWarning, match="goes unencrypted to http://host:7070") as caught:
        resolve("http://host:7070", TOKEN, environ={})
    [warning] = caught
    assert warning.filename == __file__
    assert TOKEN not in str(warning.message)


@pytest.mark.parametrize(
    ("url", "token"), [("https://host", TOKEN), ("http://127.0.0.1:1", TOKEN), ("http://host", None), ("local", TOKEN)]
)
def test_nothing_else_warns(url: str, token: str | None) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        resolve(url, token, environ={})


def test_the_token_is_shown_nowhere_and_pickled_never(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in NAMES:
        monkeypatch.delenv(name, raising=False)
    settings = resolve("https://host/gw", TOKEN, environ={})
    assert TOKEN not in repr(settings) + str(settings) + f"{settings}"
    assert TOKEN.encode() not in pickle.dumps(settings)
    assert copy.deepcopy(settings) is settings
    assert copy.copy(settings).token == TOKEN


def test_another_process_takes_its_own_token(monkeypatch: pytest.MonkeyPatch) -> None:
    pickled = pickle.dumps(resolve("https://host/gw", TOKEN, timeout_s=5, retry_s=7, environ={}))
    monkeypatch.setenv("DRUMS_URL", "https://other")
    monkeypatch.setenv("DRUMS_TOKEN", "the-worker-s")
    settings = pickle.loads(pickled)
    assert (settings.url, settings.token) == ("https://host/gw", "the-worker-s")
    assert (settings.timeout_s, settings.retry_s) == (5, 7)


def test_another_process_without_a_token_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in NAMES:
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(AuthError, match="came from another process") as caught:
        pickle.loads(pickle.dumps(resolve("https://host", TOKEN, environ={})))
    assert "DRUMS_TOKEN" in str(caught.value.hint)
    tokenless = resolve("https://host", environ={})
    assert pickle.loads(pickle.dumps(tokenless)) == tokenless


@pytest.mark.parametrize(
    ("environ", "url", "proxy"),
    [
        ({}, "https://host", None),
        ({"HTTPS_PROXY": "http://p:3128"}, "https://host", "http://p:3128"),
        ({"HTTPS_PROXY": "http://p:3128"}, "http://host", None),
        ({"HTTP_PROXY": "p:3128"}, "http://host", "http://p:3128"),
        ({"https_proxy": "http://small", "HTTPS_PROXY": "http://big"}, "https://host", "http://small"),
        ({"ALL_PROXY": "http://all"}, "https://host", "http://all"),
        ({"ALL_PROXY": "http://all"}, "http://127.0.0.1:7070", None),
        ({"ALL_PROXY": "http://all"}, "http://localhost:7070", None),
        ({"ALL_PROXY": "http://all"}, "http://[::1]:7070", None),
        ({"HTTP_PROXY": "http://visitor", "REQUEST_METHOD": "GET"}, "http://host", None),
        ({"http_proxy": "http://own", "REQUEST_METHOD": "GET"}, "http://host", "http://own"),
        ({"HTTPS_PROXY": "http://u:p@proxy"}, "https://host", "http://u:p@proxy"),
        ({"HTTPS_PROXY": "  "}, "https://host", None),
    ],
)
def test_a_proxy_is_taken_from_the_environment_but_never_to_this_machine(
    environ: dict[str, str], url: str, proxy: str | None
) -> None:
    assert resolve(url, environ=environ).proxy == proxy


@pytest.mark.parametrize(
    ("no_proxy", "direct"),
    [
        ("*", True),
        ("host.example", True),
        (".example", True),
        ("example", True),
        ("*.example", True),
        ("HOST.EXAMPLE", True),
        ("other, host.example", True),
        ("host.example:8443", True),
        ("host.example:443", False),
        ("ost.example", False),
        ("host", False),
        ("example.com", False),
        ("", False),
    ],
)
def test_no_proxy_names_who_is_reached_directly(no_proxy: str, direct: bool) -> None:
    environ = {"HTTPS_PROXY": "http://proxy", "NO_PROXY": no_proxy}
    assert (proxy_for("https://host.example:8443", environ) is None) is direct


@pytest.mark.parametrize("proxy", ["socks5://p:1080", "https://p:443", "http://", "http://p:x"])
def test_a_proxy_that_is_not_spoken_is_refused_rather_than_passed_by(proxy: str) -> None:
    with pytest.raises(BadRequest):
        resolve("https://host", environ={"HTTPS_PROXY": proxy})


@given(st.dictionaries(st.sampled_from([*NAMES, "HTTPS_PROXY", "NO_PROXY", "all_proxy"]), st.text(max_size=30)))
def test_any_environment_gives_settings_or_a_typed_error(environ: dict[str, str]) -> None:
    environ.pop("DRUMS_TOKEN_FILE", None)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            settings = resolve(environ=environ)
        except DrumsError as fault:
            event(type(fault).__name__)
        else:
            event("taken")
            assert repr(settings) == repr(dataclasses.replace(settings, token=None, proxy=None))

"""A task's files come whole, from the cache, its pack or, with leave, the web; a missing one is told by name."""

from __future__ import annotations

import asyncio
import json
import ssl
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import NAMESPACE_URL, uuid5

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drums.local.osworld import SetupFailed, TaskLibrary, TaskMalformed, TaskUnsupported, check, fetching, set_up
from drums.local.osworld.cache import FileCache, FileUnavailable, default_folder
from drums.local.osworld.fetching import CannotFetch, is_public
from drums.local.osworld.task import read_task
from tests.io.server import CERTIFICATES, Server
from tests.local.osworld.tasks import a_task, an_evaluator, expecting

if TYPE_CHECKING:
    from collections.abc import Iterator

    from drums.local.machines.machine import Desktop
    from tests.io.server import Peer

TASK_ID: str = a_task()["id"]
URL = "https://example.org/files/start%20one.txt"
GOLD_URL = "https://example.org/files/gold.txt"


def downloading(url: str = URL, path: str = "/home/user/in/start.txt") -> dict[str, Any]:
    return {"type": "download", "parameters": {"files": [{"url": url, "path": path}]}}


def a_comparing_task(**changes: Any) -> dict[str, Any]:
    """A task that puts a file into the desktop and compares it with a reference."""
    evaluator = an_evaluator(
        func="compare_text_file",
        result={"type": "vm_file", "path": "/home/user/in/start.txt", "dest": "start.txt"},
        expected={"type": "cloud_file", "path": GOLD_URL, "dest": "gold.txt"},
    )
    return {**a_task(config=[downloading()], evaluator=evaluator), **changes}


def put(folder: Path, url: str, name: str, content: bytes) -> Path:
    """Have the cache have a file, where OSWorld would."""
    path = folder / TASK_ID / f"{uuid5(NAMESPACE_URL, url)}_{name}"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def library_with(tmp_path: Path) -> TaskLibrary:
    return TaskLibrary([], cache=FileCache(tmp_path))


# The cache.


async def test_files_in_the_cache_are_put_into_the_desktop_and_compared_with(tmp_path: Path, desktop: Desktop) -> None:
    put(tmp_path, URL, "start.txt", b"one\n")
    gold = put(tmp_path, GOLD_URL, "gold.txt", b"one\n")
    task = library_with(tmp_path).load(a_comparing_task())
    await set_up(task, desktop)
    assert await desktop.read_file("/home/user/in/start.txt", 10) == b"one\n"
    assert (await check(task, desktop)).score == 1.0
    gold.write_bytes(b"other\n")
    assert (await check(task, desktop)).score == 0.0


@pytest.mark.parametrize("present", [[], ["start.txt"], ["gold.txt"]])
def test_a_task_whose_files_are_missing_is_refused_with_url_and_place(tmp_path: Path, present: list[str]) -> None:
    for url, name in ((URL, "start.txt"), (GOLD_URL, "gold.txt")):
        if name in present:
            put(tmp_path, url, name, b"")
    with pytest.raises(TaskUnsupported) as caught:
        library_with(tmp_path).load(a_comparing_task())
    url, name = (URL, "start.txt") if "start.txt" not in present else (GOLD_URL, "gold.txt")
    place = tmp_path / TASK_ID / f"{uuid5(NAMESPACE_URL, url)}_{name}"
    more = " (1 more are missing)" if not present else ""
    assert str(caught.value) == (
        f"task {TASK_ID}: the file {url} is not in the cache; put it at {place}, or start the daemon with "
        f"--allow-downloads{more}"
    )
    assert not place.exists()


async def test_a_reference_that_went_missing_is_an_error_and_no_score(tmp_path: Path, desktop: Desktop) -> None:
    put(tmp_path, URL, "start.txt", b"one\n")
    gold = put(tmp_path, GOLD_URL, "gold.txt", b"one\n")
    library = library_with(tmp_path)
    task = library.load(a_comparing_task())
    await set_up(task, desktop)
    gold.unlink()
    verdict = await check(library.load(a_comparing_task(), demand_files=False), desktop)
    assert (verdict.score, verdict.error_kind) == (None, "crashed")
    assert (verdict.checker_error or "").startswith(f"a reference is missing: the file {GOLD_URL} is not in the cache")
    with pytest.raises(SetupFailed, match=r"files: the file .*gold\.txt is not in the cache"):
        await set_up(task, desktop)


async def test_a_result_that_is_missing_in_the_desktop_scores_0(tmp_path: Path, desktop: Desktop) -> None:
    put(tmp_path, URL, "start.txt", b"one\n")
    put(tmp_path, GOLD_URL, "gold.txt", b"one\n")
    task = library_with(tmp_path).load(a_comparing_task())
    assert (await check(task, desktop)).score == 0.0


async def test_a_missing_result_is_one_metrics_0_and_not_the_previous_ones_result(
    tmp_path: Path, desktop: Desktop
) -> None:
    """OSWorld's own loop keeps the state that the metric before had fetched."""
    put(tmp_path, GOLD_URL, "gold.txt", b"one\n")
    await desktop.write_file("/home/user/there.txt", b"two\n")
    evaluator = an_evaluator(
        func=["file_contains", "compare_text_file"],
        conj="or",
        result=[{"type": "vm_file", "path": f"/home/user/{name}.txt"} for name in ("there", "missing")],
        expected=[expecting(["three"]), {"type": "cloud_file", "path": GOLD_URL, "dest": "gold.txt"}],
    )
    task = library_with(tmp_path).load(a_comparing_task(config=[], evaluator=evaluator))
    assert (await check(task, desktop)).score == 0.0


async def test_several_references_are_a_list_in_the_order_of_gives(tmp_path: Path) -> None:
    urls = [f"https://example.org/{name}" for name in "abc"]
    for url, name in zip(urls, "abc", strict=True):
        put(tmp_path, url, name, name.encode())
    getter: dict[str, Any] = {"type": "cloud_file", "path": urls, "dest": list("abc"), "multi": True}

    async def fetched(**more: Any) -> object:
        task = library_with(tmp_path).load(
            a_comparing_task(config=[], evaluator=an_evaluator(expected={**getter, **more}))
        )
        expected: Any = task.evaluator.metrics[0].expected
        return await expected.fetch(None)

    assert await fetched() == b"a"
    assert await fetched(gives=[1]) == b"b"
    assert await fetched(gives=[2, 0]) == [b"c", b"a"]


async def test_each_file_is_named_once_however_often_a_task_uses_it(tmp_path: Path) -> None:
    task = read_task(a_comparing_task(config=[downloading(), downloading()]), cache=FileCache(tmp_path))
    assert [file.url for file in task.files] == [URL, GOLD_URL]
    assert task.missing == task.files


ids = st.text(max_size=12) | st.sampled_from(["..", ".", "a/b", "../x", "a\0b", "ok-1", "\u00e9", ".hidden"])
names = st.text(max_size=12) | st.sampled_from(["..", "/", "a/..", "x/y.txt", "\0", "." * 300])


@given(task_id=ids, name=names, url=st.text(min_size=1, max_size=30))
def test_no_id_and_no_name_leads_out_of_the_cache(task_id: str, name: str, url: str) -> None:
    folder = Path("/cache")
    try:
        file = FileCache(folder).file(task_id, url, name, "task")
    except TaskMalformed:
        return
    assert file.path.parent.parent == folder
    assert ".." not in file.path.parts
    assert file.path.name.startswith(str(uuid5(NAMESPACE_URL, url)))


def test_the_cache_is_where_the_environment_says() -> None:
    home = Path.home()
    assert default_folder({"DRUMS_OSWORLD_CACHE": "/x/y"}) == Path("/x/y")
    assert default_folder({"XDG_CACHE_HOME": "/x"}) == Path("/x/drums/osworld")
    assert default_folder({"XDG_CACHE_HOME": "relative"}) == home / ".cache/drums/osworld"
    assert default_folder({}) == home / ".cache/drums/osworld"


def deep(depth: int) -> bytes:
    return b'{"id": "x", "instruction": "x", "a": ' + b"[" * depth + b"]" * depth + b"}"


@pytest.mark.parametrize(
    "content",
    [
        b"[]",
        b"no JSON",
        b"\xff\xfe",
        deep(100_000),
        b'{"id": "x", "instruction": "x", "a": NaN}',
        b'{"id": "x", "instruction": "\\ud800"}',
        None,
    ],
    ids=["no object", "no JSON", "no UTF-8", "deep", "NaN", "half a character", "a link to nothing"],
)
def test_what_is_no_task_is_named_when_its_pack_is_read(tmp_path: Path, content: bytes | None) -> None:
    file = tmp_path / "files_of_office" / "bad.json"
    file.parent.mkdir()
    if content is None:
        file.symlink_to("nowhere")
    else:
        file.write_bytes(content)
    with pytest.raises(TaskMalformed, match=r"files_of_office/bad\.json"):
        TaskLibrary([tmp_path])


# The web.


@pytest.fixture
def trusted() -> ssl.SSLContext:
    """Trusts the test's server."""
    return ssl.create_default_context(cafile=str(CERTIFICATES / "localhost.pem"))


@pytest.fixture
def serving() -> Iterator[Server]:
    """A server of files over TLS; a test may change its script."""
    with Server(certificate="localhost.pem") as server:
        yield server


def fetch(url: str, target: Path, **named: Any) -> None:
    """Fetch from this machine too."""
    fetching.fetch(url, target, may_reach=lambda _: True, **named)


async def no_wait(_: float) -> None:
    pass


def test_a_file_is_fetched_whole_into_its_place(tmp_path: Path, serving: Server, trusted: ssl.SSLContext) -> None:
    target = tmp_path / "task" / "file"
    fetch(serving.url + "/a%20b", target, context=trusted)
    assert target.read_bytes() == b"/a%20b"
    assert list(target.parent.iterdir()) == [target]


def test_a_redirect_is_followed_over_https_only(tmp_path: Path, serving: Server, trusted: ssl.SSLContext) -> None:
    def script(peer: Peer) -> None:
        asked = peer.request().target
        there = {"/there": f"{serving.url}/file", "/away": f"http://127.0.0.1:{serving.port}/file"}.get(asked)
        if there is None:
            peer.answer(asked.encode())
        else:
            peer.answer(status=302, head=f"Location: {there}\r\nConnection: close\r\n")

    serving.script = script
    fetch(serving.url + "/there", tmp_path / "x", context=trusted)
    assert (tmp_path / "x").read_bytes() == b"/file"
    with pytest.raises(CannotFetch, match="only https:// is fetched"):
        fetch(serving.url + "/away", tmp_path / "y", context=trusted)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["x"]


@pytest.mark.parametrize("url", ["http://example.org/x", "file:///etc/passwd", "ftp://example.org/x", "data:,x", ""])
def test_nothing_but_https_is_fetched(tmp_path: Path, url: str) -> None:
    with pytest.raises(CannotFetch, match="only https:// is fetched"):
        fetch(url, tmp_path / "x")


def test_a_server_that_fails_is_asked_three_times_and_one_that_refuses_once(
    tmp_path: Path, serving: Server, trusted: ssl.SSLContext
) -> None:
    waited: list[float] = []
    statuses = [503, 500, 200, 404]

    def script(peer: Peer) -> None:
        peer.request()
        peer.answer(b"content", status=statuses.pop(0), head="Connection: close\r\n")

    serving.script = script
    fetch(serving.url, tmp_path / "x", context=trusted, sleep=waited.append)
    assert ((tmp_path / "x").read_bytes(), waited) == (b"content", [1.0, 2.0])
    with pytest.raises(CannotFetch, match="the server answered 404"):
        fetch(serving.url, tmp_path / "y", context=trusted, sleep=waited.append)
    assert len(waited) == 2


def cut_short(peer: Peer) -> None:
    peer.request()
    peer.send(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nten bytes.")


def without_an_end(peer: Peer) -> None:
    peer.request()
    peer.send(b"HTTP/1.1 200 OK\r\n\r\nas much as there is")


def cut_short_in_its_head(peer: Peer) -> None:
    peer.request()
    peer.send(b"HTTP/1.1 200 OK\r\nContent-Len")


def too_much(peer: Peer) -> None:
    peer.request()
    peer.answer(b"x" * 200)


def broken_off(peer: Peer) -> None:
    peer.request()
    peer.reset()


@pytest.mark.parametrize("script", [cut_short, without_an_end, cut_short_in_its_head, too_much, broken_off])
def test_a_fetch_that_failed_leaves_nothing(
    tmp_path: Path, serving: Server, trusted: ssl.SSLContext, script: Any
) -> None:
    serving.script = script
    with pytest.raises(CannotFetch):
        fetch(serving.url, tmp_path / "x", context=trusted, limit_bytes=150, sleep=lambda _: None)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "head", [b"", b"HTTP/1.1 200 OK\r\nContent-", b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nbegun"]
)
def test_a_server_that_never_ends_is_cut_off(
    tmp_path: Path, serving: Server, trusted: ssl.SSLContext, head: bytes
) -> None:
    def script(peer: Peer) -> None:
        peer.request()
        peer.send(head)
        peer.until_gone()

    serving.script = script
    with pytest.raises(CannotFetch, match="it took longer than"):
        fetch(serving.url, tmp_path / "x", context=trusted, within_s=0.3)
    assert list(tmp_path.iterdir()) == []


def test_only_public_addresses_are_asked(tmp_path: Path, serving: Server, trusted: ssl.SSLContext) -> None:
    asked: list[str] = []

    def script(peer: Peer) -> None:
        asked.append(peer.request().target)
        peer.answer(b"secret")

    serving.script = script
    with pytest.raises(CannotFetch, match="only public addresses are asked"):
        fetching.fetch(serving.url, tmp_path / "x", context=trusted)
    assert (asked, list(tmp_path.iterdir())) == ([], [])


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("93.184.216.34", True),
        ("2606:4700::1111", True),
        *((private, False) for private in ("127.0.0.1", "10.1.2.3", "169.254.169.254", "192.168.0.1", "100.64.0.1")),
        *(
            (private, False)
            for private in ("0.0.0.0", "224.0.0.1", "::1", "fe80::1%eth0", "fd00::1", "::ffff:127.0.0.1")
        ),
    ],
)
def test_what_is_public(address: str, public: bool) -> None:
    assert is_public(address) is public


def test_an_unknown_certificate_is_no_source(tmp_path: Path, serving: Server) -> None:
    with pytest.raises(CannotFetch, match="certificate"):
        fetch(serving.url, tmp_path / "x", sleep=lambda _: None)


async def test_with_leave_files_are_fetched_once_and_kept(tmp_path: Path, desktop: Desktop) -> None:
    fetched: list[str] = []

    def fetch_it(url: str, path: Path) -> None:
        fetched.append(url)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"one\n")

    library = TaskLibrary([], cache=FileCache(tmp_path, fetch_it))
    task = library.load(a_comparing_task())
    await asyncio.gather(*(set_up(task, desktop) for _ in range(3)))
    assert (await check(task, desktop)).score == 1.0
    assert fetched == [URL, GOLD_URL]


async def test_a_file_that_can_not_be_fetched_ends_the_setup(tmp_path: Path, desktop: Desktop) -> None:
    def fetch_it(url: str, path: Path) -> None:
        raise CannotFetch("the server answered 404 Not Found")

    task = TaskLibrary([], cache=FileCache(tmp_path, fetch_it)).load(a_comparing_task())
    with pytest.raises(SetupFailed, match=r"files: https://.*could not be fetched: the server answered 404"):
        await set_up(task, desktop)


async def test_a_file_that_can_not_be_read_is_told(tmp_path: Path) -> None:
    cache = FileCache(tmp_path)
    file = cache.file(TASK_ID, URL, "x", "task")
    with pytest.raises(FileUnavailable, match="is not in the cache"):
        await cache.content(file)


# The pack's own files.


def a_pack(folder: Path, task: dict[str, Any]) -> TaskLibrary:
    (folder / "pack" / "os").mkdir(parents=True, exist_ok=True)
    (folder / "pack" / "os" / f"{task['id']}.json").write_text(json.dumps(task), encoding="utf-8")
    return TaskLibrary([folder / "pack"])


def a_task_with_files(local_path: str = "in/start.txt", gold: str = "gold.txt") -> dict[str, Any]:
    upload = {"files": [{"local_path": local_path, "path": "/home/user/start.txt"}]}
    evaluator = an_evaluator(
        func="compare_text_file",
        result={"type": "vm_file", "path": "/home/user/start.txt"},
        expected={"type": "pack_file", "path": gold},
    )
    return a_task(config=[{"type": "upload_file", "parameters": upload}], evaluator=evaluator)


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """The pack's folder of files."""
    folder = tmp_path / "pack" / "files"
    (folder / "in").mkdir(parents=True)
    (folder / "in" / "start.txt").write_bytes(b"one\n")
    (folder / "gold.txt").write_bytes(b"one\n")
    return folder


async def test_a_pack_brings_its_own_files(tmp_path: Path, files: Path, desktop: Desktop) -> None:
    raw = a_task_with_files()
    library = a_pack(tmp_path, raw)
    for task in (library.find(TASK_ID), library.load(json.loads(json.dumps(raw)))):
        await set_up(task, desktop)
        assert (await check(task, desktop)).score == 1.0
    (files / "gold.txt").unlink()
    verdict = await check(task, desktop)
    assert verdict.score is None
    assert (verdict.checker_error or "").startswith("a reference is missing: the pack's file can't be read")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("../secret.txt", "expected a name in the pack's folder 'files'"),
        ("/etc/passwd", "expected a name in the pack's folder 'files'"),
        ("in\\..\\x", "expected a name in the pack's folder 'files'"),
        ("link.txt", "'link.txt' leads out of the pack's folder 'files'"),
        ("in", "the pack's folder 'files' has no file 'in'"),
        ("missing.txt", "the pack's folder 'files' has no file 'missing.txt'"),
    ],
)
def test_no_name_leads_out_of_the_packs_folder(tmp_path: Path, files: Path, name: str, message: str) -> None:
    (tmp_path / "secret.txt").write_text("secret", encoding="utf-8")
    (files / "link.txt").symlink_to(tmp_path / "secret.txt")
    for task, place in (
        (a_task_with_files(local_path=name), "task.config[0].parameters.files[0].local_path"),
        (a_task_with_files(gold=name), "task.evaluator.expected.path"),
    ):
        with pytest.raises(TaskMalformed) as caught:
            a_pack(tmp_path, task).find(TASK_ID)
        assert str(caught.value).startswith(f"{place}: ")
        assert message in str(caught.value)


def test_a_task_that_is_not_word_for_word_the_packs_may_not_name_its_files(tmp_path: Path, files: Path) -> None:
    library = a_pack(tmp_path, a_task_with_files())
    with pytest.raises(TaskUnsupported, match="can only be named by a task of a pack"):
        library.load(a_task_with_files() | {"instruction": "Another one."})


def test_files_and_proofs_of_a_pack_are_no_tasks(tmp_path: Path, files: Path) -> None:
    (files / "data.json").write_text("[1]", encoding="utf-8")
    library = a_pack(tmp_path, a_task_with_files())
    (tmp_path / "pack" / "os" / f"{TASK_ID}.proof.json").write_text("{}", encoding="utf-8")
    assert len(TaskLibrary([tmp_path / "pack"])) == len(library) == 1

"""Whatever file a desktop hands over, a check ends with a score or a fault, in the sandbox's time and memory."""

from __future__ import annotations

import contextlib
import gzip
import io
import tarfile
import zipfile
import zlib
from typing import TYPE_CHECKING

import pytest

from drums.local.osworld.checkers import CheckerFault, CheckerTimeout, images
from drums.local.osworld.sandbox import Sandbox
from tests.local.osworld.test_archive_checkers import a_pdf, zipped
from tests.local.osworld.test_checkers import database
from tests.local.osworld.test_picture_checkers import ORIGINAL

if TYPE_CHECKING:
    from collections.abc import Iterator

MIB = 1 << 20


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    sandbox = Sandbox()
    yield sandbox
    sandbox.end()


def quine_of_zips() -> bytes:
    """Zip files in zip files: what is inside is never opened as well."""
    inner = b"x" * 1000
    for _ in range(20):
        inner = zipped({"a.zip": inner, "b.zip": inner})
    return inner


def gzip_bomb(size: int) -> bytes:
    """A tar file whose one member unpacks to so much."""
    stream = io.BytesIO()
    with gzip.GzipFile(fileobj=stream, mode="wb", compresslevel=1) as file:
        member = tarfile.TarInfo("zeros")
        member.size = size
        file.write(member.tobuf())
        for _ in range(size // MIB):
            file.write(bytes(MIB))
    return stream.getvalue()


def lying_zip() -> bytes:
    """A zip file whose member is larger than it says."""
    content = zipped({"a.txt": bytes(MIB)})
    return content.replace((MIB).to_bytes(4, "little"), (4).to_bytes(4, "little"))


def overlapping_zip() -> bytes:
    """A zip file whose members are all the same piece of it."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("0", bytes(8 * MIB))
        first = archive.filelist[0]
        for number in range(1, 200):
            other = zipfile.ZipInfo(str(number))
            for name in ("compress_type", "CRC", "compress_size", "file_size", "header_offset"):
                setattr(other, name, getattr(first, name))
            archive.filelist.append(other)
            archive.NameToInfo[str(number)] = other
    return stream.getvalue()


def png_bomb(size: int) -> bytes:
    """A picture that says it is small and unpacks without end."""
    head, data, rest = ORIGINAL[:33], zlib.compress(bytes(size), 1), b"\0\0\0\0IEND\xaeB`\x82"
    chunk = b"IDAT" + data
    return head + len(data).to_bytes(4, "big") + chunk + zlib.crc32(chunk).to_bytes(4, "big") + rest


def yaml_bomb() -> bytes:
    """A few lines of references to references: a billion values, where each is copied."""
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 10)]
    return "\n".join(lines).encode()


def view_without_end() -> bytes:
    """A database whose table is a view that counts for ever."""
    return database(
        "CREATE VIEW mail AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x AS star FROM n"
    )


ENTITIES = b'<!DOCTYPE r [<!ENTITY a "x"><!ENTITY b "&a;&a;&a;&a;">]><root><state>&b;</state></root>'
EXTERNAL = b'<!DOCTYPE r [<!ENTITY a SYSTEM "file:///etc/passwd">]><root><state>&a;</state></root>'


def hostile_files(large: int, deep: int) -> dict[str, bytes]:
    """What an agent, or a page that it met, could leave where a checker looks.

    Args:
        large: The size of the large ones, in bytes.
        deep: How deeply the nested ones are nested.
    """
    return {
        "empty": b"",
        "NUL": b"\0" * 1000,
        "no UTF-8": b"\xff\xfe\x80\x81" * 100,
        "UTF-16": "a=1\n{}".encode("utf-16"),
        "surrogates": b"\xed\xa0\x80\xed\xb0\x80",
        "all bytes": bytes(range(256)) * (large // 256),
        "a long line": b"x" * large,
        "many lines": b"a=\n" * (large // 3),
        "deep JSON": b"[" * deep,
        "deep objects": b'{"a":' * deep,
        "infinite JSON": b'{"a": Infinity, "b": NaN, "c": 1e999, "expected": -Infinity}',
        "a number of many digits": b'{"a": ' + b"9" * large + b"}",
        "deep YAML": b"[" * deep,
        "YAML bomb": yaml_bomb(),
        "XML entities": ENTITIES,
        "external XML": EXTERNAL,
        "deep XML": b"<a>" * deep,
        "zips in zips": quine_of_zips(),
        "gzip bomb": gzip_bomb(large),
        "lying zip": lying_zip(),
        "overlapping zip": overlapping_zip(),
        "links": zipped({}, "../../etc/passwd", "a"),
        "PNG bomb": png_bomb(large),
        "PDF that is cut short": a_pdf("x" * 1000)[:-300],
        "PDF of itself": a_pdf("x").replace(b"/Kids [4 0 R]", b"/Kids [2 0 R]"),
        "quotes without end": b'"' + b"x,\n" * (large // 3),
        "view without end": view_without_end(),
        "broken database": database("CREATE TABLE mail (star)")[:600] + bytes(4000),
    }


A_FILE = b"x\ny\n"
REFERENCES: dict[str, object] = {
    "compare_pdfs": a_pdf("x"),
    "compare_archive": zipped({"a.txt": b"x"}),
    **dict.fromkeys(images.CHECKERS, ORIGINAL),
    "check_image_size": {"width": 5},
    **dict.fromkeys(("compare_text_file", "compare_csv", "compare_python_pure_text"), A_FILE),
    **dict.fromkeys(("compare_result_files", "diff_text_file"), A_FILE),
    "check_thunderbird_folder": b"From x\nSubject: y\n\nz",
    "check_json": {"unexpect": [{"key": ["a9"], "method": "re", "ref": "x"}]},
    "check_json_settings": {"expected": {"a": 1}},
    "check_json_keybindings": {"expected": {"a": 1}},
    "run_sqlite3": {"sql": "SELECT COUNT(*) FROM mail"},
    "check_image_file_size": {"max_size": 5},
    "check_pdf_pages": {"relation": "eq", "ref_value": 1},
    "is_vlc_playing": {"type": "file_name", "file_name": "x"},
    "check_config_status": {"key": "a", "value": "b"},
    "check_qt_bgcone": {"expected_qt_bgcone": 1},
    "check_list": {"unexpect": ["(a|aa)+$", "(x+x+)+y"]},
    "compare_config": {"expected": "x"},
    "file_contains": {"expected": ["x"]},
    "check_line_number": {"expected": 5},
    "check_csv": {"unexpect": [{"a": "b"}]},
    "check_thunderbird_prefs": {"unexpect": {"a": {"method": "re", "ref": "(x+x+)+y"}}},
    "check_thunderbird_filter": {"unexpect": [{"name": "x"}]},
    "check_history_deleted": {"type": "keywords", "keywords": ["x"]},
    "is_cookie_deleted": {"type": "domains", "domains": ["x"]},
    "check_qt_slider_colours": {"type": "blackish"},
}
"""Every checker that reads a file, with what it compares the file with."""
ONE_OF_EACH = (
    *("compare_text_file", "diff_text_file", "check_list", "check_csv", "compare_csv", "run_sqlite3", "check_json"),
    *("check_config_status", "check_thunderbird_prefs", "check_thunderbird_filter", "check_thunderbird_folder"),
    *("is_vlc_playing", "check_image_size", "check_structure_sim", "check_pdf_pages", "compare_archive"),
)
"""A checker for each way of reading a file."""


@pytest.fixture(scope="module")
def small() -> dict[str, bytes]:
    return hostile_files(large=MIB, deep=20_000)


@pytest.fixture(scope="module")
def large() -> dict[str, bytes]:
    return hostile_files(large=48 * MIB, deep=MIB)


async def judge(sandbox: Sandbox, name: str, files: dict[str, bytes], timeout_s: float) -> None:
    """Every file is a score, a fault, or stopped; and the sandbox is as good as before."""
    for kind, content in files.items():
        with contextlib.suppress(CheckerFault):
            assert 0 <= await sandbox.run(name, content, REFERENCES[name], {}, timeout_s=timeout_s) <= 1, kind
    assert await sandbox.run("exact_match", "a", {"expected": "a"}, {}) == 1.0


@pytest.mark.parametrize("name", ONE_OF_EACH)
async def test_a_hostile_file_is_a_score_or_a_fault(sandbox: Sandbox, small: dict[str, bytes], name: str) -> None:
    await judge(sandbox, name, small, 0.3)


@pytest.mark.long
@pytest.mark.parametrize("name", sorted(REFERENCES))
async def test_a_huge_hostile_file_is_a_score_or_a_fault(sandbox: Sandbox, large: dict[str, bytes], name: str) -> None:
    await judge(sandbox, name, large, 2)


@pytest.mark.parametrize("kind", ["deep YAML", "YAML bomb", "NUL", "UTF-16"])
async def test_a_hostile_yaml_file_is_a_score_or_a_fault(sandbox: Sandbox, small: dict[str, bytes], kind: str) -> None:
    rules = {"expect": [{"key": ["a9", 0, 0], "method": "eq", "ref": "x"}]}
    with contextlib.suppress(CheckerFault):
        assert await sandbox.run("check_json", small[kind], rules, {"is_yaml": True}, timeout_s=1) == 0.0


async def test_a_pattern_that_backtracks_without_end_is_stopped(sandbox: Sandbox) -> None:
    with pytest.raises(CheckerTimeout):
        await sandbox.run("check_list", b"a" * 64 + b"b", {"expect": ["(a+)+$"]}, {}, timeout_s=0.2)


async def test_a_query_without_end_is_stopped(sandbox: Sandbox) -> None:
    sql = {"sql": "SELECT COUNT(*) FROM mail"}
    with pytest.raises(CheckerTimeout):
        await sandbox.run("run_sqlite3", view_without_end(), sql, {}, timeout_s=0.2)


async def test_no_entity_and_no_file_of_the_host_is_ever_read(sandbox: Sandbox) -> None:
    rules = {"type": "file_name", "file_name": "x"}
    for content in (ENTITIES, EXTERNAL):
        assert await sandbox.run("is_vlc_playing", content, rules, {}) == 0.0
    links = zipped({}, "a.txt")
    assert await sandbox.run("compare_archive", links, zipped({"a.txt": b"x"}), {}) == 0.0

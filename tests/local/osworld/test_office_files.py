"""Hostile and broken office files end in a score or a fault, in bounded time and memory, in the sandbox."""

from __future__ import annotations

import io
import stat
import subprocess
import sys
import zipfile
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drums.local.osworld.checkers import CheckerFault
from drums.local.osworld.checkers.office import BYTES_LIMIT, MEMBER_LIMIT, NotADocument, Package
from drums.local.osworld.checkers.pictures import PIXEL_LIMIT, look_alike
from drums.local.osworld.errors import TaskUnsupported
from drums.local.osworld.sandbox import run_checker
from tests.local.osworld.office_files import WORD, deck, document, odt, part, picture, rezipped, workbook
from tests.local.osworld.tasks import a_task

if TYPE_CHECKING:
    from collections.abc import Callable

DATA = {"rules": [{"type": "sheet_data", "sheet_idx0": 0, "sheet_idx1": "EI0"}]}
KINDS: dict[str, tuple[str, Callable[[], bytes], str, dict[str, object]]] = {
    "xlsx": ("compare_table", workbook, "xl/worksheets/sheet1.xml", dict(DATA)),
    "docx": ("compare_docx_files", document, "word/document.xml", {}),
    "pptx": ("compare_pptx_files", deck, "ppt/slides/slide1.xml", {}),
    "odt": ("check_highlighted_words", lambda: odt("<text:p>a</text:p>"), "content.xml", {}),
}
ENTITIES = b"".join(b'<!ENTITY e%d "%s">' % (n, b"&e%d;" % (n - 1) * 10 if n else b"bomb" * 10) for n in range(10))


def bombed(data: bytes, name: str, declaration: bytes) -> bytes:
    """A document with a document type before the root of one of its parts."""
    content = part(data, name)
    at = content.index(b"<", content.index(b"?>") if content.startswith(b"<?xml") else 0)
    return rezipped(data, {name: content[:at] + b"<!DOCTYPE x [" + declaration + b"]>" + content[at:]})


def padded(data: bytes, sizes: list[int], *, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A document with more members, each of so many zeros."""
    file = io.BytesIO(data)
    with zipfile.ZipFile(file, "a", method) as archive:
        for number, size in enumerate(sizes):
            archive.writestr(f"media/{number}.bin", b"\0" * size)
    return file.getvalue()


@pytest.fixture(params=sorted(KINDS))
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def judged(kind: str, result: object, expected: object = None) -> float | str:
    """A score, or the fault's text, out of the sandbox."""
    name, make, _, options = KINDS[kind]
    try:
        return run_checker(name, result, make() if expected is None else expected, options, timeout_s=30)
    except CheckerFault as fault:
        return str(fault)


def test_a_sound_document_is_judged_in_the_sandbox(kind: str) -> None:
    assert judged(kind, KINDS[kind][1]()) == 1.0


@pytest.mark.parametrize("declaration", [ENTITIES, b'<!ENTITY x SYSTEM "file:///etc/passwd">', b""])
def test_a_document_type_makes_it_no_document(kind: str, declaration: bytes) -> None:
    _, make, name, _ = KINDS[kind]
    bomb = bombed(make(), name, declaration)
    assert judged(kind, bomb) == 0.0
    assert "document type" in str(judged(kind, make(), bomb))


def test_what_is_no_document_scores_0(kind: str) -> None:
    _, make, name, _ = KINDS[kind]
    good = make()
    wrong = next(other for other in KINDS if other != kind)
    broken = [
        b"",
        b"PK\x03\x04",
        b"\0" * 1000,
        good[: len(good) // 2],
        rezipped(good, {name: part(good, name)[:-9]}),
        rezipped(good, {name: b"\xff\xfe\x00<"}),
        rezipped(good, {name: part(good, name).replace(b"UTF-8", b"EBCDIC-9").replace(b"<", b"\x4c", 1)}),
        KINDS[wrong][1](),
        padded(good, [10], method=zipfile.ZIP_LZMA),
    ]
    for number, data in enumerate(broken):
        assert judged(kind, data) == 0.0, f"broken in way {number}"


def test_a_document_without_its_main_part_is_none(kind: str) -> None:
    good = KINDS[kind][1]()
    main = {"xlsx": "xl/workbook.xml", "docx": "word/document.xml", "pptx": "ppt/presentation.xml"}.get(
        kind, "content.xml"
    )
    assert judged(kind, rezipped(good, {main: None})) == 0.0
    assert judged(kind, rezipped(good, {"_rels/.rels": None, "mimetype": None})) == 0.0


def test_a_bomb_is_not_unpacked() -> None:
    assert "bytes is more" in str(judged("xlsx", padded(workbook(), [BYTES_LIMIT])))
    assert "members is more" in str(judged("docx", padded(document(), [0] * MEMBER_LIMIT)))


def test_a_member_that_is_larger_than_it_says_is_cut_there() -> None:
    good = workbook()
    size = len(part(good, "xl/workbook.xml"))
    lying = good.replace(size.to_bytes(4, "little"), (size - 5).to_bytes(4, "little"))
    assert lying != good
    assert judged("xlsx", lying) == 0.0


def test_members_that_are_links_lead_nowhere(kind: str) -> None:
    _, make, name, _ = KINDS[kind]
    good, file = make(), io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(good)) as old, zipfile.ZipFile(file, "w") as new:
        for member in old.infolist():
            content = old.read(member)
            if member.filename == name:
                member.create_system, content = 3, b"/etc/passwd"
                member.external_attr = (stat.S_IFLNK | 0o777) << 16
            new.writestr(member, content)
    assert judged(kind, file.getvalue()) == 0.0


def test_paths_out_of_the_archive_are_names_like_any_other() -> None:
    rels = part(workbook(), "_rels/.rels").replace(b"xl/workbook.xml", b"../../../../etc/passwd")
    assert judged("xlsx", rezipped(workbook(), {"_rels/.rels": rels})) == 0.0


@pytest.mark.long
def test_a_million_cells_end_in_a_score_or_a_fault() -> None:
    row = b"".join(b'<c r="%c%%d"><v>1</v></c>' % letter for letter in b"ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    rows = b"".join(
        b'<row r="%d">' % number + row.replace(b"%d", b"%d" % number) + b"</row>" for number in range(1, 38500)
    )
    sheet = (
        b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'
        + rows
        + b"</sheetData></worksheet>"
    )
    assert judged("xlsx", rezipped(workbook(), {"xl/worksheets/sheet1.xml": sheet})) != 1.0


def test_a_cell_at_the_end_of_the_grid_makes_no_grid() -> None:
    far = workbook(lambda book: book["Sheet1"].__setitem__("XFD1048576", "here"))
    assert judged("xlsx", far) == 0.0
    assert judged("xlsx", far, far) == 1.0


def test_a_table_that_claims_a_billion_columns_is_compared_by_what_it_says() -> None:
    cell = '<w:tc><w:tcPr><w:gridSpan w:val="1000000000"/></w:tcPr><w:p/></w:tc>'
    xml = f'<w:document xmlns:w="{WORD}"><w:body><w:tbl><w:tr>{cell}</w:tr></w:tbl></w:body></w:document>'.encode()
    wide = rezipped(document(), {"word/document.xml": xml})
    assert run_checker("compare_docx_tables", wide, wide, {}) == 1.0
    assert run_checker("compare_docx_tables", document(), wide, {}) == 0.0


def test_nesting_without_end_is_a_fault_or_a_score(kind: str) -> None:
    _, make, name, _ = KINDS[kind]
    good = make()
    content, depth = part(good, name), 100_000
    at = content.rindex(b"</")
    deep = content[:at] + b"<x>" * depth + b"</x>" * depth + content[at:]
    assert judged(kind, rezipped(good, {name: deep})) != 0.5  # it ends


def test_a_picture_that_is_too_large_is_not_unpacked() -> None:
    small = picture(kind="BMP")

    def claiming(side: int) -> bytes:
        return small[:18] + side.to_bytes(4, "little") * 2 + small[26:]

    for side in (50_000, int(PIXEL_LIMIT**0.5) + 1):
        for one, other in ((claiming(side), small), (small, claiming(side))):
            with pytest.raises(CheckerFault, match="more than what is judged"):
                look_alike(one, other)


def test_a_picture_of_no_known_kind_is_not_told_from_another() -> None:
    assert look_alike(picture(), b"no picture")
    assert look_alike(picture(), picture()[:50])
    assert not look_alike(picture(), picture((250, 250, 0)))


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_damage_anywhere_is_seen_or_does_no_harm(data: st.DataObject) -> None:
    good = odt("<text:p>some text</text:p>")
    place = data.draw(st.integers(0, len(good) - 1))
    damaged = good[:place] + data.draw(st.binary(min_size=1, max_size=4)) + good[place + 1 :]
    try:
        package = Package.open(damaged, "text")
    except (NotADocument, CheckerFault):
        return
    assert package.kind == "text"


def test_a_task_whose_checker_lacks_its_library_is_refused_when_it_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    from drums.local.osworld import evaluate
    from drums.local.osworld.task import read_task

    monkeypatch.setattr(evaluate, "find_spec", lambda name: None if name == "openpyxl" else name)
    evaluator = {
        "func": "compare_table",
        "result": {"type": "vm_file", "path": "/home/user/a.xlsx", "dest": "a.xlsx"},
        "options": {"rules": [{"type": "sheet_name"}]},
    }
    with pytest.raises(TaskUnsupported, match=r"pip install 'drums-sdk\[checkers\]'"):
        read_task(a_task(evaluator=evaluator))


def test_the_table_of_checkers_loads_without_the_libraries() -> None:
    blocked = "import sys; sys.modules.update(dict.fromkeys(['openpyxl', 'defusedxml', 'PIL', 'lxml', 'docx', 'pptx']))"
    code = f"{blocked}; from drums.local.osworld.checkers import CHECKERS; print(len(CHECKERS))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert int(done.stdout) > len(KINDS)

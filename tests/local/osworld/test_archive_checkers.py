"""Checkers of archives and PDF files compare what is in them, and never put it on a disk."""

from __future__ import annotations

import gzip
import io
import tarfile
import zipfile
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from drums.local.osworld.checkers import CHECKERS, CheckerFault, archives, pdfs
from tests.local.osworld.checking import FAILS, PASSES, Row, found, json_values, score, seen

if TYPE_CHECKING:
    from collections.abc import Mapping

OURS = {*archives.CHECKERS, *pdfs.CHECKERS}


def a_pdf(*pages: str) -> bytes:
    """A PDF file with a line of text on each page."""
    font = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
    kids = " ".join(f"{4 + 2 * number} 0 R" for number in range(len(pages)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>".encode(),
        font,
    ]
    for number, text in enumerate(pages):
        drawn = f"BT /F1 12 Tf 72 720 Td ({text}) Tj ET".encode()
        objects += [
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {5 + 2 * number} 0 R "
            "/Resources << /Font << /F1 3 0 R >> >> >>".encode(),
            b"<< /Length %d >>\nstream\n%b\nendstream" % (len(drawn), drawn),
        ]
    content, places = b"%PDF-1.4\n", list[int]()
    for number, body in enumerate(objects, 1):
        places.append(len(content))
        content += b"%d 0 obj\n%b\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    size = len(objects) + 1
    trailer = b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (size, len(content))
    return content + b"xref\n0 %d\n0000000000 65535 f \n" % size + table + trailer


def zipped(members: Mapping[str, bytes], *links: str) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
        for name in links:
            link = zipfile.ZipInfo(name)
            link.external_attr = 0o120777 << 16
            archive.writestr(link, "/etc/passwd")
    return stream.getvalue()


def tarred(members: Mapping[str, bytes], *links: str) -> bytes:
    stream = io.BytesIO()
    # The time of packing would be part of the tests' names.
    with gzip.GzipFile("", "wb", fileobj=stream, mtime=0) as packed, tarfile.open(fileobj=packed, mode="w") as archive:
        for name, content in members.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
        for name in links:
            link = tarfile.TarInfo(name)
            link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
            archive.addfile(link)
    return stream.getvalue()


def dot() -> bytes:
    stream = io.BytesIO()
    Image.new("RGB", (1, 1), "red").save(stream, "PNG")
    return stream.getvalue()


TEXTS = {"a.txt": b"one\n", "b/c.txt": b"two\n"}
ONE, TWO = a_pdf("Hello there"), a_pdf("Hello there", "General")
PDF: dict[str, object] = {"file_type": "pdf"}

CASES: list[Row] = [
    ("compare_pdfs", ONE, ONE, {}, PASSES),
    ("compare_pdfs", ONE + b"\n", ONE, {}, PASSES),
    ("compare_pdfs", [ONE, TWO], [ONE, TWO], {}, PASSES),
    ("compare_pdfs", [ONE, None], [ONE, TWO], {}, 0.5),
    ("compare_pdfs", [ONE], [ONE, TWO], {}, 0.5),
    ("compare_pdfs", b"no PDF", ONE, {}, FAILS),
    ("compare_pdfs", None, ONE, {}, FAILS),
    ("compare_pdfs", [ONE], [None], {}, FAILS),
    ("check_pdf_pages", TWO, {"relation": "eq", "ref_value": 2}, {}, PASSES),
    ("check_pdf_pages", TWO, {"relation": "lt", "ref_value": 2}, {}, FAILS),
    ("check_pdf_pages", b"", {"relation": "ge", "ref_value": 0}, {}, FAILS),
    ("check_pdf_pages", None, {"relation": "ge", "ref_value": 0}, {}, FAILS),
    ("compare_archive", zipped(TEXTS), zipped(TEXTS), {}, PASSES),
    ("compare_archive", tarred(TEXTS), zipped(TEXTS), {"file_type": "text"}, PASSES),
    ("compare_archive", zipped(TEXTS), tarred({**TEXTS, "a.txt": b"other"}), {}, 0.5),
    ("compare_archive", zipped({**TEXTS, "d": b""}), zipped(TEXTS), {}, FAILS),
    ("compare_archive", zipped({"a.txt": b"one\n"}, "b/c.txt"), zipped(TEXTS), {}, FAILS),
    ("compare_archive", tarred({"a.txt": b"one\n"}, "b/c.txt"), zipped(TEXTS), {}, FAILS),
    ("compare_archive", tarred(TEXTS, "more"), zipped(TEXTS), {}, PASSES),
    ("compare_archive", zipped(TEXTS), zipped({"b/c.txt": b"two\n"}), {"file_path": "b"}, PASSES),
    ("compare_archive", zipped({"../b/c.txt": b"two\n"}), zipped({"b/c.txt": b"two\n"}), {"file_path": "b"}, PASSES),
    ("compare_archive", zipped({"a.pdf": ONE}), zipped({"a.pdf": ONE}), PDF, PASSES),
    ("compare_archive", zipped({"a.pdf": b"no PDF"}), zipped({"a.pdf": ONE}), PDF, FAILS),
    ("compare_archive", zipped({"a.csv": b"1,2"}), zipped({"a.csv": b"1,2\r\n"}), {"file_type": "csv"}, PASSES),
    ("compare_archive", zipped({"a.png": dot()}), zipped({"a.png": dot()}), {"file_type": "image"}, PASSES),
    ("compare_archive", b"no archive", zipped(TEXTS), {}, FAILS),
    ("compare_archive", zipped(TEXTS)[:-30], zipped(TEXTS), {}, FAILS),
    ("compare_archive", tarred(TEXTS)[:-30], zipped(TEXTS), {}, FAILS),
    ("compare_archive", None, zipped(TEXTS), {}, FAILS),
]


@pytest.mark.parametrize(("name", "result", "expected", "options", "wanted"), CASES)
def test_a_checker_scores_what_is_inside(
    name: str, result: object, expected: object, options: dict[str, object], wanted: float
) -> None:
    assert score(name, result, expected, options) == wanted


def test_every_checker_is_seen_to_pass_and_to_fail() -> None:
    assert seen(CASES, PASSES) == OURS
    assert seen(CASES, FAILS) == OURS


def test_texts_that_are_somewhat_alike_score_between() -> None:
    assert 0.5 < score("compare_pdfs", TWO, ONE) < 1


@pytest.mark.parametrize(
    ("name", "result", "expected", "options"),
    [
        ("compare_pdfs", b"no PDF", b"nor this", {}),
        ("compare_pdfs", ONE, "a path", {}),
        ("check_pdf_pages", ONE, {"relation": "about", "ref_value": 1}, {}),
        ("check_pdf_pages", ONE, {"relation": "eq"}, {}),
        ("compare_archive", zipped(TEXTS), None, {}),
        ("compare_archive", zipped(TEXTS), b"no archive", {}),
        ("compare_archive", [zipped(TEXTS)], zipped(TEXTS), {}),
    ],
)
def test_what_a_checker_cannot_judge_is_a_fault_and_never_a_score(
    name: str, result: object, expected: object, options: dict[str, object]
) -> None:
    with pytest.raises(CheckerFault):
        score(name, result, expected, options)


def test_kinds_of_files_that_are_not_compared_are_refused_when_the_task_is_read() -> None:
    refuse = CHECKERS["compare_archive"].refuse
    assert refuse is not None
    assert refuse({"file_type": "docx"}) == "compare_archive does not compare files of the type 'docx'"
    assert refuse({}) is None
    assert refuse(PDF) is None


@given(name=st.sampled_from(sorted(OURS)), result=json_values, expected=json_values, data=st.data())
def test_whatever_a_checker_is_given_it_scores_from_0_to_1_or_says_that_it_cannot(
    name: str, result: object, expected: object, data: Any
) -> None:
    judged = found(name, result, expected, data)
    assert isinstance(judged, str) or (isinstance(judged, float) and 0 <= judged <= 1)


def test_an_archive_that_holds_too_much_is_not_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "BYTES_LIMIT", 1000)
    monkeypatch.setattr(archives, "MEMBER_LIMIT", 10)
    bomb, many = zipped({"zeros": bytes(1001)}), zipped({str(n): b"" for n in range(11)})
    for archive in (bomb, many):
        with pytest.raises(CheckerFault, match="more than what is judged"):
            score("compare_archive", archive, zipped(TEXTS))


def test_a_tar_that_claims_to_hold_too_much_is_not_unpacked() -> None:
    stream = io.BytesIO()
    member = tarfile.TarInfo("huge")
    member.size = 1 << 60
    stream.write(member.tobuf())
    with pytest.raises(CheckerFault, match="more than what is judged"):
        score("compare_archive", stream.getvalue(), zipped(TEXTS))

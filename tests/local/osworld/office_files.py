"""Files of office applications, built in memory for the tests of their checkers."""

from __future__ import annotations

import io
import shutil
import subprocess
import tempfile
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import docx
import pptx
import pytest
from openpyxl import Workbook
from PIL import Image

from tests.local.osworld.checking import score

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Change = Callable[[Any], object]

BOTH = {"sheet_idx0": 0, "sheet_idx1": "EI0"}
"""The first sheets of both spreadsheets."""
WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
FILTERS = {
    "xlsx": "xlsx:Calc MS Excel 2007 XML",
    "docx": "docx:MS Word 2007 XML",
    "odt": "odt:writer8",
    "pptx": "pptx:Impress MS PowerPoint 2007 XML",
}
"""How LibreOffice writes each kind where it is saved by hand."""
ODT_TYPE = b"application/vnd.oasis.opendocument.text"


def same(name: str, ours: object, theirs: object, **options: object) -> bool:
    """Whether a checker that says yes or no says yes."""
    found = score(name, ours, theirs, options)
    assert found in {0.0, 1.0}
    return found == 1.0


def workbook(*changes: Change) -> bytes:
    """A spreadsheet with a small table in `Sheet1`, and what the changes make of it."""
    book = Workbook()
    sheet: Any = book.active
    sheet.title = "Sheet1"
    for row in [("Item", "Price", "Sold"), ("tea", 2.5, 3), ("milk", 1, 4)]:
        sheet.append(row)
    return _saved(book, *changes)


def document(*changes: Change, text: tuple[str, ...] = ("A title", "Some text here.")) -> bytes:
    """A document of paragraphs, and what the changes make of it."""
    made = docx.Document()
    for line in text:
        made.add_paragraph(line)
    return _saved(made, *changes)


def plain_document(text: list[str]) -> bytes:
    """A document of nothing but paragraphs, which is made fast."""
    lines = "".join(f'<w:p><w:r><w:t xml:space="preserve">{line}</w:t></w:r></w:p>' for line in text)
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(
            "_rels/.rels",
            '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
            '<Relationship Id="r" Type="x/officeDocument" Target="word/document.xml"/></Relationships>',
        )
        archive.writestr("word/document.xml", f'<w:document xmlns:w="{WORD}"><w:body>{lines}</w:body></w:document>')
    return file.getvalue()


def deck(*changes: Change, titles: tuple[str, ...] = ("First", "Second")) -> bytes:
    """A presentation of slides with a title and content, and what the changes make of it."""
    made = pptx.Presentation()
    for title in titles:
        slide: Any = made.slides.add_slide(made.slide_layouts[1])
        slide.shapes.title.text = title
        slide.placeholders[1].text = f"about {title}"
    return _saved(made, *changes)


def _saved(made: Any, *changes: Change) -> bytes:
    for change in changes:
        change(made)
    file = io.BytesIO()
    made.save(file)
    return file.getvalue()


def passes(result: object, expected: object, **rule: object) -> bool:
    """Whether a spreadsheet passes one rule."""
    return same("compare_table", result, expected, rules=[rule])


def cell(name: str, value: object) -> Change:
    """A change of one cell of `Sheet1`."""
    return lambda book: book["Sheet1"].__setitem__(name, value)


def on_sheet(change: Callable[[Any], object]) -> Change:
    """A change of `Sheet1`."""
    return lambda book: change(book["Sheet1"])


def rezipped(data: bytes, changed: Mapping[str, bytes | None]) -> bytes:
    """An archive with some of its members replaced, added, or, where None, left out."""
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            if name not in changed:
                new.writestr(name, old.read(name))
        for name, content in changed.items():
            if content is not None:
                new.writestr(name, content)
    return file.getvalue()


def part(data: bytes, name: str) -> bytes:
    """One member of an archive."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return archive.read(name)


def odt(body: str, styles: str = "") -> bytes:
    """An OpenDocument text with this XML in its body and among its styles."""
    spaces = {
        "office": "office:1.0", "text": "text:1.0", "style": "style:1.0", "fo": "xsl-fo-compatible:1.0",
    }  # fmt: skip
    declared = " ".join(f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{uri}"' for name, uri in spaces.items())
    content = (
        f"<office:document-content {declared}><office:automatic-styles>{styles}</office:automatic-styles>"
        f"<office:body><office:text>{body}</office:text></office:body></office:document-content>"
    )
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("mimetype", ODT_TYPE)
        archive.writestr("content.xml", content)
    return file.getvalue()


def on_paragraph(number: int, change: Callable[[Any], object]) -> Change:
    """A change of one paragraph of a document."""
    return lambda made: change(made.paragraphs[number])


def on_runs(number: int, change: Callable[[Any], object]) -> Change:
    """A change of all runs of one paragraph."""

    def each(made: Any) -> None:
        for run in made.paragraphs[number].runs:
            change(run)

    return each


def setting(path: str, value: object) -> Callable[[Any], None]:
    """Set an attribute of an attribute."""
    *way, last = path.split(".")

    def change(target: Any) -> None:
        for name in way:
            target = getattr(target, name)
        setattr(target, last, value)

    return change


def table(*rows: tuple[str, ...], change: Callable[[Any], None] | None = None) -> Change:
    def add(made: Any) -> None:
        grid = made.add_table(len(rows), len(rows[0]))
        for row, texts in zip(grid.rows, rows, strict=True):
            for cell, text in zip(row.cells, texts, strict=True):
                cell.text = text
        if change is not None:
            change(grid)

    return add


def picture(colour: tuple[int, int, int] = (9, 99, 200), kind: str = "PNG", size: tuple[int, int] = (8, 6)) -> bytes:
    file = io.BytesIO()
    Image.new("RGB", size, colour).save(file, kind)
    return file.getvalue()


def resaved(data: bytes, ending: str) -> bytes:
    """The same file as LibreOffice writes it; the test is skipped where there is no LibreOffice."""
    soffice = shutil.which("soffice")
    if soffice is None:
        pytest.skip("soffice is not installed: no file that LibreOffice wrote is tried")
    with tempfile.TemporaryDirectory(prefix="drums-soffice-") as folder:
        source, made = Path(folder) / f"file.{ending}", Path(folder) / "made"
        source.write_bytes(data)
        profile = f"-env:UserInstallation={(Path(folder) / 'profile').as_uri()}"
        subprocess.run(
            [soffice, profile, "--headless", "--convert-to", FILTERS[ending], "--outdir", str(made), str(source)],
            check=True,
            capture_output=True,
            timeout=100,
        )
        return (made / source.name).read_bytes()

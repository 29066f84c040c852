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

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
ODT_TYPE = b"application/vnd.oasis.opendocument.text"


def workbook(*changes: Callable[[Any], None]) -> bytes:
    """A spreadsheet with a small table in `Sheet1`, and what the changes make of it."""
    book = Workbook()
    sheet: Any = book.active
    sheet.title = "Sheet1"
    for row in [("Item", "Price", "Sold"), ("tea", 2.5, 3), ("milk", 1, 4)]:
        sheet.append(row)
    return _saved(book, *changes)


def document(*changes: Callable[[Any], None], text: tuple[str, ...] = ("A title", "Some text here.")) -> bytes:
    """A document of paragraphs, and what the changes make of it."""
    made = docx.Document()
    for line in text:
        made.add_paragraph(line)
    return _saved(made, *changes)


def deck(*changes: Callable[[Any], None], titles: tuple[str, ...] = ("First", "Second")) -> bytes:
    """A presentation of slides with a title and content, and what the changes make of it."""
    made = pptx.Presentation()
    for title in titles:
        slide: Any = made.slides.add_slide(made.slide_layouts[1])
        slide.shapes.title.text = title
        slide.placeholders[1].text = f"about {title}"
    return _saved(made, *changes)


def _saved(made: Any, *changes: Callable[[Any], None]) -> bytes:
    for change in changes:
        change(made)
    file = io.BytesIO()
    made.save(file)
    return file.getvalue()


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
            [soffice, profile, "--headless", "--convert-to", ending, "--outdir", str(made), str(source)],
            check=True,
            capture_output=True,
            timeout=100,
        )
        return (made / source.name).read_bytes()

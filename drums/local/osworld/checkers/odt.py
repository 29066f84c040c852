"""The text and the highlighting of an OpenDocument text.

It compares nothing, and reads no more of the format than that. Invariant: what the application expands (spaces, tabs)
is expanded here too, but never to more than the file could have held.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from xml.etree.ElementTree import Element

    from .office import Package

_TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
_OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
_STYLE = "{urn:oasis:names:tc:opendocument:xmlns:style:1.0}"
_FORMAT = "{urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0}"
_PARAGRAPHS = {f"{_TEXT}p", f"{_TEXT}h"}
_LEFT_OUT = {f"{_TEXT}note", f"{_TEXT}tracked-changes", f"{_OFFICE}annotation"}
_SPACES_LIMIT = 1000
_NO_HIGHLIGHT = {"transparent", "#ffffff"}


def texts_of_odt(package: Package) -> list[str]:
    """The paragraphs, headings included, as text."""
    body = package.xml("content.xml").find(f"{_OFFICE}body/{_OFFICE}text")
    return ["".join(_letters(paragraph)) for paragraph in _paragraphs(body)] if body is not None else []


def highlighted(package: Package) -> list[str]:
    """The pieces of text that stand on a colour of their own."""
    content = package.xml("content.xml")
    files = [content, *(package.xml(name) for name in package.names if name == "styles.xml")]
    styles = {style.get(f"{_STYLE}name", ""): style for file in files for style in file.iter(f"{_STYLE}style")}
    lit = {name for name, style in styles.items() if _is_lit(style)}
    body = content.find(f"{_OFFICE}body")
    pieces = [
        "".join(_letters(element))
        for element in (body.iter() if body is not None else ())
        if element.tag in {*_PARAGRAPHS, f"{_TEXT}span"} and element.get(f"{_TEXT}style-name") in lit
    ]
    return [piece for piece in pieces if piece.strip()]


def _is_lit(style: Element) -> bool:
    properties = style.find(f"{_STYLE}text-properties")
    colour = properties.get(f"{_FORMAT}background-color") if properties is not None else None
    return colour is not None and colour.lower() not in _NO_HIGHLIGHT


def _paragraphs(parent: Element) -> Iterator[Element]:
    for child in parent:
        if child.tag in _PARAGRAPHS:
            yield child
        elif child.tag not in _LEFT_OUT:
            yield from _paragraphs(child)


def _letters(parent: Element) -> Iterator[str]:
    yield parent.text or ""
    for child in parent:
        if child.tag == f"{_TEXT}s":
            count = child.get(f"{_TEXT}c", "1")
            yield " " * min(int(count) if count.isdecimal() else 1, _SPACES_LIMIT)
        elif child.tag == f"{_TEXT}tab":
            yield "\t"
        elif child.tag == f"{_TEXT}line-break":
            yield "\n"
        elif child.tag not in _LEFT_OUT:
            yield from _letters(child)
        yield child.tail or ""

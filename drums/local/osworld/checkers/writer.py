"""A text document as checkers see it: paragraphs, runs and tables, with the look that they really have.

It compares nothing. What a run or paragraph does not say itself is looked up as the applications do it: its style, the
styles that this one is based on, the document's defaults. Invariant: text in frames and in tracked deletions is not the
document's text; a chain of styles that never ends is cut.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from .base import CheckerFault
from .odt import texts_of_odt

if TYPE_CHECKING:
    from collections.abc import Iterator
    from xml.etree.ElementTree import Element

    from .office import Package

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_DRAWING = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_VML = "{urn:schemas-microsoft-com:vml}"
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_HOLDS_RUNS = {W + name for name in ("hyperlink", "ins", "moveTo", "smartTag", "sdt", "sdtContent", "fldSimple")}
_HOLDS_BLOCKS = {W + name for name in ("sdt", "sdtContent", "ins", "customXml")}
_LETTERS = {W + "tab": "\t", W + "ptab": "\t", W + "cr": "\n", W + "noBreakHyphen": "-"}
_STYLES_LIMIT = 64


class Document:
    """A document that was opened."""

    def __init__(self, package: Package) -> None:
        self.package = package
        self.root: Element = package.xml(package.main)
        body = self.root.find(f"{W}body")
        self._blocks = list(_blocks(body)) if body is not None else []

    @cached_property
    def paragraphs(self) -> list[Paragraph]:
        """The paragraphs of the text, without those in tables."""
        return [Paragraph(block, self) for block in self._blocks if block.tag == f"{W}p"]

    @cached_property
    def written(self) -> list[Paragraph]:
        """The paragraphs that are not blank."""
        return [paragraph for paragraph in self.paragraphs if paragraph.text.strip()]

    @cached_property
    def tables(self) -> list[Element]:
        """The tables of the text."""
        return [block for block in self._blocks if block.tag == f"{W}tbl"]

    def paragraphs_of(self, part: Element) -> list[Paragraph]:
        """All paragraphs in a part of it, those in tables included."""
        return [Paragraph(element, self) for element in part.iter(f"{W}p")]

    @cached_property
    def styles(self) -> Styles:
        """Its styles."""
        parts = self.package.related(self.package.main, "styles")
        return Styles(self.package.xml(parts[0]) if parts else None)

    @cached_property
    def theme_fonts(self) -> dict[str, str]:
        """The fonts that are named by their role: `major` in headings, `minor` in the body."""
        fonts = dict[str, str]()
        for part in self.package.related(self.package.main, "theme"):
            for role in ("major", "minor"):
                latin = self.package.xml(part).find(f".//{_DRAWING}{role}Font/{_DRAWING}latin")
                if latin is not None:
                    fonts[role] = latin.get("typeface", "")
        return fonts

    @property
    def pictures(self) -> list[bytes]:
        """The files of its pictures, in the order in which they appear."""
        relations = self.package.relations(self.package.main)
        return [self.package.read(relations[key].target) for key in _picture_ids(self.root) if key in relations]


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph."""

    element: Element
    document: Document

    @property
    def runs(self) -> list[Run]:
        """Its pieces of one look."""
        return [Run(element, self) for element in _runs(self.element)]

    @property
    def text(self) -> str:
        """What it says."""
        return "".join(run.text for run in self.runs)

    @property
    def style_id(self) -> str | None:
        """The style that it names."""
        return _value(self.element.find(f"{W}pPr/{W}pStyle"))

    def properties(self) -> Iterator[Element]:
        """What is said of its look, the nearest first."""
        own = self.element.find(f"{W}pPr")
        if own is not None:
            yield own
        yield from self.document.styles.properties("pPr", self.style_id)

    @property
    def alignment(self) -> str:
        """Where its lines stand: `left`, `center`, `right`, `both`."""
        for properties in self.properties():
            alignment = _value(properties.find(f"{W}jc"))
            if alignment is not None:
                return {"start": "left", "end": "right"}.get(alignment, alignment)
        return "left"

    @property
    def line_spacing(self) -> tuple[str, str]:
        """Its line spacing and the rule that gives it a meaning."""
        found = dict[str, str]()
        for properties in self.properties():
            spacing = properties.find(f"{W}spacing")
            for name in ("line", "lineRule"):
                value = spacing.get(W + name) if spacing is not None else None
                if value is not None:
                    found.setdefault(name, value)
        return found.get("line", "240"), found.get("lineRule", "auto")

    @property
    def tab_stops(self) -> list[tuple[str, int]]:
        """Its own tab stops: alignment and position in twentieths of a point."""
        stops = list[tuple[str, int]]()
        for tab in self.element.iterfind(f"{W}pPr/{W}tabs/{W}tab"):
            alignment, position = tab.get(W + "val", "left"), _whole(tab.get(W + "pos"))
            alignment = {"start": "left", "end": "right"}.get(alignment, alignment)
            if alignment != "clear" and (alignment, position) != ("left", 0):
                stops.append((alignment, position))
        return stops


@dataclass(frozen=True, slots=True)
class Run:
    """A piece of a paragraph that has one look."""

    element: Element
    paragraph: Paragraph

    @property
    def text(self) -> str:
        """What it says."""
        return "".join(_letters(self.element))

    def properties(self) -> Iterator[Element]:
        """What is said of its look, the nearest first."""
        own, styles = self.element.find(f"{W}rPr"), self.paragraph.document.styles
        if own is not None:
            yield own
            named = _value(own.find(f"{W}rStyle"))
            yield from styles.chain("rPr", named) if named else ()
        yield from styles.properties("rPr", self.paragraph.style_id)

    def value(self, name: str) -> str | None:
        """The value of a property such as `sz`; None where nothing gives it one."""
        found = (_value(properties.find(W + name)) for properties in self.properties())
        return next((value for value in found if value is not None), None)

    def has(self, name: str) -> bool:
        """Whether a property such as `strike` is on."""
        for properties in self.properties():
            switch = properties.find(W + name)
            if switch is not None:
                return is_on(switch)
        return False

    @property
    def font(self) -> str | None:
        """The name of its font."""
        for properties in self.properties():
            fonts = properties.find(f"{W}rFonts")
            if fonts is None:
                continue
            role = fonts.get(W + "asciiTheme")
            if role is not None:
                return self.paragraph.document.theme_fonts.get(role[:5])
            if fonts.get(W + "ascii") is not None:
                return fonts.get(W + "ascii")
        return None


class Styles:
    """The styles of a document."""

    def __init__(self, root: Element | None) -> None:
        self._styles: dict[str, Element] = {}
        self._default: str | None = None
        self._defaults = root.find(f"{W}docDefaults") if root is not None else None
        for style in root.iterfind(f"{W}style") if root is not None else ():
            name = style.get(W + "styleId", "")
            self._styles[name] = style
            if style.get(W + "type") == "paragraph" and style.get(W + "default") in {"1", "true"}:
                self._default = name

    def properties(self, kind: str, name: str | None) -> Iterator[Element]:
        """What a paragraph's style, or the default one, and the document say of a look: `rPr` or `pPr`."""
        yield from self.chain(kind, name if name in self._styles else self._default)
        default = self._defaults.find(f"{W}{kind}Default/{W}{kind}") if self._defaults is not None else None
        if default is not None:
            yield default

    def chain(self, kind: str, name: str | None) -> Iterator[Element]:
        """What a style says, then those that it is based on."""
        for _ in range(_STYLES_LIMIT):
            style = self._styles.get(name or "")
            if style is None:
                return
            properties = style.find(W + kind)
            if properties is not None:
                yield properties
            name = _value(style.find(f"{W}basedOn"))


def is_on(switch: Element | None) -> bool:
    """Whether a switch is there and not off."""
    return switch is not None and switch.get(W + "val", "true") in {"true", "1", "on"}


def texts_of(package: Package) -> list[str]:
    """The paragraphs of a document of any kind, as text."""
    if package.kind == "text":
        return texts_of_odt(package)
    return [paragraph.text for paragraph in Document(package).paragraphs]


def _blocks(parent: Element) -> Iterator[Element]:
    for child in parent:
        if child.tag in _HOLDS_BLOCKS:
            yield from _blocks(child)
        else:
            yield child


def _runs(parent: Element) -> Iterator[Element]:
    for child in parent:
        if child.tag == f"{W}r":
            yield child
        elif child.tag in _HOLDS_RUNS:
            yield from _runs(child)


def _letters(run: Element) -> Iterator[str]:
    for part in run:
        if part.tag == f"{W}t":
            yield part.text or ""
        elif part.tag == f"{W}br" and part.get(W + "type", "textWrapping") == "textWrapping":
            yield "\n"
        else:
            yield _LETTERS.get(part.tag, "")


def _picture_ids(parent: Element) -> Iterator[str]:
    for child in parent:
        if child.tag == _FALLBACK:
            continue
        if child.tag == f"{_DRAWING}blip":
            yield child.get(f"{_RELATION}embed", "")
        elif child.tag == f"{_VML}imagedata":
            yield child.get(f"{_RELATION}id", "")
        yield from _picture_ids(child)


def _value(element: Element | None) -> str | None:
    return element.get(W + "val") if element is not None else None


def _whole(text: str | None) -> int:
    try:
        return int(text or "0")
    except ValueError as error:
        raise CheckerFault(f"the document has a length {text!r}, which is none") from error

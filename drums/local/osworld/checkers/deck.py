"""A presentation as checkers see it: slides, shapes, and text with the look that it really has.

It compares nothing. A look that a piece of text does not name is looked up as the applications do it: in its shape, the
layout, the master, the presentation's defaults. Invariant: lengths are in EMU (360 of them are 0.01 mm); colours are
six hexadecimal digits, or words where they are no plain colour.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import TYPE_CHECKING
from xml.etree.ElementTree import tostring

from .base import CheckerFault

if TYPE_CHECKING:
    from collections.abc import Iterator
    from xml.etree.ElementTree import Element

    from .office import Package

P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_SHAPES = {P + name for name in ("sp", "pic", "graphicFrame", "cxnSp", "grpSp")}
_TITLES = {"title", "ctrTitle"}
_FILLS = {A + name for name in ("noFill", "solidFill", "gradFill", "blipFill", "pattFill", "grpFill")}
_BULLETS = {"buNone": None, "buChar": "char", "buAutoNum": "type", "buBlip": "picture"}

Box = tuple[int, int, int, int]
"""Left, top, width and height."""


class Deck:
    """A presentation that was opened."""

    def __init__(self, package: Package) -> None:
        self.package = package
        self.root: Element = package.xml(package.main)
        size = self.root.find(f"{P}sldSz")
        self._slides: dict[str, Slide] = {}
        self.width: int
        self.height: int
        self.width, self.height = (_length(size, "cx"), _length(size, "cy")) if size is not None else (0, 0)

    @cached_property
    def slides(self) -> list[Slide]:
        """Its slides, in the order in which they are shown."""
        relations = self.package.relations(self.package.main)
        keys = [entry.get(f"{R}id", "") for entry in self.root.iterfind(f"{P}sldIdLst/{P}sldId")]
        return [self.slide(relations[key].target) for key in keys if key in relations]

    def slide(self, part: str) -> Slide:
        """The slide, layout, master or page of notes in a part."""
        if part not in self._slides:
            self._slides[part] = Slide(part, self)
        return self._slides[part]


class Slide:
    """A slide, or the layout or master that one is made of."""

    def __init__(self, part: str, deck: Deck) -> None:
        self.part = part
        self.deck = deck
        self.root: Element = deck.package.xml(part)

    @cached_property
    def parent(self) -> Slide | None:
        """What it is made of: a slide of a layout, a layout of a master."""
        for kind in ("slideLayout", "slideMaster"):
            parts = self.deck.package.related(self.part, kind)
            # A master names its layouts too.
            if parts and not self.root.tag.endswith("sldMaster"):
                return self.deck.slide(parts[0])
        return None

    @property
    def lineage(self) -> Iterator[Slide]:
        """Itself, its layout, its master."""
        slide: Slide | None = self
        while slide is not None:
            yield slide
            slide = slide.parent

    @cached_property
    def theme(self) -> Element | None:
        """The theme of its master."""
        master = [*self.lineage][-1]
        parts = self.deck.package.related(master.part, "theme")
        return self.deck.package.xml(parts[0]) if parts else None

    @cached_property
    def shapes(self) -> list[Shape]:
        """Its shapes from back to front, a group before its members."""
        tree = self.root.find(f"{P}cSld/{P}spTree")
        return [Shape(element, self) for element in _shapes(tree)] if tree is not None else []

    @property
    def background(self) -> str:
        """What is behind it: a colour, or a fill in words."""
        for slide in self.lineage:
            background = slide.root.find(f"{P}cSld/{P}bg")
            for properties in background if background is not None else ():
                if properties.tag == f"{P}bgRef":
                    return self.colour(properties) or "by reference"
                for fill in properties:
                    if fill.tag in _FILLS:
                        return self._fill(fill, slide)
        return "none"

    @property
    def notes(self) -> str:
        """What the speaker's notes say."""
        lines = list[str]()
        for part in self.deck.package.related(self.part, "notesSlide"):
            for shape in self.deck.slide(part).shapes:
                if shape.role == "body":
                    lines += [paragraph.text for paragraph in shape.paragraphs]
        return "\n".join(lines).strip()

    def colour(self, holder: Element) -> str | None:
        """The colour in an element such as `solidFill`; None where it names none."""
        for element in holder:
            name, changes = (
                element.tag.removeprefix(A),
                [(part.tag.removeprefix(A), part.get("val")) for part in element],
            )
            changes = [change for change in changes if change[0] != "alpha"]
            if name == "srgbClr":
                plain = element.get("val", "").upper()
            elif name == "schemeClr":
                plain = self._scheme_colour(element.get("val", ""))
            else:
                plain = element.get("lastClr", element.get("val", name)).upper()
            return f"{plain} {changes}" if changes else plain
        return None

    def _scheme_colour(self, name: str) -> str:
        """A colour of the theme, by the name that the master gives it."""
        master = [*self.lineage][-1]
        names = master.root.find(f"{P}clrMap")
        name = names.get(name, name) if names is not None else name
        entry = self.theme.find(f".//{A}clrScheme/{A}{name}") if self.theme is not None and name.isalnum() else None
        for colour in entry if entry is not None else ():
            return colour.get("lastClr", colour.get("val", "")).upper()
        return name

    def _fill(self, fill: Element, slide: Slide) -> str:
        if fill.tag == f"{A}solidFill":
            return self.colour(fill) or "none"
        if fill.tag == f"{A}blipFill":
            picture = fill.find(f"{A}blip")
            relation = self.deck.package.relations(slide.part).get(
                picture.get(f"{R}embed", "") if picture is not None else ""
            )
            return (
                f"a picture {sha256(self.deck.package.read(relation.target)).hexdigest()}" if relation else "a picture"
            )
        return "none" if fill.tag == f"{A}noFill" else tostring(fill, "unicode")

    def theme_font(self, name: str) -> str:
        """A font as it is called; `+mj-lt` and `+mn-lt` are the theme's."""
        role = {"+mj-lt": "major", "+mn-lt": "minor"}.get(name)
        latin = self.theme.find(f".//{A}{role}Font/{A}latin") if role and self.theme is not None else None
        return latin.get("typeface", name) if latin is not None else name


@dataclass(frozen=True)
class Shape:
    """Something on a slide."""

    element: Element
    slide: Slide

    @property
    def kind(self) -> str:
        """What it is: `sp`, `pic`, `graphicFrame`, `cxnSp`, `grpSp`."""
        return self.element.tag.removeprefix(P)

    @cached_property
    def placeholder(self) -> tuple[str, str] | None:
        """The type and number of the place of a layout that it takes."""
        place = next((place for child in self.element for place in child.iterfind(f"{P}nvPr/{P}ph")), None)
        return (place.get("type", "obj"), place.get("idx", "0")) if place is not None else None

    @property
    def role(self) -> str | None:
        """The type of that place: `title`, `body`, `sldNum`."""
        return self.placeholder[0] if self.placeholder else None

    @property
    def is_title(self) -> bool:
        """Whether it is the slide's title."""
        return self.role in _TITLES

    @property
    def is_table(self) -> bool:
        """Whether it is a table."""
        return next(self.element.iter(f"{A}tbl"), None) is not None

    @property
    def models(self) -> Iterator[Shape]:
        """Itself, then the places of the layout and master that it takes."""
        yield self
        if self.placeholder is None:
            return
        kind, number = self.placeholder
        for slide in [*self.slide.lineage][1:]:
            alike = [shape for shape in slide.shapes if shape.role and _family(shape.role) == _family(kind)]
            exact = [shape for shape in alike if shape.placeholder and shape.placeholder[1] == number]
            yield from (exact or alike)[:1]

    @property
    def box(self) -> Box:
        """Where it is and how large."""
        for shape in self.models:
            for path in (f"{P}spPr/{A}xfrm", f"{P}grpSpPr/{A}xfrm", f"{P}xfrm"):
                frame = shape.element.find(path)
                start = frame.find(f"{A}off") if frame is not None else None
                size = frame.find(f"{A}ext") if frame is not None else None
                if start is not None and size is not None:
                    return _length(start, "x"), _length(start, "y"), _length(size, "cx"), _length(size, "cy")
        return 0, 0, 0, 0

    @property
    def picture(self) -> bytes | None:
        """The file of the picture that it is; None where it is none."""
        blip = self.element.find(f"{P}blipFill/{A}blip")
        if self.kind != "pic" or blip is None:
            return None
        package = self.slide.deck.package
        relation = package.relations(self.slide.part).get(blip.get(f"{R}embed", ""))
        return package.read(relation.target) if relation else None

    @property
    def paragraphs(self) -> list[Paragraph]:
        """Its text."""
        body = self.element.find(f"{P}txBody")
        return [Paragraph(element, self, body) for element in body.iterfind(f"{A}p")] if body is not None else []

    @property
    def cells(self) -> list[list[list[Paragraph]]]:
        """The text of a table, by rows and cells."""
        return [
            [
                [
                    Paragraph(element, self, body)
                    for body in cell.iterfind(f"{A}txBody")
                    for element in body.iterfind(f"{A}p")
                ]
                for cell in row.iterfind(f"{A}tc")
            ]
            for row in self.element.iter(f"{A}tr")
        ]


@dataclass(frozen=True)
class Paragraph:
    """A paragraph of a shape or of a table's cell."""

    element: Element
    shape: Shape
    body: Element

    @property
    def runs(self) -> list[tuple[str, Element | None]]:
        """Its pieces of one look: the text and what is said of its look."""
        return [
            ("\n" if part.tag == f"{A}br" else part.findtext(f"{A}t", ""), part.find(f"{A}rPr"))
            for part in self.element
            if part.tag in {f"{A}r", f"{A}br", f"{A}fld"}
        ]

    @property
    def text(self) -> str:
        """What it says."""
        return "".join(text for text, _ in self.runs)

    @property
    def level(self) -> int:
        """How deep it is indented, from 0."""
        own = self.element.find(f"{A}pPr")
        level = own.get("lvl", "0") if own is not None else "0"
        return int(level) if level.isdecimal() and len(level) == 1 else 0

    @cached_property
    def properties(self) -> list[Element]:
        """What is said of the look of such a paragraph, the nearest first."""
        name = f"{A}lvl{self.level + 1}pPr"
        slide = self.shape.slide
        master = [*slide.lineage][-1]
        style = {"title": "titleStyle", "body": "bodyStyle"}.get(_family(self.shape.role), "otherStyle")
        found = [self.element.find(f"{A}pPr"), self.body.find(f"{A}lstStyle/{name}")]
        found += [shape.element.find(f"{P}txBody/{A}lstStyle/{name}") for shape in [*self.shape.models][1:]]
        found += [
            master.root.find(f"{P}txStyles/{P}{style}/{name}"),
            slide.deck.root.find(f"{P}defaultTextStyle/{name}"),
        ]
        return [element for element in found if element is not None]

    @property
    def alignment(self) -> str:
        """Where its lines stand: `l`, `ctr`, `r`, `just`."""
        return next((found for entry in self.properties if (found := entry.get("algn"))), "l")

    @property
    def bullet(self) -> str | None:
        """The mark before it; None where there is none."""
        for entry in self.properties:
            for child in entry:
                name = child.tag.removeprefix(A)
                if name in _BULLETS:
                    attribute = _BULLETS[name]
                    return f"{name} {child.get(attribute, '')}" if attribute else None
        return None

    def look(self, run: Element | None) -> list[Element]:
        """What is said of the look of one of its pieces, the nearest first."""
        inherited = [entry.find(f"{A}defRPr") for entry in self.properties]
        return [element for element in (run, *inherited) if element is not None]


def attribute_of(look: list[Element], name: str) -> str | None:
    """The nearest value of an attribute."""
    return next((value for entry in look if (value := entry.get(name)) is not None), None)


def child_of(look: list[Element], name: str) -> Element | None:
    """The nearest element of a name."""
    return next((child for entry in look if (child := entry.find(A + name)) is not None), None)


def _shapes(parent: Element) -> Iterator[Element]:
    for child in parent:
        if child.tag in _SHAPES:
            yield child
        if child.tag == f"{P}grpSp":
            yield from _shapes(child)


def _family(role: str | None) -> str:
    """The kind of place: `title`, `body` for all that holds content, or the role itself."""
    if role in _TITLES:
        return "title"
    return "body" if role in {"body", "obj", "subTitle"} else role or ""


def _length(element: Element, name: str) -> int:
    try:
        return int(element.get(name, "0"))
    except ValueError as error:
        raise CheckerFault(f"the presentation has a length {element.get(name)!r}, which is none") from error

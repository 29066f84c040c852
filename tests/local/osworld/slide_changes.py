"""Changes of presentations, for the tests of their checkers."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

from pptx.dml.color import RGBColor
from pptx.oxml.xmlchemy import OxmlElement
from pptx.util import Cm

from tests.local.osworld.office_files import picture

if TYPE_CHECKING:
    from tests.local.osworld.office_files import Change

RGB: Any = RGBColor


def child(parent: Any, name: str) -> Any:
    """A new element of XML in another one."""
    parent.append(OxmlElement(name))
    return parent[-1]


def on_slide(number: int, change: Change) -> Change:
    return lambda made: change(made.slides[number])


def on_title(change: Change, number: int = 0) -> Change:
    return on_slide(number, lambda slide: change(slide.shapes.title))


def on_run(change: Change) -> Change:
    return on_title(lambda title: change(title.text_frame.paragraphs[0].runs[0]))


def with_picture(
    file: bytes | None = None, left: float = 2, top: float = 9, height: float = 4, number: int = 0
) -> Change:
    def add(slide: Any) -> None:
        slide.shapes.add_picture(io.BytesIO(file or picture()), Cm(left), Cm(top), height=Cm(height))

    return on_slide(number, add)


def with_table(*texts: str, top: float = 5) -> Change:
    def add(slide: Any) -> None:
        table = slide.shapes.add_table(2, 2, Cm(2), Cm(top), Cm(10), Cm(3)).table
        for index, text in enumerate(texts):
            table.cell(index // 2, index % 2).text = text

    return on_slide(0, add)


def background(colour: Any) -> Change:
    def paint(slide: Any) -> None:
        fill = slide.background.fill
        if colour is None:
            fill.gradient()
        else:
            fill.solid()
            fill.fore_color.rgb = colour

    return on_slide(0, paint)


def frame(title: Any) -> None:
    title.left, title.top, title.width, title.height = Cm(2), Cm(1), Cm(20), Cm(3)

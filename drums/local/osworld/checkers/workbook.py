"""A spreadsheet as rules see it: its sheets by OSWorld's notations, and the cells that hold something.

It compares nothing. Invariant: reading takes time in the number of cells that the file has, never in the size of the
grid that it claims; values are those that the application saved, and no formula is computed.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import TYPE_CHECKING, cast

from openpyxl import load_workbook
from openpyxl.styles.colors import COLOR_INDEX
from openpyxl.worksheet.worksheet import Worksheet

from .base import CheckerFault, as_content
from .office import Package, parse_xml

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from openpyxl.cell.cell import Cell
    from openpyxl.styles import GradientFill, PatternFill
    from openpyxl.styles.colors import Color
    from openpyxl.workbook import Workbook

    from .cells import Place, SheetIndex

_BLACK = "FF000000"
_THEME_COLOURS = (
    "lt1", "dk1", "lt2", "dk2", "accent1", "accent2", "accent3", "accent4", "accent5", "accent6", "hlink", "folHlink",
)  # fmt: skip
_DRAWING = "{http://schemas.openxmlformats.org/drawingml/2006/main}"


class SheetMissing(Exception):
    """The desktop's spreadsheet has no such sheet."""


class Book:
    """A spreadsheet that was opened."""

    def __init__(self, package: Package, printed: object = None) -> None:
        self.package = package
        self._printed = printed
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the library tells of what it leaves out
            self._workbook: Workbook = load_workbook(package.stream(), data_only=True, keep_links=False)
        self._theme: dict[str, str] | None = None

    @property
    def names(self) -> list[str]:
        """The names of its sheets."""
        return self._workbook.sheetnames

    def sheet(self, key: int | str) -> Sheet | None:
        """One sheet; None where there is none, or only a chart."""
        if isinstance(key, int):
            if key >= len(self.names):
                return None
            key = self.names[key]
        if key not in self.names:
            return None
        sheet = cast("object", self._workbook[key])
        return Sheet(self, key, sheet) if isinstance(sheet, Worksheet) else None

    def printed(self) -> list[str] | None:
        """The lines of the sheet that was exported as it is shown; None where there is no such export."""
        if self._printed is None:
            return None
        return [line.strip() for line in as_content(self._printed, "the exported sheet").strip().split("\n")]

    def theme_colour(self, index: int) -> str | None:
        """A colour of the theme as ARGB."""
        if self._theme is None:
            self._theme = _read_theme(cast("bytes | None", self._workbook.loaded_theme))
        return self._theme.get(_THEME_COLOURS[index]) if 0 <= index < len(_THEME_COLOURS) else None


@dataclass(frozen=True, slots=True)
class Sheet:
    """One sheet of a spreadsheet."""

    book: Book
    name: str
    data: Worksheet

    @property
    def cells(self) -> Mapping[Place, Cell]:
        """The cells that the file has, be they blank."""
        return cast("dict[Place, Cell]", getattr(self.data, "_cells"))  # noqa: B009  all public ways make a whole grid

    def value(self, place: Place) -> object:
        """What the application saved as a cell's value; None where it is blank."""
        cell = self.cells.get(place)
        value = cast("object", cell.value) if cell else None
        return None if value == "" else value

    def values(self) -> dict[Place, object]:
        """All that is not blank."""
        return {place: value for place in self.cells if (value := self.value(place)) is not None}

    def style(self, place: Place, name: str) -> object:
        """One of `STYLES` of a cell."""
        return STYLES[name](self, cast("Cell", self.data.cell(*place)))

    def colour(self, colour: Color | None) -> str | None:
        """A colour as ARGB, which is always opaque; None where the application chooses."""
        if colour is None:
            return None
        kind, value = colour.type, cast("object", colour.value)
        if kind == "rgb":
            return "FF" + str(value)[-6:].upper()
        if kind == "indexed" and isinstance(value, int) and value < len(COLOR_INDEX):
            return "FF" + COLOR_INDEX[value][-6:].upper()
        if kind == "theme" and isinstance(value, int):
            named = self.book.theme_colour(value)
            tint = float(cast("float | None", colour.tint) or 0)
            return f"{named} {tint:+.2f}" if named and tint else named
        return None

    @property
    def conditional(self) -> dict[str, list[object]]:
        """The formats that depend on values: for each range what its rules say and show."""
        return {
            str(formatting.sqref): [
                {name: repr(part) for name, part in vars(rule).items() if name not in {"dxfId", "priority"}}
                for rule in cast("list[object]", getattr(formatting, "rules"))  # noqa: B009  it has no type
            ]
            for formatting in self.data.conditional_formatting
        }

    def is_conditional(self, place: Place) -> bool:
        """Whether the look of a cell may depend on a value."""
        row, column = place
        return any(
            area.min_row <= row <= area.max_row and area.min_col <= column <= area.max_col
            for formatting in self.data.conditional_formatting
            for area in formatting.sqref.ranges
        )

    @property
    def zoom(self) -> int:
        """The zoom at which it is shown, in percent."""
        return self.data.sheet_view.zoomScale or 100

    @property
    def frozen(self) -> tuple[float, float] | None:
        """How many columns and rows stay in sight; None where all of it scrolls."""
        pane = self.data.sheet_view.pane
        if pane is None or pane.state not in {"frozen", "frozenSplit"}:
            return None
        return float(pane.xSplit or 0), float(pane.ySplit or 0)

    @property
    def hidden_rows(self) -> set[int]:
        """The rows that are not shown."""
        return {number for number, row in self.data.row_dimensions.items() if row.hidden}

    def validations(self, props: Mapping[str, str]) -> list[dict[str, object]]:
        """What each rule for entering values says, by the given names of the library's attributes."""
        return [
            {name: _as_text(getattr(entry, attribute)) for name, attribute in props.items()}
            for entry in self.data.data_validations.dataValidation
        ]


def _as_text(value: object) -> str | None:
    return None if value is None else str(value)


def _read_theme(data: bytes | None) -> dict[str, str]:
    scheme = parse_xml(data).find(f".//{_DRAWING}clrScheme") if data else None
    colours = dict[str, str]()
    for entry in scheme if scheme is not None else ():
        for colour in entry:
            colours[entry.tag.removeprefix(_DRAWING)] = "FF" + colour.get("lastClr", colour.get("val", ""))[-6:].upper()
    return colours


def _background(sheet: Sheet, cell: Cell) -> str | None:
    """What is seen behind a cell's text: one colour, or a pattern in words."""
    fill = cast("PatternFill | GradientFill", cell.fill)
    if fill.tagname == "gradientFill":
        return "a gradient"
    pattern = cast("str | None", getattr(fill, "patternType"))  # noqa: B009  it has no type
    if pattern in {None, "none"}:
        return None
    front = sheet.colour(cast("Color | None", getattr(fill, "fgColor", None)))
    return front if pattern == "solid" else f"{pattern} {front}"


def _font(cell: Cell, name: str) -> object:
    return cast("object", getattr(cell.font, name))


STYLES: Mapping[str, Callable[[Sheet, Cell], object]] = {
    "font_name": lambda _, cell: _font(cell, "name"),
    "font_color": lambda sheet, cell: sheet.colour(cast("Color | None", _font(cell, "color"))) or _BLACK,
    "font_bold": lambda _, cell: bool(_font(cell, "b")),
    "font_italic": lambda _, cell: bool(_font(cell, "i")),
    "font_underline": lambda _, cell: _font(cell, "u") or "none",
    "font_size": lambda _, cell: _font(cell, "sz"),
    "bgcolor": _background,
    "merge": lambda sheet, cell: cell.coordinate in sheet.data.merged_cells,
}
"""What rules ask of the look of a cell, by OSWorld's names."""


def text_of(value: object) -> str:
    """A value as text, the same for 1 and 1.0."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def same_value(left: object, right: object, precision: int, ignore_case: bool) -> bool:
    """Whether two saved values are the same: numbers to a number of decimals, times to a second, all else exactly."""
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, int | float) and isinstance(right, int | float):
        # The second comparison is for what lies beside the border between two roundings.
        return round(left, precision) == round(right, precision) or abs(left - right) <= 1e-9 * abs(right)
    if isinstance(left, str) and isinstance(right, str):
        return left.lower() == right.lower() if ignore_case else left == right
    left_time, right_time = _seconds(left), _seconds(right)
    if left_time is None or right_time is None:
        return False
    return left_time[0] == right_time[0] and abs(left_time[1] - right_time[1]) < 1


def _seconds(value: object) -> tuple[str, float] | None:
    """A date, a time of day or a span as a kind and seconds."""
    match value:
        case datetime():
            return "date", (value.replace(tzinfo=None) - datetime(1900, 1, 1)).total_seconds()
        case date():
            return "date", timedelta(days=(value - date(1900, 1, 1)).days).total_seconds()
        case time():
            return "time", value.hour * 3600 + value.minute * 60 + value.second + value.microsecond / 1e6
        case timedelta():
            return "span", value.total_seconds()
        case _:
            return None


def find_sheet(index: SheetIndex, result: Book, expected: Book | None) -> Sheet:
    """The sheet that a rule means.

    Raises:
        SheetMissing: The desktop's spreadsheet does not have it.
        CheckerFault: The task's does not, or there is none.
    """
    if index.side == "result":
        sheet = result.sheet(index.key)
        if sheet is None:
            raise SheetMissing(f"there is no sheet {index.key!r}")
        return sheet
    sheet = expected.sheet(index.key) if expected else None
    if sheet is None:
        raise CheckerFault(f"the expected file has no sheet {index.key!r}")
    return sheet

"""What a sheet shows beyond its cells: charts and pivot tables, read off the XML of the file.

It compares nothing. Invariant: a chart is told by the data that it shows, a pivot table by its source and the names of
its fields; where they stand on the sheet does not matter.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from xml.etree.ElementTree import Element

    from .office import Package

_MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_RELATION_ID = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_CHART = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
_TEXT = "{http://schemas.openxmlformats.org/drawingml/2006/main}t"
_VALUES = -2
"""The number that stands for the data themselves where they are laid out like a field."""


def charts_of(package: Package, sheet: str, props: tuple[str, ...]) -> list[tuple[object, ...]]:
    """The charts of a sheet: the data of each and the asked properties of `CHART_PROPS`, in a fixed order."""
    part = _part_of(package, sheet)
    charts = [
        package.xml(chart)
        for drawing in (package.related(part, "drawing") if part else ())
        for chart in package.related(drawing, "chart")
    ]
    return sorted(((_series(chart), *(CHART_PROPS[prop](chart) for prop in props)) for chart in charts), key=repr)


def pivots_of(package: Package, sheet: str, props: tuple[str, ...]) -> list[tuple[object, ...]]:
    """The pivot tables of a sheet: the source of each and the asked properties of `PIVOT_PROPS`, in a fixed order."""
    part = _part_of(package, sheet)
    pivots = list[tuple[object, ...]]()
    for name in package.related(part, "pivotTable") if part else ():
        for cache in package.related(name, "pivotCacheDefinition"):
            table, source = package.xml(name), package.xml(cache)
            fields = [field.get("name", "") for field in source.iterfind(f"{_MAIN}cacheFields/{_MAIN}cacheField")]
            pivots.append((_source(source), *(PIVOT_PROPS[prop](table, fields) for prop in props)))
    return sorted(pivots, key=repr)


def _part_of(package: Package, sheet: str) -> str | None:
    """The part that holds a sheet."""
    relations = package.relations(package.main)
    for entry in package.xml(package.main).iterfind(f"{_MAIN}sheets/{_MAIN}sheet"):
        relation = relations.get(entry.get(_RELATION_ID, ""))
        if entry.get("name") == sheet and relation is not None:
            return relation.target
    return None


# Charts.


def _plots(chart: Element) -> list[Element]:
    """The kinds of chart that one chart lays over each other: bars, lines."""
    area = chart.find(f"{_CHART}chart/{_CHART}plotArea")
    return [plot for plot in (area if area is not None else ()) if plot.find(f"{_CHART}ser") is not None]


def _series(chart: Element) -> tuple[tuple[str, str], ...]:
    """Where each series takes its values and its categories from."""
    return tuple(
        (_reference(series, "val", "yVal"), _reference(series, "cat", "xVal"))
        for plot in _plots(chart)
        for series in plot.iterfind(f"{_CHART}ser")
    )


def _reference(series: Element, *names: str) -> str:
    for name in names:
        formula = series.find(f"{_CHART}{name}/*/{_CHART}f")
        if formula is not None:
            return _plain(formula.text)
    return ""


def _plain(reference: str | None) -> str:
    """A range as it is, whatever of it is fixed or quoted."""
    return (reference or "").replace("$", "").replace("'", "")


def _title(chart: Element) -> str | None:
    title = chart.find(f"{_CHART}chart/{_CHART}title/{_CHART}tx")
    if title is None:
        return None
    return "".join(part.text or "" for part in title.iter() if part.tag in {_TEXT, f"{_CHART}v"})


def _direction(chart: Element) -> tuple[str, ...]:
    """Whether bars lie or stand."""
    return tuple(direction.get("val", "col") for direction in chart.iter(f"{_CHART}barDir"))


CHART_PROPS: Mapping[str, Callable[[Element], object]] = {
    "type": lambda chart: tuple(plot.tag.removeprefix(_CHART) for plot in _plots(chart)),
    "title": _title,
    "direction": _direction,
}
"""What rules ask of a chart, by OSWorld's names."""


# Pivot tables.


def _source(cache: Element) -> tuple[str, str]:
    source = cache.find(f"{_MAIN}cacheSource/{_MAIN}worksheetSource")
    if source is None:
        return "", ""
    return source.get("sheet", ""), _plain(source.get("ref") or source.get("name"))


def _name(fields: list[str], number: str | None) -> str:
    try:
        index = int(number or "")
    except ValueError:
        return ""
    if index == _VALUES:
        return "Σ"
    return fields[index] if 0 <= index < len(fields) else ""


def _fields(path: str, attribute: str) -> Callable[[Element, list[str]], object]:
    def read(table: Element, fields: list[str]) -> tuple[str, ...]:
        entries = table.iterfind("/".join(_MAIN + name for name in path.split("/")))
        return tuple(_name(fields, entry.get(attribute)) for entry in entries)

    return read


def _data_fields(table: Element, fields: list[str]) -> tuple[tuple[str, str, str], ...]:
    """What is summed up, how, and as what it is shown; the heading does not matter."""
    return tuple(
        (_name(fields, entry.get("fld")), entry.get("subtotal", "sum"), entry.get("showDataAs", "normal"))
        for entry in table.iterfind(f"{_MAIN}dataFields/{_MAIN}dataField")
    )


PIVOT_PROPS: Mapping[str, Callable[[Element, list[str]], object]] = {
    "row_fields": _fields("rowFields/field", "x"),
    "col_fields": _fields("colFields/field", "x"),
    "filter": _fields("pageFields/pageField", "fld"),
    "data_fields": _data_fields,
}
"""What rules ask of a pivot table, by OSWorld's names."""

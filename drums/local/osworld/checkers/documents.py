"""Checkers of text documents: what they say, and the few looks that tasks ask for.

A look counts as it is seen: a style gives it as well as the text itself. Invariant: what a task does not ask for is not
judged, but where a checker is about a look, the text has to be what was expected as well, wherever the task brings one.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .base import CheckerFault, CheckerSpec, as_list, as_text, rule, score
from .likeness import likeness
from .odt import highlighted
from .office import alone, compared, document_of, reference_of
from .pictures import pixels
from .writer import Document, Paragraph, Run, W, is_on, texts_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from xml.etree.ElementTree import Element

    from .office import Package

_RELATION_ID = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_VOWELS = "aeiou"
_RED, _BLUE = (255, 0, 0), (0, 0, 255)
_COLOUR_TOLERANCE = 25
"""How far, in each of red, green and blue, a colour may be from what its name says."""
_WORD = re.compile(r"\w+")


# Text.


def _compare_files(ours: Package, theirs: Package, options: Mapping[str, object]) -> float:
    """Two documents have the same paragraphs.

    White space counts as one blank, and the ends of paragraphs as white space, unless `ignore_blanks` is false. Then
    `ignore_case`, `ignore_order` of paragraphs, `delete_empty_lines`. The score is how alike the texts are, not whether
    they are equal, with `fuzzy_match`, and with `content_only`, which ignores blanks too.
    """
    left, right = (_prepared(texts_of(package), options) for package in (ours, theirs))
    content_only = bool(options.get("content_only"))
    if content_only or options.get("ignore_blanks", True):
        left, right = [" ".join(" ".join(left).split())], [" ".join(" ".join(right).split())]
    if content_only or options.get("fuzzy_match"):
        return likeness("\n".join(left), "\n".join(right))
    return score(left == right)


def _prepared(texts: list[str], options: Mapping[str, object]) -> list[str]:
    if options.get("ignore_case"):
        texts = [text.lower() for text in texts]
    if options.get("delete_empty_lines"):
        texts = [text for text in texts if text.strip()]
    return sorted(texts) if options.get("ignore_order") else texts


def _compare_files_without_new_lines(ours: Package, theirs: Package, options: Mapping[str, object]) -> float:
    """Two documents have the same paragraphs, but for empty ones."""
    return _compare_files(ours, theirs, {**options, "delete_empty_lines": True})


def compare_unique_train_records(result: object, expected: object, _: Mapping[str, object]) -> float:
    """Each train of the expected record is in the result once, by a line of the original one: expected are both files.

    A line is `time, train, station, platform`.
    """
    files = as_list(expected, "the expected files")
    if len(files) != 2:
        raise CheckerFault(f"expected are the solution and the original, not {len(files)} files")
    solution, original = (_lines(reference_of(file, "document")) for file in files)
    package = document_of(result, "document")
    if package is None:
        return 0.0
    lines = _lines(package)
    trains = [_train(line) for line in lines]
    return score(
        set(lines) <= set(original) and len(set(trains)) == len(trains) and set(trains) == {*map(_train, solution)}
    )


def _lines(package: Package) -> list[str]:
    return [text.strip() for text in texts_of(package) if text.strip()]


def _train(line: str) -> str:
    return ([part.strip() for part in line.split(",")] + [""])[1]


# Tables and pictures.


def _compare_tables(ours: Package, theirs: Package, _: Mapping[str, object]) -> float:
    """Two documents have the same tables: as many, of the same shape, with the same text in each cell."""
    left, right = ([_grid(table, document) for table in document.tables] for document in map(Document, (ours, theirs)))
    return score(left == right)


def _grid(table: Element, document: Document) -> list[list[tuple[str, bool, str]]]:
    """The cells of each row: how many columns it spans, whether it goes on from above, what it says."""
    return [
        [
            (
                _attribute(cell, "gridSpan", "1"),
                _attribute(cell, "vMerge", "restart", missing="restart") == "continue",
                "\n".join(paragraph.text for paragraph in document.paragraphs_of(cell)).strip(),
            )
            for cell in row.iterfind(f"{W}tc")
        ]
        for row in table.iterfind(f"{W}tr")
    ]


def _attribute(cell: Element, name: str, default: str, *, missing: str | None = None) -> str:
    """A property of a cell; `vMerge` without a value says that the cell goes on."""
    element = cell.find(f"{W}tcPr/{W}{name}")
    if element is None:
        return missing if missing is not None else default
    return element.get(W + "val", "continue" if name == "vMerge" else default)


def _compare_images(ours: Package, theirs: Package, _: Mapping[str, object]) -> float:
    """Two documents show the same pictures in the same order, to the pixel."""
    left, right = Document(ours).pictures, Document(theirs).pictures
    return score(
        len(left) == len(right) and all(pixels(one) == pixels(two) for one, two in zip(left, right, strict=True))
    )


def _evaluate_colored_words(ours: Package, theirs: Package, _: Mapping[str, object]) -> float:
    """Two documents have the same text, and every word in the tables of the first is red, or blue after a consonant."""
    left, right = Document(ours), Document(theirs)
    if _all_text(left) != _all_text(right):
        return 0.0
    words = [word for table in left.tables for paragraph in left.paragraphs_of(table) for word in _words(paragraph)]
    return score(bool(words) and all(_is_coloured(word, colour) for word, colour in words))


def _all_text(document: Document) -> list[str]:
    return [paragraph.text.strip() for paragraph in document.paragraphs_of(document.root) if paragraph.text.strip()]


def _words(paragraph: Paragraph) -> list[tuple[str, str | None]]:
    """Each word and the colour in which it begins."""
    runs = [(letter, run) for run in paragraph.runs for letter in run.text]
    text = "".join(letter for letter, _ in runs)
    return [(match[0], runs[match.start()][1].value("color")) for match in _WORD.finditer(text)]


def _is_coloured(word: str, colour: str | None) -> bool:
    if colour is None or not re.fullmatch("[0-9A-Fa-f]{6}", colour):
        return False
    wanted = _RED if word[0].lower() in _VOWELS else _BLUE
    return all(abs(found - one) <= _COLOUR_TOLERANCE for found, one in zip(bytes.fromhex(colour), wanted, strict=True))


# Paragraphs.


def _compare_line_spacing(ours: Package, theirs: Package, _: Mapping[str, object]) -> float:
    """Two documents have the same paragraphs with the same line spacing."""
    left, right = (
        [(paragraph.text.strip(), paragraph.line_spacing) for paragraph in Document(package).paragraphs]
        for package in (ours, theirs)
    )
    return score(left == right)


def _is_first_line_centered(package: Package, _: object) -> float:
    """The first paragraph that says something is centred."""
    written = Document(package).written
    return score(bool(written) and written[0].alignment == "center")


def _check_tabstops(ours: Package, theirs: Package, options: Mapping[str, object]) -> float:
    """Two documents have the same tab stops; the score falls with their distance, relative to the page's width.

    `word_number_split_by_tabstop`: in each paragraph, the part before tab number `index` (from 0) has so many words.
    """
    left, right = Document(ours), Document(theirs)
    lines = [" ".join(paragraph.text.split()) for paragraph in left.written]
    if not lines or lines != [" ".join(paragraph.text.split()) for paragraph in right.written]:
        return 0.0
    count, index = options.get("word_number_split_by_tabstop"), options.get("index", 0)
    if not isinstance(index, int) or index < 0:
        raise CheckerFault(f"options.index has to be a position from 0, not {index!r}")
    for paragraph in left.written if count is not None else ():
        parts = paragraph.text.split("\t")
        if len(parts) <= index + 1 or len(parts[index].split()) != count:
            return 0.0
    width, distances = _text_width(right), list[float]()
    for one, two in zip(left.written, right.written, strict=True):
        stops, wanted = one.tab_stops, two.tab_stops
        if [alignment for alignment, _ in stops] != [alignment for alignment, _ in wanted]:
            return 0.0
        distances.append(sum(abs(stop[1] - other[1]) for stop, other in zip(stops, wanted, strict=True)) / width)
    return max(0.0, 1.0 - sum(distances) / len(distances))


def _text_width(document: Document) -> int:
    """The width between the margins of the first section, in twentieths of a point."""
    section = next(document.root.iter(f"{W}sectPr"), None)
    size = section.find(f"{W}pgSz") if section is not None else None
    margins = section.find(f"{W}pgMar") if section is not None else None
    try:
        width = int(size.get(W + "w", "")) if size is not None else 0
        sides = [int(margins.get(W + side, "0")) for side in ("left", "right")] if margins is not None else [0]
    except ValueError as error:
        raise CheckerFault("the expected document has a page without a width") from error
    if width - sum(sides) <= 0:
        raise CheckerFault("the expected document has a page without a width")
    return width - sum(sides)


def _contains_page_break(package: Package, rules: object) -> float:
    """The text has `rules.page_break_count` page breaks; one or more, where that is not said."""
    wanted = rule(rules, "page_break_count", None) if rules is not None else None
    runs = [run.element for paragraph in Document(package).paragraphs for run in paragraph.runs]
    found = sum(1 for run in runs for part in run.iterfind(f"{W}br") if part.get(W + "type") == "page")
    return score(found > 0 if wanted is None else found == wanted)


def _has_page_numbers_in_footers(package: Package, _: object) -> float:
    """Every page has a footer with the number of the page: a field, not a digit."""
    document = Document(package)
    relations = package.relations(package.main)
    even_too = any(
        package.xml(part).find(f"{W}evenAndOddHeaders") is not None
        for part in package.related(package.main, "settings")
    )
    footers = dict[str, bool]()
    sections = list(document.root.iter(f"{W}sectPr"))
    for section in sections:
        for reference in section.iterfind(f"{W}footerReference"):
            relation = relations.get(reference.get(_RELATION_ID, ""))
            footers[reference.get(W + "type", "default")] = relation is not None and _shows_page(
                package.xml(relation.target)
            )
        kinds = ["default", *["first"] * is_on(section.find(f"{W}titlePg")), *(["even"] * even_too)]
        if not all(footers.get(kind, False) for kind in kinds):
            return 0.0
    return score(bool(sections))


def _shows_page(footer: Element) -> bool:
    fields = [field.get(W + "instr", "") for field in footer.iter(f"{W}fldSimple")]
    fields += [field.text or "" for field in footer.iter(f"{W}instrText")]
    return any(field.split()[:1] == ["PAGE"] for field in fields)


# Runs.


def _runs(document: Document) -> list[Run]:
    """The pieces of the text, tables included, that are more than white space."""
    body = document.root.find(f"{W}body")
    runs = [run for paragraph in document.paragraphs_of(body) for run in paragraph.runs] if body is not None else []
    return [run for run in runs if run.text.strip()]


def _compare_font_names(package: Package, rules: object) -> float:
    """All text is in the font `rules.font_name`."""
    name = as_text(rule(rules, "font_name"), "rules.font_name")
    runs = _runs(Document(package))
    return score(bool(runs) and all(run.font == name for run in runs))


def _compare_subscripts(ours: Package, theirs: Package, _: Mapping[str, object]) -> float:
    """What is a subscript in the second document is one in the first, at the same place, and no other text is one."""
    left, right = (_subscripts(Document(package)) for package in (ours, theirs))
    texts = {text for _, _, text in right}
    return score(bool(right) and right <= left and all(text in texts for _, _, text in left))


def _subscripts(document: Document) -> set[tuple[int, int, str]]:
    """Each letter that is a subscript: its paragraph, its place there, and itself."""
    found: set[tuple[int, int, str]] = set()
    for number, paragraph in enumerate(document.paragraphs):
        place = 0
        for run in paragraph.runs:
            text = run.text
            if run.value("vertAlign") == "subscript":
                found |= {(number, place + step, letter) for step, letter in enumerate(text) if letter.strip()}
            place += len(text)
    return found


def _evaluate_strike_through(ours: Package, theirs: Package, _: Mapping[str, object]) -> float:
    """Two documents have the same text, and all of the last paragraph that says something is struck through."""
    written = Document(ours).written
    if not written or not _compare_files(ours, theirs, {}):
        return 0.0
    last = [run for run in written[-1].runs if run.text.strip()]
    return score(all(run.has("strike") or run.has("dstrike") for run in last))


def _check_italic_size(ours: Package, theirs: Package, _: Mapping[str, object]) -> float:
    """Two documents have the same text, and all that is italic in the first is of 14 points."""
    italic = [run for run in _runs(Document(ours)) if run.has("i")]
    return score(
        bool(italic) and bool(_compare_files(ours, theirs, {})) and all(run.value("sz") == "28" for run in italic)
    )


def _check_highlighted_words(ours: Package, theirs: Package, _: Mapping[str, object]) -> float:
    """Two OpenDocument texts say the same, and nothing in the first is highlighted."""
    return score(bool(_compare_files(ours, theirs, {})) and not highlighted(ours))


_OF_TEXT = frozenset(
    {"ignore_blanks", "ignore_case", "ignore_order", "content_only", "fuzzy_match", "delete_empty_lines"}
)
_XML, _PICTURES = ("defusedxml",), ("defusedxml", "PIL")

CHECKERS: Mapping[str, CheckerSpec] = {
    "compare_docx_files": CheckerSpec(compared(_compare_files, "document", "text"), _OF_TEXT, libraries=_XML),
    "compare_docx_files_and_ignore_new_lines": CheckerSpec(
        compared(_compare_files_without_new_lines, "document", "text"), _OF_TEXT, libraries=_XML
    ),
    "compare_unique_train_records": CheckerSpec(compare_unique_train_records, libraries=_XML),
    "compare_docx_tables": CheckerSpec(compared(_compare_tables, "document"), libraries=_XML),
    "compare_docx_images": CheckerSpec(compared(_compare_images, "document"), libraries=_PICTURES),
    "evaluate_colored_words_in_tables": CheckerSpec(compared(_evaluate_colored_words, "document"), libraries=_XML),
    "compare_line_spacing": CheckerSpec(compared(_compare_line_spacing, "document"), libraries=_XML),
    "is_first_line_centered": CheckerSpec(alone(_is_first_line_centered, "document"), expected=False, libraries=_XML),
    "check_tabstops": CheckerSpec(
        compared(_check_tabstops, "document"), frozenset({"word_number_split_by_tabstop", "index"}), libraries=_XML
    ),
    "contains_page_break": CheckerSpec(alone(_contains_page_break, "document"), expected=False, libraries=_XML),
    "has_page_numbers_in_footers": CheckerSpec(
        alone(_has_page_numbers_in_footers, "document"), expected=False, libraries=_XML
    ),
    "compare_font_names": CheckerSpec(alone(_compare_font_names, "document"), libraries=_XML),
    "compare_subscript_contains": CheckerSpec(compared(_compare_subscripts, "document"), libraries=_XML),
    "evaluate_strike_through_last_paragraph": CheckerSpec(
        compared(_evaluate_strike_through, "document"), libraries=_XML
    ),
    "check_italic_font_size_14": CheckerSpec(compared(_check_italic_size, "document"), libraries=_XML),
    "check_highlighted_words": CheckerSpec(compared(_check_highlighted_words, "text"), libraries=_XML),
}

"""What the tests of checkers share: rows of a table (name, result, expected, options, score) and how they are tried."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from drums.local.osworld.checkers import CHECKERS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

Row = tuple[str, object, object, dict[str, object], float]
PASSES, FAILS = 1.0, 0.0


def score(name: str, result: object, expected: object = None, options: Mapping[str, object] | None = None) -> float:
    return CHECKERS[name].run(result, expected, options or {})


def rule(expected: object, **more: object) -> dict[str, object]:
    return {"expected": expected, **more}


def seen(rows: Iterable[Row], wanted: float) -> set[str]:
    """The checkers that a table shows to give a score."""
    return {row[0] for row in rows if row[4] == wanted}


def found(name: str, result: object, expected: object, data: Any) -> object:
    """A score, or the fault's text; options as Hypothesis likes."""
    from drums.local.osworld.checkers import CheckerFault

    options = {option: data.draw(json_values) for option in CHECKERS[name].options}
    try:
        return score(name, result, expected, options)
    except CheckerFault as fault:
        return str(fault)


WORDS = [
    *(
        "expected",
        "a",
        "children",
        "type",
        "url",
        "urls",
        "names",
        "expect",
        "unexpect",
        "key",
        "method",
        "ref",
        "value",
    ),
    *("width", "height", "bookmark_bar", "keywords", "domains", "sql", "max_size", "min", "max"),
]
json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=5)
    | st.sampled_from([*WORDS, "eq", "re", "range", "blackish", "bookmark_bar_folders_names"])
    | st.binary(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(WORDS), inner, max_size=4),
    max_leaves=8,
)

"""Checkers of settings files: VLC's vlcrc and state, GIMP's gimprc and sessionrc, Thunderbird's prefs and filters.

They know how each program writes its file. Invariant: a setting that a file does not have is not as it should be, and
a file that is not in the desktop has none.
"""

from __future__ import annotations

import json
import posixpath
import re
from typing import TYPE_CHECKING, cast
from urllib.parse import unquote

from .base import (
    CheckerFault,
    CheckerSpec,
    as_bytes,
    as_content,
    as_list,
    as_object,
    as_text,
    as_texts,
    choice,
    kind,
    rule,
    score,
)
from .matching import matches
from .office import NotADocument, parse_xml

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .base import Checker

# VLC. `vlcrc` has every setting as `key=value`; one that is as it comes has a `#` before it.

DARK = 100
"""A colour is dark when each of its three parts, from 0 to 255, is less."""


def _vlc_setting(key: str, wanted: str) -> Checker:
    """A checker of one setting, compared as text with the rule of that name."""

    def check(result: object, rules: object, _: Mapping[str, object]) -> float:
        expected = rule(rules, wanted)
        if isinstance(expected, bool) or not isinstance(expected, str | int):
            raise CheckerFault(f"rules.{wanted} must be a text or a number, not {kind(expected)}")
        return score(_vlc_value(result, key) == str(expected))

    check.__doc__ = f"VLC's setting `{key}` is `rules.{wanted}`."
    return check


def check_global_key_play_pause(result: object, rules: object, _: Mapping[str, object]) -> float:
    """VLC has a global key for play and pause (`rules.expected_global_key_play_pause` 1), or has none (0)."""
    expected = rule(rules, "expected_global_key_play_pause")
    if expected not in (0, 1):
        raise CheckerFault("rules.expected_global_key_play_pause must be 0 or 1")
    value = _vlc_value(result, "global-key-play-pause")
    return 0.0 if value is None else score(bool(value) == bool(expected))


def check_qt_slider_colours(result: object, rules: object, _: Mapping[str, object]) -> float:
    """VLC's slider has dark colours only (`rules.type` `blackish`), or `rules.expected_qt_slider_colours` (`match`)."""
    sort = choice(rules, "type", "blackish", "match")
    wanted = None if sort == "blackish" else as_text(rule(rules, "expected_qt_slider_colours"), "the expected colours")
    value = _vlc_value(result, "qt-slider-colours")
    if value is None or wanted is not None:
        return score(value is not None and value == wanted)
    parts = value.split(";")
    dark = all(re.fullmatch(r"[0-9]{1,3}", part) and int(part) < DARK for part in parts)
    return score(len(parts) > 1 and len(parts) % 3 == 0 and dark)


def _vlc_value(result: object, key: str) -> str | None:
    """What a setting is: as it was set, or else as it comes; None where the file does not name it."""
    if result is None:
        return None
    found: str | None = None
    for line in as_content(result, "the result").split("\n"):
        name, equals, value = line.strip().partition("=")
        if not equals:
            continue
        if name == key:
            return value.strip()
        if name == f"#{key}":
            found = value.strip()
    return found


def is_vlc_fullscreen(result: object, expected: object, _: Mapping[str, object]) -> float:
    """VLC's window is as large as the screen: two objects with the same width and height."""
    if result is None or expected is None:
        return 0.0
    one, other = as_object(result, "the screen's size"), as_object(expected, "the window's size")
    return score(all(one.get(side) is not None and one.get(side) == other.get(side) for side in ("width", "height")))


def is_vlc_playing(result: object, rules: object, _: Mapping[str, object]) -> float:
    """VLC's state is `playing`, and what it plays has `rules.file_name` or `rules.url`, as `rules.type` says."""
    sort = choice(rules, "type", "file_name", "url")
    wanted = as_text(rule(rules, sort), f"rules.{sort}")
    if result is None:
        return 0.0
    try:
        root = parse_xml(as_bytes(result, "the result"))
    except NotADocument:
        return 0.0
    if (root.findtext("state") or "").strip() != "playing":
        return 0.0
    shown = [info.text or "" for info in root.iter("info") if info.get("name") in {"filename", "title", "url"}]
    names = {part for text in shown for part in (text, unquote(text))}
    if sort == "url":
        # VLC shows the last part of a stream's address as its name until the stream says a better one.
        return score(wanted in names or posixpath.basename(wanted) in names)
    return score(wanted in {posixpath.basename(name) for name in names})


# GIMP: one parenthesised list a line, `(undo-levels 100)`.


def check_config_status(result: object, rules: object, _: Mapping[str, object]) -> float:
    """GIMP's setting `rules.key`, a name or a pair of names, has the last word `rules.value`."""
    key, value = rule(rules, "key"), as_text(rule(rules, "value"), "rules.value")
    names = (
        [key] if isinstance(key, str) else [as_text(name, "a part of rules.key") for name in as_list(key, "rules.key")]
    )
    if not names:
        raise CheckerFault("rules.key names no setting")
    if result is None:
        return 0.0
    for line in as_content(result, "the result").split("\n"):
        if line.startswith("#"):
            continue
        words = line.replace("(", " ").replace(")", " ").split()
        if words[: len(names)] == names and len(words) > len(names):
            return score(words[-1] == value)
    return 0.0


# Thunderbird: `user_pref("name", value);` lines, and filters of `key="value"` lines.

_PREFERENCE = re.compile(r'^user_pref\((".*?(?<!\\)"), ?(.*)\);$')
_FILTER_LINE = re.compile(r'^(\w+)="(.*)"$')
_CONDITION = re.compile(r"(?:AND|OR) \((?:[^()\"]|\"[^\"]*\")*\)|ALL")


def check_thunderbird_prefs(result: object, rules: object, _: Mapping[str, object]) -> float:
    """Every preference of `rules.expect` is there and fits its `{method, ref}`; none of `rules.unexpect` does."""
    expect, unexpect = _comparisons(rules, "expect"), _comparisons(rules, "unexpect")
    if result is None:
        return 0.0
    found: dict[str, object] = {}
    for line in as_content(result, "the result").split("\n"):
        match = _PREFERENCE.match(line.strip())
        if match:
            name, value = _preference(match[1]), _preference(match[2])
            if isinstance(name, str):
                found[name] = value

    def fits(name: str, method: str, ref: object) -> bool:
        return name in found and matches(method, ref, found[name])

    return score(
        all(fits(name, method, ref) for name, (method, ref) in expect.items())
        and not any(fits(name, method, ref) for name, (method, ref) in unexpect.items())
    )


def _comparisons(rules: object, name: str) -> dict[str, tuple[str, object]]:
    return {
        key: (as_text(rule(value, "method"), f"the method of {key}"), rule(value, "ref"))
        for key, value in as_object(rule(rules, name, {}), f"rules.{name}").items()
    }


def _preference(text: str) -> object:
    """A literal of the preferences file, which is JSON's; a text that is none stands for itself."""
    try:
        return cast("object", json.loads(text))
    except (ValueError, RecursionError):
        return text


def check_thunderbird_filter(result: object, rules: object, _: Mapping[str, object]) -> float:
    """Every filter of `rules.expect` is one of the file's as far as it says; none of `rules.unexpect` is."""
    expect, unexpect = _filters_of(rules, "expect"), _filters_of(rules, "unexpect")
    if result is None:
        return 0.0
    filters = _filters(as_content(result, "the result"))

    def has(wanted: Mapping[str, object]) -> bool:
        return any(all(found.get(key) == value for key, value in wanted.items()) for found in filters)

    return score(all(map(has, expect)) and not any(map(has, unexpect)))


def _filters_of(rules: object, name: str) -> list[dict[str, object]]:
    wanted = [
        as_object(value, f"an element of rules.{name}") for value in as_list(rule(rules, name, []), f"rules.{name}")
    ]
    return [
        one | ({"condition": frozenset(as_texts(one["condition"], "a condition"))} if "condition" in one else {})
        for one in wanted
    ]


def _filters(text: str) -> list[dict[str, object]]:
    """The filters of a file, each begun by its name; the order of conditions does not matter."""
    found: list[dict[str, object]] = []
    for line in text.split("\n"):
        match = _FILTER_LINE.match(line.strip())
        if not match:
            continue
        key, value = match[1], match[2].replace('\\"', '"')
        if key == "name":
            found.append({})
        if found:
            found[-1][key] = frozenset(_CONDITION.findall(value)) if key == "condition" else value
    return found


CHECKERS: Mapping[str, CheckerSpec] = {
    "is_vlc_recordings_folder": CheckerSpec(_vlc_setting("input-record-path", "recording_file_path")),
    "check_qt_bgcone": CheckerSpec(_vlc_setting("qt-bgcone", "expected_qt_bgcone")),
    "check_qt_max_volume": CheckerSpec(_vlc_setting("qt-max-volume", "expected_qt_max_volume")),
    "check_qt_minimal_view": CheckerSpec(_vlc_setting("qt-minimal-view", "expected_qt_minimal_view")),
    "check_play_and_exit": CheckerSpec(_vlc_setting("play-and-exit", "expected_play_and_exit")),
    "check_one_instance_when_started_from_file": CheckerSpec(
        _vlc_setting("one-instance-when-started-from-file", "expected_one_instance_when_started_from_file")
    ),
    "check_global_key_play_pause": CheckerSpec(check_global_key_play_pause),
    "check_qt_slider_colours": CheckerSpec(check_qt_slider_colours),
    "is_vlc_fullscreen": CheckerSpec(is_vlc_fullscreen),
    "is_vlc_playing": CheckerSpec(is_vlc_playing),
    "check_config_status": CheckerSpec(check_config_status),
    "check_thunderbird_prefs": CheckerSpec(check_thunderbird_prefs),
    "check_thunderbird_filter": CheckerSpec(check_thunderbird_filter),
}

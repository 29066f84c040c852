"""Checkers of LibreOffice's settings: its registrymodifications.xcu, which holds what differs from the defaults.

They know the names that LibreOffice gives its settings. Invariant: a setting that the file does not hold has its
default, which is never what a task asks for; a file that is no such file holds none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .base import CheckerFault, CheckerSpec, as_bytes, as_text, rule, score
from .office import NotADocument, parse_xml

if TYPE_CHECKING:
    from collections.abc import Mapping

_OOR = "{http://openoffice.org/2001/registry}"


def check_auto_saving_time(result: object, rules: object, _: Mapping[str, object]) -> float:
    """Documents are saved by themselves every `rules.minutes` minutes."""
    wanted = rule(rules, "minutes")
    if isinstance(wanted, bool) or not isinstance(wanted, int):
        raise CheckerFault(f"rules.minutes has to be a whole number, not {wanted!r}")
    settings = _settings(result)
    place = "/org.openoffice.Office.Recovery/AutoSave"
    is_on = settings.get((place, "Enabled"), "true") == "true"
    return score(is_on and settings.get((place, "TimeIntervall")) == str(wanted))


def check_presenter_console_disable(result: object, _: object, __: Mapping[str, object]) -> float:
    """A presentation does not show the presenter's console on the second screen."""
    place = "/org.openoffice.Office.Impress/Misc/Start"
    return score(_settings(result).get((place, "EnablePresenterScreen")) == "false")


def find_default_font(result: object, rules: object, _: Mapping[str, object]) -> float:
    """The font of new text documents is `rules.font_name`."""
    wanted = as_text(rule(rules, "font_name"), "rules.font_name")
    return score(_settings(result).get(("/org.openoffice.Office.Writer/DefaultFont", "Standard")) == wanted)


def _settings(result: object) -> dict[tuple[str, str], str]:
    """The value of each setting, by the path of its group and its name."""
    if result is None:
        return {}
    try:
        root = parse_xml(as_bytes(result, "the result"))
    except NotADocument:
        return {}
    return {
        (item.get(f"{_OOR}path", ""), prop.get(f"{_OOR}name", "")): prop.findtext("value", "").strip()
        for item in root.iter("item")
        for prop in item.iter("prop")
    }


_XML = ("defusedxml",)

CHECKERS: Mapping[str, CheckerSpec] = {
    "check_auto_saving_time": CheckerSpec(check_auto_saving_time, libraries=_XML),
    "check_presenter_console_disable": CheckerSpec(check_presenter_console_disable, expected=False, libraries=_XML),
    "find_default_font": CheckerSpec(find_default_font, libraries=_XML),
}

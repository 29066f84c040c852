"""Checkers of a browser: tabs and their URLs, bookmarks, settings, history and cookies.

They look at what was read off a profile or told by the browser, never at a site. Invariant: a tab, bookmark or record
that is not there does not fit.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, cast
from urllib.parse import urlsplit

from .base import CheckerFault, CheckerSpec, as_bytes, as_list, as_object, as_text, as_texts, choice, kind, rule, score
from .tables import query

if TYPE_CHECKING:
    from collections.abc import Mapping


def is_expected_tabs(result: object, rules: object, _: Mapping[str, object]) -> float:
    """The open tabs are those of `rules.urls`, in any order, and no others."""
    wanted = sorted(map(_normal, _urls(rules, "urls")))
    if result is None:
        return 0.0
    return score(sorted(_normal(_url(tab) or "") for tab in as_list(result, "the tabs")) == wanted)


def is_expected_active_tab(result: object, rules: object, _: Mapping[str, object]) -> float:
    """The tab in front shows `rules.url`; scheme, `www.` and a last slash do not matter."""
    return _shows(result, rules, approximate=False)


def is_expected_active_tab_approximate(result: object, rules: object, _: Mapping[str, object]) -> float:
    """The tab in front shows `rules.url`, whatever the query in either."""
    return _shows(result, rules, approximate=True)


def is_expected_url_pattern_match(result: object, rules: object, _: Mapping[str, object]) -> float:
    """Every pattern of `rules.expected` is found in the URL of the tab in front."""
    patterns = [_pattern(text) for text in as_texts(rule(rules, "expected"), "rules.expected")]
    url = _url(result)
    return score(url is not None and all(pattern.search(url) for pattern in patterns))


def is_expected_search_query(result: object, rules: object, _: Mapping[str, object]) -> float:
    """The pattern `rules.expect.pattern` is found in the URL of the tab in front."""
    pattern = _pattern(as_text(rule(rule(rules, "expect"), "pattern"), "rules.expect.pattern"))
    url = _url(result)
    return score(url is not None and pattern.search(url) is not None)


def is_expected_installed_extensions(result: object, rules: object, _: Mapping[str, object]) -> float:
    """Every extension of `rules.expected` is installed; others may be, as the browser brings some."""
    wanted = as_texts(rule(rules, "expected"), "rules.expected")
    return 0.0 if result is None else score(set(wanted) <= {str(name) for name in as_list(result, "the extensions")})


def check_font_size(result: object, rules: object, _: Mapping[str, object]) -> float:
    """The browser's default font size is `rules.value` (`rules.type` `value`), or between `min` and `max` (`range`)."""
    sort = choice(rules, "type", "value", "range")
    low, high = (_size(rules, name) for name in (("value", "value") if sort == "value" else ("min", "max")))
    size = None if result is None else as_object(result, "the font sizes").get("default_font_size")
    if isinstance(size, bool) or not isinstance(size, int | float):
        return 0.0
    return score(size == low if sort == "value" else low < size < high)


def is_expected_bookmarks(result: object, rules: object, _: Mapping[str, object]) -> float:
    """The bookmarks bar has the folders or addresses that `rules.type` and its lists say, and no others."""
    sort = choice(rules, "type", *_BOOKMARKS)
    if sort == "liked_authors_websites_urls":
        return _authors(result, rules)
    kind_of_entry, field, listed = _BOOKMARKS[sort]
    wanted = as_texts(rule(rules, listed), f"rules.{listed}")
    return score({str(entry.get(field)) for entry in _bar(result) if entry.get("type") == kind_of_entry} == set(wanted))


_BOOKMARKS = {
    "bookmark_bar_folders_names": ("folder", "name", "names"),
    "bookmark_bar_websites_urls": ("url", "url", "urls"),
    "liked_authors_websites_urls": ("url", "url", "urls"),
}
"""For each kind of rule: which entries count, what of them, and what it is compared with."""


def _authors(result: object, rules: object) -> float:
    """The folder `Liked Authors` has one address for each author, out of the list of that author's."""
    wanted = [as_texts(urls, "an element of rules.urls") for urls in as_list(rule(rules, "urls"), "rules.urls")]
    folders = [
        entry for entry in _bar(result) if entry.get("type") == "folder" and entry.get("name") == "Liked Authors"
    ]
    if not folders:
        return 0.0
    found = [entry.get("url") for entry in _entries(folders[0]) if entry.get("type") == "url"]
    return score(len(found) == len(wanted) and all(any(url in found for url in urls) for urls in wanted))


def check_history_deleted(result: object, rules: object, _: Mapping[str, object]) -> float:
    """No address of the browser's history has a word of `rules.keywords` in it."""
    words = _sort_of(rules, "keywords")
    rows = None if result is None else query(as_bytes(result, "the history"), "SELECT url FROM urls")
    return score(rows is not None and not any(word in str(url) for (url,) in rows for word in words))


def is_cookie_deleted(result: object, rules: object, _: Mapping[str, object]) -> float:
    """No cookie of the browser is of a domain of `rules.domains`, or of one below it."""
    domains = [domain.lstrip(".") for domain in _sort_of(rules, "domains")]
    rows = None if result is None else query(as_bytes(result, "the cookies"), "SELECT host_key FROM cookies")
    if rows is None:
        return 0.0
    return score(not any(f".{str(host).lstrip('.')}".endswith(f".{domain}") for (host,) in rows for domain in domains))


def is_shortcut_on_desktop(result: object, rules: object, _: Mapping[str, object]) -> float:
    """Among the texts of the Desktop's launchers, by file name, one has the name `rules.name`."""
    (name,) = _sort_of(rules, "name")
    if result is None:
        return 0.0
    texts = [as_text(text, "a launcher") for text in as_object(result, "the launchers").values()]
    return score(any(line.strip() == f"Name={name}" for text in texts for line in text.split("\n")))


def _sort_of(rules: object, name: str) -> list[str]:
    """What the one known kind of rule lists; its type and its list have nearly the same name."""
    value = rule(rules, choice(rules, "type", name))
    return [value] if isinstance(value, str) else as_texts(value, f"rules.{name}")


def _shows(result: object, rules: object, *, approximate: bool) -> float:
    wanted, url = as_text(rule(rules, choice(rules, "type", "url")), "rules.url"), _url(result)
    if url is None:
        return 0.0
    return score(_normal(url, approximate=approximate) == _normal(wanted, approximate=approximate))


def _url(tab: object) -> str | None:
    """The URL of a tab, which is told as such or with its title; None where there is no tab."""
    if tab is None or isinstance(tab, str):
        return tab
    return as_text(as_object(tab, "a tab").get("url"), "a tab's URL")


def _urls(rules: object, name: str) -> list[str]:
    return as_texts(rule(rules, name), f"rules.{name}")


def _normal(url: str, *, approximate: bool = False) -> str:
    """What two addresses of the same page share."""
    try:
        parts = urlsplit(url.strip())
        host = (parts.hostname or "").removeprefix("www.")
        port = parts.port
    except ValueError:
        return url.strip()
    secure = parts.scheme in {"http", "https", ""}
    scheme = "http" if secure else parts.scheme
    place = f"{scheme}://{host}{'' if port in {None, 80, 443} else f':{port}'}{parts.path.rstrip('/')}"
    return place if approximate else f"{place}?{parts.query}#{parts.fragment}"


def _pattern(text: str) -> re.Pattern[str]:
    try:
        return re.compile(text)
    except re.error as error:
        raise CheckerFault(f"{text!r} is no pattern: {error}") from error


def _size(rules: object, name: str) -> float:
    value = rule(rules, name)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise CheckerFault(f"rules.{name} must be a number, not {kind(value)}")
    return value


def _bar(result: object) -> list[dict[str, object]]:
    """What is on the bookmarks bar; nothing where there are no bookmarks."""
    roots = {} if result is None else as_object(result, "the bookmarks")
    bar = roots.get("bookmark_bar")
    return _entries(cast("dict[str, object]", bar)) if isinstance(bar, dict) else []


def _entries(folder: Mapping[str, object]) -> list[dict[str, object]]:
    children = folder.get("children")
    listed = cast("list[object]", children) if isinstance(children, list) else []
    return [cast("dict[str, object]", child) for child in listed if isinstance(child, dict)]


CHECKERS: Mapping[str, CheckerSpec] = {
    "is_expected_tabs": CheckerSpec(is_expected_tabs),
    "is_expected_active_tab": CheckerSpec(is_expected_active_tab),
    "is_expected_active_tab_approximate": CheckerSpec(is_expected_active_tab_approximate),
    "is_expected_url_pattern_match": CheckerSpec(is_expected_url_pattern_match),
    "is_expected_search_query": CheckerSpec(is_expected_search_query),
    "is_expected_installed_extensions": CheckerSpec(is_expected_installed_extensions),
    "check_font_size": CheckerSpec(check_font_size),
    "is_expected_bookmarks": CheckerSpec(is_expected_bookmarks),
    "check_history_deleted": CheckerSpec(check_history_deleted),
    "is_cookie_deleted": CheckerSpec(is_cookie_deleted),
    "is_shortcut_on_desktop": CheckerSpec(is_shortcut_on_desktop),
}

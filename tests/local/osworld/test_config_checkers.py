"""Checkers of settings files and of the browser read what each program writes."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drums.local.osworld.checkers import CheckerFault, browser, configs, mail
from tests.local.osworld.checking import FAILS, PASSES, Row, found, json_values, rule, score, seen
from tests.local.osworld.test_checkers import database

OURS = {*configs.CHECKERS, *browser.CHECKERS, *mail.CHECKERS}

VLCRC = b"""
[core] # core program
# Record directory (string)
input-record-path=/home/user/Desktop
#play-and-exit=0
one-instance-when-started-from-file=0
#global-key-play-pause=
qt-max-volume=200
[qt]
qt-slider-colours=0;0;0;20;20;20;99;9;9;1;1;1
#qt-bgcone=1
qt-bgcone=0
qt-minimal-view=1 = 1
"""
PLAYING = b"""<?xml version="1.0"?><root><state>playing</state><information><category name="meta">
<info name='filename'>a%20b.mp4</info></category></information></root>"""
STREAM = b"<root><state>playing</state><info name='url'>https://host/x/master.m3u8</info></root>"
GIMPRC = b"""# (undo-levels 100)

(undo-levels 5)
(theme "Light")
(color-management
    (mode none))
(session-info "toplevel"
    (position 1 2))
"""
PREFS = rb"""// Mozilla User Preferences
user_pref("mail.a", true);
user_pref("mail.count", 3);
user_pref("mail.text", "one\n\"two\"");
user_pref("mail.a", false);
user_pref("broken", (1));
"""
FILTERS = rb"""version="9"
logging="no"
name="Promotions"
enabled="yes"
action="Move to folder"
actionValue="mailbox://nobody@Local%20Folders/Promotions"
condition="AND (subject,contains,discount) AND (from,contains,\"a b\")"
name="All"
enabled="no"
action="Forward"
condition="ALL"
"""
BILL = b"From - Mon\nX-Mozilla-Status: 0001\nX-Mozilla-Keys:  $label1\nSubject: A\n long one\n\nPay.\n\n"
NOTE = b"From - Tue\r\nSubject: B\r\n\r\nHello\r\n>From here\r\n\r\n"
GONE = b"From - Wed\nX-Mozilla-Status: 0009\nSubject: C\n\nold\n\n"
READ = BILL.replace(b"0001", b"0000").replace(b"$label1", b"")
TABS = [{"title": "", "url": "https://www.example.com/"}, {"title": "", "url": "http://other.org/a?b=c"}]
BOOKMARKS = {
    "bookmark_bar": {
        "children": [
            {"type": "folder", "name": "Favorites", "children": [{"type": "url", "url": "https://deep"}]},
            {"type": "folder", "name": "Liked Authors", "children": [{"type": "url", "url": "https://one"}]},
            {"type": "url", "name": "x", "url": "https://two"},
        ]
    }
}
HISTORY = database("CREATE TABLE urls (url TEXT)", "INSERT INTO urls VALUES ('https://www.youtube.com/x')")
COOKIES = database("CREATE TABLE cookies (host_key TEXT)", "INSERT INTO cookies VALUES ('www.amazon.com'), ('.b.org')")


def setting(name: str, key: str, wanted: object, other: object) -> list[Row]:
    return [
        (name, VLCRC, {key: wanted}, {}, PASSES),
        (name, VLCRC, {key: other}, {}, FAILS),
        (name, b"", {key: wanted}, {}, FAILS),
        (name, None, {key: wanted}, {}, FAILS),
    ]


def url(text: str) -> dict[str, object]:
    return {"type": "url", "url": text}


CASES: list[Row] = [
    *setting("is_vlc_recordings_folder", "recording_file_path", "/home/user/Desktop", "/home/user"),
    *setting("check_play_and_exit", "expected_play_and_exit", 0, 1),
    *setting("check_one_instance_when_started_from_file", "expected_one_instance_when_started_from_file", 0, 1),
    *setting("check_global_key_play_pause", "expected_global_key_play_pause", 0, 1),
    *setting("check_qt_max_volume", "expected_qt_max_volume", 200, "125"),
    *setting("check_qt_bgcone", "expected_qt_bgcone", "0", 1),
    *setting("check_qt_minimal_view", "expected_qt_minimal_view", "1 = 1", 1),
    ("check_global_key_play_pause", b"global-key-play-pause=Ctrl+p", {"expected_global_key_play_pause": 1}, {}, PASSES),
    ("check_qt_slider_colours", VLCRC, {"type": "blackish"}, {}, PASSES),
    ("check_qt_slider_colours", b"qt-slider-colours=153;210;153", {"type": "blackish"}, {}, FAILS),
    ("check_qt_slider_colours", b"qt-slider-colours=1;2", {"type": "blackish"}, {}, FAILS),
    ("check_qt_slider_colours", b"qt-slider-colours=1;2;-3", {"type": "blackish"}, {}, FAILS),
    ("check_qt_slider_colours", b"qt-slider-colours=" + b"1" * 5000 + b";2;3", {"type": "blackish"}, {}, FAILS),
    ("check_qt_slider_colours", b"", {"type": "blackish"}, {}, FAILS),
    (
        "check_qt_slider_colours",
        b"qt-slider-colours=1;2",
        {"type": "match", "expected_qt_slider_colours": "1;2"},
        {},
        PASSES,
    ),
    (
        "check_qt_slider_colours",
        b"qt-slider-colours=1;2",
        {"type": "match", "expected_qt_slider_colours": "1;3"},
        {},
        FAILS,
    ),
    ("is_vlc_fullscreen", {"width": 9, "height": 6}, {"width": 9, "height": 6}, {}, PASSES),
    ("is_vlc_fullscreen", {"width": 9, "height": 6}, {"width": 8, "height": 6}, {}, FAILS),
    ("is_vlc_fullscreen", {"width": 9, "height": 6}, None, {}, FAILS),
    ("is_vlc_fullscreen", {}, {}, {}, FAILS),
    ("is_vlc_playing", PLAYING, {"type": "file_name", "file_name": "a b.mp4"}, {}, PASSES),
    ("is_vlc_playing", PLAYING, {"type": "file_name", "file_name": "b.mp4"}, {}, FAILS),
    (
        "is_vlc_playing",
        PLAYING.replace(b"playing", b"paused"),
        {"type": "file_name", "file_name": "a b.mp4"},
        {},
        FAILS,
    ),
    ("is_vlc_playing", STREAM, url("https://host/x/master.m3u8"), {}, PASSES),
    ("is_vlc_playing", STREAM, url("https://host/y/master.m3u8"), {}, FAILS),
    ("is_vlc_playing", b"<root><state>playing", url("x"), {}, FAILS),
    ("is_vlc_playing", b'<!DOCTYPE r [<!ENTITY a "playing">]><r><state>&a;</state></r>', url("x"), {}, FAILS),
    ("is_vlc_playing", None, url("x"), {}, FAILS),
    ("check_config_status", GIMPRC, {"key": "undo-levels", "value": "5"}, {}, PASSES),
    ("check_config_status", GIMPRC, {"key": "undo-levels", "value": "100"}, {}, FAILS),
    ("check_config_status", GIMPRC, {"key": "theme", "value": '"Light"'}, {}, PASSES),
    ("check_config_status", GIMPRC, {"key": ["session-info", '"toplevel"'], "value": "x"}, {}, FAILS),
    ("check_config_status", b"(a b c)", {"key": ["a", "b"], "value": "c"}, {}, PASSES),
    ("check_config_status", GIMPRC, {"key": "missing", "value": "x"}, {}, FAILS),
    ("check_config_status", None, {"key": "theme", "value": "x"}, {}, FAILS),
    ("check_thunderbird_prefs", PREFS, {"expect": {"mail.a": {"method": "eq", "ref": False}}}, {}, PASSES),
    ("check_thunderbird_prefs", PREFS, {"expect": {"mail.a": {"method": "eq", "ref": True}}}, {}, FAILS),
    ("check_thunderbird_prefs", PREFS, {"expect": {"mail.text": {"method": "re.S", "ref": 'one.*"two"'}}}, {}, PASSES),
    ("check_thunderbird_prefs", PREFS, {"expect": {"mail.count": {"method": "ge", "ref": 3}}}, {}, PASSES),
    ("check_thunderbird_prefs", PREFS, {"expect": {"mail.none": {"method": "eq", "ref": None}}}, {}, FAILS),
    ("check_thunderbird_prefs", PREFS, {"unexpect": {"mail.none": {"method": "eq", "ref": None}}}, {}, PASSES),
    ("check_thunderbird_prefs", PREFS, {"unexpect": {"mail.count": {"method": "eq", "ref": 3}}}, {}, FAILS),
    ("check_thunderbird_prefs", None, {}, {}, FAILS),
    (
        "check_thunderbird_filter",
        FILTERS,
        {"expect": [{"enabled": "yes", "condition": ['AND (from,contains,"a b")', "AND (subject,contains,discount)"]}]},
        {},
        PASSES,
    ),
    ("check_thunderbird_filter", FILTERS, {"expect": [{"action": "Forward", "condition": ["ALL"]}]}, {}, PASSES),
    ("check_thunderbird_filter", FILTERS, {"expect": [{"action": "Forward", "enabled": "yes"}]}, {}, FAILS),
    ("check_thunderbird_filter", FILTERS, {"expect": [{"condition": ["AND (subject,contains,discount)"]}]}, {}, FAILS),
    ("check_thunderbird_filter", FILTERS, {"unexpect": [{"name": "All"}]}, {}, FAILS),
    ("check_thunderbird_filter", b'enabled="yes"', {"expect": [{"enabled": "yes"}]}, {}, FAILS),
    ("check_thunderbird_filter", None, {}, {}, FAILS),
    ("check_thunderbird_folder", BILL + NOTE, BILL + NOTE, {}, PASSES),
    ("check_thunderbird_folder", [BILL, NOTE], [BILL, NOTE], {}, PASSES),
    ("check_thunderbird_folder", BILL + GONE + BILL, BILL, {"remove_deleted": True, "remove_duplicate": True}, PASSES),
    ("check_thunderbird_folder", BILL + GONE, BILL, {"remove_deleted": False}, FAILS),
    ("check_thunderbird_folder", BILL + BILL, BILL, {"remove_duplicate": False}, FAILS),
    ("check_thunderbird_folder", READ, BILL, {"ignore_status": True, "ignore_keys": True}, PASSES),
    ("check_thunderbird_folder", READ, BILL, {"ignore_status": True}, FAILS),
    ("check_thunderbird_folder", NOTE + BILL, BILL + NOTE, {}, FAILS),
    ("check_thunderbird_folder", b"Subject: B\n\nHello\n>From here", NOTE, {}, PASSES),
    ("check_thunderbird_folder", b"", NOTE, {}, FAILS),
    ("check_thunderbird_folder", [None], [NOTE], {}, FAILS),
    ("check_thunderbird_folder", None, NOTE, {}, FAILS),
    ("is_expected_tabs", TABS, {"type": "url", "urls": ["http://other.org/a?b=c", "http://example.com"]}, {}, PASSES),
    ("is_expected_tabs", TABS, {"type": "url", "urls": ["http://example.com"]}, {}, FAILS),
    ("is_expected_tabs", TABS, {"type": "url", "urls": ["http://other.org/a", "http://example.com"]}, {}, FAILS),
    ("is_expected_tabs", TABS[:1] * 2, {"type": "url", "urls": ["https://example.com"] * 2}, {}, PASSES),
    ("is_expected_tabs", [{"url": "http://[broken"}], {"type": "url", "urls": ["http://[broken"]}, {}, PASSES),
    ("is_expected_tabs", [], {"type": "url", "urls": ["http://a:1"]}, {}, FAILS),
    ("is_expected_tabs", None, {"type": "url", "urls": []}, {}, FAILS),
    ("is_expected_active_tab", TABS[0], url("https://example.com"), {}, PASSES),
    ("is_expected_active_tab", "https://example.com/x", url("https://www.example.com/x/"), {}, PASSES),
    ("is_expected_active_tab", "https://example.com/x", url("https://example.com/y"), {}, FAILS),
    ("is_expected_active_tab", "chrome://settings/", url("http://settings/"), {}, FAILS),
    ("is_expected_active_tab", None, url("http://a"), {}, FAILS),
    ("is_expected_active_tab_approximate", "http://a/b?c", url("http://a/b?d"), {}, PASSES),
    ("is_expected_active_tab_approximate", "http://a/b", url("http://a/c"), {}, FAILS),
    ("is_expected_url_pattern_match", "https://a.org/x?y=z", rule(["^https://a", "y="]), {}, PASSES),
    ("is_expected_url_pattern_match", TABS[1], rule([r"other\.org"]), {}, PASSES),
    ("is_expected_url_pattern_match", "https://a.org/x", rule(["^https://a", "y="]), {}, FAILS),
    ("is_expected_url_pattern_match", None, rule([]), {}, FAILS),
    ("is_expected_search_query", TABS[1], {"expect": {"pattern": "(?i)A[?]B="}}, {}, PASSES),
    ("is_expected_search_query", TABS[1], {"expect": {"pattern": "q="}}, {}, FAILS),
    ("is_expected_installed_extensions", ["A", "B", "PDF Viewer"], rule(["B", "A"]), {}, PASSES),
    ("is_expected_installed_extensions", ["A"], rule(["B", "A"]), {}, FAILS),
    ("check_font_size", {"default_font_size": 24}, {"type": "range", "min": 16, "max": 99}, {}, PASSES),
    ("check_font_size", {"default_font_size": 16}, {"type": "range", "min": 16, "max": 99}, {}, FAILS),
    ("check_font_size", {"default_font_size": 16}, {"type": "value", "value": 16}, {}, PASSES),
    ("check_font_size", {}, {"type": "value", "value": 16}, {}, FAILS),
    (
        "is_expected_bookmarks",
        BOOKMARKS,
        {"type": "bookmark_bar_folders_names", "names": ["Liked Authors", "Favorites"]},
        {},
        PASSES,
    ),
    ("is_expected_bookmarks", BOOKMARKS, {"type": "bookmark_bar_folders_names", "names": ["Favorites"]}, {}, FAILS),
    ("is_expected_bookmarks", BOOKMARKS, {"type": "bookmark_bar_websites_urls", "urls": ["https://two"]}, {}, PASSES),
    ("is_expected_bookmarks", BOOKMARKS, {"type": "bookmark_bar_websites_urls", "urls": ["https://deep"]}, {}, FAILS),
    (
        "is_expected_bookmarks",
        BOOKMARKS,
        {"type": "liked_authors_websites_urls", "urls": [["https://1", "https://one"]]},
        {},
        PASSES,
    ),
    (
        "is_expected_bookmarks",
        BOOKMARKS,
        {"type": "liked_authors_websites_urls", "urls": [["https://one"]] * 2},
        {},
        FAILS,
    ),
    ("is_expected_bookmarks", {}, {"type": "liked_authors_websites_urls", "urls": []}, {}, FAILS),
    ("is_expected_bookmarks", None, {"type": "bookmark_bar_websites_urls", "urls": ["x"]}, {}, FAILS),
    ("check_history_deleted", HISTORY, {"type": "keywords", "keywords": ["vimeo"]}, {}, PASSES),
    ("check_history_deleted", HISTORY, {"type": "keywords", "keywords": ["vimeo", "youtube"]}, {}, FAILS),
    ("check_history_deleted", b"", {"type": "keywords", "keywords": ["youtube"]}, {}, FAILS),
    ("check_history_deleted", None, {"type": "keywords", "keywords": ["youtube"]}, {}, FAILS),
    ("is_cookie_deleted", COOKIES, {"type": "domains", "domains": [".zon.com", "c.org"]}, {}, PASSES),
    ("is_cookie_deleted", COOKIES, {"type": "domains", "domains": [".amazon.com"]}, {}, FAILS),
    ("is_cookie_deleted", COOKIES, {"type": "domains", "domains": ["b.org"]}, {}, FAILS),
    ("is_cookie_deleted", None, {"type": "domains", "domains": ["b.org"]}, {}, FAILS),
    (
        "is_shortcut_on_desktop",
        {"a.desktop": "[Desktop Entry]\nName=Game\n"},
        {"type": "name", "name": "Game"},
        {},
        PASSES,
    ),
    ("is_shortcut_on_desktop", {"a.desktop": "Name=Game 2"}, {"type": "name", "name": "Game"}, {}, FAILS),
    ("is_shortcut_on_desktop", None, {"type": "name", "name": "Game"}, {}, FAILS),
]


@pytest.mark.parametrize(("name", "result", "expected", "options", "wanted"), CASES)
def test_a_checker_scores_what_a_program_wrote(
    name: str, result: object, expected: object, options: dict[str, object], wanted: float
) -> None:
    assert score(name, result, expected, options) == wanted


def test_every_checker_is_seen_to_pass_and_to_fail() -> None:
    assert seen(CASES, PASSES) == OURS
    assert seen(CASES, FAILS) == OURS


@pytest.mark.parametrize(
    ("name", "result", "expected"),
    [
        ("check_qt_bgcone", VLCRC, {}),
        ("check_qt_bgcone", VLCRC, {"expected_qt_bgcone": True}),
        ("check_qt_bgcone", "text", {"expected_qt_bgcone": 1}),
        ("check_global_key_play_pause", VLCRC, {"expected_global_key_play_pause": 2}),
        ("check_qt_slider_colours", VLCRC, {"type": "whitish"}),
        ("check_qt_slider_colours", VLCRC, {"type": "match"}),
        ("is_vlc_fullscreen", 1, {}),
        ("is_vlc_playing", PLAYING, {"type": "state"}),
        ("check_config_status", GIMPRC, {"key": [], "value": "x"}),
        ("check_config_status", GIMPRC, {"key": "x"}),
        ("check_thunderbird_prefs", PREFS, {"expect": {"mail.a": {"method": "is", "ref": 1}}}),
        ("check_thunderbird_prefs", PREFS, {"expect": ["mail.a"]}),
        ("check_thunderbird_filter", FILTERS, {"expect": {}}),
        ("check_thunderbird_folder", BILL, None),
        ("check_thunderbird_folder", BILL, [BILL, NOTE]),
        ("is_expected_tabs", TABS, {"type": "url"}),
        ("is_expected_tabs", "https://a", {"type": "url", "urls": []}),
        ("is_expected_active_tab", "https://a", {"type": "title", "title": "x"}),
        ("is_expected_url_pattern_match", "https://a", rule(["("])),
        ("is_expected_url_pattern_match", {"title": ""}, rule(["a"])),
        ("is_expected_search_query", "https://a", {"expect": []}),
        ("check_font_size", {}, {"type": "fuzzy"}),
        ("is_expected_bookmarks", {}, {"type": "bookmarks"}),
        ("check_history_deleted", database("CREATE TABLE x (y)"), {"type": "keywords", "keywords": ["a"]}),
        ("is_cookie_deleted", COOKIES, {"type": "names", "names": ["a"]}),
    ],
)
def test_what_a_checker_cannot_judge_is_a_fault_and_never_a_score(name: str, result: object, expected: object) -> None:
    with pytest.raises(CheckerFault):
        score(name, result, expected)


@given(name=st.sampled_from(sorted(OURS)), result=json_values, expected=json_values, data=st.data())
def test_whatever_a_checker_is_given_it_scores_0_or_1_or_says_that_it_cannot(
    name: str, result: object, expected: object, data: Any
) -> None:
    judged = found(name, result, expected, data)
    assert isinstance(judged, str) or judged in {0.0, 1.0}


words = st.text(st.characters(codec="utf-8", exclude_characters='=#\r\n"\\', exclude_categories=["Z", "C"]), min_size=1)


@given(words, words, st.lists(words))
def test_a_vlc_setting_that_was_set_counts_before_the_one_that_came(
    value: str, default: str, others: list[str]
) -> None:
    lines = [f"{other}={other}" for other in others] + [f"#input-record-path={default}", f"input-record-path={value}"]
    wanted = {"recording_file_path": value}
    assert score("is_vlc_recordings_folder", "\n".join(lines).encode(), wanted) == PASSES
    assert score("is_vlc_recordings_folder", "\n".join(lines[:-1]).encode(), wanted) == float(value == default)


@given(st.dictionaries(words, st.text() | st.booleans() | st.integers(), min_size=1))
def test_a_thunderbird_preference_is_read_as_it_was_written(prefs: dict[str, Any]) -> None:
    import json

    lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in prefs.items()]
    expect = {name: {"method": "eq", "ref": value} for name, value in prefs.items()}
    assert score("check_thunderbird_prefs", "\n".join(lines).encode(), {"expect": expect}) == PASSES

"""The report: nothing hostile gets through, nothing is loaded, its size is bounded; and in a real browser it works."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from html.parser import HTMLParser
from io import BytesIO
from typing import TYPE_CHECKING, Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from drums.evaluation.pictures import Pictures
from drums.evaluation.report import action_text, page, points_of, write_report
from drums.evaluation.summary import summary_of
from tests.evaluation.stage import a_record
from tests.evaluation.test_results import a_header
from tests.test_demo import CHROMIUM, CHROMIUM_FLAGS

if TYPE_CHECKING:
    from pathlib import Path

    from drums.evaluation.records import RolloutRecord

SMALL = (480, 270)
needs_chromium = pytest.mark.skipif(
    CHROMIUM is None, reason="no Chromium on this machine: the report was not looked at in a browser"
)
HOSTILE = "</script><script>document.body.dataset.hacked=1</script><img src=x onerror=document.body.dataset.hacked=1>"


def a_picture(shade: int, size: tuple[int, int] = (1920, 1080)) -> bytes:
    out = BytesIO()
    Image.new("RGB", size, (shade % 256, 80, 120)).save(out, "PNG")
    return out.getvalue()


def kept(folder: Path, name: str, data: bytes) -> str:
    path = folder / "screenshots" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return f"screenshots/{name}"


def a_turn(screenshot: str | None, **facts: Any) -> dict[str, Any]:
    return {"at_s": 0.1, "screenshot": screenshot, "said": None, "actions": [], "signal": None, **facts}


def an_action(code: str, **facts: Any) -> dict[str, Any]:
    action = {"type": "pyautogui", "code": code}
    return {"action": action, "returncode": 0, "output": "", "error": "", "seconds": 0.1, **facts}


def a_run_with_everything(folder: Path) -> list[RolloutRecord]:
    """A success with three screenshots, a partial score, a fail, an invalid episode and an error; all texts hostile."""
    shots = [kept(folder, f"a/{number}.png", a_picture(40 * number)) for number in range(3)]
    actions = [an_action("pyautogui.click(960, 540)"), an_action("x", returncode=1, error=HOSTILE, output=HOSTILE)]
    turns = [a_turn(shots[0], said=HOSTILE, actions=actions), a_turn(shots[1], signal="DONE")]
    gates = [{"name": "network", "status": "failed", "detail": HOSTILE}, {"name": "mounts", "status": "passed"}]
    invalid_gates = [{"detail": None, **gate} for gate in gates]
    return [
        a_record(task_id="t1", instruction=HOSTILE, turns=turns, last_screenshot=shots[2], domain=HOSTILE),
        a_record(task_id="t2", score=0.5, audit_flags=[HOSTILE], trusted=False),
        a_record(task_id="t3", score=0.0, domain="text"),
        a_record(task_id="t4", outcome="invalid", reasons=[HOSTILE], bad_gates=["network"], gates=invalid_gates),
        a_record(task_id=f"t5{HOSTILE}", outcome="error", error={"kind": "policy", "message": HOSTILE}, domain="text"),
    ]


class Tags(HTMLParser):
    """The tags and the scripts of a page, as a browser would find them."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))


def rollouts_on(text: str) -> list[dict[str, Any]]:
    found = re.search(r'<script type="application/json" id="rollouts">(.*?)</script>', text, re.DOTALL)
    assert found
    return cast("list[dict[str, Any]]", json.loads(found[1]))


def test_a_report_holds_every_rollout_and_loads_nothing(tmp_path: Path) -> None:
    records = a_run_with_everything(tmp_path)
    report = write_report(tmp_path, a_header(), records, summary_of(records, 1), 5)
    text = report.path.read_text()
    assert report.size_bytes == len(text.encode())
    assert {one["class"] for one in rollouts_on(text)} == {"success", "partial", "fail", "invalid", "error"}
    tags = Tags(text).tags
    assert not [tag for tag, names in tags if tag in {"img", "link", "iframe"} or "src" in names or "href" in names]
    assert [names.get("type") for tag, names in tags if tag == "script"] == ["application/json"] * 2 + [None]
    assert not [name for _, names in tags for name in names if name.startswith("on") or name == "style"]
    [rules] = [names["content"] for _, names in tags if names.get("http-equiv") == "Content-Security-Policy"]
    assert rules is not None
    assert rules.startswith("default-src 'none'; img-src data:;")
    assert "unsafe" not in rules
    assert list(tmp_path.glob(".report*")) == []


@settings(max_examples=30)
@given(st.text() | st.sampled_from([HOSTILE, "<!--<script>", "]]>", "{{script}}", "{{rollouts}}", "\u2028\ud800&<'\""]))
def test_no_text_becomes_markup(text: str) -> None:
    header = a_header()
    header["settings"]["policy"] = text
    header["server"] = {"version": text, "machine": text}
    record = a_record(domain=text, outcome="invalid", bad_gates=[text])
    plain = a_record(domain="x", outcome="invalid", bad_gates=["x"])
    plain_header = a_header()
    plain_header["server"] = {"version": "x", "machine": "x"}
    one = page(header, summary_of([record], 1), [{"text": text}], [], [text])
    other = page(plain_header, summary_of([plain], 1), [{"text": "x"}], [], ["x"])
    assert [tag for tag, _ in Tags(one).tags] == [tag for tag, _ in Tags(other).tags]


def test_pictures_are_made_small_and_each_is_there_once(tmp_path: Path) -> None:
    same = a_picture(1)
    names = [kept(tmp_path, f"{number}.png", same) for number in range(4)]
    pictures = Pictures(tmp_path)
    pictures.take([a_record(turns=[a_turn(name) for name in names], last_screenshot=names[0])])
    assert [pictures.index(name) for name in names] == [0] * 4
    [uri] = pictures.uris
    assert uri.startswith("data:image/webp;base64,")
    assert len(uri) < len(same)


def test_when_there_is_no_room_the_last_screenshots_stay_and_the_rest_is_counted(tmp_path: Path) -> None:
    records = [
        a_record(
            task_id=f"t{n}",
            turns=[a_turn(kept(tmp_path, f"{n}/{turn}.png", a_picture(50 * n + turn, SMALL))) for turn in range(5)],
            last_screenshot=kept(tmp_path, f"{n}/end.png", a_picture(50 * n + 49, SMALL)),
        )
        for n in range(3)
    ]
    every = Pictures(tmp_path)
    every.take(records)
    room = sum(len(uri) for uri in every.uris[:4])
    some = Pictures(tmp_path, budget_bytes=room)
    some.take(records)
    assert every.left_out == 0
    assert sum(len(uri) for uri in some.uris) <= room
    assert all(some.index(record["last_screenshot"]) is not None for record in records)
    assert some.left_out == 18 - len(some.uris)


@pytest.mark.parametrize("data", [b"", b"GIF89a", a_picture(1)[:300], a_picture(1)[:33] + b"\0" * 999])
def test_a_broken_picture_is_left_out(tmp_path: Path, data: bytes) -> None:
    pictures = Pictures(tmp_path)
    pictures.take([a_record(last_screenshot=kept(tmp_path, "x.png", data))])
    assert (pictures.uris, pictures.left_out) == ([], 1)


def test_a_picture_that_would_be_huge_is_not_decoded(tmp_path: Path) -> None:
    head = bytearray(a_picture(1, (8, 8)))
    head[16:24] = (16_000).to_bytes(4, "big") * 2
    head[29:33] = __import__("zlib").crc32(bytes(head[12:29])).to_bytes(4, "big")
    pictures = Pictures(tmp_path)
    pictures.take([a_record(last_screenshot=kept(tmp_path, "x.png", bytes(head)))])
    assert pictures.left_out == 1


def test_only_files_among_the_screenshots_are_read(tmp_path: Path) -> None:
    outside = tmp_path / "outside.png"
    outside.write_bytes(a_picture(1))
    (tmp_path / "run" / "screenshots").mkdir(parents=True)
    (tmp_path / "run" / "screenshots" / "link.png").symlink_to(outside)
    pictures = Pictures(tmp_path / "run")
    paths = ["../outside.png", str(outside), "screenshots/../../outside.png", "screenshots/link.png", "a\0b"]
    pictures.take([a_record(attempt=n, last_screenshot=path) for n, path in enumerate(paths)])
    assert (pictures.uris, pictures.left_out) == ([], len(paths))


def test_actions_are_told_as_a_person_reads_them() -> None:
    assert action_text({"type": "execute", "command": ["ls", "-l"]}) == "$ ls -l"
    assert action_text({"type": "launch", "command": "xterm"}) == "start xterm"
    assert action_text({"type": "sleep", "seconds": 1}) == '{"type": "sleep", "seconds": 1}'
    assert points_of({"code": "pyautogui.moveTo(960, 540)\npyautogui.dragTo(x=1920, y=0)"}) == [(0.5, 0.5), (1.0, 0.0)]
    assert points_of({"code": "pyautogui.click(99999, 1)"}) == []


# --- in a browser -----------------------------------------------------------------------------------------------------

DRIVE = """<script>
addEventListener("load", () => {
  const said = document.body.dataset;
  const $ = (id) => document.getElementById(id);
  const key = (name) => (document.activeElement || document.body).dispatchEvent(
    new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true }));
  said.rows = $("rows").children.length;
  [...$("chips").children].find((chip) => chip.textContent.startsWith("Invalid")).click();
  said.invalid = $("rows").children.length + ":" + $("count").textContent;
  $("chips").children[0].click();
  $("domain").value = "text"; $("domain").dispatchEvent(new Event("change"));
  said.text = $("rows").children.length;
  $("domain").value = ""; $("domain").dispatchEvent(new Event("change"));
  $("search").value = "policy"; $("search").dispatchEvent(new Event("input"));
  said.found = $("rows").children.length;
  $("search").value = ""; $("search").dispatchEvent(new Event("input"));
  const success = [...$("rows").children].findIndex((row) => row.textContent.startsWith("Success"));
  $("rows").children[0].focus();
  for (let n = 0; n < success; n += 1) key("ArrowDown");
  key("Enter");
  said.open = $("detail").open;
  said.turns = document.querySelectorAll("ol.turns li").length;
  said.mark = document.querySelectorAll(".mark").length;
  key("ArrowRight"); key("ArrowRight");
  said.at = [...$("strip").children].findIndex((one) => one.getAttribute("aria-current") === "true");
  key("ArrowDown");
  said.other = $("title").textContent;
  $("close").click();
  said.closed = !$("detail").open;
  const drawn = document.querySelector("#rows img");
  said.drawn = drawn ? drawn.naturalWidth : 0;
  said.hacked = said.hacked || "no";
});
</script>"""


@needs_chromium
def test_a_browser_shows_and_filters_the_rollouts_by_keyboard_and_runs_nothing_hostile(tmp_path: Path) -> None:
    records = a_run_with_everything(tmp_path)
    text = write_report(tmp_path, a_header(), records, summary_of(records, 1), 5).path.read_text()
    # The page's own policy would forbid the script that drives it: here, and only here, scripts may run.
    freed = re.sub(r"script-src '[^']*'", "script-src 'unsafe-inline'", text)
    dom = shown_by_chromium(freed + DRIVE, tmp_path)
    said = dict(re.findall(r' data-(\w+)="([^"]*)"', re.search(r"<body[^>]*>", dom)[0]))  # type: ignore[index]
    assert said == {
        "rows": "5",
        "invalid": "1:1 of 5 rollouts",
        "text": "2",
        "found": "1",
        "open": "true",
        "turns": "3",
        "mark": "1",
        "at": "2",
        "other": said["other"],
        "closed": "true",
        "drawn": "960",
        "hacked": "no",
    }
    assert "Success" not in said["other"]


@needs_chromium
def test_a_browser_runs_the_reports_own_script_and_no_other(tmp_path: Path) -> None:
    records = a_run_with_everything(tmp_path)
    text = write_report(tmp_path, a_header(), records, summary_of(records, 1), 5).path.read_text()
    dom = shown_by_chromium(text + "<script>document.body.dataset.hacked = 1</script>", tmp_path)
    assert "5 of 5 rollouts" in dom
    assert "data-hacked" not in dom


def shown_by_chromium(text: str, folder: Path) -> str:
    """A page's DOM, as a browser leaves it."""
    file = folder / "page.html"
    file.write_text(text)
    assert CHROMIUM is not None
    flags = [*CHROMIUM_FLAGS, f"--user-data-dir={folder / 'profile'}", "--virtual-time-budget=5000", "--dump-dom"]
    done = subprocess.run([CHROMIUM, *flags, file.as_uri()], capture_output=True, text=True, timeout=90, check=False)
    shutil.rmtree(folder / "profile", ignore_errors=True)
    assert "</html>" in done.stdout, done.stderr[-500:]
    return done.stdout

"""`make demo` as a newcomer sees it: what it prints, what it leaves, and its page in a real browser."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
CHROMIUM = next(
    (path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None
)
CHROMIUM_FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """What the demo printed, and the folder with its page; run in a copy, so that the checkout's own is left alone."""
    copy = tmp_path_factory.mktemp("checkout") / "examples"
    shutil.copytree(ROOT / "examples", copy)
    environment = {name: value for name, value in os.environ.items() if not name.startswith("DRUMS")}
    done = subprocess.run(
        [sys.executable, "demo.py", "--machine", "sim"],
        cwd=copy,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout, copy.parent / "demo"


def test_the_demo_ends_in_a_verified_reward_and_nothing_left(demo: tuple[str, Path]) -> None:
    printed, _ = demo
    assert "score 1 valid True\n" in printed
    assert printed.count("computers left: 0\n") == 2


def test_the_demo_shows_each_child_with_its_score_and_validity(demo: tuple[str, Path]) -> None:
    printed, _ = demo
    rows = re.findall(r"^(s\d+) +(.*?) +([01]) +(True|False) +(.*)$", printed, flags=re.MULTILINE)
    assert [(score, valid) for _, _, score, valid, _ in rows] == [
        ("1", "True"),
        ("1", "True"),
        ("0", "True"),
        ("0", "True"),
    ]


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine: the page was not looked at in a browser")
def test_a_browser_shows_every_desktop_on_the_page(demo: tuple[str, Path], tmp_path: Path) -> None:
    _, folder = demo
    page = (folder / "index.html").as_uri()
    probe = tmp_path / "probe.html"
    probe.write_text((folder / "index.html").read_text().replace('src="', f'src="{folder.as_uri()}/') + MEASURE)
    assert CHROMIUM is not None
    done = subprocess.run(
        [
            CHROMIUM,
            *CHROMIUM_FLAGS,
            f"--user-data-dir={tmp_path / 'profile'}",
            "--virtual-time-budget=5000",
            "--dump-dom",
            probe.as_uri(),
        ],
        capture_output=True,
        text=True,
        timeout=90,
        check=False,
    )
    assert re.search(r'data-drawn="5" data-wide="1920"', done.stdout), (page, done.stderr[-500:])


MEASURE = """<script>
addEventListener("load", () => {
  const pictures = [...document.images];
  document.body.dataset.drawn = pictures.filter((p) => p.naturalHeight === 1080 && p.clientWidth > 100).length;
  document.body.dataset.wide = Math.max(...pictures.map((p) => p.naturalWidth));
});
</script>"""

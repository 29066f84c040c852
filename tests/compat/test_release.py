"""The steps of a release: what they change, what they refuse, and that two builds are equal."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools import release
from tools._compat import python_api
from tools._release.building import built, tried
from tools._release.version import (
    MODULE,
    PYPROJECT,
    ReleaseError,
    dated,
    disagreements,
    project_version,
    with_version,
)

ROOT = Path(__file__).parents[2]
LOG = "# Changelog\n\n## 0.4.0 (unreleased)\n\n### Added\n- a thing\n\n## 0.3.0 (2026-01-02)\n\n- old\n"


def test_the_version_is_changed_where_it_stands_and_nowhere_else() -> None:
    text = '[project]\nname = "x"\nversion = "0.3.0"\ndependencies = ["y>=0.3.0"]\n'
    assert project_version(with_version(text, PYPROJECT, "0.4.0")) == "0.4.0"
    assert 'y>=0.3.0"' in with_version(text, PYPROJECT, "0.4.0")
    assert with_version('"""Doc."""\n__version__ = "0.3.0"\n', MODULE, "0.4.0").endswith('__version__ = "0.4.0"\n')


@pytest.mark.parametrize("text", ["", 'version = "1"\nversion = "2"\n'])
def test_a_version_that_does_not_stand_once_is_refused(text: str) -> None:
    with pytest.raises(ReleaseError, match="exactly once"):
        with_version(text, PYPROJECT, "0.4.0")


def test_the_change_log_is_dated_and_tells_about_the_api() -> None:
    text = dated(LOG, "0.4.0", "2026-02-03", "### API 0.6.0\n\nNo change since 0.5.0.\n")
    assert (
        text.index("## 0.4.0 (2026-02-03)")
        < text.index("a thing")
        < text.index("### API 0.6.0")
        < text.index("## 0.3.0")
    )
    assert text.endswith("## 0.3.0 (2026-01-02)\n\n- old\n")
    with pytest.raises(ReleaseError, match="can't be done twice"):
        dated(text, "0.4.0", "2026-02-04", "")


def test_a_change_log_without_the_version_is_refused() -> None:
    with pytest.raises(ReleaseError, match=r"must be: ## 0\.5\.0"):
        dated(LOG, "0.5.0", "2026-02-03", "")


def test_places_that_disagree_are_named() -> None:
    assert disagreements("0.4.0", '__version__ = "0.4.0"\n', LOG) == []
    assert len(disagreements("0.4.1", '__version__ = "0.4.0"\n', LOG)) == 2


def test_this_checkout_agrees_with_itself() -> None:
    version = project_version((ROOT / "pyproject.toml").read_text())
    module, log = (ROOT / "drums" / "_version.py").read_text(), (ROOT / "CHANGELOG.md").read_text()
    assert disagreements(version, module, log) == []
    assert (ROOT / python_api.RELEASED / "VERSION").read_text().strip() <= version


@pytest.mark.parametrize("version", ["1", "v1.2.3", "1.2.3-beta"])
def test_a_senseless_version_is_refused_before_anything_is_written(
    version: str, capsys: pytest.CaptureFixture[str]
) -> None:
    before = (ROOT / "pyproject.toml").read_text()
    assert release.main(["prepare", version]) == 1
    assert "is not a version" in capsys.readouterr().err
    assert (ROOT / "pyproject.toml").read_text() == before


def test_nothing_is_verified_before_it_is_built(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(release, "DIST", tmp_path)
    assert release.main(["verify"]) == 1
    assert "run `build` first" in capsys.readouterr().err


@pytest.mark.long
@pytest.mark.timeout(600)
def test_two_builds_are_equal_and_both_archives_work(tmp_path: Path) -> None:
    sums = built(ROOT, tmp_path / "dist")
    assert sorted(name.rpartition(".")[2] for name in sums) == ["gz", "whl"]
    assert (tmp_path / "dist" / "SHA256SUMS").read_text().count("\n") == 2
    for name in sums:
        assert tried(tmp_path / "dist" / name, ROOT / "examples" / "quickstart.py").startswith("computers left: 0")

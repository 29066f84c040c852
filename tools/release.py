"""The steps of a release, one command each; docs/releasing.md tells their order. Nothing here publishes anything.

python tools/release.py check              everything agrees, and nothing breaks for users of the last release
python tools/release.py prepare 0.3.0      set the version, date the change log, move the baseline of the API
python tools/release.py build              wheel and sdist into dist/, twice, and equal
python tools/release.py verify             install both into empty environments and run the quickstart
"""

from __future__ import annotations

import argparse
import datetime
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import yaml

ROOT = Path(__file__).resolve().parents[1]
if not __package__:
    sys.path[0] = str(ROOT)  # run as a file: the package `tools` lies in the checkout's root

from tools import check_compat  # noqa: E402
from tools._compat import python_api  # noqa: E402
from tools._compat.baseline import write  # noqa: E402
from tools._compat.report import change_log, readable  # noqa: E402
from tools._compat.verdict import ListError, read_list  # noqa: E402
from tools._release.building import built, run, tried  # noqa: E402
from tools._release.version import (  # noqa: E402
    MODULE,
    PYPROJECT,
    VERSION,
    ReleaseError,
    dated,
    disagreements,
    project_version,
    with_version,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

DIST = ROOT / "dist"


def check() -> None:
    """Hold the checkout to what a release needs.

    Raises:
        ReleaseError: Something is missing or does not agree.
    """
    version = project_version((ROOT / "pyproject.toml").read_text())
    wrong = disagreements(version, (ROOT / "drums" / "_version.py").read_text(), (ROOT / "CHANGELOG.md").read_text())
    changed = run(["git", "status", "--porcelain"], ROOT).splitlines()
    if changed:
        wrong.append(f"{len(changed)} files are not committed: {', '.join(line[3:] for line in changed[:5])}")
    allowed = read_list(yaml.safe_load(check_compat.ALLOWED.read_bytes()))
    for subject, verdict in (
        ("HTTP API", check_compat.http_verdict()),
        ("Python API", python_api.verdict(ROOT, allowed)),
    ):
        print(readable(verdict, subject))
        if not verdict.passes:
            wrong.append(f"the {subject} breaks users of {verdict.old}")
    if wrong:
        raise ReleaseError("\n".join(wrong))
    print(f"{version} may be released")


def prepare(version: str) -> None:
    """Set the version, date the change log, move the baseline; a person looks at the difference and commits it.

    Raises:
        ReleaseError: The version makes no sense, or the change log has no section for it.
    """
    if not VERSION.fullmatch(version):
        raise ReleaseError(f"{version} is not a version")
    log = (ROOT / "CHANGELOG.md").read_text()
    today = datetime.datetime.now(tz=datetime.UTC).date().isoformat()
    texts = {
        "CHANGELOG.md": dated(log, version, today, change_log(check_compat.http_verdict())),
        "pyproject.toml": with_version((ROOT / "pyproject.toml").read_text(), PYPROJECT, version),
        "drums/_version.py": with_version((ROOT / "drums" / "_version.py").read_text(), MODULE, version),
    }
    for name, text in texts.items():
        (ROOT / name).write_text(text)
    for path in write(ROOT, version):
        print(path)
    print(f"prepared {version}; look at `git diff`, run `make check test-ci`, commit, and go on with `build`")


def build() -> None:
    """Build both archives and say what they are."""
    for name, digest in built(ROOT, DIST).items():
        print(f"{digest}  {name}  {(DIST / name).stat().st_size / 1000:.0f} kB")


def verify() -> None:
    """Try both archives.

    Raises:
        ReleaseError: There are not two, or one does not work.
    """
    archives = sorted([*DIST.glob("*.whl"), *DIST.glob("*.tar.gz")])
    if len(archives) != 2:
        raise ReleaseError("dist/ does not hold one wheel and one sdist; run `build` first")
    for archive in archives:
        print(f"{archive.name}: {tried(archive, ROOT / 'examples' / 'quickstart.py')}")


def main(arguments: Sequence[str] | None = None) -> int:
    """Do one step; the exit status tells."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    steps = parser.add_subparsers(dest="step", required=True)
    for name in ("check", "build", "verify"):
        steps.add_parser(name)
    steps.add_parser("prepare").add_argument("version")
    parsed = parser.parse_args(arguments)
    try:
        match parsed.step:
            case "check":
                check()
            case "prepare":
                prepare(parsed.version)
            case "build":
                build()
            case _:
                verify()
    except (ReleaseError, ListError, python_api.NotChecked) as error:
        print(f"refused: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

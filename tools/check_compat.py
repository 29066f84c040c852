"""Refuse a change of the API that breaks somebody, unless it is allowed with a reason and the version moves with it.

    python tools/check_compat.py                 the HTTP API and the Python API against the last release
    python tools/check_compat.py --json          the same for a program
    python tools/check_compat.py --change-log    the section for CHANGELOG.md

The baseline is in `spec/released/`; only the release step replaces it. Exit status: 0 passes, 1 refused, 2 not checked.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

ROOT = Path(__file__).resolve().parents[1]
if not __package__:
    sys.path[0] = str(ROOT)  # run as a file: the package `tools` lies in the checkout's root

from tools._compat import python_api, redocly, rules  # noqa: E402
from tools._compat.report import as_json, change_log, readable  # noqa: E402
from tools._compat.verdict import ListError, Verdict, judged, read_list  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tools._compat.change import Change

SPEC = ROOT / "spec" / "openapi.yaml"
RELEASED = ROOT / "spec" / "released" / "openapi.yaml"
ALLOWED = ROOT / "spec" / "compat_allowed.yaml"


def http_verdict(old: Path = RELEASED, new: Path = SPEC, allowed: Path = ALLOWED, *, own_only: bool = False) -> Verdict:
    """The verdict over two OpenAPI documents.

    Raises:
        ListError: The allow-list or a version is not what it has to be.
    """
    before, after = _document(old), _document(new)
    found: list[Change] = rules.changes(before, after)
    notes: list[str] = []
    try:
        if own_only:
            raise redocly.Unavailable("it was not asked for")
        found += redocly.changes(old, new)
    except redocly.Unavailable as missing:
        notes.append(f"redocly diff did not run: {missing}. Only this repository's own rules were applied.")
    versions = str(before["info"]["version"]), str(after["info"]["version"])
    return judged(*versions, found, read_list(yaml.safe_load(allowed.read_bytes())), notes)


def main(arguments: Sequence[str] | None = None) -> int:
    """Check, print, and give the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "old", nargs="?", type=Path, default=RELEASED, help="the released document (default: %(default)s)"
    )
    parser.add_argument(
        "new", nargs="?", type=Path, default=SPEC, help="this checkout's document (default: %(default)s)"
    )
    parser.add_argument("--own", action="store_true", help="apply this repository's own rules only")
    parser.add_argument("--json", action="store_true", help="print the verdict over the HTTP API as JSON")
    parser.add_argument("--change-log", action="store_true", help="print the section for CHANGELOG.md")
    parsed = parser.parse_args(arguments)
    try:
        verdict = http_verdict(parsed.old, parsed.new, own_only=parsed.own)
        if parsed.json or parsed.change_log:
            print(as_json(verdict) if parsed.json else change_log(verdict))
            return 0 if verdict.passes else 1
        print(readable(verdict, "HTTP API"))
        library = python_api.verdict(ROOT, read_list(yaml.safe_load(ALLOWED.read_bytes())))
    except (ListError, python_api.NotChecked) as error:
        print(f"not checked: {error}", file=sys.stderr)
        return 2
    print(readable(library, "Python API"))
    return 0 if verdict.passes and library.passes else 1


def _document(path: Path) -> dict[str, Any]:
    document: dict[str, Any] = yaml.safe_load(path.read_bytes())
    return document


if __name__ == "__main__":
    sys.exit(main())

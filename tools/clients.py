"""Generate a client in another language, or try all of them against a local daemon.

python tools/clients.py rust          the client of examples/rust
python tools/clients.py go --out DIR  the same somewhere else
python tools/clients.py --try         generate, build and run every example whose tools are here
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if not __package__:
    sys.path[0] = str(Path(__file__).resolve().parents[1])  # run as a file: `tools` lies in the checkout's root

from tools._clients.languages import LANGUAGES, ClientError
from tools._clients.trial import tried

if TYPE_CHECKING:
    from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what was asked; the exit status tells."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("language", nargs="*", metavar="LANGUAGE", help=f"{', '.join(LANGUAGES)} (default: all)")
    parser.add_argument("--out", type=Path, help="the folder to write to (default: the example's)")
    parser.add_argument("--try", action="store_true", dest="trial", help="build and run the examples too")
    parsed = parser.parse_args(arguments)
    unknown = set(parsed.language) - LANGUAGES.keys()
    if unknown:
        parser.error(f"no client for {', '.join(sorted(unknown))}; there are {', '.join(LANGUAGES)}")
    names: list[str] = parsed.language or list(LANGUAGES)
    return _try(names) if parsed.trial else _generate(names, parsed.out)


def _generate(names: list[str], out: Path | None) -> int:
    status = 0
    for name in names:
        language = LANGUAGES[name]
        missing = language.missing()
        if missing:
            print(f"{language.title}: {' and '.join(missing)} not found on PATH", file=sys.stderr)
            status = 1
            continue
        folder = out if out is not None else language.folder / "api"
        try:
            language.generate(folder.absolute())
        except ClientError as error:
            print(error, file=sys.stderr)
            return 1
        print(f"{language.title}: {folder}")
    return status


def _try(names: list[str]) -> int:
    trials = tried(LANGUAGES[name] for name in names)
    for trial in trials:
        generate, build, run = trial.seconds
        times = f"  (generate {generate:.1f} s, build {build:.1f} s, run {run:.1f} s)" if trial.seconds[0] else ""
        print(f"{trial.status:8} {trial.language}: {trial.detail}{times}")
    counts = [sum(trial.status == status for trial in trials) for status in ("passed", "failed", "skipped")]
    print(f"{counts[0]} passed, {counts[1]} failed, {counts[2]} skipped")
    return 1 if counts[1] else 0


if __name__ == "__main__":
    sys.exit(main())

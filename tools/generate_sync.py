"""Make the sync SDK, the sync tools and their tests from the asyncio ones; `TREES` has what is made of what.

    python tools/generate_sync.py            write what differs
    python tools/generate_sync.py --check    change nothing; exit 1 and name each file that is edited, missing or stale

How a source is converted, and what is refused, is in `tools/_codegen/to_sync.py`. The layout depends on the formatter's
version, so no other than the one pinned in pyproject.toml may make it.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
if not __package__:
    sys.path[0] = str(ROOT)  # run as a file: the package `tools` lies in the checkout's root

from tools._codegen.faults import CodegenError  # noqa: E402
from tools._codegen.pins import check_installed, read_pins  # noqa: E402
from tools._codegen.to_sync import NAMES, Converter, faults, parsed  # noqa: E402
from tools._codegen.trees import drift, write  # noqa: E402

TREES = {
    "drums/aio": "drums/_sync",
    "drums/hybrid/aio": "drums/hybrid/_sync",
    "tests/wire": "tests/wire_sync",
    "tests/hybrid": "tests/hybrid_sync",
}
"""Sources, and where what is made of them lies; nothing else may lie there."""

GIVEN = {
    "drums/aio/__init__.py": '"""The sync SDK; its public names are those of `drums`."""\n',
    "drums/hybrid/aio/__init__.py": '"""The sync tools; their public names are those of `drums.hybrid`."""\n',
}
"""What takes the place of a source that has no twin."""


def ruff(text: str, *arguments: str) -> str:
    """The text after one ruff command that reads stdin; the settings here are the only ones that count.

    Raises:
        CodegenError: ruff could not read it.
    """
    command = [sys.executable, "-m", "ruff", *arguments, "--isolated", "--quiet", "--target-version", "py311", "-"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise CodegenError(done.stderr or done.stdout)
    return done.stdout


def formatted(text: str, line_length: int) -> str:
    """Sorted imports, no unused ones, the project's layout."""
    own = 'lint.isort.known-first-party=["drums", "tests"]'
    text = ruff(text, "check", "--select", "I,F401", "--fix", "--config", own)
    return ruff(text, "format", "--line-length", str(line_length))


def generated_files(root: Path) -> dict[str, bytes]:
    """Every generated file, by its path from the checkout's root, as it has to be; nothing is written there.

    Raises:
        CodegenError: A source can't be converted, or the formatter is not the pinned one.
    """
    pyproject = root / "pyproject.toml"
    check_installed({"ruff": read_pins(pyproject)["ruff"]})
    line_length: int = tomllib.loads(pyproject.read_text("utf-8"))["tool"]["ruff"]["line-length"]
    sources = sources_in(root)
    converter = Converter()
    files: dict[str, bytes] = {}
    for path, (source, text) in sources.items():
        head = f"# Generated from {source} by tools/generate_sync.py. Edit that file.\n"
        body = converter.convert(text)
        parsed(body, path)
        files[path] = formatted(head + body, line_length).encode()
    if unused := NAMES.keys() - converter.used:
        raise CodegenError(f"rules that nothing needs: {', '.join(sorted(unused))}")
    return files


def sources_in(root: Path) -> dict[str, tuple[str, str]]:
    """For each file to be made, the path and the text of its source.

    Raises:
        CodegenError: Something in the sources would not survive the conversion; every such place is named.
    """
    found: dict[str, tuple[str, str]] = {}
    bad: list[str] = []
    for folder, target in TREES.items():
        for path in sorted((root / folder).rglob("*.py")):
            source = path.relative_to(root).as_posix()
            text = GIVEN.get(source) or path.read_text("utf-8")
            bad += [f"{source}:{line}: {what}" for line, what in faults(parsed(text, source))]
            found[f"{target}/{path.relative_to(root / folder).as_posix()}"] = source, text
    if bad:
        raise CodegenError("\n".join(bad))
    return found


def main(arguments: list[str] | None = None, root: Path = ROOT) -> int:
    """Run as a command.

    Args:
        arguments: Of the command line; None for the process's own.
        root: The checkout.

    Returns:
        The exit status: 0 in order, 1 the checkout differs (only with `--check`), 2 nothing could be made.
    """
    parser = argparse.ArgumentParser(
        description="Make the sync SDK, the sync tools and their tests from the asyncio ones."
    )
    parser.add_argument("--check", action="store_true", help="change nothing; exit 1 if anything differs")
    check: bool = parser.parse_args(arguments).check
    folders = tuple(TREES.values())
    try:
        wanted = generated_files(root)
    except CodegenError as fault:
        print(fault, file=sys.stderr)
        return 2
    found = drift(wanted, root, folders) if check else write(wanted, root, folders)
    for change in found:
        print(change, file=sys.stderr if check else sys.stdout)
    if check and found:
        print("run tools/generate_sync.py", file=sys.stderr)
    return 1 if check and found else 0


if __name__ == "__main__":
    sys.exit(main())

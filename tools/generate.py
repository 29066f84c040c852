"""Make everything that is made from spec/openapi.yaml: generated/drums_api, drums/records.py, drums/local/openapi.json.

    python tools/generate.py            write what differs
    python tools/generate.py --check    change nothing; exit 1 and name each file that is edited, missing or stale

The output depends on the versions of the generator and the formatter; they are pinned in pyproject.toml and compared
first. The SDK's synchronous twin is made by tools/generate_sync.py, not here.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
if not __package__:
    sys.path[0] = str(ROOT)  # run as a file: the package `tools` lies in the checkout's root

from tools._codegen.client import client_package  # noqa: E402
from tools._codegen.faults import CodegenError  # noqa: E402
from tools._codegen.pins import check_installed, read_pins  # noqa: E402
from tools._codegen.records import records_module  # noqa: E402
from tools._codegen.spec import Spec  # noqa: E402
from tools._codegen.trees import MANIFEST, drift, manifest, write  # noqa: E402

SPEC = "spec/openapi.yaml"


def generated_files(root: Path) -> dict[str, bytes]:
    """Every generated file, by its path from the checkout's root, as it has to be; nothing is written there.

    Raises:
        CodegenError: It could not be made.
    """
    pins = read_pins(root / "pyproject.toml")
    check_installed(pins)
    text = (root / SPEC).read_bytes()
    spec = Spec(text)
    package = client_package(root / SPEC, spec.objects())
    files = {f"generated/drums_api/{path}": content for path, content in package.items()}
    files["drums/records.py"] = records_module(spec)
    files["drums/local/openapi.json"] = spec.as_json()
    return files | {MANIFEST: manifest(files, text, pins)}


def main(arguments: list[str] | None = None, root: Path = ROOT) -> int:
    """Run as a command.

    Args:
        arguments: Of the command line; None for the process's own.
        root: The checkout.

    Returns:
        The exit status: 0 in order, 1 the checkout differs (only with `--check`), 2 nothing could be made.
    """
    parser = argparse.ArgumentParser(description="Make everything that is made from spec/openapi.yaml.")
    parser.add_argument("--check", action="store_true", help="change nothing; exit 1 if anything differs")
    check: bool = parser.parse_args(arguments).check
    try:
        files = generated_files(root)
    except CodegenError as error:
        print(f"failed: {error}", file=sys.stderr)
        return 2
    changes = drift(files, root) if check else write(files, root)
    for change in changes:
        print(change)
    if check and changes:
        print(
            f"{len(changes)} of {len(files)} generated files are not what {SPEC} gives; run: python tools/generate.py"
        )
        return 1
    print(
        f"{len(files)} generated files are in order"
        if check
        else f"{len(files)} generated files, {len(changes)} written"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())

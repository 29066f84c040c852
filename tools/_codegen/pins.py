"""Which generator and formatter the generated files come from.

The versions stand in one place, the group `codegen` of pyproject.toml: the output depends on both of them exactly. Here
they are read and compared with what is installed.
"""

from __future__ import annotations

import tomllib
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING

from tools._codegen.faults import CodegenError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

PINNED = ("openapi-python-client", "ruff")


def read_pins(pyproject: Path) -> dict[str, str]:
    """The exact versions of `PINNED` that the group `codegen` asks for.

    Raises:
        CodegenError: One of them is missing there, or is not pinned with `==`.
    """
    group = tomllib.loads(pyproject.read_text("utf-8")).get("dependency-groups", {}).get("codegen", [])
    pins = dict(line.split("==", 1) for line in group if isinstance(line, str) and "==" in line)
    for name in PINNED:
        if name not in pins:
            raise CodegenError(f"{pyproject.name}: the dependency group `codegen` must pin {name} with ==")
    return {name: pins[name] for name in PINNED}


def check_installed(pins: Mapping[str, str], installed: Callable[[str], str] = version) -> None:
    """See to it that what is installed is what is pinned.

    Raises:
        CodegenError: Another version is installed, or none.
    """
    for name, wanted in pins.items():
        try:
            found = installed(name)
        except PackageNotFoundError:
            raise CodegenError(f"{name} is not installed; {wanted} is pinned in pyproject.toml") from None
        if found != wanted:
            raise CodegenError(f"{name} {found} is installed; {wanted} is pinned in pyproject.toml")

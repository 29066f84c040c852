"""What `drums.hybrid` and `drums.hybrid.aio` offer, at what cost, and that both sides are the same."""

from __future__ import annotations

import ast
import importlib
import inspect
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import drums.hybrid
import drums.hybrid.aio
from drums import DrumsError
from drums.hybrid import errors

if TYPE_CHECKING:
    from types import ModuleType

PACKAGES: list[ModuleType] = [drums.hybrid, drums.hybrid.aio]
TOOLS = ["Tools", "Shell", "Job", "Files", "Gui", "Apps"]
by_name = pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.__name__)


@by_name
def test_the_three_lists_of_names_agree(package: ModuleType) -> None:
    assert package.__file__ is not None
    tree = ast.parse(Path(package.__file__).read_text(encoding="utf-8"))
    checked = {
        str(alias.asname)
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("drums.")
        for alias in node.names
    }
    assert sorted(package.__all__) == sorted(checked) == sorted(vars(package)["_HOME"]) == dir(package)
    for name in package.__all__:
        assert getattr(package, name) is not None
    with pytest.raises(AttributeError, match="has no attribute"):
        _ = package.Toolz


@by_name
def test_no_public_name_is_also_a_submodule(package: ModuleType) -> None:
    below = {path.stem for path in Path(package.__path__[0]).iterdir() if path.suffix in {"", ".py"}}
    assert not below & set(package.__all__)
    for name in below - {"__init__", "__pycache__"}:
        importlib.import_module(f"{package.__name__}.{name}")


def test_every_error_is_offered_and_is_one_of_drums() -> None:
    classes = {
        name for name, value in vars(errors).items() if inspect.isclass(value) and value.__module__ == errors.__name__
    }
    assert classes <= set(drums.hybrid.__all__)
    assert all(issubclass(getattr(errors, name), DrumsError) for name in classes)
    assert all(f"+-- {name}" in (errors.__doc__ or "") for name in classes)


@pytest.mark.parametrize("name", TOOLS)
def test_every_method_is_there_on_both_sides_typed_and_described(name: str) -> None:
    sides: list[Any] = [getattr(package, name) for package in PACKAGES]
    methods = [{key: value for key, value in vars(side).items() if not key.startswith("_")} for side in sides]
    assert list(methods[0]) == list(methods[1])
    for key, sync in methods[0].items():
        signature = inspect.signature(sync)
        assert str(signature) == str(inspect.signature(methods[1][key]))
        assert signature.return_annotation is not inspect.Signature.empty
        text = inspect.getdoc(sync) or ""
        assert text.splitlines()[0].endswith(".")
        for parameter in list(signature.parameters)[1:]:
            assert f"    {parameter}: " in text, f"{name}.{key} does not tell of {parameter}"


@by_name
def test_importing_loads_nothing_costly(package: ModuleType) -> None:
    costly = ("httpx", "asyncio", "aiohttp", "dataclasses", "PIL", "secrets", "hashlib", "json")
    program = f"import {package.__name__}, sys; print([name for name in {costly!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"

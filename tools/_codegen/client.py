"""Run openapi-python-client over the spec, with our templates and nothing else of this checkout.

The package is made in a folder of its own and read back, so that a failed run leaves the checkout as it was.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from tools._codegen.faults import CodegenError
from tools._codegen.hunks import HUNKS, write_templates

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tools._codegen.hunks import Hunk

CONFIG = {
    "content_type_overrides": {"image/png": "application/octet-stream"},
    "post_hooks": [
        "ruff check . --isolated --no-cache --quiet --fix --select I,F401,UP",
        "ruff format . --isolated --no-cache --quiet",
    ],
}


def client_package(spec: Path, models: Iterable[str], hunks: Iterable[Hunk] = HUNKS) -> dict[str, bytes]:
    """The generated package: each file's path in it and its content.

    Args:
        spec: The OpenAPI document.
        models: Names of schemas that must have become a class of their own; the generator drops some in silence.
        hunks: Our changes to the templates.

    Raises:
        CodegenError: The generator failed or warned, or left out a model.
    """
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        templates = work / "templates"
        templates.mkdir()
        write_templates(_installed_templates(), templates, hunks)
        package = work / "drums_api"
        _run_generator(spec, work, templates, package)
        (package / "py.typed").touch()
        files = {
            path.relative_to(package).as_posix(): path.read_bytes() for path in package.rglob("*") if path.is_file()
        }
    _check_models(files, models)
    return files


def _installed_templates() -> Path:
    found = find_spec("openapi_python_client")
    if found is None or not found.submodule_search_locations:
        raise CodegenError("openapi-python-client is not installed")
    return Path(found.submodule_search_locations[0]) / "templates"


def _run_generator(spec: Path, work: Path, templates: Path, package: Path) -> None:
    config = work / "config.json"
    config.write_text(json.dumps(CONFIG), "utf-8")
    arguments: list[str | Path] = [
        "--path",
        spec,
        "--config",
        config,
        "--custom-template-path",
        templates,
        "--output-path",
        package,
    ]
    scripts = sysconfig.get_path("scripts")
    done = subprocess.run(
        [sys.executable, "-m", "openapi_python_client", "generate", *arguments, "--meta", "none", "--fail-on-warning"],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"PATH": os.pathsep.join((scripts, os.environ.get("PATH", os.defpath)))},
    )
    if done.returncode != 0:
        raise CodegenError(f"openapi-python-client refused {spec.name}:\n{done.stdout}{done.stderr}")


def _check_models(files: dict[str, bytes], models: Iterable[str]) -> None:
    exported = files["models/__init__.py"].decode().split("__all__", 1)[-1]
    for name in models:
        if f'"{name}"' not in exported:
            raise CodegenError(
                f"openapi-python-client made no class of the schema {name}; is it an alias of another one?"
            )

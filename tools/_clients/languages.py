"""How a client is generated, built and run in each language, and what of that a machine must have.

Invariant: versions are pinned here or in the example's own manifest, and what is downloaded goes to `.cache` or to the
package manager's own folders, never beside what is committed.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from tools._clients.prepared import write_prepared

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

ROOT = Path(__file__).resolve().parents[2]
CACHE = ROOT / ".cache" / "clients"
EXAMPLES = ROOT / "examples"
GENERATOR = "7.26.0"
"""The version of openapi-generator, as the package openapi-generator-cli holds it."""

Command = tuple[str, ...]


class ClientError(Exception):
    """A command failed; the message is what it wrote."""


@dataclass(frozen=True)
class Language:
    """One language."""

    name: str
    title: str
    needs: tuple[str, ...]
    """Programs that must be on PATH to generate, build and run."""
    generate: Callable[[Path], None]
    """Writes the client into a folder."""
    build: tuple[Command, ...]
    """Run in the example's folder."""
    start: Command
    environment: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def folder(self) -> Path:
        """The example's."""
        return EXAMPLES / self.name

    def missing(self) -> list[str]:
        """Which programs this machine lacks."""
        return [name for name in self.needs if shutil.which(name) is None]


def run(command: Command, folder: Path, environment: Mapping[str, str] | None = None) -> str:
    """Run a command; what it wrote to standard output.

    Raises:
        ClientError: It failed.
    """
    done = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, **(environment or {})},
        capture_output=True,
        text=True,
        check=False,
        timeout=900,
    )
    if done.returncode:
        raise ClientError(
            f"{' '.join(command)} failed with {done.returncode}\n{done.stdout[-4000:]}{done.stderr[-4000:]}"
        )
    return done.stdout


def _jar() -> Path:
    """openapi-generator's jar, fetched once."""
    home = CACHE / f"openapi-generator-{GENERATOR}"
    jar = home / "openapi_generator_cli" / "openapi-generator.jar"
    if not jar.exists():
        pip = (sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", str(home))
        run((*pip, f"openapi-generator-cli=={GENERATOR}"), ROOT)
    return jar


def _generated(generator: str, folder: Path, options: Mapping[str, str], *more: str) -> None:
    spec = CACHE / "prepared.json"
    write_prepared(spec)
    shutil.rmtree(folder, ignore_errors=True)
    without = "apiTests=false,modelTests=false,apiDocs=false,modelDocs=false"
    settings = ",".join(f"{name}={value}" for name, value in {"hideGenerationTimestamp": "true", **options}.items())
    arguments = ("generate", "-i", str(spec), "-g", generator, "-o", str(folder), "--global-property", without)
    java = ("java", "-Dlog.level=error", "-jar", str(_jar()))
    run((*java, *arguments, "--additional-properties", settings, *more), ROOT)


def _typescript(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    _npm_install()
    run(("npm", "run", "--silent", "generate", "--", "-o", str(folder / "api.d.ts")), EXAMPLES / "typescript")


def _npm_install() -> None:
    home = EXAMPLES / "typescript"
    stamp = home / "node_modules" / ".package-lock.json"
    if not stamp.exists() or stamp.stat().st_mtime < (home / "package.json").stat().st_mtime:
        run(("npm", "install", "--silent", "--ignore-scripts", "--no-audit", "--no-fund", "--no-package-lock"), home)


def _go(folder: Path) -> None:
    _generated(
        "go",
        folder,
        {"packageName": "drums", "withGoMod": "false", "disallowAdditionalPropertiesIfNotPresent": "false"},
    )
    shutil.rmtree(folder / "test", ignore_errors=True)


def _java(folder: Path) -> None:
    options = {
        "openApiNullable": "false",
        "useJakartaEe": "true",
        "invokerPackage": "dev.drums.api",
        "apiPackage": "dev.drums.api",
        "modelPackage": "dev.drums.api.model",
        "disallowAdditionalPropertiesIfNotPresent": "false",
    }
    _generated("java", folder, options, "--library", "native")


def _rust(folder: Path) -> None:
    _generated("rust", folder, {"packageName": "drums-api"}, "--library", "reqwest")


MAVEN = ("mvn", "-q", "-B")

LANGUAGES: Mapping[str, Language] = {
    one.name: one
    for one in (
        Language(
            "typescript",
            "TypeScript",
            ("node", "npm"),
            _typescript,
            (("npm", "run", "--silent", "build"),),
            ("node", "dist/main.js"),
        ),
        Language(
            "go",
            "Go",
            ("go", "java"),
            _go,
            (("go", "vet", "."), ("go", "build", "-o", "dist/fork", ".")),
            ("dist/fork",),
        ),
        Language("java", "Java", ("java", "mvn"), _java, ((*MAVEN, "package"),), ("java", "-jar", "target/fork.jar")),
        Language(
            "rust",
            "Rust",
            ("cargo", "java"),
            _rust,
            (("cargo", "build", "--quiet"),),
            (str(CACHE / "rust" / "debug" / "fork"),),
            {"CARGO_TARGET_DIR": str(CACHE / "rust"), "CARGO_PROFILE_DEV_DEBUG": "0"},
        ),
    )
}

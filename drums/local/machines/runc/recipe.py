"""What an image is made of: a TOML file of packages, Python packages, files and commands, perhaps on top of another.

Invariant: two recipes with the same fingerprint give the same image, as far as the distribution's archive stands still.
"""

from __future__ import annotations

import hashlib
import json
import tomllib
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from drums.local.machines.machine import MachineError

RECIPES = Path(__file__).with_name("recipes")
INSIDE = Path(__file__).with_name("inside")
KEYS = {"aliases", "base", "packages", "python", "commands", "files"}
FILE_KEYS = {"path", "content", "mode", "owner"}


@dataclass(frozen=True, slots=True)
class File:
    """A file that an image gets."""

    path: str
    content: str
    mode: int
    owner: str
    """`root` or `user`."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """An image's recipe, with that of its base worked in."""

    name: str
    aliases: tuple[str, ...]
    packages: tuple[str, ...]
    """Of the distribution."""
    python: tuple[str, ...]
    """From the Python package index, pinned, without their dependencies."""
    files: tuple[File, ...]
    commands: tuple[str, ...]
    """Run in the image as root once all else is there."""

    @property
    def base_fingerprint(self) -> str:
        """Names what comes from archives."""
        return hashlib.sha256(json.dumps([sorted(self.packages), self.python]).encode()).hexdigest()[:16]

    @property
    def fingerprint(self) -> str:
        """Names the content of the recipe and of the agent."""
        found = hashlib.sha256(json.dumps(asdict(self), sort_keys=True).encode())
        for path in agent_files():
            found.update(path.name.encode() + path.read_bytes())
        return found.hexdigest()[:16]


def agent_files() -> list[Path]:
    """The files of what runs inside a desktop."""
    return sorted(INSIDE.glob("*.py"))


def known() -> list[str]:
    """The names of the recipes that come with the package."""
    return sorted(path.stem for path in RECIPES.glob("*.toml"))


def load(name_or_path: str) -> Recipe:
    """A recipe by its name, or from a file that is named by a path to a `.toml`.

    Raises:
        MachineError: There is none, or it is not a recipe.
    """
    path = Path(name_or_path) if name_or_path.endswith(".toml") else RECIPES / f"{name_or_path}.toml"
    try:
        raw = tomllib.loads(path.read_text())
    except FileNotFoundError:
        raise MachineError(
            f"there is no recipe {name_or_path}; known are {', '.join(known())}, or give a path to a .toml"
        ) from None
    except tomllib.TOMLDecodeError as fault:
        raise MachineError(f"{path}: {fault}") from None
    unknown = sorted(raw.keys() - KEYS)
    if unknown:
        raise MachineError(
            f"{path}: no such keys in a recipe: {', '.join(unknown)}; known are {', '.join(sorted(KEYS))}"
        )
    return merged(path.stem, raw, load(str(raw["base"])) if "base" in raw else None)


def merged(name: str, raw: dict[str, Any], base: Recipe | None) -> Recipe:
    """A recipe on top of its base."""
    own_files = tuple(file_of(entry) for entry in raw.get("files", []))
    own_aliases = tuple(map(str, raw.get("aliases", [])))
    if base is None:
        return Recipe(
            name, own_aliases, strings(raw, "packages"), strings(raw, "python"), own_files, strings(raw, "commands")
        )
    return Recipe(
        name,
        own_aliases,
        base.packages + strings(raw, "packages"),
        base.python + strings(raw, "python"),
        base.files + own_files,
        base.commands + strings(raw, "commands"),
    )


def strings(raw: dict[str, Any], key: str) -> tuple[str, ...]:
    """A list of strings of a recipe."""
    return tuple(map(str, raw.get(key, [])))


def file_of(entry: dict[str, Any]) -> File:
    """A file of a recipe."""
    unknown = sorted(entry.keys() - FILE_KEYS)
    if unknown:
        raise MachineError(f"no such keys for a file in a recipe: {', '.join(unknown)}")
    content = str(entry["content"]).removeprefix("\n")
    return File(str(entry["path"]), content, int(str(entry.get("mode", "644")), 8), str(entry.get("owner", "root")))

"""Builds an image from its recipe with mmdebstrap, into the area.

Invariant: a half-built image has no record and is thrown away by the next build.
"""

from __future__ import annotations

import os
import shutil
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from drums.local.machines.machine import MachineError
from drums.local.machines.runc import area, boot, btrfs, bundle, commands, images, recipe
from drums.local.machines.runc.setup import host, packages

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from drums.local.machines.runc.engine import Engine
    from drums.local.machines.runc.layout import ImagePaths
    from drums.local.machines.runc.recipe import Recipe

ROOM_BYTES = 5 << 30
BUILD_S = 3600.0
LEFT_OUT = (
    "/usr/share/doc/*",
    "/usr/share/man/*",
    "/usr/share/info/*",
    "/usr/share/locale/*/LC_MESSAGES/*",
    "/usr/share/help/*",
)
USER = ("useradd", "--create-home", "--uid", "1000", "--user-group", "--shell", "/bin/bash", "user")
USER_FOLDERS = ("Desktop", "Documents", "Downloads", "Music", "Pictures", "Public", "Templates", "Videos")


@dataclass(frozen=True, slots=True)
class ImageStep:
    """Have an image built and its first desktop captured."""

    engine: Engine
    recipe: Recipe

    def describe(self) -> str:
        """What it does."""
        return f"build the image {self.recipe.name}"

    def needed(self) -> bool:
        """Whether it is missing, or made of something else."""
        image = images.read(self.engine.layout, self.recipe.name)
        return image is None or image.fingerprint != self.recipe.fingerprint

    def execute(self) -> None:
        """Build it and boot it once."""
        build(self.engine, self.recipe)


def build(engine: Engine, made_of: Recipe) -> images.Image:
    """Build an image and boot it once.

    Raises:
        MachineError: It could not be built, or its desktop does not come up.
    """
    layout, paths = engine.layout, engine.layout.image(made_of.name)
    os.umask(commands.UMASK)
    area.make_room(layout, ROOM_BYTES)
    images.remove(layout, made_of.name, keep_base=True)
    lay_base(paths, made_of)
    btrfs.snapshot(paths.base, paths.root)
    furnish(paths.root, made_of)
    shift_owners(paths.root)
    part_usr(paths)
    engine.criu.prepare()
    boot.boot(engine, made_of.name)
    image = images.Image(made_of.name, made_of.aliases, made_of.fingerprint, host.release().name, size_of(paths))
    images.write(layout, image)
    return image


def lay_base(paths: ImagePaths, made_of: Recipe) -> None:
    """Have the base: all that comes from archives. It is kept, so that a change of the rest takes seconds."""
    wanted = made_of.base_fingerprint + host.release().name
    if paths.base_facts.is_file() and paths.base_facts.read_text() == wanted:
        return
    paths.base_facts.unlink(missing_ok=True)
    btrfs.delete(paths.base)
    paths.folder.mkdir(parents=True, exist_ok=True)
    btrfs.create(paths.base)
    bootstrap(paths.base, made_of)
    if made_of.python:
        target = paths.base / "usr/lib/python3/dist-packages"
        commands.run(
            [*pip(), "install", "--quiet", "--no-deps", "--no-compile", "--target", str(target), *made_of.python]
        )
    paths.base_facts.write_text(wanted)


def bootstrap(root: Path, made_of: Recipe) -> None:
    """Install the distribution's packages into a folder."""
    this = host.release()
    suites = packages.sources(this)
    if not suites:
        raise MachineError(f"apt has no source for {this.name}; see: apt-get indextargets")
    parts = " ".join(this.components)
    lines = [f"deb [signed-by={this.keyring}] {address} {suite} {parts}" for address, suite in suites]
    excluded = [f"--dpkgopt=path-exclude={pattern}" for pattern in LEFT_OUT]
    options = ["--variant=minbase", "--mode=root", '--aptopt=Acquire::Check-Valid-Until "false"', *excluded]
    chosen = f"--include={','.join(made_of.packages)}"
    commands.run(["mmdebstrap", "--quiet", *options, chosen, this.codename, str(root), *lines], timeout_s=BUILD_S)


def furnish(root: Path, made_of: Recipe) -> None:
    """Put in what comes from no archive: the agent, the user, the recipe's files; then run its commands."""
    agent = root / "usr/lib/drums/inside"
    agent.mkdir(parents=True)
    for path in recipe.agent_files():
        shutil.copyfile(path, agent / path.name)
    commands.run(["chroot", str(root), *USER])
    for folder in USER_FOLDERS:
        commands.run(
            ["chroot", str(root), "install", "--directory", "--owner=user", "--group=user", f"/home/user/{folder}"]
        )
    for file in made_of.files:
        put(root, file)
    for command in made_of.commands:
        commands.run(["chroot", str(root), "/bin/sh", "-euc", command])
    commands.run(
        ["chroot", str(root), "python3", "-m", "compileall", "-q", "/usr/lib/drums", "/usr/lib/python3/dist-packages"],
        check=False,
    )


def put(root: Path, file: recipe.File) -> None:
    """Write one file of a recipe; folders that it needs in the user's home are the user's."""
    owner = f"--owner={file.owner}", f"--group={file.owner}"
    parents = [
        str(parent) for parent in reversed(root.joinpath(file.path[1:]).relative_to(root).parents) if str(parent) != "."
    ]
    for parent in parents:
        if not (root / parent).is_dir():
            commands.run(["chroot", str(root), "install", "--directory", *owner, f"/{parent}"])
    target = root / file.path[1:]
    target.write_text(file.content)
    target.chmod(file.mode)
    commands.run(["chroot", str(root), "chown", f"{file.owner}:{file.owner}", file.path])


def pip() -> list[str]:
    """A pip: of this Python, else of the system's."""
    for python in (sys.executable, "python3"):
        if commands.run([python, "-m", "pip", "--version"], check=False).returncode == 0:
            return [python, "-m", "pip", "--disable-pip-version-check", "--no-input"]
    packages.Packages(("python3-pip",), "Python packages of the image").execute()
    return ["python3", "-m", "pip", "--disable-pip-version-check", "--no-input"]


def shift_owners(root: Path) -> None:
    """Give every file to the user on the host that its owner is mapped to."""
    for path in everything(root):
        facts = path.lstat()
        if facts.st_uid < bundle.ID_COUNT:
            os.lchown(path, facts.st_uid + bundle.FIRST_HOST_ID, facts.st_gid + bundle.FIRST_HOST_ID)


def everything(folder: Path) -> Iterator[Path]:
    """A folder and all that is in it."""
    yield folder
    for path, folders, names in os.walk(folder):
        for name in (*folders, *names):
            yield folder / path / name


def part_usr(paths: ImagePaths) -> None:
    """Move `/usr` into a subvolume of its own, to be shared by all desktops of the image."""
    btrfs.create(paths.usr)
    usr = paths.root / "usr"
    commands.run(["cp", "--archive", "--reflink=always", f"{usr}/.", str(paths.usr)])
    shutil.rmtree(usr)
    usr.mkdir()
    os.chown(usr, bundle.FIRST_HOST_ID, bundle.FIRST_HOST_ID)
    for cache in (paths.root / "var/cache/apt", paths.root / "var/lib/apt/lists"):
        for found in cache.glob("*"):
            shutil.rmtree(found) if found.is_dir() else found.unlink()
    btrfs.set_read_only(paths.usr, read_only=True)


def size_of(paths: ImagePaths) -> int:
    """What an image's files take, in bytes."""
    return sum(path.lstat().st_blocks * 512 for top in (paths.usr, paths.root) for path in everything(top))

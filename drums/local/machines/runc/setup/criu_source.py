"""CRIU: the distribution's where it works on this kernel, else built from the distribution's newest source package.

The source is fetched by apt with a configuration of its own, from the mirror that the host uses anyway; apt checks its
signature and checksum. Invariant: nothing of the host's apt set-up is changed, and the program goes into a prefix of
its own.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from drums.local.machines.machine import MachineError
from drums.local.machines.runc import commands
from drums.local.machines.runc.layout import PROGRAMS_FOLDER
from drums.local.machines.runc.setup import host, packages

if TYPE_CHECKING:
    from collections.abc import Iterator

NEEDED = (4, 1)
"""From Linux 6.13 on an older CRIU can't read the kernel's time page; older kernels do with what they have."""
BUILD_PACKAGES = (
    "build-essential", "libbsd-dev", "libcap-dev", "libnet1-dev", "libnl-3-dev", "libprotobuf-c-dev",
    "libprotobuf-dev", "pkg-config", "protobuf-c-compiler", "protobuf-compiler", "python3-protobuf", "uuid-dev",
    "xz-utils",
)  # fmt: skip
CHECK_S = 60.0
BUILD_S = 1800.0


def found() -> str | None:
    """A CRIU that works on this kernel; None where there is none."""
    return next((program for program in candidates() if works(program)), None)


def candidates() -> Iterator[str]:
    """The CRIUs on this host, our own first, newest first."""
    own = sorted(PROGRAMS_FOLDER.glob("criu-*/sbin/criu"), key=lambda path: version_of(path.parts[-3]), reverse=True)
    yield from map(str, own)
    its = shutil.which("criu", path=commands.SYSTEM_PATH)
    if its is not None:
        yield its


def works(program: str) -> bool:
    """Whether `criu check` passes, and the version is one that this kernel needs."""
    try:
        told = commands.run([program, "--version"], timeout_s=CHECK_S).stdout
        commands.run([program, "check"], timeout_s=CHECK_S)
    except commands.CommandError:
        return False
    return version_of(told) >= NEEDED or kernel() < (6, 13)


def version_of(text: str) -> tuple[int, ...]:
    """The first version number in a text."""
    match = re.search(r"\d+(?:\.\d+)+", text)
    return tuple(map(int, match.group().split("."))) if match else ()


def kernel() -> tuple[int, ...]:
    """The running kernel's version."""
    return version_of(os.uname().release)


class Criu:
    """Have a CRIU that works."""

    def describe(self) -> str:
        """What it does."""
        return "get a CRIU that works on this kernel"

    def needed(self) -> bool:
        """Whether there is none."""
        return found() is None

    def execute(self) -> None:
        """Install the distribution's; if that does not work here, build the newest."""
        packages.refresh()
        if packages.available("criu"):
            packages.Packages(("criu",), "CRIU").execute()
            if found() is not None:
                return
        packages.Packages(BUILD_PACKAGES, "building CRIU").execute()
        with tempfile.TemporaryDirectory(prefix="criu-", dir="/var/tmp") as folder:
            build(fetch(Path(folder)))
        if found() is None:
            raise MachineError(f"the CRIU that was built does not work here; see: {next(candidates(), 'criu')} check")


def fetch(folder: Path) -> Path:
    """Fetch the newest source and unpack it; gives its folder."""
    options = apt_options(folder)
    commands.run(["apt-get", *options, "update", "--quiet"])
    source = folder / "source"
    source.mkdir()
    commands.run(["apt-get", *options, "source", "--quiet", "--tar-only", "--download-only", "criu"], folder=source)
    archives = sorted(source.glob("criu_*.orig.tar.*"))
    if not archives:
        raise MachineError("apt fetched no source of CRIU")
    commands.run(["tar", "--extract", "--no-same-owner", "--file", str(archives[0])], folder=source)
    return next(path for path in source.iterdir() if path.is_dir())


def apt_options(folder: Path) -> list[str]:
    """Options that give apt a configuration of its own, with the newest sources of the mirror that the host uses."""
    this = host.release()
    mirrors = [address for address, suite in packages.sources(this) if suite == this.codename]
    if not mirrors:
        raise MachineError(f"apt has no source for {this.name}; see: apt-get indextargets")
    lists = folder / "lists"
    (lists / "partial").mkdir(parents=True)
    line = f"deb-src [signed-by={this.keyring}] {mirrors[0]} {this.newest_suite} {' '.join(this.components)}\n"
    (folder / "sources.list").write_text(line)
    settings = {
        "Dir::Etc::sourcelist": str(folder / "sources.list"),
        "Dir::Etc::sourceparts": "/dev/null",
        "Dir::State::lists": str(lists),
        "Dir::Cache::pkgcache": "",
        "Dir::Cache::srcpkgcache": "",
        "APT::Sandbox::User": "root",
    }
    return [word for name, value in settings.items() for word in ("-o", f"{name}={value}")]


def build(source: Path) -> None:
    """Build CRIU and put it into its prefix."""
    jobs = str(os.cpu_count() or 1)
    commands.run(["make", "-j", jobs, "criu", "NO_GNUTLS=1", "WERROR=0"], folder=source, timeout_s=BUILD_S)
    built = source / "criu" / "criu"
    version = ".".join(map(str, version_of(commands.run([str(built), "--version"]).stdout)))
    prefix = PROGRAMS_FOLDER / f"criu-{version}" / "sbin"
    prefix.mkdir(parents=True, exist_ok=True)
    draft = prefix / "criu.draft"
    shutil.copy2(built, draft)
    draft.rename(prefix / "criu")

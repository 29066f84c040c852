"""The distribution's packages, by apt.

Invariant: only packages of the distribution's own archive, as the host's apt is set up, checked by apt.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from drums.local.machines.runc import commands

if TYPE_CHECKING:
    from collections.abc import Sequence

    from drums.local.machines.runc.setup import host

HOST_PACKAGES = ("btrfs-progs", "coreutils", "mmdebstrap", "mount", "runc", "util-linux")
QUIET = {"DEBIAN_FRONTEND": "noninteractive"}
INSTALLED = "install ok installed"
LISTS = Path("/var/lib/apt/lists")


@dataclass(frozen=True, slots=True)
class Packages:
    """Have packages installed."""

    names: Sequence[str]
    what_for: str

    def describe(self) -> str:
        """What it does."""
        return f"install packages for {self.what_for}"

    def needed(self) -> bool:
        """Whether one is missing."""
        return bool(missing(self.names))

    def execute(self) -> None:
        """Install those that are missing."""
        refresh()
        commands.run(
            ["apt-get", "install", "--yes", "--quiet", "--no-install-recommends", *missing(self.names)],
            environment=QUIET,
        )


def missing(names: Sequence[str]) -> list[str]:
    """Those that are not installed."""
    return [name for name in names if status(name) != INSTALLED]


def status(name: str) -> str:
    """What dpkg says of a package; empty where it does not know it."""
    try:
        done = commands.run(["dpkg-query", "--show", "--showformat=${Status}", name], check=False)
    except commands.CommandError:
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def refresh() -> None:
    """Fetch the lists of packages."""
    commands.run(["apt-get", "update", "--quiet"], environment=QUIET)


def available(name: str) -> bool:
    """Whether the archive has a package."""
    done = commands.run(["apt-cache", "policy", name], check=False).stdout
    return any(line.strip().startswith("Candidate:") and "(none)" not in line for line in done.splitlines())


def sources(release: host.Release) -> list[tuple[str, str]]:
    """Where the host's apt gets this distribution from: address and suite, without what third parties offer."""
    form = "$(REPO_URI)|$(RELEASE)|$(COMPONENT)|$(ORIGIN)"
    listed = commands.run(["apt-get", "indextargets", "--format", form, "Created-By: Packages"]).stdout
    rows = [line.split("|") for line in listed.splitlines() if line.count("|") == 3]
    own = [
        (address, suite)
        for address, suite, component, origin in rows
        if component == "main" and origin.lower() == release.id
    ]
    return [(address, suite) for address, suite in dict.fromkeys(own) if suite.startswith(release.codename)]

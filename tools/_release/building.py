"""Builds wheel and sdist so that the same commit gives the same bytes, and tries both in empty environments.

Invariant: the times in the archives are the commit's, and two builds are compared before anything is kept.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

from tools._release.version import ReleaseError

BUILD = "import sys; from hatchling import build as b; b.build_wheel(sys.argv[1]); b.build_sdist(sys.argv[1])"
"""Builds what its folder holds with the hatchling that is installed; the bytes depend on its version."""


def run(command: list[str], folder: Path, **variables: str) -> str:
    """Run a command; what it wrote to standard output.

    Raises:
        ReleaseError: It failed.
    """
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("DRUMS_", "PYTHON"))}
    done = subprocess.run(
        command, cwd=folder, env={**environment, **variables}, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise ReleaseError(f"{' '.join(command)} failed\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
    return done.stdout


def built(root: Path, out: Path) -> dict[str, str]:
    """Build both archives of the last commit twice and keep them; the SHA-256 of each by its name.

    Raises:
        ReleaseError: A build failed, or the two differ.
    """
    time = run(["git", "log", "-1", "--format=%ct"], root).strip()
    with tempfile.TemporaryDirectory() as first, tempfile.TemporaryDirectory() as second:
        sums = [_build(root, Path(folder), time) for folder in (first, second)]
        if sums[0] != sums[1]:
            raise ReleaseError(f"two builds differ: {sums[0]} and {sums[1]}")
        shutil.rmtree(out, ignore_errors=True)
        out.mkdir(parents=True)
        for name in sums[0]:
            shutil.copy(Path(first) / "dist" / name, out / name)
    lines = (f"{digest}  {name}\n" for name, digest in sorted(sums[0].items()))
    (out / "SHA256SUMS").write_text("".join(lines))
    return sums[0]


def tried(archive: Path, quickstart: Path) -> str:
    """Install an archive into an empty environment and run the quickstart there; its last line.

    Raises:
        ReleaseError: It could not be installed, or the quickstart failed.
    """
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        venv.create(folder / "venv", with_pip=True)
        python = str(folder / "venv" / "bin" / "python")
        run([python, "-m", "pip", "install", "--quiet", f"{archive}[all]"], folder)
        shutil.copy(quickstart, folder)
        said = run([python, quickstart.name], folder, DRUMS_URL="local")
    return said.strip().splitlines()[-1]


def _build(root: Path, folder: Path, time: str) -> dict[str, str]:
    """Build from a fresh copy of the commit, so that nothing that lies about gets in."""
    source = folder / "source"
    source.mkdir()
    archive = folder / "source.tar"
    run(["git", "archive", "--output", str(archive), "HEAD"], root)
    shutil.unpack_archive(archive, source, filter="data")
    dist = folder / "dist"
    dist.mkdir()
    run([sys.executable, "-c", BUILD, str(dist)], source, SOURCE_DATE_EPOCH=time)
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(dist.iterdir())}

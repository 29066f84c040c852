"""The same desktop by runc's own checkpoint and restore, from the same bundle: what one has without this project."""

from __future__ import annotations

import json
import os
import shutil
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from benchmarks.real_desktops.figures import Figures
from drums.local.machines.runc import boot, btrfs, bundle, commands
from drums.local.machines.runc.engine import copy_frame, give_to_user, tail

if TYPE_CHECKING:
    from pathlib import Path

    from drums.local.machines.runc.engine import Engine

OPTIONS = "network-lock skip\nlink-remap\nghost-limit 268435456\nmanage-cgroups ignore\n"


def measure(engine: Engine, image: str, rounds: int) -> Figures:
    """Measure a checkpoint, a child, and eight children."""
    figures = Figures()
    slot = "boot.stock"
    paths = engine.layout.desktop(slot)
    boot.stop(engine, slot)
    boot.start(engine, image, slot)
    engine.layout.live.chmod(0o711)  # runc opens frame folders and images as the desktop's root, from outside
    try:
        for _ in range(rounds):
            images = paths.work / "images"
            shutil.rmtree(images, ignore_errors=True)
            saved = engine.layout.disks / "boot.stock.saved"
            btrfs.delete(saved)
            figures.time("checkpoint and snapshot", lambda: checkpoint(engine, slot, images, saved))  # noqa: B023
            for count in (1, 8):
                began = time.perf_counter()
                with ThreadPoolExecutor(4) as pool:
                    list(pool.map(lambda n: restore(engine, image, images, saved, n), range(count)))  # noqa: B023
                figures.add(f"restore {count}", time.perf_counter() - began)
                for number in range(count):
                    end(engine, number)
            btrfs.delete(saved)
    finally:
        engine.layout.live.chmod(0o700)
        boot.stop(engine, slot)
    return figures


def checkpoint(engine: Engine, slot: str, images: Path, saved: Path) -> None:
    """Capture by runc; the snapshot comes after it, so disk and memory may differ."""
    paths = engine.layout.desktop(slot)
    images.mkdir()
    os.chown(images, bundle.FIRST_HOST_ID, bundle.FIRST_HOST_ID)
    options = ["--leave-running", "--file-locks", "--image-path", str(images), "--work-path", str(images)]
    runc(engine, paths.work / "runc", "checkpoint", *options, slot)
    btrfs.snapshot(paths.disk, saved)


def restore(engine: Engine, image: str, images: Path, saved: Path, number: int) -> None:
    """Bring one child up by runc."""
    name = f"boot.stock.{number}"
    paths = engine.layout.desktop(name)
    paths.frame.mkdir(parents=True)
    give_to_user(paths.frame)
    parent = engine.layout.desktop("boot.stock")
    copy_frame(parent.frame / "Xvfb_screen0", paths.frame / "Xvfb_screen0")
    btrfs.snapshot(saved, paths.disk)
    paths.work.mkdir()
    usr = engine.layout.image(image).usr
    config = bundle.config(paths.disk, usr, paths.frame, f"{engine.layout.key}/{name}")
    (paths.work / "criu.conf").write_text(OPTIONS)
    config["annotations"] = {"org.criu.config": str(paths.work / "criu.conf")}
    (paths.work / "config.json").write_text(json.dumps(config))
    options = ["--detach", "--file-locks", "--image-path", str(images), "--work-path", str(paths.work)]
    runc(engine, paths.work / "runc", "restore", *options, "--bundle", str(paths.work), name)


def end(engine: Engine, number: int) -> None:
    """End one child."""
    boot.stop(engine, f"boot.stock.{number}")


def runc(engine: Engine, records: Path, *words: str) -> None:
    """Run runc with this host's CRIU; it may not hold a pipe of ours."""
    log = str(records.parent / "runc.log")
    argv = ["runc", "--root", str(records), "--log", log, "--criu", engine.criu.program, *words]
    status = commands.run_detached(argv, environment=engine.criu.environment, timeout_s=60)
    if status != 0:
        raise RuntimeError(f"runc {words[0]}: {status}: {tail(records.parent / f'{words[0]}.log')}")

"""A file of any size into a desktop and back, with a progress bar.

`DRUMS_URL=local python examples/transfer.py 100` takes 100 MB, to a simulated desktop in this process.
"""

import argparse
import hashlib
import os
import tempfile
from pathlib import Path

from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TransferSpeedColumn

import drums
from drums.hybrid import Tools

COLUMNS = (TextColumn("{task.description:8}"), BarColumn(), DownloadColumn(), TransferSpeedColumn())


def sha256(file: Path) -> str:
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def main() -> None:
    parser = argparse.ArgumentParser(description="Copy a file into a desktop and back.")
    parser.add_argument("megabytes", type=int, nargs="?", default=100)
    size = parser.parse_args().megabytes * 1_000_000

    with tempfile.TemporaryDirectory() as folder, drums.connect() as client, client.create() as env:
        there, back = Path(folder, "there"), Path(folder, "back")
        there.write_bytes(os.urandom(size))
        tools = Tools(env)
        with Progress(*COLUMNS) as bars:
            up, down = bars.add_task("upload", total=size), bars.add_task("download", total=size)
            tools.files.upload(there, "big", progress=lambda done, _total: bars.update(up, completed=done))
            tools.files.download("big", back, progress=lambda done, _total: bars.update(down, completed=done))
        print("same" if sha256(there) == sha256(back) else "not the same")


if __name__ == "__main__":
    main()

"""The screenshots of a report: made small, each once, as many as its size allows, the most telling first.

Invariants: only files below the run's `screenshots/` are read, and a file that is no sensible picture is left out; what
is left out is counted.
"""

from __future__ import annotations

import base64
import hashlib
from io import BytesIO
from typing import TYPE_CHECKING, Final

from drums.errors import ProtocolError
from drums.evaluation.results import PICTURES
from drums.observation import png_size

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from drums.evaluation.records import RolloutRecord

BUDGET_BYTES: Final = 24 * 2**20
"""Of all pictures in a report together, as text."""
MANY: Final = 500
"""Pictures from which on each is smaller."""
WIDTH_PX: Final = 960
WIDTH_OF_MANY_PX: Final = 640
QUALITY: Final = 68
MOST_PIXELS: Final = 40_000_000
"""A picture with more is not decoded."""


class Pictures:
    """The pictures of a report.

    Args:
        folder: The run's.
        budget_bytes: What all of them may take.
    """

    def __init__(self, folder: Path, budget_bytes: int = BUDGET_BYTES) -> None:
        self._folder = folder.resolve()
        self._left = budget_bytes
        self._by_path: dict[str, int] = {}
        self._by_hash: dict[str, int] = {}
        self.uris: list[str] = []
        """What the page holds, as `data:` URIs."""
        self.left_out: int = 0
        """Screenshots that are not on the page."""

    def take(self, records: Iterable[RolloutRecord]) -> None:
        """Take what fits: of every rollout the last screenshot, then the first of each, the second and so on."""
        paths = list(dict.fromkeys(_in_order(list(records))))
        width = WIDTH_PX if len(paths) <= MANY else WIDTH_OF_MANY_PX
        for path in paths:
            index = self._taken(path, width)
            if index is None:
                self.left_out += 1
            else:
                self._by_path[path] = index

    def index(self, path: str | None) -> int | None:
        """Place of a screenshot in `uris`; None where it is not there."""
        return None if path is None else self._by_path.get(path)

    def _taken(self, path: str, width: int) -> int | None:
        png = self._read(path)
        if png is None:
            return None
        digest = hashlib.sha256(png).hexdigest()
        if digest in self._by_hash:
            return self._by_hash[digest]
        small = _small(png, width) if self._left > 0 else None
        if small is None:
            return None
        kind, data = small
        uri = f"data:image/{kind};base64,{base64.b64encode(data).decode()}"
        if len(uri) > self._left:
            return None
        self._left -= len(uri)
        self.uris.append(uri)
        self._by_hash[digest] = len(self.uris) - 1
        return len(self.uris) - 1

    def _read(self, path: str) -> bytes | None:
        """A screenshot's bytes; None for what is no sensible picture, or lies elsewhere."""
        try:
            file = (self._folder / path).resolve()
            if not file.is_relative_to(self._folder / PICTURES):
                return None
            png = file.read_bytes()
            width, height = png_size(png)
        except (OSError, ValueError, ProtocolError):
            return None
        return png if width * height <= MOST_PIXELS else None


def _in_order(records: list[RolloutRecord]) -> Iterator[str]:
    yield from (path for record in records if (path := record["last_screenshot"]) is not None)
    for number in range(max((len(record["turns"]) for record in records), default=0)):
        for record in records:
            if number < len(record["turns"]) and (path := record["turns"][number]["screenshot"]) is not None:
                yield path


def _small(png: bytes, width: int) -> tuple[str, bytes] | None:
    """A picture's format and bytes, made smaller where Pillow is installed; None where it is broken."""
    try:
        from PIL import Image  # noqa: PLC0415 - an extra
    except ImportError:
        return "png", png
    out = BytesIO()
    try:
        with Image.open(BytesIO(png), formats=["PNG"]) as picture:
            flat = picture.convert("RGB")
        flat.thumbnail((width, width), Image.Resampling.LANCZOS, reducing_gap=2.0)
        flat.save(out, "WEBP", quality=QUALITY, method=2)
    except (OSError, ValueError, SyntaxError):  # Pillow's words for a broken picture
        return None
    return "webp", out.getvalue()

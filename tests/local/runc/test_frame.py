"""A frame buffer becomes a PNG with exactly its pixels, and nothing else becomes one."""

from __future__ import annotations

import io
import os
import struct
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from drums.local.machines.machine import GuestError
from drums.local.machines.runc import frame

if TYPE_CHECKING:
    from pathlib import Path

WIDTH, HEIGHT = 1920, 1080


def a_frame_buffer(pixels: bytes, **changes: int) -> bytes:
    """What an X server's file holds."""
    words = [0] * 25
    words[0], words[1], words[4], words[5], words[11], words[12], words[19] = 160, 7, WIDTH, HEIGHT, 32, WIDTH * 4, 256
    for name, value in changes.items():
        words[getattr(frame, name)] = value
    return struct.pack(">25I", *words).ljust(160, b"\0") + bytes(256 * 12) + pixels


def of_pixels(pixels: bytes) -> bytes:
    """The same by another encoder, as red, green, blue."""
    return Image.frombuffer("RGB", (WIDTH, HEIGHT), pixels, "raw", "BGRX", 0, 1).tobytes()


def decoded(png: bytes) -> bytes:
    """The pixels of a PNG as red, green, blue."""
    image = Image.open(io.BytesIO(png))
    assert (image.size, image.mode) == ((WIDTH, HEIGHT), "RGB")
    return image.tobytes()


@settings(max_examples=10)
@given(st.binary(min_size=16, max_size=64), st.binary(min_size=4, max_size=4))
def test_a_png_has_exactly_the_pixels_of_the_frame(piece: bytes, background: bytes) -> None:
    pixels = (piece * 3 + background * (WIDTH * HEIGHT))[: WIDTH * HEIGHT * 4]

    assert decoded(frame.png(pixels)) == of_pixels(pixels)


def test_without_the_fast_encoder_the_pixels_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    pixels = os.urandom(WIDTH * 4) * HEIGHT
    monkeypatch.setitem(__import__("sys").modules, "drums.local.machines.runc.fast_rows", None)

    assert decoded(frame.png(pixels)) == of_pixels(pixels)


@given(st.integers(0, WIDTH * HEIGHT - 1), st.integers(0, 2))
@settings(max_examples=10)
def test_a_screen_with_one_other_pixel_is_not_blank(place: int, channel: int) -> None:
    pixels = bytearray(b"\x10\x20\x30\x00" * (WIDTH * HEIGHT))
    assert frame.is_blank(bytes(pixels))

    pixels[place * 4 + channel] ^= 1

    assert not frame.is_blank(bytes(pixels))


def test_a_frame_buffer_is_read(tmp_path: Path) -> None:
    pixels = os.urandom(WIDTH * 4) * HEIGHT
    (tmp_path / "Xvfb_screen0").write_bytes(a_frame_buffer(pixels))

    assert frame.pixels(tmp_path) == pixels


@pytest.mark.parametrize(
    "content",
    [
        b"",
        bytes(4000),
        a_frame_buffer(b""),
        a_frame_buffer(bytes(WIDTH * HEIGHT * 4), FILE_VERSION=6),
        a_frame_buffer(bytes(WIDTH * HEIGHT * 4), PIXMAP_WIDTH=1280),
        a_frame_buffer(bytes(WIDTH * HEIGHT * 4), HEADER_SIZE=1 << 31),
        a_frame_buffer(bytes(WIDTH * HEIGHT * 4), COLOURS=1 << 30),
    ],
    ids=range(7),
)
def test_anything_else_in_its_place_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "Xvfb_screen0").write_bytes(content)

    with pytest.raises(GuestError):
        frame.pixels(tmp_path)


def test_a_link_in_its_place_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").write_bytes(a_frame_buffer(bytes(WIDTH * HEIGHT * 4)))
    (tmp_path / "Xvfb_screen0").symlink_to(tmp_path / "elsewhere")

    with pytest.raises(GuestError):
        frame.pixels(tmp_path)

"""Checkers of archives: zip and tar files compared by what is in them.

Nothing is unpacked to a disk. Invariant: members that are no plain files are not there, and an archive that holds more
than the limits is never unpacked.
"""

from __future__ import annotations

import io
import lzma
import posixpath
import tarfile
import zipfile
import zlib
from typing import TYPE_CHECKING

from . import files, images, pdfs, tables
from .base import CheckerFault, CheckerSpec, as_bytes, as_text

if TYPE_CHECKING:
    from collections.abc import Mapping

MEMBER_LIMIT = 10_000
BYTES_LIMIT = 256 * 1024 * 1024
"""The most that an archive may hold, unpacked."""
_KINDS = {
    "text": files.CHECKERS["compare_text_file"],
    "csv": tables.CHECKERS["compare_csv"],
    "pdf": pdfs.CHECKERS["compare_pdfs"],
    "image": images.CHECKERS["compare_image_list"],
}
_BROKEN = (
    *(zipfile.BadZipFile, tarfile.TarError, zlib.error, lzma.LZMAError),
    *(EOFError, OSError, ValueError, NotImplementedError, RuntimeError),
)


def compare_archive(result: object, expected: object, options: Mapping[str, object]) -> float:
    """Two archives have the same names below `file_path`; the score is their files' mean, compared as `file_type`."""
    folder = as_text(options.get("file_path") or "", "file_path")
    refusal = _refuse(options)
    if refusal:
        raise CheckerFault(refusal)
    check = _KINDS[str(options.get("file_type", "text"))]
    reference = _members(as_bytes(expected, "the expected file"), folder)
    if reference is None:
        raise CheckerFault("the expected file is no archive")
    found = None if result is None else _members(as_bytes(result, "the result"), folder)
    if found is None or set(found) != set(reference):
        return 0.0
    scores = [check.run(found[name], content, {}) for name, content in reference.items()]
    return sum(scores) / len(scores) if scores else 1.0


def _members(data: bytes, folder: str) -> dict[str, bytes] | None:
    """The plain files below a folder, by their names in it; None where the bytes are no archive."""
    try:
        everything = _unzipped(data) if zipfile.is_zipfile(io.BytesIO(data)) else _untarred(data)
    except _BROKEN:
        return None
    members: dict[str, bytes] = {}
    for name, content in everything.items():
        place = posixpath.relpath(posixpath.normpath(f"/{name}"), posixpath.normpath(f"/{folder}"))
        if not place.startswith("../"):
            members[place] = content
    return members


def _unzipped(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = [member for member in archive.infolist() if not member.is_dir() and _is_plain(member)]
        _check_size(len(members), sum(member.file_size for member in members))
        # What a member declares is binding: `zipfile` reads no more than that.
        return {member.filename: archive.read(member) for member in members}


def _is_plain(member: zipfile.ZipInfo) -> bool:
    kind_of_file = member.external_attr >> 28
    return kind_of_file in {0, 8}  # not said, or a regular file


def _untarred(data: bytes) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    size = count = 0
    with tarfile.open(fileobj=io.BytesIO(data), mode="r:*") as archive:
        for member in archive:
            count, size = count + 1, size + member.size
            _check_size(count, size)
            if member.isreg():
                content = archive.extractfile(member)
                found[member.name] = content.read() if content else b""
    return found


def _check_size(count: int, size: int) -> None:
    if count > MEMBER_LIMIT or size > BYTES_LIMIT:
        raise CheckerFault(f"an archive of {count} members and {size} bytes is more than what is judged")


def _refuse(options: Mapping[str, object]) -> str | None:
    sort = options.get("file_type", "text")
    known = isinstance(sort, str) and sort in _KINDS
    return None if known else f"compare_archive does not compare files of the type {sort!r}"


CHECKERS: Mapping[str, CheckerSpec] = {
    "compare_archive": CheckerSpec(
        compare_archive,
        frozenset({"file_path", "file_type"}),
        libraries=("PIL", "pypdf"),
        refuse=_refuse,
    ),
}

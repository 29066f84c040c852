"""The files of office applications as archives of XML: opened only when they are what they say, and small enough.

It judges no content and unpacks nothing to a disk. Invariant: a Package that was opened has sound XML in every part
that the office libraries parse, no document type (so no entity), no more members and bytes than the limits; nothing
that a document refers to outside of itself is ever followed.
"""

from __future__ import annotations

import io
import posixpath
import zipfile
import zlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal
from xml.parsers import expat

from .base import CheckerFault, as_bytes

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from xml.etree.ElementTree import Element

    Judge = Callable[["Package", "Package", Mapping[str, object]], float]

MEMBER_LIMIT = 10_000
BYTES_LIMIT = 256 * 1024 * 1024
"""The most that a document may hold, unpacked."""

Kind = Literal["workbook", "document", "presentation", "text"]
_ROOTS: Mapping[Kind, tuple[str, str]] = {
    "workbook": ("workbook", "an .xlsx file"),
    "document": ("document", "a .docx file"),
    "presentation": ("presentation", "a .pptx file"),
    "text": ("document-content", "an .odt file"),
}
_ODT_MIMETYPE = b"application/vnd.oasis.opendocument.text"
_CONTENT_TYPES = "[Content_Types].xml"
_RELATIONSHIP = "{http://schemas.openxmlformats.org/package/2006/relationships}Relationship"
_PACKED = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}
_ENCRYPTED = 1


class NotADocument(Exception):
    """The bytes are no document of this kind."""


@dataclass(frozen=True, slots=True)
class Relation:
    """What one part refers to."""

    type: str
    """The last word of its type: `drawing`, `image`."""
    target: str
    """The name of the other part."""


@dataclass(frozen=True, slots=True)
class Package:
    """A document that was opened."""

    data: bytes = field(repr=False)
    """The file as it is, for a library to read."""
    kind: Kind
    main: str
    """The name of its main part."""
    _archive: zipfile.ZipFile = field(repr=False)

    @classmethod
    def open(cls, data: bytes, *kinds: Kind) -> Package:
        """Open a document.

        Raises:
            NotADocument: It is not a sound document of one of the kinds.
            CheckerFault: It is larger than what is judged.
        """
        try:
            archive = zipfile.ZipFile(io.BytesIO(data))
            _check_size(archive.infolist())
            for name in _xml_parts(archive):
                _check_xml(name, archive.read(name))
            main, kind = _main_part(archive)
        except (zipfile.BadZipFile, zlib.error, EOFError, KeyError, OSError, ValueError, NotImplementedError) as error:
            raise NotADocument(f"it is no office document: {error}") from error
        if kind not in kinds:
            raise NotADocument(f"it is {_ROOTS[kind][1]}")
        return cls(data, kind, main, archive)

    @property
    def names(self) -> list[str]:
        """The names of its parts."""
        return self._archive.namelist()

    def stream(self) -> io.BytesIO:
        """The file for a library that reads it."""
        return io.BytesIO(self.data)

    def read(self, name: str) -> bytes:
        """One part, which has to be there."""
        try:
            return self._archive.read(name)
        except KeyError as error:
            raise CheckerFault(f"the document refers to {name!r}, which is not in it") from error

    def xml(self, name: str) -> Element:
        """One part as XML."""
        return _parse(self.read(name))

    def relations(self, name: str) -> dict[str, Relation]:
        """What a part refers to inside of the document, by the identifiers that it uses."""
        return _relations(self._archive, name)

    def related(self, name: str, kind: str) -> list[str]:
        """The names of the parts of one type that a part refers to."""
        return [relation.target for relation in self.relations(name).values() if relation.type == kind]


def compared(judge: Judge, *kinds: Kind) -> Callable[[object, object, Mapping[str, object]], float]:
    """A checker of two documents: 0 where the desktop has none, a fault where the task has none."""

    def run(result: object, expected: object, options: Mapping[str, object]) -> float:
        reference = reference_of(expected, *kinds)
        document = document_of(result, *kinds)
        return 0.0 if document is None else judge(document, reference, options)

    run.__doc__ = judge.__doc__
    return run


def alone(
    judge: Callable[[Package, object], float], *kinds: Kind
) -> Callable[[object, object, Mapping[str, object]], float]:
    """A checker of one document and the task's rules: 0 where the desktop has none."""

    def run(result: object, rules: object, _: Mapping[str, object]) -> float:
        document = document_of(result, *kinds)
        return 0.0 if document is None else judge(document, rules)

    run.__doc__ = judge.__doc__
    return run


def document_of(result: object, *kinds: Kind) -> Package | None:
    """What the agent left; None where there is no file, or one that is no such document.

    Raises:
        CheckerFault: It is larger than what is judged.
    """
    if result is None:
        return None
    try:
        return Package.open(as_bytes(result, "the result"), *kinds)
    except NotADocument:
        return None


def reference_of(expected: object, *kinds: Kind) -> Package:
    """The document that the task brings.

    Raises:
        CheckerFault: It is missing, broken, or larger than what is judged.
    """
    try:
        return Package.open(as_bytes(expected, "the expected file"), *kinds)
    except NotADocument as error:
        raise CheckerFault(f"the expected file is not {_ROOTS[kinds[0]][1]}: {error}") from error


def parse_xml(data: bytes) -> Element:
    """The root of an XML file that stands alone.

    Raises:
        NotADocument: It is not sound XML, or has a document type.
        CheckerFault: It is larger than what is judged.
    """
    if len(data) > BYTES_LIMIT:
        raise CheckerFault(f"{len(data)} bytes of XML are more than the {BYTES_LIMIT} that are judged")
    _check_xml("the file", data)
    return _parse(data)


def _check_size(members: list[zipfile.ZipInfo]) -> None:
    """What the archive declares is binding: `zipfile` reads no more than that of any member."""
    if len(members) > MEMBER_LIMIT:
        raise CheckerFault(f"a document of {len(members)} members is more than the {MEMBER_LIMIT} that are judged")
    size = sum(member.file_size for member in members)
    if size > BYTES_LIMIT:
        raise CheckerFault(f"a document of {size} bytes is more than the {BYTES_LIMIT} that are judged")
    for member in members:
        if member.compress_type not in _PACKED or member.flag_bits & _ENCRYPTED:
            raise NotADocument(f"the member {member.filename!r} is packed as in no office document")


def _check_xml(name: str, data: bytes) -> None:
    """Sound XML without a document type: the parser stops before the first entity could be declared."""

    def refuse(*_: object) -> None:
        raise NotADocument(f"{name!r} has a document type")

    parser = expat.ParserCreate()
    parser.StartDoctypeDeclHandler = refuse
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        raise NotADocument(f"{name!r} is not XML: {error}") from error


def _parse(data: bytes) -> Element:
    from defusedxml.ElementTree import ParseError, fromstring  # noqa: PLC0415  an extra

    try:
        return fromstring(data, forbid_dtd=True)
    except (ParseError, ValueError) as error:
        raise NotADocument(f"a part is not sound XML: {error}") from error


def _xml_parts(archive: zipfile.ZipFile) -> list[str]:
    """The parts that are XML by their name or declared type. A picture (SVG) is never parsed."""
    names = archive.namelist()
    types, parts = dict[str, str](), dict[str, str]()
    if _CONTENT_TYPES in names:
        data = archive.read(_CONTENT_TYPES)
        _check_xml(_CONTENT_TYPES, data)
        for entry in _parse(data):
            declared = entry.get("ContentType", "")
            types[entry.get("Extension", "").lower()] = declared
            parts[entry.get("PartName", "").lstrip("/")] = declared

    def is_xml(name: str) -> bool:
        declared = parts.get(name) or types.get(name.rpartition(".")[2].lower(), "")
        return name.endswith((".xml", ".rels")) or (declared.endswith("xml") and not declared.startswith("image/"))

    return [name for name in names if is_xml(name)]


def _main_part(archive: zipfile.ZipFile) -> tuple[str, Kind]:
    if "mimetype" in archive.namelist():
        if archive.read("mimetype").strip() != _ODT_MIMETYPE:
            raise NotADocument("it is another kind of document")
        return "content.xml", _kind_of(_parse(archive.read("content.xml")))
    for relation in _relations(archive, "").values():
        if relation.type == "officeDocument":
            return relation.target, _kind_of(_parse(archive.read(relation.target)))
    raise NotADocument("it has no main part")


def _kind_of(root: Element) -> Kind:
    name = root.tag.rpartition("}")[2]
    for kind, (tag, _) in _ROOTS.items():
        if tag == name:
            return kind
    raise NotADocument(f"its main part is {name!r}")


def _relations(archive: zipfile.ZipFile, name: str) -> dict[str, Relation]:
    folder, base = posixpath.split(name)
    place = posixpath.join(folder, "_rels", f"{base}.rels")
    if place not in archive.namelist():
        return {}
    return {
        entry.get("Id", ""): Relation(
            entry.get("Type", "").rpartition("/")[2],
            posixpath.normpath(posixpath.join("/", folder, entry.get("Target", ""))).lstrip("/"),
        )
        for entry in _parse(archive.read(place)).iter(_RELATIONSHIP)
        if entry.get("TargetMode") != "External"
    }

"""Programs about content whatever it is, text or not: base64, dd, and the sums of files.

just-bash's own take content for text and read a whole file where a part is asked for. Invariant: bytes come out of
these as they went in.
"""

from __future__ import annotations

import base64 as coding
import binascii
import hashlib
import re
from typing import TYPE_CHECKING

from just_bash import ExecResult

from .call import Call, done, refused

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .call import Program

BLOCK_BYTES = 512
LINE_CHARS = 76
_UNITS: Mapping[str, int] = {"": 1, "c": 1, "w": 2, "b": 512, "K": 1024, "k": 1024, "M": 1024**2, "G": 1024**3}
_FLAGS = frozenset({"skip_bytes", "count_bytes", "seek_bytes", "fullblock", "append"})
_CONVERSIONS = frozenset({"notrunc", "nocreat", "excl", "sync", "fsync", "fdatasync", "noerror"})


def bytes_of(text: str) -> bytes:
    """What a program reads, as the bytes that it stands for."""
    return text.encode("utf-8", "surrogateescape")


def text_of(content: bytes) -> str:
    """Bytes as a program hands them on."""
    return content.decode("utf-8", "surrogateescape")


def _input(names: list[str], call: Call) -> bytes:
    """What a program reads: its one file, or else its standard input."""
    if names and names[0] != "-":
        return call.guest.disk.read(call.path(names[0]))
    return bytes_of(call.shell.stdin)


async def base64(args: list[str], call: Call) -> ExecResult:
    """`base64 [-d] [-i] [-w COLUMNS] [FILE]`."""
    decode, width = False, LINE_CHARS
    names: list[str] = []
    rest = list(args)
    while rest:
        arg = rest.pop(0)
        if arg in {"-w", "--wrap"} and rest:
            arg = f"--wrap={rest.pop(0)}"
        if arg in {"-d", "-D", "--decode", "-di", "-id"}:
            decode = True
        elif (found := re.fullmatch(r"(?:-w|--wrap=)(.*)", arg)) is not None:
            if not found[1].isdigit():
                return refused(f"base64: invalid wrap size: '{found[1]}'")
            width = int(found[1])
        elif arg.startswith("-") and arg not in {"-", "-i", "--ignore-garbage", "--"}:
            return refused(f"base64: invalid option -- '{arg.lstrip('-')}'")
        elif arg not in {"-i", "--ignore-garbage", "--"}:
            names.append(arg)
    try:
        content = _input(names, call)
    except OSError as error:
        return refused(f"base64: {names[0]}: {error}")
    if decode:
        return _decoded(content)
    text = coding.b64encode(content).decode("ascii")
    if not width:
        return done(text)
    return done("".join(f"{text[at : at + width]}\n" for at in range(0, len(text), width)))


def _decoded(content: bytes) -> ExecResult:
    packed = content.translate(None, b"\n")
    try:
        return done(text_of(coding.b64decode(packed, validate=True)))
    except binascii.Error:
        whole = re.match(rb"(?:[A-Za-z0-9+/]{4})*", packed)
        good = coding.b64decode(whole[0]) if whole else b""
        return ExecResult(text_of(good), "base64: invalid input\n", 1)


def summing(name: str, algorithm: str) -> Program:
    """`sha256sum [-b] [FILE…]` and its kin; `-c` compares with a list."""

    async def run(args: list[str], call: Call) -> ExecResult:
        names = [arg for arg in args if arg == "-" or not arg.startswith("-")] or ["-"]
        comparing = bool({"-c", "--check"} & set(args))
        told: list[str] = []
        complaints: list[str] = []
        for file in names:
            try:
                content = _input([file], call)
            except OSError as error:
                complaints.append(f"{name}: {error_of(file, error)}\n")
                continue
            if comparing:
                results, wrong = _compared(text_of(content), algorithm, call)
                told += results
                if wrong:
                    complaints.append(f"{name}: WARNING: {wrong} computed checksum did NOT match\n")
                continue
            shown = file.replace("\\", "\\\\").replace("\n", "\\n")
            mark = "" if shown == file else "\\"
            told.append(f"{mark}{hashlib.new(algorithm, content, usedforsecurity=False).hexdigest()}  {shown}\n")
        return ExecResult("".join(told), "".join(complaints), 1 if complaints else 0)

    return run


def error_of(name: str, error: OSError) -> str:
    """What a program says of a file that it can't have."""
    return f"{name}: {error}"


def _compared(text: str, algorithm: str, call: Call) -> tuple[list[str], int]:
    told: list[str] = []
    wrong = 0
    for line in text.splitlines():
        found = re.fullmatch(r"([0-9a-fA-F]+) [ *](.+)", line)
        if found is None:
            continue
        try:
            content = call.guest.disk.read(call.path(found[2]))
            good = hashlib.new(algorithm, content, usedforsecurity=False).hexdigest() == found[1].lower()
        except OSError:
            good = False
        told.append(f"{found[2]}: {'OK' if good else 'FAILED'}\n")
        wrong += not good
    return told, wrong


async def dd(args: list[str], call: Call) -> ExecResult:
    """`dd [if=] [of=] [bs=] [count=] [skip=] [seek=] [conv=] [iflag=] [oflag=] [status=]`."""
    given = {name: value for name, _, value in (arg.partition("=") for arg in args)}
    strange = sorted(
        given.keys() - {"if", "of", "bs", "ibs", "obs", "count", "skip", "seek", "conv", "iflag", "oflag", "status"}
    )
    if strange:
        return refused(f"dd: unrecognized operand '{strange[0]}'")
    numbers = {name: _number(given.get(name, standard)) for name, standard in _STANDARDS.items()}
    bad = next((name for name, number in numbers.items() if number is None), None)
    if bad is not None:
        return refused(f"dd: invalid number: '{given[bad]}'")
    flags = set(",".join(given.get(name, "") for name in ("iflag", "oflag")).split(",")) - {""}
    conversions = set(given.get("conv", "").split(",")) - {""}
    if flags - _FLAGS or conversions - _CONVERSIONS:
        return refused(
            f"dd: the simulated desktop does not know {min((flags - _FLAGS) | (conversions - _CONVERSIONS))}"
        )
    block = numbers["bs"] or BLOCK_BYTES
    begin = (numbers["skip"] or 0) * (1 if "skip_bytes" in flags else block)
    length = None if "count" not in given else (numbers["count"] or 0) * (1 if "count_bytes" in flags else block)
    seek = (numbers["seek"] or 0) * (1 if "seek_bytes" in flags else block)
    try:
        content = _input([given["if"]] if "if" in given else [], call)
    except OSError as error:
        return refused(f"dd: failed to open '{given['if']}': {error}")
    content = content[begin : None if length is None else begin + length]
    result = done(text_of(content))
    if "of" in given:
        try:
            _put(call, call.path(given["of"]), content, seek, conversions)
        except OSError as error:
            return refused(f"dd: failed to open '{given['of']}': {error}")
        result = done()
    if given.get("status") not in {"none", "noxfer"}:
        result.stderr = f"{-(-len(content) // block)}+0 records in\n{-(-len(content) // block)}+0 records out\n"
    return result


_STANDARDS: Mapping[str, str] = {"bs": str(BLOCK_BYTES), "count": "0", "skip": "0", "seek": "0"}


def _put(call: Call, path: str, content: bytes, seek: int, conversions: set[str]) -> None:
    disk = call.guest.disk
    there = disk.find(path) is not None
    if not there and "nocreat" in conversions:
        disk.look(path)
    before = disk.read(path) if there else b""
    head = before[:seek] + bytes(max(seek - len(before), 0))
    tail = before[seek + len(content) :] if "notrunc" in conversions else b""
    disk.write(path, b"".join((head, content, tail)))


def _number(text: str) -> int | None:
    found = re.fullmatch(r"(\d{1,15})([cwbkKMG]?)B?", text)
    return int(found[1]) * _UNITS[found[2]] if found else None

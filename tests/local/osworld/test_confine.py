"""The filter of system calls says what its tables say, for machines too that are not this one."""

from __future__ import annotations

import os
import struct

import pytest

from drums.local.osworld import confine

ALLOW, REFUSE, KILL = 0x7FFF0000, 0x00050001, 0x80000000
ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
READ, WRITE, OPEN_AT, SOCKET = (
    {"x86_64": 0, "aarch64": 63},
    {"x86_64": 1, "aarch64": 64},
    {"x86_64": 257, "aarch64": 56},
    {"x86_64": 41, "aarch64": 198},
)
machines = pytest.mark.parametrize("machine", ["x86_64", "aarch64"])


def verdict(program: bytes, number: int, architecture: int, *arguments: int) -> int:
    """What the kernel would do with one call: classic BPF over (number, architecture, instruction, arguments)."""
    data = struct.pack("=IIQ6Q", number, architecture, 0, *arguments, *[0] * (6 - len(arguments)))
    steps = list(struct.iter_unpack("=HBBI", program))
    value = at = 0
    while True:
        code, if_true, if_false, operand = steps[at]
        at += 1
        if code == 0x20:
            (value,) = struct.unpack_from("=I", data, operand)
        elif code == 0x06:
            return int(operand)
        else:
            holds = {0x15: value == operand, 0x35: value >= operand, 0x45: bool(value & operand)}[code]
            at += if_true if holds else if_false


@machines
def test_every_call_of_the_table_is_refused_and_no_other(machine: str) -> None:
    program, architecture = confine._filter_of(machine), ARCHITECTURES[machine]
    refused = {number for number in range(600) if verdict(program, number, architecture) != ALLOW}
    assert refused == set(confine._REFUSED[machine])
    assert SOCKET[machine] in refused
    assert not {READ[machine], WRITE[machine], OPEN_AT[machine]} & refused


@machines
@pytest.mark.parametrize(
    ("flags", "wanted"),
    [
        (os.O_RDONLY | os.O_CLOEXEC, ALLOW),
        (os.O_WRONLY, REFUSE),
        (os.O_RDWR, REFUSE),
        (os.O_CREAT, REFUSE),
        (os.O_TRUNC, REFUSE),
        (os.O_WRONLY | os.O_APPEND, REFUSE),
    ],
)
def test_a_file_may_be_opened_for_reading_only(machine: str, flags: int, wanted: int) -> None:
    program, architecture = confine._filter_of(machine), ARCHITECTURES[machine]
    for number, position in confine._OPENS[machine]:
        assert verdict(program, number, architecture, *[0] * position, flags) == wanted


@machines
def test_nobody_else_is_made_the_owner_of_a_channel(machine: str) -> None:
    program, architecture, fcntl = confine._filter_of(machine), ARCHITECTURES[machine], confine._FCNTL[machine]
    refused = {command for command in range(2000) if verdict(program, fcntl, architecture, 3, command) != ALLOW}
    assert refused == {8, 10, 15}


@machines
def test_a_call_of_another_architecture_ends_the_process(machine: str) -> None:
    program = confine._filter_of(machine)
    others = {0x40000003, *ARCHITECTURES.values()} - {ARCHITECTURES[machine]}
    assert {verdict(program, READ[machine], other) for other in others} == {KILL}
    if machine == "x86_64":
        assert verdict(program, 0x40000000, ARCHITECTURES[machine]) == KILL

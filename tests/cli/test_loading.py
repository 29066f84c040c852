"""What a command loads: its own, and nothing of the others'; and what is told where the extra is not installed."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
import typer
from typer.main import get_group

import drums.cli
from drums.cli._app import COMMANDS, loaded

HEAVY = ("httpx", "aiohttp", "rich", "uvicorn", "starlette", "mcp", "drums.conform", "drums.local.machines.runc")
HERE = Path(drums.cli.__file__).parent
SAY = "import sys; from drums.cli import main; status = main(sys.argv[1:]); "


def started(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("arguments", "unwanted"),
    [
        (("--version",), (*HEAVY, "typer", "argparse")),
        (("--help",), (*HEAVY, "drums.cli._desktops", "drums.cli._daemon")),
        (("ls", "--help"), (*HEAVY[1:], "drums.cli._daemon", "drums.cli._watch", "drums.cli._conform")),
        (("down", "--help"), (*HEAVY, "drums.cli._desktops", "drums._sync")),
    ],
)
def test_a_command_loads_nothing_of_the_others(arguments: tuple[str, ...], unwanted: tuple[str, ...]) -> None:
    told = started(SAY + "print(*sys.modules, file=sys.stderr); sys.exit(status)", *arguments)
    assert told.returncode == 0
    assert set(told.stderr.split()) & set(unwanted) == set()


def test_without_the_extra_one_line_says_what_to_install() -> None:
    absent = "import sys; sys.modules['typer'] = None\n"
    assert started(absent + SAY, "--version").stdout.startswith("drums ")

    for command, extra in (("ls", "cli"), ("up", "local"), ("mcp", "mcp")):
        told = started(absent + SAY + "sys.exit(status)", command)

        assert (told.returncode, told.stdout) == (69, "")
        needs = f"the command needs typer, which is not installed; pip install 'drums-sdk[{extra}]'"
        assert told.stderr == f"drums: {needs}\n"


@pytest.mark.parametrize(
    ("package", "arguments", "needs"),
    [
        ("mcp", ("mcp", "--url", "local"), "drums.mcp needs mcp, which is not installed; pip install 'drums-sdk[mcp]'"),
        (
            "uvicorn",
            ("eval", "--policy", "drums.evaluation.policies:noop", "--url", "local", "--out", "/nowhere/run"),
            "drums.local needs uvicorn, which is not installed; pip install 'drums-sdk[local]'",
        ),
        (
            "PIL",
            ("eval", "--base-url", "http://127.0.0.1:1/v1", "--model", "m", "--url", "local", "--out", "/nowhere/run"),
            "a model's view of the screen needs PIL, which is not installed; pip install 'drums-sdk[local]'",
        ),
    ],
)
def test_a_command_whose_package_is_missing_says_which_and_how_to_install_it(
    package: str, arguments: tuple[str, ...], needs: str
) -> None:
    told = started(f"import sys; sys.modules[{package!r}] = None\n{SAY}sys.exit(status)", *arguments)
    assert (told.returncode, told.stdout, told.stderr) == (69, "", f"drums: {needs}\n")


def test_the_module_of_mcp_says_what_to_install_too() -> None:
    absent = "import sys, runpy; sys.modules['mcp'] = None; sys.argv[1:] = ['--url', 'local']; "
    told = started(absent + "runpy.run_module('drums.mcp', run_name='__main__')")
    assert (told.returncode, told.stdout) == (69, "")
    assert told.stderr == "drums: drums.mcp needs mcp, which is not installed; pip install 'drums-sdk[mcp]'\n"


def test_the_daemons_own_module_works_without_the_extra() -> None:
    absent = "import sys; sys.modules['typer'] = sys.modules['rich'] = None\n"
    helped = started(f"{absent}from drums.local.command import main; main(['up', '--help'])")
    assert (helped.returncode, helped.stderr) == (0, "")
    assert "--detach" in helped.stdout


def test_both_parsers_have_the_same_options_with_the_same_defaults() -> None:
    from drums.local import flags

    for name, options in (("up", flags.UP), ("down", flags.DOWN)):
        command = loaded(name)
        found = {parameter.name: parameter for parameter in command.params}
        assert set(found) == {flag.dest for flag in options}
        for flag in options:
            assert found[flag.dest].opts == [flag.name]
            assert found[flag.dest].default == flag.initial
        helped = started(f"from drums.local.command import main; main([{name!r}, '--help'])").stdout
        assert set(re.findall(r"^  (--[a-z-]+)", helped, re.MULTILINE)) == {flag.name for flag in options}


def test_every_command_that_a_module_registers_is_listed_and_none_else() -> None:
    modules = sorted(file.stem for file in HERE.glob("_*.py") if "\ndef register(" in file.read_text(encoding="utf-8"))
    registered = set[tuple[str, str]]()
    for module in modules:
        app = typer.Typer()
        import_module(f"drums.cli.{module}").register(app)
        registered |= {(name, module) for name in get_group(app).commands}
    assert sorted((row.name, row.module) for row in COMMANDS) == sorted(registered)


def test_the_list_says_of_each_command_what_its_own_help_says_first() -> None:
    for row in COMMANDS:
        first = " ".join(loaded(row.name).help.split())
        beginning = re.split("[.,;:]", row.what)[0]
        assert first.startswith(beginning), row.name

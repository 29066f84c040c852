"""The Typer application: which commands there are, and which module has each.

A module of commands has one function, `register(app)`, that adds them to a `typer.Typer`; it is imported when one of
them is run, completed or explained, and not before. So no command pays for what another needs. A new command is a row
of `COMMANDS` and a function in such a module:

    def register(app: typer.Typer) -> None:
        app.command("ls", epilog=examples("drums ls", "drums ls --json"))(ls)

Errors are raised, not printed: `run` tells them in one line and gives the status that `_status` has for them. A command
may return another exit status. Invariant: `drums --help` and the completion of a command's name import no such module.
"""

from __future__ import annotations

import io
import sys
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command, get_group

from drums._extras import PackageMissing
from drums._version import __version__
from drums.cli._output import fail, note
from drums.cli._status import Status
from drums.errors import DrumsError
from drums.local.errors import DaemonError

if TYPE_CHECKING:
    from collections.abc import Sequence

PROGRAM = "drums"
ABOUT = "Forkable, isolated Linux desktops for agents."
STYLE = {"help_option_names": ["-h", "--help"], "max_content_width": 100}

DAEMON, DESKTOPS, STATES, TASKS, SERVER = (
    "A daemon on this machine",
    "Desktops",
    "Forks and saved states",
    "Tasks and rewards",
    "Any daemon",
)


@dataclass(frozen=True, slots=True)
class Row:
    """A command: its name, the module that registers it, where and how `drums --help` lists it."""

    name: str
    module: str
    panel: str
    what: str


COMMANDS = (
    Row("up", "_daemon", DAEMON, "Start a daemon on this machine."),
    Row("down", "_daemon", DAEMON, "End the daemon that `drums up` started."),
    Row("setup", "_host", DAEMON, "Prepare this host for real desktops."),
    Row("doctor", "_host", DAEMON, "Tell what this host can do for real desktops, and how to mend it."),
    Row("image", "_host", DAEMON, "Build, list and remove the images of real desktops."),
    Row("create", "_desktops", DESKTOPS, "Start a desktop and print its id."),
    Row("ls", "_desktops", DESKTOPS, "List the desktops, whoever made them."),
    Row("show", "_desktops", DESKTOPS, "Tell what a desktop is now."),
    Row("watch", "_watch", DESKTOPS, "Watch the desktops, their episodes and verdicts, until Ctrl-C."),
    Row("exec", "_act", DESKTOPS, "Run a command in a desktop."),
    Row("step", "_act", DESKTOPS, "Do one action in a desktop."),
    Row("screenshot", "_act", DESKTOPS, "Take a picture of a desktop's screen, as PNG."),
    Row("reset", "_desktops", DESKTOPS, "Throw away what a desktop is; begin its next episode."),
    Row("quarantine", "_desktops", DESKTOPS, "Bar a desktop from giving a reward in this episode."),
    Row("release", "_desktops", DESKTOPS, "End a quarantine; `drums reset` brings the desktop back."),
    Row("rm", "_desktops", DESKTOPS, "End desktops, or delete saved states."),
    Row("reap", "_reap", DESKTOPS, "End desktops that nobody uses and delete saved states."),
    Row("mcp", "_mcp", DESKTOPS, "Serve one desktop to an agent over MCP."),
    Row("fork", "_states", STATES, "Start copies of a running desktop, and print their ids."),
    Row("save", "_states", STATES, "Save a desktop and its running programs."),
    Row("states", "_states", STATES, "List the saved states."),
    Row("tasks", "_tasks", TASKS, "List the tasks, show one, or tell which can be used here."),
    Row("verify", "_rewards", TASKS, "Run the task's checker and tell what the episode is worth."),
    Row("gates", "_rewards", TASKS, "List the gates of a desktop's episode, and what each saw."),
    Row("eval", "_eval", TASKS, "Run a policy over tasks, and tell what it is worth."),
    Row("audit-task", "_audit_task", TASKS, "Play tasks and tell whether their scores mean what they say."),
    Row("health", "_metrics", SERVER, "Tell what a daemon is, what it can do and what it is bounded by."),
    Row("metrics", "_metrics", SERVER, "Show the figures of the current window, or of one desktop."),
    Row("conform", "_conform", SERVER, "Check any Drums daemon against the API."),
)


class Commands(TyperGroup):
    """The commands of `COMMANDS`, each loaded when it is needed."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        self.commands = {row.name: TyperCommand(row.name, help=row.what, rich_markup_mode=None) for row in COMMANDS}

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """The command itself, where `get_command` gives its name and line only."""
        name, listed, rest = super().resolve_command(ctx, args)
        return name, None if listed is None or name is None else loaded(name), rest

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """List the commands by panel."""
        del ctx
        for panel in dict.fromkeys(row.panel for row in COMMANDS):
            with formatter.section(panel):
                formatter.write_dl([(row.name, row.what) for row in COMMANDS if row.panel == panel])


def loaded(name: str) -> Any:
    """The command of that name, as its module registers it."""
    row = next(row for row in COMMANDS if row.name == name)
    app = typer.Typer(rich_markup_mode=None, context_settings=STYLE)
    import_module(f"drums.cli.{row.module}").register(app)
    command = get_group(app).commands[name]
    command.context_settings = {**STYLE, **command.context_settings}
    return command


def application() -> Any:
    """The whole command line, for `run` and for whoever looks at it."""
    app = typer.Typer(
        cls=Commands, help=ABOUT, rich_markup_mode=None, context_settings=STYLE, pretty_exceptions_enable=False
    )
    app.callback(invoke_without_command=True)(_root)
    return get_command(app)


def run(arguments: Sequence[str]) -> int:
    """Run one command and give its exit status."""
    stdout: object = sys.stdout
    if isinstance(stdout, io.TextIOWrapper):
        stdout.reconfigure(errors="backslashreplace")
    try:
        status = application().main(args=list(arguments), prog_name=PROGRAM, standalone_mode=False)
    except typer.TyperException as wrong:
        note(_usage(wrong))
        return wrong.exit_code
    except typer.Abort:
        note("nothing was done")
        return Status.FAILED
    except (DrumsError, DaemonError, PackageMissing, OSError) as error:
        return fail(error)
    return int(status or Status.OK)


def _root(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    if version:
        print(f"drums {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        sys.stderr.write(context.get_help() + "\n")
        raise typer.Exit(Status.USAGE)


def _usage(wrong: typer.TyperException) -> str:
    """What is wrong with a command line, in one line, and where to look."""
    context = getattr(wrong, "ctx", None)
    told = wrong.format_message().rstrip(".")
    return told if context is None else f"{told}. `{context.command_path} --help` explains it."

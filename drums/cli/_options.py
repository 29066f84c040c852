"""Options and arguments that several commands share, so that each is called and explained the same everywhere.

The modules of the commands use these as annotations, so Typer must find them at run time: they are no types.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from drums.cli._complete import env_ids, image_names, state_names, task_ids

Url = Annotated[
    str | None,
    typer.Option(
        "--url", metavar="URL", help="Where the daemon is. Default: $DRUMS_URL, else the one on this machine."
    ),
]
TokenFile = Annotated[
    Path | None,
    typer.Option(
        "--token-file", metavar="FILE", help="The file that holds its token. Default: $DRUMS_TOKEN, $DRUMS_TOKEN_FILE."
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")]
EnvId = Annotated[str, typer.Argument(metavar="ID", help="Id of the desktop.", autocompletion=env_ids)]
IdleTimeout = Annotated[
    float | None,
    typer.Option(metavar="S", min=0, help="Seconds unused after which it is ended; 0: never. Default: the daemon's."),
]
Ttl = Annotated[
    float | None, typer.Option(metavar="S", min=0, help="Seconds after which it is ended in any case; 0: never.")
]
StateIdleTimeout = Annotated[
    float | None,
    typer.Option(
        metavar="S", min=0, help="Seconds unused after which the state is deleted; 0: never. Default: the daemon's."
    ),
]
StateTtl = Annotated[
    float | None,
    typer.Option(metavar="S", min=0, help="Seconds after which the state is deleted in any case; 0: never."),
]
Image = Annotated[str | None, typer.Option(metavar="NAME", help="The image to start from.", autocompletion=image_names)]
FromState = Annotated[
    str | None, typer.Option(metavar="STATE", help="The saved state to start from.", autocompletion=state_names)
]
Task = Annotated[
    str | None,
    typer.Option(
        "--task",
        metavar="TASK",
        help="Id of a task (8 characters do), or a JSON file that holds one.",
        autocompletion=task_ids,
    ),
]


def examples(*lines: str) -> str:
    """The epilog of a command's help: lines that can be typed as they are. `$id` is a desktop's id, `$state` a state's.

    A test runs every one of them.
    """
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in lines)

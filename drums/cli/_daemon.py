"""`drums up` and `drums down`, with the options of `drums.local.flags`.

It parses; `drums.local.command` does it, as for `python -m drums.local`. Invariant: no option is defined here.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable
from inspect import Parameter, Signature
from typing import Any, Literal

import typer

from drums.cli._options import examples
from drums.local import command, flags

UP = examples(
    'eval "$(drums up --detach)"',
    "drums up --detach --port 0 --machine sim --max-slots 64",
)
DOWN = examples("drums down", "drums down --state-dir ~/.local/state/drums")


def register(app: typer.Typer) -> None:
    """Add `up` and `down`."""
    app.command("up", help=command.UP, epilog=UP)(_with_flags(flags.UP, command.up))
    app.command("down", help=command.DOWN, epilog=DOWN)(_with_flags(flags.DOWN, command.down))


def _with_flags(options: Iterable[flags.Flag], act: Callable[[argparse.Namespace], int]) -> Callable[..., int]:
    """A function that Typer reads those options from."""

    def acting(**given: Any) -> int:
        return act(argparse.Namespace(**given))

    parameters = [
        Parameter(flag.dest, Parameter.KEYWORD_ONLY, default=_option(flag), annotation=_type(flag)) for flag in options
    ]
    acting.__signature__ = Signature(parameters)  # type: ignore[attr-defined]  # what inspect.signature() looks at
    return acting


def _option(flag: flags.Flag) -> Any:
    shows = flag.default is not None and not flag.switch
    parser = None if flag.switch or flag.choices else _parser(flag)
    return typer.Option(
        flag.initial,
        flag.name,
        help=_sentence(flag.what),
        metavar=flag.metavar,
        show_default=shows,
        parser=parser,
        show_choices=True,
    )


def _sentence(words: str) -> str:
    return f"{words[0].upper()}{words[1:]}."


def _type(flag: flags.Flag) -> Any:
    if flag.switch:
        return bool
    one: Any = Literal[flag.choices] if flag.choices else str
    return list[one] if flag.repeated else one


def _parser(flag: flags.Flag) -> Callable[[Any], Any]:
    def parse(given: Any) -> Any:
        try:
            return flag.type(given) if isinstance(given, str) else given
        except ValueError as error:
            raise typer.BadParameter(str(error)) from error

    return parse

"""What a task needs of a desktop, as data: applications and programs, and the packages that bring them.

It is read off the task's words and commands, so it may miss what only the agent would use. Invariant: it decides
nothing; a task whose program is not there fails in its setup, by name.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from .fields import Json

PACKAGES: Mapping[str, frozenset[str]] = {
    "chrome": frozenset({"chromium"}),
    "code": frozenset({"code"}),
    "gimp": frozenset({"gimp"}),
    "git": frozenset({"git"}),
    "gnome-terminal": frozenset({"gnome-terminal"}),
    "libreoffice calc": frozenset({"libreoffice-calc"}),
    "libreoffice impress": frozenset({"libreoffice-impress"}),
    "libreoffice writer": frozenset({"libreoffice-writer"}),
    "nautilus": frozenset({"nautilus"}),
    "picard": frozenset({"picard"}),
    "pulseaudio": frozenset({"pulseaudio"}),
    "socat": frozenset({"socat"}),
    "spotify": frozenset({"spotify-client"}),
    "thunderbird": frozenset({"thunderbird"}),
    "timedatectl": frozenset({"systemd"}),
    "vlc": frozenset({"vlc"}),
}
"""For each application or program that images differ in: the packages that all have to be there."""
APPS: Mapping[str, str] = {
    "browser": "chrome",
    "calc": "libreoffice calc",
    "chrome": "chrome",
    "gimp": "gimp",
    "libreoffice calc": "libreoffice calc",
    "libreoffice impress": "libreoffice impress",
    "libreoffice writer": "libreoffice writer",
    "picard": "picard",
    "thunderbird": "thunderbird",
    "vlc": "vlc",
    "vs code": "code",
    "vscode": "code",
    "writer": "libreoffice writer",
}
"""What tasks and domains call an application. Words that name nothing in particular, as `os`, are not here."""
ENDINGS: Mapping[str, str] = {
    "docx": "libreoffice writer",
    "odt": "libreoffice writer",
    "ods": "libreoffice calc",
    "xls": "libreoffice calc",
    "xlsx": "libreoffice calc",
    "odp": "libreoffice impress",
    "pptx": "libreoffice impress",
}
"""What a file is opened with, by its ending."""
_PROGRAMS: Mapping[str, str] = {
    "code": "code",
    "gimp": "gimp",
    "git": "git",
    "gnome-terminal": "gnome-terminal",
    "google-chrome": "chrome",
    "libreoffice": "libreoffice writer",
    "nautilus": "nautilus",
    "pactl": "pulseaudio",
    "pulseaudio": "pulseaudio",
    "socat": "socat",
    "soffice": "libreoffice writer",
    "spotify": "spotify",
    "thunderbird": "thunderbird",
    "timedatectl": "timedatectl",
    "vlc": "vlc",
}
_SWITCHES: Mapping[str, str] = {f"--{app}": f"libreoffice {app}" for app in ("calc", "impress", "writer")}
_PROGRAM = re.compile(
    r"(?:^|[;&|(]|\bsudo(?:\s+-\S+)*)\s*(?:\w+=\S*\s+)*(?:which\s+)?(?:/usr/bin/)?([a-z][a-z-]+)", re.MULTILINE
)


@dataclass(frozen=True, slots=True)
class Needs:
    """What a desktop must have for a task."""

    apps: tuple[str, ...]
    """Names in `PACKAGES`."""

    def lacking(self, packages: Collection[str]) -> tuple[str, ...]:
        """What an image with these packages lacks."""
        return tuple(app for app in self.apps if not PACKAGES[app] <= frozenset(packages))


def needs_of(raw: Mapping[str, Json], domain: str, *, infeasible: bool) -> Needs:
    """What a task needs. One that can't be done only needs what its setup starts."""
    evaluator = _object(raw.get("evaluator"))
    steps = [_object(step) for step in (*_list(raw.get("config")), *_list(evaluator.get("postconfig")))]
    found = set(_of_steps(steps))
    if not infeasible:
        words = [domain, *(app for app in _list(raw.get("related_apps")) if isinstance(app, str))]
        found.update(APPS[plain] for word in words if (plain := word.lower().replace("_", " ")) in APPS)
        for side in ("result", "expected"):
            value = evaluator.get(side)
            for getter in map(_object, _list(value) or [value]):
                found.update(_of_command(getter.get("command")))
                if getter.get("type") == "vm_terminal_output":
                    found.add("gnome-terminal")
    return Needs(tuple(sorted(found)))


def _of_steps(steps: Iterable[Mapping[str, Json]]) -> Iterator[str]:
    for step in steps:
        parameters = _object(step.get("parameters"))
        yield from _of_command(parameters.get("command"))
        path = parameters.get("path")
        if step.get("type") == "open" and isinstance(path, str):
            ending = path.rpartition(".")[2].lower()
            yield from (app for known, app in ENDINGS.items() if known == ending)


def _of_command(command: Json) -> Iterator[str]:
    words = [word for word in _list(command) if isinstance(word, str)]
    if isinstance(command, str):
        words, line = command.split(), command
    elif words[:2] in (["/bin/bash", "-c"], ["bash", "-c"], ["sh", "-c"]):
        line = " ".join(words[2:])
    else:
        line = " ".join(words[:2]) if words[:1] == ["which"] else "".join(words[:1])
    switched = [_SWITCHES[word] for word in words if word in _SWITCHES]
    for program in _PROGRAM.findall(line):
        if program in _PROGRAMS and not (switched and program in {"libreoffice", "soffice"}):
            yield _PROGRAMS[program]
    yield from switched


def _object(value: Json) -> Mapping[str, Json]:
    return cast("dict[str, Json]", value) if isinstance(value, dict) else {}


def _list(value: Json) -> list[Json]:
    return cast("list[Json]", value) if isinstance(value, list) else []

"""What is to be audited: tasks of the pack that comes with Drums, of a folder, or single ones.

It reads files and judges nothing. A pack is laid out `<pack>/<domain>/<id>.json`, with `<id>.proof.json` beside it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from drums.local.osworld import TaskError, TaskLibrary, own_pack
from drums.local.osworld.errors import UnknownTask
from drums.local.osworld.proofs import Proof, proofs_of, read_proof

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

BUILTIN = "builtin"
"""The name of the pack that comes with Drums."""


class SubjectError(Exception):
    """What is to be audited can't be read; the message says what to do."""


@dataclass(frozen=True, slots=True)
class Subject:
    """One task to audit."""

    id: str
    domain: str
    proof: Proof | None
    task: Mapping[str, Any] | None = None
    """The task itself, where the server need not know it by its id."""

    @property
    def difficulty(self) -> str | None:
        """How hard its proof says that it is."""
        return self.proof.difficulty if self.proof else None

    def image_on(self, machine: str | None) -> str | None:
        """The image that its proof needs on such a machine; None: the default one."""
        return self.proof.image_on(machine) if self.proof else None

    def why_not(self, machine: str | None) -> str | None:
        """Why it can't be run on such a machine; None when it can."""
        return self.proof.why_not(machine) if self.proof else None


def subjects_of(pack: str, only: Sequence[str] = ()) -> list[Subject]:
    """The tasks of a pack, by domain and id.

    Args:
        pack: `builtin`, or a folder.
        only: Ids, beginnings of ids (8 characters or more) or domains; none: all.

    Raises:
        SubjectError: There is no such pack or task, or a file in it can't be read.
    """
    folder = own_pack() if pack == BUILTIN else Path(pack).expanduser()
    if not folder.is_dir():
        message = f"{pack} is no folder; give one that holds <domain>/<id>.json, or `{BUILTIN}`"
        raise SubjectError(message)
    domains: set[str] = set()
    try:
        library, proofs = TaskLibrary([folder]), proofs_of(folder)
        domains = {summary.domain for summary in library.summaries()}
        wanted = {library.raw(word)["id"] for word in only if word not in domains}
    except UnknownTask as error:
        message = f"{pack}: {error}, nor is it one of its domains {', '.join(sorted(domains))}"
        raise SubjectError(message) from error
    except (TaskError, ValueError) as error:
        raise SubjectError(f"{pack}: {error}") from error
    return [
        Subject(summary.id, summary.domain, proofs.get(summary.id))
        for summary in library.summaries()
        if not only or summary.id in wanted or summary.domain in only
    ]


def subject_of_file(path: Path) -> Subject:
    """A task of a file of its own, with the proof beside it where there is one.

    Raises:
        SubjectError: One of them can't be read.
    """
    try:
        task: dict[str, Any] = json.loads(path.read_text("utf-8"))
        beside = path.with_suffix(".proof.json")
        proof = read_proof(json.loads(beside.read_text("utf-8"))) if beside.exists() else None
        return Subject(str(task["id"]), path.parent.name, proof, task)
    except (OSError, ValueError, KeyError, TypeError, TaskError) as error:
        raise SubjectError(f"{path}: {error}; give an OSWorld task") from error

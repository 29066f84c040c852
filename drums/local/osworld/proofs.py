"""Proofs of a pack's tasks: how each is solved, and what looks solved and is not.

A proof lies beside its task, `<id>.proof.json`. It plays nothing; who plays them is `drums audit-task` and the tests of
the pack. Invariant: a Proof that was read has an oracle and at least two near misses, of actions that an env takes.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, cast

from drums.actions import Action, action
from drums.errors import BadRequest

from .errors import TaskMalformed
from .fields import Fields, kind
from .library import own_pack

if TYPE_CHECKING:
    from collections.abc import Mapping
    from importlib.resources.abc import Traversable

    from .fields import Json

ENDING = ".proof.json"
FEWEST_NEAR_MISSES = 2
SIM = "sim"
"""The machine of simulated desktops."""

Difficulty = Literal["easy", "medium", "hard"]


@dataclass(frozen=True, slots=True)
class NearMiss:
    """A plausible attempt that must score 0."""

    why: str
    """What is wrong with it, in a sentence."""
    actions: tuple[Action, ...]


@dataclass(frozen=True, slots=True)
class Proof:
    """What shows that a task can be solved, and that its checker takes nothing else for a solution."""

    difficulty: Difficulty
    sim: bool
    """Whether it holds on simulated desktops too."""
    image: str
    """The image of real desktops that it needs: `osworld-ubuntu`, `office`, or one of your own."""
    oracle: tuple[Action, ...]
    """What solves the task, as `env.step` takes it; of an infeasible one, the word FAIL."""
    near_misses: tuple[NearMiss, ...]

    def image_on(self, machine: str | None) -> str | None:
        """The image that the task needs on such a machine; None: the default one."""
        return None if machine == SIM else self.image

    def why_not(self, machine: str | None) -> str | None:
        """Why the task can't be solved on such a machine; None when it can."""
        if machine == SIM and not self.sim:
            return "it needs a real desktop, and this server simulates them"
        return None


def read_proof(value: Json, where: str = "proof") -> Proof:
    """A proof from its JSON.

    Raises:
        TaskMalformed: It is none; the message names the place.
    """
    fields = Fields.of(value, where)
    for name in fields.values:
        if name not in {"difficulty", "sim", "image", "oracle", "near_misses"}:
            raise TaskMalformed(fields.at(name), "a proof has no such field")
    misses = fields.items("near_misses")
    if len(misses) < FEWEST_NEAR_MISSES:
        raise TaskMalformed(fields.at("near_misses"), f"expected {FEWEST_NEAR_MISSES} or more, got {len(misses)}")
    return Proof(
        difficulty=cast("Difficulty", _one_of(fields, "difficulty", "easy", "medium", "hard")),
        sim=fields.flag("sim"),
        image=fields.text("image"),
        oracle=_actions(fields, "oracle"),
        near_misses=tuple(
            _near_miss(miss, f"{fields.at('near_misses')}[{index}]") for index, miss in enumerate(misses)
        ),
    )


def proofs_of(pack: Traversable) -> dict[str, Proof]:
    """The proofs of a pack by the task's id; a task without one is not in it.

    Raises:
        TaskMalformed: A proof's file is none.
    """
    domains = [entry for entry in pack.iterdir() if entry.is_dir()]
    found = [file for domain in domains for file in domain.iterdir() if file.name.endswith(ENDING)]
    return {file.name.removesuffix(ENDING): _read_file(file) for file in sorted(found, key=lambda file: file.name)}


def own_proofs() -> dict[str, Proof]:
    """The proofs of the pack that comes with the daemon."""
    return proofs_of(own_pack())


def _read_file(file: Traversable) -> Proof:
    try:
        value: Json = json.loads(file.read_text(encoding="utf-8"))
    except (ValueError, OSError, RecursionError) as error:
        raise TaskMalformed(file.name, str(error)) from error
    return read_proof(value, file.name)


def _near_miss(value: Json, where: str) -> NearMiss:
    fields = Fields.of(value, where)
    return NearMiss(fields.text("why"), _actions(fields, "actions"))


def _one_of(fields: Fields, name: str, *words: str) -> str:
    word = fields.text(name)
    if word not in words:
        raise TaskMalformed(fields.at(name), f"expected one of {', '.join(words)}, got {kind(word)}")
    return word


def _actions(fields: Fields, name: str) -> tuple[Action, ...]:
    values = fields.items(name)
    if not values:
        raise TaskMalformed(fields.at(name), "expected at least one action")
    for index, value in enumerate(values):
        try:
            action(cast("Action", value))
        except BadRequest as error:
            raise TaskMalformed(f"{fields.at(name)}[{index}]", error.message) from error
    return tuple(cast("Mapping[str, object] | str", value) for value in values)

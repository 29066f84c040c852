"""An environment for verifiers and prime-rl: each rollout is one Drums desktop that runs one OSWorld task.

    vf-eval drums-verifiers -m MODEL --client.base-url URL

verifiers finds the environment's parts by their classes in `__all__`; `docs/verifiers.md` is the guide. Importing this
package loads nothing else: verifiers, which takes seconds to import, is loaded when one of the classes is first used.
The one invariant: an episode that is not valid never gives a reward.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from drums_verifiers.env import DrumsEnv as DrumsEnv
    from drums_verifiers.harness import DrumsHarness as DrumsHarness
    from drums_verifiers.taskset import DrumsTaskset as DrumsTaskset

# One class of each kind, no more: verifiers takes each by its base class.
__all__ = ["DrumsEnv", "DrumsHarness", "DrumsTaskset"]

_HOME = {"DrumsEnv": "env", "DrumsHarness": "harness", "DrumsTaskset": "taskset"}

if find_spec("verifiers") is None:
    raise ModuleNotFoundError(
        "drums_verifiers needs verifiers, which is not installed; pip install 'drums-sdk[verifiers]'", name="verifiers"
    )


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module 'drums_verifiers' has no attribute {name!r}")
    # While env.py is loading, verifiers asks here for DrumsEnv: an AttributeError is the right answer then.
    value = globals()[name] = getattr(import_module(f"drums_verifiers.{_HOME[name]}"), name)
    return value


def __dir__() -> list[str]:
    return sorted(__all__)

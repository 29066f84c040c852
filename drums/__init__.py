"""Forkable, isolated Linux desktops for computer-use agents and reinforcement learning.

    with drums.connect() as client:
        with client.create(task="e0df059f") as env:
            env.wait_valid()
            env.step("pyautogui.click(960, 540)")
            reward = env.verify()

The public names, and nothing else; nothing is loaded before it is used. `drums.aio` has the same for asyncio,
`drums.errors` says what can go wrong, `drums.records` what the server replies, `drums.actions` what a desktop can be
told to do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from drums._core.settings import DEFAULT_URL as DEFAULT_URL
    from drums._core.state import State as State
    from drums._sync._client import DEFAULT_IMAGE as DEFAULT_IMAGE
    from drums._sync._client import Client as Client
    from drums._sync._connect import connect as connect
    from drums._sync._connect import env as env
    from drums._sync._env import Env as Env
    from drums._sync._fork import ForkResult as ForkResult
    from drums._sync._guest import GuestClient as GuestClient
    from drums._version import __version__ as __version__
    from drums.errors import ActionFailed as ActionFailed
    from drums.errors import AuthError as AuthError
    from drums.errors import BadRequest as BadRequest
    from drums.errors import BatchError as BatchError
    from drums.errors import CheckerError as CheckerError
    from drums.errors import CheckpointStale as CheckpointStale
    from drums.errors import Conflict as Conflict
    from drums.errors import DaemonUnavailable as DaemonUnavailable
    from drums.errors import DrumsError as DrumsError
    from drums.errors import EnvFailed as EnvFailed
    from drums.errors import EnvGone as EnvGone
    from drums.errors import Forbidden as Forbidden
    from drums.errors import ForkError as ForkError
    from drums.errors import GateFailed as GateFailed
    from drums.errors import GuestError as GuestError
    from drums.errors import InvalidEpisode as InvalidEpisode
    from drums.errors import NotFound as NotFound
    from drums.errors import NotQuiescent as NotQuiescent
    from drums.errors import Overloaded as Overloaded
    from drums.errors import ProtocolError as ProtocolError
    from drums.errors import QuotaExceeded as QuotaExceeded
    from drums.errors import RestoreFailed as RestoreFailed
    from drums.errors import TaskSetupFailed as TaskSetupFailed
    from drums.errors import TaskUnsupported as TaskUnsupported
    from drums.observation import Observation as Observation
    from drums.observation import StepResult as StepResult
    from drums.reward import Reward as Reward
else:
    _HOME = {
        "DEFAULT_IMAGE": "drums._sync._client",
        "DEFAULT_URL": "drums._core.settings",
        "ActionFailed": "drums.errors",
        "AuthError": "drums.errors",
        "BadRequest": "drums.errors",
        "BatchError": "drums.errors",
        "CheckerError": "drums.errors",
        "CheckpointStale": "drums.errors",
        "Client": "drums._sync._client",
        "Conflict": "drums.errors",
        "DaemonUnavailable": "drums.errors",
        "DrumsError": "drums.errors",
        "Env": "drums._sync._env",
        "EnvFailed": "drums.errors",
        "EnvGone": "drums.errors",
        "Forbidden": "drums.errors",
        "ForkError": "drums.errors",
        "ForkResult": "drums._sync._fork",
        "GateFailed": "drums.errors",
        "GuestClient": "drums._sync._guest",
        "GuestError": "drums.errors",
        "InvalidEpisode": "drums.errors",
        "NotFound": "drums.errors",
        "NotQuiescent": "drums.errors",
        "Observation": "drums.observation",
        "Overloaded": "drums.errors",
        "ProtocolError": "drums.errors",
        "QuotaExceeded": "drums.errors",
        "RestoreFailed": "drums.errors",
        "Reward": "drums.reward",
        "State": "drums._core.state",
        "StepResult": "drums.observation",
        "TaskSetupFailed": "drums.errors",
        "TaskUnsupported": "drums.errors",
        "__version__": "drums._version",
        "connect": "drums._sync._connect",
        "env": "drums._sync._connect",
    }

    def __getattr__(name):
        if name not in _HOME:
            message = f"module {__name__!r} has no attribute {name!r}"
            raise AttributeError(message)
        from importlib import import_module  # noqa: PLC0415  # once a name

        value = globals()[name] = getattr(import_module(_HOME[name]), name)
        return value

    def __dir__():
        return sorted(__all__)


__all__ = [
    "DEFAULT_IMAGE",
    "DEFAULT_URL",
    "ActionFailed",
    "AuthError",
    "BadRequest",
    "BatchError",
    "CheckerError",
    "CheckpointStale",
    "Client",
    "Conflict",
    "DaemonUnavailable",
    "DrumsError",
    "Env",
    "EnvFailed",
    "EnvGone",
    "Forbidden",
    "ForkError",
    "ForkResult",
    "GateFailed",
    "GuestClient",
    "GuestError",
    "InvalidEpisode",
    "NotFound",
    "NotQuiescent",
    "Observation",
    "Overloaded",
    "ProtocolError",
    "QuotaExceeded",
    "RestoreFailed",
    "Reward",
    "State",
    "StepResult",
    "TaskSetupFailed",
    "TaskUnsupported",
    "__version__",
    "connect",
    "env",
]

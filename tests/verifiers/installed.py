"""Whether the tests of drums_verifiers can run here; each of their modules asks first, else it is skipped aloud."""

from __future__ import annotations

from importlib.util import find_spec

import pytest


def need_verifiers() -> None:
    """Skip the module that calls this, where verifiers is not installed."""
    if find_spec("verifiers") is None:
        reason = "verifiers is not installed: make test-verifiers, or pip install 'drums-sdk[verifiers]'"
        pytest.skip(reason, allow_module_level=True)

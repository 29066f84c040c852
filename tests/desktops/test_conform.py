"""A daemon with real desktops keeps every rule of the API."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from drums._core.settings import resolve
from drums.conform.run import Options, Wire, conform

if TYPE_CHECKING:
    from drums.local import InProcess


@pytest.mark.timeout(900)
def test_real_desktops_conform(daemon: InProcess) -> None:
    settings = resolve(daemon.url, daemon.token)
    report = conform(Wire(settings), settings.url, Options(exclusive=True, patience_s=90))
    assert [(one.name, one.detail, one.requests) for one in report.outcomes if one.status == "failed"] == []
    assert report.conforms

# Generated from tests/wire/test_patience.py by tools/generate_sync.py. Edit that file.
"""Retries and the log: a GET waits for the daemon to come back, and what is sent is told in one line."""

from __future__ import annotations

import logging
import re
from typing import TYPE_CHECKING

import pytest

import drums
from drums import DaemonUnavailable

if TYPE_CHECKING:
    from drums.local import InProcess


def test_a_get_is_repeated_until_the_daemon_is_back(daemon: InProcess, caplog: pytest.LogCaptureFixture) -> None:
    with drums.connect(daemon.url, daemon.token, retry_s=30) as client:
        daemon.faults.unavailable(times=2)
        daemon.faults.drop_before("get_health")
        caplog.clear()
        assert (client.health()).version
        warned = [
            record.getMessage()
            for record in caplog.records
            if record.levelno == logging.WARNING and record.name == "drums"
        ]
        assert [re.sub(r":.*;", ":;", line) for line in warned] == [
            "GET /v1/health:; again in 0.25 s",
            "GET /v1/health:; again in 0.50 s",
            "GET /v1/health:; again in 1.00 s",
        ]


def test_patience_ends_with_the_last_failure(daemon: InProcess) -> None:
    with drums.connect(daemon.url, daemon.token, retry_s=0.3) as client:
        daemon.faults.unavailable(times=2)
        with pytest.raises(DaemonUnavailable) as away:
            client.health()
        assert away.value.status == 503


def test_each_request_is_one_line_with_method_path_status_and_time(
    daemon: InProcess, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, logger="drums")
    with drums.connect(daemon.url, daemon.token, retry_s=0) as client:
        env = client.create()
        env.step({"type": "execute", "command": ["echo", "a-word-of-the-body"]})
        daemon.faults.drop_before("get_health")
        with pytest.raises(DaemonUnavailable):
            client.health()
    lines = [record.getMessage() for record in caplog.records if record.name == "drums"]
    broken = r"(the server closed the connection without a reply|the connection broke: .*) (?=\d)"
    assert [re.sub(r"\d+ ms$", "0 ms", re.sub(broken, "BROKEN ", line)) for line in lines] == [
        "GET /v1/slots?limit=1 200 0 ms",
        "POST /v1/slots 200 0 ms",
        f"POST /v1/slots/{env.id}/step 200 0 ms",
        "GET /v1/health BROKEN 0 ms",
        f"DELETE /v1/slots/{env.id} 200 0 ms",
    ]
    assert {record.levelno for record in caplog.records if record.name == "drums"} == {logging.DEBUG}
    assert daemon.token not in caplog.text
    assert "a-word-of-the-body" not in "\n".join(lines)

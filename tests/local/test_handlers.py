"""Handlers: one for each operation of the spec, and the daemon's version is the spec's."""

from __future__ import annotations

from drums.local.domain.host import DAEMON_VERSION
from drums.local.handlers import HANDLERS
from drums.local.routes import routes, spec


def test_every_operation_of_the_spec_has_a_handler_and_no_other_has() -> None:
    assert set(HANDLERS) == set(routes().operations)


def test_the_daemon_speaks_the_specs_version() -> None:
    assert spec()["info"]["version"] == DAEMON_VERSION

"""Clients in other languages: what is changed of the spec for them, and that what is missing is said and skipped."""

from __future__ import annotations

import copy
import json
from dataclasses import replace
from pathlib import Path

import pytest
import yaml
from openapi_spec_validator import OpenAPIV31SpecValidator

from tools import clients
from tools._clients.languages import LANGUAGES, ClientError, run
from tools._clients.prepared import SPEC, prepared, write_prepared
from tools._clients.trial import EXPECTED, tried
from tools._compat import rules

ROOT = Path(__file__).parents[2]


def broken(folder: Path) -> None:
    raise ClientError(f"no client in {folder.name}")


@pytest.fixture
def empty_path(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))


def test_the_prepared_spec_is_the_same_api(tmp_path: Path) -> None:
    spec = yaml.safe_load(SPEC.read_bytes())
    before = copy.deepcopy(spec)
    changed = prepared(spec)
    assert spec == before
    assert list(OpenAPIV31SpecValidator(changed).iter_errors()) == []
    assert changed["paths"].keys() == spec["paths"].keys()
    lost = {one.rule for one in rules.changes(spec, changed)} - {"type-changed", "format-changed"}
    assert lost <= {"response-widened"}
    write_prepared(tmp_path / "deep" / "spec.json")
    assert json.loads((tmp_path / "deep" / "spec.json").read_text()) == changed


def test_no_shape_that_a_generator_gets_wrong_is_left() -> None:
    text = json.dumps(prepared(yaml.safe_load(SPEC.read_bytes())))
    assert '"discriminator"' not in text
    assert '["string", "array"]' not in text
    assert '"const": "execute"' in text


@pytest.mark.usefixtures("empty_path")
def test_a_language_whose_tools_are_missing_is_skipped_aloud(capsys: pytest.CaptureFixture[str]) -> None:
    assert clients.main(["--try"]) == 0
    said = capsys.readouterr().out
    assert "cargo and java not found on PATH" in said
    assert "0 passed, 0 failed, 4 skipped" in said


@pytest.mark.usefixtures("empty_path")
def test_a_client_that_can_not_be_generated_is_said_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert clients.main(["go"]) == 1
    assert "Go: go and java not found on PATH" in capsys.readouterr().err


def test_an_unknown_language_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        clients.main(["cobol"])
    assert "typescript, go, java, rust" in capsys.readouterr().err


def test_an_example_that_fails_or_says_something_else_fails() -> None:
    python = replace(LANGUAGES["go"], needs=(), generate=lambda _: None, build=())
    (wrong, failing, right) = tried(
        [
            replace(python, start=("echo", "hello")),
            replace(python, generate=broken),
            replace(python, start=("printf", "%s\\n", *EXPECTED)),
        ]
    )
    assert (wrong.status, failing.status, right.status) == ("failed", "failed", "passed")
    assert "hello" in wrong.detail
    assert "no client in api" in failing.detail


def test_a_failed_command_tells_what_it_wrote(tmp_path: Path) -> None:
    with pytest.raises(ClientError, match="oh no"):
        run(("sh", "-c", "echo oh no >&2; exit 3"), tmp_path)


@pytest.mark.parametrize("name", LANGUAGES)
def test_each_example_has_a_page_with_three_commands(name: str) -> None:
    page = (LANGUAGES[name].folder / "README.md").read_text()
    commands = page.partition("```sh\n")[2].partition("```")[0].strip().splitlines()
    assert len(commands) == 3
    assert f"examples/{name}" in page

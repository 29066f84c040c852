"""What is generated is exactly what the spec gives, wherever and whenever it is made."""

from __future__ import annotations

import copy
import json
import os
import pickle
import shutil
import subprocess
import sys
from importlib.metadata import PackageNotFoundError
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tools import generate
from tools._codegen.client import client_package
from tools._codegen.faults import CodegenError
from tools._codegen.hunks import HUNKS, Hunk, apply_hunk, write_templates
from tools._codegen.pins import check_installed, read_pins
from tools._codegen.records import records_module
from tools._codegen.spec import Spec
from tools._codegen.trees import MANIFEST, Drift, digest, drift, write

if TYPE_CHECKING:
    from collections.abc import Mapping

ROOT = generate.ROOT
A_MODEL = "generated/drums_api/models/slot.py"


@pytest.fixture(scope="module")
def files() -> Mapping[str, bytes]:
    """Every generated file, freshly made of this checkout's spec."""
    return generate.generated_files(ROOT)


@pytest.fixture
def checkout(files: Mapping[str, bytes], tmp_path: Path) -> Path:
    """A copy of the checkout, as far as generation is concerned, in which everything is in order."""
    for name in ("pyproject.toml", generate.SPEC):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(content)
    return tmp_path


# --- drift ------------------------------------------------------------------------------------------------------------


def test_this_checkout_is_in_order(files: Mapping[str, bytes]) -> None:
    assert drift(files, ROOT) == []


def test_a_copy_is_in_order(files: Mapping[str, bytes], checkout: Path) -> None:
    assert drift(files, checkout) == []


@pytest.mark.parametrize("path", [A_MODEL, "drums/records.py", "drums/local/openapi.json", MANIFEST])
def test_an_edited_file_is_found(files: Mapping[str, bytes], checkout: Path, path: str) -> None:
    (checkout / path).write_bytes(files[path] + b"\n")
    assert drift(files, checkout) == [Drift(path, "edited")]


@pytest.mark.parametrize("path", [A_MODEL, "drums/records.py", "generated/drums_api/py.typed", MANIFEST])
def test_a_missing_file_is_found(files: Mapping[str, bytes], checkout: Path, path: str) -> None:
    (checkout / path).unlink()
    assert drift(files, checkout) == [Drift(path, "missing")]


@pytest.mark.parametrize(
    "path", ["generated/drums_api/models/old.py", "generated/note.txt", "generated/drums_api/x/y.py"]
)
def test_a_stale_file_is_found(files: Mapping[str, bytes], checkout: Path, path: str) -> None:
    (checkout / path).parent.mkdir(exist_ok=True)
    (checkout / path).write_text("left over")
    assert drift(files, checkout) == [Drift(path, "stale")]


def test_what_python_and_ruff_keep_beside_the_files_is_no_drift(files: Mapping[str, bytes], checkout: Path) -> None:
    for folder in ("__pycache__", ".ruff_cache"):
        (checkout / "generated/drums_api" / folder).mkdir()
        (checkout / "generated/drums_api" / folder / "x.pyc").write_text("cached")
    assert drift(files, checkout) == []


def test_writing_puts_everything_in_order(files: Mapping[str, bytes], checkout: Path) -> None:
    (checkout / A_MODEL).write_text("edited")
    (checkout / "drums/records.py").unlink()
    (checkout / "generated/drums_api/gone").mkdir()
    (checkout / "generated/drums_api/gone/old.py").write_text("stale")
    (checkout / "drums/hand_written.py").write_text("kept")
    assert {change.what for change in write(files, checkout)} == {"edited", "missing", "stale"}
    assert drift(files, checkout) == []
    assert not (checkout / "generated/drums_api/gone").exists()
    assert (checkout / "drums/hand_written.py").read_text() == "kept"
    assert write(files, checkout) == []


def test_the_command_names_each_file_and_what_to_run(checkout: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (checkout / A_MODEL).unlink()
    (checkout / "generated/old.py").write_text("stale")
    assert generate.main(["--check"], checkout) == 1
    assert capsys.readouterr().out.splitlines() == [
        f"missing: {A_MODEL}",
        "stale: generated/old.py",
        "2 of 93 generated files are not what spec/openapi.yaml gives; run: python tools/generate.py",
    ]
    assert not (checkout / A_MODEL).exists()
    assert generate.main([], checkout) == 0
    assert generate.main(["--check"], checkout) == 0


def test_a_generation_that_fails_says_why_and_changes_nothing(
    files: Mapping[str, bytes], checkout: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spec = checkout / generate.SPEC
    spec.write_text(spec.read_text().replace("schemas/SlotPage", "schemas/SlotPages"))
    assert generate.main([], checkout) == 2
    assert capsys.readouterr().err.startswith("failed: ")
    assert drift(files, checkout) == []


def test_the_tool_runs_as_a_file_from_anywhere(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "tools" / "generate.py", "--check"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "generated files are in order" in done.stdout


# --- the same everywhere ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", ["1", "4294967295"])
def test_the_bytes_depend_on_no_hash_seed(files: Mapping[str, bytes], seed: str) -> None:
    program = (
        "import json; from tools.generate import ROOT, generated_files; from tools._codegen.trees import digest; "
        "print(json.dumps({path: digest(content) for path, content in generated_files(ROOT).items()}))"
    )
    made = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env=os.environ | {"PYTHONHASHSEED": seed},
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(made.stdout) == {path: digest(content) for path, content in files.items()}


def test_the_manifest_names_every_file_and_what_it_was_made_of(files: Mapping[str, bytes]) -> None:
    facts = json.loads(files[MANIFEST])
    assert facts["with"] == read_pins(ROOT / "pyproject.toml")
    assert facts["spec_sha256"] == digest((ROOT / generate.SPEC).read_bytes())
    assert facts["files_sha256"] == {path: digest(content) for path, content in files.items() if path != MANIFEST}
    assert {"drums/records.py", "drums/local/openapi.json"} < facts["files_sha256"].keys()


def test_no_file_tells_where_it_was_made(files: Mapping[str, bytes]) -> None:
    for path, content in files.items():
        assert str(ROOT).encode() not in content, path
        assert b"\r" not in content, path


# --- pins -------------------------------------------------------------------------------------------------------------


def test_the_pins_are_installed() -> None:
    pins = read_pins(ROOT / "pyproject.toml")
    assert pins.keys() == {"openapi-python-client", "ruff"}
    check_installed(pins)


def test_another_version_is_refused() -> None:
    with pytest.raises(CodegenError, match=r"ruff 9\.9 is installed; 0\.1 is pinned"):
        check_installed({"ruff": "0.1"}, lambda _: "9.9")


def test_a_generator_that_is_not_installed_is_named() -> None:
    def absent(name: str) -> str:
        raise PackageNotFoundError(name)

    with pytest.raises(CodegenError, match="openapi-python-client is not installed; 1 is pinned"):
        check_installed({"openapi-python-client": "1"}, absent)


@pytest.mark.parametrize("line", ['"ruff>=0.17"', ""])
def test_a_pin_that_is_not_exact_is_refused(tmp_path: Path, line: str) -> None:
    pyproject = tmp_path / "pyproject.toml"
    pyproject.write_text(f'[dependency-groups]\ncodegen = ["openapi-python-client==1", {line}]\n')
    with pytest.raises(CodegenError, match="must pin ruff with =="):
        read_pins(pyproject)


# --- hunks ------------------------------------------------------------------------------------------------------------


def test_a_hunk_replaces_its_passage() -> None:
    assert apply_hunk("a b c", Hunk("t", "why", "b", "x")) == "a x c"


@pytest.mark.parametrize(("text", "times"), [("a c", 0), ("b b", 2)])
def test_a_hunk_that_does_not_fit_exactly_once_is_refused(text: str, times: int) -> None:
    with pytest.raises(CodegenError, match=rf"types\.py\.jinja: the hunk `why` fits {times} times, not once"):
        apply_hunk(text, Hunk("types.py.jinja", "why", "b", "x"))


def templates() -> Path:
    """The installed generator's templates."""
    found = find_spec("openapi_python_client")
    assert found is not None
    assert found.origin is not None
    return Path(found.origin).parent / "templates"


def test_only_the_templates_that_change_are_written(tmp_path: Path) -> None:
    write_templates(templates(), tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {hunk.template for hunk in HUNKS}


@pytest.mark.parametrize("index", range(len(HUNKS)))
def test_each_hunk_is_refused_when_its_passage_is_gone(tmp_path: Path, index: int) -> None:
    """As when a later version of the generator words that passage differently."""
    installed, to = tmp_path / "installed", tmp_path / "to"
    shutil.copytree(templates(), installed)
    to.mkdir()
    hunk = HUNKS[index]
    template = installed / hunk.template
    template.write_text(template.read_text().replace(hunk.old, ""))
    with pytest.raises(CodegenError, match="times, not once"):
        write_templates(installed, to)


def test_a_template_that_is_gone_is_named(tmp_path: Path) -> None:
    with pytest.raises(CodegenError, match=r"gone\.jinja: the installed generator has no such template"):
        write_templates(templates(), tmp_path, [Hunk("gone.jinja", "why", "a", "b")])


def test_a_bad_hunk_stops_the_generation() -> None:
    with pytest.raises(CodegenError, match="fits 0 times"):
        client_package(ROOT / generate.SPEC, [], [Hunk("types.py.jinja", "why", "no such passage", "")])


# --- what the generators must not drop in silence ---------------------------------------------------------------------


def test_a_schema_that_became_no_class_is_named(tmp_path: Path) -> None:
    spec = tmp_path / "openapi.yaml"
    spec.write_text(
        "openapi: 3.1.0\ninfo: {title: T, version: '1'}\npaths: {}\ncomponents:\n  schemas:\n"
        "    A: {type: object, properties: {x: {type: string}}}\n"
        "    B: {type: object, allOf: [{$ref: '#/components/schemas/A'}]}\n"
    )
    with pytest.raises(CodegenError, match="made no class of the schema B"):
        client_package(spec, ["A", "B"])


def a_spec(properties: str, more: str = "") -> Spec:
    """A document whose one reply has these properties."""
    return Spec(
        f"""
paths:
  /a:
    get:
      operationId: get_a
      responses:
        "200": {{ content: {{ application/json: {{ schema: {{ $ref: "#/components/schemas/A" }} }} }} }}
components:
  schemas:
    A:
      type: object
      description: One thing.
      properties: {properties}
{more}
""".encode()
    )


@pytest.mark.parametrize(
    ("properties", "message"),
    [
        ("{ x: { type: string } }", r"A\.x: the first sentence of its description must be there"),
        ("{ x: { type: string, description: '" + "a" * 120 + ".' } }", r"A\.x: the first sentence"),
        ("{ x: { $ref: '#/components/schemas/A', description: Itself. } }", "A > A refer to each other in a ring"),
        (
            "{ x: { oneOf: [{ type: string }, { type: integer }], description: Two. } }",
            r"A\.x: a union of a reply may only be one named object and null",
        ),
        (
            "{ x: { oneOf: [{ type: object }, { type: 'null' }], description: Unnamed. } }",
            r"A\.x: expected a reference to a named schema",
        ),
        (
            (
                "{ x: { title: W, type: string, x-extensible-enum: [a], description: A. }, y: "
                "{ title: W, type: string, x-extensible-enum: [b], description: B. } }"
            ),
            r"A\.y: W is the title of an enum with other values",
        ),
    ],
)
def test_a_reply_that_records_can_not_hold_is_refused(properties: str, message: str) -> None:
    with pytest.raises(CodegenError, match=message):
        records_module(a_spec(properties))


def test_a_record_is_written_with_its_type_and_meaning() -> None:
    text = records_module(a_spec("{ x: { type: [integer, 'null'], description: 'Seconds; null for none. More.' } }"))
    assert (
        'class A(Record):\n    """One thing."""\n\n    __slots__ = ()\n\n'
        "    __shapes__: ClassVar[Mapping[str, Shape]] = {\n"
        '        "x": Shape("integer or null"),\n    }\n\n'
        "    @property\n    def x(self) -> int | None:\n"
        '        """Seconds; None for none.\n\n        More.\n        """\n'
        '        value: int | None = self.get("x")\n        return value\n'
    ) in text.decode()


# --- what our hunks are for -------------------------------------------------------------------------------------------


def in_a_new_python(program: str) -> str:
    """What a program prints in a Python of its own."""
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'generated'}"},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


def test_models_and_operations_import_no_http_library() -> None:
    operations = sorted((ROOT / "generated/drums_api/api").glob("*/*.py"))
    modules = [f"drums_api.api.{path.parent.name}.{path.stem}" for path in operations if path.stem != "__init__"]
    assert len(modules) == 24
    program = (
        f"import sys, drums_api, drums_api.models as models; [__import__(name) for name in {modules!r}]; "
        "[getattr(models, name) for name in models.__all__]; print('httpx' in sys.modules)"
    )
    assert in_a_new_python(program) == "False"


def test_one_model_does_not_load_the_others() -> None:
    program = "import sys; from drums_api.models import Gate; print('drums_api.models.metrics' in sys.modules)"
    assert in_a_new_python(program) == "False"


def test_the_records_load_neither_the_models_nor_anything_heavy() -> None:
    heavy = ["drums_api", "attr", "httpx", "asyncio", "dataclasses", "inspect", "importlib.metadata"]
    program = f"import sys, drums.records; print([name for name in {heavy} if name in sys.modules])"
    assert in_a_new_python(program) == "[]"


def test_a_model_that_does_not_exist_is_an_attribute_error() -> None:
    import drums_api.models

    with pytest.raises(AttributeError, match="has no attribute 'Slott'"):
        getattr(drums_api.models, "Slott")  # noqa: B009


def test_unset_is_one_object_also_after_copy_and_pickle() -> None:
    from drums_api.models import CaptureRequest
    from drums_api.types import UNSET

    request = CaptureRequest()
    for other in (copy.deepcopy(request), pickle.loads(pickle.dumps(request))):
        assert other.id is UNSET
        assert other.to_dict() == {}
    assert (bool(UNSET), repr(UNSET)) == (False, "UNSET")


@pytest.mark.parametrize("body", [b"<html>502</html>", b"", b"[1]", b'{"id": "s1"}', b"\xff\xfe", b"null", b"3"])
def test_a_body_that_can_not_be_read_keeps_its_status_and_bytes(body: bytes) -> None:
    import httpx
    from drums_api.api.slots import get_slot
    from drums_api.client import AuthenticatedClient
    from drums_api.errors import UnparsableResponse

    transport = httpx.MockTransport(lambda _: httpx.Response(200, content=body))
    client = AuthenticatedClient("http://daemon.invalid", token="t", httpx_args={"transport": transport})
    with pytest.raises(UnparsableResponse) as caught:
        get_slot.sync_detailed("s1", client=client)
    again = pickle.loads(pickle.dumps(caught.value))
    assert (again.status_code, again.content) == (200, body)


@pytest.mark.parametrize("status", [299, 520, 599])
def test_a_status_that_is_not_registered_is_a_number(status: int) -> None:
    import httpx
    from drums_api.api.slots import get_slot
    from drums_api.client import AuthenticatedClient

    transport = httpx.MockTransport(lambda _: httpx.Response(status, content=b"x"))
    client = AuthenticatedClient("http://daemon.invalid", token="t", httpx_args={"transport": transport})
    assert get_slot.sync_detailed("s1", client=client).status_code == status


def test_a_generated_client_never_shows_its_token() -> None:
    import httpx
    from drums_api.api.slots import get_slot
    from drums_api.client import AuthenticatedClient

    transport = httpx.MockTransport(lambda _: httpx.Response(404, content=b'{"error": "none"}'))
    client = AuthenticatedClient("http://daemon.invalid", token="open-sesame", httpx_args={"transport": transport})
    get_slot.sync_detailed("s1", client=client)
    assert "open-sesame" not in repr(client)

"""Our changes to the generator's templates, and how they are applied.

The generator's templates are not copied: each hunk names a passage of the installed one and what stands there instead.
A hunk that does not fit exactly once stops the generation: a new version of the generator can drop no change in
silence.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tools._codegen.faults import CodegenError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Hunk:
    """One passage of one template, and what stands there instead."""

    template: str
    why: str
    old: str
    new: str


HUNKS = (
    Hunk(
        "types.py.jinja",
        "a status is any number from 100 to 599, not only the registered ones",
        "from http import HTTPStatus\nfrom typing import BinaryIO, Generic, TypeVar, Literal, IO\n",
        "from enum import Enum\nfrom typing import BinaryIO, Final, Generic, TypeVar, Literal, IO\n",
    ),
    Hunk(
        "types.py.jinja",
        "an enum member is one object also after copy and pickle, and `is UNSET` narrows a type",
        "class Unset:\n    def __bool__(self) -> Literal[False]:\n        return False\n\n\nUNSET: Unset = Unset()\n",
        'class Unset(Enum):\n    """ Tells a field that is absent from one that is null """\n\n    UNSET = "UNSET"\n\n'
        "    def __bool__(self) -> Literal[False]:\n        return False\n\n"
        '    def __repr__(self) -> str:\n        return "UNSET"\n\n\nUNSET: Final = Unset.UNSET\n',
    ),
    Hunk("types.py.jinja", "the status as a number", "    status_code: HTTPStatus\n", "    status_code: int\n"),
    Hunk(
        "errors.py.jinja",
        "a reply that can't be read keeps its status and body",
        '__all__ = ["UnexpectedStatus"]',
        "class UnparsableResponse(Exception):\n"
        '    """Raised by api functions when the body of a documented status is not what the document says"""\n\n'
        "    def __init__(self, status_code: int, content: bytes):\n"
        "        self.status_code = status_code\n        self.content = content\n\n"
        '        super().__init__(f"Unparsable response with status code {status_code}, {len(content)} bytes")\n\n'
        "    def __reduce__(self) -> tuple[type[UnparsableResponse], tuple[int, bytes]]:\n"
        "        return type(self), (self.status_code, self.content)\n\n"
        '__all__ = ["UnexpectedStatus", "UnparsableResponse"]',
    ),
    Hunk(
        "errors.py.jinja",
        "annotations are not evaluated",
        '""" Contains shared errors types that can be raised from API functions """\n',
        '""" Contains shared errors types that can be raised from API functions """\n\n'
        "from __future__ import annotations\n",
    ),
    Hunk(
        "package_init.py.jinja",
        "importing a model must not import httpx, which `client` does",
        "from .client import AuthenticatedClient, Client\n\n"
        '__all__ = (\n    "AuthenticatedClient",\n    "Client",\n)\n',
        "",
    ),
    Hunk(
        "models_init.py.jinja",
        "importing one model must not make the classes of all of them",
        "{% for import in imports | sort %}\n{{ import }}\n{% endfor %}\n",
        "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n"
        "{% for import in imports | sort %}\n    {{ import }}\n{% endfor %}\nelse:\n"
        "    from importlib import import_module\n\n"
        "    _HOME = {\n{% for import in imports | sort %}\n{% set words = import.split() %}\n"
        '        "{{ words[3] }}": "{{ words[1] }}",\n{% endfor %}\n    }\n\n'
        "    def __getattr__(name):\n        home = _HOME.get(name)\n        if home is None:\n"
        '            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")\n'
        "        globals()[name] = value = getattr(import_module(home, __name__), name)\n        return value\n",
    ),
    Hunk(
        "endpoint_module.py.jinja",
        "importing an operation must not import httpx: annotations only name it",
        "from http import HTTPStatus\nfrom typing import Any, cast\nfrom urllib.parse import quote\n\nimport httpx\n\n"
        "from ...client import AuthenticatedClient, Client\nfrom ...types import Response, UNSET\n",
        "from __future__ import annotations\n\n"
        "from typing import TYPE_CHECKING, Any, cast\nfrom urllib.parse import quote\n\n"
        "from ...types import Response, UNSET\n",
    ),
    Hunk(
        "endpoint_module.py.jinja",
        "the names that only annotations use",
        '{{ relative }}\n{% endfor %}\n\n{% from "endpoint_macros.py.jinja" import',
        "{{ relative }}\n{% endfor %}\n\nif TYPE_CHECKING:\n    import httpx\n\n"
        "    from ...client import AuthenticatedClient, Client\n\n"
        '{% from "endpoint_macros.py.jinja" import',
    ),
    Hunk(
        "endpoint_module.py.jinja",
        "any status, and a body that can't be read keeps its status and bytes",
        "    return Response(\n        status_code=HTTPStatus(response.status_code),\n",
        "    try:\n        parsed = _parse_response(client=client, response=response)\n"
        "    except (AttributeError, LookupError, TypeError, ValueError) as error:\n"
        "        raise errors.UnparsableResponse(response.status_code, response.content) from error\n"
        "    return Response(\n        status_code=response.status_code,\n",
    ),
    Hunk(
        "endpoint_module.py.jinja",
        "parsed above",
        "        parsed=_parse_response(client=client, response=response),\n",
        "        parsed=parsed,\n",
    ),
    Hunk(
        "client.py.jinja",
        "no token in a client's repr",
        '"token": namespace(type="str", default="", ',
        '"token": namespace(type="str", default="field(repr=False)", ',
    ),
    Hunk(
        "client.py.jinja",
        "the headers hold the token once the client was used",
        '    _headers: dict[str, str] = field(factory=dict, kw_only=True, alias="headers")\n',
        '    _headers: dict[str, str] = field(factory=dict, kw_only=True, alias="headers", repr=False)\n',
    ),
)


def apply_hunk(text: str, hunk: Hunk) -> str:
    """The template's text with the hunk in it.

    Raises:
        CodegenError: The old passage does not stand there exactly once.
    """
    count = text.count(hunk.old)
    if count != 1:
        raise CodegenError(
            f"{hunk.template}: the hunk `{hunk.why}` fits {count} times, not once; "
            f"compare it with the installed template and change tools/_codegen/hunks.py"
        )
    return text.replace(hunk.old, hunk.new)


def write_templates(installed: Path, to: Path, hunks: Iterable[Hunk] = HUNKS) -> None:
    """Write the changed templates, and only those, to a folder.

    Args:
        installed: The folder of the installed generator's templates.
        to: Where the changed ones go; it must exist.
        hunks: What to change, applied in order.

    Raises:
        CodegenError: A template is missing, or a hunk does not fit exactly once.
    """
    changed: dict[str, str] = {}
    for hunk in hunks:
        source = installed / hunk.template
        if not source.is_file():
            raise CodegenError(f"{hunk.template}: the installed generator has no such template")
        changed[hunk.template] = apply_hunk(changed.get(hunk.template) or source.read_text("utf-8"), hunk)
    for name, text in changed.items():
        (to / name).write_text(text, "utf-8")

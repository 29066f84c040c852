"""Where the version of the distribution stands, and how a release changes those places. Pure, over texts.

Invariant: every place says the same version, or the release is refused.
"""

from __future__ import annotations

import re
import tomllib

PYPROJECT = re.compile(r'^version = "[^"]*"$', re.MULTILINE)
MODULE = re.compile(r'^__version__ = "[^"]*"$', re.MULTILINE)
HEADING = re.compile(r"^## (?P<version>\S+) \((?P<date>[^)]*)\)$", re.MULTILINE)
VERSION = re.compile(r"\d+\.\d+\.\d+((a|b|rc)\d+)?")


class ReleaseError(Exception):
    """The release can't go on, and why."""


def project_version(pyproject: str) -> str:
    """The version in pyproject.toml."""
    version: str = tomllib.loads(pyproject)["project"]["version"]
    return version


def with_version(text: str, pattern: re.Pattern[str], version: str) -> str:
    """A file with another version.

    Raises:
        ReleaseError: Its version does not stand in it exactly once.
    """
    if len(pattern.findall(text)) != 1:
        raise ReleaseError(f"the line {pattern.pattern} is not there exactly once")
    name = pattern.pattern.removeprefix("^").partition(" = ")[0]
    return pattern.sub(f'{name} = "{version}"', text)


def disagreements(version: str, module: str, log: str) -> list[str]:
    """Which places do not say a version."""
    found: list[str] = []
    if f'__version__ = "{version}"' not in module:
        found.append(f"drums/_version.py does not say {version}")
    heading = HEADING.search(log)
    if heading is None or heading["version"] != version:
        found.append(f"the first heading of CHANGELOG.md is not that of {version}")
    return found


def dated(log: str, version: str, date: str, api: str) -> str:
    """The change log with the heading of a version dated, and the section about the API at its end.

    Raises:
        ReleaseError: Its first heading is another version's, or that version is dated already.
    """
    heading = HEADING.search(log)
    if heading is None or heading["version"] != version:
        raise ReleaseError(f"the first heading of CHANGELOG.md must be: ## {version} (unreleased)")
    if heading["date"] != "unreleased":
        raise ReleaseError(f"{version} was released on {heading['date']}; a release can't be done twice")
    following = HEADING.search(log, heading.end())
    end = following.start() if following else len(log)
    body = log[heading.end() : end].rstrip()
    rest = log[end:]
    return f"{log[: heading.start()]}## {version} ({date}){body}\n\n{api.strip()}\n{f'{chr(10)}{rest}' if rest else ''}"

"""What the tools raise besides the errors of `drums`; every one is a `DrumsError`.

    DrumsError
     +-- ToolError
          +-- CommandFailed       shell: a returncode that is not 0; result
          |    +-- CommandLate    it was ended because its time was over
          +-- JobMissing          shell: there is no such job in this desktop; job
          +-- FileError           files: the desktop refused; guest_path, reason
          |    +-- FileMissing    there is nothing at the path
          |    +-- FileTaken      there is something at the path already
          |    +-- NotAFolder     a part of the path is no folder
          |    +-- IsAFolder      the path is a folder, and a file was meant
          |    +-- FileDenied     the desktop's user may not
          |    +-- TransferBroken what arrived is not what was sent
          +-- HostFileError       files: the host's side of an upload or download; host_path, reason
          |    +-- UnsafeName     a desktop's name that would lead out of the host folder, or that the host can't have
          +-- WindowMissing       apps: no such window, or none in time
          +-- Unsupported         the server, the image or this installation lacks what the tool needs; what

An argument that makes no sense is a `BadRequest`, and nothing was sent. Names from a desktop are quoted in messages as
one printable line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from drums._quote import excerpt
from drums.errors import DrumsError

if TYPE_CHECKING:
    from typing import Unpack

    from drums.errors import Facts
    from drums.hybrid.results import ShellResult


class ToolError(DrumsError):
    """A tool did not do what was asked."""

    default_hint = ""
    _composed = True

    def __init__(self, message: str, **facts: Unpack[Facts]) -> None:
        super().__init__(200, message, **facts)


class CommandFailed(ToolError):
    """A command ended with another returncode than 0.

    Args:
        result: What it did.
        facts: As for every `DrumsError`.
    """

    default_hint = "Read .result; run(..., check=False) returns it"

    def __init__(self, result: ShellResult, **facts: Unpack[Facts]) -> None:
        words = excerpt(result.stderr or result.stdout, end=True) or "it printed nothing"
        super().__init__(self._what(result, words), **facts)
        self.result = result

    @property
    def returncode(self) -> int:
        """The command's."""
        return self.result.returncode

    def _what(self, result: ShellResult, words: str) -> str:
        return f"the command ended with returncode {result.returncode}: {words}"


class CommandLate(CommandFailed):
    """A command did not come to its end in its time and was ended, with all that it had started."""

    default_hint = "Give run() a longer timeout, or start() it as a job"

    def _what(self, result: ShellResult, words: str) -> str:
        del result
        return f"the command was ended because its time was over: {words}"


class JobMissing(ToolError):
    """The desktop has no such job: it was never started there, or its folder was removed.

    Args:
        job: The job's id.
        facts: As for every `DrumsError`.
    """

    default_hint = "Jobs are known where they were started and in forks of that desktop, until remove()"

    def __init__(self, job: str, **facts: Unpack[Facts]) -> None:
        super().__init__(f"there is no job {excerpt(job)} in this desktop", **facts)
        self.job = job


class FileError(ToolError):
    """The desktop refused something about a file.

    Args:
        path: The file's path in the desktop, as it was meant.
        reason: What the desktop says, in a few words; untrusted.
        facts: As for every `DrumsError`.
    """

    words: ClassVar[str] = "it can't be done"

    def __init__(self, path: str, /, reason: str = "", **facts: Unpack[Facts]) -> None:
        told = f"{self.words}: {excerpt(reason)}" if reason else self.words
        super().__init__(f"{shown(path)}: {told}", **facts)
        self.guest_path = path
        """The file's path in the desktop. (`.path` is the request's, as in every `DrumsError`.)"""
        self.reason = reason


class FileMissing(FileError):
    """There is nothing at the path."""

    words = "there is no such file or folder"
    default_hint = "See what there is with files.list() of the folder"


class FileTaken(FileError):
    """There is something at the path already."""

    words = "there is something already"
    default_hint = "See what it is with files.stat(); overwrite=True replaces a file"


class NotAFolder(FileError):
    """A part of the path, or all of it, is no folder."""

    words = "it is no folder, or leads through something that is none"
    default_hint = "See what it is with files.stat()"


class IsAFolder(FileError):
    """The path is a folder, and something else was meant."""

    words = "it is a folder"
    default_hint = "Name a file; remove(recursive=True) takes folders as well"


class FileDenied(FileError):
    """The desktop's user may not do this there."""

    words = "the desktop's user may not do this"
    default_hint = "Choose a place below the home folder, or look at files.stat()"


class TransferBroken(FileError):
    """What arrived is not what was sent: the file changed meanwhile, or a part was lost. The target is as before."""

    words = "what arrived is not what was sent"
    default_hint = "Nothing was replaced; try again when nobody else writes the file"


class HostFileError(ToolError):
    """The host's side of an upload or a download failed.

    Args:
        path: The path on the host.
        reason: Why.
        facts: As for every `DrumsError`.
    """

    default_hint = "Nothing is wrong with the desktop; look at the host's path"

    def __init__(self, path: str, /, reason: str, **facts: Unpack[Facts]) -> None:
        super().__init__(f"{shown(path)} on the host: {reason}", **facts)
        self.host_path = path
        self.reason = reason


class UnsafeName(HostFileError):
    """A name in the desktop would lead out of the chosen host folder, or is none that the host can have."""

    default_hint = "Nothing was written there; rename it in the desktop, or download its neighbours one by one"


class WindowMissing(ToolError):
    """There is no such window, or there was none in time."""

    default_hint = "See what there is with apps.windows()"


class Unsupported(ToolError):
    """The server, the image or this installation lacks what the tool needs.

    Args:
        what: What is missing.
        hint: What to do about it.
        facts: As for every `DrumsError`.
    """

    default_hint = "Real desktops made from the image `desktop` have it"

    def __init__(self, what: str, **facts: Unpack[Facts]) -> None:
        super().__init__(what, **facts)
        self.what = what


def shown(path: str) -> str:
    """A path as one printable line, in quotes where it could be misread."""
    line = excerpt(path)
    return line if line == path and " " not in path else repr(line)

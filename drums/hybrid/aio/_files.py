"""Files of a desktop: read, write, list, move, and between host and desktop.

A path is a text, bytes or a `PurePosixPath`; relative ones and `~/…` begin at the home folder of the desktop's user.
"""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from drums.hybrid import _scripts as scripts
from drums.hybrid._chunks import LARGEST_IN_MEMORY
from drums.hybrid._facts import listed, told
from drums.hybrid._glob import glob_of
from drums.hybrid._host import Memory
from drums.hybrid._names import demand_range, folder_word, parent_of, path_word, shown, yes_no
from drums.hybrid._refusals import NO_FOLDER_FOR_TARGET, SEE_WORDS, TAKEN, refusal
from drums.hybrid.aio._content import Fetch, Meter, Write, fetch, join, store
from drums.hybrid.aio._folders import download, upload
from drums.hybrid.errors import FileError, FileMissing, NotAFolder

if TYPE_CHECKING:
    from collections.abc import Callable

    from drums.hybrid._facts import Listed
    from drums.hybrid._names import GuestPath
    from drums.hybrid.aio._desktop import Desktop
    from drums.hybrid.results import FileInfo, Transfer

Listing: TypeAlias = "list[FileInfo]"
Progress: TypeAlias = "Callable[[int, int], object]"
"""Called with the bytes that are done and those of the whole, again and again, from 0 to the end."""


class Files:
    """Files of one desktop, as its user may touch them; part of `Tools`."""

    def __init__(self, desktop: Desktop) -> None:
        self._desktop = desktop

    # --- content ------------------------------------------------------------------------------------------------------

    async def read_bytes(
        self,
        path: GuestPath,
        *,
        offset: int = 0,
        length: int | None = None,
        limit: int = LARGEST_IN_MEMORY,
        progress: Progress | None = None,
    ) -> bytes:
        """Read a file of the desktop, or a part of it.

        Args:
            path: The file.
            offset: Where to begin, in bytes.
            length: How many bytes at most; None: to the end.
            limit: Bytes; where there are more to read, it is an error.
            progress: Told how far it is.

        Raises:
            FileMissing: There is none.
            IsAFolder: It is a folder.
            FileDenied: The desktop's user may not read it.
            TransferBroken: It changed meanwhile.
            FileError: There is more than `limit`.
        """
        demand_range(offset, length)
        sink = Memory()
        what = Fetch(path, "files.read_bytes()", offset=offset, length=length, limit=limit)
        await fetch(self._desktop, sink, what, lambda total: Meter(progress, total))
        return sink.content()

    async def read_text(
        self,
        path: GuestPath,
        *,
        encoding: str = "utf-8",
        errors: str = "strict",
        limit: int = LARGEST_IN_MEMORY,
    ) -> str:
        """Read a text file of the desktop; line ends stay as they are.

        Args:
            path: The file.
            encoding: Of the text.
            errors: What to do with bytes that are no such text: `strict`, `replace`, …, as for `bytes.decode`.
            limit: Bytes; where there are more to read, it is an error.

        Raises:
            FileMissing: There is none.
            IsAFolder: It is a folder.
            FileDenied: The desktop's user may not read it.
            UnicodeDecodeError: It is no such text and `errors` is `strict`.
            FileError: There is more than `limit`.
        """
        return (await self.read_bytes(path, limit=limit)).decode(encoding, errors)

    async def write_bytes(
        self,
        path: GuestPath,
        data: bytes,
        *,
        mode: int | None = None,
        parents: bool = True,
        overwrite: bool = True,
        progress: Progress | None = None,
    ) -> FileInfo:
        """Make or replace a file of the desktop, all at once: others see the old file or the whole new one.

        Args:
            path: The file; where it is a link, what it points to is replaced.
            data: The content, of any size.
            mode: Permission bits, such as 0o755; None: those of the file that was there, else 0o644.
            parents: Whether to make the folders that are missing.
            overwrite: Whether to replace a file that is there.
            progress: Told how far it is.

        Returns:
            The file as it is now.

        Raises:
            FileMissing: The folder is not there and `parents` is false.
            FileTaken: There is a file already and `overwrite` is false.
            IsAFolder: There is a folder.
            FileDenied: The desktop's user may not write there.
            TransferBroken: What arrived is not what was sent; the old file is as it was.
        """
        write = Write(path, "files.write_bytes()", mode=mode, parents=parents, overwrite=overwrite)
        return await store(self._desktop, Memory(data), write, Meter(progress, len(data)))

    async def write_text(
        self,
        path: GuestPath,
        text: str,
        *,
        encoding: str = "utf-8",
        mode: int | None = None,
        parents: bool = True,
        overwrite: bool = True,
    ) -> FileInfo:
        """Make or replace a text file of the desktop, all at once; line ends stay as they are.

        Args:
            path: The file; where it is a link, what it points to is replaced.
            text: The content.
            encoding: Of the file.
            mode: Permission bits; None: those of the file that was there, else 0o644.
            parents: Whether to make the folders that are missing.
            overwrite: Whether to replace a file that is there.

        Returns:
            The file as it is now.

        Raises:
            FileError: As for `write_bytes`.
            UnicodeEncodeError: The encoding lacks a character.
        """
        data = text.encode(encoding)
        return await self.write_bytes(path, data, mode=mode, parents=parents, overwrite=overwrite)

    async def append(self, path: GuestPath, data: str | bytes) -> FileInfo:
        """Add to the end of a file of the desktop, which is made if it is missing.

        Args:
            path: The file.
            data: What to add; text as UTF-8.

        Returns:
            The file as it is now.

        Raises:
            FileMissing: The folder is not there.
            IsAFolder: It is a folder.
            FileDenied: The desktop's user may not write there.
        """
        content = data.encode() if isinstance(data, str) else bytes(data)
        return await join(self._desktop, content, Write(path, "files.append()", parents=False))

    # --- names --------------------------------------------------------------------------------------------------------

    async def list(self, path: GuestPath = "~", *, recursive: bool = False, limit: int = 10_000) -> Listing:
        """List a folder of the desktop, hidden names included, sorted by path.

        Args:
            path: The folder.
            recursive: Whether to list all folders below as well; links are not followed.
            limit: The most entries.

        Raises:
            FileMissing: There is none.
            NotAFolder: It is no folder.
            FileError: There is more in it than `limit`.
        """
        return (await self._listed(path, "files.list()", scripts.DEEPEST if recursive else 1, limit)).entries

    async def glob(self, pattern: str, *, limit: int = 10_000) -> Listing:
        """Find what matches a pattern in the desktop, sorted by path.

        Args:
            pattern: A path with `*` and `?` (not over `/`), `[abc]`, and `**` for any folders. A hidden name matches
                only a part that begins with a dot.
            limit: The most entries that are looked at.

        Raises:
            FileError: There is more to look at than `limit`.
        """
        found = glob_of(pattern)
        try:
            base = await self.stat(found.base, follow=found.depth > 0)
            if found.depth == 0 or base.kind != "folder":
                return [base] if found.depth == 0 else []
            inside = await self._listed(found.base, "files.glob()", found.depth, limit)
        except (FileMissing, NotAFolder):
            return []
        return [entry for entry in inside.entries if found.matches.fullmatch("/".join(inside.below(entry)))]

    async def stat(self, path: GuestPath, *, follow: bool = True) -> FileInfo:
        """Tell what is at a path of the desktop: kind, size, permissions, time, owner.

        Args:
            path: The file, folder or link.
            follow: Whether to tell of what a link points to, and not of the link.

        Raises:
            FileMissing: There is nothing.
        """
        how = "follow" if follow else "itself"
        return told(await self._about(path, "files.stat()", scripts.STAT, path_word(path), how))

    async def exists(self, path: GuestPath) -> bool:
        """Whether there is something at a path of the desktop; a link that points nowhere is something.

        Args:
            path: The file, folder or link.
        """
        return (await self._about(path, "files.exists()", scripts.EXISTS, path_word(path))).strip() == "yes"

    async def mkdir(self, path: GuestPath, *, parents: bool = True, exist_ok: bool = True) -> FileInfo:
        """Make a folder in the desktop.

        Args:
            path: The folder.
            parents: Whether to make the folders above it that are missing.
            exist_ok: Whether a folder that is there already is fine.

        Returns:
            The folder as it is now.

        Raises:
            FileTaken: There is something already.
            FileMissing: The folder above is not there and `parents` is false.
            FileDenied: The desktop's user may not make one there.
        """
        flags = (yes_no(parents), yes_no(exist_ok))
        return told(await self._about(path, "files.mkdir()", scripts.MKDIR, path_word(path), *flags))

    async def move(self, source: GuestPath, target: GuestPath, *, overwrite: bool = False) -> FileInfo:
        """Move or rename a file or folder in the desktop.

        Args:
            source: What to move.
            target: Its new path, not the folder to put it in.
            overwrite: Whether to replace a file that is there; a folder is never replaced.

        Returns:
            What was moved, where it is now.

        Raises:
            FileMissing: There is nothing to move, or no folder to move it to.
            FileTaken: There is something at the new path.
            FileDenied: The desktop's user may not do this.
        """
        return await self._both(source, target, "files.move()", scripts.MOVE, overwrite=overwrite)

    async def copy(self, source: GuestPath, target: GuestPath, *, overwrite: bool = False) -> FileInfo:
        """Copy a file, or a folder with all in it, in the desktop; permissions, times and links stay what they are.

        Args:
            source: What to copy.
            target: The copy's path, not the folder to put it in.
            overwrite: Whether to replace a file that is there; a folder is never replaced.

        Returns:
            The copy.

        Raises:
            FileMissing: There is nothing to copy, or no folder to copy it to.
            FileTaken: There is something at the copy's path.
            FileDenied: The desktop's user may not do this.
        """
        return await self._both(source, target, "files.copy()", scripts.COPY, overwrite=overwrite)

    async def remove(self, path: GuestPath, *, recursive: bool = False, missing_ok: bool = False) -> None:
        """Remove a file, a link or an empty folder of the desktop, or with `recursive` a folder with all in it.

        Args:
            path: What to remove; of a link, the link.
            recursive: Whether to remove what is in a folder as well.
            missing_ok: Whether nothing there is fine.

        Raises:
            FileMissing: There is nothing.
            IsAFolder: It is a folder with something in it and `recursive` is false.
            FileDenied: The desktop's user may not do this.
        """
        try:
            await self._about(path, "files.remove()", scripts.REMOVE, path_word(path), yes_no(recursive))
        except FileMissing:
            if not missing_ok:
                raise

    # --- host and desktop ---------------------------------------------------------------------------------------------

    async def upload(
        self, source: str | Path, target: GuestPath, *, overwrite: bool = True, progress: Progress | None = None
    ) -> Transfer:
        """Copy a file or folder of this host into the desktop.

        Links on the host are left out, so that nothing from elsewhere on the host goes along.

        Args:
            source: The file or folder on this host.
            target: Its path in the desktop, not the folder to put it in. A folder that is there gets what is missing.
            overwrite: Whether to replace files that are there.
            progress: Told how far it is, over all files.

        Raises:
            HostFileError: The host's file can't be read.
            FileError: The desktop can't write it.
        """
        return await upload(self._desktop, Path(source), target, overwrite=overwrite, progress=progress)

    async def download(
        self, source: GuestPath, target: str | Path, *, overwrite: bool = True, progress: Progress | None = None
    ) -> Transfer:
        """Copy a file or folder of the desktop to this host.

        Nothing is ever written outside `target`, whatever names the desktop has; links in the desktop are left out.

        Args:
            source: The file or folder in the desktop.
            target: Its path on this host, not the folder to put it in. A folder that is there gets what is missing.
            overwrite: Whether to replace files that are there.
            progress: Told how far it is, over all files.

        Raises:
            FileMissing: There is nothing in the desktop.
            UnsafeName: A name would lead out of `target`, or is none that this host can have.
            HostFileError: The host's file can't be written.
        """
        return await download(self._desktop, source, Path(target), overwrite=overwrite, progress=progress)

    # --- parts --------------------------------------------------------------------------------------------------------

    async def _about(self, path: GuestPath, tried: str, script: str, *arguments: str) -> str:
        return await self._desktop.about(shown(path), tried, script, *arguments)

    async def _listed(self, path: GuestPath, tried: str, depth: int, limit: int) -> Listed:
        found = listed(
            await self._about(path, tried, scripts.LIST, path_word(path), str(depth), str(scripts.LIST_BYTES))
        )
        if found.cut or len(found.entries) > limit:
            at_least = f"it holds more than {min(limit, len(found.entries))} entries"
            hint = "Raise limit, or list its folders one by one"
            raise FileError(shown(path), at_least, tried=self._desktop.tried(tried), hint=hint)
        return found

    async def _both(
        self, source: GuestPath, target: GuestPath, tried: str, script: str, *, overwrite: bool
    ) -> FileInfo:
        """Run a script about two paths; its error is about the one that is to blame."""
        words = (path_word(source), path_word(target), folder_word(target), yes_no(overwrite), secrets.token_hex(8))
        ran = await self._desktop.script(script, *words)
        if ran.status == 0:
            return told(ran.output)
        said = self._desktop.tried(tried)
        if ran.status == NO_FOLDER_FOR_TARGET:
            raise FileMissing(parent_of(shown(target)), tried=said)
        at_target = ran.status == TAKEN or (ran.status == SEE_WORDS and not ran.complaint)
        raise refusal(shown(target) if at_target else shown(source), ran.status, ran.complaint, said)

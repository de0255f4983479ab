"""Resolves paths: relative ones start at the workdir, and files are written only below it."""

from __future__ import annotations

import difflib
import os
import stat

from .text import ToolError, is_binary

FILE_LIMIT = 64 * 1024 * 1024


class Workspace:
    """The directory that an agent works on."""

    def __init__(self, workdir: str) -> None:
        self.root = os.path.realpath(workdir)

    def locate(self, path: str) -> str:
        """The absolute path. Anything in the container may be read."""
        if "\0" in path:
            raise ToolError("the path holds a zero byte")
        return os.path.normpath(os.path.join(self.root, path)) if path else self.root

    def locate_writable(self, path: str) -> str:
        """The absolute path of something below the workdir; links on the way are followed, the last name is not.

        Raises ToolError when the path is the workdir or leads out of it.
        """
        located = self.locate(path)
        parent, name = os.path.split(located)
        real = os.path.join(os.path.realpath(parent), name)
        if not real.startswith(self.root.rstrip("/") + "/"):
            raise ToolError(
                f"{path!r} is not below {self.root}: file tools write there only. "
                "For anything else use run_terminal_cmd."
            )
        return real

    def locate_content(self, path: str) -> str:
        """Like `locate_writable`, for writing into a file: if it is a link, its target has to be below, too."""
        real = self.locate_writable(path)
        if os.path.islink(real):
            self.locate_writable(os.path.realpath(real))
        return real

    def name(self, located: str) -> str:
        """How a path is shown: relative to the workdir when it is below it."""
        if located == self.root:
            return "."
        prefix = self.root.rstrip("/") + "/"
        return located[len(prefix) :] if located.startswith(prefix) else located

    def read(self, path: str) -> bytes:
        """The bytes of a regular text file. Raises ToolError for anything else and for none."""
        located, size = self.locate_file(path)
        if size > FILE_LIMIT:
            raise ToolError(
                f"{path!r} has {size:,} bytes, more than is read at once ({FILE_LIMIT:,}): read_file shows a part of "
                "it with offset and limit; for anything else use run_terminal_cmd with head, tail, sed or grep"
            )
        with open(located, "rb") as file:
            data = file.read(FILE_LIMIT)
        refuse_binary(path, data, size)
        return data

    def locate_file(self, path: str) -> tuple[str, int]:
        """The absolute path of a regular file, and its size. Raises ToolError for anything else and for none."""
        located = self.locate(path)
        try:
            kind = os.stat(located)
        except FileNotFoundError:
            raise ToolError(f"there is no file {path!r}{self._hint(located)}") from None
        if stat.S_ISDIR(kind.st_mode):
            raise ToolError(f"{path!r} is a directory; list_dir shows what is in it")
        if not stat.S_ISREG(kind.st_mode):
            raise ToolError(f"{path!r} is not a regular file")
        return located, kind.st_size

    def _hint(self, located: str) -> str:
        parent, name = os.path.split(located)
        try:
            names = os.listdir(parent)
        except OSError:
            return f": there is no directory {self.name(parent)!r} either"
        close = difflib.get_close_matches(name, names[:2000], 3, 0.6)
        return "; did you mean {}?".format(" or ".join(map(repr, close))) if close else ""


def refuse_binary(path: str, beginning: bytes, size: int) -> None:
    """Raises ToolError for a file that begins so and is no text in UTF-8 or an encoding like it."""
    if not is_binary(beginning):
        return
    if beginning[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise ToolError(
            f"{path!r} is text in UTF-16, which file tools do not take; see it with run_terminal_cmd and "
            "iconv -f UTF-16 -t UTF-8"
        )
    raise ToolError(f"{path!r} is a binary file of {size:,} bytes; it has no text to work on")

"""Where paths lead: relative ones start at the workdir, and files are written only below it."""

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
        """The bytes of a regular text file. Raises ToolError for whatever else is there, or is not."""
        located = self.locate(path)
        try:
            kind = os.stat(located)
        except FileNotFoundError:
            raise ToolError(f"there is no file {path!r}{self._hint(located)}") from None
        if stat.S_ISDIR(kind.st_mode):
            raise ToolError(f"{path!r} is a directory; list_dir shows what is in it")
        if not stat.S_ISREG(kind.st_mode):
            raise ToolError(f"{path!r} is not a regular file")
        if kind.st_size > FILE_LIMIT:
            raise ToolError(
                f"{path!r} has {kind.st_size:,} bytes, more than this tool reads ({FILE_LIMIT:,}); "
                "use run_terminal_cmd with head, tail or sed"
            )
        with open(located, "rb") as file:
            data = file.read(FILE_LIMIT)
        if is_binary(data):
            raise ToolError(f"{path!r} is a binary file of {len(data):,} bytes; it has no text to work on")
        return data

    def _hint(self, located: str) -> str:
        parent, name = os.path.split(located)
        try:
            names = os.listdir(parent)
        except OSError:
            return f": there is no directory {self.name(parent)!r} either"
        close = difflib.get_close_matches(name, names[:2000], 3, 0.6)
        return "; did you mean {}?".format(" or ".join(map(repr, close))) if close else ""

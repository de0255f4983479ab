"""Reads requests, runs tools, writes replies. A bad request gets a reply and never ends the server."""

from __future__ import annotations

import argparse
import importlib
import json
import os
import signal
import sys
import time
from collections import deque
from typing import Any, Callable

from . import diagram, edit, files, kernel, notebook, protocol, search
from .loop import Loop
from .page_cache import forget
from .snapshot import Snapshot
from .terminal import DEFAULT_SECONDS, MAX_SECONDS, Terminal
from .text import ToolError, presentable
from .workspace import Workspace

READING: dict[str, Callable[..., str]] = {
    "read_file": files.read_file,
    "list_dir": files.list_dir,
    "codebase_search": search.codebase_search,
    "grep_search": search.grep_search,
    "file_search": search.file_search,
    "web_search": search.web_search,
    "list_directory": files.list_dir,
    "search_code": search.search_code,
}
WRITING: dict[str, Callable[..., str]] = {
    "edit_file": edit.edit_file,
    "search_replace": edit.search_replace,
    "write_file": edit.write_file,
    "delete_file": edit.delete_file,
    "create_directory": edit.create_directory,
    "edit_notebook": notebook.edit_notebook,
    "create_diagram": diagram.create_diagram,
    "str_replace": edit.search_replace,
}
TOOLS = {**READING, **WRITING}
TOOL_SECONDS = 60.0
# Python loads these when they are first needed: encodings of source files, and what warnings need.
_AT_FIRST_USE = (
    "linecache",
    "traceback",
    "unicodedata",
    "warnings",
    *(
        f"encodings.{name}"
        for name in ("ascii", "cp1252", "idna", "iso8859_15", "latin_1", "raw_unicode_escape")
    ),
    *(
        f"encodings.{name}"
        for name in ("euc_jp", "gbk", "koi8_r", "shift_jis", "utf_16", "utf_32", "utf_8_sig")
    ),
)


class Server:
    """One workspace, its commands, and the stream of requests. With a `key`, every reply carries its mark."""

    def __init__(self, workdir: str, requests: int, replies: int, key: bytes = b"") -> None:
        self._key = key
        self._loop = Loop()
        self._workspace = Workspace(workdir)
        self._terminal = Terminal(self._loop, self._workspace.root)
        self._replies = replies
        self._pending: deque[bytes] = deque()
        self._partial = bytearray()
        self._snapshot = Snapshot(self._workspace.root)
        self._unseen = False
        self._loop.watch(requests, self._receive)

    def serve(self) -> None:
        """Replies to requests until the input ends, then kills every command that is left."""
        self._send(
            {
                "ready": True,
                "protocol": protocol.VERSION,
                "python": sys.version.split()[0],
                "pid": os.getpid(),
            }
        )
        try:
            while True:
                while self._pending:
                    self._send(self.reply_to(self._pending.popleft()))
                if self._loop.closed:
                    return
                self._terminal.prepare()
                self._loop.pump(None)
        except BrokenPipeError:
            pass  # the host has gone
        finally:
            self._terminal.close()

    def reply_to(self, line: bytes) -> dict[str, Any]:
        """The reply to one line of input, valid or not."""
        started = time.monotonic()
        request: dict[str, Any] = {}
        try:
            parsed = json.loads(line)
            if not isinstance(parsed, dict):
                raise ToolError("a request is a JSON object")
            request = parsed
            content, ok = self._run(request), True
        except ToolError as error:
            content, ok = str(error), False
        except ValueError as error:
            content, ok = f"not understood: {error}", False
        except OSError as error:
            content, ok = f"{error.strerror or error}: {error.filename or ''}".rstrip(": "), False
        except Exception as error:
            content, ok = f"the tool failed: {type(error).__name__}: {error}", False
        seconds = time.monotonic() - started
        return {
            "id": request.get("id"),
            "ok": ok,
            "content": presentable(content),
            "seconds": seconds,
            "edits": self._edits(str(request.get("tool"))),
        }

    def _edits(self, tool: str) -> list[dict[str, Any]]:
        """What changed since the previous call. After a tool that only reads, there is no scan, unless a command
        may have run since."""
        look = self._unseen or self._terminal.busy or tool not in (*READING, protocol.WHOLE_FILE)
        self._unseen = self._terminal.busy
        return self._snapshot.changes() if look else []

    def _run(self, request: dict[str, Any]) -> str:
        tool, arguments = str(request.get("tool")), dict(request.get("arguments") or {})
        arguments.pop("explanation", None)
        seconds = float(request.get("timeout") or MAX_SECONDS)
        if tool == protocol.LOOK:
            return ""
        if tool == protocol.WHOLE_FILE:
            return files.whole_file(self._workspace, **arguments)
        if tool == protocol.RESTORE:
            return edit.restore(self._workspace, **arguments)
        if tool == "run_terminal_cmd":
            return self._run_command(arguments, seconds)
        if tool not in TOOLS:
            names = ", ".join([*TOOLS, "run_terminal_cmd"])
            raise ToolError(f"there is no tool {tool!r}; there are: {names}")
        with _Alarm(min(seconds, TOOL_SECONDS)):
            return TOOLS[tool](self._workspace, **arguments)

    def _run_command(self, arguments: dict[str, Any], ceiling: float) -> str:
        """The host has checked that there is either a command or a handle (`RunTerminalCmd`)."""
        handle, wanted = arguments.get("handle"), arguments.get("timeout")
        if handle is not None:
            if arguments.get("stop"):
                return self._terminal.stop(str(handle))
            return self._terminal.look(str(handle), min(float(wanted or 0), ceiling, MAX_SECONDS))
        command, apart = str(arguments["command"]), bool(arguments.get("separate_streams"))
        if arguments.get("background"):
            return self._terminal.start(command, apart)
        seconds = min(float(wanted or DEFAULT_SECONDS), ceiling, MAX_SECONDS)
        return self._terminal.run(command, seconds, apart)

    def _receive(self, data: bytes) -> None:
        if not data:
            self._loop.closed = True
            return
        self._partial += data
        if b"\n" in data:
            *lines, rest = bytes(self._partial).split(b"\n")
            self._partial = bytearray(rest)
            self._pending.extend(line for line in lines if line.strip())

    def _send(self, reply: dict[str, Any]) -> None:
        line = memoryview(protocol.sealed(json.dumps(reply).encode(), self._key) + b"\n")
        while line:
            line = line[os.write(self._replies, line) :]


class _Alarm:
    """Ends a tool that takes too long (a slow regular expression, a huge tree) with a ToolError."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds

    def __enter__(self) -> None:
        signal.signal(signal.SIGALRM, self._ring)
        signal.setitimer(signal.ITIMER_REAL, self._seconds)

    def __exit__(self, *_: object) -> None:
        signal.setitimer(signal.ITIMER_REAL, 0)

    def _ring(self, *_: object) -> None:
        raise ToolError(f"stopped after {self._seconds:g} s; narrow the call")


def main() -> None:
    """Serves on the standard streams, and hides them from child processes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--workdir", required=True)
    parser.add_argument(
        "--sealed", action="store_true", help="the first line of the input is the key for marks"
    )
    parser.add_argument(
        "--forget", action="store_true", help="first, take all files out of the kernel's cache"
    )
    options = parser.parse_args()
    requests, replies = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing, 1)
    kernel.adopt_orphans()
    kernel.set_inspectable(False)
    key = protocol.read_key(requests) if options.sealed else b""
    if options.forget:
        forget("/")
    end_imports()
    Server(options.workdir, requests, replies, key).serve()


def end_imports() -> None:
    """Imports what may be needed later, and then ends all imports.

    An agent that is root can replace files of the standard library: after this, none of them is loaded any more.
    """
    for name in _AT_FIRST_USE:
        try:
            importlib.import_module(name)
        except ImportError:  # a Python that was built without it
            continue
    sys.meta_path.clear()
    sys.path_hooks.clear()
    sys.path_importer_cache.clear()
    sys.path.clear()

"""What the host and the tool server agree on. Read by both, so it imports little.

An agent may be root in its container and may write to the server's standard streams. The host therefore sends a key
before any agent starts, and each reply begins with a mark that only this key makes.
"""

from __future__ import annotations

import hashlib
import os

VERSION = 1
# No tool of an agent: the harness asks what has changed when something other than the server may have changed it.
LOOK = "look_around"
# No tool of an agent either: the text of a file as it is, for tools that run on the host.
WHOLE_FILE = "whole_file"
# Nor is this one: it writes the files of an earlier workspace of the same run.
RESTORE = "restore_files"
MARK_BYTES = 16
# An argument that the harness adds to calls of some tools, and how the results of those calls begin that it refuses.
REJECT_SYNTAX_ERRORS = "reject_syntax_errors"
CHECKED_TOOLS = ("edit_file", "search_replace", "str_replace", "write_file")
SYNTAX_REFUSAL = "nothing was written: this would add a syntax error"


def sealed(line: bytes, key: bytes) -> bytes:
    """The mark in hexadecimal digits, a blank and `line`; `line` alone without a key."""
    if not key:
        return line
    return hashlib.blake2b(line, key=key, digest_size=MARK_BYTES).hexdigest().encode() + b" " + line


def read_key(fd: int) -> bytes:
    """The key: the first line, in hexadecimal digits. Reads nothing after its newline."""
    line = b""
    while not line.endswith(b"\n"):
        byte = os.read(fd, 1)
        if not byte:
            break
        line += byte
    return bytes.fromhex(line.decode("ascii"))

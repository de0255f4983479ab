"""What keeps the server's word its own, beside an agent that is root in the same container.

The first process of the container holds the same standard streams, and whoever is root there can open them: a reply
could be forged. So the host sends a key before anybody acts, and every reply carries a mark that only this process can
make. Its memory cannot be read by others (see `kernel.set_inspectable`), and no code enters it later: once all modules
are loaded, there is no import any more, so that replacing a file of the standard library changes nothing here.
"""

from __future__ import annotations

import hashlib
import importlib
import os
import sys

MARK_BYTES = 16
# What is otherwise loaded at first use: encodings that sources are written in, and what warnings need.
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


def sealed(line: bytes, key: bytes) -> bytes:
    """`line` behind its mark in hexadecimal digits and a blank; `line` itself when there is no key."""
    if not key:
        return line
    return hashlib.blake2b(line, key=key, digest_size=MARK_BYTES).hexdigest().encode() + b" " + line


def read_key(fd: int) -> bytes:
    """The key: the first line that comes, in hexadecimal digits. Nothing behind its newline is taken."""
    line = b""
    while not line.endswith(b"\n"):
        byte = os.read(fd, 1)
        if not byte:
            break
        line += byte
    return bytes.fromhex(line.decode("ascii"))


def end_imports() -> None:
    """Loads what may be needed later, and nothing after that."""
    for name in _AT_FIRST_USE:
        try:
            importlib.import_module(name)
        except ImportError:  # a Python that was built without it
            continue
    sys.meta_path.clear()
    sys.path_hooks.clear()
    sys.path_importer_cache.clear()
    sys.path.clear()

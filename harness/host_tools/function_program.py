"""The program that `harness.host_tools.functions_of_files` starts: one operation of `listing`, as JSON in and out."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping

from harness.functions import (
    FunctionNotFound,
    InvalidReplacement,
    UnreadableSource,
    contents,
    find,
    source_of,
)
from harness.host_tools.listing import listed, shown, with_source


def compared(path: str, text: str) -> str:
    """The digests of a file's functions, as JSON: [[name, occurrence, digest], ...]."""
    return json.dumps([[*key, digest] for key, digest in contents(path, text).items()])


def source(path: str, text: str, name: str, occurrence: int) -> str:
    """The lines of one function."""
    return source_of(text, find(path, text, name, occurrence))


OPERATIONS: Mapping[str, Callable[..., str]] = {
    "listed": listed,
    "shown": shown,
    "with_source": with_source,
    "compared": compared,
    "source": source,
}


def main() -> None:
    """Reads one request, writes one reply. Whatever else happens ends the program with an error."""
    request = json.loads(sys.stdin.buffer.read())
    try:
        reply = {"ok": True, "text": OPERATIONS[request["operation"]](*request["arguments"])}
    except (FunctionNotFound, InvalidReplacement, UnreadableSource) as error:
        reply = {"ok": False, "text": str(error)}
    sys.stdout.buffer.write(json.dumps(reply).encode())


if __name__ == "__main__":
    main()

"""The program that `harness.host_tools.functions_of_files` starts: one operation of `listing`, as JSON in and out."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping

from harness.functions import (
    FunctionNotFound,
    InvalidReplacement,
    UnreadableSource,
    body_tokens,
    contents,
    find,
    source_of,
    without_body,
)
from harness.functions.code_similarity import code_similarity
from harness.host_tools.listing import listed, shown, with_source


def compared(path: str, text: str) -> str:
    """The digests of a file's functions, as JSON: [[name, occurrence, digest], ...]."""
    return json.dumps([[*key, digest] for key, digest in contents(path, text).items()])


def source(path: str, text: str, name: str, occurrence: int) -> str:
    """The lines of one function."""
    return source_of(text, find(path, text, name, occurrence))


def stub(path: str, text: str, name: str, occurrence: int) -> str:
    """The lines of one function without its body."""
    less = without_body(path, text, find(path, text, name, occurrence))
    return source_of(less, find(path, less, name, occurrence))


def likeness(path: str, text: str, name: str, occurrence: int, code: str) -> str:
    """The members of `functions_of_files.Likeness`, as JSON."""
    after = with_source(path, text, name, occurrence, code)
    old, new = (body_tokens(path, one, find(path, one, name, occurrence)) for one in (text, after))
    equal = contents(path, text) == contents(path, after)
    return json.dumps({"similarity": code_similarity(old, new), "equal": equal, "tokens": len(old)})


OPERATIONS: Mapping[str, Callable[..., str]] = {
    "listed": listed,
    "shown": shown,
    "with_source": with_source,
    "compared": compared,
    "source": source,
    "stub": stub,
    "likeness": likeness,
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

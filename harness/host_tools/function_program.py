"""The program that `harness.host_tools.functions_of_files` starts: one operation of `listing`, as JSON in and out."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping

from harness.functions import FunctionNotFound, InvalidReplacement, UnreadableSource
from harness.host_tools.listing import listed, shown, with_source

OPERATIONS: Mapping[str, Callable[..., str]] = {"listed": listed, "shown": shown, "with_source": with_source}


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

"""A trajectory as one ATIF document, written while it is read.

Our records have a header and one ATIF step object on each line. The document is one object with `steps` and
`final_metrics`. In both, data without a field in ATIF are under `extra`.
"""

from __future__ import annotations

import json
import math
from collections.abc import Generator, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from harness.records import ATIF_VERSION, TRAJECTORY
from runs.models import Run
from runs.transfer.run_archive import opened

_CHUNK = 64 * 1024


def document(run: Run) -> Generator[bytes]:
    """The document in UTF-8, with several steps in each chunk. Lines that are not objects are left out."""
    found = _entries(run.path / TRAJECTORY)
    head = {"schema_version": ATIF_VERSION, "session_id": run.key, "agent": _agent(run), **next(found, {})}
    head.pop("steps", None)
    yield _written(head)[:-1] + b',"steps":['
    held: list[bytes] = []
    size = number = 0
    for number, entry in enumerate(found, 1):
        held.append((b"," if number > 1 else b"") + b"\n" + _written(entry))
        size += len(held[-1])
        if size > _CHUNK:
            yield b"".join(held)
            held, size = [], 0
    yield b"".join(held) + b'\n],"final_metrics":' + _written(_totals(run, number)) + b"}\n"


def _agent(run: Run) -> dict[str, Any]:
    """For a record without a header."""
    return {"name": run.agent.slug, "version": "1"}


def _totals(run: Run, steps: int) -> dict[str, Any]:
    """Tokens and cost of all steps together. Unknown values are left out."""
    totals: dict[str, Any] = {
        "total_prompt_tokens": run.prompt_tokens,
        "total_completion_tokens": run.completion_tokens,
        "total_cached_tokens": run.cached_tokens,
        "total_cost_usd": run.cost_usd,
        "total_steps": steps,
    }
    unknown = {f"total_{name}" for name in run.odd.split()}
    known = {name: value for name, value in totals.items() if value is not None and name not in unknown}
    return known if run.user_turns is None else {**known, "extra": {"user": _user(run)}}


def _user(run: Run) -> dict[str, Any]:
    """Of the simulated user, whose tokens and cost are in no other total."""
    values = {
        "turns": run.user_turns,
        "ending": run.user_ending or None,
        "prompt_tokens": run.user_prompt_tokens,
        "completion_tokens": run.user_completion_tokens,
        "cost_usd": run.user_cost_usd,
    }
    return {name: value for name, value in values.items() if value is not None}


def _written(value: object) -> bytes:
    return json.dumps(sendable(value), ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()


def sendable(value: Any) -> Any:
    """The value with null for numbers that JSON does not have, and without lone surrogates."""
    if isinstance(value, str):
        return value if value.isascii() else value.encode("utf-8", "replace").decode()
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {sendable(name): sendable(each) for name, each in value.items()}
    if isinstance(value, list):
        return [sendable(each) for each in value]
    return value


def _entries(path: Path) -> Iterator[dict[str, Any]]:
    """Every complete line that is an object. A last line without a newline is being written, or was cut off."""
    with suppress(OSError), opened(path) as file:
        for line in file:
            if not line.endswith(b"\n"):
                return
            with suppress(ValueError, RecursionError):
                entry = json.loads(line.decode("utf-8", "replace"))
                if isinstance(entry, dict):
                    yield entry

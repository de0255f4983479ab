"""The steps of samples that our own logs of Inspect have: each message says what Inspect has no field for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from runs.intake.reported.report_document import pick, pick_list
from runs.intake.reported.reported_result import ResultsRefused
from runs.intake.reported.step_readers.atif_steps import atif_step
from runs.intake.reported.step_readers.step_builder import whole
from runs.intake.reported.trajectory import MAX_STEPS, ReadStep

OURS = "benchbench"  # the key in the metadata of samples and messages
_ROLES = {"system": "system", "user": "user", "assistant": "agent"}
_MAX_RESULTS = 10_000  # of one step
_PASSED = "passed"
_TEXTS = ("ending", "detail", "repository")


def is_own(message: Any) -> bool:
    """Whether the first message of a sample is one of our own logs."""
    return isinstance(pick(message, "metadata", OURS, "extra", "edits"), list)


def own_values(extra: Mapping[str, Any]) -> dict[str, Any]:
    """What Inspect has no field for of a result: columns of the table of results."""
    named = extra.get("tests")
    tests = named.items() if isinstance(named, dict) else ()
    values = {
        **{name: extra[name] for name in _TEXTS if isinstance(extra.get(name), str)},
        "tests_total": whole(extra.get("tests_total")),
        "tests_passed": whole(extra.get("tests_passed")),
        "passed_tests": [name for name, status in tests if status == _PASSED],
        "failed_tests": [name for name, status in tests if status != _PASSED],
    }
    return {name: value for name, value in values.items() if value not in (None, [])}


def own_steps(messages: Iterable[Any], place: str) -> Iterator[ReadStep]:
    """The steps of a sample of which the first message `is_own`. Raises ResultsRefused."""
    number = 0
    entry: dict[str, Any] = {}
    for position, message in enumerate(messages, 1):
        where = f"{place}, message {position}"
        role = pick(message, "role")
        if not isinstance(role, str) or role not in {*_ROLES, "tool"}:
            raise ResultsRefused(where, "it has no role of Inspect")
        if role != "tool":
            if number:
                yield atif_step(entry, number, f"{place}, step {number}")
            number += 1
            if number > MAX_STEPS:
                raise ResultsRefused(place, f"it has more than {MAX_STEPS:,} steps")
            entry = _entry(message, _ROLES[role], where)
        elif not number or len(entry["observation"]["results"]) >= _MAX_RESULTS:
            raise ResultsRefused(where, "it is the result of no call")
        else:
            result = {"source_call_id": message.get("tool_call_id"), "content": message.get("content")}
            entry["observation"]["results"].append(result)
    if number:
        yield atif_step(entry, number, f"{place}, step {number}")


def _entry(message: Mapping[str, Any], source: str, where: str) -> dict[str, Any]:
    """The ATIF object of a message, without the results of its calls."""
    own = pick(message, "metadata", OURS)
    if not isinstance(own, dict):
        raise ResultsRefused(where, f"its metadata lacks {OURS!r}")
    text, reasoning = _texts(message.get("content"))
    return {
        **{name: own[name] for name in ("timestamp", "metrics", "extra") if name in own},
        "source": source,
        "message": text,
        "reasoning_content": reasoning,
        "tool_calls": [
            {
                "tool_call_id": pick(call, "id"),
                "function_name": pick(call, "function"),
                "arguments": pick(call, "arguments"),
            }
            for call in pick_list(message, "tool_calls")
        ],
        "observation": {"results": []},
    }


def _texts(content: Any) -> tuple[Any, str]:
    """Text and reasoning of a message."""
    if not isinstance(content, list):
        return content, ""
    parts = [part for part in content if isinstance(part, dict)]
    reasoning = [part["reasoning"] for part in parts if isinstance(part.get("reasoning"), str)]
    return [part for part in parts if part.get("type") != "reasoning"], "\n\n".join(reasoning)

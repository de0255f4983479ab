"""The verifiers that search texts: the agent's messages and calls, the files at the end, the names of new files."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from harness.dataset.verifier_kinds import (
    ChatOrToolRegexp,
    ChatRegexp,
    NewFileRegexp,
    Occurrences,
    SourceRegexp,
)
from harness.grading.verifiers.final_state import FinalState
from harness.grading.verifiers.findings import Finding, counted, expectation, named, shown_text
from harness.records import Step
from harness.sandbox.base import Interrupt
from harness.searching.search import Matches, SearchStopped, count_matches

Texts = Sequence[tuple[str, str]]


def check_chat(
    verifier: ChatRegexp | ChatOrToolRegexp,
    steps: Iterable[Step],
    *,
    seconds: float,
    interrupt: Interrupt | None = None,
) -> Finding:
    """The pattern occurs in the agent's messages; in its calls and their results too, if the kind says so.

    Each message, call and result is searched by itself. Reasoning is not searched.
    """
    with_tools = isinstance(verifier, ChatOrToolRegexp)
    texts = list(_agents_texts(steps, with_tools=with_tools))
    return _search(verifier.wanted, texts, seconds=seconds, interrupt=interrupt)


def check_source(
    verifier: SourceRegexp, state: FinalState, *, seconds: float, interrupt: Interrupt | None = None
) -> Finding:
    """The pattern occurs in the files that match the verifier's path."""
    texts = [
        (file.path, (file.content or b"").decode("utf-8", "replace")) for file in state.files([verifier.path])
    ]
    if not texts:
        return Finding(False, f"no file matches {verifier.path}")
    return _search(
        verifier.wanted,
        texts,
        uncommented=verifier.uncommented_only,
        seconds=seconds,
        interrupt=interrupt,
    )


def check_new_file(
    verifier: NewFileRegexp, state: FinalState, *, seconds: float, interrupt: Interrupt | None = None
) -> Finding:
    """A new file has a path that matches the pattern as a whole."""
    added = state.added
    try:
        found = count_matches(
            verifier.pattern,
            [(path, path) for path in added],
            whole=True,
            seconds=seconds,
            interrupt=interrupt,
        )
    except SearchStopped as stopped:
        return Finding(False, str(stopped))
    if found.first is None:
        others = f": {named(added)}" if added else ""
        return Finding(False, f"none of {counted(len(added), 'new file')} has a path that matches{others}")
    return Finding(True, f"{shown_text(found.first[0])} is new")


def check_text(
    wanted: Occurrences, name: str, text: str, *, seconds: float, interrupt: Interrupt | None = None
) -> Finding:
    """The pattern occurs in one text of this name."""
    return _search(wanted, [(name, text)], seconds=seconds, interrupt=interrupt)


def _search(
    wanted: Occurrences,
    texts: Texts,
    *,
    uncommented: bool = False,
    seconds: float,
    interrupt: Interrupt | None,
) -> Finding:
    try:
        found = count_matches(
            wanted.pattern, texts, uncommented=uncommented, seconds=seconds, interrupt=interrupt
        )
    except SearchStopped as stopped:
        return Finding(False, str(stopped))
    return Finding(
        wanted.suffices(found.count), f"{counted(found.count, 'match')}, {expectation(wanted)}{_first(found)}"
    )


def _first(found: Matches) -> str:
    if found.first is None:
        return ""
    name, line, text = found.first
    return f"; first in {shown_text(name)}, line {line}: {shown_text(text)}"


def _agents_texts(steps: Iterable[Step], *, with_tools: bool) -> Iterator[tuple[str, str]]:
    for step in steps:
        if step.source != "agent":
            continue
        if step.message:
            yield f"step {step.step_id}", step.message
        if not with_tools:
            continue
        for call in step.calls:
            yield f"step {step.step_id}, call", "\n".join([call.name, *_written(call.arguments)])
        for result in step.results:
            yield f"step {step.step_id}, result", result.content


def _written(arguments: Mapping[str, Any]) -> Iterator[str]:
    """Each argument as `name: value`; texts as they are, other values as JSON."""
    for name, value in arguments.items():
        written = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
        yield f"{name}: {written}"

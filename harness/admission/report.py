"""The results of an admission, as Markdown and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from harness.admission.refusal import AdmissionRefused
from harness.dataset import Proof

FORMATS = (".md", ".json")
SCHEMA = 1
_NO_TRAPS = (
    "no traps: results that the code under test forges in the test runner are not detected; tools need tests that "
    "assert values or conditions, and a script that runs all tests after one has failed; else write traps/*.diff"
)


class Report:
    """The results of all tasks, in order."""

    def __init__(self) -> None:
        self._entries: list[tuple[str, Proof | AdmissionRefused]] = []
        self._notes: dict[str, str] = {}

    @property
    def all_admitted(self) -> bool:
        """Whether no task was refused."""
        return all(isinstance(found, Proof) for _, found in self._entries)

    def add(self, task: str, found: Proof | AdmissionRefused, note: str = "") -> None:
        """Adds the result of a task, and a sentence about its test framework if there is one."""
        self._entries.append((task, found))
        self._notes[task] = note

    def text(self, suffix: str) -> str:
        """The report in one of FORMATS."""
        if suffix == ".json":
            tasks = [{**_object(task, found), "note": self._notes[task]} for task, found in self._entries]
            return json.dumps({"schema_version": SCHEMA, "tasks": tasks}, indent=2) + "\n"
        return "\n".join(self._markdown()) + "\n"

    def _markdown(self) -> Iterator[str]:
        number = sum(isinstance(found, Proof) for _, found in self._entries)
        yield f"# Admission\n\n{number} of {len(self._entries)} tasks are admitted."
        for task, found in self._entries:
            yield f"\n## {task}\n"
            if isinstance(found, AdmissionRefused):
                yield f"- refused: {' '.join(found.reason.split())}"
                yield f"- null: {found.null or 'not run'}; oracle: {found.oracle or 'not run'}"
            else:
                yield f"- admitted, digest {found.digest[:16]}, {found.repeats} repeats"
                yield from (f"- {line}" for line in findings(found))
            if note := self._notes[task]:
                yield f"- {note}"
            if isinstance(found, AdmissionRefused):
                continue
            if found.strength:
                yield from _tests("vacuous", found.strength.vacuous)
                yield from _tests("static", found.strength.static)


def findings(proof: Proof) -> list[str]:
    """The results of null and oracle, the traps, and the strength of the tests, one line each."""
    lines = [f"null: {proof.null}; oracle: {proof.oracle}"] if proof.null and proof.oracle else []
    if proof.traps:
        lines.append(f"traps: {len(proof.traps.known)}")
    elif proof.null:
        lines.append(_NO_TRAPS)
    return lines + (proof.strength.sentences(len(proof.tests)) if proof.strength else [])


def _object(task: str, found: Proof | AdmissionRefused) -> dict[str, Any]:
    if isinstance(found, Proof):
        return {"task": task, "admitted": True, "reason": "", "proof": found.to_json()}
    tallies = {"null": found.null, "oracle": found.oracle}
    seen = {name: tally and asdict(tally) for name, tally in tallies.items()}
    return {"task": task, "admitted": False, "reason": found.reason, **seen}


def _tests(kind: str, tests: Sequence[str] | None) -> Iterator[str]:
    for test in tests or ():
        yield f"  - {kind}: `{test}`"

"""Writes admitted candidates as tasks of a dataset."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from harness.dataset import Category, Difficulty, Mode, Origin, Tree
from harness.dataset.generation import GENERATION, GENERATION_SCHEMA, START
from harness.patches import apply_patch, make_patch
from tasks.generation.corrupting.candidates import Candidate, Kind
from tasks.generation.corrupting.source_tree import PYTHON, rank

SHOWN_FAILURES = 3
# Code lines of a function, at most, for a task that is called easy, and medium.
EASY_LINES, MEDIUM_LINES = 10, 30
_ORIGINS = {
    Kind.REMOVE: Origin.REMOVED,
    Kind.CORRUPT: Origin.CORRUPTED,
    Kind.ADVERSARIAL: Origin.CORRUPTED,
    Kind.MULTI: Origin.MULTIPLE,
}
# What a screening measured that differs from run to run: in the candidate's file alone.
_TIMES = frozenset({"cpu_seconds", "seconds", "baseline_cpu_seconds"})
_NO_SLUG = re.compile(r"[^a-z0-9]+")


def task_slug(candidate: Candidate, canary: str) -> str:
    """The name of the task. Its digits depend on the hidden canary, so that no agent can compute the function."""
    digits = rank("task", candidate.key, canary)[:8]
    if candidate.kind is Kind.REMOVE:
        name = _NO_SLUG.sub("-", candidate.targets[0].name.lower()).strip("-")[:40].strip("-")
        return "-".join(filter(None, ("remove", name, digits)))
    number = f"-{len(candidate.targets)}" if len(candidate.targets) > 1 else ""
    return f"discover{number}-{digits}"


def write_task(
    tasks: Path,
    candidate: Candidate,
    source: Tree,
    *,
    canary: str,
    measures: Mapping[str, float],
    command: str = "",
    test_timeout: float = 300.0,
) -> Path:
    """Writes the task of a screened candidate into the directory `tasks`, at once; leaves one that is there already.

    `measures`: of the first target, by name. `command`: what made the candidate. Returns the task's directory.
    """
    directory = tasks / task_slug(candidate, canary)
    if directory.exists():
        return directory
    partial = tasks.parent / f".{directory.name}.partial"
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    tasks.mkdir(exist_ok=True)
    start, reference = _patches(candidate, source)
    comment = f"# {canary}\n".encode()
    (partial / "task.toml").write_text(_settings(candidate, directory.name, measures, test_timeout), "utf-8")
    (partial / "description.md").write_text(description(candidate), "utf-8")
    (partial / START).write_bytes(comment + start)
    (partial / "reference.diff").write_bytes(comment + reference)
    record = json.dumps(_record(candidate, canary, measures, command), ensure_ascii=False, indent=1)
    (partial / GENERATION).write_text(record + "\n", "utf-8")
    partial.rename(directory)
    return directory


def _patches(candidate: Candidate, source: Tree) -> tuple[bytes, bytes]:
    """The patch to the start, and the one back."""
    start = candidate.start.encode("utf-8")
    after = apply_patch(start, source.read)
    before = [state for one in after if (state := source.read(one.path)) is not None]
    return start, make_patch(after, before)


def _settings(candidate: Candidate, slug: str, measures: Mapping[str, float], test_timeout: float) -> str:
    is_remove = candidate.kind is Kind.REMOVE
    values = {
        "title": _title(candidate, slug),
        "category": Category.FEATURE if is_remove else Category.BUG,
        "difficulty": _difficulty(candidate, measures),
        "mode": Mode.REMOVE if is_remove else Mode.DISCOVERY,
    }
    lines = [f"{name} = {json.dumps(str(value), ensure_ascii=False)}" for name, value in values.items()]
    return "\n".join([*lines, f"test_timeout = {test_timeout:g}", ""])


def _title(candidate: Candidate, slug: str) -> str:
    if candidate.kind is Kind.REMOVE:
        target = candidate.targets[0]
        return f"Write {target.name} in {target.path}"
    faults = "the fault" if len(candidate.targets) == 1 else f"{len(candidate.targets)} faults"
    return f"Find {faults} ({slug.rpartition('-')[2]})"


def _difficulty(candidate: Candidate, measures: Mapping[str, float]) -> Difficulty:
    """By the code lines of the target; several faults are hard."""
    lines = measures.get("code_lines")
    if len(candidate.targets) > 1 or (lines is not None and lines > MEDIUM_LINES):
        return Difficulty.HARD
    return Difficulty.EASY if lines is not None and lines <= EASY_LINES else Difficulty.MEDIUM


def description(candidate: Candidate) -> str:
    """The agent's instructions. Only a task in mode remove names the function."""
    screening = candidate.screening or {}
    failures: Mapping[str, str] = screening.get("failures", {})
    chosen = sorted(sorted(failures, key=lambda test: rank(candidate.key, test))[:SHOWN_FAILURES])
    shown = "\n".join(f"- `{test}`: {_code(failures[test])}" for test in chosen)
    number = len(screening.get("failing", ()))
    if candidate.kind is Kind.REMOVE:
        target = candidate.targets[0]
        text = _REMOVE if target.path.endswith(PYTHON) else _REMOVE.replace(_DOCSTRING, "")
        return text.format(target=target, number=number, shown=shown)
    faults = len(candidate.targets)
    return (_DISCOVERY if faults == 1 else _SEVERAL).format(faults=faults, number=number, shown=shown)


def _code(text: str) -> str:
    """A text as code in Markdown."""
    return f"`` {text.replace('``', '` `')} ``"


_DOCSTRING = ", and so is its\ndocstring, if it had one"
_REMOVE = """\
The body of the function `{target.name}` in `{target.path}` was removed. Its signature is still there, and so is its
docstring, if it had one. Write the body, so that the function does what its callers and the tests expect.

Change this function only. A solution that changes other functions, or only works around this one, does not count.

{number} tests fail at present, for example:

{shown}
"""
_DISCOVERY = """\
There is a fault in one function of this repository, and {number} tests fail because of it. All tests passed before.
Some of them are:

{shown}

Find the function, and repair it there. A solution that makes the tests pass in another place does not count.
"""
_SEVERAL = """\
There are faults in {faults} functions of this repository, and {number} tests fail because of them. All tests passed
before. Some of them are:

{shown}

Find the functions, and repair each of them. A solution that makes the tests pass in another place does not count.
"""


def _record(candidate: Candidate, canary: str, measures: Mapping[str, float], command: str) -> dict[str, Any]:
    """The content of generation.json."""
    stored = candidate.to_json()
    several = {"targets": len(candidate.targets)} if len(candidate.targets) > 1 else {}
    record = {
        "schema_version": GENERATION_SCHEMA,
        "origin": _ORIGINS[candidate.kind],
        "targets": stored["targets"],
        "measures": {**measures, **several},
        "command": command,
        "seed": candidate.seed,
        "generator": candidate.generator,
        "kind": candidate.kind,
        "candidate": candidate.key,
        "parts": list(candidate.parts),
        "screening": {
            name: value for name, value in (candidate.screening or {}).items() if name not in _TIMES
        },
        "canary": canary,
    }
    return record if candidate.model is None else {**record, "model": candidate.model}

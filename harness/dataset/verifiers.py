"""Reads `verifiers.toml`: what is checked after the conversation of a workflow task."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from harness.dataset.globs import glob_problem
from harness.dataset.model import REPORT_NAMES
from harness.dataset.tables import Reporter, Table
from harness.dataset.verifier_kinds import (
    BuildTask,
    ChatOrToolRegexp,
    ChatRegexp,
    Coverage,
    ExactFiles,
    FilePair,
    Metric,
    NewFileRegexp,
    NoChanges,
    NoFileErrors,
    Occurrences,
    RunTests,
    SourceRegexp,
    Tool,
    Unit,
    Verifier,
    YesChanges,
    matches_empty_text,
    vacuous,
)
from harness.searching.search import SearchStopped

__all__ = ["Verifier", "read_verifiers"]

MAX_VERIFIERS = 50
MAX_NAME = 200
MAX_PATTERN = 1_000
MAX_COMMAND = 4_000
MAX_ITEMS = 200
MAX_EXPECTED = 10_000
_DEFAULT_REPORT = "coverage.xml"


def read_verifiers(reporter: Reporter, path: Path) -> tuple[Verifier, ...]:
    """The verifiers of the file, in order; reports each problem with file and field, also one that cannot fail."""
    table = Table(reporter, path)
    parts = table.array("verifiers")
    table.close()
    if len(parts) > MAX_VERIFIERS:
        table.problem("verifiers", f"has {len(parts)} tables; at most {MAX_VERIFIERS} are read")
        return ()
    found = tuple(verifier for part in parts if (verifier := _verifier(part)) is not None)
    for name, times in Counter(verifier.name for verifier in found).items():
        if times > 1:
            table.problem("verifiers", f"{times} have the name {name!r}; it is the id of the result")
    return found


def _verifier(table: Table) -> Verifier | None:
    """One verifier; None if it has a problem that leaves none."""
    name = table.text("name")
    if len(name) > MAX_NAME or not name.isprintable():
        table.problem("name", f"must be one line of at most {MAX_NAME} characters")
    kind = table.text("kind")
    if kind not in _READERS:
        if kind:
            table.problem("kind", f"must be one of {', '.join(_READERS)}; not {kind!r}")
        return None
    verifier = _READERS[kind](table, name)
    table.close()
    if verifier is not None and (reason := vacuous(verifier)):
        table.problem("", f"{name!r} cannot fail: {reason}")
    return verifier


def _no_changes(table: Table, name: str) -> Verifier:
    return NoChanges(
        name, _globs(table, "allowed", required=False), _globs(table, "forbidden", required=False)
    )


def _yes_changes(table: Table, name: str) -> Verifier:
    return YesChanges(name, _globs(table, "targets"))


def _exact_files(table: Table, name: str) -> Verifier:
    parts = table.array("pairs")
    if len(parts) > MAX_ITEMS:
        table.problem("pairs", f"has {len(parts)} tables; at most {MAX_ITEMS} are read")
        parts = ()
    pairs = tuple(_pair(part) for part in parts)
    for path, times in Counter(pair.path for pair in pairs).items():
        if times > 1:
            table.problem("pairs", f"{times} have the path {path!r}")
    return ExactFiles(
        name,
        pairs,
        _flag(table, "ignore_empty_lines"),
        _flag(table, "trim"),
        _flag(table, "others_unchanged", default=True),
    )


def _pair(table: Table) -> FilePair:
    path = table.text("path")
    reference = table.text("reference", path) or path
    for field, value in (("path", path), ("reference", reference)):
        if value and (value.endswith("/") or glob_problem(value)):
            table.problem(field, "must be a path from the top, without '.', '..' and empty parts")
            return FilePair(path, reference)
    tests = table.path.parent / "tests"
    if reference and not (tests / reference).is_file():
        table.problem("reference", f"there is no file tests/{reference} in the task's directory")
    table.close()
    return FilePair(path, reference)


def _chat_regexp(table: Table, name: str) -> Verifier | None:
    wanted = _wanted(table)
    return ChatRegexp(name, wanted) if wanted else None


def _chat_or_tool_regexp(table: Table, name: str) -> Verifier | None:
    wanted = _wanted(table)
    return ChatOrToolRegexp(name, wanted) if wanted else None


def _source_regexp(table: Table, name: str) -> Verifier | None:
    path = table.text("path")
    _check_globs(table, "path", [path])
    uncommented_only, wanted = _flag(table, "uncommented_only"), _wanted(table)
    return SourceRegexp(name, path, wanted, uncommented_only) if wanted else None


def _new_file_regexp(table: Table, name: str) -> Verifier | None:
    pattern = _pattern(table)
    return NewFileRegexp(name, pattern) if pattern else None


def _run_tests(table: Table, name: str) -> Verifier:
    command = _command(table) if "command" in table.values else ""
    if not command and not (table.path.parents[2] / "run_tests.sh").is_file():
        table.problem("command", "is missing: the repository has no run_tests.sh")
    table.known |= {"command", "report"}
    report = table.choice("report", REPORT_NAMES, "") if "report" in table.values else ""
    return RunTests(name, command, report)


def _coverage(table: Table, name: str) -> Verifier:
    command, report = _command(table), table.text("report", _DEFAULT_REPORT)
    _check_globs(table, "report", [report])
    target = table.text("target", "") if "target" in table.values else ""
    _check_globs(table, "target", [target])
    unit = table.member("unit", Unit) if "unit" in table.values else Unit.ALL
    if target and unit is Unit.ALL:
        table.problem("target", "names units, but `unit` is all: set it to package, class or file")
    metric = table.member("metric", Metric) if "metric" in table.values else Metric.LINE
    return Coverage(name, command, _percent(table), unit, metric, target, report)


def _build_task(table: Table, name: str) -> Verifier:
    command = _command(table)
    wanted = _wanted(table) if {"pattern", "expected", "strict"} & table.values.keys() else None
    table.known |= {"pattern", "expected", "strict"}
    return BuildTask(name, command, wanted)


def _no_file_errors(table: Table, name: str) -> Verifier:
    paths, tool = _globs(table, "paths"), table.member("tool", Tool)
    arguments = table.texts("arguments") if "arguments" in table.values else ()
    table.known.add("arguments")
    if sum(map(len, arguments)) > MAX_COMMAND:
        table.problem("arguments", f"may have at most {MAX_COMMAND} characters")
    sarif = tool is Tool.SARIF
    command = _command(table) if sarif else ""
    if not sarif and "command" in table.values:
        table.problem("command", "belongs to the tool sarif only; pass `arguments` to the others")
        table.known.add("command")
    return NoFileErrors(name, paths, tool, arguments, command, _flag(table, "include_warnings"))


def _wanted(table: Table) -> Occurrences | None:
    """The pattern and how often it has to occur; None if there is no valid pattern."""
    expected = table.get("expected", 1)
    if not isinstance(expected, int) or isinstance(expected, bool) or not 0 <= expected <= MAX_EXPECTED:
        table.problem("expected", f"must be a whole number from 0 to {MAX_EXPECTED}, not {expected!r}")
        expected = 1
    strict, pattern = _flag(table, "strict"), _pattern(table)
    return Occurrences(pattern, expected, strict) if pattern else None


def _pattern(table: Table) -> str:
    """A valid regular expression, else ''."""
    pattern = table.text("pattern")
    if len(pattern) > MAX_PATTERN:
        table.problem("pattern", f"may have at most {MAX_PATTERN} characters")
        return ""
    try:
        re.compile(pattern)
        matches_empty_text(pattern)
    except SearchStopped as stopped:
        table.problem("pattern", f"is too slow: on an empty text, {stopped}")
        return ""
    except (re.error, RecursionError, OverflowError) as error:
        table.problem("pattern", f"is no regular expression of Python: {error}")
        return ""
    return pattern


def _command(table: Table) -> str:
    command = table.text("command")
    if len(command) > MAX_COMMAND or "\0" in command:
        table.problem("command", f"may have at most {MAX_COMMAND} characters, and no NUL")
    return command


def _percent(table: Table) -> float:
    value = table.get("minimum", None)
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 100:
        return float(value)
    if value is not None:
        table.problem("minimum", f"must be a number of percent from 0 to 100, not {value!r}")
    return 100.0


def _flag(table: Table, field: str, *, default: bool = False) -> bool:
    value = table.get(field, default)
    if isinstance(value, bool):
        return value
    table.problem(field, f"must be true or false, not {value!r}")
    return default


def _globs(table: Table, field: str, *, required: bool = True) -> tuple[str, ...]:
    if not required and field not in table.values:
        table.known.add(field)
        return ()
    globs = table.texts(field)
    if len(globs) > MAX_ITEMS:
        table.problem(field, f"has {len(globs)} items; at most {MAX_ITEMS} are read")
        return ()
    _check_globs(table, field, globs)
    return globs


def _check_globs(table: Table, field: str, globs: Iterator[str] | tuple[str, ...] | list[str]) -> None:
    for glob in globs:
        if glob and (problem := glob_problem(glob)):
            table.problem(field, f"{glob!r} {problem}")


_READERS: Mapping[str, Callable[[Table, str], Verifier | None]] = {
    NoChanges.kind: _no_changes,
    YesChanges.kind: _yes_changes,
    ExactFiles.kind: _exact_files,
    ChatRegexp.kind: _chat_regexp,
    ChatOrToolRegexp.kind: _chat_or_tool_regexp,
    SourceRegexp.kind: _source_regexp,
    NewFileRegexp.kind: _new_file_regexp,
    RunTests.kind: _run_tests,
    Coverage.kind: _coverage,
    BuildTask.kind: _build_task,
    NoFileErrors.kind: _no_file_errors,
}

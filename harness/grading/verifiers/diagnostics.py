"""Reads what compilers and linters report: one line each, Ruff's JSON, and SARIF.

Formats: GCC's and Clang's `file:line:column: kind: text`, javac's and mypy's `file:line: kind: text`, tsc's
`file(line,column): kind TS0000: text`; `ruff check --output-format=json`; SARIF 2.1.0 (OASIS).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import unquote, urlsplit

from harness.grading.parsers.text import clean_lines
from harness.grading.results import ReportError

MAX_DIAGNOSTICS = 50_000
_KIND = re.compile(r"(?:^|: )((?:fatal )?error|warning)(?: TS\d{1,6})?: ")
_LINE = re.compile(r"(\S.*?)(?::(\d{1,9})(?::\d{1,9})?|\((\d{1,9}),\d{1,9}\))")
_PROGRAM = re.compile(r"[\w.+/-]+")
# Rules of Ruff for code that does not compile or cannot work: syntax, undefined names, wrong comparisons and formats.
RUFF_ERRORS = ("E9", "F63", "F7", "F82")
_SYNTAX = "invalid-syntax"


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One error or warning. `path` is '' and `line` 0 where none is named."""

    path: str
    line: int
    error: bool
    text: str

    def __str__(self) -> str:
        place = f"{self.path}:{self.line}: " if self.line else f"{self.path}: " if self.path else ""
        return f"{place}{self.text}"


def read_lines(output: str) -> list[Diagnostic]:
    """The diagnostics in printed lines. Lines with other texts, notes and quoted source are left out."""
    return _limited(filter(None, map(_of_line, clean_lines(output))))


def _of_line(line: str) -> Diagnostic | None:
    kind = _KIND.search(line)
    if kind is None:
        return None
    place, text = line[: kind.start()], line[kind.end() :].strip()
    error = kind[1] != "warning"
    if match := _LINE.fullmatch(place):
        return Diagnostic(match[1], int(match[2] or match[3]), error, text)
    if not place or _PROGRAM.fullmatch(place):  # of the whole run, such as `error: no input files`
        return Diagnostic("", 0, error, f"{place}: {text}" if place else text)
    return None


def read_ruff(content: bytes) -> list[Diagnostic]:
    """The diagnostics of Ruff's JSON; errors are the rules of RUFF_ERRORS and syntax. Raises ReportError."""
    return _limited(_ruff(item) for item in _list(_json(content, "ruff.json"), "ruff.json"))


def _ruff(item: Mapping[str, Any]) -> Diagnostic:
    try:
        code, line = item["code"] or _SYNTAX, int(item["location"]["row"])
        error = code == _SYNTAX or str(code).startswith(RUFF_ERRORS)
        return Diagnostic(str(item["filename"]), line, error, f"{code} {item['message']}")
    except (KeyError, TypeError, ValueError) as error:
        raise ReportError(f"ruff.json is not Ruff's JSON: {error!r}") from None


def read_sarif(content: bytes, name: str) -> list[Diagnostic]:
    """The results of a SARIF log. Raises ReportError for what is none, and for a run that says that it failed.

    The level is that of the result, else that of its rule, else `warning`, as the standard says. Results that pass,
    and suppressed results, are no diagnostics.
    """
    log = _json(content, name)
    if not isinstance(log, dict) or not isinstance(log.get("runs"), list):
        raise ReportError(f"{name} is no SARIF log: it has no runs")
    return _limited(found for run in log["runs"] for found in _sarif_run(run, name))


def _sarif_run(run: Any, name: str) -> Iterator[Diagnostic]:
    try:
        for invocation in run.get("invocations") or ():
            if invocation.get("executionSuccessful") is False:
                raise ReportError(f"{name} says that its tool failed: {_notes(invocation)}")
        driver = run["tool"]["driver"]
        levels = {
            rule["id"]: (rule.get("defaultConfiguration") or {}).get("level", "warning")
            for rule in driver.get("rules") or ()
        }
        for result in run.get("results") or ():
            level = result.get("level") or levels.get(result.get("ruleId"), "warning")
            if level not in ("error", "warning") or result.get("kind", "fail") != "fail":
                continue
            if not result.get("suppressions"):
                yield _sarif_result(result, error=level == "error")
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        raise ReportError(f"{name} is no SARIF log: {error!r}") from None


def _sarif_result(result: Mapping[str, Any], *, error: bool) -> Diagnostic:
    path, line = "", 0
    if locations := result.get("locations"):
        place = locations[0]["physicalLocation"]
        path = unquote(urlsplit(str(place["artifactLocation"]["uri"])).path)
        line = int((place.get("region") or {}).get("startLine", 0))
    rule = f"{result['ruleId']} " if result.get("ruleId") else ""
    return Diagnostic(path, line, error, f"{rule}{result['message'].get('text', '')}")


def _notes(invocation: Mapping[str, Any]) -> str:
    notes = invocation.get("toolExecutionNotifications") or ()
    return "; ".join(str(note["message"].get("text", "")) for note in notes)[:300] or "it does not say why"


def relative(path: str, workdir: PurePosixPath) -> str:
    """The path of a diagnostic, relative to the workspace if it lies there; '' stays ''."""
    whole = PurePosixPath(path)
    if whole.is_relative_to(workdir):
        return str(whole.relative_to(workdir))
    return path and str(whole)


def _limited(found: Iterable[Diagnostic]) -> list[Diagnostic]:
    kept: list[Diagnostic] = []
    for diagnostic in found:
        if len(kept) == MAX_DIAGNOSTICS:
            raise ReportError(f"there are more than {MAX_DIAGNOSTICS:,} errors and warnings")
        kept.append(diagnostic)
    return kept


def _json(content: bytes, name: str) -> Any:
    try:
        return json.loads(content)
    except (ValueError, RecursionError) as error:
        raise ReportError(f"{name} is no JSON: {error}") from None


def _list(value: Any, name: str) -> list[Any]:
    if isinstance(value, list):
        return value
    raise ReportError(f"{name} holds no list")

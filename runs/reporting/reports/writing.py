"""Writes the files of a report, with results of the analysis as JSON: all or none, and never over files of others."""

from __future__ import annotations

import base64
import json
import math
import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import fields, is_dataclass
from datetime import datetime
from enum import Enum
from pathlib import Path
from typing import Any

import numpy as np

from runs.analysis.estimate import Estimate
from runs.presentation.charts.svg_markup import svg_file
from runs.presentation.charts.svg_shapes import WIDE
from runs.reporting.reports.gather import Report
from runs.reporting.reports.heads import head_json
from runs.reporting.reports.report_markdown import markdown
from runs.reporting.reports.report_sections import ReportChapter
from runs.reporting.topics.table_values import in_units

REPORT_FILES = {"report.md", "report.json", "plots"}
SCHEMA = 1
FORMAT = "benchbench report"


class ReportRefused(Exception):
    """Nothing was written. The message says why."""


def write_report(report: Report, directory: Path, *, site: str, embed: bool = False) -> None:
    """Writes report.md, report.json and plots/*.svg; with `embed`, the charts are in report.md itself.

    An existing report is replaced in one move. ReportRefused for a directory with other files, or on a write error.
    """
    directory = directory.absolute()
    check_free(directory)
    files = files_of(report, site=site, embed=embed)
    try:
        directory.parent.mkdir(parents=True, exist_ok=True)
        made = Path(tempfile.mkdtemp(prefix=f".{directory.name}.", dir=directory.parent))
        try:
            for name, content in files.items():
                (made / name).parent.mkdir(exist_ok=True)
                (made / name).write_bytes(content)
            made.chmod(0o755)
            _move(made, directory)
        finally:
            shutil.rmtree(made, ignore_errors=True)
    except OSError as error:
        raise ReportRefused(f"writing {directory} failed: {error}") from error


def check_free(directory: Path) -> None:
    """ReportRefused unless there is nothing, an empty directory, or a report and nothing else."""
    if not directory.exists() and not directory.is_symlink():
        return
    if not directory.is_dir() or directory.is_symlink():
        raise ReportRefused(f"{directory} exists and is not a directory")
    there = {path.name for path in directory.iterdir()}
    if there and not (there <= REPORT_FILES and _is_report(directory / "report.json")):
        strange = ", ".join(sorted(there - REPORT_FILES)[:3]) or "another report.json"
        raise ReportRefused(
            f"{directory} contains {strange}, which is not part of a report: choose another --out"
        )


def _is_report(path: Path) -> bool:
    try:
        found = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return False
    return isinstance(found, dict) and found.get("format") == FORMAT


def _move(made: Path, directory: Path) -> None:
    """Replaces the directory; for a moment between the two renames there is no report."""
    old = made.with_name(f"{made.name}.old")
    if directory.exists():
        directory.rename(old)
    try:
        made.rename(directory)
    except OSError:
        if old.exists():
            old.rename(directory)
        raise
    shutil.rmtree(old, ignore_errors=True)


def files_of(report: Report, *, site: str, embed: bool = False) -> dict[str, bytes]:
    """Path below the report's directory → content."""
    charts = {
        f"{chapter.slug}-{picture.name}": svg_file(picture.chart.draw(WIDE), picture.title).encode()
        for chapter in report.chapters
        for section in chapter.result.sections
        for picture in section.comparing
    }
    files = {} if embed else {f"plots/{name}.svg": svg for name, svg in charts.items()}
    addresses = {
        name: f"data:image/svg+xml;base64,{base64.b64encode(svg).decode()}" if embed else f"plots/{name}.svg"
        for name, svg in charts.items()
    }
    return {
        "report.md": markdown(report, site.rstrip("/"), addresses).encode(),
        "report.json": encoded(document(report)).encode(),
        **files,
    }


def document(report: Report) -> dict[str, object]:
    """The contents of report.json."""
    options = report.options
    return {
        "format": FORMAT,
        "schema": SCHEMA,
        "analysis": report.analysis,
        "options": {
            "k": options.k,
            "seed": options.seed,
            "floor": options.floor,
            "ceiling": options.ceiling,
        },
        "head": head_json(report.head),
        "left_out": report.left_out,
        "chapters": [chapter_json(chapter) for chapter in report.chapters],
        "results": report.results,
    }


def chapter_json(chapter: ReportChapter) -> dict[str, object]:
    """A chapter in report.json."""
    result = chapter.result
    return {
        "name": chapter.slug,
        "title": chapter.title,
        "answer": result.summary,
        "runs": result.runs,
        "tasks": result.tasks,
        "tables": [in_units(table) for section in result.sections for table in section.tables],
    }


def encoded(value: object) -> str:
    """JSON text. The same value gives the same text."""
    return json.dumps(plain(value), ensure_ascii=False, allow_nan=False, indent=1) + "\n"


def plain(value: object) -> Any:
    """The value in objects, lists, strings, numbers, true, false and null. TypeError for other types.

    An estimate is `{"value", "n", "reason", "low", "high"}`; other dataclasses are objects of their fields. A
    mapping is an object with sorted keys, numbers among them as strings; with keys that are tuples it is a list of
    `{"key", "value"}`. Sets are sorted lists. A number that is not finite is null.
    """
    if value is None or isinstance(value, bool):
        return value
    for kinds, convert in _KINDS:
        if isinstance(value, kinds):
            return convert(value)
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
    raise TypeError(f"{type(value).__name__} has no form in JSON")


def _sendable(value: str) -> str:
    """UTF-8 has no form for half a surrogate pair."""
    return value.encode("utf-8", "replace").decode("utf-8")


def _estimate(estimate: Estimate) -> dict[str, Any]:
    interval = estimate.interval
    return {
        "value": plain(estimate.value),
        "n": estimate.n,
        "reason": estimate.reason,
        "low": None if interval is None else plain(interval.low),
        "high": None if interval is None else plain(interval.high),
    }


def _mapping(value: Mapping[Any, object]) -> Any:
    if any(isinstance(key, tuple) for key in value):
        pairs = [{"key": plain(key), "value": plain(each)} for key, each in value.items()]
        return sorted(pairs, key=lambda pair: str(pair["key"]))
    ordered = sorted(value.items(), key=lambda item: str(item[0]))
    return {_sendable(str(plain(key))): plain(each) for key, each in ordered}


def _sequence(value: Sequence[object]) -> Any:
    names: tuple[str, ...] | None = getattr(value, "_fields", None)
    if names is not None:
        return {name: plain(each) for name, each in zip(names, value, strict=True)}
    return [plain(each) for each in value]


_KINDS: tuple[tuple[Any, Callable[[Any], Any]], ...] = (
    (Enum, lambda value: plain(value.value)),
    (str, _sendable),
    (int, int),
    (float, lambda value: float(value) if math.isfinite(value) else None),
    ((np.generic, np.ndarray), lambda value: plain(value.tolist())),
    (datetime, datetime.isoformat),
    (Estimate, _estimate),
    (Mapping, _mapping),
    (Set, lambda value: sorted((plain(each) for each in value), key=str)),
    (Sequence, _sequence),
)

"""Writes the files of a report: all or none, and never over files of others."""

from __future__ import annotations

import base64
import json
import shutil
import tempfile
from pathlib import Path

from runs.presentation.charts.svg_markup import svg_file
from runs.presentation.charts.svg_shapes import WIDE
from runs.reporting.reports.as_json import FORMAT, SCHEMA, encoded
from runs.reporting.reports.gather import Report
from runs.reporting.reports.heads import head_json
from runs.reporting.reports.report_markdown import markdown
from runs.reporting.reports.report_sections import ReportChapter

REPORT_FILES = {"report.md", "report.json", "plots"}


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
        for picture in section.pictures
    }
    files = {} if embed else {f"plots/{name}.svg": svg for name, svg in charts.items()}
    addresses = {name: _inline(svg) if embed else f"plots/{name}.svg" for name, svg in charts.items()}
    return {
        "report.md": markdown(report, site.rstrip("/"), addresses).encode(),
        "report.json": encoded(document(report)).encode(),
        **files,
    }


def _inline(svg: bytes) -> str:
    return f"data:image/svg+xml;base64,{base64.b64encode(svg).decode()}"


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
        "tables": [table for section in result.sections for table in section.tables],
    }

"""Files of a report: all of them or none, and never over what somebody else has written."""

from __future__ import annotations

import base64
import json
import shutil
import tempfile
from dataclasses import asdict
from pathlib import Path

from runs.reports.as_json import FORMAT, SCHEMA, encoded
from runs.reports.gather import Material
from runs.reports.markdown import markdown
from runs.reports.plots import plots

OURS = {"report.md", "report.json", "plots"}


class ReportRefused(Exception):
    """Nothing was written. The message says why."""


def write_report(material: Material, directory: Path, *, site: str, embed: bool = False) -> None:
    """Writes report.md, report.json and plots/*.svg; with `embed`, the plots stand in report.md itself.

    A report that is there already is replaced in one move. ReportRefused for a directory with anything else in it, and
    where it cannot be written.
    """
    directory = directory.absolute()
    check_free(directory)
    files = files_of(material, site=site, embed=embed)
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
        raise ReportRefused(f"{directory} cannot be written: {error}") from error


def check_free(directory: Path) -> None:
    """ReportRefused unless nothing is there, an empty directory, or a report and nothing else."""
    if not directory.exists() and not directory.is_symlink():
        return
    if not directory.is_dir() or directory.is_symlink():
        raise ReportRefused(f"{directory} is in the way: it is no directory")
    there = {path.name for path in directory.iterdir()}
    if there and not (there <= OURS and _is_report(directory / "report.json")):
        strange = ", ".join(sorted(there - OURS)[:3]) or "a report.json of something else"
        raise ReportRefused(f"{directory} holds {strange}, which no report wrote: choose another --out")


def _is_report(path: Path) -> bool:
    try:
        found = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return False
    return isinstance(found, dict) and found.get("format") == FORMAT


def _move(made: Path, directory: Path) -> None:
    """There is the old report or the new one; for a moment between two renames, neither."""
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


def files_of(material: Material, *, site: str, embed: bool = False) -> dict[str, bytes]:
    """Path below the report's directory → content."""
    drawings = {name: svg.encode() for name, svg in plots(material).items()}
    files = {} if embed else {f"plots/{name}.svg": svg for name, svg in drawings.items()}
    addresses = {name: _inline(svg) if embed else f"plots/{name}.svg" for name, svg in drawings.items()}
    return {
        "report.md": markdown(material, site.rstrip("/"), addresses).encode(),
        "report.json": encoded(document(material)).encode(),
        **files,
    }


def _inline(svg: bytes) -> str:
    return f"data:image/svg+xml;base64,{base64.b64encode(svg).decode()}"


def document(material: Material) -> dict[str, object]:
    """What report.json holds."""
    options = material.options
    return {
        "format": FORMAT,
        "schema": SCHEMA,
        "analysis": material.analysis,
        "options": {
            "k": options.k,
            "seed": options.seed,
            "floor": options.floor,
            "ceiling": options.ceiling,
        },
        "head": asdict(material.head),
        "left_out": material.left_out,
        "results": material.results,
    }

"""Reads coverage from the XML of Cobertura (coverage.py, gcovr, Istanbul and others write it) and of JaCoCo.

Reports are untrusted. A document type may name its public definition, as both formats do, which is not loaded; one with
definitions of its own, and so each entity, is refused.

Formats: cobertura's `coverage-04.dtd`, JaCoCo's `report.dtd` 1.1.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from xml.parsers import expat

from harness.dataset.verifier_kinds import Metric, Unit
from harness.grading.junit import parse_xml
from harness.grading.results import ReportError

MAX_UNITS = 100_000
MAX_LINES = 500_000
_MAX_DEPTH = 100
_MAX_COUNT = 1 << 40
_CONDITIONS = re.compile(r"\d{1,9}%? ?\((\d{1,9})/(\d{1,9})\)")
_COUNTERS = {"LINE": Metric.LINE, "BRANCH": Metric.BRANCH}
_JACOCO_UNITS = {"report": Unit.ALL, "package": Unit.PACKAGE, "class": Unit.CLASS, "sourcefile": Unit.FILE}


@dataclass(slots=True)
class Share:
    """How many lines, or branches, of all were covered."""

    covered: int = 0
    total: int = 0

    @property
    def percent(self) -> float:
        """The covered share of all, in percent. Only for a `total` above 0."""
        return 100.0 * self.covered / self.total


Covered = Mapping[tuple[Unit, Metric], Mapping[str, Share]]


def read_coverage(content: bytes, name: str) -> Covered:
    """The shares of each unit by name. Raises ReportError with the line for what is no such report.

    Names are those of the report, with slashes: `src/a.py`, `org/example/Calc`; the unit `all` has the name ''.
    A unit of a kind that the report does not count is left out, such as branches without a branch.
    """
    reader = _Reader()
    parser = expat.ParserCreate()
    parser.StartDoctypeDeclHandler = reader.doctype
    parser.StartElementHandler = reader.start
    parser.EndElementHandler = reader.end
    parse_xml(parser, content, name)
    return reader.shares()


@dataclass(slots=True)
class _Line:
    """A line of a Cobertura report: whether it ran, and how many of its branches were taken, of how many."""

    hit: bool = False
    branches: tuple[int, int] = (0, 0)

    def merge(self, other: _Line) -> None:
        """A line is in a report once for each of its classes: the best counts."""
        self.hit = self.hit or other.hit
        self.branches = max(self.branches, other.branches)


# Of a Cobertura report: package, class and file, and their lines by number.
_Lines = dict[tuple[str, str, str], dict[str, _Line]]


@dataclass(slots=True)
class _Reader:
    """Collects while expat parses."""

    counters: dict[tuple[Unit, Metric], dict[str, Share]] = field(default_factory=dict)
    lines: _Lines = field(default_factory=dict)
    path: list[str] = field(default_factory=list)
    package: str = ""
    unit: str = ""
    file: str = ""
    units: int = 0
    line_count: int = 0

    def doctype(self, _name: str, _system: str | None, _public: str | None, internal: int) -> None:
        if internal:
            raise ReportError("a document type with definitions of its own is not allowed in a report")

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if not self.path and tag not in ("coverage", "report"):
            raise ReportError(f"is no report of Cobertura or JaCoCo: its root is <{tag[:80]}>")
        if len(self.path) >= _MAX_DEPTH:
            raise ReportError(f"has more than {_MAX_DEPTH} elements inside each other")
        if self.path and self.path[0] == "report":
            self._jacoco(tag, attributes)
        elif self.path:
            self._cobertura(tag, attributes)
        self.path.append(tag)

    def end(self, _tag: str) -> None:
        self.path.pop()

    def _jacoco(self, tag: str, attributes: Mapping[str, str]) -> None:
        if tag in ("package", "class", "sourcefile"):
            self._count_unit()
        if tag == "package":
            self.package = attributes.get("name", "")
        elif tag == "class":
            self.unit = _required(attributes, "name")
        elif tag == "sourcefile":
            self.unit = str(PurePosixPath(self.package, _required(attributes, "name")))
        elif tag == "counter" and self.path[-1] in _JACOCO_UNITS:
            metric = _COUNTERS.get(attributes.get("type", ""))
            if metric is not None:
                missed, covered = _number(attributes, "missed"), _number(attributes, "covered")
                unit = _JACOCO_UNITS[self.path[-1]]
                total = missed + covered
                name = {Unit.ALL: "", Unit.PACKAGE: self.package}.get(unit, self.unit)
                shares = self.counters.setdefault((unit, metric), {})
                if name in shares:
                    raise ReportError(f"counts {name[:200] or 'everything'!r} twice")
                if total:
                    shares[name] = Share(covered, total)

    def _cobertura(self, tag: str, attributes: Mapping[str, str]) -> None:
        if tag in ("package", "class"):
            self._count_unit()
        if tag == "package":
            name = attributes.get("name", "")
            self.package = name if name == "." else name.replace(".", "/")
        elif tag == "class":
            self.file = _required(attributes, "filename").replace("\\", "/")
            short = _required(attributes, "name").removeprefix(f"{self.package.replace('/', '.')}.")
            self.unit = str(PurePosixPath(self.package, short))
        elif tag == "line" and self.path[-2:] == ["class", "lines"]:
            self.line_count += 1
            if self.line_count > MAX_LINES:
                raise ReportError(f"has more than {MAX_LINES:,} lines")
            line = _Line(_number(attributes, "hits") > 0, _branches(attributes))
            lines = self.lines.setdefault((self.package, self.unit, self.file), {})
            lines.setdefault(_required(attributes, "number"), _Line()).merge(line)

    def _count_unit(self) -> None:
        self.units += 1
        if self.units > MAX_UNITS:
            raise ReportError(f"has more than {MAX_UNITS:,} packages, classes and files")

    def shares(self) -> Covered:
        """All shares, those of Cobertura's lines counted."""
        found = {key: dict(shares) for key, shares in self.counters.items()}
        merged: dict[tuple[Unit, str], dict[tuple[str, str], _Line]] = {}
        for (package, unit, file), lines in self.lines.items():
            for key in ((Unit.ALL, ""), (Unit.PACKAGE, package), (Unit.CLASS, unit), (Unit.FILE, file)):
                known = merged.setdefault(key, {})
                for number, line in lines.items():
                    known.setdefault((file, number), _Line()).merge(line)
        for (kind, name), every in merged.items():
            by_line = Share(sum(line.hit for line in every.values()), len(every))
            taken, total = (sum(line.branches[at] for line in every.values()) for at in (0, 1))
            for metric, share in ((Metric.LINE, by_line), (Metric.BRANCH, Share(taken, total))):
                if share.total:
                    found.setdefault((kind, metric), {})[name] = share
        return found


def _branches(attributes: Mapping[str, str]) -> tuple[int, int]:
    """Taken branches and all branches of a line: `condition-coverage="50% (1/2)"`."""
    match = _CONDITIONS.fullmatch(attributes.get("condition-coverage", ""))
    if attributes.get("branch", "").lower() != "true" or match is None:
        return 0, 0
    taken, total = int(match[1]), int(match[2])
    if taken > total:
        raise ReportError(f"{taken} of {total} branches were taken")
    return taken, total


def _required(attributes: Mapping[str, str], name: str) -> str:
    value = attributes.get(name, "")
    if not value:
        raise ReportError(f"an element has no {name}")
    return value


def _number(attributes: Mapping[str, str], name: str) -> int:
    value = _required(attributes, name)
    if not (value.isascii() and value.isdigit() and len(value) <= 13) or int(value) > _MAX_COUNT:
        raise ReportError(f"{name} is no count: {value[:40]!r}")
    return int(value)

"""Coverage in the XML of Cobertura and JaCoCo. coverage.py 6.5 and JaCoCo 0.8.6 wrote the files in `reports/`."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from harness.dataset.verifier_kinds import Metric, Unit
from harness.grading.results import ReportError
from harness.grading.verifiers.coverage_reports import MAX_LINES, Share, read_coverage

REPORTS = Path(__file__).parent / "reports"
# By a Java project with two classes in one file, which share line 4, in the older format with a document type.
COBERTURA = b"""<?xml version="1.0"?>
<!DOCTYPE coverage SYSTEM "http://cobertura.sourceforge.net/xml/coverage-04.dtd">
<coverage line-rate="1.0"><packages><package name="org.example"><classes>
<class name="org.example.Calc" filename="org/example/Calc.java">
<methods><method name="add"><lines><line number="3" hits="1"/></lines></method></methods>
<lines><line number="3" hits="7"/><line number="4" hits="0" branch="true" condition-coverage="0% (0/2)"/></lines>
</class>
<class name="org.example.Calc$Inner" filename="org\\example\\Calc.java"><methods/>
<lines><line number="4" hits="1" branch="true" condition-coverage="100% (2/2)"/><line number="9" hits="0"/></lines>
</class></classes></package></packages></coverage>
"""


def read(content: bytes, unit: Unit, metric: Metric = Metric.LINE) -> dict[str, tuple[int, int]]:
    """Covered and all, of each unit."""
    shares = read_coverage(content, "coverage.xml").get((unit, metric), {})
    return {name: (share.covered, share.total) for name, share in shares.items()}


class TestCobertura:
    def test_coverage_py(self) -> None:
        content = (REPORTS / "coverage_py.xml").read_bytes()
        assert read(content, Unit.ALL) == {"": (9, 11)}
        assert read(content, Unit.ALL, Metric.BRANCH) == {"": (1, 2)}
        assert read(content, Unit.FILE) == {
            "top.py": (1, 1),
            "calc/a.py": (4, 6),
            "calc/sub/b.py": (1, 1),
            "tests/test_a.py": (3, 3),
        }
        assert read(content, Unit.FILE, Metric.BRANCH) == {"calc/a.py": (1, 2)}
        assert read(content, Unit.PACKAGE) == {
            ".": (1, 1),
            "calc": (4, 6),
            "calc/sub": (1, 1),
            "tests": (3, 3),
        }

    def test_lines_are_counted_once_for_a_file_and_its_methods(self) -> None:
        assert read(COBERTURA, Unit.FILE) == {"org/example/Calc.java": (2, 3)}
        assert read(COBERTURA, Unit.FILE, Metric.BRANCH) == {"org/example/Calc.java": (2, 2)}
        assert read(COBERTURA, Unit.PACKAGE) == {"org/example": (2, 3)}
        assert read(COBERTURA, Unit.CLASS) == {"org/example/Calc": (1, 2), "org/example/Calc$Inner": (1, 2)}

    def test_more_lines_than_a_limit_are_refused(self) -> None:
        lines = b'<line number="1" hits="1"/>' * (MAX_LINES + 1)
        report = b'<coverage><class name="a" filename="a"><lines>' + lines + b"</lines></class></coverage>"
        with pytest.raises(ReportError, match="has more than 500,000 lines"):
            read_coverage(report, "coverage.xml")


def test_jacoco() -> None:
    content = (REPORTS / "jacoco.xml").read_bytes()
    assert read(content, Unit.ALL) == {"": (2, 5)}
    assert read(content, Unit.PACKAGE) == {"org/ex": (2, 5)}
    assert read(content, Unit.CLASS) == {"org/ex/Calc": (2, 4), "org/ex/Calc$Inner": (0, 1)}
    assert read(content, Unit.FILE) == {"org/ex/Calc.java": (2, 5)}
    assert read(content, Unit.CLASS, Metric.BRANCH) == {"org/ex/Calc": (1, 2)}


def test_percent() -> None:
    assert Share(1, 3).percent == pytest.approx(33.333, abs=0.001)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", r"^coverage\.xml, line 1: no element found"),
        (b"not XML", r"^coverage\.xml, line 1: syntax error"),
        (b"<html/>", r"line 1: is no report of Cobertura or JaCoCo: its root is <html>"),
        (b"<coverage>\n<package", "line 2: unclosed token"),
        (
            b'<!DOCTYPE coverage [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><coverage>&b;</coverage>',
            "a document type with definitions of its own is not allowed",
        ),
        (b"<coverage>" + b"<a>" * 200, "has more than 100 elements inside each other"),
        (b'<coverage><class name="a"/></coverage>', "an element has no filename"),
        (
            b'<coverage><class name="a" filename="a"><lines><line number="1" hits="-1"/></lines></class></coverage>',
            "hits is no count: '-1'",
        ),
        (
            b'<coverage><class name="a" filename="a"><lines><line number="1" hits="1" branch="true" '
            b'condition-coverage="200% (4/2)"/></lines></class></coverage>',
            "4 of 2 branches were taken",
        ),
        (b'<report><counter type="LINE" missed="1"/></report>', "an element has no covered"),
        (b'<report><counter type="LINE" missed="1" covered="1"/>' * 2, "counts 'everything' twice"),
        (b"<report><package name='a'/>" + b"<package/>" * 100_000, "has more than 100,000 packages"),
        (b'<?xml version="1.0" encoding="nonsense"?><coverage/>', "encoding"),
    ],
)
def test_what_is_no_report_is_refused_with_its_place(content: bytes, reason: str) -> None:
    with pytest.raises(ReportError, match=reason):
        read_coverage(content, "coverage.xml")


def test_a_huge_report_is_read_in_time() -> None:
    lines = b"".join(b'<line number="%d" hits="1"/>' % number for number in range(200_000))
    report = b'<coverage><class name="a" filename="a"><lines>' + lines + b"</lines></class></coverage>"
    before = time.perf_counter()
    assert read(report, Unit.ALL) == {"": (200_000, 200_000)}
    assert time.perf_counter() - before < 20


def test_external_definitions_are_never_loaded(tmp_path: Path) -> None:
    secret = tmp_path / "secret.dtd"
    secret.write_text('<!ENTITY a "1">')
    report = f'<!DOCTYPE coverage SYSTEM "file://{secret}"><coverage>&a;</coverage>'
    assert read_coverage(report.encode(), "coverage.xml") == {}

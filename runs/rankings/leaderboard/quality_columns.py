"""The columns of the leaderboard about work that is not right or wrong: tests passed, scores of judges, steadiness."""

from __future__ import annotations

from collections.abc import Callable

from runs.analysis.estimate import Estimate
from runs.analysis.scores.quality_index import QualityIndex
from runs.presentation.formatting.numbers import counted, fixed, percent
from runs.rankings.leaderboard.column import BoardRow, CellText, Column, FigureField, interval_text, missing

NO_REVIEW = "no judge gave one of its runs a score"


def _tests(row: BoardRow) -> CellText:
    tests, known = row.standing.tests, row.standing.tests_known
    if tests.value is None:
        return missing(tests.reason)
    title = f"n {counted(tests.n, 'task')}"
    if not row.standing.untested or known.value is None:
        return CellText(percent(tests.value), interval_text(tests.interval), title)
    title = f"95 % interval {interval_text(tests.interval)} %, {title}; {_lacking(row)}"
    return CellText(percent(tests.value), f"known: {percent(known.value)}", title)


def _lacking(row: BoardRow) -> str:
    counts = f"{row.standing.untested} of {row.standing.attempts}"
    return f"attempts without a test result, which count by their outcome: {counts}"


def _sigma(row: BoardRow) -> CellText:
    sigma, known = row.standing.sigma, row.standing.sigma_known
    if sigma.value is None:
        return missing(sigma.reason)
    ends = sigma.interval and f"{fixed(sigma.interval.low, 2)} to {fixed(sigma.interval.high, 2)}"
    title = f"95 % interval {ends}, n {counted(sigma.n, 'task')}"
    if not row.standing.untested or known.value is None:
        return CellText(fixed(sigma.value, 3), title=title)
    return CellText(fixed(sigma.value, 3), f"known: {fixed(known.value, 3)}", f"{title}; {_lacking(row)}")


def _quality(row: BoardRow) -> CellText:
    quality = row.quality
    if quality is None or quality.value.value is None:
        return missing(quality.value.reason if quality else NO_REVIEW)
    interval = quality.value.interval
    ends = f"95 % interval {fixed(interval.low, 1)} to {fixed(interval.high, 1)}, " if interval else ""
    lowest, highest = fixed(quality.lowest.value or 0.0, 1), fixed(quality.highest.value or 0.0, 1)
    bounds = f"{lowest} to {highest} with missing scores as 0 and as 1"
    known = f"{percent(quality.coverage.value, 0)} known"
    return CellText(
        fixed(quality.value.value, 1), known, f"{ends}n {counted(quality.value.n, 'scenario')}; {bounds}"
    )


def _of_quality(read: Callable[[QualityIndex], Estimate]) -> Callable[[BoardRow], Estimate]:
    return lambda row: read(row.quality) if row.quality else Estimate.unknown(NO_REVIEW)


TESTS = Column(
    key="tests",
    title="Tests",
    under="passed",
    hint="Mean share of the hidden tests passed; an attempt without a test result counts by its outcome",
    method="test-pass-rate",
    text=_tests,
    fields=(
        FigureField(
            "tests_passed",
            "Hidden tests passed; attempts without a test result by their outcome",
            "share",
            lambda row: row.standing.tests,
            has_interval=True,
        ),
        FigureField(
            "tests_passed_where_known",
            "Hidden tests passed, attempts with a test result alone",
            "share",
            lambda row: row.standing.tests_known,
            has_interval=True,
        ),
        lambda row: {"attempts_without_test_result": row.standing.untested},
    ),
)

QUALITY = Column(
    key="quality",
    title="Quality index",
    under="scores known",
    hint="Mean of five scores by judges and of the resolved attempts, from 0 to 100",
    method="quality-index",
    text=_quality,
    fields=(
        FigureField(
            "quality_index",
            "Quality index",
            "points of 100",
            _of_quality(lambda it: it.value),
            has_interval=True,
        ),
        FigureField(
            "quality_index_coverage",
            "Quality index: share of scores that are known",
            "share",
            _of_quality(lambda it: it.coverage),
        ),
        FigureField(
            "quality_index_lowest",
            "Quality index with missing scores as 0",
            "points of 100",
            _of_quality(lambda it: it.lowest),
        ),
        FigureField(
            "quality_index_highest",
            "Quality index with missing scores as 1",
            "points of 100",
            _of_quality(lambda it: it.highest),
        ),
    ),
)

SIGMA = Column(
    key="sigma",
    title="σ",
    heading="Variation between attempts",
    under="of tests passed",
    hint="How far attempts at the same task lie apart in tests passed: 0 is steady",
    method="sigma",
    descending=False,
    text=_sigma,
    fields=(
        FigureField(
            "sigma",
            "σ of tests passed over attempts at a task",
            "share",
            lambda row: row.standing.sigma,
            has_interval=True,
        ),
        FigureField(
            "sigma_where_known",
            "σ of tests passed, attempts with a test result alone",
            "share",
            lambda row: row.standing.sigma_known,
            has_interval=True,
        ),
    ),
)

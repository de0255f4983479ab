"""Topic: signs of trouble in failed runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from runs.analysis.estimate import Estimate
from runs.analysis.failures.groups import GroupFailures, mode_distribution
from runs.analysis.failures.modes import SOURCES, Taxonomy
from runs.analysis.failures.report import MIN_RUNS, FailureReport, ModePair, ModeReport, failure_report
from runs.presentation.charts.axis import share_axis
from runs.presentation.charts.bars import SHADES, Bar, Bars
from runs.presentation.charts.dots import Dots
from runs.presentation.formatting.numbers import bounds, counted, decimal, percent
from runs.reporting.topics.section_parts import (
    Columns,
    Field,
    alternatives,
    estimate_dot,
    matrix,
    one_picture,
    table_of,
)
from runs.reporting.topics.topic_data import TopicData, joined
from runs.reporting.topics.topic_result import Picture, ResultSection, TableColumn, Term

NO_STACK = "no stack"
ALL_FAILED = Term("all_failed_runs", "All failed runs")
_NOTHING = "No failed run shows a sign, or no trajectory was counted."
OTHERS = "other signs"


def sections(data: TopicData) -> tuple[str, tuple[ResultSection, ...]]:
    """Modes over all failed runs, by agent, by repository, and together."""
    report = failure_report(data.runs)
    shown = sorted((one for one in report.modes if one.runs), key=lambda one: (-one.runs, one.mode.slug))
    slugs = [one.mode.slug for one in shown]
    titles = {one.mode.slug: one.mode.title for one in report.modes}
    return _summary(report, shown, data.graded), (
        _modes(report, shown),
        replace(
            _by("agent", [(one, data.name(one.name)) for one in report.by_agent], slugs, titles),
            pictures=mode_bars(data, report.by_agent, shown),
        ),
        _by("repository", [(one, data.repository(one.name)) for one in report.by_repository], slugs, titles),
        _by("stack", [(one, one.name or NO_STACK) for one in report.by_stack], slugs, titles),
        _distribution(data, report, slugs, titles),
        _together(report, slugs, titles),
    )


def _summary(report: FailureReport, shown: Sequence[ModeReport], graded: int) -> str:
    if not report.failed:
        if report.resolved:
            return f"None of {counted(report.resolved, 'run')} failed."
        return f"Unknown: no trajectory of {counted(graded, 'graded run')} was counted."
    if not shown or shown[0].prevalence.value is None:
        return f"No sign of trouble was found in {counted(report.failed, 'failed run')}."
    most_common = _most_common(shown)
    compared = [one.odds_ratio for one in shown if not one.mode.only_unresolved]
    if compared and all(one.value is None for one in compared):
        return f"{most_common}. Failed and resolved runs are not compared: {_reason(compared)}."
    significant = [one for one in shown if one.is_more_common]
    if not significant:
        return f"{most_common}. No sign is significantly more common in failed than in resolved runs."
    odds = max((one.odds_ratio for one in significant), key=lambda figure: figure.value or 0.0)
    low, high = bounds(odds)
    strongest = [one for one in significant if one.odds_ratio.value == odds.value]
    return (
        f"{most_common}. {counted(len(significant), 'sign is', 'signs are')} more common in failed than in resolved "
        f"runs, most of all {_titles(strongest)} (odds ratio {decimal(odds.value or 0.0, 1)}, "
        f"95 % interval {decimal(low or 0.0, 1)} to {decimal(high or 0.0, 1)})."
    )


def _reason(unknown: Sequence[Estimate]) -> str:
    """The most frequent reason."""
    return Counter(one.reason for one in unknown).most_common(1)[0][0]


def _most_common(shown: Sequence[ModeReport]) -> str:
    """The most common of the signs that resolved runs could show as well, or of all if there is none."""
    fair = [one for one in shown if not one.mode.only_unresolved]
    first, *others = fair or shown
    equal = [
        first,
        *(one for one in others if (one.runs, one.prevalence.n) == (first.runs, first.prevalence.n)),
    ]
    share, runs = percent(first.prevalence.value, 0), counted(first.prevalence.n, "failed run")
    which = "that resolved runs could show as well" if fair else "that only failed runs can show"
    if len(equal) == 1:
        return f"{_titles(equal)} is the most common sign {which}: {share} of {runs} show it"
    return f"{len(equal)} signs {which} are the most common, each in {share} of {runs}: {_titles(equal)}"


def _titles(modes: Sequence[ModeReport]) -> str:
    return joined([f"“{one.mode.title}”" for one in modes])


def _possible(one: ModeReport, figure: Estimate) -> Estimate | None:
    """None for a sign whose criterion requires failed tests: resolved runs never meet it."""
    return None if one.mode.only_unresolved else figure


_MODES: Columns[ModeReport] = (
    Field("mode", "Mode", "text", lambda it: it.mode.title),
    Field(
        "source",
        "Source",
        "text",
        lambda it: Term(it.mode.taxonomy, SOURCES[it.mode.taxonomy]),
        "failure-signs",
    ),
    Field("prevalence", "Failed runs that show it", "percent", lambda it: it.prevalence, "failure-report"),
    Field("in_resolved", "Resolved runs that show it", "percent", lambda it: _possible(it, it.in_resolved)),
    Field("odds_ratio", "Odds ratio", "number", lambda it: _possible(it, it.odds_ratio), "odds-ratio"),
    Field("p_corrected", "Corrected p", "number4", lambda it: _possible(it, it.p), "odds-ratio-p"),
    Field(
        "within_tasks",
        "The same within tasks",
        "number",
        lambda it: _possible(it, it.within_tasks),
        "odds-ratio-within-tasks",
    ),
    Field("runs", "Failed runs", "count", lambda it: it.runs),
    Field("example", "Example", "run", lambda it: it.samples[0].run if it.samples else None),
    Field("criterion", "What counts", "text", lambda it: it.mode.criterion),
)


def _modes(report: FailureReport, shown: Sequence[ModeReport]) -> ResultSection:
    chart = Dots(
        tuple(estimate_dot(one.mode.title, one.prevalence, digits=0) for one in shown),
        share_axis("share of failed runs"),
    )
    sources = list(by_source(shown))
    of_source = "Failure modes by number of runs; source: "
    absent = [one.mode.title for one in report.modes if not one.runs and one.prevalence.value is not None]
    undecided = [one.mode.title for one in report.modes if one.prevalence.value is None]
    return ResultSection(
        "modes",
        "Signs of trouble in failed runs",
        "A sign explains failures only if resolved runs show it less often: an odds ratio whose interval contains 1 "
        "explains nothing, nor does one with p above 0.05, which is corrected for the number of signs. Below "
        f"{MIN_RUNS} failed or {MIN_RUNS} resolved runs there is no odds ratio. A run may show several signs. They are "
        "thresholds on trajectories: no person has read these runs."
        + (f" Found in no failed run: {joined(absent)}." if absent else "")
        + (
            f" Could be decided in no failed run: {joined(undecided)}." if undecided and report.failed else ""
        ),
        ("failure-report", "failure-signs"),
        one_picture(
            "modes-chart",
            "Share of failed runs that show each sign, with 95 % intervals.",
            chart if shown else None,
        ),
        alternatives(
            [
                ("All sources", table_of("modes", "Failure modes by number of runs", _MODES, shown)),
                *(
                    (
                        SOURCES[source],
                        table_of(f"modes-{source}", of_source + SOURCES[source], _MODES, theirs),
                    )
                    for source, theirs in sources
                    if len(sources) > 1
                ),
            ]
        ),
        _NOTHING,
    )


def _by(
    what: str, groups: Sequence[tuple[GroupFailures, str]], slugs: Sequence[str], titles: dict[str, str]
) -> ResultSection:
    known = [(group, name) for group, name in groups if group.failed]
    prevalence = {group.name: group.prevalence for group, _ in known}
    return ResultSection(
        f"by-{what}",
        f"By {what}",
        f"The share of failed runs of each {what} that show each sign, among those in which it could be decided.",
        ("failure-report",),
        (),
        matrix(
            f"by-{what}",
            f"Failure modes by {what}",
            [Term(slug, titles[slug]) for slug in slugs],
            [(group.name or NO_STACK, name) for group, name in known],
            lambda mode, group: prevalence["" if group == NO_STACK else group].get(mode),
            head=TableColumn("mode", "Mode", "text"),
            shown=bool(slugs and known),
        ),
        _NOTHING,
    )


def _distribution(
    data: TopicData, report: FailureReport, slugs: Sequence[str], titles: dict[str, str]
) -> ResultSection:
    """How the failed runs that show a sign are distributed over repositories."""
    groups = [group for group in report.by_repository if group.failed]
    shares = {slug: mode_distribution(groups, slug) for slug in slugs}
    shares[ALL_FAILED.name] = mode_distribution(groups)
    several = len(groups) > 1
    return ResultSection(
        "distribution",
        "Where each sign occurs",
        "Of the failed runs that show each sign, the share in each repository; rows sum to 1. Compare with the first "
        "row: a larger share than that of all failed runs means that the sign is typical of the repository.",
        ("mode-distribution",),
        (),
        matrix(
            "distribution",
            "Distribution of signs over repositories",
            [ALL_FAILED, *(Term(slug, titles[slug]) for slug in slugs)],
            [(group.name, data.repository(group.name)) for group in groups],
            lambda mode, group: shares[mode][group],
            head=TableColumn("mode", "Mode", "text"),
            shown=bool(slugs) and several,
        ),
        "All failed runs with a counted trajectory are in one repository." if groups else _NOTHING,
    )


def _together(report: FailureReport, slugs: Sequence[str], titles: dict[str, str]) -> ResultSection:
    alike = {(pair.first, pair.second): pair.jaccard for pair in report.pairs}
    alike |= {(second, first): figure for (first, second), figure in alike.items()}
    columns: Columns[ModePair] = (
        Field("first", "Mode", "text", lambda it: titles[it.first]),
        Field("second", "With", "text", lambda it: titles[it.second]),
        Field("runs", "Failed runs", "count", lambda it: it.runs),
        Field("share", "Of failed runs", "percent", lambda it: it.share),
        Field("phi", "φ", "number", lambda it: it.phi, "phi"),
        Field("jaccard", "Jaccard", "number", lambda it: it.jaccard, "shared-signs"),
    )
    several = len(slugs) > 1
    pairs = [pair for pair in report.pairs if pair.runs]
    return ResultSection(
        "together",
        "Signs in the same run",
        "Jaccard: failed runs that show both ÷ failed runs that show either. φ is their correlation, from −1 to 1.",
        ("shared-signs", "phi"),
        (),
        (
            *matrix(
                "together",
                "Jaccard index of each pair of signs",
                [Term(slug, titles[slug]) for slug in slugs],
                [(slug, titles[slug]) for slug in slugs],
                lambda mode, other: alike.get((mode, other)),
                head=TableColumn("mode", "Mode", "text"),
                shown=several,
            ),
            *(table_of("pairs", "Pairs of signs by number of runs", columns, pairs) if several else ()),
        ),
        "No failed run shows two signs, or no trajectory was counted.",
    )


def by_source(shown: Sequence[ModeReport]) -> Iterator[tuple[Taxonomy, list[ModeReport]]]:
    """The modes of each source that has some, in the order of the sources."""
    for source in SOURCES:
        theirs = [one for one in shown if one.mode.taxonomy == source]
        if theirs:
            yield source, theirs


def mode_bars(
    data: TopicData, groups: Sequence[GroupFailures], shown: Sequence[ModeReport]
) -> tuple[Picture, ...]:
    """For each source, what the signs in the failed runs of each agent are: shares of all of these signs.

    The most common modes have parts of their own, the rest are one part.
    """
    return tuple(
        Picture(
            f"by-agent-{source}-chart",
            f"Signs in the failed runs of each agent, as shares of all signs of one source: {SOURCES[source]}.",
            chart,
        )
        for source, theirs in by_source(shown)
        if (chart := _chart(data, groups, theirs, source))
    )


def _chart(
    data: TopicData, groups: Sequence[GroupFailures], modes: Sequence[ModeReport], source: Taxonomy
) -> Bars | None:
    room = len(SHADES)
    named = modes if len(modes) <= room else modes[: room - 1]
    rest = modes[len(named) :]
    rows = []
    for group in groups:
        counts = [group.shows.get(one.mode.slug, 0) for one in named]
        if rest:
            counts.append(sum(group.shows.get(one.mode.slug, 0) for one in rest))
        if total := sum(counts):
            shares = tuple(count / total for count in counts)
            written = tuple(percent(share, 0) for share in shares)
            note = f"{counted(total, 'sign')}, n {group.failed:,}"
            rows.append(Bar(data.chart_name(group.name), shares, written, note))
    parts = (*(one.mode.title for one in named), *((OTHERS,) if rest else ()))
    return (
        Bars(tuple(rows), share_axis(f"share of signs, source: {SOURCES[source]}"), parts) if rows else None
    )

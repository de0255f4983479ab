"""What failed runs show, beside what resolved runs show as well."""

from __future__ import annotations

from runs.formatting.markdown_text import text
from runs.reports.pen import Pen, Section
from runs.reports.report_tables import Table
from runs.reports.words import counted, number, percent


def failures(pen: Pen) -> Section:
    """Modes with their prevalence, odds ratio and samples."""
    report = pen.material.found.failures
    table = Table(
        "mode",
        "failed runs that show it",
        "resolved runs that do",
        "odds ratio",
        "the same within tasks",
        "examples",
        of="modes",
        where="failures.failures.modes",
    )
    shown = sorted((one for one in report.modes if one.runs), key=lambda one: (-one.runs, one.mode.slug))
    for one in shown:
        samples = [pen.run(sample.run, sample.steps) for sample in one.samples[:3]]
        table.row(
            text(one.mode.title),
            percent(one.prevalence),
            percent(one.in_resolved) if not one.mode.only_unresolved else "cannot, by its criterion",
            number(one.odds_ratio) if not one.mode.only_unresolved else "—",
            number(one.within_tasks) if not one.mode.only_unresolved else "—",
            ", ".join(samples) or "none",
        )
    absent = [
        text(one.mode.title) for one in report.modes if not one.runs and one.prevalence.value is not None
    ]
    unlooked = [text(one.mode.title) for one in report.modes if one.prevalence.value is None]
    return Section(
        "Failure modes",
        "Signs of trouble in runs that did not resolve their task. A sign explains a failure only where resolved runs "
        "show it less often: an odds ratio whose range holds 1 explains nothing. A run may show several; modes are "
        "thresholds on a trajectory, and nobody has read these runs.",
        [
            f"{counted(report.failed, 'failed run')}, {counted(report.resolved, 'resolved run')}. {_explained(pen)}",
            table.markdown("No failed run shows any."),
            f"Looked for and found in no failed run: {', '.join(absent)}." if absent else "",
            f"In no failed run could it be decided: {', '.join(unlooked)}." if unlooked else "",
            pen.plot("failures", "Share of each agent's failed runs that show a mode."),
            _pairs(pen),
        ],
        ("failure-report", "failure-signs", "odds-ratio", "odds-ratio-within-tasks", "shared-signs"),
    )


def _explained(pen: Pen) -> str:
    report = pen.material.found.failures
    found = percent(report.explained)
    if found.reason:
        return f"How many show a sign is undefined: {text(found.reason)}."
    without = f" None: {pen.runs(report.unexplained)}." if report.unexplained else ""
    return f"Failed runs that show at least one sign: {found.shown}.{without}"


def _pairs(pen: Pen) -> str:
    report = pen.material.found.failures
    titles = {one.mode.slug: one.mode.title for one in report.modes}
    table = Table(
        "mode", "with", "failed runs", "φ", "Jaccard", of="pairs", where="failures.failures.pairs", most=5
    )
    for pair in report.pairs:
        if pair.runs:
            table.row(
                text(titles[pair.first]),
                text(titles[pair.second]),
                f"{pair.runs:,}",
                number(pair.phi),
                number(pair.jaccard),
            )
    return f"### Modes in the same run\n\n{table.markdown('No run shows two.')}"

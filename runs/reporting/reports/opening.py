"""The opening of a report: what was evaluated, and the known problems."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

from runs.analysis.cost.effort import EffortReport
from runs.analysis.outcomes.table import Outcomes
from runs.models import Agent, Evaluation
from runs.operations.evaluations.agent_settings import profile_of
from runs.operations.evaluations.limits_form import in_words
from runs.presentation.formatting.markdown_text import code, text
from runs.presentation.formatting.numbers import counted, decimal, percent
from runs.presentation.formatting.text import setting
from runs.reporting.reports.gather import Report
from runs.reporting.reports.heads import UNKNOWN, NamedRuns, differing_settings, is_priced
from runs.reporting.reports.report_links import CALIBRATION, ReportLinks, agent_mark, markdown_table, some
from runs.reporting.reports.report_sections import result_of

MAX_NAMES = 8
MAX_ROWS = 20
PRICES = {True: "known", False: "unknown", None: "—"}


def evaluated(report: Report, links: ReportLinks) -> Iterator[str]:
    """Agents, tasks and attempts, settings, versions and dates."""
    head = report.head
    cells = {(run.agent, run.task) for run in report.facts}
    yield (
        f"{counted(len(head.agents), 'agent')} at {counted(len(head.tasks), 'task')}: "
        f"{counted(len(report.facts), 'finished run')} over {counted(len(cells), 'pair')} of agent and task."
    )
    lines = [
        *(_evaluation(each, head.run_counts[each.pk], links) for each in head.evaluations),
        *_versions(report),
    ]
    yield "\n".join(f"- {line}" for line in lines)
    yield _agents(head.agents)
    if any(agent.is_calibration for agent in head.agents):
        yield (
            f"{CALIBRATION} calibration agents know the reference patch, or do nothing on purpose. They show the range "
            "of the benchmark, and are not models."
        )


def _agents(agents: tuple[Agent, ...]) -> str:
    heads = ["agent", "name", "kind", "model", "price", "settings"]
    rows = [
        [
            agent_mark(agent.slug, calibration=agent.is_calibration),
            text(agent.name, 60),
            text(agent.kind),
            text(agent.model.litellm_id, 60) if agent.model else "none",
            PRICES[is_priced(agent)],
            _settings(agent),
        ]
        for agent in agents[:MAX_ROWS]
    ]
    if not rows:
        return "No agent made a run."
    left = (
        f"\n\nThe first {MAX_ROWS} of {len(agents):,} agents; all are in `report.json` under `head.agents`."
    )
    return markdown_table(heads, rows) + (left if len(agents) > MAX_ROWS else "")


def _settings(agent: Agent) -> str:
    """The profile, and the settings that differ from it."""
    profile = profile_of(agent).name
    differing = ", ".join(f"{name} {setting(value)}" for name, value in differing_settings(agent).items())
    if not profile:
        return text(differing or "none")
    return text(f"{profile}, but {differing}" if differing else profile)


def _evaluation(each: Evaluation, runs: int, links: ReportLinks) -> str:
    budget = "no budget" if each.budget_usd is None else f"budget {decimal(each.budget_usd)} US$"
    limits = [
        f"{text(name)} {'none' if value is None else text(value)}" for name, value in in_words(each.limits)
    ]
    return (
        f"Evaluation [{text(each.title)}]({links.site}/evaluations/{each.pk}/) ({code(each.slug)}), "
        f"{each.state}: {counted(each.attempts, 'attempt')} planned at each task, "
        f"{counted(runs, 'run')} in all; {budget}; "
        f"limits of a run: {', '.join(limits) or 'not recorded with the evaluation'}; "
        f"started {_minute(each.created_at)}."
    )


def _versions(report: Report) -> Iterator[str]:
    head = report.head
    for dataset in head.datasets:
        yield f"Dataset {text(dataset.title)} ({code(dataset.slug)}), loaded now in version {text(dataset.version)}."
    at_run = ", ".join(
        f"{text(name)} ({counted(count, 'run')})" for name, count in head.datasets_at_run.items()
    )
    harness = ", ".join(f"{text(name)} ({counted(count, 'run')})" for name, count in head.harness.items())
    yield f"Dataset in the runs' own records: {at_run or UNKNOWN}. Harness: {harness or UNKNOWN}."
    limits = [f"{text(name, 200)} ({counted(count, 'run')})" for name, count in head.limits_at_run.items()]
    yield f"Limits in the runs' own records: {'; '.join(limits) or UNKNOWN}."
    yield f"First run started {_minute(head.first_started)}, last one finished {_minute(head.last_finished)}."
    k = result_of(report.results, "outcomes", "outcomes", Outcomes).k
    yield f"Analysis `{report.analysis}`, data `{head.data}`, seed {report.options.seed}, k = {k}."


def _minute(moment: datetime | None) -> str:
    return UNKNOWN if moment is None else f"{moment.astimezone(UTC):%Y-%m-%d %H:%M} UTC"


def bad_lines(report: Report, links: ReportLinks) -> Iterator[str]:
    """Everything known that weakens the results."""
    yield from _unfinished(report, links)
    yield from _lost(report, links)
    yield from _missing(report, links)
    yield from _records(report, links)
    yield from _comparability(report, links)


def left_out(report: Report, links: ReportLinks) -> Iterator[str]:
    """Runs that some results could not use, with the reasons."""
    if not report.left_out:
        return
    rows = [
        [
            text(each.reason),
            f"{len(each.runs):,}",
            links.runs(each.runs, 5),
            some([f"`{name}`" for name in each.results], 3),
        ]
        for each in report.left_out[:MAX_ROWS]
    ]
    yield "Runs that some results could not use (all are in `report.json` under `left_out`):"
    yield markdown_table(["why", "runs", "which", "left out of"], rows)


def _mark(report: Report, slug: str) -> str:
    return agent_mark(slug, calibration=report.head.calibrates(slug))


def _unfinished(report: Report, links: ReportLinks) -> Iterator[str]:
    for evaluation in report.head.evaluations:
        if evaluation.state != "finished":
            yield f"The evaluation {text(evaluation.title)} is {evaluation.state}: these numbers are not final."
        if not evaluation.listed:
            yield f"The evaluation {text(evaluation.title)} is a trial: its runs are in no public number of the site."
    for each in report.head.unfinished:
        yield f"{counted(len(each.runs), 'run')} {each.what}: {links.runs(each.runs)}."


def _lost(report: Report, links: ReportLinks) -> Iterator[str]:
    lost = sum(len(each.runs) for each in report.head.lost)
    if lost:
        reasons = "; ".join(f"{text(each.what)}: {links.runs(each.runs, 5)}" for each in report.head.lost)
        yield (
            f"The infrastructure failed {counted(lost, 'run')} of {len(report.facts):,}. They count neither for nor "
            f"against an agent. By what failed: {reasons}."
        )
    for one in result_of(report.results, "outcomes", "outcomes", Outcomes).agents:
        if one.infrastructure_failed:
            yield (
                f"{_mark(report, one.agent)}: with {counted(one.infrastructure_failed, 'lost run')} counted as failed, "
                f"its pass@1 would be {percent(one.pass_1_strict.value)} instead of {percent(one.pass_1.value)}."
            )


def _missing(report: Report, links: ReportLinks) -> Iterator[str]:
    outcomes = result_of(report.results, "outcomes", "outcomes", Outcomes)
    short = result_of(report.results, "tasks", "shortages", tuple)
    if short:
        pairs = [
            f"{_mark(report, each.agent)} at {links.task(each.task)} ({each.attempts} of {each.planned})"
            for each in short
        ]
        yield (
            f"{counted(len(short), 'pair')} of agent and task with fewer graded attempts than planned, or than others "
            f"made: {some(pairs, MAX_NAMES)}."
        )
    if outcomes.ties.too_small and len(outcomes.agents) > 1:
        yield (
            f"Too few tasks for a significant difference between any two agents: {outcomes.ties.tasks_needed} common "
            "tasks are needed. The order of the leaderboard may be due to chance."
        )
    if outcomes.agents and max(one.most_attempts for one in outcomes.agents) == 1:
        yield "One attempt at each task: the consistency of agents is unknown."


def _records(report: Report, links: ReportLinks) -> Iterator[str]:
    head = report.head
    if head.uncounted:
        yield (
            f"{counted(head.uncounted, 'trajectory is', 'trajectories are')} not counted yet, so results about "
            "behaviour lack them: run `manage.py rebuild_cells --counts`."
        )
    for one in result_of(report.results, "cost", "effort", EffortReport).agents:
        if unknown := one.cost_usd.total.unknown:
            yield (
                f"{_mark(report, one.agent)}: the cost of {unknown:,} of its {counted(one.runs, 'run')} is unknown, so "
                "its dollars are left out; they are not 0."
            )
    yield from (_named(links, each, "with an invalid value in their record") for each in head.odd)
    yield from (_named(links, each, "with a flag on what they changed") for each in head.flagged)


def _named(links: ReportLinks, each: NamedRuns, what: str) -> str:
    return f"{counted(len(each.runs), 'run')} {what} ({text(each.what)}): {links.runs(each.runs, 5)}."


def _comparability(report: Report, links: ReportLinks) -> Iterator[str]:
    head = report.head
    if refused := [links.task(str(task)) for task in head.tasks if not task.admitted]:
        yield (
            f"{counted(len(refused), 'task')} not admitted: no proof that the reference patch passes and the unchanged "
            f"code fails: {some(refused, MAX_NAMES)}."
        )
    if len(head.limits_at_run) > 1:
        yield "The runs had different limits (above): they are not one experiment."
    if len(head.harness) > 1:
        yield f"The runs were made by several versions of the harness: {text(', '.join(head.harness), 300)}."
    if len(head.datasets_at_run) > len({name.rpartition(" ")[0] for name in head.datasets_at_run}):
        versions = text(", ".join(head.datasets_at_run), 300)
        yield f"The runs were made by several versions of a dataset: {versions}."
    if count := head.harness.get(UNKNOWN):
        yield f"{counted(count, 'run')} without a record of the harness version: their directories are not here."
    if known := [agent.slug for agent in head.agents if agent.is_calibration]:
        yield (
            f"{len(known)} of {counted(len(head.agents), 'agent')} are calibration agents: "
            f"{', '.join(_mark(report, slug) for slug in known)}. Their rates are set by construction."
        )

"""A report in Markdown: what was evaluated, the known problems, and one chapter for each topic."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from urllib.parse import quote

from django.urls import reverse

from runs.analysis.cost.effort import EffortReport
from runs.analysis.outcomes.table import Outcomes
from runs.analysis.statistics.known_amounts import MIN_KNOWN
from runs.models import Agent, Evaluation
from runs.operations.evaluations.agent_settings import profile_of
from runs.operations.evaluations.limits_form import in_words
from runs.presentation.analysis_docs import method_path, titles
from runs.presentation.formatting.markdown_text import code, text
from runs.presentation.formatting.numbers import DASH, counted, decimal, percent, plain_spaces
from runs.presentation.formatting.text import setting
from runs.reporting.reports.gather import Report
from runs.reporting.reports.heads import UNKNOWN, NamedRuns, differing_settings, is_priced
from runs.reporting.reports.report_sections import ReportChapter, result_of
from runs.reporting.topics.table_values import MAX_PROSE_LENGTH, TableValue, common_n, shown
from runs.reporting.topics.topic_result import ResultSection, ResultTable, TopicResult

MAX_ROWS = 20
MAX_SENTENCE_LENGTH = 4_000
READING = (
    "How to read this report: 50.0 % (35.2 to 64.8 %, n 6) is a value, its 95 % interval if it has one, and the number "
    "of observations. If all values of a column have the same n, it is in the head of the column. The reason for a "
    "dash is below the table. Links lead to the site that made the report. All results are in `report.json`."
)
MAX_NAMES = 8
PRICES = {True: "known", False: "unknown", None: "—"}
CALIBRATION = "†"
MAX_LINKS = 10


def markdown(report: Report, site: str, plots: Mapping[str, str]) -> str:
    """The whole report. `plots`: the address of each chart by CHAPTER-CHART."""
    links = ReportLinks(site)
    points = [f"- {point}" for point in bad_lines(report, links)]
    parts = [
        f"# {text(report.head.title, 300)}",
        READING,
        "## What was evaluated",
        *evaluated(report, links),
        "## Known problems",
        f"Read this before the numbers below. {links.methods(['excluded'])}",
        "\n".join(points) or "None of those that this report checks.",
        *left_out(report, links),
    ]
    for chapter in report.chapters:
        parts += _chapter(chapter, links, plots)
    return plain_spaces("\n\n".join(part for part in parts if part) + "\n")


def chapters_markdown(title: str, chapters: Sequence[ReportChapter], site: str) -> str:
    """Some chapters without charts, under a title."""
    links = ReportLinks(site)
    parts = [f"# {text(title, 300)}"]
    for chapter in chapters:
        parts += _chapter(chapter, links, {})
    return plain_spaces("\n\n".join(part for part in parts if part) + "\n")


def _chapter(chapter: ReportChapter, links: ReportLinks, plots: Mapping[str, str]) -> Iterator[str]:
    result = chapter.result
    yield f"## {text(chapter.title)}"
    calibration = "with" if result.calibrated else "without"
    yield (
        f"{text(chapter.description, MAX_SENTENCE_LENGTH)} From {counted(result.runs, 'graded run')} at "
        f"{counted(result.tasks, 'task')}, {calibration} those of calibration agents."
    )
    if result.summary:
        yield f"**{text(result.summary, MAX_SENTENCE_LENGTH)}**"
    for section in result.sections:
        yield f"### {text(section.title)}"
        yield f"{text(section.intro, MAX_SENTENCE_LENGTH)} {links.methods(section.methods)}".rstrip()
        for picture in section.comparing:
            yield f"![{text(picture.title, 400)}]({plots[f'{chapter.slug}-{picture.name}']})"
        yield from markdown_of_tables(section, result, links, chapter.slug)


def markdown_of_tables(
    section: ResultSection, result: TopicResult, links: ReportLinks, slug: str
) -> Iterator[str]:
    """The tables of a section, of alternatives the first one. `slug` names the chapter."""
    tables = [table for table in section.tables if table.rows]
    choices = [table for table in tables if table.choice]
    for table in tables:
        if table not in choices[1:]:
            yield markdown_of_table(table, result, links, slug)
    if choices:
        names = ", ".join(f"`{table.name}` ({text(table.choice)})" for table in choices[1:])
        yield f"This is “{text(choices[0].choice)}”. Others are in `report.json`, in `{slug}`: {names}."
    if not tables and not section.comparing:
        yield text(section.empty, MAX_SENTENCE_LENGTH)


def markdown_of_table(table: ResultTable, result: TopicResult, links: ReportLinks, slug: str) -> str:
    """A table with its reasons below. `slug` names the chapter."""
    reasons: dict[str, str] = {}
    ns = [common_n(table, place) for place in range(len(table.columns))]
    heads = [
        text(column.title, 60) + ("" if n is None else f" (n {n:,})")
        for column, n in zip(table.columns, ns, strict=True)
    ]
    rows = [
        [
            _cell(shown(value, column, result, n=n is None), links, reasons)
            for value, column, n in zip(row, table.columns, ns, strict=True)
        ]
        for row in table.rows[:MAX_ROWS]
    ]
    parts = [markdown_table(heads, rows)]
    if len(table.rows) > MAX_ROWS:
        where = f"table `{table.name}` of `{slug}`"
        parts.append(f"The first {MAX_ROWS} of {len(table.rows):,} rows; all are in `report.json`: {where}.")
    if reasons:
        notes = "; ".join(f"({mark}) {text(reason, 400)}" for reason, mark in reasons.items())
        parts.append(f"Without a value: {notes}.")
    return "\n\n".join(parts)


def _cell(value: TableValue, links: ReportLinks, reasons: dict[str, str]) -> str:
    reason = value.why or (value.hint if value.text == DASH else "")
    if reason:
        return f"— ({reasons.setdefault(reason, _letters(len(reasons)))})"
    if value.parts:
        return ", ".join(_cell(part, links, reasons) for part in value.parts)
    name = text(value.text, MAX_PROSE_LENGTH)
    linked = f"[{name}]({links.site}{value.href})" if value.href else name
    mark = f" {CALIBRATION}" if value.chip else ""
    basis = plain_spaces(", ".join(part for part in (value.hint, value.small) if part))
    return f"{linked}{mark}{f' ({basis})' if basis else ''}"


def _letters(place: int) -> str:
    """a, b, … z, aa, ab, …"""
    letters = ""
    place += 1
    while place:
        place, letter = divmod(place - 1, 26)
        letters = chr(ord("a") + letter) + letters
    return letters


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
    heads = ["Agent", "Name", "Kind", "Model", "Price", "Settings"]
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
    yield markdown_table(["Why", "Runs", "Which", "Left out of"], rows)


def _mark(report: Report, slug: str) -> str:
    return agent_mark(slug, calibration=report.head.calibrates(slug))


def _unfinished(report: Report, links: ReportLinks) -> Iterator[str]:
    for evaluation in report.head.evaluations:
        if evaluation.state != "finished":
            state = "has failed" if evaluation.state == "failed" else f"is {evaluation.state}"
            yield f"The evaluation {text(evaluation.title)} {state}: these numbers are not final."
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
            few = unknown <= (1 - MIN_KNOWN) * one.runs
            lost = (
                "its total in dollars is left out, and means are over the others"
                if few
                else "its dollars are left out"
            )
            yield (
                f"{_mark(report, one.agent)}: the cost of {unknown:,} of its {counted(one.runs, 'run')} is unknown, so "
                f"{lost}; they are not 0."
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


@dataclass(frozen=True, slots=True)
class ReportLinks:
    """Markdown links. `site` is the address of the site, without a slash at the end."""

    site: str

    def task(self, name: str) -> str:
        """A link to a task, named repository/task."""
        return f"[{text(name, 80)}]({self.site}/tasks/{quote(name)}/)"

    def run(self, number: int) -> str:
        """A link to a replay."""
        return f"[{number}]({self.site}{reverse('run', args=[number])})"

    def runs(self, numbers: Sequence[int], most: int = MAX_LINKS) -> str:
        """Links to the first runs, and the number of the others."""
        return some([self.run(number) for number in numbers], most)

    def method(self, anchor: str) -> str:
        """A link to how a number is computed. KeyError for an unknown anchor."""
        return f"[{text(titles()[anchor])}]({self.site}{method_path(anchor)})"

    def methods(self, anchors: Sequence[str]) -> str:
        """A sentence with links to several methods; '' for none."""
        return f"How: {', '.join(map(self.method, anchors))}." if anchors else ""


def agent_mark(slug: str, *, calibration: bool) -> str:
    """An agent's slug, with a dagger for a calibration agent."""
    return f"{text(slug, 60)}{f' {CALIBRATION}' if calibration else ''}"


def some(names: Sequence[str], most: int) -> str:
    """A list in a sentence: the first names, and the number of the others."""
    if len(names) <= most:
        return ", ".join(names)
    return f"{', '.join(names[:most])} and {len(names) - most:,} more"


def markdown_table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table of cells that are Markdown already."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)

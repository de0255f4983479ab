"""What was evaluated, and what is known to be bad about it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

from runs.formatting.markdown_text import code, text
from runs.formatting.numbers import decimal
from runs.reports.heads import UNKNOWN, AgentHead, EvaluationHead, Named
from runs.reports.pen import CALIBRATION, Pen, Section
from runs.reports.report_tables import Table
from runs.reports.words import counted, percent, some


def evaluated(pen: Pen) -> Section:
    """Agents × tasks × attempts, settings, versions and dates."""
    head = pen.material.head
    runs = len(pen.material.facts)
    agents = Table("agent", "name", "kind", "model", "price", "settings", of="agents", where="head.agents")
    for agent in head.agents:
        agents.row(
            pen.agent(agent.slug),
            text(agent.name, 60),
            text(agent.kind),
            text(agent.model, 60) or "none",
            {True: "known", False: "unknown", None: "—"}[agent.priced],
            _settings(agent),
        )
    cells = {(run.agent, run.task) for run in pen.material.facts}
    return Section(
        "What was evaluated",
        "",
        [
            f"{counted(len(head.agents), 'agent')} at {counted(len(head.tasks), 'task')}: "
            f"{counted(runs, 'finished run')} over {counted(len(cells), 'pair')} of agent and task.",
            "\n".join(f"- {line}" for line in [*_evaluations(pen), *_versions(pen)]),
            agents.markdown("No agent made a run."),
            f"{CALIBRATION} calibration agents: they know the reference patch, or do nothing on purpose. They show "
            "what the benchmark can tell apart; nobody may take them for models."
            if any(agent.calibration for agent in head.agents)
            else "",
        ],
    )


def _settings(agent: AgentHead) -> str:
    """The profile, and what differs from it."""
    differing = ", ".join(f"{name} {agent.settings[name]}" for name in agent.differing)
    if not agent.profile:
        return text(differing or "none")
    return text(f"{agent.profile}, but {differing}" if differing else agent.profile)


def _evaluations(pen: Pen) -> Iterator[str]:
    for each in pen.material.head.evaluations:
        yield (
            f"Evaluation [{text(each.title)}]({pen.site}/evaluations/{each.number}/) ({code(each.slug)}), "
            f"{each.state}: {counted(each.attempts, 'attempt')} planned at each task, "
            f"{counted(each.runs, 'run')} in all; "
            f"{_budget(each)}; limits of a run: {_limits(each)}; started {_day(each.created_at)}."
        )


def _budget(each: EvaluationHead) -> str:
    return "no budget" if each.budget_usd is None else f"budget {decimal(each.budget_usd)} US$"


def _limits(each: EvaluationHead) -> str:
    said = [f"{text(name)} {'none' if value is None else text(value)}" for name, value in each.limits.items()]
    return ", ".join(said) or "not recorded with the evaluation"


def _versions(pen: Pen) -> Iterator[str]:
    head = pen.material.head
    for dataset in head.datasets:
        yield f"Dataset {text(dataset.title)} ({code(dataset.slug)}), loaded now in version {text(dataset.version)}."
    runs = counted
    at_run = ", ".join(f"{text(name)} ({runs(count, 'run')})" for name, count in head.datasets_at_run.items())
    harness = ", ".join(f"{text(name)} ({runs(count, 'run')})" for name, count in head.harness.items())
    yield f"Dataset in the runs' own records: {at_run or UNKNOWN}. Harness: {harness or UNKNOWN}."
    limits = "; ".join(
        f"{text(held, 200)} ({runs(count, 'run')})" for held, count in head.limits_at_run.items()
    )
    yield f"Limits in the runs' own records: {limits or UNKNOWN}."
    yield f"First run started {_day(head.first_started)}, last one finished {_day(head.last_finished)}."
    options = pen.material.options
    yield (
        f"Analysis `{pen.material.analysis}`, data `{head.data}`, seed {options.seed}, "
        f"k = {pen.material.found.outcomes.k}."
    )


def _day(moment: datetime | None) -> str:
    return UNKNOWN if moment is None else f"{moment.astimezone(UTC):%Y-%m-%d %H:%M} UTC"


def shortcomings(pen: Pen) -> Section:
    """Everything that makes the numbers below worth less than they look."""
    points = [*_unfinished(pen), *_lost(pen), *_missing(pen), *_records(pen), *_comparability(pen)]
    left_out = Table("why", "runs", "which", "left out of", of="reasons", where="left_out")
    for each in pen.material.left_out:
        results = some([f"`{name}`" for name in each.results], 3)
        left_out.row(text(each.reason), f"{len(each.runs):,}", pen.runs(each.runs, 5), results)
    return Section(
        "What is known to be bad",
        "What a reader should hold against the numbers below, before the numbers.",
        [
            "\n".join(f"- {point}" for point in points) or "Nothing that this report looks for.",
            f"Runs that some results could not use:\n\n{left_out.markdown()}" if left_out else "",
        ],
        ("excluded",),
    )


def _unfinished(pen: Pen) -> Iterator[str]:
    for each in pen.material.head.evaluations:
        if each.state != "finished":
            yield f"The evaluation {text(each.title)} is {each.state}: these numbers are not its last."
    yield from (
        f"{counted(len(each.runs), 'run')} {each.what}: {pen.runs(each.runs)}."
        for each in pen.material.head.unfinished
    )


def _lost(pen: Pen) -> Iterator[str]:
    head, found = pen.material.head, pen.material.found
    lost = sum(len(each.runs) for each in head.lost)
    if lost:
        reasons = "; ".join(f"{text(each.what)}: {pen.runs(each.runs, 5)}" for each in head.lost)
        yield (
            f"The infrastructure failed {counted(lost, 'run')} of {len(pen.material.facts):,}. They count for and "
            f"against nobody. By what failed: {reasons}."
        )
    for one in found.outcomes.agents:
        if one.infrastructure_failed:
            yield (
                f"{pen.agent(one.agent)}: had {counted(one.infrastructure_failed, 'lost run')} counted as failures, "
                f"its pass@1 would be {percent(one.pass_1_strict).shown} instead of {percent(one.pass_1).shown}."
            )


def _missing(pen: Pen) -> Iterator[str]:
    found = pen.material.found
    short = found.shortages
    if short:
        told = [
            f"{pen.agent(each.agent)} at {pen.task(each.task)} ({each.attempts} of {each.planned})"
            for each in short
        ]
        pairs = counted(len(short), "pair")
        yield (
            f"{pairs} of agent and task with fewer graded attempts than planned, or than others made: "
            f"{some(told, 8)}."
        )
    if found.outcomes.ties.too_small and len(found.outcomes.agents) > 1:
        yield (
            f"n too small to tell any two agents apart: that takes {found.outcomes.ties.tasks_needed} common tasks. "
            "The order of the leaderboard may be chance."
        )
    if found.outcomes.agents and max(one.most_attempts for one in found.outcomes.agents) == 1:
        yield "One attempt at each task: nothing here says how far an agent would repeat itself."


def _records(pen: Pen) -> Iterator[str]:
    head = pen.material.head
    if head.uncounted:
        yield (
            f"{counted(head.uncounted, 'trajectory waits', 'trajectories wait')} to be counted, so everything about "
            "behaviour is missing there: `manage.py rebuild_cells --counts` does it."
        )
    for one in pen.material.found.effort.agents:
        unknown = one.cost_usd.total.unknown
        if unknown:
            yield (
                f"{pen.agent(one.agent)}: what {unknown:,} of its {counted(one.runs, 'run')} cost is unknown, so its "
                "dollars are left out, and are not 0."
            )
    yield from (_said(pen, each, "with an impossible value in their record") for each in head.odd)
    yield from (_said(pen, each, "with a flag on what they changed") for each in head.flagged)


def _said(pen: Pen, each: Named, what: str) -> str:
    return f"{counted(len(each.runs), 'run')} {what} ({text(each.what)}): {pen.runs(each.runs, 5)}."


def _comparability(pen: Pen) -> Iterator[str]:
    head = pen.material.head
    refused = [pen.task(task.name) for task in head.tasks if not task.admitted]
    if refused:
        yield (
            f"{counted(len(refused), 'task')} not admitted: no proof that the reference patch passes and the untouched "
            f"code fails: {some(refused, 8)}."
        )
    if len(head.limits_at_run) > 1:
        yield "The runs were held to different limits (above): they are not one experiment."
    for what, versions in (
        ("versions of the harness", head.harness),
        ("versions of a dataset", head.datasets_at_run),
    ):
        names = {name.rpartition(" ")[0] for name in versions} if what.endswith("dataset") else {""}
        if len(versions) > len(names):
            yield f"The runs were made by several {what}: {text(', '.join(versions), 300)}."
    if head.harness.get(UNKNOWN):
        count = head.harness[UNKNOWN]
        yield f"{counted(count, 'run')} without a record of the harness that made them: their directories are not here."
    known = [agent for agent in head.agents if agent.calibration]
    if known:
        yield (
            f"{len(known)} of {counted(len(head.agents), 'agent')} calibrate: "
            f"{pen.agents(agent.slug for agent in known)}. Their rates are set by construction."
        )

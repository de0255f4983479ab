"""Passes that write summaries by the stand-ins for judges, over real HTTP, for the tests of this package."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from harness.judges.stand_ins import STAND_INS
from harness.llm.scripted_server import ModelServer
from runs.judging.judge_summaries.summary_jobs import summarise_topic
from runs.judging.reviews.comparison_jobs import compare_pair
from runs.judging.reviews.judging_passes import start_pass, waiting_comparisons, waiting_reviews
from runs.judging.reviews.panel_specs import NewJudge, create_panel
from runs.judging.reviews.pass_summaries import waiting_summaries
from runs.judging.reviews.review_jobs import review_run
from runs.models import JudgeSummary, JudgingPass, LanguageModel, Panel, Run
from tests.runs.cast import Cast, record

DIMENSIONS = ["tool_calls", "pitfalls"]
State = JudgeSummary.State


@contextmanager
def stand_ins() -> Iterator[ModelServer]:
    """The shipped stand-ins for judges."""
    with ModelServer(STAND_INS) as served:
        yield served


def three_runs(cast: Cast) -> list[Run]:
    """Three runs of Alice, one at each of three tasks."""
    alice = cast.alice()
    made = [cast.add_run(alice, task) for task in cast.add_tasks(3)]
    for run in made:
        record(run)
    return made


def runs_of_bob(cast: Cast, runs: list[Run]) -> list[Run]:
    """A run of Bob at the task of each of these."""
    bob = cast.bob()
    made = [cast.add_run(bob, run.task) for run in runs]
    for run in made:
        record(run, astray=True)
    return made


def start(runs: list[Run], server: ModelServer, judge: str = "quoting", **more: Any) -> JudgingPass:
    """A pass over the runs by one stand-in. A second one uses the same panel."""
    values = {"title": "Night watch", "budget_usd": None, "evaluation": runs[0].evaluation, **more}
    return start_pass(panel=_panel(server, judge), runs=runs, **values)


def work(started: JudgingPass) -> JudgingPass:
    """What workers do for the pass's jobs, in their order."""
    for batch in waiting_reviews():
        review_run(*batch[:-1])
    for pair in waiting_comparisons():
        compare_pair(*pair[:-1])
    for _ in range(2):
        for topic in waiting_summaries():
            summarise_topic(*topic[:-1])
    started.refresh_from_db()
    return started


def written(started: JudgingPass) -> list[tuple[Any, ...]]:
    """The summaries of a pass: dimension, state, text and n."""
    return list(started.summaries.order_by("pk").values_list("dimension", "state", "text", "shown"))


def _panel(server: ModelServer, judge: str) -> Panel:
    panel = Panel.objects.filter(slug=judge).first()
    if panel is not None:
        return panel
    model = LanguageModel.objects.create(
        slug=judge,
        name=judge.title(),
        provider="Ada Works",
        litellm_id=f"openai/{judge}",
        api_base=server.url,
        input_price=1.0,
        output_price=1.0,
    )
    return create_panel(slug=judge, title="Panel", dimensions=DIMENSIONS, judges=[NewJudge("Portia", model)])

"""The rule of visibility: which rows everybody may see. Rows of hidden datasets only are not among them.

There is no second rule: pages, API, exports, feed and caches take rows from `without_hidden`, or from
`queries.visibility.visible` where some readers may see more. `tests/test_visibility_rule.py` finds code that does not.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from django.db.models import Exists, Model, OuterRef, Q, QuerySet

from runs.models.agent import Agent, LanguageModel
from runs.models.cell import Cell, CellGroup
from runs.models.evaluation import Evaluation
from runs.models.judge_review import JudgeReview, JudgingPass, Panel, PanelJudge, ReviewEvidence
from runs.models.rating import Rating
from runs.models.result_report import Claim, ReportedTests, ResultReport
from runs.models.run import Counts, Run, RunSign, Try
from tasks.models import Dataset, Repository, Task

_Rows = TypeVar("_Rows", bound=QuerySet[Any, Any])


def without_hidden(rows: _Rows) -> _Rows:
    """These rows without those of hidden datasets. KeyError for a model that the rule does not name."""
    return rows.filter(_RULES[rows.model]())


def _hidden_tasks() -> QuerySet[Any, Any]:
    """Their numbers. They are few."""
    return Task.objects.filter(repository__dataset__hidden=True).values("pk")


def _of_task(path: str) -> Callable[[], Q]:
    """Rows whose task, found by `path`, is in an open dataset."""
    # By a set of tasks, which is small: with a join, databases read the runs by dataset and sort all of them.
    return lambda: ~Q(**{f"{path}__in": _hidden_tasks()})


def _evaluation() -> Q:
    """At least one of its runs is visible: otherwise its title, counts and costs are about hidden tasks only."""
    return Q(Exists(without_hidden(Run.objects.filter(evaluation=OuterRef("pk")))))


def _agent() -> Q:
    """One of its runs is visible, or it has none. An agent that ran at hidden tasks only is hidden with them."""
    runs = Run.objects.filter(agent=OuterRef("pk"))
    # By sets of tasks: databases look each up by agent and task, however many runs an agent has. The hidden ones, which
    # are few, first: for 50 agents at 660 open tasks that takes 0.3 ms instead of 2.0 ms.
    hidden = runs.filter(task__in=_hidden_tasks())
    return ~Q(Exists(hidden)) | Q(
        Exists(runs.filter(task__in=without_hidden(Task.objects.all()).values("pk")))
    )


def _model() -> Q:
    """One of its agents is visible, or it has none."""
    agents = Agent.objects.filter(model=OuterRef("pk"))
    return Q(Exists(without_hidden(agents))) | ~Q(Exists(agents))


def _judging_pass() -> Q:
    """At least one of its reviews is of a visible run."""
    return Q(Exists(without_hidden(JudgeReview.objects.filter(judging_pass=OuterRef("pk")))))


def _panel() -> Q:
    """One of its passes is visible, or it has none."""
    passes = JudgingPass.objects.filter(panel=OuterRef("pk"))
    return Q(Exists(without_hidden(passes))) | ~Q(Exists(passes))


def _panel_judge() -> Q:
    """Its panel is visible."""
    return Q(Exists(without_hidden(Panel.objects.filter(pk=OuterRef("panel")))))


_RULES: Mapping[type[Model], Callable[[], Q]] = {
    Dataset: lambda: Q(hidden=False),
    Repository: lambda: Q(dataset__hidden=False),
    Task: lambda: Q(repository__dataset__hidden=False),
    Run: _of_task("task"),
    Cell: _of_task("task"),
    CellGroup: lambda: Q(dataset__hidden=False),
    Try: _of_task("run__task"),
    Counts: _of_task("run__task"),
    RunSign: _of_task("run__task"),
    JudgeReview: _of_task("run__task"),
    ReviewEvidence: _of_task("review__run__task"),
    Rating: _of_task("run__task"),
    JudgingPass: _judging_pass,
    Panel: _panel,
    PanelJudge: _panel_judge,
    ReportedTests: _of_task("run__task"),
    ResultReport: lambda: Q(dataset__hidden=False),
    Claim: lambda: Q(report__dataset__hidden=False),
    Evaluation: _evaluation,
    Agent: _agent,
    LanguageModel: _model,
}
RULED = tuple(_RULES)  # the models whose rows may be hidden

"""The rule of visibility: which rows everybody may see. Rows of hidden datasets only are not among them, nor are those
of the fault catalogue, whose runs are no results: only pages that show one run, and the page of judges, have them.

There is no second rule: pages, API, exports, feed and caches take rows from `without_hidden`, or from
`queries.visibility.visible` where some readers may see more. `tests/test_visibility_rule.py` finds code that does not.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, TypeVar

from django.db.models import Exists, Model, OuterRef, Q, QuerySet

from runs.models.agent import Agent, LanguageModel
from runs.models.cell import Cell, CellGroup
from runs.models.evaluation import FAULT_CATALOGUE, Evaluation
from runs.models.generation_job import GenerationJob
from runs.models.judge_review import JudgeReview, JudgingPass, Panel, PanelJudge, ReviewEvidence
from runs.models.judge_summary import JudgeSummary, SummaryGroup, SummarySource
from runs.models.play_session import PlaySession
from runs.models.rating import Rating, StepNote
from runs.models.recall_probe import RecallProbe
from runs.models.result_report import Claim, ReportedTests, ResultReport, TrajectorySource
from runs.models.run import Counts, Run, RunExploit, RunSign, Try
from runs.models.run_comparison import ComparisonLine, ComparisonOrder, RunComparison
from runs.models.scheduled_check import Delivery, RegressionCheck, RegressionFinding, Schedule
from runs.models.submission import RunGrading, Submission, SubmittedRun
from runs.models.upload import Upload, UploadToken
from tasks.models import Dataset, Repository, RepositoryMap, Task, TaskProof

_Rows = TypeVar("_Rows", bound=QuerySet[Any, Any])


def without_hidden(rows: _Rows, *, unless: bool = False) -> _Rows:
    """These rows without those of hidden datasets; all of them with `unless`, for an operator's report of hidden runs.

    KeyError for a model that the rule does not name.
    """
    condition = _CONDITIONS[rows.model]
    return rows if unless else rows.filter(condition())


def with_fault_catalogue(rows: _Rows) -> _Rows:
    """These rows without those at hidden tasks, but with those of the fault catalogue.

    Of runs, reviews and their evidence; KeyError for other models.
    """
    return rows.filter(_of_task(f"{_RUN[rows.model]}task")())


def without_quotes_of(rows: _Rows, tasks: QuerySet[Task]) -> _Rows:
    """These rows without those that quote what was done at one of these tasks: a patch, a transcript, a solution.

    Of models in QUOTING; KeyError for others, which have counts and outcomes only.
    """
    return rows.exclude(**{f"{_QUOTED_TASK[rows.model]}__in": tasks.values("pk")})


def _hidden_tasks() -> QuerySet[Any, Any]:
    """Their numbers. They are few.

    By a set of repositories: with joins, SQLite begins with all tasks, and for 2,300 of them each query that leaves
    hidden rows out takes 0.3 ms more.
    """
    repositories = Repository.objects.filter(dataset__hidden=True)
    return Task.objects.filter(repository__in=repositories.values("pk")).values("pk")


def _of_task(path: str) -> Callable[[], Q]:
    """Rows whose task, found by `path`, is in an open dataset."""
    # By a set of tasks, which is small: with a join, databases read the runs by dataset and sort all of them.
    return lambda: ~Q(**{f"{path}__in": _hidden_tasks()})


def _of_run(path: str) -> Callable[[], Q]:
    """Rows whose run, found by `path`, is at a visible task and not of the fault catalogue."""
    # Evaluations of that origin are one or none.
    catalogue = Evaluation.objects.filter(origin=FAULT_CATALOGUE)
    return lambda: _of_task(f"{path}task")() & ~Q(**{f"{path}evaluation__in": catalogue.values("pk")})


def _of_runs(path: str = "") -> Callable[[], Q]:
    """Rows of a comparison, found by `path`, both runs of which are visible."""
    both = [_of_run(f"{path}{run}__") for run in ("run_one", "run_two")]
    return lambda: both[0]() & both[1]()


def _summary(path: str = "") -> Callable[[], Q]:
    """Rows of a summary, found by `path`. All of its runs are at tasks of its dataset, and by its agents."""
    catalogue = {f"{path}agent__origin": FAULT_CATALOGUE}
    return lambda: Q(**{f"{path}dataset__hidden": False}) & ~Q(**catalogue)


def _evaluation() -> Q:
    """At least one of its runs is visible: otherwise its title, counts and costs are about hidden tasks only."""
    return Q(Exists(without_hidden(Run.objects.filter(evaluation=OuterRef("pk")))))


def _agent() -> Q:
    """One of its runs is visible, or it has none. An agent that ran at hidden tasks only is hidden with them.

    The agent of the fault catalogue has no other runs.
    """
    runs = Run.objects.filter(agent=OuterRef("pk"))
    # By sets of tasks: databases look each up by agent and task, however many runs an agent has. The hidden ones, which
    # are few, first: for 50 agents at 660 open tasks that takes 0.3 ms instead of 2.0 ms.
    hidden = runs.filter(task__in=_hidden_tasks())
    ran_at_open = Exists(runs.filter(task__in=without_hidden(Task.objects.all()).values("pk")))
    return ~Q(origin=FAULT_CATALOGUE) & (~Q(Exists(hidden)) | Q(ran_at_open))


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


def _recall_probe() -> Q:
    """By a visible model, of an open task that names its targets.

    Otherwise the number would help to find a target: a model can be asked for all functions, and one has this number.
    """
    shown_models = without_hidden(LanguageModel.objects.all()).values("pk")
    return _of_task("task")() & Q(task__mode=Task.Mode.REMOVE, model__in=shown_models)


# Where the run of a row is.
_RUN: Mapping[type[Model], str] = {Run: "", JudgeReview: "run__", ReviewEvidence: "review__run__"}

# Where the task of a row is whose texts quote a run or the solution. Both runs of a comparison are at one task.
_QUOTED_TASK: Mapping[type[Model], str] = {
    JudgeReview: "run__task",
    ReviewEvidence: "review__run__task",
    RunComparison: "run_one__task",
    ComparisonOrder: "comparison__run_one__task",
    ComparisonLine: "order__comparison__run_one__task",
    Rating: "run__task",
    StepNote: "run__task",
    RecallProbe: "task",
}


def _schedule(path: str = "pk") -> Q:
    """None of its tasks is hidden: its checks are about all of them together."""
    hidden = Schedule.tasks.through.objects.filter(task__in=_hidden_tasks()).values("schedule")
    return ~Q(**{f"{path}__in": hidden})


def _regression_check(path: str = "") -> Callable[[], Q]:
    """None of the candidate's runs is hidden, none of the anchor's, and no task of the schedule."""

    def rule() -> Q:
        hidden = Run.objects.filter(task__in=_hidden_tasks()).values("evaluation")
        checks = RegressionCheck.objects.filter(Q(candidate__in=hidden) | Q(anchor__in=hidden)).values("pk")
        return ~Q(**{f"{path or 'pk'}__in": checks}) & _schedule(f"{path}__schedule" if path else "schedule")

    return rule


FOR_OPERATORS: tuple[type[Model], ...] = (Upload, UploadToken, Submission, SubmittedRun)
"""Models whose rows readers never see: what is sent to the site, until it is imported."""

_RULES: Mapping[type[Model], Callable[[], Q]] = {
    Dataset: lambda: Q(hidden=False),
    Repository: lambda: Q(dataset__hidden=False),
    Task: lambda: Q(repository__dataset__hidden=False),
    RepositoryMap: lambda: Q(repository__dataset__hidden=False),
    TaskProof: lambda: Q(task__repository__dataset__hidden=False),
    Run: _of_run(_RUN[Run]),
    Cell: _of_task("task"),
    CellGroup: lambda: Q(dataset__hidden=False),
    Try: _of_run("run__"),
    Counts: _of_run("run__"),
    RunSign: _of_run("run__"),
    RunExploit: _of_run("run__"),
    JudgeReview: _of_run(_RUN[JudgeReview]),
    ReviewEvidence: _of_run(_RUN[ReviewEvidence]),
    RunComparison: _of_runs(),
    ComparisonOrder: _of_runs("comparison__"),
    ComparisonLine: _of_runs("order__comparison__"),
    JudgeSummary: _summary(),
    SummarySource: _summary("summary__"),
    SummaryGroup: _summary("summary__"),
    Rating: _of_run("run__"),
    StepNote: _of_run("run__"),
    PlaySession: _of_run("run__"),
    JudgingPass: _judging_pass,
    Panel: _panel,
    PanelJudge: _panel_judge,
    ReportedTests: _of_run("run__"),
    TrajectorySource: _of_run("run__"),
    RunGrading: _of_run("run__"),
    RecallProbe: _recall_probe,
    Schedule: _schedule,
    RegressionCheck: _regression_check(),
    RegressionFinding: _regression_check("check_of"),
    Delivery: _regression_check("check_of"),
    GenerationJob: lambda: Q(dataset__hidden=False, hidden=False),
    ResultReport: lambda: Q(dataset__hidden=False),
    Claim: lambda: Q(report__dataset__hidden=False),
    Evaluation: _evaluation,
    Agent: _agent,
    LanguageModel: _model,
    **dict.fromkeys(FOR_OPERATORS, lambda: Q(pk__in=())),
}
# Made once per process: that of agents takes 0.7 ms of CPU time. They hold queries, which Django copies, and no rows.
_CONDITIONS: Mapping[type[Model], Callable[[], Q]] = {model: cache(rule) for model, rule in _RULES.items()}
QUOTING = tuple(_QUOTED_TASK)  # the models whose rows quote a run or a solution
RULED = tuple(_RULES)  # the models whose rows may be hidden

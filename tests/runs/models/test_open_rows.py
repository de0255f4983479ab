"""The rule of visibility, for each model that it names."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db.models import Model, QuerySet
from django.utils import timezone

from runs.models import (
    Agent,
    Cell,
    CellGroup,
    Claim,
    ComparisonLine,
    ComparisonOrder,
    Counts,
    Delivery,
    Evaluation,
    GenerationJob,
    JudgeReview,
    JudgeSummary,
    JudgingPass,
    LanguageModel,
    Panel,
    PanelJudge,
    PlaySession,
    Rating,
    RecallProbe,
    RegressionCheck,
    RegressionFinding,
    ReportedTests,
    ResultReport,
    ReviewEvidence,
    Run,
    RunComparison,
    RunExploit,
    RunGrading,
    RunSign,
    Schedule,
    Snapshot,
    StepNote,
    Submission,
    SubmittedRun,
    SummaryGroup,
    SummarySource,
    TrajectorySource,
    Try,
    Upload,
    UploadToken,
)
from runs.models.open_rows import FOR_OPERATORS, RULED, without_hidden
from tasks.loading import hide
from tasks.models import Dataset, Repository, RepositoryMap, Task, TaskProof
from tests.runs.cast import Cast, add_try
from tests.runs.panels import (
    add_comparison,
    add_evidence,
    add_order,
    add_panel,
    add_pass,
    add_rating,
    add_review,
    add_summary,
)

pytestmark = pytest.mark.django_db
OPENED = [model for model in RULED if model not in FOR_OPERATORS]


@pytest.fixture
def cast() -> Cast:
    return Cast()


def shown(model: type[Model]) -> int:
    """How many of its rows everybody may see."""
    rows: QuerySet[Any] = model._default_manager.all()
    return without_hidden(rows).count()


def test_it_names_every_model_that_belongs_to_a_dataset() -> None:
    assert set(RULED) == {
        *(Dataset, Repository, RepositoryMap, Task, TaskProof),
        *(Agent, LanguageModel, Evaluation, Run, Try, Cell, CellGroup, Counts, RunSign, RunExploit),
        GenerationJob,
        *(ResultReport, Claim, ReportedTests, TrajectorySource),
        *(Panel, PanelJudge, JudgingPass, JudgeReview, ReviewEvidence),
        *(RunComparison, ComparisonOrder, ComparisonLine),
        *(JudgeSummary, SummarySource, SummaryGroup),
        *(Schedule, RegressionCheck, RegressionFinding, Delivery),
        *(Rating, StepNote, RecallProbe, PlaySession),
        RunGrading,
        *(Upload, UploadToken, Submission, SubmittedRun),  # readers see none of them
    }


def test_a_model_without_a_rule_is_an_error() -> None:
    with pytest.raises(KeyError):
        without_hidden(User.objects.all())
    with pytest.raises(KeyError):
        without_hidden(Snapshot.objects.all())


def test_all_that_belongs_to_a_dataset_goes_and_comes_with_it(cast: Cast) -> None:
    (run,) = cast.add_cell(cast.alice(), cast.add_tasks(1)[0], [5])
    add_try(run, 1, Try.State.SETTLED)
    Counts.objects.create(run=run, version=1)
    RunSign.objects.create(run=run, mode="x")
    RunExploit.objects.create(run=run, pattern="x", strength="success")
    report = ResultReport.objects.create(evaluation=cast.evaluation, dataset=cast.dataset)
    Claim.objects.create(report=report, name="Alice", metric="pass_at_1", printed="1")
    ReportedTests.objects.create(run=run)
    RunGrading.objects.create(run=run, graded_at=timezone.now(), claimed_outcome="resolved", claimed_passed=8)
    TrajectorySource.objects.create(run=run, form="ATIF", file="a.json", digest="0")
    RepositoryMap.objects.create(repository=cast.repository, content=b"")
    assert run.agent.model
    judge = add_panel(run.agent.model)
    started = add_pass(judge)
    add_evidence(add_review(started, judge, run))
    add_order(add_comparison(started, judge, (run, run)), 1, -3)
    add_summary(started, judge, [run])
    schedule = Schedule.objects.create(title="Night watch", agent=run.agent)
    schedule.tasks.add(run.task)
    check = RegressionCheck.objects.create(
        schedule=schedule, due_at=timezone.now(), candidate=cast.evaluation
    )
    RegressionFinding.objects.create(check_of=check, place=1)
    Delivery.objects.create(schedule=schedule, due_at=check.due_at, channel="email", check_of=check)
    add_rating(run)
    StepNote.objects.create(run=run, run_try=1, step=3, author_name="p-ada", text="Here.")
    GenerationJob.objects.create(
        dataset=cast.dataset, hidden=False, least_removal=5, least_corruption=2, suite_seconds=60
    )
    assert Task.objects.update(mode=Task.Mode.REMOVE) == 1
    RecallProbe.objects.create(model=run.agent.model, task=run.task, similarity=0.5, equal=False)
    PlaySession.objects.create(run=run, pseudonym="p-ada")
    cast.settle()
    assert {model: shown(model) for model in OPENED} == dict.fromkeys(OPENED, 1)

    hide(cast.dataset, hidden=True)
    assert {model: shown(model) for model in OPENED} == dict.fromkeys(OPENED, 0)

    hide(cast.dataset, hidden=False)
    assert {model: shown(model) for model in OPENED} == dict.fromkeys(OPENED, 1)


def test_an_evaluation_of_open_and_hidden_tasks_is_shown(cast: Cast) -> None:
    alice = cast.alice()
    cast.add_run(alice, cast.add_hidden_task())
    assert shown(Evaluation) == 0

    cast.add_run(alice, cast.add_tasks(1)[0])

    assert (shown(Evaluation), shown(Run), shown(Agent), shown(LanguageModel)) == (1, 1, 1, 1)


def test_an_agent_without_runs_and_a_model_without_agents_are_shown(cast: Cast) -> None:
    cast.add_model("Analytical")
    bob = cast.bob()
    assert (shown(Agent), shown(LanguageModel)) == (1, 2)

    cast.add_run(bob, cast.add_hidden_task())

    assert (shown(Agent), shown(LanguageModel)) == (0, 1)


def test_an_evaluation_without_runs_is_not_shown(cast: Cast) -> None:
    assert (Evaluation.objects.count(), shown(Evaluation)) == (1, 0)
    assert cast.evaluation.pk


def test_what_a_model_recalls_of_a_target_that_a_task_does_not_name_is_not_shown(cast: Cast) -> None:
    (task,) = cast.add_tasks(1)
    RecallProbe.objects.create(model=cast.add_model("Analytical"), task=task, similarity=0.5, equal=False)
    for mode in Task.Mode:
        Task.objects.update(mode=mode)
        assert shown(RecallProbe) == (mode == Task.Mode.REMOVE)

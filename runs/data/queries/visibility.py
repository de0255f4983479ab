"""Who may see what: hidden datasets, the output of gradings, and what is hidden from people who play a task.

Numbers over many runs (leaderboard, heatmaps, analysis) use open datasets only, for everybody, so that there is one
version of them. Code that shows single objects starts from the functions below. The rule itself is `models.open_rows`.
"""

from __future__ import annotations

from typing import Any, TypeVar

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db.models import Q, QuerySet

from runs.data.queries.blind_sessions import tasks_hidden_from
from runs.models import Agent, Evaluation
from runs.models.open_rows import QUOTING, without_hidden, without_quotes_of
from tasks.models import Dataset, Repository, Task

Reader = AbstractBaseUser | AnonymousUser
ANONYMOUS = AnonymousUser()  # the reader of data that are the same for everyone
_Rows = TypeVar("_Rows", bound=QuerySet[Any, Any])


def is_operator(reader: Reader) -> bool:
    """Whether the reader may start, cancel and retry evaluations."""
    return _may(reader, "runs.start_evaluation")


def sees_hidden(reader: Reader) -> bool:
    """Whether the reader may see hidden datasets: an operator, or staff with the permission for it."""
    return is_operator(reader) or _may(reader, "tasks.view_hidden")


def sees_grading_output(reader: Reader) -> bool:
    """Whether the reader may see what tests printed while they ran: a patch can make it quote the hidden tests."""
    return is_operator(reader)


def sees_test_messages(reader: Reader, dataset: Dataset) -> bool:
    """Whether the reader may see what hidden tests of this dataset say when they fail.

    Everybody may if the dataset is open and declares its messages public; else only who sees the whole output.
    """
    return sees_grading_output(reader) or (dataset.public_messages and not dataset.hidden)


def is_rater(reader: Reader) -> bool:
    """Whether the reader may rate runs."""
    return _may(reader, "runs.rate_run")


def is_player(reader: Reader) -> bool:
    """Whether the reader may play tasks."""
    return _may(reader, "runs.play")


def visible(rows: _Rows, reader: Reader) -> _Rows:
    """The rows that this reader may see, of any model that the rule names.

    Rows that quote a task which the reader plays now are not among them, see `blind_sessions`.
    """
    hidden = tasks_hidden_from(reader) if rows.model in QUOTING else None
    shown = rows if hidden is None else without_quotes_of(rows, hidden)
    return shown if sees_hidden(reader) else without_hidden(shown)


def visible_related(path: str, rows: QuerySet[Any, Any], reader: Reader) -> Q:
    """A condition for counts over a relation, which `path` names: of its rows, those that this reader may see."""
    return Q() if sees_hidden(reader) else Q(**{f"{path}__in": visible(rows, reader)})


def visible_datasets(reader: Reader) -> QuerySet[Dataset]:
    """The datasets that this reader may see."""
    return visible(Dataset.objects.all(), reader)


def visible_repositories(reader: Reader) -> QuerySet[Repository]:
    """The repositories that this reader may see, with their datasets."""
    return visible(Repository.objects.select_related("dataset"), reader)


def visible_tasks(reader: Reader) -> QuerySet[Task]:
    """The tasks that this reader may see, with their repositories and datasets."""
    return visible(Task.objects.select_related("repository", "repository__dataset"), reader)


def visible_evaluations(reader: Reader) -> QuerySet[Evaluation]:
    """The evaluations that this reader may see: those with a visible run."""
    return visible(Evaluation.objects.all(), reader)


def visible_agents(reader: Reader) -> QuerySet[Agent]:
    """The agents that this reader may see, with their models."""
    return visible(Agent.objects.select_related("model"), reader)


def rights(reader: Reader) -> str:
    """Names what the reader may see now, for keys of caches: it changes when a dataset is hidden or opened."""
    hidden = without_hidden(Dataset.objects.all()).order_by("pk").values_list("pk", "revision")
    return repr((sees_hidden(reader), sees_grading_output(reader), list(hidden)))


def _may(reader: Reader, permission: str) -> bool:
    """Whether the reader is active staff with this permission. Anonymous readers have none."""
    return reader.is_active and reader.is_staff and reader.has_perm(permission)  # type: ignore[attr-defined]

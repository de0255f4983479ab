"""What `templates/runs/judging/_agreement.html` shows: how people agree with themselves, each other, and judges."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import F

from harness.judges.dimensions import dimensions
from runs.analysis.estimate import Estimate
from runs.analysis.judging.people_agreement import PeopleAgreement, people_agreement
from runs.analysis.judging.review_scores import ReviewScore
from runs.data.queries.visibility import Reader, visible
from runs.judging.reviews.measured_reviews import scenario_name
from runs.models import JudgeReview, Rating

_TASK = ("run__task", "run__task__scenario", "run__task__repository")


@dataclass(frozen=True, slots=True)
class AgreementRow:
    """One line of the table. `same`: the share of equal scores; None for alpha, which is of more than two."""

    dimension: str
    who: str
    measure: str
    value: Estimate
    same: Estimate | None


def agreement_context(reader: Reader) -> dict[str, Any]:
    """The names in the template: `people` (how many), `ratings` (runs that were rated, counted for each
    person), and rows in `selves`, `others` and `judges`.
    """
    ratings = _ratings(reader)
    found = people_agreement(ratings, _reviews(reader))
    titles = {name: each.title for name, each in dimensions().items()}
    order = list(titles)
    found = tuple(
        sorted(found, key=lambda one: order.index(one.dimension) if one.dimension in order else len(order))
    )
    return {
        "people": len({one.judge for one in ratings}),
        "ratings": len({(one.judge, one.run) for one in ratings}),
        "selves": [row for one in found for row in _selves(one, titles)],
        "others": [row for one in found for row in _others(one, titles)],
        "judges": [row for one in found for row in _judges(one, titles)],
    }


def _selves(found: PeopleAgreement, titles: Mapping[str, str]) -> list[AgreementRow]:
    title = titles.get(found.dimension, found.dimension)
    return [AgreementRow(title, one.person, "kappa", one.kappa, one.same) for one in found.repeated]


def _others(found: PeopleAgreement, titles: Mapping[str, str]) -> list[AgreementRow]:
    title = titles.get(found.dimension, found.dimension)
    return [
        AgreementRow(title, _group(found), "alpha", found.alpha, None),
        *(
            AgreementRow(title, f"{one.first} and {one.second}", "kappa", one.kappa, one.same)
            for one in found.pairs
        ),
    ]


def _group(found: PeopleAgreement) -> str:
    """The people whose alpha it is; if it is undefined, its reason names the others."""
    if not found.left_out or found.alpha.value is None:
        return "all people"
    return f"all people but {' and '.join(found.left_out)}, who gave every run one score"


def _judges(found: PeopleAgreement, titles: Mapping[str, str]) -> list[AgreementRow]:
    title = titles.get(found.dimension, found.dimension)
    return [
        AgreementRow(title, f"{one.first} and {one.second}", "kappa", one.kappa, one.same)
        for one in found.with_judges
    ]


def _ratings(reader: Reader) -> list[ReviewScore]:
    rows = visible(Rating.objects.filter(run_try=F("run__tries")), reader).order_by("pk")
    return [
        ReviewScore(name, dimension, str(run), scenario_name(*task), score, number)
        for name, dimension, run, score, number, *task in rows.values_list(
            "rater_name", "dimension", "run", "score", "round", *_TASK
        )
    ]


def _reviews(reader: Reader) -> list[ReviewScore]:
    """The scores of the runs that people rated. Of equal reviews in several passes, the newest counts."""
    rated = visible(Rating.objects.all(), reader).values("run")
    done = {"state": JudgeReview.State.DONE, "run_try": F("run__tries")}
    rows = visible(JudgeReview.objects.filter(run__in=rated, **done), reader)
    stored = list(
        rows.order_by("pk").values_list(
            "judge__name", "judge__model__name", "dimension", "run", "sample", "score", *_TASK
        )
    )
    names = _judge_names(stored)
    newest = {
        (names[name, model], dimension, run, sample): ReviewScore(
            names[name, model], dimension, str(run), scenario_name(*task), score, sample
        )
        for name, model, dimension, run, sample, score, *task in stored
    }
    return list(newest.values())


def _judge_names(stored: Sequence[tuple[Any, ...]]) -> Mapping[tuple[str, str], str]:
    """How each judge is named: with its model if judges of several models have the name."""
    models: dict[str, set[str]] = defaultdict(set)
    for name, model, *_ in stored:
        models[name].add(model)
    return {
        (name, model): f"judge {name}" + (f" ({model})" if len(several) > 1 else "")
        for name, several in models.items()
        for model in several
    }

"""Whether people agree with themselves, with each other, and with judges."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from runs.analysis.estimate import Estimate
from runs.analysis.judging.judge_agreement import DRAWS, JudgePair, judge_agreement
from runs.analysis.judging.review_scores import ReviewScore, grouped
from runs.analysis.method import Section, method


@dataclass(frozen=True, slots=True)
class PersonRepeated:
    """One person's first and second scores of the same runs (the n of both). `same`: the share of equal ones."""

    person: str
    kappa: Estimate
    same: Estimate


@dataclass(frozen=True, slots=True)
class PeopleAgreement:
    """The people of one dimension. `first` of each of `with_judges` is the person, `second` the judge.

    `left_out`: each person that is not part of `alpha`, and why.
    """

    dimension: str
    people: tuple[str, ...]
    alpha: Estimate
    pairs: tuple[JudgePair, ...]
    repeated: tuple[PersonRepeated, ...]
    with_judges: tuple[JudgePair, ...]
    left_out: Mapping[str, str]


@method(
    "people-agreement",
    "Agreement of people",
    Section.JUDGES,
    2,
    short=(
        "Krippendorff’s alpha and Cohen’s kappa between people, and between people and judges; 1 is "
        "full agreement."
    ),
    example=(
        "A kappa of 0.7 with a judge, and of 0.75 among people: the judge is nearly as close to "
        "people as they are to each other."
    ),
)
def people_agreement(
    ratings: Iterable[ReviewScore], reviews: Iterable[ReviewScore], *, draws: int = DRAWS, seed: int = 0
) -> tuple[PeopleAgreement, ...]:
    """The agreement of people in each dimension that a person rated.

    Of `ratings`, `judge` is the person and `sample` the round: 1, then 2 for a run that the same person rated again
    without seeing the first rating. `reviews` are those of judges. ValueError if a person has the name of a judge, or
    a run is scored twice in one round.

    Formula: people with each other, and a person with a judge, as in `judge_agreement`, over the first scores that each
    gave: Krippendorff's ordinal alpha of all people, and Cohen's kappa with quadratic weights of each two. A person
    with themselves: the same kappa between the first and the second scores, over the runs that they rated twice.

    Source: see `judge_agreement`. A person's agreement with themselves is the most that a judge's agreement with
    them can be expected to reach.

    Units: alpha and kappa from below 0 to 1: 0 is the agreement of chance. n counts runs.

    Small n: undefined below two runs in common, and where one of the two gave one score to all runs; alpha is that of
    the people who did not. The person may remember a run, so the agreement with themselves is rather too high.
    """
    reviewed = grouped(reviews, "dimension")
    rows = []
    for (dimension,), theirs in grouped(ratings, "dimension").items():
        first = [rating for rating in theirs if rating.sample == 1]
        if not first:
            continue
        (among,) = judge_agreement(first, draws=draws, seed=seed)
        judged = reviewed.get((dimension,), [])
        people = grouped(first, "judge")
        if shared := {(review.judge,) for review in judged} & people.keys():
            raise ValueError(f"{min(shared)[0]} is the name of a person and of a judge")
        rows.append(
            PeopleAgreement(
                dimension,
                among.judges,
                _of_people(among.alpha),
                among.pairs,
                tuple(
                    _repeated(person, items, draws, seed)
                    for (person,), items in grouped(theirs, "judge").items()
                ),
                tuple(
                    _pair(person, judge, [*own, *its], draws, seed)
                    for (person,), own in people.items()
                    for (judge,), its in grouped(judged, "judge").items()
                ),
                among.left_out,
            )
        )
    return tuple(rows)


def _of_people(alpha: Estimate) -> Estimate:
    """The estimate, with a reason about people instead of judges."""
    if not alpha.reason:
        return alpha
    reason = alpha.reason.replace("one judge", "one person").replace("two judges", "two people")
    return Estimate.unknown(reason, alpha.n)


def _repeated(person: str, items: Sequence[ReviewScore], draws: int, seed: int) -> PersonRepeated:
    twice = {rating.run for rating in items if rating.sample == 2}
    rounds = [
        replace(rating, judge=_ROUNDS[rating.sample])
        for rating in items
        if rating.run in twice and rating.sample in _ROUNDS
    ]
    pair = _pair(_ROUNDS[1], _ROUNDS[2], rounds, draws, seed)
    return PersonRepeated(person, pair.kappa, pair.same)


_ROUNDS = {1: "the first round", 2: "the second round"}


def _pair(first: str, second: str, items: Sequence[ReviewScore], draws: int, seed: int) -> JudgePair:
    """The two, in this order. Undefined if one of them scored nothing."""
    if len({rating.judge for rating in items}) > 1:
        ((pair,),) = (each.pairs for each in judge_agreement(items, draws=draws, seed=seed))
        return replace(pair, first=first, second=second)
    nothing = Estimate.unknown("no run has both scores")
    return JudgePair(first, second, nothing, nothing)

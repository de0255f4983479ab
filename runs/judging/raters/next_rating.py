"""Chooses the run that a person rates next."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from django.contrib.auth.models import User
from django.db.models import Exists, Min, OuterRef, QuerySet
from django.utils.crypto import salted_hmac

from harness.judges.panel import JudgeParameters
from harness.judges.rendering import Rendered
from harness.judges.review import JudgedRun
from harness.records import TRAJECTORY
from runs.data.queries.blind_sessions import without_hidden_while_playing
from runs.data.queries.visibility import visible
from runs.judging.raters.rater_names import is_own
from runs.judging.reviews.judging_passes import judged_runs
from runs.models import JudgeReview, Rating, Run

# So many other transcripts stand between a rating and its repeat, and between two repeats. Fewer would measure memory;
# more would leave most people, who rate few runs, without a repeat. One rating in six is a repeat.
OTHERS_BETWEEN = 5
MAX_CHARACTERS = JudgeParameters().most_characters  # what judges read
_MAX_TRIED = 50  # runs of one agent whose directories are looked for
_SALT = "runs.raters.next_rating"


@dataclass(frozen=True, slots=True)
class NextRating:
    """A run and its text. `round` 2: the person has rated it before."""

    run: Run
    round: int
    rendered: Rendered


def next_rating(user: User) -> NextRating | None:
    """The run that this person rates next; the same one until a rating is saved. None if there is nothing to rate.

    Runs that judges have reviewed come first. Each agent has the same chance, whatever the number of its runs. After
    OTHERS_BETWEEN ratings of other runs, the run that was rated longest ago and once comes again. When no new run is
    left, such repeats remain.
    """
    rated = _rated(user)
    repeats, since = _repeats(rated)
    if since >= OTHERS_BETWEEN and (found := _first(user, repeats)):
        return NextRating(found[0], 2, found[1])
    dice = random.Random(salted_hmac(_SALT, f"{user.pk} {len(rated)}", algorithm="sha256").digest())
    shown = without_hidden_while_playing(visible(Run.objects.all(), user), user)
    runs = judged_runs(shown).exclude(pk__in=[run for run, _ in rated])
    for some in (runs.filter(Exists(_reviews())), runs):
        if found := _drawn(some, dice):
            return NextRating(found[0], 1, found[1])
    found = _first(user, repeats)
    return NextRating(found[0], 2, found[1]) if found else None


def text_of(run: Run) -> Rendered | None:
    """The text of a run as judges see it; None if this machine does not have it, or it cannot be read."""
    if not (run.path / TRAJECTORY).is_file():
        return None
    try:
        return JudgedRun.read(run.path, most_characters=MAX_CHARACTERS).rendered
    except (OSError, ValueError):
        return None


def _rated(user: User) -> list[tuple[int, int]]:
    """The runs that this person rated, with the round, in the order of time."""
    rows: QuerySet[Any, Any] = visible(Rating.objects.filter(is_own(user)), user)
    grouped = rows.order_by().values("run", "round").annotate(at=Min("created_at")).order_by("at", "run")
    return [(row["run"], row["round"]) for row in grouped]


def _repeats(rated: Sequence[tuple[int, int]]) -> tuple[list[int], int]:
    """The runs that may be repeated, first the one that was rated longest ago; how many followed the last repeat."""
    repeated = {run for run, number in rated if number > 1}
    early = rated[: max(0, len(rated) - OTHERS_BETWEEN)]
    due = [run for run, number in early if number == 1 and run not in repeated]
    places = [place for place, (_, number) in enumerate(rated, 1) if number > 1]
    return due, len(rated) - max(places, default=0)


def _reviews() -> QuerySet[JudgeReview]:
    """The reviews of a run's present try that have a score."""
    done = JudgeReview.objects.filter(state=JudgeReview.State.DONE)
    return done.filter(run=OuterRef("pk"), run_try=OuterRef("tries"))


def _first(user: User, numbers: Sequence[int]) -> tuple[Run, Rendered] | None:
    for number in numbers:
        run = without_hidden_while_playing(visible(Run.objects.filter(pk=number), user), user).first()
        if run is not None and (text := text_of(run)) is not None:
            return run, text
    return None


def _drawn(runs: QuerySet[Run], dice: random.Random) -> tuple[Run, Rendered] | None:
    """One of these runs: first an agent is drawn, then one of its runs."""
    for run in _in_drawn_order(runs, dice):
        if (text := text_of(run)) is not None:
            return run, text
    return None


def _in_drawn_order(runs: QuerySet[Run], dice: random.Random) -> Iterator[Run]:
    agents = sorted(runs.order_by().values_list("agent", flat=True).distinct())
    dice.shuffle(agents)
    for agent in agents:
        numbers = sorted(runs.filter(agent=agent).order_by().values_list("pk", flat=True))
        dice.shuffle(numbers)
        for number in islice(numbers, _MAX_TRIED):
            yield runs.get(pk=number)

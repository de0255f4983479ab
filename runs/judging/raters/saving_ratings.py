"""Stores a person's rating of a run: rows and file together, once for each round."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils import timezone

from harness.judges.rendering import RENDERING_VERSION, Rendered
from runs.judging.raters.rater_names import rater_name
from runs.judging.raters.rating_file import RatedDimension, StoredRating, rating_key, write_rating
from runs.models import Rating, Run


def save_rating(
    user: User,
    run: Run,
    number: int,
    dimensions: tuple[RatedDimension, ...],
    *,
    rendered: Rendered,
    seconds: float,
) -> bool:
    """Stores a rating in the round `number`. False, and nothing is changed, if this round is stored already.

    Raises DiskFull or OSError if the file cannot be written; then no row is stored.
    """
    name = rater_name(user)
    at = timezone.now()
    stored = StoredRating(
        key=rating_key(run.key, run.tries, name, number),
        run_id=run.key,
        try_number=run.tries,
        rater=name,
        round=number,
        dimensions=dimensions,
        seconds=round(seconds, 1),
        trajectory_digest=rendered.digest,
        rendering_version=RENDERING_VERSION,
        created_at=at.isoformat(),
    )
    try:
        with transaction.atomic():
            add_rows(run, stored, user.pk, at)
            # After the rows, whose constraint prevents a second save of this round from replacing the file.
            write_rating(run.path, stored)
    except IntegrityError:
        return False
    return True


def add_rows(run: Run, stored: StoredRating, account: int | None, at: datetime) -> None:
    """Stores the content of a file as rows, one for each dimension. Raises IntegrityError if a row is there."""
    Rating.objects.bulk_create(
        Rating(
            rater_id=account,
            rater_name=stored.rater,
            run=run,
            run_try=stored.try_number,
            dimension=each.dimension,
            round=stored.round,
            score=each.score,
            text=each.text,
            evidence=[asdict(quote) for quote in each.evidence],
            seconds=stored.seconds,
            key=stored.key,
            created_at=at,
        )
        for each in stored.dimensions
    )

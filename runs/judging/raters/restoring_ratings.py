"""Rebuilds ratings by people from the files in run directories."""

from __future__ import annotations

from datetime import datetime

from django.utils import timezone

from runs.judging.raters.rater_names import accounts_by_name
from runs.judging.raters.rating_file import RatingFileError, StoredRating, rating_files, read_rating
from runs.judging.raters.saving_ratings import add_rows
from runs.models import Run
from runs.work.execution.run_signature import is_signed


def restore_ratings(run: Run, *, own: bool) -> int:
    """Stores the ratings in the directory of a new run, and returns how many rows. Call it in a transaction.

    Of a run from elsewhere, only what this site signed: any file could claim that a person rated a run. An
    account is found by its pseudonym, so after the loss of the database, accounts need the numbers that they had.
    Raises RatingFileError.
    """
    ratings = [read_rating(path) for path in rating_files(run.path) if own or is_signed(path)]
    accounts = accounts_by_name() if ratings else {}
    count = 0
    for stored in ratings:
        if stored.run_id != run.key or stored.try_number > run.tries:
            raise RatingFileError(f"{run.path}: the rating {stored.key} is of another run or try")
        add_rows(run, stored, accounts.get(stored.rater), _time(stored))
        count += len(stored.dimensions)
    return count


def _time(stored: StoredRating) -> datetime:
    try:
        found = datetime.fromisoformat(stored.created_at)
    except ValueError as error:
        raise RatingFileError(f"{stored.key}: created_at: {stored.created_at!r} is not a time") from error
    return found if found.tzinfo else timezone.make_aware(found)

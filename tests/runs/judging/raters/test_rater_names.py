"""Pseudonyms."""

from __future__ import annotations

import re
from typing import Any

from django.contrib.auth.models import User

from runs.judging.raters.rater_names import accounts_by_name, rater_name
from runs.models import Rating
from tests.runs.cast import Cast
from tests.runs.panels import add_rating


def test_a_pseudonym_needs_the_sites_secret(ada: User, settings: Any) -> None:
    name = rater_name(ada)
    assert re.fullmatch(r"p-[0-9a-f]{12}", name)
    settings.SECRET_KEY = "another"
    assert rater_name(ada) != name


def test_a_new_secret_changes_no_pseudonym_that_has_ratings(ada: User, cast: Cast, settings: Any) -> None:
    name = rater_name(ada)
    add_rating(cast.add_run(cast.alice(), cast.add_tasks(1)[0]), rater=ada, rater_name=name)

    settings.SECRET_KEY_FALLBACKS, settings.SECRET_KEY = [settings.SECRET_KEY], "another"

    assert rater_name(ada) == name
    assert accounts_by_name()[name] == ada.pk


def test_a_deleted_account_leaves_its_ratings_under_the_pseudonym(ada: User, cast: Cast) -> None:
    add_rating(cast.add_run(cast.alice(), cast.add_tasks(1)[0]), rater=ada, rater_name=rater_name(ada))
    ada.delete()
    assert Rating.objects.get().rater is None

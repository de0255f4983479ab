"""How many people the rows of people are about."""

from __future__ import annotations

from collections.abc import Mapping

from django.db.models import Count

from runs.data.queries.board_filter import BoardFilter
from runs.models import Run
from runs.models.agent import PERSON


def people_of(chosen: BoardFilter) -> Mapping[int, int]:
    """Agent → the number of people with a graded run that counts and matches this filter. One query.

    Only agents of this site: imported runs do not say whose they are.
    """
    graded = chosen.runs().filter(agent__kind=PERSON, outcome__in=Run.VERDICTS, play__isnull=False)
    counts = graded.order_by().values_list("agent").annotate(people=Count("play__pseudonym", distinct=True))
    return dict(counts)

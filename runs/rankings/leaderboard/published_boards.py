"""A permanent link for the board of each dataset whose results begin to count."""

from __future__ import annotations

from django.dispatch import receiver

from runs.work.execution.publishing import dataset_published


@receiver(dataset_published)
def freeze_board(dataset: str, **_signal: object) -> None:
    """Stores the board of a dataset, so that the result of an evaluation has a permanent link."""
    from runs.rankings.leaderboard.snapshots import freeze  # noqa: PLC0415 - brings the pages' statistics along

    freeze(dataset, by_reader=False)

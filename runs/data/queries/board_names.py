"""The names of boards: a dataset's slug, or `dataset.origin` where its tasks were made in several ways.

Tasks of several origins have no common rate, so each origin is a board of its own. A slug has no full stop.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from tasks.models import Task

_ORIGINS: Mapping[str, str] = {value.replace(" ", "-"): value for value in Task.Origin.values}


class BoardName(NamedTuple):
    """The parts of a board's name. `origin`: a value of `Task.Origin`; "": the board has all tasks of the dataset."""

    dataset: str
    origin: str = ""

    @classmethod
    def of(cls, name: str) -> BoardName:
        """The parts of a name. With an unknown origin the whole name is taken for that of a dataset, which none has."""
        dataset, _, origin = name.rpartition(".")
        return cls(dataset, _ORIGINS[origin]) if dataset and origin in _ORIGINS else cls(name)

    def __str__(self) -> str:
        return f"{self.dataset}.{self.origin.replace(' ', '-')}" if self.origin else self.dataset

    def title(self, dataset: str) -> str:
        """The title of the board, from that of its dataset."""
        return f"{dataset}: {self.origin}" if self.origin else dataset

    def lookups(self, task: str = "") -> dict[str, object]:
        """The conditions on tasks. `task`: the path to the task, such as `task__`."""
        lookups: dict[str, object] = {f"{task}repository__dataset__slug": self.dataset}
        return {**lookups, f"{task}origin": self.origin} if self.origin else lookups

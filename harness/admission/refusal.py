"""The error of a task that is not usable."""

from __future__ import annotations

from harness.dataset import Repository, Tally, Task
from harness.errors import HarnessError


class AdmissionRefused(HarnessError):
    """A task that is not usable. The message gives the reason.

    `null` and `oracle` are the test results of these agents, if they were run.
    """

    def __init__(
        self, repository: Repository, task: Task, reason: str, null: Tally | None, oracle: Tally | None
    ) -> None:
        self.reason = reason
        self.null = null
        self.oracle = oracle
        super().__init__(f"{repository.slug}/{task.slug}: {reason}")

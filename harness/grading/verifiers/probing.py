"""Finds verifiers that cannot fail, for admission.

A verifier that passes whatever an agent does proves nothing. The rule of admission has three parts:

1. Parameters that leave no way to fail are refused when the dataset is read: `verifier_kinds.vacuous`.
2. With the reference patch and conversation, every verifier passes. In the unchanged workspace without a conversation,
   at least one fails, because otherwise doing nothing would resolve the task.
3. A verifier that passes in the unchanged workspace guards something, such as tests that passed before. It is admitted
   if it can fail. For those that compare files or search texts, part 1 makes sure of that. Those that run a command
   have to fail in a workspace without files: `unfailing` names those that pass even there, and they are refused.
"""

from __future__ import annotations

from collections.abc import Sequence

from harness.dataset import Repository, Task
from harness.dataset.verifier_kinds import COMMAND_KINDS, Verifier
from harness.grading.verifiers.verifying import verify
from harness.patches import make_patch
from harness.records import TestStatus
from harness.sandbox.base import ContainerUse, Engine


def unfailing(
    engine: Engine,
    repository: Repository,
    task: Task,
    verifiers: Sequence[Verifier],
    *,
    use: ContainerUse,
    seconds: float,
) -> tuple[str, ...]:
    """The names of the verifiers whose command passes although every file of the source is deleted.

    `verifiers`: those that pass in the unchanged workspace; others than COMMAND_KINDS are not run. `seconds` is the
    limit of each command.
    """
    run = [verifier for verifier in verifiers if isinstance(verifier, COMMAND_KINDS)]
    if not run:
        return ()
    nothing = make_patch(repository.source.files(), ())
    found = verify(
        engine,
        repository,
        task,
        run,
        nothing,
        steps=(),
        use=use,
        seconds=seconds,
    )
    return tuple(result.id for result in found.results if result.status is TestStatus.PASSED)

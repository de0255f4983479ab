"""Asks a model for the targets of a task without the repository, and compares its answers with the original code."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from harness.dataset import Repository, Target
from harness.errors import HarnessError
from harness.host_tools.functions_of_files import FunctionsRefused, Likeness, likeness, stub
from harness.judges.answer import Malformed, called_with
from harness.judges.asking import Asker
from harness.judges.review_file import ReviewState
from harness.limits import Spending
from harness.llm.client import Client
from harness.llm.replies import Reply
from tasks.generation.recall.question import TOOL, WRITE_FUNCTION, Question

UNPAID = f"{ReviewState.UNPAID}: "  # how the reason begins where the budget ended


@dataclass(frozen=True, slots=True)
class Recall:
    """What a model recalls of the targets of one task.

    `similarity`: the mean of `harness.functions.code_similarity` over the targets; None with the `reason` if that of
    one target is unknown. `equal`: whether all are equal to the original. `tokens`: of the original bodies together.
    `cost_usd`: None if the model's price is unknown. `doubtful_usd`: the most that calls without a response may have
    cost, in addition.
    """

    similarity: float | None
    equal: bool | None
    tokens: int
    reason: str
    cost_usd: float | None
    answered_model: str
    doubtful_usd: float = 0.0


class RecallUnpaid(HarnessError):
    """The budget does not allow the next request. Nothing is known of the task.

    `paid`: what the requests for the task cost before; None if nothing was paid for it.
    """

    def __init__(self, reason: str, paid: Recall | None = None) -> None:
        self.paid = paid
        super().__init__(reason)


@dataclass(frozen=True, slots=True)
class _Answer:
    """About one target: how like its original it is, or the reason why that is unknown."""

    likeness: Likeness | None
    reason: str = ""
    model: str = ""


class RecallProber:
    """Asks one model. `spending` holds for all tasks together."""

    def __init__(self, client: Client, spending: Spending) -> None:
        self._asker = Asker(client, spending=spending)

    def probe(self, repository: Repository, targets: Sequence[Target]) -> Recall:
        """Asks for each target of a task, until an answer is unknown. Raises RecallUnpaid."""
        spending = self._asker.spending
        before, doubtful_before = spending.cost_usd, spending.doubtful_usd
        found: list[Likeness] = []
        answer = _Answer(None, "the task has no target")
        for target in targets:
            answer = self._ask(repository, target)
            if answer.likeness is None:
                break
            found.append(answer.likeness)
        after = spending.cost_usd
        known = bool(found) and len(found) == len(targets)
        recall = Recall(
            similarity=sum(one.similarity or 0.0 for one in found) / len(found) if known else None,
            equal=all(one.equal for one in found) if known else None,
            tokens=sum(one.tokens for one in found),
            reason="" if known else answer.reason,
            cost_usd=None if before is None or after is None else after - before,
            answered_model=answer.model,
            doubtful_usd=spending.doubtful_usd - doubtful_before,
        )
        if recall.reason.startswith(UNPAID):
            paid = after != before or recall.doubtful_usd > 0
            raise RecallUnpaid(recall.reason.removeprefix(UNPAID), recall if paid else None)
        return recall

    def _ask(self, repository: Repository, target: Target) -> _Answer:
        place = (target.name, target.occurrence)
        original = repository.source.read(target.path)
        if original is None or original.content is None:
            return _Answer(None, f"{target.path} is not in the source")
        text = original.content.decode("utf-8", "replace")
        try:
            signature = stub(target.path, text, *place)
        except FunctionsRefused as error:
            return _Answer(None, f"the original cannot be read: {error}")

        def read(reply: Reply) -> Likeness | Malformed:
            arguments = called_with(reply, WRITE_FUNCTION)
            if isinstance(arguments, Malformed):
                return arguments
            source = arguments.get("source")
            if not isinstance(source, str):
                return Malformed("source: must be a text")
            try:
                return likeness(target.path, text, *place, source)
            except FunctionsRefused as error:
                return Malformed(str(error))

        question = Question(repository.origin or repository.title, target, signature)
        asked = self._asker.ask(question.messages(), TOOL, read)
        if asked.answer is not None and asked.answer.similarity is None:
            return _Answer(None, "neither body has any code", asked.answered_model)
        reason = "" if asked.answer else f"{asked.state.replace('_', ' ')}: {asked.reason}"
        return _Answer(asked.answer, reason, asked.answered_model)

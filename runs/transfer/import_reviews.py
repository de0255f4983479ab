"""Rebuilds judging passes, reviews, comparisons and summaries from the files in run directories.

Reviews are not signed: those that come from elsewhere belong to passes and panels of their own, which name the origin.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from django.utils import timezone

from harness.judges.review_file import ComparedRun, Comparison, Review, ReviewFileError, all_stored
from harness.judges.summary_file import Summary
from runs.judging.judge_summaries.restoring_summaries import restored_summaries
from runs.judging.reviews.pass_file import PassFileError, StoredJudge, StoredPass, read_passes
from runs.judging.reviews.settling_comparisons import copy_comparison
from runs.judging.reviews.settling_reviews import copy_answer
from runs.models import JudgeReview, JudgingPass, LanguageModel, Panel, PanelJudge, Run, RunComparison
from runs.models.agent import NameMark, marked_name
from runs.transfer.import_owners import model_of
from runs.transfer.run_directories import ImportRefused


@dataclass(slots=True)
class ReviewOwners:
    """Finds or creates the panels and passes of imported reviews. `origin`: '' for this site's own runs."""

    origin: str
    passes: dict[str, JudgingPass] = field(default_factory=dict)

    def restore(self, run: Run) -> int:
        """Stores the reviews in the directory of a run. Call it in a transaction. Raises ImportRefused."""
        return self.restore_try(run, run.path, run.tries)

    def restore_try(self, run: Run, directory: Path, number: int) -> int:
        """Stores the reviews of one try of a run from a directory, as `restore` does."""
        try:
            stored_passes = list(read_passes(directory))
            answers = list(all_stored(directory, Review)) if stored_passes else []
        except (PassFileError, ReviewFileError) as error:
            raise ImportRefused(directory, str(error)) from error
        for answer in answers:
            if (answer.run_id, answer.try_number) != (run.key, number):
                raise ImportRefused(directory, f"the review {answer.key} is of another run or try")
        return sum(self._restore_pass(run, stored, answers) for stored in stored_passes)

    def restore_comparisons(self, run: Run, known: Mapping[str, Run] | None = None) -> int:
        """Stores the comparisons in the directory of their first run, once the reviews of both runs are stored.

        One belongs to the passes that have both of its reviews. `known`: runs by key that may be the second one; None:
        all. Call it in a transaction. Raises ImportRefused.
        """
        try:
            stored_passes = [stored for stored in read_passes(run.path) if stored.kind == "comparisons"]
            answers = list(all_stored(run.path, Comparison)) if stored_passes else []
        except (PassFileError, ReviewFileError) as error:
            raise ImportRefused(run.path, str(error)) from error
        count = 0
        for answer in answers:
            one, two = answer.runs
            if (one.run_id, one.try_number) != (run.key, run.tries):
                raise ImportRefused(run.path, f"the comparison {answer.key} is of another run or try")
            other = _run(two, known)
            if other is not None and other.task_id == run.task_id:
                count += sum(self._store_comparison(run, other, stored, answer) for stored in stored_passes)
        return count

    def restore_summaries(self, run: Run, known: Mapping[str, Run] | None = None) -> int:
        """Stores the summaries in the directory of their first run, once reviews and comparisons are stored.

        `known`: runs by key that they may name; None: all. Call it in a transaction. Raises ImportRefused.
        """
        try:
            stored_passes = list(read_passes(run.path))
            answers = list(all_stored(run.path, Summary)) if stored_passes else []
        except (PassFileError, ReviewFileError) as error:
            raise ImportRefused(run.path, str(error)) from error
        for answer in answers:
            first = answer.sources[0]
            if (first.run_id, first.try_number) != (run.key, run.tries):
                raise ImportRefused(run.path, f"the summary {answer.key} is of another run or try")
        owners = [(stored, self._pass(stored, run)) for stored in stored_passes] if answers else []
        return restored_summaries(owners, answers, known)

    def _store_comparison(self, run: Run, other: Run, stored: StoredPass, answer: Comparison) -> int:
        owner = self._pass(stored, run)
        reviews = [
            JudgeReview.objects.filter(
                judging_pass=owner,
                run=each,
                key=compared.review,
                dimension=answer.dimension,
                sample=answer.sample,
            ).first()
            for each, compared in zip((run, other), answer.runs, strict=True)
        ]
        first, second = reviews
        if first is None or second is None or first.judge_id != second.judge_id:
            return 0
        row, created = RunComparison.objects.get_or_create(
            judging_pass=owner,
            run_one=run,
            run_two=other,
            judge=first.judge,
            dimension=answer.dimension,
            sample=answer.sample,
        )
        if created:
            costs = [order.cost_usd for order in answer.orders]
            row.spent_usd = sum(cost for cost in costs if cost is not None)
            row.cost_unknown = None in costs
            copy_comparison(row, answer, reused=False)
        return int(created)

    def _restore_pass(self, run: Run, stored: StoredPass, answers: Iterable[Review]) -> int:
        owner = self._pass(stored, run)
        judges = {judge.name: judge for judge in owner.panel.judges.all()}
        asked = {judge.name: judge for judge in stored.judges}
        digests = dict(stored.dimensions)
        count = 0
        for answer in answers:
            judge = asked.get(answer.judge.name)
            if (
                judge is not None
                and judge.is_it(answer.judge)
                and digests.get(answer.dimension) == answer.dimension_digest
                and answer.sample <= stored.samples
            ):
                count += self._store(owner, judges[judge.name], run, answer)
        return count

    def _store(self, owner: JudgingPass, judge: PanelJudge, run: Run, answer: Review) -> int:
        row, created = JudgeReview.objects.get_or_create(
            judging_pass=owner, run=run, judge=judge, dimension=answer.dimension, sample=answer.sample
        )
        if created:
            row.spent_usd = answer.cost_usd or 0.0
            row.cost_unknown = answer.cost_usd is None
            copy_answer(row, answer, reused=False)
        return int(created)

    def _pass(self, stored: StoredPass, run: Run) -> JudgingPass:
        """The pass, with the evaluation of its runs if that is one."""
        slug = self._slug(stored.slug)
        found = self.passes.get(slug) or JudgingPass.objects.filter(slug=slug).first()
        if found is None:
            found = JudgingPass.objects.create(
                slug=slug,
                title=self._title(stored.title),
                panel=self._panel(stored),
                kind=stored.kind,
                evaluation=run.evaluation,
                state=JudgingPass.State.FINISHED,
                finished_at=timezone.now(),
            )
            JudgingPass.objects.filter(pk=found.pk).update(created_at=_time(stored.created_at, run))
        elif found.evaluation_id not in (None, run.evaluation_id):
            JudgingPass.objects.filter(pk=found.pk).update(evaluation=None)
            found.evaluation = None
        self.passes[slug] = found
        return found

    def _panel(self, stored: StoredPass) -> Panel:
        slug = self._slug(stored.panel)
        found = Panel.objects.filter(slug=slug, digest=stored.panel_digest, origin=self.origin).first()
        if found is not None:
            return found
        if Panel.objects.filter(slug=slug).exists():  # another panel of that name
            slug = f"{slug[:80]}-{stored.panel_digest[:8]}"
        panel = Panel.objects.create(
            slug=slug,
            title=self._title(stored.panel_title),
            dimensions=[name for name, _ in stored.dimensions],
            samples=stored.samples,
            digest=stored.panel_digest,
            origin=self.origin,
        )
        for judge in stored.judges:
            PanelJudge.objects.create(
                panel=panel,
                name=judge.name,
                model=_model(judge),
                family=judge.family,
                parameters=dict(judge.parameters),
            )
        return panel

    def _slug(self, slug: str) -> str:
        """That of an object from elsewhere has a part that stands for the origin."""
        return f"{slug[:80]}-{hashlib.sha256(self.origin.encode()).hexdigest()[:8]}" if self.origin else slug

    def _title(self, title: str) -> str:
        return marked_name(title[:180], NameMark.RECORDED) if self.origin else title


def _run(compared: ComparedRun, known: Mapping[str, Run] | None) -> Run | None:
    """The second run of a comparison, if it is here with that try."""
    key = compared.run_id
    found = Run.objects.filter(key=key).first() if known is None else known.get(key)
    return found if found is not None and found.tries == compared.try_number else None


def _model(judge: StoredJudge) -> LanguageModel:
    found = model_of(judge.model)
    return (
        found
        or LanguageModel.objects.get_or_create(
            slug="unknown-judge", defaults={"name": "Unknown judge", "provider": "unknown"}
        )[0]
    )


def _time(text: str, run: Run) -> datetime:
    try:
        found = datetime.fromisoformat(text)
    except ValueError as error:
        raise ImportRefused(run.path, f"{text!r} is not the time of a judging pass") from error
    return found if found.tzinfo else timezone.make_aware(found)

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from runs.judging.reviews.judging_passes import PassRefused, judged_runs, start_pass
from runs.models import Agent, Evaluation, LanguageModel, Panel
from tasks.models import Dataset


class Command(BaseCommand):
    """Starts a judging pass."""

    help = (
        "Has the runs of an evaluation that have a verdict reviewed by a panel of judges. Prints the address of the "
        "pass; `manage.py judge` makes the reviews."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The evaluation, the panel and the budget."""
        parser.add_argument("evaluation", help="slug of the evaluation")
        parser.add_argument("--panel", required=True, help="slug of the panel")
        parser.add_argument("--budget", type=float, metavar="DOLLARS", help="for all reviews together")
        parser.add_argument("--title", default="")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Fails with the known names if one is unknown."""
        evaluation = named(Evaluation, options["evaluation"])
        panel = named(Panel, options["panel"])
        try:
            started = start_pass(
                title=options["title"] or f"Reviews of {evaluation.title}"[:200],
                panel=panel,
                runs=list(judged_runs(evaluation.runs.all()).order_by("pk")),
                budget_usd=options["budget"],
                evaluation=evaluation,
            )
        except PassRefused as refused:
            raise CommandError(str(refused)) from refused
        self.stdout.write(f"{started.reviews.count()} reviews: {started.get_absolute_url()}")


Named = Evaluation | Panel | Agent | LanguageModel | Dataset


def named(model: type[Named], slug: str) -> Any:
    """The row with a slug. Raises CommandError with the known ones."""
    found = model.objects.filter(slug=slug).first()
    if found is None:
        known = ", ".join(model.objects.order_by("slug").values_list("slug", flat=True)[:20])
        raise CommandError(f"no {model._meta.verbose_name} {slug!r}; there are: {known or 'none'}")
    return found

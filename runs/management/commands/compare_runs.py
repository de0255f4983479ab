from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from runs.judging.reviews.comparison_pairs import agent_pairs, evaluation_pairs, runs_of
from runs.judging.reviews.judging_passes import PassRefused, start_pass
from runs.management.commands.judge_runs import named
from runs.models import Agent, Evaluation, Panel, Run


class Command(BaseCommand):
    """Starts a judging pass that compares."""

    help = (
        "Has a panel of judges compare the runs of two agents, or of two evaluations, on the tasks that both have runs "
        "of. The runs are reviewed first; reviews that exist are used again. Prints the address of the pass; "
        "`manage.py judge` makes the reviews and comparisons."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The two sides, the panel and the budget."""
        parser.add_argument("first", help="slug of an agent, or of an evaluation with --evaluations")
        parser.add_argument("second", help="slug of the other one")
        parser.add_argument(
            "--evaluations", action="store_true", help="compare two evaluations, not two agents"
        )
        parser.add_argument("--panel", required=True, help="slug of the panel")
        parser.add_argument("--budget", type=float, metavar="DOLLARS", help="for all answers together")
        parser.add_argument("--title", default="")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Fails with the known names if one is unknown, and if there is nothing to compare."""
        names = options["first"], options["second"]
        panel = named(Panel, options["panel"])
        if options["evaluations"]:
            sides = [named(Evaluation, name) for name in names]
            pairs = evaluation_pairs(sides[0], sides[1], Run.objects.all())
        else:
            sides = [named(Agent, name) for name in names]
            pairs = agent_pairs(sides[0], sides[1], Run.objects.all())
        if not pairs:
            raise CommandError("they have no task in common with runs that have a verdict")
        try:
            started = start_pass(
                title=options["title"] or f"{sides[0]} against {sides[1]}"[:200],
                panel=panel,
                runs=runs_of(pairs),
                budget_usd=options["budget"],
                pairs=pairs,
            )
        except PassRefused as refused:
            raise CommandError(str(refused)) from refused
        count = started.comparisons.count()
        self.stdout.write(
            f"{started.reviews.count()} reviews, {count} comparisons: {started.get_absolute_url()}"
        )

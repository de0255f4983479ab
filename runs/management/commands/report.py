from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from runs.models import Evaluation
from runs.models.open_rows import without_hidden
from runs.reporting.reports.gather import SeveralOrigins, gather
from runs.reporting.reports.writing import ReportRefused, check_free, write_report
from tasks.models import Task


class Command(BaseCommand):
    """Writes a report."""

    help = (
        "Writes a report of one or more evaluations, their runs taken together: report.md, report.json, plots/*.svg. "
        "The same data give the same bytes."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Evaluations, output directory, and what the results depend on."""
        parser.add_argument("evaluations", nargs="*", metavar="EVALUATION", help="slug or number")
        parser.add_argument(
            "--hidden",
            action="store_true",
            help="also runs of hidden datasets: a report that is not for everybody",
        )
        parser.add_argument("--all-listed", action="store_true", help="all that count on the leaderboard")
        parser.add_argument(
            "--out",
            type=Path,
            metavar="DIR",
            help="default: report-EVALUATION; an existing report is replaced, other files never",
        )
        parser.add_argument(
            "--k", type=int, help="attempts of pass@k (default: 5, or as many as some agent has at each task)"
        )
        parser.add_argument("--seed", type=int, default=0, help="of random draws (default: 0)")
        parser.add_argument(
            "--prediction", action="store_true", help="also try classifiers, which takes a minute or more"
        )
        parser.add_argument(
            "--origin",
            default="",
            choices=Task.Origin.values,
            help="only runs at tasks of this origin; required if the tasks are of several",
        )
        parser.add_argument("--embed", action="store_true", help="put the charts into report.md itself")
        parser.add_argument(
            "--site",
            default=f"http://{settings.HOST}:{settings.PORT}",
            help="the site that links to runs and methods lead to (default: %(default)s)",
        )

    def handle(self, *_args: Any, evaluations: list[str], **options: Any) -> None:
        """Prints the path of the report."""
        chosen = _chosen(evaluations, all_listed=options["all_listed"], hidden=options["hidden"])
        out: Path = options["out"] or Path(
            f"report-{chosen[0].slug}" if len(chosen) == 1 else "report-of-evaluations"
        )
        if options["k"] is not None and options["k"] < 1:
            raise CommandError(f"--k {options['k']}: at least one attempt")
        if options["seed"] < 0:
            raise CommandError(f"--seed {options['seed']}: no less than 0")
        try:
            check_free(out)
            contents = gather(
                chosen,
                k=options["k"],
                seed=options["seed"],
                prediction=options["prediction"],
                hidden=options["hidden"],
                origin=options["origin"],
            )
            write_report(contents, out, site=options["site"], embed=options["embed"])
        except (ReportRefused, SeveralOrigins) as refusal:
            raise CommandError(str(refusal)) from refusal
        self.stdout.write(f"{out / 'report.md'}: {len(contents.facts)} runs")


def _chosen(names: list[str], *, all_listed: bool, hidden: bool) -> list[Evaluation]:
    """The evaluations in the order of their start. CommandError for an unknown name, with the known ones."""
    every = list(Evaluation.objects.order_by("created_at", "pk"))
    shown = every if hidden else without_hidden(Evaluation.objects.all())
    known = {evaluation.slug: evaluation for evaluation in every}
    numbered = {str(evaluation.pk): evaluation for evaluation in every}
    there = ", ".join(known) or "none"
    if unknown := [name for name in names if name not in known and name not in numbered]:
        raise CommandError(f"there is no evaluation {', '.join(map(repr, unknown))}; there are: {there}")
    wanted = {(known.get(name) or numbered[name]).pk for name in names}
    wanted |= {evaluation.pk for evaluation in shown if all_listed and evaluation.listed}
    if not wanted:
        raise CommandError(f"which evaluation? There are: {there}. Or --all-listed")
    return [evaluation for evaluation in every if evaluation.pk in wanted]

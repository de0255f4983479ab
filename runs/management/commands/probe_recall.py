from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from harness.errors import HarnessError
from harness.limits import Limits, Spending
from harness.llm.client import Client
from runs.management.commands.judge_runs import named
from runs.models import LanguageModel, RecallProbe
from runs.operations.evaluations.harness_specs import model_spec
from runs.operations.evaluations.recall_probes import probe_tasks, refresh
from tasks.generation.recall.probing import RecallProber, RecallUnpaid
from tasks.models import Dataset, Task


class Command(BaseCommand):
    """Probes what a model recalls of generated tasks."""

    help = (
        "Asks a model for the target functions of the tasks of a dataset, with the name of the package, the path, the "
        "signature and the docstring, but without the repository. Stores how similar its answers are to the original "
        "code. What is stored is not asked again."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The model, the tasks and the budget."""
        parser.add_argument("model", metavar="MODEL", help="slug of the language model")
        parser.add_argument("dataset", metavar="DATASET", help="slug of a loaded dataset")
        parser.add_argument("--repository", metavar="SLUG", help="only its tasks")
        parser.add_argument("--task", metavar="SLUG", help="only tasks of this name")
        parser.add_argument("--budget", type=float, metavar="DOLLARS", help="for all requests of this call")
        parser.add_argument("--retry-failed", action="store_true", help="ask again where nothing is known")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Prints a line for each task that was asked about, and the number of answers and the cost at the end."""
        model = named(LanguageModel, options["model"])
        dataset = named(Dataset, options["dataset"])
        if not model.litellm_id:
            raise CommandError(f"{model.slug} cannot be asked: it has no LiteLLM id")
        if not dataset.directory:
            raise CommandError(f"{dataset.slug} has no files: others reported its results")
        budget = options["budget"]
        spending = Spending(Limits(iterations=None, wall_seconds=None, cost_usd=budget))
        prober = RecallProber(Client(model_spec(model)), spending)
        asked: list[RecallProbe] = []

        def report(probe: RecallProbe) -> None:
            asked.append(probe)
            self.stdout.write(_line(probe))

        try:
            tasks = _tasks(dataset, options["repository"], options["task"])
            probe_tasks(model, tasks, prober, retry_failed=options["retry_failed"], report=report)
        except RecallUnpaid as error:
            raise CommandError(f"the budget ended: {error}; the same command goes on") from error
        except (HarnessError, LookupError, OSError) as error:
            raise CommandError(str(error)) from error
        finally:
            if asked:
                refresh(dataset)
            known = sum(probe.similarity is not None for probe in asked)
            cost = "an unknown cost" if spending.cost_usd is None else f"${spending.cost_usd:.4f}"
            self.stdout.write(f"{len(asked)} tasks asked, {known} answers, {cost}")


def _line(probe: RecallProbe) -> str:
    if probe.similarity is None:
        return f"{probe.task}: {probe.reason}"
    equal = ", equal" if probe.equal else ""
    return f"{probe.task}: {probe.similarity:.3f}{equal} ({probe.tokens} tokens)"


def _tasks(dataset: Dataset, repository: str | None, task: str | None) -> list[Task]:
    rows = Task.objects.filter(repository__dataset=dataset).select_related("repository__dataset")
    if repository:
        rows = rows.filter(repository__slug=repository)
    if task:
        rows = rows.filter(slug=task)
    found = list(rows.order_by("repository__slug", "slug"))
    if not found:
        raise CommandError(f"{dataset.slug} has no such task")
    return found

from __future__ import annotations

import time
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from runs.models import Agent, LanguageModel, Run
from runs.operations.evaluations.lifecycle import EvaluationRefused, start_evaluation
from runs.operations.evaluations.limits_form import add_options, from_options, option_errors
from tasks.models import Task

PAUSE_SECONDS = 1.0


class Command(BaseCommand):
    """Starts an evaluation from a shell or a script, as the start page does."""

    help = "Starts an evaluation on the running site's workers, and prints its slug."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The fields of the start page."""
        parser.add_argument("title")
        parser.add_argument("--agents", nargs="+", required=True, metavar="SLUG")
        parser.add_argument(
            "--tasks", nargs="+", metavar="REPOSITORY[/TASK]", help="all admitted tasks, unless given"
        )
        add_options(parser)
        parser.add_argument(
            "--user-model",
            metavar="SLUG",
            help="language model that plays the users of workflow tasks; without it, they follow their scripts",
        )
        parser.add_argument(
            "--publish",
            action="store_true",
            help="its runs count on the leaderboard when it has finished; without it, it is a trial",
        )
        parser.add_argument("--wait", action="store_true", help="return when every run is done")

    def handle(self, *_args: Any, title: str, **options: Any) -> None:
        """Prints the slug. A refusal names the reason and the remedy, and nothing is stored."""
        form = from_options(options)
        if errors := option_errors(form):
            raise CommandError("\n".join(errors))
        try:
            evaluation = start_evaluation(
                title=title,
                agents=_agents(options["agents"]),
                tasks=_tasks(options["tasks"]),
                attempts=form.cleaned_data["attempts"],
                budget_usd=form.cleaned_data["budget_usd"],
                limits=form.limits(),
                publish_when_finished=options["publish"],
                user_model=_model(options["user_model"]),
            )
        except EvaluationRefused as refusal:
            raise CommandError(str(refusal)) from refusal
        self.stdout.write(evaluation.slug)
        while options["wait"] and evaluation.runs.filter(state__in=Run.OPEN).exists():
            time.sleep(PAUSE_SECONDS)


def _agents(slugs: list[str]) -> list[Agent]:
    found = {agent.slug: agent for agent in Agent.objects.select_related("model")}
    unknown = [slug for slug in slugs if slug not in found]
    if unknown:
        raise CommandError(f"no agent {', '.join(unknown)}; there are: {', '.join(sorted(found)) or 'none'}")
    return [found[slug] for slug in dict.fromkeys(slugs)]


def _model(slug: str | None) -> LanguageModel | None:
    if slug is None:
        return None
    found = {model.slug: model for model in LanguageModel.objects.exclude(litellm_id="")}
    if slug not in found:
        raise CommandError(f"no language model {slug}; there are: {', '.join(sorted(found)) or 'none'}")
    return found[slug]


def _tasks(names: list[str] | None) -> list[Task]:
    admitted = list(Task.objects.filter(admitted=True).select_related("repository"))
    if names is None:
        return admitted
    chosen = [task for task in admitted if str(task) in names or task.repository.slug in names]
    known = {str(task) for task in chosen} | {task.repository.slug for task in chosen}
    if unknown := [name for name in names if name not in known]:
        there = ", ".join(map(str, admitted)) or "none"
        raise CommandError(f"no admitted task {', '.join(unknown)}; there are: {there}")
    return chosen

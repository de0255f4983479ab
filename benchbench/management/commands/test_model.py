from __future__ import annotations

import time
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from harness.llm.model_check import BUDGET_USD, ModelCheck, Probe
from runs.models import LanguageModel
from runs.operations.agent_setup.model_checks import (
    CheckNotAsked,
    StoredCheck,
    ask_for_check,
    check_here,
    likely_cost,
    stored_checks,
)

POLL_SECONDS = 0.5


class Command(BaseCommand):
    """Tests a language model."""

    help = (
        "Tests a model with about six requests, as its agents call it: calls of tools, the turn after them, a long "
        "input, and a picture if its agents get any. Says what is wrong and what helps. The requests are paid."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The model, and where its test runs."""
        parser.add_argument("model", metavar="NAME", help="slug or name of the language model")
        parser.add_argument(
            "--worker",
            action="store_true",
            help="have a worker of reviews make the test, with the keys that it has, as the button on the page does",
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        """Prints each probe as it ends, then the result. Fails if the model does not work."""
        model = _found(options["model"])
        cost = likely_cost(model)
        price = "its price is unknown" if cost is None else f"about ${cost:.4f}, at most ${BUDGET_USD:.2f}"
        where = (
            "by a worker of reviews" if options["worker"] else "in this process, with the keys that it has"
        )
        self.stdout.write(f"Testing {model.name} ({model.litellm_id}) {where}; {price}.")
        if options["worker"]:
            result = self._by_worker(model)
        else:
            result = check_here(model, lambda probe: self.stdout.write(_line(probe)))
        self._print(result)

    def _by_worker(self, model: LanguageModel) -> ModelCheck:
        """The result of a worker's test. Raises CommandError if no worker makes it."""
        try:
            ask_for_check(model)
        except CheckNotAsked as error:
            raise CommandError(str(error)) from error
        while (stored := _stored(model)) and stored.waits:
            time.sleep(POLL_SECONDS)
        if stored is None or stored.result is None:
            raise CommandError("No worker made the test. Workers of reviews do: start `manage.py judge`.")
        for probe in stored.result.probes:
            self.stdout.write(_line(probe))
        return stored.result

    def _print(self, result: ModelCheck) -> None:
        for heading, sentences in (("Limits", result.notes), ("Ignored", result.ignored)):
            for sentence in sentences:
                self.stdout.write(f"{heading}: {sentence}")
        if result.seconds is not None:
            self.stdout.write(f"In all: {_figures(result)}.")
        if not result.works:
            blamed = f" [{result.blamed}]" if result.blamed else ""
            raise CommandError(f"{result.what}{blamed} {result.remedy}".rstrip())
        self.stdout.write(self.style.SUCCESS(f"It works. {result.what}"))


def _found(name: str) -> LanguageModel:
    """The model with this slug, else the only one with this name. Raises CommandError."""
    rows = list(LanguageModel.objects.filter(slug=name)) or list(LanguageModel.objects.filter(name=name))
    if len(rows) == 1:
        return rows[0]
    raise CommandError(f"several models are called {name}: give its slug" if rows else f"no model {name}")


def _stored(model: LanguageModel) -> StoredCheck | None:
    return stored_checks([model]).get(model.pk)


def _line(probe: Probe) -> str:
    figures = f" ({_figures(probe)})" if probe.prompt_tokens else ""
    return f"{probe.state:8}{probe.name}: {probe.text}{figures}"


def _figures(counted: Probe | ModelCheck) -> str:
    """Time, tokens and cost."""
    cost = "cost unknown" if counted.cost_usd is None else f"${counted.cost_usd:.4f}"
    tokens = f"{counted.prompt_tokens:,} tokens in, {counted.completion_tokens:,} out"
    return f"{counted.seconds or 0:.1f} s, {tokens}, {cost}"

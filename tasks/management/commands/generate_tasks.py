from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, OutputWrapper

from harness.errors import ConfigurationError, HarnessError
from harness.llm.spec import ModelSpec
from harness.sandbox import open_engine
from tasks.generation.corrupting.candidates import Candidate, CandidateStore, Kind, yields
from tasks.generation.generation_request import MIN_LINES, GenerationRequest, Plan, Progress
from tasks.generation.generation_run import generate
from tasks.generation.maps.code_map import loads
from tasks.generation.suite.screening import Thresholds

INSTANCE = "shell"  # a running site does not remove its containers


class Command(BaseCommand):
    """Generates tasks."""

    help = (
        "Generates tasks from a repository of a dataset whose hidden tests all pass: functions are removed or "
        "corrupted, the tests are run, and what makes enough of them fail becomes a task. Started again with the same "
        "options, it goes on where it stopped. Each candidate is a file in OUTPUT/candidates/REPOSITORY, with the "
        "reason if it was refused."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The repository, what to make of it, and the model of the kind adversarial."""
        parser.add_argument("dataset", type=Path, metavar="DATASET", help="a directory")
        parser.add_argument(
            "repository", metavar="REPOSITORY", help="with hidden tests for all tasks in tests/"
        )
        parser.add_argument(
            "--kinds",
            type=_kinds,
            default=(Kind.REMOVE, Kind.CORRUPT),
            metavar="KIND,…",
            help="remove, corrupt, multi (combines corruptions that became tasks; needs --map), adversarial (needs "
            "--model); default: remove,corrupt",
        )
        parser.add_argument("--seed", type=int, default=0, metavar="N")
        parser.add_argument("--limit", type=_count, metavar="N", help="candidates of each kind; default: all")
        parser.add_argument(
            "--per-function",
            type=_count,
            default=1,
            metavar="N",
            help="corruptions of each function (default: 1)",
        )
        parser.add_argument(
            "--least-lines",
            type=_count,
            default=MIN_LINES,
            metavar="N",
            help=f"code lines of a function (default: {MIN_LINES})",
        )
        parser.add_argument(
            "--jobs", type=_count, default=1, metavar="N", help="test runs at a time (default: 1)"
        )
        parser.add_argument(
            "--output", type=Path, metavar="DIR", help="the dataset that gets the tasks; default: DATASET"
        )
        parser.add_argument("--map", type=Path, metavar="FILE", help="of the repository, by map_repository")
        thresholds = Thresholds()
        parser.add_argument("--least-removal", type=_count, default=thresholds.removal, metavar="TESTS")
        parser.add_argument("--least-corruption", type=_count, default=thresholds.corruption, metavar="TESTS")
        parser.add_argument(
            "--suite-seconds",
            type=float,
            default=thresholds.suite_seconds,
            metavar="S",
            help="CPU time at most",
        )
        parser.add_argument("--model", default="", metavar="LITELLM_ID", help="corrupts functions")
        parser.add_argument("--api-base", default="", metavar="URL")
        parser.add_argument("--api-key-variable", default="", metavar="NAME")
        parser.add_argument("--context-window", type=_count, metavar="TOKENS")
        parser.add_argument("--price-in", type=float, metavar="USD", help="of a million tokens")
        parser.add_argument("--price-out", type=float, metavar="USD")
        parser.add_argument(
            "--budget", type=float, metavar="USD", help="for the model, with all earlier runs"
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        """Prints each finished candidate, and the yield by reason at the end, also after an error."""
        try:
            request = _request(options)
            with closing(open_engine()) as engine:
                try:
                    generate(engine, request, _Printed(self.stdout), instance=INSTANCE)
                finally:
                    for found in yields(CandidateStore(request.candidates).all()):
                        reasons = "".join(f", {number} {reason}" for reason, number in found.refused.items())
                        waiting = f", {found.waiting} waiting" if found.waiting else ""
                        self.stdout.write(
                            f"{found.kind}: {found.tasks} tasks of {found.made} candidates{reasons}{waiting}"
                        )
        except (HarnessError, OSError) as error:
            raise CommandError(str(error)) from error


class _Printed(Progress):
    """Prints a line for each candidate."""

    def __init__(self, stdout: OutputWrapper) -> None:
        self._stdout = stdout

    def finished(self, one: Candidate) -> None:
        """Its functions, and what became of it."""
        result = one.task or ""
        if one.refusal:
            result = " ".join(filter(None, (f"refused: {one.refusal.reason}", one.refusal.detail[:200])))
        names = ", ".join(f"{target.path}: {target.name}" for target in one.targets)
        self._stdout.write(f"{one.key} {one.kind} {names} ({one.targets[0].operator}): {result}")
        self._stdout.flush()


def _request(options: Mapping[str, Any]) -> GenerationRequest:
    kinds = options["kinds"]
    if Kind.MULTI in kinds and not options["map"]:
        raise ConfigurationError("--kinds multi needs --map FILE: make it with manage.py map_repository")
    if Kind.ADVERSARIAL in kinds and not options["model"]:
        raise ConfigurationError("--kinds adversarial needs --model")
    return GenerationRequest(
        dataset=options["dataset"],
        repository=options["repository"],
        output=options["output"] or options["dataset"],
        plan=Plan(
            kinds,
            options["seed"],
            options["limit"],
            options["per_function"],
            options["jobs"],
            options["least_lines"],
        ),
        thresholds=Thresholds(
            options["least_removal"], options["least_corruption"], options["suite_seconds"]
        ),
        code_map=loads(options["map"].read_bytes()) if options["map"] else None,
        model=_model(options) if options["model"] else None,
        budget=options["budget"],
    )


def _model(options: Mapping[str, Any]) -> ModelSpec:
    return ModelSpec(
        name=options["model"],
        litellm_id=options["model"],
        api_base=options["api_base"],
        api_key_variable=options["api_key_variable"],
        context_window=options["context_window"],
        input_price=options["price_in"],
        output_price=options["price_out"],
    )


def _kinds(text: str) -> tuple[Kind, ...]:
    try:
        return tuple(dict.fromkeys(Kind(name) for name in text.split(",")))
    except ValueError as error:
        raise ArgumentTypeError(f"{error}; there are: {', '.join(Kind)}") from None


def _count(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ArgumentTypeError("must be at least 1")
    return number

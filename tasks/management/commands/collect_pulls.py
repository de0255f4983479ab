from __future__ import annotations

import os
import re
import shlex
import sys
import tomllib
from argparse import ArgumentParser
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from harness.dataset.globs import glob_problem
from harness.errors import HarnessError
from harness.sandbox import open_engine
from tasks.generation.pulls.changes import described
from tasks.generation.pulls.collecting import Collection, Outcome, yield_of
from tasks.generation.pulls.filters import ChangeFilter
from tasks.generation.pulls.measuring import ContainerMeasurement
from tasks.generation.pulls.sources.opening import Pulls, open_source
from tasks.generation.pulls.splitting import Part
from tasks.generation.pulls.writing import TaskSettings

_MAX_LENGTH = 300  # characters of a reason


class Command(BaseCommand):
    """Collects tasks from merged changes."""

    help = (
        "Collects tasks from merged changes into a repository of a dataset. SOURCE is a git clone, a .dsc file with "
        "its archives, two source archives (the tests of the second on the source of the first), or published "
        "tasks and a clone. Each change is filtered, split and measured in containers; a stopped collection goes on "
        "where it was: see docs/merged-changes.md."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Where changes come from and go to, and which are used."""
        rules = ChangeFilter()
        parser.add_argument("source", nargs="+", type=Path, metavar="SOURCE")
        parser.add_argument("--dataset", type=Path, required=True, metavar="DIR")
        parser.add_argument("--repository", required=True, metavar="SLUG")
        parser.add_argument("--start", default="", metavar="COMMIT", help="the newest commit of a clone")
        parser.add_argument("--limit", type=int, default=1000, help="commits or pull requests that are read")
        parser.add_argument(
            "--github", metavar="OWNER/NAME", help="take pull requests and issues from GitHub"
        )
        parser.add_argument("--answers", type=Path, metavar="DIR", help="recorded answers of GitHub")
        parser.add_argument(
            "--token-variable",
            metavar="NAME",
            help="ask GitHub with the token in this variable, and record its answers",
        )
        parser.add_argument("--any-issue", action="store_true", help="changes need no linked issue")
        for name in ("files", "lines"):
            for side in ("least", "most"):
                default = getattr(rules, f"{side}_{name}")
                parser.add_argument(f"--{side}-{name}", type=int, default=default, metavar="N")
        parser.add_argument(
            "--part",
            action="append",
            default=[],
            metavar="GLOB=PART",
            help="files that match are source, tests or rest",
        )
        parser.add_argument(
            "--without",
            action="append",
            default=[],
            metavar="GLOB",
            help="files that no agent gets, such as docs/",
        )
        parser.add_argument(
            "--description",
            action="append",
            default=[],
            metavar="CHANGE=FILE",
            help="a title and a text for a change that says too little itself, named as in the output",
        )
        parser.add_argument(
            "--missing-tests", action="store_true", help="tests may be missing before the change"
        )
        parser.add_argument("--retry", action="store_true", help="measure changes that were refused again")
        parser.add_argument("--repeats", type=int, default=3, help="test runs without and with each change")
        parser.add_argument("--test-timeout", type=float, default=300.0, metavar="SECONDS")

    def handle(self, *_args: Any, source: list[Path], dataset: Path, repository: str, **options: Any) -> None:
        """Prints each change with its outcome, then the yield."""
        try:
            texts = _texts(options["description"])
            opened = open_source(source, start=options["start"], most=options["limit"], pulls=_pulls(options))
            with closing(open_engine()) as engine:
                if not engine.isolated:
                    raise CommandError("tests of others run in containers only: unset BENCHBENCH_ENGINE")
                collection = Collection(
                    dataset,
                    repository,
                    ChangeFilter(
                        issue=not options["any_issue"],
                        **{
                            name: options[name]
                            for name in ("least_files", "most_files", "least_lines", "most_lines")
                        },
                    ),
                    _settings(dataset, repository, options),
                    ContainerMeasurement(engine, options["repeats"], options["missing_tests"]),
                    options["retry"],
                )
                outcomes = []
                for outcome in collection.collect(
                    (described(one, texts) for one in opened.changes), opened.files
                ):
                    outcomes.append(outcome)
                    self.stdout.write(_line(outcome))
        except HarnessError as error:
            raise CommandError(str(error)) from error
        if not collection.settings.licence:
            self.stderr.write(
                f"{collection.directory / 'repository.toml'} names no licence: write the SPDX expression"
            )
        for name, number in yield_of(outcomes).items():
            self.stdout.write(f"{number} of {len(outcomes)}: {name}")


def _pulls(options: dict[str, Any]) -> Pulls | None:
    name, answers, variable = options["github"], options["answers"], options["token_variable"]
    if name is None:
        return None
    if not re.fullmatch(r"[\w.-]{1,100}/[\w.-]{1,100}", name) or answers is None:
        raise CommandError("--github needs OWNER/NAME, and --answers the directory of recorded answers")
    token = os.environ.get(variable, "") if variable else ""
    if variable and not token:
        raise CommandError(
            f"--token-variable {variable}: the environment has no such variable, or it is empty"
        )
    return Pulls(name, answers, token)


def _settings(dataset: Path, repository: str, options: dict[str, Any]) -> TaskSettings:
    return TaskSettings(
        canary=_value(dataset / "dataset.toml", "canary"),
        licence=_value(dataset / repository / "repository.toml", "licence"),
        command=shlex.join(["manage.py", *sys.argv[1:]]),
        test_timeout=options["test_timeout"],
        overrides=_overrides(options["part"]),
        without=_globs(options["without"]),
    )


def _value(path: Path, name: str) -> str:
    """A text in a TOML file of the dataset; '' if there is none."""
    try:
        return str(tomllib.loads(path.read_text(encoding="utf-8")).get(name, ""))
    except FileNotFoundError:
        return ""
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise CommandError(f"{path} is not TOML: {error}") from error


def _overrides(written: Sequence[str]) -> dict[str, Part]:
    found = {}
    for text in written:
        glob, _, part = text.rpartition("=")
        if part not in list(Part) or not glob or (problem := glob_problem(glob)):
            problem = problem if part in list(Part) and glob else "write GLOB=source, GLOB=tests or GLOB=rest"
            raise CommandError(f"--part {text}: {problem}")
        found[glob] = Part(part)
    return found


def _texts(written: Sequence[str]) -> dict[str, str]:
    found = {}
    for one in written:
        change, _, path = one.rpartition("=")
        try:
            text = Path(path).read_text(encoding="utf-8").strip() if change else ""
        except (OSError, UnicodeDecodeError) as error:
            raise CommandError(f"--description {one}: {error}") from error
        if not text:
            raise CommandError(f"--description {one}: write CHANGE=FILE; the file has a title and a text")
        found[change] = text
    return found


def _globs(written: Sequence[str]) -> tuple[str, ...]:
    for glob in written:
        if problem := glob_problem(glob):
            raise CommandError(f"--without {glob}: {problem}")
    return tuple(written)


def _line(outcome: Outcome) -> str:
    """One change on one line."""
    what = f"{outcome.identifier}: "
    if outcome.reason is None:
        what += f"task {outcome.task}, F2P {outcome.fail_to_pass}, P2P {outcome.pass_to_pass}"
        what += f", {outcome.missing_before} missing before" if outcome.missing_before else ""
    else:
        what += f"refused, {outcome.reason}: {' '.join(outcome.detail.split())[:_MAX_LENGTH]}"
    what += " (measured earlier)" if outcome.again and outcome.task else ""
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in what)

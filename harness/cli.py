"""The command line of the harness.

Exit codes: 0 done, 1 refused or failed, 2 wrong usage, 3 the infrastructure failed, 130 interrupted. For `run` and
`grade`, 0 means resolved and 1 unresolved; for `evaluate`, 0 means that every run has a verdict.
"""

from __future__ import annotations

import argparse
import json
import signal
from collections.abc import Sequence
from pathlib import Path
from types import FrameType
from typing import Any

from harness import commands
from harness.admission.admit import REPEATS
from harness.admission.report import FORMATS
from harness.errors import HarnessError, InfrastructureError
from harness.limits import DEFAULT_LIMITS, LIMIT_PROFILES
from harness.sandbox.engine.pruning import days


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit code. Errors are printed as one message on stderr."""
    options = _parser().parse_args(arguments)
    previous = signal.signal(signal.SIGTERM, _interrupt)
    try:
        return int(options.command(options))
    except InfrastructureError as error:
        return commands.complain(error, commands.INFRASTRUCTURE)
    except (HarnessError, OSError) as error:
        return commands.complain(error, commands.REFUSED)
    except KeyboardInterrupt:
        return commands.complain(
            "interrupted; the containers of this command were removed", commands.INTERRUPTED
        )
    finally:
        signal.signal(signal.SIGTERM, previous)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m harness",
        description="Runs coding agents on tasks in containers, and grades them.",
        epilog=(__doc__ or "").partition("\n\n")[2],
    )
    subparsers = parser.add_subparsers(required=True, metavar="COMMAND")

    validate = subparsers.add_parser("validate", help="check a dataset; prints every problem")
    validate.set_defaults(command=commands.validate)
    admission = subparsers.add_parser("admit", help="prove tasks in containers and store the proofs")
    _add_choice_of_tasks(admission)
    admission.add_argument("--repeats", type=_count, default=REPEATS, metavar="N")
    admission.add_argument(
        "--strength",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="look for vacuous and static tests, with four more test runs per task (default: yes)",
    )
    admission.add_argument(
        "--report", type=_report, metavar="FILE", help="write the results to a .md or .json file"
    )
    admission.set_defaults(command=commands.admit_tasks)
    run = subparsers.add_parser("run", help="run one agent on one task")
    evaluation = subparsers.add_parser(
        "evaluate", help="run one agent on a whole dataset; started again, it goes on where it stopped"
    )
    for command in (validate, admission, run, evaluation):
        command.add_argument("dataset", type=Path, metavar="DATASET")
    _add_run_options(run)
    _add_evaluation_options(evaluation)
    again = subparsers.add_parser("grade", help="grade a patch, or a run's patch again")
    again.add_argument("dataset", type=Path, metavar="DATASET")
    again.add_argument("repository", metavar="REPOSITORY")
    again.add_argument("task", metavar="TASK")
    again.add_argument("patch", type=Path, metavar="PATCH", help="a patch file, or a run directory")
    again.add_argument(
        "--repeat", type=_count, default=1, metavar="N", help="number of test runs; names the flaky tests"
    )
    again.set_defaults(command=commands.grade_patch)
    _add_sweep_options(
        subparsers.add_parser("sweep", help="remove containers that were left behind, or images")
    )
    subparsers.add_parser("engine", help="show whether a container engine is available").set_defaults(
        command=commands.show_engine
    )
    return parser


def _add_sweep_options(sweep: argparse.ArgumentParser) -> None:
    sweep.add_argument(
        "--instance",
        default="shell",
        help="owner of the containers; includes those of current runs (default: %(default)s)",
    )
    sweep.add_argument(
        "--images", action="store_true", help="instead, remove BenchBench's images that no container uses"
    )
    sweep.add_argument(
        "--needed-by",
        nargs="+",
        type=Path,
        default=[],
        metavar="DATASET",
        help="do not remove images that these need",
    )
    sweep.add_argument("--older-than", type=days, metavar="DAYS", help="do not remove newer images")
    sweep.add_argument(
        "--dry-run", action="store_true", help="only list the images that --images would remove"
    )
    sweep.set_defaults(command=commands.sweep)


def _add_choice_of_tasks(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--repository", metavar="R", help="only this one (default: all)")
    parser.add_argument("--task", metavar="T", help="only this one; needs --repository")


def _add_run_options(run: argparse.ArgumentParser) -> None:
    run.add_argument("repository", metavar="REPOSITORY")
    run.add_argument("task", metavar="TASK")
    run.add_argument("--output", required=True, type=Path, metavar="DIR", help="must not exist yet")
    run.add_argument("--attempt", type=_count, default=1, metavar="N")
    _add_agent_options(run)
    run.set_defaults(command=commands.run_agent)


def _add_evaluation_options(evaluation: argparse.ArgumentParser) -> None:
    _add_choice_of_tasks(evaluation)
    evaluation.add_argument(
        "--output",
        required=True,
        type=Path,
        metavar="DIR",
        help="new, or that of the same evaluation: finished runs are skipped",
    )
    evaluation.add_argument(
        "--attempts", type=_count, default=1, metavar="K", help="at each task (default: %(default)s)"
    )
    evaluation.add_argument(
        "--jobs", type=_count, default=1, metavar="N", help="runs at a time (default: %(default)s)"
    )
    _add_agent_options(evaluation)
    evaluation.set_defaults(command=commands.evaluate_dataset)


def _add_agent_options(run: argparse.ArgumentParser) -> None:
    """The agent, its model and the limits of each run."""
    run.add_argument("--agent", required=True, metavar="KIND", help="null, oracle, scripted, ide or command")
    run.add_argument("--settings", type=_settings, default={}, metavar="JSON", help="the agent's settings")
    run.add_argument(
        "--limits",
        choices=LIMIT_PROFILES,
        default=DEFAULT_LIMITS,
        help="the limits of each run that no other option sets: paper allows 6 hours (default: %(default)s, an hour)",
    )
    run.add_argument("--iterations", type=_count, metavar="N", help="default: 100")
    run.add_argument(
        "--tokens", type=_count, metavar="N", help="limit for the tokens of prompts and responses"
    )
    run.add_argument("--wall-seconds", type=float, metavar="S", help="default: see --limits")
    run.add_argument(
        "--grade-repeats",
        type=_count,
        default=1,
        metavar="N",
        help="test runs for the grade; see grade --repeat",
    )
    run.add_argument("--budget", type=float, metavar="USD", help="limit for the cost of the model in one run")
    _add_model_options(run, "--", "the agent's model")
    _add_model_options(
        run,
        "--user-",
        "plays the user of workflow tasks; default: the user follows the script of the task",
    )


def _add_model_options(run: argparse.ArgumentParser, prefix: str, purpose: str) -> None:
    """A model, where it is, and its prices."""
    run.add_argument(f"{prefix}model", default="", metavar="LITELLM_ID", help=purpose)
    run.add_argument(f"{prefix}api-base", default="", metavar="URL")
    run.add_argument(
        f"{prefix}api-key-variable", default="", metavar="NAME", help="environment variable with the key"
    )
    run.add_argument(f"{prefix}context-window", type=_count, metavar="TOKENS")
    for side in ("in", "out", "cached", "cache-write"):
        run.add_argument(
            f"{prefix}price-{side}",
            type=float,
            metavar="USD",
            help="price of a million tokens; default: unknown",
        )


def _count(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return number


def _report(text: str) -> Path:
    path = Path(text)
    if path.suffix not in FORMATS:
        raise argparse.ArgumentTypeError(f"must end in {' or '.join(FORMATS)}")
    return path


def _settings(text: str) -> dict[str, Any]:
    try:
        settings = json.loads(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"is not JSON: {error}") from None
    if not isinstance(settings, dict):
        raise argparse.ArgumentTypeError("must be a JSON object")
    return settings


def _interrupt(_: int, __: FrameType | None) -> None:
    raise KeyboardInterrupt

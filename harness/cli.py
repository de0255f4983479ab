"""The command line of the harness.

Exit codes: 0 done (`run` and `grade`: resolved), 1 refused or failed (these two: unresolved), 2 wrong usage,
3 the infrastructure failed, 130 interrupted.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from types import FrameType
from typing import Any
from uuid import uuid4

from harness.admission.admit import REPEATS, AdmissionRefused, admit
from harness.admission.report import FORMATS, Report, findings
from harness.agents.base import AgentSpec
from harness.agents.registry import TRUSTED_KINDS
from harness.dataset import Repository, Task, load_dataset, write_proof
from harness.errors import ConfigurationError, HarnessError, InfrastructureError
from harness.execute import execute_run
from harness.grading.grade import grade
from harness.limits import Limits
from harness.llm.spec import ModelSpec
from harness.patches import apply_patch
from harness.records import Identity, Outcome
from harness.redaction import Redactor
from harness.sandbox import open_engine
from harness.sandbox.base import Owner
from harness.sandbox.engine.pruning import days
from harness.sandbox.engine.pruning import summary as image_summary

DONE, REFUSED, INFRASTRUCTURE, INTERRUPTED = 0, 1, 3, 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit code. Errors are printed as one message on stderr."""
    options = _parser().parse_args(arguments)
    previous = signal.signal(signal.SIGTERM, _interrupt)
    try:
        return int(options.command(options))
    except InfrastructureError as error:
        return _complain(error, INFRASTRUCTURE)
    except (HarnessError, OSError) as error:
        return _complain(error, REFUSED)
    except KeyboardInterrupt:
        return _complain("interrupted; its containers are gone", INTERRUPTED)
    finally:
        signal.signal(signal.SIGTERM, previous)


def _validate(options: argparse.Namespace) -> int:
    dataset = load_dataset(options.dataset)
    tasks = list(dataset.tasks())
    waiting = [f"{repository.slug}/{task.slug}" for repository, task in tasks if not task.admitted]
    print(
        f"{dataset.slug} {dataset.version}: {len(dataset.repositories)} repositories, {len(tasks)} tasks, no problem"
    )
    for note in dataset.notes:
        print(note)
    if waiting:
        print(f"without a proof of admission for their present files: {', '.join(waiting)}")
    return DONE


def _admit(options: argparse.Namespace) -> int:
    report = Report()
    for repository, task in _chosen(options):
        try:
            with closing(open_engine()) as engine:
                proof = admit(repository, task, engine, options.repeats, strength=options.strength)
        except AdmissionRefused as refusal:
            _complain(refusal, REFUSED)
            report.add(f"{repository.slug}/{task.slug}", refusal)
            continue
        path = write_proof(task, proof)
        report.add(f"{repository.slug}/{task.slug}", proof)
        print(
            f"{repository.slug}/{task.slug}: admitted, {len(proof.fail_to_pass)} tests to make pass, "
            f"{len(proof.pass_to_pass)} to keep passing, {proof.ceiling_seconds:.1f} s → {path}"
        )
        for line in findings(proof):
            print(f"  {line}")
    if options.report:
        options.report.write_text(report.text(options.report.suffix), encoding="utf-8")
        print(f"report: {options.report}")
    return DONE if report.all_admitted else REFUSED


def _run(options: argparse.Namespace) -> int:
    dataset = load_dataset(options.dataset)
    repository = dataset.repository(options.repository)
    task = repository.task(options.task)
    agent = AgentSpec(options.agent, options.agent, options.settings, _model(options))
    identity = Identity(
        run_id=f"shell/{options.agent}/{repository.slug}/{task.slug}/{options.attempt}/{os.getpid()}",
        evaluation="shell",
        dataset=dataset.slug,
        dataset_version=dataset.version,
        repository=repository.slug,
        task=task.slug,
        task_digest=task.digest,
        agent=agent.name,
        agent_name=agent.name,
        agent_kind=agent.kind,
        attempt=options.attempt,
        model=agent.model.litellm_id if agent.model else "",
        settings=agent.settings,
        calibration=agent.kind in TRUSTED_KINDS,
    )
    limits = Limits(
        iterations=options.iterations,
        tokens=options.tokens,
        cost_usd=options.budget,
        wall_seconds=options.wall_seconds,
        grade_repeats=options.grade_repeats,
    )
    with closing(open_engine()) as engine:
        summary = execute_run(
            repository=repository,
            task=task,
            agent=agent,
            identity=identity,
            directory=options.output,
            engine=engine,
            limits=limits,
        )
    cost = "cost unknown" if summary.cost_usd is None else f"${summary.cost_usd:.4f}"
    print(
        f"{summary.outcome}: {summary.tests_passed} of {summary.tests_total} tests, ended by {summary.ending}, "
        f"{summary.steps} steps, {summary.act_seconds:.1f} s, {cost}; {summary.grading_reason} → {options.output}"
    )
    if summary.outcome is Outcome.INFRASTRUCTURE_FAILED:
        return _complain(summary.detail, INFRASTRUCTURE)
    return DONE if summary.outcome is Outcome.RESOLVED else REFUSED


def _grade(options: argparse.Namespace) -> int:
    dataset = load_dataset(options.dataset)
    repository = dataset.repository(options.repository)
    task = repository.task(options.task)
    patch = options.patch / "patch.diff" if options.patch.is_dir() else options.patch
    diff = patch.read_bytes()
    apply_patch(diff, repository.source.read)
    with closing(open_engine()) as engine:
        if not engine.isolated:
            raise ConfigurationError(
                "a patch of unknown origin is graded in containers: unset BENCHBENCH_ENGINE"
            )
        result = grade(
            engine,
            repository,
            task,
            diff,
            owner=Owner("shell", f"grade-{uuid4().hex}"),
            repeat=options.repeat,
        )
    for flag in result.flags:
        print(f"{flag.kind}: {flag.path}: {flag.note}")
    verdict = "resolved" if result.resolved else "unresolved"
    print(f"{verdict}: {result.passed} of {len(result.tests)} tests, {result.seconds:.1f} s; {result.reason}")
    return DONE if result.resolved else REFUSED


def _sweep(options: argparse.Namespace) -> int:
    if options.images:
        return _sweep_images(options)
    if options.needed_by or options.older_than is not None or options.dry_run:
        raise ConfigurationError("--needed-by, --older-than and --dry-run go with --images")
    with closing(open_engine()) as engine:
        removed = engine.sweep(options.instance)
    print("\n".join(removed) if removed else "no container to remove")
    return DONE


def _sweep_images(options: argparse.Namespace) -> int:
    if not options.needed_by and options.older_than is None:
        raise ConfigurationError("--images: say what to spare, with --needed-by DATASET or --older-than DAYS")
    datasets = [load_dataset(directory) for directory in options.needed_by]
    repositories = [repository for dataset in datasets for repository in dataset.repositories]
    with closing(open_engine()) as engine:
        found = engine.superfluous_images(repositories, older_than=options.older_than)
        gone = found if options.dry_run else engine.remove_images(found)
    print(image_summary(gone, dry_run=options.dry_run))
    if len(gone) < len(found):
        print(f"{len(found) - len(gone)} more came into use meanwhile, and stay")
    return DONE


def _engine(_: argparse.Namespace) -> int:
    status = open_engine().status()
    if status.available:
        print(status.description)
        return DONE
    return _complain(f"{status.reason}\n{status.remedy}".strip(), INFRASTRUCTURE)


def _chosen(options: argparse.Namespace) -> list[tuple[Repository, Task]]:
    """The tasks that --repository and --task select."""
    dataset = load_dataset(options.dataset)
    if options.task and not options.repository:
        raise ConfigurationError("--task needs --repository")
    if not options.repository:
        return list(dataset.tasks())
    repository = dataset.repository(options.repository)
    tasks = [repository.task(options.task)] if options.task else repository.tasks
    return [(repository, task) for task in tasks]


def _model(options: argparse.Namespace) -> ModelSpec | None:
    if not options.model:
        return None
    return ModelSpec(
        name=options.model,
        litellm_id=options.model,
        api_base=options.api_base,
        api_key_variable=options.api_key_variable,
        context_window=options.context_window,
        input_price=options.price_in,
        output_price=options.price_out,
        cached_price=options.price_cached,
        cache_write_price=options.price_cache_write,
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m harness",
        description="Runs coding agents on tasks in containers, and grades them.",
        epilog=(__doc__ or "").partition("\n\n")[2],
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    validate = commands.add_parser("validate", help="check a dataset; prints every problem")
    validate.set_defaults(command=_validate)
    admission = commands.add_parser("admit", help="prove tasks in containers and store the proofs")
    admission.add_argument("--repository", metavar="R")
    admission.add_argument("--task", metavar="T", help="needs --repository")
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
    admission.set_defaults(command=_admit)
    run = commands.add_parser("run", help="run one agent on one task")
    for command in (validate, admission, run):
        command.add_argument("dataset", type=Path, metavar="DATASET")
    _add_run_options(run)
    again = commands.add_parser("grade", help="grade a patch, or a run's patch again")
    again.add_argument("dataset", type=Path, metavar="DATASET")
    again.add_argument("repository", metavar="REPOSITORY")
    again.add_argument("task", metavar="TASK")
    again.add_argument("patch", type=Path, metavar="PATCH", help="a patch file, or a run directory")
    again.add_argument(
        "--repeat", type=_count, default=1, metavar="N", help="number of test runs; names the flaky tests"
    )
    again.set_defaults(command=_grade)
    _add_sweep_options(
        commands.add_parser("sweep", help="remove containers that were left behind, or images")
    )
    commands.add_parser("engine", help="show whether a container engine is available").set_defaults(
        command=_engine
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
    sweep.set_defaults(command=_sweep)


def _add_run_options(run: argparse.ArgumentParser) -> None:
    run.add_argument("repository", metavar="REPOSITORY")
    run.add_argument("task", metavar="TASK")
    run.add_argument("--agent", required=True, metavar="KIND", help="null, oracle, scripted, ide or command")
    run.add_argument("--output", required=True, type=Path, metavar="DIR", help="must not exist yet")
    run.add_argument("--settings", type=_settings, default={}, metavar="JSON", help="the agent's settings")
    run.add_argument("--attempt", type=_count, default=1, metavar="N")
    run.add_argument("--iterations", type=_count, default=100, metavar="N")
    run.add_argument(
        "--tokens", type=_count, metavar="N", help="limit for the tokens of prompts and responses"
    )
    run.add_argument("--wall-seconds", type=float, default=3600.0, metavar="S")
    run.add_argument(
        "--grade-repeats",
        type=_count,
        default=1,
        metavar="N",
        help="test runs for the grade; see grade --repeat",
    )
    run.add_argument("--budget", type=float, metavar="USD", help="limit for the cost of the model")
    run.add_argument("--model", default="", metavar="LITELLM_ID")
    run.add_argument("--api-base", default="", metavar="URL")
    run.add_argument(
        "--api-key-variable", default="", metavar="NAME", help="environment variable with the key"
    )
    run.add_argument("--context-window", type=_count, metavar="TOKENS")
    for side in ("in", "out", "cached", "cache-write"):
        run.add_argument(
            f"--price-{side}", type=float, metavar="USD", help="price of a million tokens; default: unknown"
        )
    run.set_defaults(command=_run)


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


def _complain(message: object, code: int) -> int:
    print(f"python -m harness: {Redactor.from_environment().text(str(message))}", file=sys.stderr)
    return code

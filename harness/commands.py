"""The commands of the command line: each takes its options, prints its results and returns the exit code."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from uuid import uuid4

from harness.admission.admit import AdmissionRefused, admit
from harness.admission.frameworks import framework_note
from harness.admission.report import Report, findings
from harness.agents.base import AgentSpec
from harness.dataset import Repository, Task, load_dataset, started, write_proof
from harness.errors import ConfigurationError
from harness.evaluation import PlannedRun, Setup, evaluate, lost_cost, run_once, table
from harness.grading.grade import grade
from harness.judges.faults.catalogue import case, cases
from harness.judges.faults.page import fault_page
from harness.judges.faults.player import play_all
from harness.judges.faults.recorded import Plays
from harness.limits import LIMIT_PROFILES
from harness.llm.spec import ModelSpec
from harness.patches import apply_patch
from harness.records import PATCH, Outcome, RunRecord, RunSummary, Step, UserSummary
from harness.redaction import Redactor
from harness.sandbox import open_engine
from harness.sandbox.base import ContainerUse, Owner
from harness.sandbox.engine.pruning import summary as image_summary

DONE, REFUSED, INFRASTRUCTURE, INTERRUPTED = 0, 1, 3, 130


def validate(options: argparse.Namespace) -> int:
    """Checks a dataset."""
    dataset = load_dataset(options.dataset)
    tasks = list(dataset.tasks())
    waiting = [f"{repository.slug}/{task.slug}" for repository, task in tasks if not task.admitted]
    print(
        f"{dataset.slug} {dataset.version}: {len(dataset.repositories)} repositories, {len(tasks)} tasks, no problem"
    )
    for note in dataset.notes:
        print(note)
    if waiting:
        print(f"without a proof of admission for the current files: {', '.join(waiting)}")
    return DONE


def admit_tasks(options: argparse.Namespace) -> int:
    """Proves the selected tasks and stores their proofs."""
    report = Report()
    for repository, task in proved_once(_chosen(options)):
        name = f"{repository.slug}/{task.scenario}"
        note = "" if task.workflow else framework_note(repository, task)
        try:
            with closing(open_engine()) as engine:
                proof = admit(repository, task, engine, options.repeats, strength=options.strength)
        except AdmissionRefused as refusal:
            complain(f"{refusal}\n{note}".rstrip(), REFUSED)
            report.add(name, refusal, note)
            continue
        path = write_proof(task, proof)
        report.add(name, proof, note)
        print(
            f"{name}: admitted, {len(proof.fail_to_pass)} tests to make pass, "
            f"{len(proof.pass_to_pass)} to keep passing, {proof.ceiling_seconds:.1f} s → {path}"
        )
        for line in filter(None, (*findings(proof), note)):
            print(f"  {line}")
    if options.report:
        options.report.write_text(report.text(options.report.suffix), encoding="utf-8")
        print(f"report: {options.report}")
    return DONE if report.all_admitted else REFUSED


def proved_once(chosen: Iterable[tuple[Repository, Task]]) -> list[tuple[Repository, Task]]:
    """One task of each scenario: its personas share the proof."""
    return list({task.directory: (repository, task) for repository, task in chosen}.values())


def run_agent(options: argparse.Namespace) -> int:
    """Runs one agent on one task."""
    setup = _setup(options)
    repository = setup.dataset.repository(options.repository)
    planned = PlannedRun(repository, repository.task(options.task), options.attempt)
    summary = run_once(setup, planned, options.output)
    _print_run(summary, options.output)
    if summary.outcome is Outcome.INFRASTRUCTURE_FAILED:
        return complain(summary.detail, INFRASTRUCTURE)
    return DONE if summary.outcome is Outcome.RESOLVED else REFUSED


def evaluate_dataset(options: argparse.Namespace) -> int:
    """Runs one agent on all chosen tasks, several times each, and prints a table of the results."""
    setup = _setup(options, evaluation=_slug(options.output))
    summaries = evaluate(
        setup,
        _chosen(options),
        options.output,
        attempts=options.attempts,
        jobs=options.jobs,
        report=_print_run,
    )
    directories = [
        options.output / one.identity.repository / one.identity.task / str(one.identity.attempt)
        for one in summaries
    ]
    print("\n".join(["", *table(summaries, lost_cost(directories))]))
    failed = [one for one in summaries if one.outcome is Outcome.INFRASTRUCTURE_FAILED]
    if failed:
        return complain(
            f"{failed[0].detail}\nStart the same command again: these runs go on, or begin anew.",
            INFRASTRUCTURE,
        )
    return DONE


def _setup(options: argparse.Namespace, evaluation: str = "shell") -> Setup:
    """Dataset, agent and limits of the options."""
    own = {
        "iterations": options.iterations,
        "tokens": options.tokens,
        "cost_usd": options.budget,
        "wall_seconds": options.wall_seconds,
        "grade_repeats": options.grade_repeats,
    }
    given = {name: value for name, value in own.items() if value is not None}
    limits = replace(LIMIT_PROFILES[options.limits], **given)
    agent = AgentSpec(options.agent, options.agent, options.settings, _model(options))
    return Setup(load_dataset(options.dataset), agent, limits, evaluation, _model(options, "user_"))


def _slug(output: Path) -> str:
    """The name of an evaluation in its records, from its directory."""
    return re.sub(r"[^A-Za-z0-9]+", "-", output.resolve().name).strip("-") or "shell"


def _print_run(summary: RunSummary, directory: Path) -> None:
    cost = "cost unknown" if summary.cost_usd is None else f"${summary.cost_usd:.4f}"
    print(
        f"{summary.outcome}: {summary.tests_passed} of {summary.tests_total} tests, ended by {summary.ending}, "
        f"{summary.steps} steps, {summary.act_seconds:.1f} s, {cost}{_user_part(summary.user)}; "
        f"{summary.grading_reason} → {directory}",
        flush=True,
    )


def _user_part(user: UserSummary | None) -> str:
    """What the line of a run says about its simulated user; '' without one."""
    if user is None:
        return ""
    cost = "cost unknown" if user.cost_usd is None else f"${user.cost_usd:.4f}"
    return f"; user: {user.messages} messages, ended by {user.ending or 'nothing'}, {cost}"


def grade_patch(options: argparse.Namespace) -> int:
    """Grades a patch, or the patch of a run directory."""
    dataset = load_dataset(options.dataset)
    repository = dataset.repository(options.repository)
    task = repository.task(options.task)
    patch = options.patch / PATCH if options.patch.is_dir() else options.patch
    steps: Iterator[Step] = iter(())
    if task.workflow:
        if not options.patch.is_dir():
            raise ConfigurationError("a workflow task is graded with its conversation: give a run directory")
        steps = RunRecord(options.patch).steps()
    diff = patch.read_bytes()
    apply_patch(diff, started(repository, task).source.read)
    with closing(open_engine()) as engine:
        if not engine.isolated:
            raise ConfigurationError("patches are only graded in containers: unset BENCHBENCH_ENGINE")
        result = grade(
            engine,
            repository,
            task,
            diff,
            use=ContainerUse(Owner("shell", f"grade-{uuid4().hex}")),
            repeat=options.repeat,
            steps=steps,
        )
    for flag in result.flags:
        print(f"{flag.kind}: {flag.path}: {flag.note}")
    verdict = "resolved" if result.resolved else "unresolved"
    print(f"{verdict}: {result.passed} of {len(result.tests)} tests, {result.seconds:.1f} s; {result.reason}")
    return DONE if result.resolved else REFUSED


def sweep(options: argparse.Namespace) -> int:
    """Removes containers or images."""
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
        raise ConfigurationError("--images needs --needed-by DATASET or --older-than DAYS")
    datasets = [load_dataset(directory) for directory in options.needed_by]
    repositories = [repository for dataset in datasets for repository in dataset.repositories]
    with closing(open_engine()) as engine:
        found = engine.removable_images(repositories, older_than=options.older_than)
        gone = found if options.dry_run else engine.remove_images(found)
    print(image_summary(gone, dry_run=options.dry_run))
    if len(gone) < len(found):
        print(f"{len(found) - len(gone)} more are in use by now and were not removed")
    return DONE


def show_engine(_: argparse.Namespace) -> int:
    """Shows whether a container engine is available."""
    status = open_engine().status()
    if status.available:
        print(status.description)
        return DONE
    return complain(f"{status.reason}\n{status.remedy}".strip(), INFRASTRUCTURE)


def play_faults(options: argparse.Namespace) -> int:
    """Plays planted faults and decoys in containers, and packs the runs if that is wanted."""
    if options.archive and options.case:
        raise ConfigurationError("an archive has all cases: leave out --case")
    chosen = [case(name) for name in options.case] if options.case else cases()
    with closing(open_engine()) as engine:
        play_all(chosen, engine, options.output, _print_run)
    if options.archive:
        Plays(options.output).pack(options.archive)
        print(f"archive: {options.archive}")
    return DONE


def list_faults(_: argparse.Namespace) -> int:
    """Prints docs/fault-catalogue.md."""
    print(fault_page(), end="")
    return DONE


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


def _model(options: argparse.Namespace, prefix: str = "") -> ModelSpec | None:
    """The model of the options with this prefix; None if none is named."""
    given = {
        name.removeprefix(prefix): value for name, value in vars(options).items() if name.startswith(prefix)
    }
    if not given["model"]:
        return None
    return ModelSpec(
        name=given["model"],
        litellm_id=given["model"],
        api_base=given["api_base"],
        api_key_variable=given["api_key_variable"],
        context_window=given["context_window"],
        input_price=given["price_in"],
        output_price=given["price_out"],
        cached_price=given["price_cached"],
        cache_write_price=given["price_cache_write"],
    )


def complain(message: object, code: int) -> int:
    """Prints an error without secrets on stderr; returns `code`."""
    print(f"python -m harness: {Redactor.from_environment().text(str(message))}", file=sys.stderr)
    return code

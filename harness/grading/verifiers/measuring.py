"""The verifier that requires a minimum of coverage."""

from __future__ import annotations

from harness.dataset.globs import matches
from harness.dataset.verifier_kinds import Coverage, Unit
from harness.grading.results import ReportError
from harness.grading.verifiers.builds import last_words
from harness.grading.verifiers.commands import Bench
from harness.grading.verifiers.coverage_reports import Covered, Share, read_coverage
from harness.grading.verifiers.final_state import FinalState
from harness.grading.verifiers.findings import Finding, counted, named


def check_coverage(verifier: Coverage, bench: Bench, state: FinalState) -> Finding:
    """The command ends with exit code 0, and every required unit of its report reaches the minimum."""
    ran = bench.run(verifier.command)
    passed, message = False, ran.trouble
    report = ran.files.get(verifier.report)
    if ran.trouble:
        pass
    elif ran.command.exit_code != 0:
        words = last_words(ran.command.output)
        message = f"the command ended with exit code {ran.command.exit_code}: {words}"
    elif report is None:
        message = f"the command left no {verifier.report} in $RESULTS_DIR{_others(ran.files)}"
    elif source := state.holds(report):
        # Else a report that the agent has written would count, where a command copies the newest.
        message = f"{verifier.report} is a copy of {named([source])} in the workspace, and was not measured"
    else:
        try:
            passed, message = _judged(verifier, read_coverage(report, verifier.report))
        except ReportError as error:
            message = f"the report is not usable: {error}"
    return Finding(passed, message, seconds=ran.command.seconds, output=ran.command.output)


def _judged(verifier: Coverage, covered: Covered) -> tuple[bool, str]:
    shares = covered.get((verifier.unit, verifier.metric), {})
    required = {
        name: share
        for name, share in shares.items()
        if not verifier.target or matches(name, [verifier.target])
    }
    what = f"{verifier.metric} coverage"
    if not required:
        unit = "line or branch" if verifier.unit is Unit.ALL else verifier.unit
        return False, f"the report has no {unit} for the {what} of {verifier.target or 'everything'}"
    low = {name: share for name, share in required.items() if share.percent < verifier.minimum}
    if low:
        return False, f"{what} below {verifier.minimum:g} %: {_listed(low)}"
    least = min(required, key=lambda name: required[name].percent)
    return (
        True,
        f"{what} of at least {verifier.minimum:g} %; the lowest is {_listed({least: required[least]})}",
    )


def _listed(shares: dict[str, Share]) -> str:
    worst = sorted(shares, key=lambda name: (shares[name].percent, name))
    return named([f"{name or 'all'} {shares[name].percent:.1f} %" for name in worst])


def _others(files: object) -> str:
    names = sorted(files) if isinstance(files, dict) else []
    return f"; it left {counted(len(names), 'file')}: {named(names)}" if names else ""

"""Logs of Inspect, as `.eval` and as JSON: one agent at one benchmark, with several epochs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple

from runs.analysis.facts import INFRASTRUCTURE_FAILED, RESOLVED, UNRESOLVED
from runs.intake.reported.forms.attempt_rows import AttemptRows, agent_with, plain, slug_of
from runs.intake.reported.forms.eval_archive import is_archive, name_of_member, sample_parts
from runs.intake.reported.report_document import ReportDocument, objects, pick, pick_text
from runs.intake.reported.reported_result import ReportedAgent, ReportedSet, ResultsRefused
from runs.intake.reported.result_table import UNKNOWN_OUTCOME
from runs.intake.reported.step_readers.inspect_sample import InspectUsage
from runs.intake.reported.step_readers.inspect_steps import (
    agent_and_scorers,
    has_steps,
    inspect_steps,
    own_metadata,
)
from runs.intake.reported.step_readers.json_part import JsonPart, parts_of_list
from runs.intake.reported.step_readers.own_messages import OURS, own_values
from runs.intake.reported.step_readers.step_builder import sum_of
from runs.intake.reported.trajectory import Trajectory

NAMES: tuple[str, ...] = ("*.eval", "*.json")  # of its files in a directory

_LIMITS = {
    "token": "token_limit",
    "time": "time_limit",
    "working": "time_limit",
    "message": "iteration_limit",
    "turn": "iteration_limit",
    "context": "context_limit",
    "cost": "cost_limit",
    "operator": "cancelled",
}
# Inspect's own reading of a score as a number.
_WORDS = {
    "C": 1.0,
    "I": 0.0,
    "P": 0.5,
    "N": 0.0,
    "yes": 1.0,
    "true": 1.0,
    "no": 0.0,
    "false": 0.0,
    "1": 1.0,
    "0": 0.0,
}
_GRADER = "grader"  # the role of a model that scores
# What the result of a sample is made of.
_FIELDS = (
    *("id", "epoch", "scores", "error", "limit", "model_usage", "role_usage"),
    *("working_time", "total_time", "started_at", "completed_at"),
)


class _Sample(NamedTuple):
    """What a log says of a sample, and the sample itself where the log has it."""

    said: Mapping[str, Any]
    part: JsonPart | None


def matches(content: Any) -> bool:
    """Whether this is a log."""
    spec = pick(content, "eval")
    return isinstance(pick(spec, "task"), str) and isinstance(pick(spec, "model"), str)


def benchmark_of(content: Mapping[str, Any]) -> tuple[str, str]:
    """The name of the task of a log, and its version."""
    spec = content["eval"]
    return spec["task"].rpartition("/")[2], str(spec.get("task_version") or "")


def read(documents: Iterable[ReportDocument], given: Mapping[str, str]) -> ReportedSet:
    """The samples of all logs, scored by one scorer, `given["scorer"]`. Raises ResultsRefused."""
    rows = AttemptRows("Inspect")
    benchmarks: set[tuple[str, str]] = set()
    runs: list[str] = []
    unended, is_own = 0, False
    for document in documents:
        spec = document.content["eval"]
        is_own |= pick(spec, "packages", OURS) is not None
        benchmarks.add(benchmark_of(document.content))
        if len(benchmarks) > 1:
            raise ResultsRefused(
                document.place, "its task differs from that of other logs: import them apart"
            )
        runs.append(str(spec.get("run_id") or spec.get("eval_id") or ""))
        rows.add_day(spec.get("created"))
        unended += document.content.get("status") == "started"
        agent = agent_with(spec.get("solver"), spec["model"])
        samples = _latest(document)
        rows.left_out += not samples
        for sample in samples:
            _add(rows, document, agent, sample, given.get("scorer", ""))
    ((name, version),) = benchmarks
    # The site that wrote a log has the dataset itself.
    suffix = "reported" if is_own else ""
    found = {
        "slug": slug_of(name[:40], suffix) if suffix else slug_of(name) or "inspect",
        "title": " ".join(filter(None, (name, suffix))),
        "benchmark_version": version,
        "version": runs[0] if len(runs) == 1 else None,
        "unknown": [
            "Single tests are not reported.",
            "Samples that ended with an error, or have no score, do not count.",
            *(["The run had not ended: samples are missing."] if unended else []),
        ],
    }
    return rows.finish(found, given, "scorer")


def _latest(document: ReportDocument) -> list[_Sample]:
    """The samples in the order of their epochs. Of those with the same id and epoch the last one counts."""
    found: dict[tuple[int, str], _Sample] = {}
    for sample in _samples(document):
        epoch = sample.said.get("epoch")
        if not isinstance(epoch, int):
            raise ResultsRefused(
                document.place, f"sample {str(sample.said.get('id'))[:80]!r}: its epoch is no number"
            )
        found[epoch, str(sample.said.get("id"))] = sample
    return [found[key] for key in sorted(found, key=lambda key: key[0])]


def _samples(document: ReportDocument) -> Iterator[_Sample]:
    """All samples, as often as the log has them. An archive may have them without a summary, and the reverse."""
    place = document.place
    if not is_archive(document.path):
        for part in parts_of_list(document.path, place, "samples"):
            yield _Sample(_fields(part), part)
        return
    parts = sample_parts(document.path, place)
    summarized = set()
    for said in objects(place, "samples", document.content.get("samples")):
        name = name_of_member(said.get("id"), said.get("epoch"))
        summarized.add(name)
        found = parts.get(name)
        # Early summaries say only scores.
        more = _fields(found) if found is not None and "model_usage" not in said else {}
        yield _Sample({**more, **said}, found)
    for name in sorted(parts.keys() - summarized):
        yield _Sample(_fields(parts[name]), parts[name])


def _fields(part: JsonPart) -> Mapping[str, Any]:
    """What the result of a sample is made of; of scores, their values."""
    fields = part.forgotten().fields(_FIELDS)
    scores = fields.get("scores")
    named = scores.items() if isinstance(scores, dict) else ()
    return {**fields, "scores": {name: {"value": pick(score, "value")} for name, score in named}}


def _trajectory(document: ReportDocument, sample: _Sample, own: Mapping[str, Any]) -> Trajectory | None:
    """The trajectory of a sample; None if the log has neither messages nor events of it. `own`: what our logs say."""
    if sample.part is None or not has_steps(sample.part):
        return None
    spec = document.content["eval"]
    version = pick(spec, "packages", "inspect_ai")
    return Trajectory.of_file(
        "Inspect",
        document.path,
        document.place,
        partial(inspect_steps, sample.part.forgotten()),
        part=f"{str(sample.said.get('id'))[:250]}, epoch {sample.said.get('epoch')}",
        workdir=pick_text(own, "workdir"),
        patch=pick_text(own, "patch"),
        version=f"inspect_ai {version}" if isinstance(version, str) else "",
        session=pick_text(spec, "eval_id") or pick_text(spec, "run_id"),
        is_free=bool(own),  # our logs leave unknown dollars out
    )


def _add(
    rows: AttemptRows, document: ReportDocument, agent: ReportedAgent, found: _Sample, scorer: str
) -> None:
    if found.part is not None:  # parsed once for all that is asked of it, and dropped with this copy
        found = found._replace(part=found.part.forgotten())
    sample = found.said
    where = f"{document.place}, sample {str(sample.get('id'))[:80]!r}, epoch {str(sample.get('epoch'))[:20]}"
    error = sample.get("error")
    limit = sample.get("limit")
    limit = str(pick(limit, "type") or limit or "")
    seconds = sample.get("working_time")
    score = _score(where, sample, scorer)
    if score is None and error:
        outcome, ending, detail = INFRASTRUCTURE_FAILED, "infrastructure", pick(error, "message") or error
    else:
        outcome = UNKNOWN_OUTCOME if score is None else RESOLVED if score == 1 else UNRESOLVED
        ending = _LIMITS.get(limit, "" if limit or not _has_ended(document, score) else "completed")
        detail = f"limit: {limit}" if limit else "" if score in (None, 0, 1) else f"score {score:g}"
    own = {} if found.part is None else own_metadata(found.part)
    rows.add(
        where,
        agent,
        _trajectory(document, found, own),
        **(own_values(own) if own else {"ending": ending, "detail": detail}),
        task=sample.get("id"),
        outcome=outcome,
        **_used(found, is_scored=score is not None),
        seconds=sample.get("total_time") if seconds is None else seconds,
        started_at=sample.get("started_at"),
        finished_at=sample.get("completed_at"),
    )


def _used(found: _Sample, *, is_scored: bool) -> dict[str, int | float | None]:
    """Tokens and dollars of the agent. The usage of a sample includes that of its scorers.

    Where its events, or else the role of a grader, tell both apart, it is the agent's own.
    """
    models = found.said.get("model_usage")
    usage = models if isinstance(models, dict) else {}
    all_ = _tokens(usage.values(), sum_of(pick(model, "total_cost") for model in usage.values()))
    if not usage or not is_scored or found.part is None:
        return all_
    agent, scorers = agent_and_scorers(found.part)
    grader = pick(found.said.get("role_usage"), _GRADER)
    if not agent.models and not scorers.models and isinstance(grader, dict):
        return _without(all_, grader)
    sums = agent.sent + scorers.sent, agent.received + scorers.received
    if not scorers.models or sums != (all_["prompt_tokens"], all_["completion_tokens"]):
        return all_
    cost = agent.cost
    if cost is None and not agent.models & scorers.models:
        cost = sum_of(pick(one, "total_cost") for name, one in usage.items() if name not in scorers.models)
    return {
        "prompt_tokens": agent.sent,
        "completion_tokens": agent.received,
        "cached_tokens": None if all_["cached_tokens"] is None else agent.cached,
        "cost_usd": cost,
    }


def _tokens(usage: Iterable[Any], cost: float | None) -> dict[str, int | float | None]:
    counts = [InspectUsage.of(one) for one in usage]
    return {
        "prompt_tokens": _sum(one.sent for one in counts),
        "completion_tokens": _sum(one.received for one in counts),
        "cached_tokens": _sum(one.cached for one in counts),
        "cost_usd": cost,
    }


def _without(
    all_: Mapping[str, int | float | None], other: Mapping[str, Any]
) -> dict[str, int | float | None]:
    """The usage without that of a role; unknown where one of them is, or where the role used more."""
    less = _tokens([other], pick(other, "total_cost"))
    return {
        name: used - rest
        if isinstance(used, int | float) and isinstance(rest, int | float) and used >= rest
        else None
        for name, used, rest in ((name, all_[name], less[name]) for name in all_)
    }


def _score(where: str, sample: Mapping[str, Any], scorer: str) -> float | None:
    """The score from 0 to 1; None if the sample has none. Values in an object are scorers NAME/KEY."""
    values: dict[str, Any] = {}
    scores = sample.get("scores")
    for name, score in (scores if isinstance(scores, dict) else {}).items():
        value = pick(score, "value")
        parts = value.items() if isinstance(value, dict) else ()
        values |= {f"{name}/{key}": part for key, part in parts} or {name: value}
    if not values:
        return None
    if scorer not in values and (scorer or len(values) > 1):
        names = ", ".join(plain(name, 60) for name in list(values)[:10])
        raise ResultsRefused(where, f"it has scores by {names}: give one of them as --scorer")
    value = values[scorer] if scorer else next(iter(values.values()))
    if value is None:  # NaN: the scorer could not decide
        return None
    number = (
        value if isinstance(value, int | float) else _WORDS.get(value) if isinstance(value, str) else None
    )
    if number is None or not 0 <= number <= 1:
        raise ResultsRefused(where, f"the score {str(value)[:40]!r} is not one from 0 to 1, nor C or I")
    return float(number)


def _has_ended(document: ReportDocument, score: float | None) -> bool:
    """Whether a sample ran to its end: it has a score, or all samples of its log did."""
    return score is not None or document.content.get("status") == "success"


def _sum(counts: Iterable[int | None]) -> int | None:
    """Tokens of all models; None if the log has none. A count of cached tokens that is missing is 0 in Inspect."""
    known = [count for count in counts if count is not None]
    return sum(known) if known else None

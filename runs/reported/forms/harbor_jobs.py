"""Jobs of Harbor, the harness of Terminal-Bench 2: directories of trials, each with a result.json."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from runs.reported.forms.attempt_rows import AttemptRows, agent_with, seconds_between, slug_of
from runs.reported.report_document import ReportDocument, pick
from runs.reported.reported_result import ReportedSet, ResultsRefused, outcome_of

NAMES: tuple[str, ...] = ("result.json",)  # of its files in a directory

# Exceptions of environments, networks and providers, as Harbor's policy of errors lists them. Harbor counts no reward
# of such a trial. Others without a reward, as of tests that end too late, are the agent's.
_INFRASTRUCTURE = frozenset(
    {
        *(
            "EnvironmentStartTimeoutError",
            "SandboxBuildFailedError",
            "AgentSetupTimeoutError",
            "HealthcheckError",
        ),
        *("SSHAccessError", "GKEExecStreamClosedError", "GKEPodNotFoundError", "RuntimeRequestError"),
        *(
            "AddTestsDirError",
            "DownloadVerifierDirError",
            "ApiError",
            "ApiRateLimitError",
            "ApiInternalServerError",
        ),
        *("ApiOverloadedError", "ApiConnectionClosedError", "ApiResponseStalledError", "UnknownApiError"),
        *("NetworkConnectionError", "ApiConnectionError", "ApiUsageLimitError", "RateLimitError"),
        *("InternalServerError", "ServiceUnavailableError", "APIConnectionError", "APIError", "Timeout"),
        *("AgentAuthenticationError", "ModelNotFoundError", "ApiProviderResourceNotFoundError"),
        *("AuthenticationError", "PermissionDeniedError", "NotFoundError", "CancelledError"),
    }
)
_ENDINGS = {
    "": "completed",
    "AgentTimeoutError": "time_limit",
    "ContextWindowExceededError": "context_limit",
    "ContextLengthExceededError": "context_limit",
    "NonZeroAgentExitCodeError": "agent_error",
    "CancelledError": "cancelled",
}
_NUMBERS = ("n_input_tokens", "n_cache_tokens", "n_output_tokens", "cost_usd")


def matches(content: Any) -> bool:
    """Whether this is the result of a trial. A job has a file of the same name, without trials in it."""
    return isinstance(pick(content, "agent_info"), dict) and isinstance(pick(content, "task_name"), str)


def read(documents: Iterable[ReportDocument], given: Mapping[str, str]) -> ReportedSet:
    """The attempts of all trials that ended. Raises ResultsRefused."""
    rows = AttemptRows("harbor")
    sources: set[str] = set()
    jobs: set[str] = set()
    running = 0
    for document in documents:
        trial = document.content
        if trial.get("finished_at") is None:
            running += 1
            continue
        sources.add(str(trial.get("source") or ""))
        jobs.add(document.path.absolute().parent.parent.name)
        _add(rows, document.place, trial)
    if len(sources) > 1:
        names = ", ".join(sorted(source[:40] for source in sources))
        raise ResultsRefused("harbor", f"its trials are of several datasets: {names}: import them apart")
    unknown = ["Single tests are not reported."]
    if running:
        unknown.append(f"{running} trials had not ended.")
    source = sources.pop() if sources else ""
    found = {
        "slug": slug_of(source),
        "title": source,
        "version": jobs.pop() if len(jobs) == 1 else None,
        "unknown": unknown,
    }
    return rows.finish(found, given)


def _add(rows: AttemptRows, where: str, trial: Mapping[str, Any]) -> None:
    about = trial["agent_info"]
    version = about.get("version")
    agent = agent_with(
        about.get("name"),
        pick(about, "model_info", "name"),
        pick(about, "model_info", "provider"),
        f"Version {version}" if isinstance(version, str) and version else "",
    )
    error = str(pick(trial, "exception_info", "exception_type") or _step_error(trial) or "")
    broken = error in _INFRASTRUCTURE
    reward = _reward(where, trial)
    if reward is None and not error:
        raise ResultsRefused(where, "the trial has neither a reward nor an exception")
    sent, cached, received, cost = (_total(trial, name) for name in _NUMBERS)
    rows.add(
        where,
        agent,
        task=trial["task_name"],
        outcome=outcome_of(resolved=reward is not None and reward >= 1, infrastructure=broken),
        ending="infrastructure" if broken and error != "CancelledError" else _ENDINGS.get(error, ""),
        detail=error or (f"reward {reward}" if reward not in (0, 1) else ""),
        prompt_tokens=sent,
        cached_tokens=cached,
        completion_tokens=received,
        cost_usd=cost,
        seconds=seconds_between(
            where, pick(trial, "agent_execution", "started_at"), pick(trial, "agent_execution", "finished_at")
        ),
        started_at=trial.get("started_at"),
        finished_at=trial.get("finished_at"),
    )


def _reward(where: str, trial: Mapping[str, Any]) -> float | None:
    """The reward of this name, or the only one. None: there is none."""
    rewards = pick(trial, "verifier_result", "rewards")
    if not isinstance(rewards, dict) or not rewards:
        return None
    if "reward" not in rewards and len(rewards) > 1:
        raise ResultsRefused(
            where, f"it has several rewards and none is named 'reward': {sorted(rewards)[:5]}"
        )
    value = rewards.get("reward", next(iter(rewards.values())))
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ResultsRefused(where, "the reward is not a number")
    return value


def _steps(trial: Mapping[str, Any]) -> Sequence[Any]:
    steps = trial.get("step_results")
    return steps if isinstance(steps, list) else ()


def _step_error(trial: Mapping[str, Any]) -> Any:
    errors = (pick(step, "exception_info", "exception_type") for step in _steps(trial))
    return next((error for error in errors if error), None)


def _total(trial: Mapping[str, Any], name: str) -> Any:
    """A number of the agent, or the sum of those of its steps; None if one of them is unknown."""
    if trial.get("agent_result") is not None:
        return pick(trial, "agent_result", name)
    values = [pick(step, "agent_result", name) for step in _steps(trial)]
    known = [value for value in values if isinstance(value, int | float)]
    return sum(known) if known and len(known) == len(values) else None

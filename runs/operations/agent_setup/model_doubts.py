"""What speaks against starting runs with a model: its key, and its last test."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from runs.models import LanguageModel
from runs.operations.agent_setup.model_checks import StoredCheck, known_checks
from runs.operations.agent_setup.worker_keys import key_doubts


@dataclass(frozen=True, slots=True)
class ModelDoubt:
    """Why runs of a model may be lost, in sentences. `waits`: its test is under way. `certain`: runs will fail."""

    model: LanguageModel
    sentences: tuple[str, ...]
    waits: bool = False
    certain: bool = False


def model_doubts(models: Sequence[LanguageModel]) -> list[ModelDoubt]:
    """The doubts about these models, certain ones first, then by name; [] if Redis does not respond."""
    distinct = sorted(
        {model.pk: model for model in models}.values(), key=lambda model: (model.name, model.pk)
    )
    checks = known_checks(distinct)
    if checks is None:
        return []
    keys = key_doubts(distinct)
    found = []
    for model in distinct:
        check = checks.get(model.pk)
        without_key, tested = keys.get(model.pk, ""), _of_test(check)
        if without_key or tested:
            failed = bool(check and check.result and not check.result.works and not check.outdated)
            sentences = tuple(sentence for sentence in (without_key, *tested) if sentence)
            certain = failed or without_key.startswith("No worker")
            found.append(ModelDoubt(model, sentences, bool(check and check.waits), certain))
    return sorted(found, key=lambda doubt: not doubt.certain)


def _of_test(check: StoredCheck | None) -> tuple[str, ...]:
    """What is wrong with the last test; () if it succeeded with the model as it is now."""
    if check is None:
        return ("It was never tested.",)
    if check.result is None:
        return ("Its test is under way." if check.waits else "No worker made its test.",)
    if check.outdated:
        return ("It, or how its agents call it, was changed since its last test.",)
    if not check.result.works:
        return (f"Its last test failed: {check.result.what}", check.result.remedy)
    return ()

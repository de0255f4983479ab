"""Model calls for tests."""

from __future__ import annotations

from runs.analysis.cost.spending import ModelCall


def call(
    step: int, prompt: float = 100, completion: float = 10, cached: float = 0, cost: float | None = 0.5
) -> ModelCall:
    return ModelCall(step, prompt, completion, cached, cost)

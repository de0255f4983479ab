"""The agents of a new site: a lower and an upper bound, agents with a known success rate, and one small model."""

from __future__ import annotations

from copy import copy

from runs.models import Agent, LanguageModel

# `script/local-model` serves it. It has no price, so its cost is unknown.
LOCAL_MODEL = LanguageModel(
    slug="smollm2-135m",
    name="SmolLM2-135M-Instruct (135 million parameters, Q4_1)",
    provider="Hugging Face, served by llama.cpp",
    litellm_id="openai/smollm2-135m-instruct",
    api_base="http://127.0.0.1:8410/v1",
    context_window=8192,
    open_weights=True,
)
LOCAL_AGENT = Agent(
    slug="smollm2-135m",
    name="SmolLM2 135M",
    kind="ide",
    settings={"max_output_tokens": 256, "iterations": 6},
    enabled=False,
    description="A real model, far too small for these tasks: it shows a run that is not scripted. Start "
    "script/local-model, then enable it.",
)

STANDARD_AGENTS = (
    Agent(
        slug="null",
        name="Null",
        kind="null",
        description="Changes nothing: the lower bound. A task that it resolves is broken.",
    ),
    Agent(
        slug="oracle",
        name="Oracle",
        kind="oracle",
        description="Applies the reference patch: the upper bound. A task that it does not resolve is broken.",
    ),
    *(
        Agent(
            slug=f"calibration-{percent}",
            name=f"Calibration {percent}",
            kind="scripted",
            settings={"seed": percent, "success_rate": percent / 100, "hunk_fraction": 0.5, "style": style},
            description=f"Calibration agent: applies the whole reference patch with a probability of {percent} %, "
            "otherwise half of its hunks. Not a model.",
        )
        for percent, style in ((90, "thorough"), (60, "steady"), (30, "hasty"))
    ),
    Agent(
        slug="near-miss",
        name="Near miss",
        kind="scripted",
        settings={"seed": 9, "success_rate": 0.0, "hunk_fraction": 0.9},
        description="Calibration agent: always leaves out a tenth of the reference patch's hunks, and at least one. "
        "Not a model.",
    ),
)


def create_standard_agents() -> int:
    """Adds the agents that are missing, and changes no other. Returns how many were added."""
    known = set(Agent.objects.values_list("slug", flat=True))
    missing = [copy(agent) for agent in (*STANDARD_AGENTS, LOCAL_AGENT) if agent.slug not in known]
    for agent in missing:
        if agent.slug == LOCAL_AGENT.slug:
            agent.model = _local_model()
    return len(Agent.objects.bulk_create(missing))


def _local_model() -> LanguageModel:
    """The site's entry for the local model; created if there is none."""
    known = LanguageModel.objects.filter(litellm_id=LOCAL_MODEL.litellm_id).first()
    if known is not None:
        return known
    made = copy(LOCAL_MODEL)
    made.save()
    return made

"""The agents that every site has from the start: the floor, the ceiling, and agents whose success rate is known."""

from __future__ import annotations

from copy import copy

from runs.models import Agent

STANDARD_AGENTS = (
    Agent(
        slug="null",
        name="Null",
        kind="null",
        description="Touches nothing: the floor. What it resolves is no task.",
    ),
    Agent(
        slug="oracle",
        name="Oracle",
        kind="oracle",
        description="Applies the reference patch: the ceiling. What it does not resolve is broken.",
    ),
    *(
        Agent(
            slug=f"calibration-{percent}",
            name=f"Calibration {percent}",
            kind="scripted",
            settings={
                "seed": percent,
                "success_rate": percent / 100,
                "hunk_fraction": 0.5,
                "style": style,
            },
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
    """Adds those that are missing; those that are there stay as they are. Returns how many were added."""
    known = set(Agent.objects.values_list("slug", flat=True))
    return len(Agent.objects.bulk_create(copy(agent) for agent in STANDARD_AGENTS if agent.slug not in known))

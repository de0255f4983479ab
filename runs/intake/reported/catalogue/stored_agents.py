"""Stores the agents of reported results, with their models."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from runs.intake.reported.catalogue.row_addresses import slug_of, slug_with_digest
from runs.intake.reported.reported_result import ReportedAgent, ReportedSet, ResultSource, ResultsRefused
from runs.models import Agent, LanguageModel
from runs.models.agent import REPORTED, UNKNOWN_MODEL, NameMark, marked_name, plain_name, report_origin
from runs.transfer.imported_names import NameRefused, check_agent_name
from tasks.models import MAX_SLUG_LENGTH, Dataset


def store_agents(reported: ReportedSet, dataset: Dataset) -> Mapping[str, int]:
    """The numbers of the agents by name, which are the same in every version of a source; missing ones are created.

    Raises ResultsRefused.
    """
    described = {agent.name: agent for agent in reported.agents}
    names = sorted({result.agent for result in reported.results})
    known = {
        plain_name(name): pk
        for name, pk in Agent.objects.filter(origin=_origin(dataset)).values_list("name", "pk")
    }
    for name in names:
        if name not in known:
            try:
                check_agent_name(name, known)
            except NameRefused as error:
                raise ResultsRefused(dataset.slug, str(error)) from error
            known[name] = _new_agent(described.get(name, ReportedAgent(name)), dataset).pk
        elif name in described and (address := described[name].trajectories_url):
            Agent.objects.filter(pk=known[name]).update(trajectories_url=address)
    name_harnesses(reported.source, reported.agents)
    return known


def name_harnesses(source: ResultSource, agents: Iterable[ReportedAgent]) -> None:
    """Stores the harness of agents that an earlier import did not know."""
    by_name = {agent.name: agent.harness for agent in agents if agent.harness}
    origin = report_origin(source.reported_by, source.slug)
    for agent in Agent.objects.filter(origin=origin, harness=""):
        if harness := by_name.get(plain_name(agent.name)):
            agent.harness = harness
            agent.save(update_fields=["harness"])


def _origin(dataset: Dataset) -> str:
    return report_origin(dataset.reported_by, dataset.slug)


def _new_agent(agent: ReportedAgent, dataset: Dataset) -> Agent:
    return Agent.objects.create(
        slug=_free_slug(agent.name, dataset),
        name=marked_name(agent.name, NameMark.REPORTED),
        kind=REPORTED,
        model=_model(agent, dataset),
        description=agent.description,
        harness=agent.harness,
        enabled=False,
        trajectories_url=agent.trajectories_url,
        origin=_origin(dataset),
    )


def _free_slug(name: str, dataset: Dataset) -> str:
    """The address of a new agent: with a digest if another agent has the plain one."""
    whole = f"{dataset.slug}-{name}"
    candidates = (slug_of(whole, MAX_SLUG_LENGTH), slug_with_digest(whole, MAX_SLUG_LENGTH))
    taken = set(Agent.objects.filter(slug__in=candidates).values_list("slug", flat=True))
    free = next((slug for slug in candidates if slug not in taken), None)
    if free is None:
        raise ResultsRefused(dataset.slug, f"the addresses of the agent {name!r} are taken: rename it")
    return free


def _model(agent: ReportedAgent, dataset: Dataset) -> LanguageModel:
    """A model known from reports only: without an address, so that no evaluation can use it."""
    name = agent.model or UNKNOWN_MODEL
    model, _ = LanguageModel.objects.get_or_create(
        slug=slug_of(f"{dataset.slug}-{agent.provider}-{name}", MAX_SLUG_LENGTH),
        defaults={"name": name, "provider": agent.provider[:100], "open_weights": agent.open_weights},
    )
    return model

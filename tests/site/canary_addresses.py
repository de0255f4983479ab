"""Where the crawler begins: every route of a site of canaries, and every list with filters."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING
from urllib.parse import quote

from runs.transfer.export_tables.export_table import TABLES
from tests.site.addresses import addresses, routes, values_of
from tests.site.crawling import HIDDEN, MIXED, OPEN, PRINTED, WORD

if TYPE_CHECKING:
    from tests.site.canaries import CanaryWorld


def first_addresses(world: CanaryWorld) -> dict[str, list[str]]:
    """Every route of the site: about what is open, about what is hidden, and about everything, with all filters."""

    public = [route for route in routes() if not route.for_operators and route.name != "leaderboard_freeze"]
    with_parameters = [route for route in public if route.parameters]
    ours = values_of(world.open_run) | {"digest": world.frozen.digest}
    theirs = values_of(world.hidden_run)
    hidden = [
        theirs,
        theirs | {"slug": world.stranger.slug},
        theirs | {"pk": str(world.hidden_run.evaluation_id)},
    ]
    topics = [{**ours, "slug": slug, "name": "agents"} for slug in ("efficiency", "failures")]
    return {
        OPEN: addresses([ours, ours | {"slug": world.open_run.agent.slug}, *topics], public),
        HIDDEN: [*addresses(hidden, with_parameters), world.regression.get_absolute_url()],
        MIXED: [*_filtered(world), f"/evaluations/{world.mixed.pk}/"],
    }


def _text_searches() -> Iterator[str]:
    """Searches in the texts of runs, by the beginnings of canaries: a page may repeat these."""
    for word in (WORD, PRINTED):
        beginning = f"{word[:-1]}*"
        yield from (
            f"/search/?q={beginning}",
            f"/search/agents/?q={beginning}",
            f"/search/?q=tide+{beginning}+board:vault",
            *(
                f"/search/{table}.{form}?q={beginning}"
                for table in ("steps", "agents")
                for form in ("csv", "json")
            ),
        )
    yield "/search/agents/?q=tide"


def _filtered(world: CanaryWorld) -> Iterator[str]:
    """Lists and searches by names that only the hidden dataset has, and without a filter."""
    yield from (
        "/near-misses/?threshold=1",
        "/?columns=all",
        f"/search/?q={WORD}",
        *_text_searches(),
        f"/runs/?q={WORD}",
        *(f"/{name}{ending}?q={WORD}" for name in ("tasks", "agents", "models") for ending in ("/", ".csv")),
        "/readyz",
        *("/sitemaps/runs.xml", "/sitemaps/agents.xml", "/sitemaps/repositories.xml", "/changes/"),
    )
    for name, value in (
        ("dataset", f"{WORD}-vault"),
        ("repository", f"{WORD}-cellar"),
        ("stack", f"Stack {WORD}"),
        ("language", f"Language {WORD}"),
        ("kind", f"{WORD}-kind"),
    ):
        yield from (
            f"{path}?{name}={quote(value)}"
            for path in ("/", "/leaderboard.json", "/analysis/efficiency/", "/tasks/", "/tasks.jsonl")
        )
    for name, value in (
        ("agent", f"{WORD}-agent"),
        ("evaluation", f"{WORD}-evaluation"),
        ("repository", f"{WORD}-cellar"),
        ("task", f"{WORD}-cellar/{WORD}-task"),
    ):
        paths = (
            *("/runs/", "/api/v1/runs", "/api/v1/behaviour", "/api/v1/signs"),
            *(f"/exports/{table.name}.{ending}" for table in TABLES for ending in ("jsonl", "parquet")),
        )
        yield from (f"{path}?{name}={quote(value, safe='/')}" for path in paths)
    yield f"/compare/?a={WORD}-agent&b=alice"
    yield f"/compare/runs/?a={world.open_run.pk}&b={world.hidden_run.pk}"
    yield f"/compare/runs/?a={world.hidden_run.pk}"
    yield "/runs/?outcome=unresolved&sort=-cost"
    yield f"/leaderboard/at/{world.frozen.digest}/?dataset={WORD}-vault"
    yield "/evaluations/?state=running"

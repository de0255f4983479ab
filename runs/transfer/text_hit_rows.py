"""Results of a search of texts as CSV and JSON: the steps with a match, and the counts of each agent."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import urljoin

from django.http import HttpResponse

from runs.analysis.estimate import Estimate
from runs.data.queries.filters import visible_runs
from runs.data.queries.visibility import Reader
from runs.data.text_index.hit_rates import HitRates
from runs.data.text_index.text_search import TextResults, address_of
from runs.models import Run
from runs.presentation.formatting.csv_cells import harmless

FORMATS: Mapping[str, str] = {"csv": "text/csv", "json": "application/json"}
_RUNS_AT_ONCE = 500
Record = dict[str, Any]


def step_records(results: TextResults, reader: Reader, site: str) -> Iterator[Record]:
    """A record for each step with a match, the newest run first. `site`: its address. A query for each 500 runs.

    Step 0 is the end of a run: its tests, or its patch.
    """
    for start in range(0, len(results.runs), _RUNS_AT_ONCE):
        some = results.runs[start : start + _RUNS_AT_ONCE]
        named = {run.pk: run for run in visible_runs(reader).filter(pk__in=[each.run for each in some])}
        for each in some:
            if run := named.get(each.run):
                of_run = _of_run(run)
                for step in each.steps:
                    yield {**of_run, "step": step, "url": urljoin(site, address_of(run.pk, step))}


def agent_records(rates: HitRates) -> Iterator[Record]:
    """A record for each agent on a board: runs with a hit, runs searched, and the share with its interval."""
    for row in rates.agents:
        yield {
            "agent": row.agent.slug,
            "board": row.board,
            "runs_with_hit": row.hits,
            "runs_searched": row.searched,
            **_share("share", row.share),
            **{
                f"{outcome.outcome}_{name}": value
                for outcome in row.outcomes
                for name, value in {
                    "with_hit": outcome.hits,
                    "searched": outcome.searched,
                    **_share("share", outcome.share),
                }.items()
            },
        }


def as_file(records: Sequence[Record], facts: Mapping[str, Any], suffix: str, name: str) -> HttpResponse:
    """The records in a format of FORMATS. JSON has the `facts`, too: what was searched, and what was not."""
    response = HttpResponse(content_type=f"{FORMATS[suffix]}; charset=utf-8")
    where = "inline" if suffix == "json" else "attachment"
    response["Content-Disposition"] = f'{where}; filename="{name}.{suffix}"'
    if suffix == "json":
        response.write(json.dumps({**facts, "rows": records}, ensure_ascii=False, allow_nan=False))
        return response
    target = io.StringIO(newline="")
    if records:
        writer = csv.writer(target)
        writer.writerow(records[0])
        writer.writerows([harmless(value) for value in record.values()] for record in records)
    response.write(target.getvalue())
    return response


def _of_run(run: Run) -> Record:
    return {
        "run": run.pk,
        "agent": run.agent.slug,
        "model": run.agent.model.slug if run.agent.model else None,
        "repository": run.task.repository.slug,
        "task": run.task.slug,
        "attempt": run.attempt,
        "outcome": run.outcome or None,
    }


def _share(name: str, share: Estimate) -> Record:
    """None where it is unknown."""
    ends = share.interval
    return {name: share.value, f"{name}_low": ends and ends.low, f"{name}_high": ends and ends.high}

"""The shipped stand-ins, measured on the fault catalogue as operators measure judges: a pass, jobs, calls over HTTP."""

from __future__ import annotations

from collections.abc import Sequence

from django.conf import settings
from django.core.management import call_command

from harness.judges.faults.catalogue import Fault, cases
from harness.judges.stand_ins import STAND_INS
from harness.llm.scripted_server import ModelServer
from runs.judging.reviews.fault_runs import load_fault_runs, played_case
from runs.judging.reviews.judging_passes import start_pass
from runs.judging.reviews.panel_specs import NewJudge, create_panel
from runs.judging.reviews.review_jobs import review_run
from runs.models import JudgingPass, LanguageModel, Run


def load_catalogue() -> None:
    """The tasks and the runs of the catalogue."""
    call_command("load_dataset", str(settings.BASE_DIR / "datasets" / "starter"), verbosity=0)
    load_fault_runs()


def runs_of(dimension: str) -> list[Run]:
    """The runs of the catalogue that say something about this dimension."""
    chosen = {
        case.id
        for case in cases()
        if dimension in ((case.dimension,) if isinstance(case, Fault) else case.dimensions)
    }
    played = ((run, played_case(run.key)) for run in Run.objects.order_by("pk"))
    return [run for run, found in played if found and found[0].id in chosen]


def measure(
    judges: Sequence[str],
    *,
    dimension: str = "tool_calls",
    samples: int = 1,
    runs: Sequence[Run] | None = None,
) -> JudgingPass:
    """A finished pass of a panel of these stand-ins over the runs of one dimension."""
    chosen = runs_of(dimension) if runs is None else runs
    with ModelServer(STAND_INS) as server:
        members = [
            NewJudge(
                name.title(),
                LanguageModel.objects.create(
                    slug=name, name=name.title(), provider="Stand-ins", litellm_id=f"openai/{name}",
                    api_base=server.url, input_price=1.0, output_price=1.0,
                ),
                parameters={"seed": 1},
            )
            for name in judges
        ]  # fmt: skip
        panel = create_panel(
            slug="stand-ins", title="Stand-ins", dimensions=[dimension], judges=members, samples=samples
        )
        started = start_pass(title="Calibration", panel=panel, runs=chosen, budget_usd=None)
        for run in chosen:
            for judge in panel.judges.all():
                review_run(started.pk, run.pk, judge.pk)
    started.refresh_from_db()
    return started

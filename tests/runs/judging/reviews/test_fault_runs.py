"""The recorded plays of the fault catalogue as runs that count nowhere."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command
from django.test import Client

from harness.judges.faults.catalogue import Variant, cases
from harness.records import SUMMARY
from runs.data.queries.filters import RunFilter, counted_runs, visible_replays, visible_runs
from runs.data.queries.visibility import ANONYMOUS, visible_agents, visible_evaluations
from runs.judging.reviews.fault_runs import (
    FaultRunsRefused,
    LoadedFaults,
    fault_evaluation,
    load_fault_runs,
    played_case,
)
from runs.judging.reviews.judging_passes import judged_runs
from runs.models import Agent, AuditEntry, Cell, Evaluation, JudgeReview, Run
from runs.operations.evaluations.lifecycle import set_listed
from runs.transfer.importing import import_runs
from tasks.loading import hide
from tasks.models import Dataset
from tests.runs.cast import Cast
from tests.runs.panels import add_panel, add_pass, add_review

pytestmark = pytest.mark.django_db
ALL = 2 * len(cases())


@pytest.fixture
def starter() -> Dataset:
    """The tasks of the plays."""
    call_command("load_dataset", str(settings.BASE_DIR / "datasets" / "starter"), verbosity=0)
    return Dataset.objects.get(slug="starter")


@pytest.fixture
def catalogue(starter: Dataset) -> Evaluation:
    load_fault_runs()
    found = fault_evaluation()
    assert found is not None
    assert starter.slug == "starter"
    return found


def test_each_play_is_a_run_whose_key_names_case_and_variant(catalogue: Evaluation) -> None:
    keys = set(catalogue.runs.values_list("key", flat=True))
    assert keys == {f"faults/{case.id}/{variant}" for case in cases() for variant in Variant}
    assert played_case("faults/agent-renamed/clean") == (
        next(case for case in cases() if case.id == "agent-renamed"),
        Variant.CLEAN,
    )
    assert played_case("spring-tide/alice/harbour/tide-1/1") is None
    assert judged_runs(catalogue.runs.all()).count() == ALL
    run = catalogue.runs.get(key="faults/own-work-wiped/changed")
    assert (run.path / SUMMARY).is_file()
    assert AuditEntry.objects.filter(after={"new runs": ALL}).count() == 1


def test_loading_twice_changes_nothing(catalogue: Evaluation) -> None:
    rows = list(Run.objects.values_list("pk", "directory"))
    assert load_fault_runs() == LoadedFaults(new=0, known=ALL, removed=0)
    assert list(Run.objects.values_list("pk", "directory")) == rows


def test_a_play_that_changed_is_another_run_and_one_that_is_gone_is_removed(catalogue: Evaluation) -> None:
    changed = catalogue.runs.get(key="faults/other-words/clean")
    judge = add_panel(Cast().add_model("Bench"))
    add_review(add_pass(judge), judge, changed)
    catalogue.runs.filter(pk=changed.pk).update(directory="faults/other-words/clean/000000000000")
    catalogue.runs.filter(key="faults/more-reading/clean").update(key="faults/no-longer-there/clean")

    assert load_fault_runs() == LoadedFaults(new=2, known=ALL - 2, removed=1)

    assert JudgeReview.objects.count() == 0
    assert catalogue.runs.count() == ALL


def test_without_the_dataset_it_is_refused_and_nothing_is_stored() -> None:
    with pytest.raises(FaultRunsRefused, match="load_dataset datasets/starter"):
        load_fault_runs()
    assert not Evaluation.objects.exists()


def test_its_runs_count_nowhere_and_cannot_be_published(catalogue: Evaluation) -> None:
    set_listed(catalogue, True)
    catalogue.refresh_from_db()
    assert (catalogue.listed, catalogue.publication) == (False, "fault catalogue")
    assert not counted_runs().exists()
    assert not Cell.objects.exists()


def test_readers_find_them_in_no_list_but_can_open_each(catalogue: Evaluation, client: Client) -> None:
    assert not visible_runs(ANONYMOUS).exists()
    assert not visible_evaluations(ANONYMOUS).exists()
    assert not visible_agents(ANONYMOUS).exists()
    assert visible_replays(ANONYMOUS).count() == ALL
    run = catalogue.runs.all()[0]
    page = client.get(f"/runs/{run.pk}/").content.decode()
    assert "fault catalogue" in page
    assert "counts nowhere" in page
    for address in (
        *(
            "/runs/",
            "/evaluations/",
            "/search/?q=fault",
            f"/search/?q={run.pk}",
            "/feed.atom",
            "/near-misses/",
        ),
        *("/exports/runs.jsonl", "/api/v1/runs", "/api/v1/evaluations", "/api/v1/agents", "/analysis/"),
        *(run.task.get_absolute_url(), run.task.repository.get_absolute_url(), "/status/"),
    ):
        response = client.get(address)
        content = b"".join(response) if response.streaming else response.content
        assert response.status_code == 200, address
        assert b"fault-catalogue" not in content.lower().replace(b"/docs/fault-catalogue/", b""), address
        assert b"Fault catalogue" not in content, address
        assert f'"/runs/{run.pk}/'.encode() not in content, address
    assert client.get(f"/api/v1/runs/{run.pk}").status_code == 404
    assert client.get(f"/runs/{run.pk}/export.zip").status_code == 404
    assert client.get(catalogue.get_absolute_url()).status_code == 404


def test_an_operator_has_to_ask_for_them(catalogue: Evaluation) -> None:
    assert not RunFilter().of(Run.objects.all()).exists()
    assert RunFilter(evaluation=catalogue.slug).of(Run.objects.all()).count() == ALL
    assert Agent.objects.filter(enabled=True).count() == 0


def test_they_are_hidden_with_their_dataset(catalogue: Evaluation, starter: Dataset) -> None:
    hide(starter, hidden=True)
    assert not visible_replays(ANONYMOUS).exists()
    assert catalogue.runs.count() == ALL


def test_a_site_that_is_rebuilt_from_its_directories_does_not_take_them_for_its_own(
    catalogue: Evaluation,
) -> None:
    catalogue.delete()
    assert import_runs(Path(settings.RUNS_ROOT)).new == 0
    assert not Run.objects.exists()
    assert load_fault_runs().new == ALL

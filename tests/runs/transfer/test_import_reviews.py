"""Reviews are rebuilt from the files in run directories; those from elsewhere are marked and stay apart."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from harness.judges.dimensions import dimension_named
from harness.judges.panel import JudgeSpec
from harness.judges.questions import dimension_digest
from harness.judges.review import review_directory
from harness.judges.stand_ins import STAND_INS
from harness.limits import Limits, Spending
from harness.llm.scripted_server import ModelServer
from harness.llm.spec import ModelSpec
from runs.judging.reviews.judging_passes import start_pass
from runs.judging.reviews.panel_specs import NewJudge, create_panel
from runs.judging.reviews.pass_file import PASSES, StoredJudge, StoredPass
from runs.judging.reviews.review_jobs import review_run
from runs.models import Evaluation, JudgeReview, JudgingPass, LanguageModel, Panel, ReviewEvidence, Run
from runs.transfer.importing import import_runs
from runs.transfer.run_directories import ImportRefused
from runs.work.execution.run_signature import sign_run
from runs.work.execution.settling import settle
from tests.runs.tiny import Tiny, claimed, summary_of, write_run
from tests.runs.transfer.made_records import Elsewhere

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer(STAND_INS) as served:
        yield served


@pytest.fixture
def judged(tmp_path: Path, server: ModelServer) -> Run:
    """A finished run of this site, which a pass has reviewed."""
    run = claimed(Tiny(tmp_path).start(title="Recorded").runs.get())
    write_run(run.path, summary_of(run))
    settle(run, 1, summary_of(run))
    run.refresh_from_db()
    model = LanguageModel.objects.create(
        slug="bench", name="Bench", provider="Ada Works", litellm_id="openai/quoting", api_base=server.url
    )
    panel = create_panel(
        slug="p", title="P", dimensions=["pitfalls", "tool_calls"], judges=[NewJudge("Portia", model, "ada")]
    )
    started = start_pass(
        title="Night watch", panel=panel, runs=[run], budget_usd=None, evaluation=run.evaluation
    )
    review_run(started.pk, run.pk, panel.judges.get().pk)
    return run


def database() -> list[Any]:
    """Reviews, evidence, passes and panels without their numbers."""
    return [
        *JudgeReview.objects.order_by("dimension").values_list(
            *("judging_pass__slug", "run__key", "judge__name", "dimension", "sample", "state", "key"),
            *("score", "text", "burden", "shown_share", "prompt_tokens", "asks"),
        ),
        *ReviewEvidence.objects.order_by("review__dimension", "place").values_list(
            "quote", "status", "found_step"
        ),
        *JudgingPass.objects.values_list("slug", "title", "panel__slug", "state", "evaluation__slug"),
        *Panel.objects.values_list("slug", "title", "dimensions", "samples", "digest", "origin"),
    ]


def forget() -> None:
    """Loses the database, but for the model, whose address no file names."""
    JudgingPass.objects.all().delete()
    Panel.objects.all().delete()
    Evaluation.objects.all().delete()


def test_reviews_are_rebuilt_from_their_directories(judged: Run) -> None:
    before = database()
    forget()

    import_runs(Path(settings.RUNS_ROOT))

    assert database() == before
    assert len(before) >= 6


def test_a_backup_brings_signed_reviews_back(judged: Run, tmp_path: Path) -> None:
    before = database()
    backup = tmp_path / "backup"
    shutil.copytree(settings.RUNS_ROOT, backup)
    shutil.rmtree(settings.RUNS_ROOT)
    forget()

    import_runs(backup)

    assert database() == before


def test_reviews_that_this_site_did_not_sign_stay_out_of_a_backup(judged: Run, tmp_path: Path) -> None:
    backup = tmp_path / "backup"
    shutil.copytree(settings.RUNS_ROOT, backup)
    shutil.rmtree(settings.RUNS_ROOT)
    forged, *_ = sorted(backup.rglob("reviews/*.json"))
    forged.write_text(forged.read_text().replace('"score": 0.5', '"score": 1.0').replace("rule", "RULE"))
    forget()

    import_runs(backup)

    assert JudgeReview.objects.count() == 1
    assert "RULE" not in JudgeReview.objects.get().text


@pytest.fixture
def sent(tmp_path: Path, server: ModelServer) -> Path:
    """A run of another site, with a review by a judge of that site."""
    task = Tiny(tmp_path).task
    directory = tmp_path / "sent" / "try-1"
    for name, content in Elsewhere.knowing(task).files().items():
        path = directory / Path(name).name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    judge = JudgeSpec("Portia", ModelSpec("Bench", "openai/quoting", api_base=server.url))
    dimension = dimension_named("pitfalls")
    review_directory(directory, dimension, judge=judge, spending=Spending(Limits(iterations=None)))
    stored = StoredPass(
        slug="their-pass",
        title="Their pass",
        panel="theirs",
        panel_title="Theirs",
        panel_digest="p" * 64,
        dimensions=(("pitfalls", dimension_digest(dimension)),),
        samples=1,
        judges=(StoredJudge("Portia", "openai/quoting", "Bench", "openai", "", judge.parameters.to_json()),),
        created_at="2026-01-02T03:04:05+00:00",
    )
    (directory / PASSES).mkdir()
    (directory / PASSES / "their-pass.json").write_text(json.dumps(asdict(stored)))
    return directory.parent


def test_reviews_from_elsewhere_belong_to_marked_panels(sent: Path) -> None:
    import_runs(sent, "a friend")

    panel = Panel.objects.get()
    assert (panel.title, panel.origin) == ("Theirs (recorded)", "a friend")
    started = JudgingPass.objects.get()
    assert (started.title, started.created_at.year) == ("Their pass (recorded)", 2026)
    assert started.evaluation == Run.objects.get().evaluation
    review = JudgeReview.objects.get()
    assert (review.state, review.judge.model.litellm_id) == (JudgeReview.State.DONE, "openai/quoting")
    assert review.score is not None


def test_a_review_of_another_run_refuses_all(sent: Path) -> None:
    (path,) = sent.rglob("reviews/*.json")
    stored = json.loads(path.read_text())
    path.write_text(json.dumps({**stored, "run_id": "x/y/z/w/1"}))

    with pytest.raises(ImportRefused, match="is of another run or try"):
        import_runs(sent, "a friend")
    assert not Panel.objects.exists()


def test_a_link_among_the_reviews_is_refused(sent: Path) -> None:
    (path,) = sent.rglob("reviews/*.json")
    path.unlink()
    path.symlink_to("/etc/hostname")
    with pytest.raises(ImportRefused, match="is not a regular file"):
        import_runs(sent, "a friend")


@pytest.mark.parametrize(
    ("folder", "content", "reason"),
    [
        ("reviews", "{", r"\.json: arguments: "),
        ("passes", '{"slug": 1}', r"\.json: slug: "),
    ],
)
def test_a_damaged_file_refuses_all_with_its_name(
    judged: Run, folder: str, content: str, reason: str
) -> None:
    sign_run(judged.path)
    path, *_ = sorted((judged.path / folder).glob("*.json"))
    path.write_text(content)
    forget()

    with pytest.raises(ImportRefused, match=reason):
        import_runs(Path(settings.RUNS_ROOT))
    assert not Run.objects.exists()

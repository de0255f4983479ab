"""The error of a task that is not usable."""

from __future__ import annotations

from pathlib import Path

from harness.admission.refusal import AdmissionRefused
from harness.dataset import Tally
from tests.harness.worlds import tiny_dataset


def test_it_names_the_task_and_has_the_reason_and_the_results(tmp_path: Path) -> None:
    repository, task = next(tiny_dataset(tmp_path).tasks())
    refused = AdmissionRefused(repository, task, "it cannot fail", None, Tally(passed=2))
    assert str(refused) == "calc/add-negatives: it cannot fail"
    assert (refused.reason, refused.null, refused.oracle) == ("it cannot fail", None, Tally(passed=2))

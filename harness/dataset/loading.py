"""From a directory to a dataset, and proofs back into it."""

from __future__ import annotations

import json
from pathlib import Path

from harness.dataset.idebench import IdeBenchLayout, repositories_in
from harness.dataset.model import Dataset, Task
from harness.dataset.ours import OurLayout
from harness.dataset.proofs import Proof


def load_dataset(directory: Path) -> Dataset:
    """The dataset in `directory`, in our layout or IDE-Bench's. Raises DatasetError with every problem found."""
    directory = directory.resolve()
    ours = (directory / "dataset.toml").exists() and any(directory.glob("*/repository.toml"))
    layout = OurLayout if ours or not repositories_in(directory) else IdeBenchLayout
    return layout(directory).load()


def write_proof(task: Task, proof: Proof) -> Path:
    """Stores `proof` beside the task's files, replacing an older one in one move. Returns its path."""
    path = task.directory / "proof.json"
    partial = path.with_suffix(".json.partial")
    partial.write_text(json.dumps(proof.to_json(), indent=2) + "\n", encoding="utf-8")
    partial.replace(path)
    return path

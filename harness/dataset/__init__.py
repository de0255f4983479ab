"""Loads a dataset, or one task of it, from disk. A dataset with a problem is rejected. Layouts: `ours`, `idebench`."""

from __future__ import annotations

from harness.dataset.generation import Generation, Origin, Target
from harness.dataset.loading import load_dataset, load_repository, load_task, write_proof
from harness.dataset.model import (
    OPTIONAL_TOOLS,
    REPORT_NAMES,
    Category,
    Dataset,
    DatasetError,
    Difficulty,
    Layout,
    Problem,
    Repository,
    Task,
)
from harness.dataset.proofs import Proof, Strength, Tally, Trap, Traps
from harness.dataset.starting import start_digest, started
from harness.dataset.trees import Tree, digest_of, files_below
from harness.dataset.verifier_kinds import Verifier
from harness.dataset.workflow import (
    Mode,
    Persona,
    ReferenceCall,
    ReferenceTurn,
    Workflow,
    WorkflowLimits,
    scenario_of,
)

"""Python syntax errors of a run: measures that are not part of the paper's features."""

from __future__ import annotations

from runs.analysis.features.base import Basis, Evidence, Feature
from runs.analysis.trajectories.syntax_errors import SyntaxErrors, syntax_errors


def _counted(run: Evidence) -> SyntaxErrors:
    return syntax_errors(run.trace)


_CATEGORY = "beside"
_ONLY_PYTHON = "Only .py files are checked. Not one of the 59 features."

MEASURES = (
    Feature(
        "syntax_errors_introduced",
        _CATEGORY,
        Basis.PROCESS,
        "How often a file that parsed did not parse after an edit, whatever made the edit (IDE-Bench, F.3.3). "
        f"A file counts as parsing when the run begins. {_ONLY_PYTHON}",
        lambda run: float(run.once(_counted).introduced),
    ),
    Feature(
        "syntax_errors_blocked",
        _CATEGORY,
        Basis.PROCESS,
        "Edits that the tool refused because they would have added a syntax error (IDE-Bench, F.3.3); 0 unless the "
        f"agent has the setting reject_syntax_errors. {_ONLY_PYTHON}",
        lambda run: float(run.once(_counted).blocked),
    ),
    Feature(
        "syntax_errors_fixed",
        _CATEGORY,
        Basis.PROCESS,
        "How often a file with an introduced or blocked error was later edited so that it parses, or deleted "
        f"(IDE-Bench, F.3.3). {_ONLY_PYTHON}",
        lambda run: float(run.once(_counted).fixed),
    ),
    Feature(
        "iterations_left_broken",
        _CATEGORY,
        Basis.PROCESS,
        "Iterations whose changes are all in files that do not parse afterwards: they would be non-productive if "
        f"such edits were rejected (IDE-Bench, B.1). {_ONLY_PYTHON}",
        lambda run: float(run.once(_counted).left_broken),
    ),
)

"""The file that says which panel judged a run: `passes/<slug>.json` in the run directory.

The reviews of a pass are those in `reviews/` of its judges, dimensions and samples; its comparisons those in
`comparisons/` of two such reviews. So `import_runs` rebuilds passes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError

from harness.errors import HarnessError
from harness.judges.dimensions import dimension_named
from harness.judges.questions import dimension_digest
from harness.judges.review_file import JudgeIdentity
from harness.records import write_json
from runs.judging.reviews.panel_specs import read_parameters
from runs.models import JudgingPass
from runs.operations.evaluations.harness_specs import model_spec
from runs.work.execution.run_signature import sign_file

PASSES = "passes"
MAX_FILE_BYTES = 1 << 18
MAX_FILES = 1000
_SLUG = re.compile(r"[a-z0-9][a-z0-9-]{0,99}")
_STRICT = ConfigDict(extra="forbid")
_Text = Annotated[str, Field(max_length=200)]


class PassFileError(HarnessError):
    """The file of a pass is not valid. The message names the file and the field."""


@dataclass(frozen=True, slots=True)
class StoredJudge:
    """A judge. `provider` and `model_name` are for a site that does not know the model."""

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT

    name: _Text
    model: _Text
    model_name: _Text
    provider: _Text
    family: _Text = ""
    parameters: Mapping[str, Any] = field(default_factory=dict)

    def is_it(self, identity: JudgeIdentity) -> bool:
        """Whether an answer is by this model with these parameters; the name is not compared."""
        asked: tuple[str, str, Mapping[str, object]] = (self.model, self.family, dict(self.parameters))
        return (identity.model, identity.family, dict(identity.parameters)) == asked


@dataclass(frozen=True, slots=True)
class StoredPass:
    """A pass with its panel. `dimensions`: name and digest, in the panel's order. `first_sample`: its number."""

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT

    slug: _Text
    title: _Text
    panel: _Text
    panel_title: _Text
    panel_digest: _Text
    dimensions: tuple[tuple[_Text, _Text], ...]
    samples: Annotated[int, Field(ge=1, le=1000)]
    judges: tuple[StoredJudge, ...]
    created_at: _Text
    kind: Literal["reviews", "comparisons"] = "reviews"
    first_sample: Annotated[int, Field(ge=1, le=1_000_000)] = 1
    schema_version: Literal[1] = 1


def write_pass(directory: Path, judging_pass: JudgingPass) -> None:
    """Stores the pass in a run directory, unless it is there."""
    path = directory / PASSES / f"{judging_pass.slug}.json"
    if path.exists():
        return
    write_json(path, asdict(stored_pass(judging_pass)))
    sign_file(path)


def read_passes(directory: Path) -> Iterator[StoredPass]:
    """The passes of a run directory, by slug. Raises PassFileError at the first that is not valid."""
    for number, path in enumerate(sorted((directory / PASSES).glob("*.json"))):
        if number >= MAX_FILES:
            raise PassFileError(f"{path.parent}: more than {MAX_FILES} passes")
        yield _read(path)


def stored_pass(judging_pass: JudgingPass) -> StoredPass:
    """The content of the file."""
    panel = judging_pass.panel
    return StoredPass(
        slug=judging_pass.slug,
        title=judging_pass.title,
        panel=panel.slug,
        panel_title=panel.title,
        panel_digest=panel.digest,
        dimensions=tuple((name, dimension_digest(dimension_named(name))) for name in panel.dimensions),
        samples=panel.samples,
        judges=tuple(
            StoredJudge(
                name=judge.name,
                model=model_spec(judge.model).litellm_id,
                model_name=judge.model.name,
                provider=judge.model.provider,
                family=judge.family,
                parameters=read_parameters(judge.parameters).to_json(),
            )
            for judge in panel.judges.select_related("model")
        ),
        created_at=judging_pass.created_at.isoformat(),
        kind="comparisons" if judging_pass.kind == JudgingPass.Kind.COMPARISONS else "reviews",
        first_sample=judging_pass.first_sample,
    )


def _read(path: Path) -> StoredPass:
    if path.is_symlink() or path.parent.is_symlink():
        raise PassFileError(f"{path}: must be a file, not a link")
    with path.open("rb") as file:
        content = file.read(MAX_FILE_BYTES + 1)
    if len(content) > MAX_FILE_BYTES:
        raise PassFileError(f"{path}: larger than {MAX_FILE_BYTES:,} bytes")
    try:
        stored = TypeAdapter(StoredPass).validate_json(content)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, first["loc"]))
        raise PassFileError(f"{path}: {place}: {first['msg']}") from None
    if stored.slug != path.stem or not _SLUG.fullmatch(stored.slug):
        raise PassFileError(f"{path}: slug: must be the name of the file")
    return stored

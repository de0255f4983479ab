"""The form in which a person rates a run: a score for each dimension, and perhaps a comment and a quote."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass
from typing import Any

from django import forms
from django.core import signing

from harness.judges.answer import LONGEST_QUOTE
from harness.judges.dimensions import GENERAL, Dimension, dimensions_of
from harness.judges.evidence import FEWEST_LETTERS, SHORTEST_QUOTE, place_of
from harness.judges.rendering import Rendered
from runs.models import Run
from runs.raters.rating_file import LONGEST_TEXT, RatedDimension, RatedQuote
from runs.raters.shown_transcript import as_written

# A longer time says that the page was left open, not how long the person read.
MOST_SECONDS = 3600.0
SCORES = (("0", "0"), ("0.5", "0.5"), ("1", "1"))
_SALT = "runs.raters.rating_form"


@dataclass(frozen=True, slots=True)
class Opened:
    """What a form is about, and when it was opened, in seconds since 1970. The server signs it."""

    account: int
    run: int
    run_try: int
    round: int
    at: float

    @classmethod
    def now(cls, account: int, run: Run, number: int) -> Opened:
        """A form that is opened now."""
        return cls(account, run.pk, run.tries, number, time.time())

    @classmethod
    def read(cls, token: str) -> Opened | None:
        """What a token says; None if this site did not sign it."""
        try:
            return cls(**signing.loads(token, salt=_SALT))
        except (signing.BadSignature, TypeError):
            return None

    @property
    def token(self) -> str:
        """The signed text that the form sends back."""
        return signing.dumps(asdict(self), salt=_SALT)

    @property
    def seconds(self) -> float:
        """How long the form has been open, at most MOST_SECONDS."""
        return min(max(0.0, time.time() - self.at), MOST_SECONDS)


@dataclass(frozen=True, slots=True)
class DimensionFields:
    """The fields of one dimension, for the page."""

    dimension: Dimension
    score: forms.BoundField
    text: forms.BoundField
    quote: forms.BoundField
    step: forms.BoundField


class RatingForm(forms.Form):
    """The general dimensions. A quote that does not stand in the text is refused; all that was entered stays."""

    opened = forms.CharField(widget=forms.HiddenInput, max_length=1000)

    def __init__(self, rendered: Rendered, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._rendered = rendered
        self._places: dict[str, RatedQuote] = {}
        for dimension in dimensions_of(GENERAL):
            self.fields |= _fields(dimension)

    @property
    def rows(self) -> list[DimensionFields]:
        """The fields of each dimension, in their order."""
        return [
            DimensionFields(
                each, *(self[f"{part}_{each.name}"] for part in ("score", "text", "quote", "step"))
            )
            for each in dimensions_of(GENERAL)
        ]

    def clean(self) -> dict[str, Any]:
        """Looks the quotes up."""
        entered = super().clean() or {}
        for dimension in dimensions_of(GENERAL):
            quote, step = (entered.get(f"{part}_{dimension.name}") for part in ("quote", "step"))
            if not quote:
                if step is not None:
                    self.add_error(f"quote_{dimension.name}", "Enter the quote of this step, or no step.")
                continue
            places = (place_of(self._rendered, each, step or 0) for each in (quote, as_written(quote)))
            place = next((each for each in places if each.status != "unverified"), None)
            if place is None:
                self.add_error(f"quote_{dimension.name}", _WRONG_QUOTE)
                continue
            stands = self._rendered.last_step if place.found_step is None else place.found_step
            self._places[dimension.name] = RatedQuote(
                quote=quote,
                step=stands if step is None else step,
                status="verified" if step in (None, stands) else "relocated",
                found_step=place.found_step,
                part=place.part,
                start=place.start,
                end=place.end,
            )
        return entered

    def dimensions(self) -> tuple[RatedDimension, ...]:
        """What was entered, of a valid form."""
        return tuple(
            RatedDimension(
                dimension=each.name,
                score=float(self.cleaned_data[f"score_{each.name}"]),
                text=self.cleaned_data[f"text_{each.name}"],
                evidence=(self._places[each.name],) if each.name in self._places else (),
            )
            for each in dimensions_of(GENERAL)
        )


_WRONG_QUOTE = (
    "This quote does not stand in the transcript below. Copy it exactly, from one part of one step: at least "
    f"{SHORTEST_QUOTE} characters, {FEWEST_LETTERS} of them letters or digits. White space may differ."
)


def _fields(dimension: Dimension) -> dict[str, forms.Field]:
    name = dimension.name
    return {
        f"score_{name}": forms.ChoiceField(
            label=f"Score of {dimension.title}",
            choices=SCORES,
            widget=forms.RadioSelect,
            error_messages={"required": "Choose 0, 0.5 or 1."},
        ),
        f"text_{name}": forms.CharField(
            label="Why (optional)",
            required=False,
            max_length=LONGEST_TEXT,
            widget=forms.Textarea(attrs={"rows": 2}),
        ),
        f"quote_{name}": forms.CharField(
            label="Quote (optional)",
            required=False,
            max_length=LONGEST_QUOTE,
            widget=forms.Textarea(attrs={"rows": 2}),
        ),
        f"step_{name}": forms.IntegerField(
            label="Its step (optional)", required=False, min_value=1, max_value=2**31 - 1
        ),
    }

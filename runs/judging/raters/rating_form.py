"""The form in which a person rates a run: a score for each dimension, and perhaps a comment and a quote."""

from __future__ import annotations

import secrets
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from django import forms
from django.contrib.sessions.backends.base import SessionBase

from harness.judges.answer import MAX_QUOTE_LENGTH
from harness.judges.dimensions import GENERAL, Dimension, dimensions_of
from harness.judges.evidence import MIN_LETTERS, MIN_QUOTE_LENGTH, place_of
from harness.judges.rendering import Rendered
from runs.judging.raters.rating_file import MAX_TEXT_LENGTH, RatedDimension, RatedQuote
from runs.judging.raters.shown_transcript import as_written
from runs.models import Run

# A longer time says that the page was left open, not how long the person read.
MAX_SECONDS = 3600.0
SCORES = (("0", "0"), ("0.5", "0.5"), ("1", "1"))
MAX_OPEN = 20
_FORMS = "opened_ratings"  # in the session


@dataclass(frozen=True, slots=True)
class Opened:
    """What a form is about, and when it was opened, in seconds since 1970.

    The session has it, and the form only a name: a form with the number of the run would lead to the replay and to the
    reviews, and one with the round would say that the run is a repeat.
    """

    run: int
    run_try: int
    round: int
    at: float

    @classmethod
    def now(cls, session: SessionBase, run: Run, number: int) -> str:
        """Stores a form that is opened now, and returns its name. The session has the newest MAX_OPEN."""
        opened = asdict(cls(run.pk, run.tries, number, time.time()))
        stored = session.get(_FORMS, {})
        # The same form in two tabs has one name, so neither tab takes it from the other.
        about = [run.pk, run.tries, number]
        name = next((key for key, one in stored.items() if _about(one) == about), secrets.token_urlsafe(16))
        newest = sorted({**stored, name: opened}.items(), key=lambda each: each[1]["at"])[-MAX_OPEN:]
        session[_FORMS] = dict(newest)
        return name

    @classmethod
    def named(cls, session: SessionBase, name: str) -> Opened | None:
        """The form with this name; None if this session did not open it."""
        stored = session.get(_FORMS, {}).get(name)
        return cls(**stored) if stored else None

    @property
    def seconds(self) -> float:
        """How long the form has been open, at most MAX_SECONDS."""
        return min(max(0.0, time.time() - self.at), MAX_SECONDS)


def _about(stored: Mapping[str, Any]) -> list[Any]:
    return [stored["run"], stored["run_try"], stored["round"]]


@dataclass(frozen=True, slots=True)
class DimensionFields:
    """The fields of one dimension, for the page."""

    dimension: Dimension
    score: forms.BoundField
    text: forms.BoundField
    quote: forms.BoundField
    step: forms.BoundField

    @property
    def is_open(self) -> bool:
        """Whether comment and quote have something to show: what was entered, or what is wrong with it."""
        return any(field.value() or field.errors for field in (self.text, self.quote, self.step))


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
    f"{MIN_QUOTE_LENGTH} characters, {MIN_LETTERS} of them letters or digits. White space may differ."
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
            label="Why",
            required=False,
            max_length=MAX_TEXT_LENGTH,
            widget=forms.Textarea(attrs={"rows": 2}),
        ),
        f"quote_{name}": forms.CharField(
            label="Quote",
            required=False,
            max_length=MAX_QUOTE_LENGTH,
            widget=forms.Textarea(attrs={"rows": 2}),
        ),
        f"step_{name}": forms.IntegerField(
            label="Its step", required=False, min_value=1, max_value=2**31 - 1
        ),
    }

"""Which stored values of a run count, as database conditions.

In Python the same rules are `Run.test_rate`, `Run.has_duration` and `Run.is_odd`. What is unknown is not invalid.
"""

from __future__ import annotations

from django.db.models import F, FloatField, Q
from django.db.models.functions import Cast, NullIf

_RATE_POSSIBLE = Q(tests_total__gt=0, tests_passed__lte=F("tests_total"))

HAS_TEST_RATE = _RATE_POSSIBLE & ~Q(odd__contains="tests_total") & ~Q(odd__contains="tests_passed")
HAS_DURATION = Q(act_seconds__isnull=False) & ~Q(odd__contains="act_seconds")
HAS_INVALID_VALUE = ~Q(odd="") | (Q(tests_total__isnull=False) & ~_RATE_POSSIBLE)
TEST_RATE = Cast("tests_passed", FloatField()) / NullIf(Cast("tests_total", FloatField()), 0.0)

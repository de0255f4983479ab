"""How topics write numbers in sentences and in charts."""

from __future__ import annotations

from runs.analysis.estimate import Estimate
from runs.formatting.numbers import typeset


def percent(share: float | None, digits: int = 1) -> str:
    """A share from 0 to 1 as `87.5 %`; a dash for None."""
    return "–" if share is None else f"{share * 100:.{digits}f} %"


def points(difference: float) -> str:
    """A difference of shares in percentage points, with its sign: `+4.7`, `−12.0`."""
    return typeset(f"{100 * difference:+.1f}")


def correlation(value: float) -> str:
    """From −1 to 1: `0.96`, `−0.80`."""
    return typeset(f"{value:.2f}")


def counted(count: int, one: str, several: str = "") -> str:
    """1 run, 2 runs."""
    return f"{count:,} {one if count == 1 else several or f'{one}s'}"


def amount(value: float) -> str:
    """A number of tokens, or another large count: `640`, `12,345`, `648 k`, `1.35 M`."""
    if value >= 999_500:
        return f"{value / 1_000_000:.3g} M"
    if value >= 10_000:
        return f"{value / 1_000:.3g} k"
    return f"{value:,.0f}" if value >= 10 or value == 0 else f"{value:.2g}"


def dollars(value: float) -> str:
    """US dollars, as many digits as matter."""
    if value == 0:
        return "$0"
    return f"${value:.2g}" if value < 0.1 else f"${value:,.2f}"


def seconds(value: float) -> str:
    """Seconds as `4 ms`, `3.1 s`, `5:41` or `1:02:03`."""
    if value < 1:
        return f"{value * 1000:.0f} ms"
    if value < 60:
        return f"{value:.2g} s" if value < 10 else f"{value:.0f} s"
    minutes, left = divmod(round(value), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{left:02}" if hours else f"{minutes}:{left:02}"


def plain(value: float) -> str:
    """A number without zeros behind the point."""
    return f"{value:,.10g}"


def ends(figure: Estimate) -> tuple[float | None, float | None]:
    """Low and high of its interval, for a chart."""
    return (None, None) if figure.interval is None else (figure.interval.low, figure.interval.high)


def with_n(figure: Estimate, share: bool = True, digits: int = 1) -> str:
    """A value with its n, for the margin of a chart; the reason where there is none."""
    if figure.value is None:
        return figure.reason
    shown = percent(figure.value, digits) if share else f"{figure.value:.{digits}f}"
    return f"{shown}, n {figure.n:,}"

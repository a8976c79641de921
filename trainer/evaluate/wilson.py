"""The Wilson score interval of a share (E. B. Wilson, 1927)."""

from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist


@dataclass(frozen=True)
class Interval:
    """Both ends between 0 and 1."""

    low: float
    high: float


def wilson(right: int, total: int, level: float = 0.95) -> Interval:
    """The interval that holds the true share in about `level` of all samples; (0, 1) when nothing was
    sampled.

    Raises `ValueError` unless 0 ≤ `right` ≤ `total` and 0 < `level` < 1.
    """
    if not 0 <= right <= total:
        raise ValueError(f"{right} of {total} is no share")
    if not 0 < level < 1:
        raise ValueError(f"{level} is no level between 0 and 1")
    if total == 0:
        return Interval(0.0, 1.0)
    z = NormalDist().inv_cdf((1 + level) / 2)
    share = right / total
    centre = share + z * z / (2 * total)
    spread = z * sqrt(share * (1 - share) / total + z * z / (4 * total * total))
    scale = 1 + z * z / total
    # At a share of 0 or 1 the end is exactly 0 or 1; rounding would leave it just inside.
    low = 0.0 if right == 0 else max(0.0, (centre - spread) / scale)
    high = 1.0 if right == total else min(1.0, (centre + spread) / scale)
    return Interval(low, high)

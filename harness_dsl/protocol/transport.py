"""A conversation between semantic ids and the names of a Surface, both ways.

`lift(lower(t))` is `t` without its token ids, and `lower(lift(m))` is `m` byte for byte when `m` came from
`lower`. Names are found by structure, never by replacing text: names of tools and parameters in calls,
values of enum type, record keys, the skill of `load_skill`, and mentions in free text as `mentions` defines
them.
"""

from harness_dsl.protocol.lifting import Lifted, LiftReport, lift
from harness_dsl.protocol.lowering import lower, lower_view, without_harness

__all__ = ["LiftReport", "Lifted", "lift", "lower", "lower_view", "without_harness"]

"""A conversation shown in any variant: by semantic ids on disk, by current names before a model."""

from harness_dsl.protocol.transport import Lifted, LiftReport, lift, lower, without_harness

__all__ = ["LiftReport", "Lifted", "lift", "lower", "without_harness"]

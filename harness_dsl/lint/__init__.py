"""Rules about harness files: what the analysis refuses, and what only looks wrong."""

from harness_dsl.lint.run import lint

__all__ = ["lint"]

"""What is wrong in a user's file, said once, at the smallest place, with what to do about it."""

from harness_dsl.diagnostics.diagnostic import Diagnostic, Fix, Label, Severity, Span
from harness_dsl.diagnostics.suggest import did_you_mean

__all__ = ["Diagnostic", "Fix", "Label", "Severity", "Span", "did_you_mean"]

"""Evaluation through the loop that serves: suites, intervals and plots."""

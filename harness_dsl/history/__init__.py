"""Harness files in time: the states that git keeps of them, and what an edit means between two states."""

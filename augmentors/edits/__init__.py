"""Edits of a harness that change what the right answer is, as data that a Core is rebuilt from."""

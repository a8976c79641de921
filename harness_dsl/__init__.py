"""The `.harness` language: one typed program for what surrounds a model, and one canonical IR of it."""

__version__ = "0.1.0"

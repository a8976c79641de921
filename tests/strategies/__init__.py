"""Hypothesis strategies that build valid harnesses and conversations, and one fixed live shop."""

from tests.strategies.cores import cores
from tests.strategies.mutations import Mutation, all_mutations, semantic_mutations
from tests.strategies.shop import compiled_shop, small_shop
from tests.strategies.surfaces import default_surface, surfaces
from tests.strategies.transcripts import inputs_for, transcripts
from tests.strategies.types import values_of

__all__ = [
    "Mutation",
    "all_mutations",
    "compiled_shop",
    "cores",
    "default_surface",
    "inputs_for",
    "semantic_mutations",
    "small_shop",
    "surfaces",
    "transcripts",
    "values_of",
]

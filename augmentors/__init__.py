"""Harness-state augmentation: other ways to show one meaning, each with a certificate that can be checked.

registry    every operator by name, and the order in which they compose
policy      which operators a dataset draws from, how often and how strongly
variants    row N of a seed
checker     proves what a certificate claims, without knowing an operator
transport   a conversation shown in any variant
"""

"""The contract suite: whether implementations that an author declares equivalent answer alike.

Events are generated from the types of the Core, at their bounds too, and taken from conversations. Every
implementation of a hook answers each of them, and so does the declared condition.
"""

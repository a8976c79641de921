"""Conversations that others recorded, one JSON value a line, as transcripts of a harness.

`lines` reads them in bounded memory, `shapes` brings what programs write into the one form that `lift` reads,
`conversation` says whether it is a conversation of the harness at all, `lifting` puts the three together, and
`kinds` has everything that can be wrong.
"""

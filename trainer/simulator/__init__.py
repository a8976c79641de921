"""The live-shop simulator: seeded rooms, tasks with typed expectations, an oracle that solves them, and the
check.
"""

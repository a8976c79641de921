"""Supervised fine-tuning through TRL: the ids and labels are the protocol's, so training sees what serving
sends.
"""

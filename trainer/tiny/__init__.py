"""The tiny demo model: its tokenizer, its architecture, its general corpus, and the command that makes it.

    python -m trainer.tiny.pretrain --out examples/tiny_base --seed 0

writes the base checkpoint from nothing. The corpus is generated (`corpus.py`), never read from a file, and
holds no live-shop harness. `corpus.general_row` also gives the replay rows that fine-tuning mixes in.
"""

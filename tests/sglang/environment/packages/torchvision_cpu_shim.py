"""Lets torchvision's CUDA build be imported beside a CPU build of torch: its registrations refer to two
operators that only its own library declares, so they are declared here when torchvision is first looked
for.
"""

import sys
from typing import Any

SCHEMAS = (
    "nms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor",
    "qnms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor",
)


class _Declare:
    """A finder that finds nothing; a declaration lives as long as the library object that made it."""

    def __init__(self) -> None:
        self.library: Any = None

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> None:
        if name != "torchvision" or self.library is not None:
            return
        import torch

        if torch.backends.cuda.is_built():
            return
        self.library = torch.library.Library("torchvision", "DEF")
        for schema in SCHEMAS:
            self.library.define(schema)


sys.meta_path.insert(0, _Declare())

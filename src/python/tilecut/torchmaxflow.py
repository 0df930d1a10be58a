# SPDX-License-Identifier: MIT
"""The interface of torchmaxflow: like tilecut.numpymaxflow, for tensors of PyTorch on the CPU with a leading axis of
length 1.

    label = torchmaxflow.maxflow(image, prob, lamda, sigma, 4)   # (1, channels, height, width), (1, 2, height, width)
"""
from __future__ import annotations

from typing import Any

from . import numpymaxflow as _plain


def _array(tensor: Any, what: str) -> Any:
    if tensor.device.type != "cpu":
        raise TypeError(f"{what} is on {tensor.device}; a tensor on the CPU is right: {what}.cpu()")
    if tensor.ndim not in (4, 5) or tensor.shape[0] != 1:
        raise ValueError(f"{what} has the shape {tuple(tensor.shape)}; (1, channels, height, width) is right, with a depth "
                         "before the height in volumes")
    return tensor.detach().numpy()[0]


def maxflow(image: Any, prob: Any, lamda: float, sigma: float, connectivity: int = 0) -> Any:
    """Does numpymaxflow.maxflow() for tensors (1, channels, height, width) and (1, 2, height, width), or with a depth
    before the height. Returns a tensor (1, 1, height, width) of float32. Raises the same exceptions, and TypeError for
    tensors on other devices."""
    return _tensor(_plain.maxflow(_array(image, "image"), _array(prob, "prob"), lamda, sigma, connectivity))


def maxflow_interactive(image: Any, prob: Any, seed: Any, lamda: float, sigma: float, connectivity: int = 0) -> Any:
    """Does numpymaxflow.maxflow_interactive() for tensors; seed is (1, 2, height, width)."""
    return _tensor(_plain.maxflow_interactive(_array(image, "image"), _array(prob, "prob"), _array(seed, "seed"), lamda,
                                              sigma, connectivity))


def _tensor(label: Any) -> Any:
    import torch
    return torch.from_numpy(label)[None]

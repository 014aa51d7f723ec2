"""Networks that the command wrote as ONNX fill puzzles, by way of onnxruntime."""

from __future__ import annotations

import os
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from ._inputs import Boxes, Puzzles, understand
from ._native import NinefoldError


class Predicted(NamedTuple):
    """What a network says: nothing of it has been checked (``verify`` and ``score`` do that)."""

    #: In the form of the puzzles.
    filled: Any
    #: How likely each digit is in each cell at the first look, of shape (N, cells, digits).
    odds: Any


def predict(network: str | os.PathLike[str], x: Puzzles, *, boxes: Boxes = None, batch: int = 256) -> Predicted:
    """Lets a network fill puzzles: a file that ``ninefold models --export onnx NAME FILE`` has written.

    It fills as the network does in its paper: all cells at once, or the surest one, again and again. Needs onnxruntime.

    >>> predict("missing.onnx", "1..4..1..3..4..3")
    Traceback (most recent call last):
    ...
    ninefold.NinefoldError: missing.onnx cannot be read; `ninefold models --export onnx NAME FILE` writes networks
    """
    path = os.fspath(network)
    if not os.path.isfile(path):
        raise NinefoldError(f"{path} cannot be read; `ninefold models --export onnx NAME FILE` writes networks")
    session, at_once = _opened(path, os.path.getmtime(path))
    given = understand(x, boxes)
    cells = session.get_inputs()[0].shape[1]
    if given.rows.shape[1] != cells:
        raise NinefoldError(f"{path} fills grids of {cells} cells, not of {given.rows.shape[1]}")
    parts = [_filled(session, part, at_once) for part in np.array_split(given.rows, -(-len(given.rows) // batch) or 1)]
    filled, odds = (np.concatenate(column) for column in zip(*parts))
    return Predicted(given.shaped(filled), odds)


@lru_cache(maxsize=8)
def _opened(path: str, _changed: float) -> tuple[Any, bool]:
    try:
        import onnxruntime
    except ImportError as error:
        raise NinefoldError("predict needs onnxruntime: pip install onnxruntime") from error
    try:
        session = onnxruntime.InferenceSession(path)
    except Exception as error:
        raise NinefoldError(f"{path} is no network that onnxruntime can run: {error}") from error
    notes = session.get_modelmeta().custom_metadata_map
    if "fills" not in notes:
        raise NinefoldError(f"{path} was not written by ninefold")
    return session, notes["fills"] == "at once"


def _filled(session: Any, puzzles: Any, at_once: bool) -> tuple[Any, Any]:
    boards = puzzles.astype(np.int64)
    first = None
    while first is None or (boards == 0).any():
        (told,) = session.run(None, {"puzzle": boards})
        first = np.exp(told) if first is None else first
        empty = boards == 0
        digits = told.argmax(axis=2) + 1
        if at_once:
            boards = np.where(empty, digits, boards)
            break
        rows = np.flatnonzero(empty.any(axis=1))
        cells = np.where(empty, told.max(axis=2), -np.inf)[rows].argmax(axis=1)
        boards[rows, cells] = digits[rows, cells]
    return boards.astype(np.uint8), first

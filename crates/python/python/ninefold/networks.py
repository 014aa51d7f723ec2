"""Networks fill puzzles: Kaleidoscope, which is inside the package, or files that the command wrote as ONNX."""

from __future__ import annotations

import os
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from . import _native
from ._inputs import Boxes, Puzzles, understand, whole
from ._native import NinefoldError

#: How long Kaleidoscope thinks where nobody says otherwise: iterations from each start, and starts.
ITERATIONS, STARTS = 64, 4


class Predicted(NamedTuple):
    """What a network says: nothing of it has been checked (``verify`` and ``score`` do that)."""

    #: In the form of the puzzles.
    filled: Any
    #: How likely each digit is in each cell, of shape (N, cells, digits): for Kaleidoscope when it stopped, for others at the
    #: first look.
    odds: Any


def predict(
    network: str | os.PathLike[str],
    x: Puzzles,
    *,
    boxes: Boxes = None,
    iterations: int | None = None,
    starts: int | None = None,
    batch: int = 256,
    threads: int = 0,
) -> Predicted:
    """Lets a network fill puzzles: "kaleidoscope", or a file that ``ninefold models --export onnx NAME FILE`` has written.

    Kaleidoscope is inside the package and takes every size. It thinks for up to 64 ``iterations`` from each of up to 4
    ``starts``, and stops where its grid keeps the rules. A file is run by onnxruntime, ``batch`` puzzles at a time, and fills as
    the network does in its paper: all cells at once, or the surest one, again and again.

    >>> filled, odds = predict("kaleidoscope", "1..4..1..3..4..3")
    >>> filled
    '1234341223414123'
    >>> odds.shape, odds[0].argmax(axis=1)[:4] + 1
    ((1, 16, 4), array([1, 2, 3, 4]))
    >>> predict("missing.onnx", "1..4..1..3..4..3")
    Traceback (most recent call last):
    ...
    ninefold.NinefoldError: missing.onnx cannot be read; use "kaleidoscope" or a file of `ninefold models --export onnx NAME FILE`
    """
    path = os.fspath(network)
    threads = whole("threads", threads)
    if path == "kaleidoscope":
        given = understand(x, boxes)
        iterations = whole("iterations", ITERATIONS if iterations is None else iterations, 1, 2**32)
        starts = whole("starts", STARTS if starts is None else starts, 1, 2**32)
        filled, odds = _native.kaleidoscope(given.rows, given.boxes, iterations, starts, threads)
        return Predicted(given.shaped(filled), odds)
    if iterations is not None or starts is not None:
        raise NinefoldError(f"{path} answers as it was trained to; iterations and starts are for kaleidoscope")
    if not os.path.isfile(path):
        words = 'use "kaleidoscope" or a file of `ninefold models --export onnx NAME FILE`'
        raise NinefoldError(f"{path} cannot be read; {words}")
    batch = whole("batch", batch, 1)
    session, at_once = _opened(path, os.path.getmtime(path), threads)
    given = understand(x, boxes).checked()
    cells = session.get_inputs()[0].shape[1]
    if given.rows.shape[1] != cells:
        raise NinefoldError(f"{path} fills grids of {cells} cells, not of {given.rows.shape[1]}")
    parts = [_filled(session, part, at_once) for part in np.array_split(given.rows, -(-len(given.rows) // batch) or 1)]
    filled, odds = (np.concatenate(column) for column in zip(*parts))
    return Predicted(given.shaped(filled), odds)


@lru_cache(maxsize=8)
def _opened(path: str, _changed: float, threads: int) -> tuple[Any, bool]:
    try:
        import onnxruntime
    except ImportError as error:
        raise NinefoldError("networks in files need onnxruntime: pip install onnxruntime") from error
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    try:
        session = onnxruntime.InferenceSession(path, options)
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

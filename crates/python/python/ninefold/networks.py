"""Networks that fill puzzles: Kaleidoscope, which is part of the package, and ONNX files that the command exports."""

from __future__ import annotations

import os
from functools import lru_cache
from typing import Any, NamedTuple, Union

import numpy as np

from . import _native
from ._inputs import Boxes, Puzzles, integer, parse
from ._native import NinefoldError
from .variants import Puzzle

#: The defaults of Kaleidoscope: the maximum number of iterations per start, and of starts.
ITERATIONS, STARTS = 64, 4


class Predicted(NamedTuple):
    """The unchecked output of a network; see ``verify`` and ``score``."""

    #: The filled grids, in the form of the puzzles.
    filled: Any
    #: The probability of each digit in each cell, of shape (N, cells, digits): after the last iteration for Kaleidoscope, after
    #: the first pass for other networks.
    odds: Any


def predict(
    network: str | os.PathLike[str],
    x: Union[Puzzles, Puzzle],
    *,
    boxes: Boxes = None,
    iterations: int | None = None,
    starts: int | None = None,
    batch: int = 256,
    threads: int = 0,
) -> Predicted:
    """Fills puzzles with a network: "kaleidoscope", or a file from ``ninefold models --export onnx NAME FILE``.

    Kaleidoscope is part of the package and supports every size. It runs up to 64 ``iterations`` from each of up to 4
    ``starts``, and stops when its grid satisfies the rules. It also fills a :class:`Puzzle` with rules of its own; then
    ``odds`` has the shape (1, cells, digits). Files run in onnxruntime, ``batch`` puzzles at a time, and fill as
    in the paper of the network: all cells at once, or repeatedly the most certain cell.

    >>> filled, odds = predict("kaleidoscope", "1..4..1..3..4..3")
    >>> filled
    '1234341223414123'
    >>> odds.shape, odds[0].argmax(axis=1)[:4] + 1
    ((1, 16, 4), array([1, 2, 3, 4]))
    >>> from ninefold import generate_variants
    >>> killer = generate_variants(1, rules="killer", size=4, seed=1)[0]
    >>> killer.verify(predict("kaleidoscope", killer).filled)
    True
    >>> predict("missing.onnx", "1..4..1..3..4..3")
    Traceback (most recent call last):
    ...
    ninefold.NinefoldError: cannot read missing.onnx, expected "kaleidoscope" or a file from `ninefold models --export onnx NAME FILE`
    """
    path = os.fspath(network)
    threads = integer("threads", threads)
    if path == "kaleidoscope":
        iterations = integer("iterations", ITERATIONS if iterations is None else iterations, 1, 2**32)
        starts = integer("starts", STARTS if starts is None else starts, 1, 2**32)
        if isinstance(x, Puzzle):
            filled, odds = _native.kaleidoscope_with_rules(x._native, iterations, starts)
            return Predicted(filled[0], odds)
        parsed = parse(x, boxes)
        filled, odds = _native.kaleidoscope(parsed.rows, parsed.boxes, iterations, starts, threads)
        return Predicted(parsed.shaped(filled), odds)
    if isinstance(x, Puzzle):
        raise NinefoldError(f"{path}: only kaleidoscope supports puzzles with rules of their own")
    if iterations is not None or starts is not None:
        raise NinefoldError(f"{path}: only kaleidoscope supports iterations and starts")
    if not os.path.isfile(path):
        expected = '"kaleidoscope" or a file from `ninefold models --export onnx NAME FILE`'
        raise NinefoldError(f"cannot read {path}, expected {expected}")
    batch = integer("batch", batch, 1)
    session, at_once = _open(path, os.path.getmtime(path), threads)
    parsed = parse(x, boxes).checked()
    cells = session.get_inputs()[0].shape[1]
    if parsed.rows.shape[1] != cells:
        raise NinefoldError(f"{path}: expected grids of {cells} cells, found {parsed.rows.shape[1]}")
    parts = [_fill(session, part, at_once) for part in np.array_split(parsed.rows, -(-len(parsed.rows) // batch) or 1)]
    filled, odds = (np.concatenate(column) for column in zip(*parts))
    return Predicted(parsed.shaped(filled), odds)


@lru_cache(maxsize=8)
def _open(path: str, _changed: float, threads: int) -> tuple[Any, bool]:
    try:
        import onnxruntime
    except ImportError as error:
        raise NinefoldError("network files require onnxruntime: pip install onnxruntime") from error
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    try:
        session = onnxruntime.InferenceSession(path, options)
    except Exception as error:
        raise NinefoldError(f"{path}: onnxruntime cannot load the file: {error}") from error
    notes = session.get_modelmeta().custom_metadata_map
    if "fills" not in notes:
        raise NinefoldError(f"{path} is not a file from `ninefold models --export onnx`")
    return session, notes["fills"] == "at once"


def _fill(session: Any, puzzles: Any, at_once: bool) -> tuple[Any, Any]:
    boards = puzzles.astype(np.int64)
    first = None
    while first is None or (boards == 0).any():
        (log_probabilities,) = session.run(None, {"puzzle": boards})
        first = np.exp(log_probabilities) if first is None else first
        empty = boards == 0
        digits = log_probabilities.argmax(axis=2) + 1
        if at_once:
            boards = np.where(empty, digits, boards)
            break
        rows = np.flatnonzero(empty.any(axis=1))
        cells = np.where(empty, log_probabilities.max(axis=2), -np.inf)[rows].argmax(axis=1)
        boards[rows, cells] = digits[rows, cells]
    return boards.astype(np.uint8), first

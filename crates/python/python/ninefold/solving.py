"""Solutions: found, counted, proven to be the only ones, checked."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from . import _native
from ._inputs import Boxes, Puzzles, box_shape, pair, understand, whole
from ._native import NinefoldError


class Solved(NamedTuple):
    """Solutions, and how many there are, up to the limit that was asked for."""

    #: In the form of the puzzles. Where there is none: ``None`` for a text, zeros in an array.
    solutions: Any
    counts: Any


class Checked(NamedTuple):
    """What is known of puzzles."""

    #: 0, 1, or 2 for several.
    solutions: Any
    #: Has the puzzle one solution, and needs every clue?
    minimal: Any
    clues: Any


def solve(x: Puzzles, *, limit: int = 2, boxes: Boxes = None, threads: int = 0) -> Solved:
    """Solves puzzles, and counts their solutions up to ``limit``; with 2, a count of 1 proves that there is no other.

    >>> solve("1..4..1..3..4..3")
    Solved(solutions='1234341223414123', counts=1)
    >>> solve(["1..4..1..3..4..3", "11.............."])
    Solved(solutions=['1234341223414123', None], counts=array([1, 0], dtype=uint64))
    >>> import numpy as np
    >>> solve(np.zeros((2, 81), np.uint8)).counts
    array([2, 2], dtype=uint64)
    """
    if isinstance(x, str) and boxes is None and limit == 2:
        answer = _native.solve_line(x)
        if answer is not None:
            return Solved(*answer)
    given = understand(x, boxes)
    rows, counts = _native.solve(given.rows, given.boxes, whole("limit", limit, 1), whole("threads", threads))
    solutions = given.shaped(rows)
    if given.form == "line" and counts[0] == 0:
        solutions = None
    elif given.form == "lines":
        solutions = [line if found else None for line, found in zip(solutions, counts)]
    return Solved(solutions, given.one_or_all(counts))


def solve_inplace(x: NDArray[np.uint8], *, limit: int = 2, boxes: Boxes = None, threads: int = 0) -> NDArray[np.uint64]:
    """Solves the rows of an array in place and gives the counts; rows without a solution become 0.

    The array has to be writable, C-contiguous, of type ``uint8`` and of shape (N, 81) or (N, n²).

    >>> import numpy as np
    >>> grids = np.zeros((1, 16), np.uint8)
    >>> solve_inplace(grids)
    array([2], dtype=uint64)
    >>> grids.min()
    np.uint8(1)
    """
    if not isinstance(x, np.ndarray):
        raise TypeError(f"solve_inplace takes an array, not {type(x).__name__}")
    if x.dtype != np.uint8:
        raise TypeError(f"solve_inplace takes an array of uint8, not {x.dtype}")
    if x.ndim != 2 or not x.flags.c_contiguous or not x.flags.writeable:
        raise NinefoldError("solve_inplace takes an array of shape (N, cells) that is C-contiguous and writable")
    shape = box_shape(boxes) or _native.usual_boxes(x.shape[1])
    if shape is None:
        raise NinefoldError(f"rows of {x.shape[1]} numbers are not grids")
    return _native.solve_inplace(x, shape, whole("limit", limit, 1), whole("threads", threads))


def count(x: Puzzles, *, limit: int = 10_000, boxes: Boxes = None, threads: int = 0) -> Any:
    """How many solutions puzzles have, counted up to ``limit``.

    >>> count("." * 16)
    288
    """
    given = understand(x, boxes)
    counts = _native.count(given.rows, given.boxes, whole("limit", limit, 1), whole("threads", threads))
    return given.one_or_all(counts)


def check(x: Puzzles, *, boxes: Boxes = None, threads: int = 0) -> Checked:
    """Is each puzzle valid, and is every clue needed?

    >>> check("1..4..1..3..4..3")
    Checked(solutions=1, minimal=False, clues=6)
    """
    given = understand(x, boxes)
    solutions, minimal = _native.check(given.rows, given.boxes, whole("threads", threads))
    clues = np.count_nonzero(given.rows, axis=1)
    return Checked(given.one_or_all(solutions), given.one_or_all(minimal), given.one_or_all(clues))


def verify(x: Puzzles, y: Puzzles, *, boxes: Boxes = None, threads: int = 0) -> Any:
    """Is each grid of ``y`` a solution of the puzzle in ``x``: complete, by the rules, with all clues?

    >>> verify("1..4..1..3..4..3", "1234341223414123")
    True
    """
    given, grids = pair(x, y, boxes)
    return given.one_or_all(_native.verify(given.rows, grids.rows, given.boxes, whole("threads", threads)))

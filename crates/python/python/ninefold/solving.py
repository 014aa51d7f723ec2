"""Solving, counting and verifying solutions."""

from __future__ import annotations

from typing import Any, Union, overload

import numpy as np
from numpy.typing import NDArray

from . import _native
from ._inputs import Boxes, Puzzles, Texts, box_shape, integer, pair, parse
from ._native import NinefoldError
from ._results import Checked, Solved
from .variants import Puzzle


Counts = NDArray[np.uint64]
Truths = NDArray[np.bool_]


@overload
def solve(x: str, *, limit: int = 2, boxes: Boxes = None, threads: int = 0) -> Solved[str | None, int]: ...
@overload
def solve(x: Texts, *, limit: int = 2, boxes: Boxes = None, threads: int = 0) -> Solved[list[str | None], Counts]: ...
@overload
def solve(x: NDArray[Any], *, limit: int = 2, boxes: Boxes = None, threads: int = 0) -> Solved[NDArray[np.uint8], Any]: ...
@overload
def solve(x: Puzzle, *, limit: int = 2, boxes: Boxes = None, threads: int = 0) -> Solved[NDArray[np.uint8] | None, int]: ...
@overload
def solve(x: Any, *, limit: int = 2, boxes: Boxes = None, threads: int = 0) -> Solved[Any, Any]: ...
def solve(x: Union[Puzzles, Puzzle], *, limit: int = 2, boxes: Boxes = None, threads: int = 0) -> Solved[Any, Any]:
    """Solves puzzles and counts their solutions up to ``limit``. With 2, a count of 1 proves that the solution is unique.

    >>> solve("1..4..1..3..4..3")
    Solved(solutions='1234341223414123', counts=1)
    >>> solve(["1..4..1..3..4..3", "11.............."])
    Solved(solutions=['1234341223414123', None], counts=array([1, 0], dtype=uint64))
    >>> import numpy as np
    >>> solve(np.zeros((2, 81), np.uint8)).counts
    array([2, 2], dtype=uint64)
    """
    if isinstance(x, Puzzle):
        return x.solve(limit=limit)
    if isinstance(x, str) and boxes is None and limit == 2:
        answer = _native.solve_line(x)
        if answer is not None:
            return Solved(*answer)
    parsed = parse(x, boxes)
    rows, counts = _native.solve(parsed.rows, parsed.boxes, integer("limit", limit, 1), integer("threads", threads))
    return Solved(parsed.shaped(rows, "solution", counts), parsed.one_or_all(counts, "count"))


def solve_inplace(x: NDArray[np.uint8], *, limit: int = 2, boxes: Boxes = None, threads: int = 0) -> NDArray[np.uint64]:
    """Solves the rows of an array in place and returns the counts; rows without a solution become 0.

    The array must be writable, C-contiguous, of type ``uint8`` and of shape (N, 81) or (N, n²).

    >>> import numpy as np
    >>> grids = np.zeros((1, 16), np.uint8)
    >>> solve_inplace(grids)
    array([2], dtype=uint64)
    >>> grids.min()
    np.uint8(1)
    """
    if not isinstance(x, np.ndarray):
        raise TypeError(f"solve_inplace: expected an array, found {type(x).__name__}")
    if x.dtype != np.uint8:
        raise TypeError(f"solve_inplace: expected an array of uint8, found {x.dtype}")
    if x.ndim != 2 or not x.flags.c_contiguous or not x.flags.writeable:
        raise NinefoldError("solve_inplace: expected an array of shape (N, cells) that is C-contiguous and writable")
    shape = box_shape(boxes) or _native.usual_boxes(x.shape[1])
    if shape is None:
        raise NinefoldError(f"expected rows of 16, 36, 64, 81, … cells, found {x.shape[1]}")
    return _native.solve_inplace(x, shape, integer("limit", limit, 1), integer("threads", threads))


@overload
def count(x: str, *, limit: int = 10_000, boxes: Boxes = None, threads: int = 0) -> int: ...
@overload
def count(x: Texts, *, limit: int = 10_000, boxes: Boxes = None, threads: int = 0) -> Counts: ...
@overload
def count(x: Any, *, limit: int = 10_000, boxes: Boxes = None, threads: int = 0) -> Any: ...
def count(x: Puzzles, *, limit: int = 10_000, boxes: Boxes = None, threads: int = 0) -> Any:
    """The number of solutions of each puzzle, up to ``limit``.

    >>> count("." * 16)
    288
    """
    parsed = parse(x, boxes)
    counts = _native.count(parsed.rows, parsed.boxes, integer("limit", limit, 1), integer("threads", threads))
    return parsed.one_or_all(counts)


@overload
def check(x: Union[str, Puzzle], *, boxes: Boxes = None, threads: int = 0) -> Checked[int, bool]: ...
@overload
def check(x: Texts, *, boxes: Boxes = None, threads: int = 0) -> Checked[Counts, Truths]: ...
@overload
def check(x: Any, *, boxes: Boxes = None, threads: int = 0) -> Checked[Any, Any]: ...
def check(x: Union[Puzzles, Puzzle], *, boxes: Boxes = None, threads: int = 0) -> Checked[Any, Any]:
    """Checks whether each puzzle has a unique solution and needs every clue.

    >>> check("1..4..1..3..4..3")
    Checked(solutions=1, minimal=False, clues=6)
    """
    if isinstance(x, Puzzle):
        return x.check()
    parsed = parse(x, boxes)
    solutions, minimal = _native.check(parsed.rows, parsed.boxes, integer("threads", threads))
    clues = np.count_nonzero(parsed.rows, axis=1)
    return Checked(parsed.one_or_all(solutions), parsed.one_or_all(minimal), parsed.one_or_all(clues))


@overload
def verify(x: str, y: Puzzles, *, boxes: Boxes = None, threads: int = 0) -> bool: ...
@overload
def verify(x: Texts, y: Puzzles, *, boxes: Boxes = None, threads: int = 0) -> Truths: ...
@overload
def verify(x: Any, y: Puzzles, *, boxes: Boxes = None, threads: int = 0) -> Any: ...
def verify(x: Puzzles, y: Puzzles, *, boxes: Boxes = None, threads: int = 0) -> Any:
    """Whether each grid of ``y`` solves the puzzle in ``x``: complete, without conflicts, with all clues.

    >>> verify("1..4..1..3..4..3", "1234341223414123")
    True
    """
    parsed, grids = pair(x, y, boxes)
    return parsed.one_or_all(_native.verify(parsed.rows, grids.rows, parsed.boxes, integer("threads", threads)))

"""Difficulty ratings."""

from __future__ import annotations

import json
from typing import Any, Literal, overload

import numpy as np
from numpy.typing import NDArray

from . import _native
from ._inputs import Boxes, Puzzles, Texts, integer, parse

#: The names of the scales: Ninefold's effort, Sudoku Explainer's ER, HoDoKu's score, DuPree's score, the level of
#: consistency (counted from 0), the depth of trial and error, the length of whips, and the guesses of the batch solver.
SCALES: tuple[str, ...] = tuple(_native.scales())


@overload
def rate(
    x: str,
    scale: str = "effort",
    *,
    details: Literal[False] = False,
    seconds: float | None = None,
    boxes: Boxes = None,
    threads: int = 0,
) -> float: ...
@overload
def rate(
    x: Texts,
    scale: str = "effort",
    *,
    details: Literal[False] = False,
    seconds: float | None = None,
    boxes: Boxes = None,
    threads: int = 0,
) -> NDArray[np.float64]: ...
@overload
def rate(
    x: str,
    scale: str = "effort",
    *,
    details: Literal[True],
    seconds: float | None = None,
    boxes: Boxes = None,
    threads: int = 0,
) -> dict[str, Any]: ...
@overload
def rate(
    x: Texts,
    scale: str = "effort",
    *,
    details: Literal[True],
    seconds: float | None = None,
    boxes: Boxes = None,
    threads: int = 0,
) -> list[dict[str, Any]]: ...
@overload
def rate(
    x: Any,
    scale: str = "effort",
    *,
    details: bool = False,
    seconds: float | None = None,
    boxes: Boxes = None,
    threads: int = 0,
) -> Any: ...
def rate(
    x: Puzzles,
    scale: str = "effort",
    *,
    details: bool = False,
    seconds: float | None = None,
    boxes: Boxes = None,
    threads: int = 0,
) -> Any:
    """The rating of each puzzle on one of the ``SCALES``, NaN if there is none.

    With ``details``, a dictionary per puzzle: levels, the hardest step, or the ``reason`` why there is no rating. ``seconds``
    limits the time per puzzle; if it is reached, ``so_far`` contains lower bounds, if any.

    >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> rate(puzzle, "se")
    1.2
    >>> rate(puzzle, "hodoku", details=True)["level"]
    'easy'
    """
    parsed = parse(x, boxes)
    seconds = None if seconds is None else float(seconds)
    values, details_json = _native.rate(parsed.rows, parsed.boxes, scale, seconds, integer("threads", threads))
    if details:
        all_details = [json.loads(text) for text in details_json]
        return all_details[0] if parsed.is_one else all_details
    return parsed.one_or_all(values, scale)

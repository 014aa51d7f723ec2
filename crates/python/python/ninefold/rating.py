"""Ratings: how hard puzzles are, on every scale."""

from __future__ import annotations

import json
from typing import Any

from . import _native
from ._inputs import Boxes, Puzzles, understand, whole

#: The scales by name: our own, Sudoku Explainer's ER, HoDoKu's score, DuPree's score, the level of consistency (counted from
#: 0), the depth of trial and error, the length of whips, and the guesses of the batch solver.
SCALES: tuple[str, ...] = tuple(_native.scales())


def rate(
    x: Puzzles,
    scale: str = "effort",
    *,
    details: bool = False,
    seconds: float | None = None,
    boxes: Boxes = None,
    threads: int = 0,
) -> Any:
    """A number for each puzzle on one of the ``SCALES``, NaN where there is none.

    With ``details`` everything that is known as a dictionary a puzzle: levels, the hardest step, or the ``reason`` why there
    is no rating. ``seconds`` ends the work on a puzzle that takes longer; then ``so_far`` holds lower bounds, if there are any.

    >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> rate(puzzle, "se")
    1.2
    >>> rate(puzzle, "hodoku", details=True)["level"]
    'easy'
    """
    given = understand(x, boxes)
    seconds = None if seconds is None else float(seconds)
    values, known = _native.rate(given.rows, given.boxes, scale, seconds, whole("threads", threads))
    if details:
        all_details = [json.loads(one) for one in known]
        return all_details[0] if given.is_one else all_details
    return given.one_or_all(values)

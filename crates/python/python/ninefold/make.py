"""New puzzles by wish."""

from __future__ import annotations

from typing import Any, NamedTuple, Sequence, Union

import numpy as np
from numpy.typing import NDArray

from . import _native
from ._inputs import Boxes, box_shape, understand, whole
from ._native import NinefoldError

Range = Union[int, float, str, "tuple[float, float]", None]


class Made(NamedTuple):
    """Puzzles and their only solutions, one a row."""

    puzzles: NDArray[np.uint8]
    solutions: NDArray[np.uint8]


def generate(
    n: int = 1,
    *,
    seed: int,
    start: int = 0,
    boxes: Boxes = None,
    size: int | None = None,
    clues: Range = None,
    minimal: bool = False,
    symmetry: str = "none",
    pattern: Any = None,
    solution: Any = None,
    difficulty: str | None = None,
    er: Range = None,
    level: str | None = None,
    dupree: Range = None,
    consistency: str | None = None,
    singles: bool = False,
    uses: Sequence[str] = (),
    without: Sequence[str] = (),
    hardest: str | None = None,
    only: Sequence[str] = (),
    uniqueness: bool = True,
    kaggle: bool = False,
    attempts: int = 200,
    method: str = "cut",
    refusals: int | None = None,
    threads: int = 0,
) -> Made:
    """Makes ``n`` puzzles that each have exactly one solution: those with the numbers ``start`` to ``start + n`` of a seed.

    Wishes are those of ``ninefold generate``: a number or a range of ``clues`` (24, (24, 26) or "24-26"), ``minimal``,
    ``symmetry`` of the clues ("half-turn", …), a ``pattern`` of cells that hold clues, a ``solution``, ``difficulty`` ("easy"
    to "extreme", or "easy-medium"), Sudoku Explainer's ``er``, HoDoKu's ``level``, ``dupree``'s score, ``consistency``,
    ``singles`` alone, techniques that the way to the solution ``uses``, does ``without``, has as its ``hardest`` or is made
    of (``only``), ``uniqueness=False`` for no step that rests on one solution, and ``kaggle`` for puzzles like the million on
    Kaggle. ``method="kocherzhenko"`` takes a size and ``refusals`` only.

    >>> made = generate(2, seed=7, clues=(24, 26))
    >>> made.puzzles.shape
    (2, 81)
    >>> bool((made.puzzles > 0).sum(axis=1).max() <= 26)
    True
    """
    shape = _shape(boxes, size)
    n, seed, start = whole("n", n), whole("seed", seed), whole("start", start)
    threads = whole("threads", threads)
    wish = {
        "boxes": shape,
        "clues": _numbers("clues", clues, int),
        "minimal": bool(minimal),
        "symmetry": symmetry,
        "pattern": _pattern(pattern, shape),
        "solution": None if solution is None else _grid(solution, shape),
        "difficulty": difficulty,
        "er": _numbers("er", er, float),
        "level": level,
        "dupree": _text(dupree),
        "consistency": consistency,
        "singles": bool(singles),
        "uses": _names("uses", uses),
        "without": _names("without", without),
        "hardest": hardest,
        "only": _names("only", only),
        "uniqueness": bool(uniqueness),
        "kaggle": bool(kaggle),
        "attempts": whole("attempts", attempts, 1),
    }
    if method == "kocherzhenko":
        _knows_no_wish(wish)
        return Made(*_native.kocherzhenko(n, seed, start, shape, refusals, threads))
    if method != "cut":
        raise NinefoldError(f"{method!r} is not a method; use cut or kocherzhenko")
    if refusals is not None:
        raise NinefoldError("refusals belong to method='kocherzhenko'")
    if kaggle and shape != (3, 3):
        raise NinefoldError("puzzles like those on Kaggle are 9×9")
    return Made(*_native.generate(n, seed, start, wish, threads))


_NO_WISH: dict[str, Any] = {
    "clues": None, "minimal": False, "symmetry": "none", "pattern": None, "solution": None, "difficulty": None, "er": None,
    "level": None, "dupree": None, "consistency": None, "singles": False, "uses": [], "without": [], "hardest": None,
    "only": [], "uniqueness": True, "kaggle": False,
}  # fmt: skip


def _knows_no_wish(wish: dict[str, Any]) -> None:
    for name, nothing in _NO_WISH.items():
        if wish[name] != nothing:
            raise NinefoldError(f"method='kocherzhenko' does not take {name}")


def _shape(boxes: Boxes, size: int | None) -> tuple[int, int]:
    shape = box_shape(boxes)
    if size is None:
        return shape or (3, 3)
    size = whole("size", size, 1, 64)
    if shape is None:
        shape = _native.usual_boxes(size * size)
        if shape is None:
            raise NinefoldError(f"there is no grid of side {size}; a grid has a side such as 4, 6, 9, 12, 16 or 25")
    elif shape[0] * shape[1] != size:
        raise NinefoldError(f"boxes of {shape[0]}x{shape[1]} do not make a grid of side {size}")
    return shape


def _numbers(name: str, given: Range, kind: type) -> Any:
    if given is None:
        return None
    if isinstance(given, str):
        given = tuple(given.split("-")) if "-" in given else (given, given)  # type: ignore[assignment]
    elif isinstance(given, (int, float, np.integer, np.floating)):
        given = (given, given)
    try:
        first, last = (kind(part) for part in given)  # type: ignore[union-attr]
    except (TypeError, ValueError):
        raise NinefoldError(f"{name} is {given!r}; it has to be a number or a range such as (24, 26)") from None
    if not 0 <= first <= last:
        raise NinefoldError(f"{name} is {given!r}; a range goes upwards")
    return first, last


def _text(given: Range) -> str | None:
    if given is None or isinstance(given, str):
        return given
    first, last = _numbers("dupree", given, int)
    return f"{first}-{last}"


def _names(name: str, given: Sequence[str]) -> list[str]:
    names = [given] if isinstance(given, str) else list(given)
    if not all(isinstance(one, str) for one in names):
        raise TypeError(f"{name} is a list of names of techniques")
    return names


def _pattern(pattern: Any, shape: tuple[int, int]) -> list[int] | None:
    if pattern is None:
        return None
    if isinstance(pattern, str):
        pattern = "".join("." if sign in ".0" else "1" for sign in pattern if not sign.isspace())
        return _grid(pattern, shape)
    return _grid((np.asarray(pattern) != 0).astype(np.uint8), shape)


def _grid(grid: Any, shape: tuple[int, int]) -> list[int]:
    given = understand(grid, shape)
    if len(given.rows) != 1:
        raise NinefoldError(f"one grid is needed, not {len(given.rows)}")
    return given.rows[0].tolist()

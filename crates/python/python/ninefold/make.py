"""Generates puzzles."""

from __future__ import annotations

import time
from typing import Any, Callable, NamedTuple, Sequence, Union

import numpy as np
from numpy.typing import NDArray

from . import _native
from ._inputs import Boxes, box_shape, integer, parse
from ._native import NinefoldError

Range = Union[int, float, str, "tuple[float, float]", None]


class Made(NamedTuple):
    """Puzzles and their unique solutions, one per row."""

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
    hodoku: str | None = None,
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
    progress: bool = False,
    threads: int = 0,
) -> Made:
    """Generates ``n`` puzzles with a unique solution: those with the indices ``start`` to ``start + n`` of a seed.

    The options are those of ``ninefold generate``:

    - ``clues``: the number of clues or a range: 24, (24, 26) or "24-26".
    - ``minimal``: no clue can be removed without allowing a second solution.
    - ``symmetry``: the symmetry of the pattern of clues, such as "half-turn".
    - ``pattern``: the cells of the clues, as a grid. ``solution``: the complete grid.
    - ``difficulty``: "easy" to "extreme", or a range such as "easy-medium".
    - ``er``: Sudoku Explainer's rating. ``hodoku``: HoDoKu's level.
    - ``dupree``: DuPree's score or level.
    - ``consistency``: the weakest consistency that solves the puzzle without search, such as "SAC".
    - ``singles``: singles are sufficient.
    - ``uses``, ``without``: techniques that the solution path uses, or does not use.
    - ``hardest``: the hardest technique of the solution path.
    - ``only``: singles and these techniques are sufficient.
    - ``uniqueness=False``: no step assumes a unique solution.
    - ``kaggle``: puzzles like the million on Kaggle.
    - ``attempts``: the number of complete grids to try for each puzzle.

    ``method="kocherzhenko"`` supports only the size, and ``refusals``: it stops after this many
    cells that could not be emptied. ``method="unbiased"`` samples from all minimal 9×9 puzzles, each
    with the same probability, and supports no other options.

    ``progress`` shows a bar of ``tqdm``, if that is installed.

    >>> generated = generate(2, seed=7, clues=(24, 26))
    >>> generated.puzzles.shape
    (2, 81)
    >>> bool((generated.puzzles > 0).sum(axis=1).max() <= 26)
    True
    """
    shape = _shape(boxes, size)
    n, seed, start = integer("n", n), integer("seed", seed), integer("start", start)
    threads = integer("threads", threads)
    options = {
        "boxes": shape,
        "clues": _numbers("clues", clues, int),
        "minimal": bool(minimal),
        "symmetry": symmetry,
        "pattern": _pattern(pattern, shape),
        "solution": None if solution is None else _grid(solution, shape),
        "difficulty": difficulty,
        "er": _numbers("er", er, float),
        "hodoku": hodoku,
        "dupree": _text(dupree),
        "consistency": consistency,
        "singles": bool(singles),
        "uses": _names("uses", uses),
        "without": _names("without", without),
        "hardest": hardest,
        "only": _names("only", only),
        "uniqueness": bool(uniqueness),
        "kaggle": bool(kaggle),
        "attempts": integer("attempts", attempts, 1),
    }
    if method not in ("cut", "kocherzhenko", "unbiased"):
        raise NinefoldError(f"unknown method {method!r}, expected cut, kocherzhenko or unbiased")
    if method != "cut":
        _reject_options(method, options)
    if refusals is not None and method != "kocherzhenko":
        raise NinefoldError("refusals requires method='kocherzhenko'")
    if (kaggle or method == "unbiased") and shape != (3, 3):
        raise NinefoldError(f"{'kaggle' if kaggle else 'method=unbiased'} supports 9×9 puzzles only")

    def part(n: int, start: int) -> tuple[Any, Any]:
        if method == "kocherzhenko":
            return _native.kocherzhenko(n, seed, start, shape, refusals, threads)
        if method == "unbiased":
            return _native.unbiased(n, seed, start, threads)
        return _native.generate(n, seed, start, options, threads)

    _native.require_memory(n, 2 * (shape[0] * shape[1]) ** 2)
    if not progress or method == "unbiased":
        return Made(*part(n, start))
    return Made(*in_parts(part, n, start))


def in_parts(part: Callable[[int, int], tuple[Any, Any]], n: int, start: int) -> tuple[Any, Any]:
    """Both columns of ``n`` rows, in parts that take about a second, with a progress bar."""
    bar = _bar(n)
    columns: list[tuple[Any, Any]] = []
    done, size = 0, 16
    while done < n or not columns:
        size = min(size, n - done)
        began = time.perf_counter()
        columns.append(part(size, start + done))
        took = time.perf_counter() - began
        done += size
        if bar is not None:
            bar.update(size)
        if took < 0.5:
            size *= 2
    if bar is not None:
        bar.close()
    first, second = (np.concatenate(column) for column in zip(*columns))
    return first, second


def _bar(total: int) -> Any:
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return None
    return tqdm(total=total, unit=" puzzles", unit_scale=True)


_DEFAULTS: dict[str, Any] = {
    "clues": None, "minimal": False, "symmetry": "none", "pattern": None, "solution": None, "difficulty": None, "er": None,
    "hodoku": None, "dupree": None, "consistency": None, "singles": False, "uses": [], "without": [], "hardest": None,
    "only": [], "uniqueness": True, "kaggle": False,
}  # fmt: skip


def _reject_options(method: str, options: dict[str, Any]) -> None:
    for name, default in _DEFAULTS.items():
        if options[name] != default:
            raise NinefoldError(f"method={method!r} does not support {name}")


def _shape(boxes: Boxes, size: int | None) -> tuple[int, int]:
    shape = box_shape(boxes)
    if size is None:
        return shape or (3, 3)
    size = integer("size", size, 1, 64)
    if shape is None:
        shape = _native.usual_boxes(size * size)
        if shape is None:
            raise NinefoldError(f"unsupported side {size}, expected for example 4, 6, 9, 12, 16 or 25")
    elif shape[0] * shape[1] != size:
        raise NinefoldError(f"boxes of {shape[0]}x{shape[1]} do not form a grid of side {size}")
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
        raise NinefoldError(f"{name}: expected a number or a range such as (24, 26), found {given!r}") from None
    if not 0 <= first <= last:
        raise NinefoldError(f"{name}: expected an ascending range, found {given!r}")
    return first, last


def _text(given: Range) -> str | None:
    if given is None or isinstance(given, str):
        return given
    first, last = _numbers("dupree", given, int)
    return f"{first}-{last}"


def _names(name: str, given: Sequence[str]) -> list[str]:
    names = [given] if isinstance(given, str) else list(given)
    if not all(isinstance(one, str) for one in names):
        raise TypeError(f"{name}: expected a list of technique names")
    return names


def _pattern(pattern: Any, shape: tuple[int, int]) -> list[int] | None:
    if pattern is None:
        return None
    if isinstance(pattern, str):
        pattern = "".join("." if symbol in ".0" else "1" for symbol in pattern if not symbol.isspace())
        return _grid(pattern, shape)
    return _grid((np.asarray(pattern) != 0).astype(np.uint8), shape)


def _grid(grid: Any, shape: tuple[int, int]) -> list[int]:
    parsed = parse(grid, shape)
    if len(parsed.rows) != 1:
        raise NinefoldError(f"expected one grid, found {len(parsed.rows)}")
    return parsed.rows[0].tolist()

"""Reads files of puzzles in every format."""

from __future__ import annotations

import os
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from . import _native
from ._inputs import Boxes, box_shape, integer
from .photos import read_image
from .variants import Puzzle


class PuzzleFile(NamedTuple):
    """The puzzles of a file."""

    #: One puzzle per row, 0 for an empty cell.
    puzzles: NDArray[np.uint8]
    #: The solutions in the file, checked against the puzzles, with zeros for a missing one; ``None`` if the file has none.
    solutions: NDArray[np.uint8] | None
    #: The ratings as written in the file; ``None`` if it has none.
    ratings: list[str | None] | None
    #: The sources or titles as written in the file; ``None`` if it has none.
    sources: list[str | None] | None
    #: The rows and columns of a box.
    boxes: tuple[int, int]


def read(path: str | os.PathLike[str], *, boxes: Boxes = None, limit: int | None = None) -> PuzzleFile:
    """Reads a file of classic puzzles of one size: lines, CSV, TSV, JSON, Parquet, .sdk, .ss, drawn grids, links, or a photo,
    also compressed with gzip, zstd or xz. The format is detected from the content. ``limit`` reads only the first puzzles.

    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder) / "puzzles.csv"
    ...     _ = file.write_text("quizzes,solutions\\n1004001003004003,1234341223414123\\n")
    ...     x, y, *_ = read(file)
    >>> x.shape, y.shape
    ((1, 16), (1, 16))
    """
    name = _existing(path)
    if _is_photo(name):
        reading = read_image(name)
        solution = None if reading.solution is None else reading.solution.reshape(1, -1)
        side = int(reading.puzzle.size**0.5)
        shape = _native.usual_boxes(side * side) or (1, side)
        return PuzzleFile(reading.puzzle.reshape(1, -1), solution, None, None, shape)
    puzzles, solutions, shape, ratings, sources = _native.read_file(name, box_shape(boxes), _count(limit))
    kept = [None if all(value is None for value in column) else column for column in (ratings, sources)]
    return PuzzleFile(puzzles, solutions, kept[0], kept[1], shape)


def read_puzzles(path: str | os.PathLike[str], *, boxes: Boxes = None, limit: int | None = None) -> list[Puzzle]:
    """Reads a file of puzzles of any sizes and with any rules; see :func:`read` for the formats.

    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder) / "puzzles.txt"
    ...     _ = file.write_text("1..4..1..3..4..3\\n")
    ...     read_puzzles(file)
    [<Puzzle 4x4, 6 givens, classic>]
    """
    name = _existing(path)
    return [Puzzle(one) for one in _native.read_puzzles(name, box_shape(boxes), _count(limit))]


def _existing(path: str | os.PathLike[str]) -> str:
    name = os.fspath(path)
    if not isinstance(name, str):
        raise TypeError(f"expected the name of a file, found {path!r}")
    with open(name, "rb"):  # raises FileNotFoundError and similar errors with the name
        return name


def _count(limit: int | None) -> int | None:
    return None if limit is None else integer("limit", limit)


def _is_photo(name: str) -> bool:
    with open(name, "rb") as file:
        start = file.read(12)
    return start.startswith((b"\xff\xd8\xff", b"\x89PNG")) or (start[:4] == b"RIFF" and start[8:] == b"WEBP")

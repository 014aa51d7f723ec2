"""Converts inputs to arrays of bytes with one puzzle per row, and results to the form of the input."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Sequence, Union

import numpy as np
from numpy.typing import NDArray

from ._native import NinefoldError, read, usual_boxes, write

#: A puzzle as text or digits (0 for an empty cell), or many of them.
Puzzles = Union[str, Sequence[str], Sequence[Any], NDArray[Any]]

#: The shape of the boxes: "2x3", or rows and columns.
Boxes = Union[str, "tuple[int, int]", None]


@dataclass(frozen=True)
class Input:
    """Puzzles as an array, and the form they had."""

    rows: NDArray[np.uint8]
    boxes: tuple[int, int]
    #: "line" and "lines" for strings, "row" and "rows" for arrays, "grid" and "grids" for square arrays.
    form: str

    @property
    def is_one(self) -> bool:
        return self.form in ("line", "row", "grid")

    @property
    def side(self) -> int:
        return self.boxes[0] * self.boxes[1]

    def checked(self) -> Input:
        """Checks that no number is larger than the side; for callers that do not use the native module, which checks too."""
        _check(self.rows, self.side)
        return self

    def shaped(self, rows: NDArray[np.uint8]) -> Any:
        """Converts rows of numbers to the form of the input."""
        if self.form in ("line", "lines"):
            lines = write(rows, self.boxes)
            return lines[0] if self.form == "line" else lines
        if self.form in ("grid", "grids"):
            rows = rows.reshape(-1, self.side, self.side)
        return rows[0] if self.is_one else rows

    def one_or_all(self, values: Any) -> Any:
        """The value as a Python number for a single puzzle; the array of values otherwise."""
        return values[0].item() if self.is_one else values


def box_shape(boxes: Boxes) -> tuple[int, int] | None:
    """The shape of the boxes as two numbers."""
    if boxes is None:
        return None
    if isinstance(boxes, str):
        parts = boxes.lower().split("x")
        if len(parts) != 2 or not all(part.strip().isdigit() for part in parts):
            raise NinefoldError(f"expected the shape of a box such as 2x3, found {boxes!r}")
        return int(parts[0]), int(parts[1])
    shape = tuple(boxes)
    if len(shape) != 2 or not all(isinstance(part, (int, np.integer)) and part > 0 for part in shape):
        raise NinefoldError(f"expected the shape of a box such as (2, 3), found {boxes!r}")
    return int(shape[0]), int(shape[1])


def parse(puzzles: Puzzles, boxes: Boxes = None) -> Input:
    """Converts puzzles in any form to an array."""
    shape = box_shape(boxes)
    if isinstance(puzzles, str):
        return Input(*read([puzzles], shape), form="line")
    if isinstance(puzzles, (list, tuple)) and puzzles and all(isinstance(one, str) for one in puzzles):
        return Input(*read(list(puzzles), shape), form="lines")
    array = _array(puzzles)
    if array.dtype.kind in "UST":
        return Input(*read([_text(one) for one in array.ravel()], shape), form="lines")
    return _numbers(array, shape)


def _text(one: Any) -> str:
    return one.decode("ascii", "replace") if isinstance(one, bytes) else str(one)


def _array(puzzles: Any) -> NDArray[Any]:
    try:
        array = np.asarray(puzzles)
    except Exception as error:  # ragged lists, tensors on a GPU
        raise NinefoldError(f"cannot convert to an array of puzzles: {error}") from error
    if array.dtype == object and array.size and all(isinstance(one, str) for one in array.ravel()):
        return array.ravel().astype(str)
    return array


def _numbers(array: NDArray[Any], shape: tuple[int, int] | None) -> Input:
    if array.dtype.kind not in "iu":
        if array.size == 0 and array.dtype.kind == "f":
            array = array.astype(np.uint8)
        else:
            raise TypeError(f"expected strings or integers, 0 for an empty cell, found {array.dtype}")
    form, cells, shape = _form(array.shape, shape)
    rows = array.reshape(-1, cells) if cells else array.reshape(0, 81)
    return Input(_bytes(rows, shape[0] * shape[1]), shape, form)


def _form(found: tuple[int, ...], shape: tuple[int, int] | None) -> tuple[str, int, tuple[int, int]]:
    """The form of an array, the cells of a puzzle and the shape of its boxes."""
    side = shape[0] * shape[1] if shape else None

    def fits(cells: int) -> tuple[int, int] | None:
        return shape if shape and cells == side * side else None if shape else usual_boxes(cells)

    if found == (0,):
        return "rows", 81 if side is None else side * side, shape or (3, 3)
    if len(found) == 1 and (boxes := fits(found[0])):
        return "row", found[0], boxes
    if len(found) == 2 and (boxes := fits(found[1])):
        return "rows", found[1], boxes
    if len(found) == 2 and found[0] == found[1] and (boxes := fits(found[0] * found[0])):
        return "grid", found[0] * found[0], boxes
    if len(found) == 3 and found[1] == found[2] and (boxes := fits(found[1] * found[1])):
        return "grids", found[1] * found[1], boxes
    expected = str(side * side) if side else "16, 36, 64, 81, 100, 144, 225, 256, …"
    raise NinefoldError(f"expected rows of {expected} cells, found an array of shape {found}")


def _bytes(rows: NDArray[Any], side: int) -> NDArray[np.uint8]:
    if rows.dtype != np.uint8:
        _check(rows, side)
    # The native module checks the values of bytes.
    return np.ascontiguousarray(rows, dtype=np.uint8)


def _check(rows: NDArray[Any], side: int) -> None:
    wrong = (rows < 0) | (rows > side)
    if wrong.any():
        puzzle, cell = np.argwhere(wrong)[0]
        row, column = cell // side + 1, cell % side + 1
        message = f"expected a number from 0 to {side}, found {rows[puzzle, cell]}"
        raise NinefoldError(f"puzzle {puzzle}, row {row}, column {column}: {message}")


def pair(puzzles: Puzzles, grids: Puzzles, boxes: Boxes) -> tuple[Input, Input]:
    """Converts two inputs with matching rows."""
    first = parse(puzzles, boxes)
    second = parse(grids, boxes if boxes is not None else first.boxes)
    if first.rows.shape != second.rows.shape:
        raise NinefoldError(f"expected as many grids as puzzles ({len(first.rows)}), found {len(second.rows)}")
    return first, second


def integer(name: str, number: Any, least: int = 0, most: int = 2**64 - 1) -> int:
    """Checks that a number is an integer in a range."""
    if isinstance(number, bool) or not isinstance(number, (int, np.integer)):
        raise TypeError(f"{name}: expected an integer, found {number!r}")
    if not least <= number <= most:
        raise NinefoldError(f"{name}: expected a number from {least} to {most}, found {number}")
    return int(number)

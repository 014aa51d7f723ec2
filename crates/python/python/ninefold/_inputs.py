"""Inputs: whatever holds puzzles becomes an array of bytes, one puzzle a row, and answers get the form of the question."""

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
    """Puzzles that have been read."""

    rows: NDArray[np.uint8]
    boxes: tuple[int, int]
    #: "line" and "lines" for text, "row" and "rows" for arrays, "grid" and "grids" for square ones.
    form: str

    @property
    def is_one(self) -> bool:
        return self.form in ("line", "row", "grid")

    @property
    def side(self) -> int:
        return self.boxes[0] * self.boxes[1]

    def checked(self) -> Input:
        """The same, with no number larger than the side; for those who do not ask the library, which looks itself."""
        _check(self.rows, self.side)
        return self

    def shaped(self, rows: NDArray[np.uint8]) -> Any:
        """Rows of numbers in the form in which the puzzles came."""
        if self.form in ("line", "lines"):
            lines = write(rows, self.boxes)
            return lines[0] if self.form == "line" else lines
        if self.form in ("grid", "grids"):
            rows = rows.reshape(-1, self.side, self.side)
        return rows[0] if self.is_one else rows

    def one_or_all(self, values: Any) -> Any:
        """The first value for one puzzle, as a Python number; all of them for many."""
        return values[0].item() if self.is_one else values


def box_shape(boxes: Boxes) -> tuple[int, int] | None:
    """The shape of the boxes as two numbers."""
    if boxes is None:
        return None
    if isinstance(boxes, str):
        parts = boxes.lower().split("x")
        if len(parts) != 2 or not all(part.strip().isdigit() for part in parts):
            raise NinefoldError(f"{boxes!r} is not the shape of a box; write rows and columns, as in 2x3")
        return int(parts[0]), int(parts[1])
    shape = tuple(boxes)
    if len(shape) != 2 or not all(isinstance(part, (int, np.integer)) and part > 0 for part in shape):
        raise NinefoldError(f"{boxes!r} is not the shape of a box; write rows and columns, as in (2, 3)")
    return int(shape[0]), int(shape[1])


def understand(puzzles: Puzzles, boxes: Boxes = None) -> Input:
    """Reads puzzles in any form."""
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
    except Exception as error:  # ragged lists, tensors on a graphics card
        raise NinefoldError(f"this is not an array of puzzles: {error}") from error
    if array.dtype == object and array.size and all(isinstance(one, str) for one in array.ravel()):
        return array.ravel().astype(str)
    return array


def _numbers(array: NDArray[Any], shape: tuple[int, int] | None) -> Input:
    if array.dtype.kind not in "iu":
        if array.size == 0 and array.dtype.kind == "f":
            array = array.astype(np.uint8)
        else:
            raise TypeError(f"puzzles are text or whole numbers, 0 for an empty cell; this is {array.dtype}")
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
    wanted = f"{side * side} cells" if side else "16, 36, 64, 81, 100, 144, 225, 256, … cells"
    raise NinefoldError(f"an array of shape {found} does not hold puzzles; a row has {wanted}")


def _bytes(rows: NDArray[Any], side: int) -> NDArray[np.uint8]:
    if rows.dtype != np.uint8:
        _check(rows, side)
    # The values of bytes are checked where they are used.
    return np.ascontiguousarray(rows, dtype=np.uint8)


def _check(rows: NDArray[Any], side: int) -> None:
    wrong = (rows < 0) | (rows > side)
    if wrong.any():
        puzzle, cell = np.argwhere(wrong)[0]
        row, column = cell // side + 1, cell % side + 1
        words = f"{rows[puzzle, cell]} is neither a digit of a {side}×{side} grid nor 0 for an empty cell"
        raise NinefoldError(f"puzzle {puzzle}, row {row}, column {column}: {words}")


def pair(puzzles: Puzzles, grids: Puzzles, boxes: Boxes) -> tuple[Input, Input]:
    """Two inputs that belong together, row by row."""
    first = understand(puzzles, boxes)
    second = understand(grids, boxes if boxes is not None else first.boxes)
    if first.rows.shape != second.rows.shape:
        raise NinefoldError(f"{len(first.rows)} puzzles and {len(second.rows)} grids do not go together")
    return first, second


def whole(name: str, number: Any, least: int = 0, most: int = 2**64 - 1) -> int:
    """A whole number in a range."""
    if isinstance(number, bool) or not isinstance(number, (int, np.integer)):
        raise TypeError(f"{name} is {number!r}; it has to be a whole number")
    if not least <= number <= most:
        raise NinefoldError(f"{name} is {number}; it has to lie between {least} and {most}")
    return int(number)

"""Converts inputs to arrays of bytes with one puzzle per row, and results to the form of the input."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Any, Callable, Sequence, Union

import numpy as np
from numpy.typing import NDArray

from . import _native
from ._native import NinefoldError, read, usual_boxes, write

#: A puzzle as text or digits (0 for an empty cell), or many of them.
Puzzles = Union[str, Sequence[str], Sequence[Any], NDArray[Any]]

#: Several puzzles as text.
Texts = Union["list[str]", "tuple[str, ...]"]

#: The shape of the boxes: "2x3", or rows and columns.
Boxes = Union[str, "tuple[int, int]", None]


@dataclass(frozen=True)
class Input:
    """Puzzles as an array, and the form they had."""

    rows: NDArray[np.uint8]
    boxes: tuple[int, int]
    #: "line" and "lines" for strings, "row" and "rows" for arrays, "grid" and "grids" for square arrays.
    form: str
    #: Converts a column of results to the library of the input; ``None`` for lists and arrays.
    column: Callable[[str, Any], Any] | None = field(default=None, compare=False)

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

    def shaped(self, rows: NDArray[np.uint8], name: str = "puzzle", counts: Any = None) -> Any:
        """Converts rows of numbers to the form of the input. Text without a solution is ``None`` (see ``counts``)."""
        if self.form in ("line", "lines"):
            lines: list[str | None] = list(write(rows, self.boxes))
            if counts is not None:
                lines = [line if count else None for line, count in zip(lines, counts)]
            if self.column is not None:
                return self.column(name, lines)
            return lines[0] if self.form == "line" else lines
        if self.form in ("grid", "grids"):
            rows = rows.reshape(-1, self.side, self.side)
        return rows[0] if self.is_one else rows

    def one_or_all(self, values: Any, name: str = "value") -> Any:
        """The value as a Python number for a single puzzle; all values otherwise."""
        if self.is_one:
            return values[0].item()
        return values if self.column is None else self.column(name, values)


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
        return _one_text(puzzles, shape)
    if isinstance(puzzles, os.PathLike):
        raise _file_name(os.fspath(puzzles))
    if isinstance(puzzles, (list, tuple)) and any(isinstance(one, (str, bytes)) for one in puzzles):
        return _texts(list(puzzles), shape)
    column = _column(puzzles)
    if column is not None:
        values, convert = column
        parsed = parse(values, boxes)
        return Input(parsed.rows, parsed.boxes, parsed.form, convert)
    array = _array(puzzles)
    if array.dtype.kind in "UST" or (array.dtype == object and any(isinstance(one, str) for one in array.ravel())):
        return _text_array(array, shape)
    return _numbers(array, shape)


def _column(puzzles: Any) -> tuple[list[Any], Callable[[str, Any], Any]] | None:
    """The values of a column or the puzzles of a table (pandas, polars, pyarrow, Hugging Face), and how to make such a column."""
    names = getattr(puzzles, "column_names", None)
    names = getattr(puzzles, "columns", None) if names is None else names
    if names is not None and not isinstance(puzzles, np.ndarray):
        names = [str(name) for name in names]
        known = [name for name in names if name.lower() in _native.PUZZLE_COLUMNS]
        if not known:
            expected = " or ".join(_native.PUZZLE_COLUMNS[:3])
            raise NinefoldError(f"expected a column {expected}, found {', '.join(names)}; or pass one column")
        puzzles = puzzles[min(known, key=lambda name: _native.PUZZLE_COLUMNS.index(name.lower()))]
    kind = type(puzzles)
    library = kind.__module__.partition(".")[0]
    if library == "pandas":
        return puzzles.tolist(), lambda name, values: kind(values, index=puzzles.index, name=name)
    if library == "polars":
        return puzzles.to_list(), lambda name, values: kind(name, values)
    if library == "pyarrow":
        import pyarrow

        return puzzles.to_pylist(), lambda _, values: pyarrow.array(values)
    return None if names is None else (list(puzzles), lambda _, values: values)


#: Endings of the names of files with puzzles.
_ENDINGS = (".csv", ".gz", ".jpeg", ".jpg", ".json", ".jsonl", ".parquet", ".png", ".sdk", ".sdm", ".tsv", ".txt", ".xz", ".zst")


def _one_text(text: str, shape: tuple[int, int] | None) -> Input:
    try:
        return Input(*read([text], shape), form="line")
    except NinefoldError:
        if text.lower().endswith(_ENDINGS) or (len(text) < 256 and os.path.isfile(text)):
            raise _file_name(text) from None
        raise


def _file_name(path: Any) -> NinefoldError:
    return NinefoldError(f"expected a puzzle, found the name of a file: {path!r}; ninefold.read({str(path)!r}) reads it")


def _texts(lines: list[Any], shape: tuple[int, int] | None) -> Input:
    """Lines of text; a list of single characters is one puzzle."""
    if len(lines) >= 16 and all(isinstance(one, str) and len(one) == 1 for one in lines):
        return _one_text("".join(lines), shape)
    lines = [one.decode("ascii", "replace") if isinstance(one, bytes) else one for one in lines]
    return Input(*read(lines, shape), form="lines")


def _text_array(array: NDArray[Any], shape: tuple[int, int] | None) -> Input:
    if array.ndim <= 1:
        return _texts(array.ravel().tolist(), shape)
    if array.dtype.kind in "US" and array.dtype.itemsize == np.dtype(f"{array.dtype.kind}1").itemsize:
        form, cells, _ = _form(array.shape, shape)
        characters = array.astype("U1").reshape(-1, cells)
        lines = ["".join(row) for row in characters.tolist()]
        return _one_text(lines[0], shape) if form in ("row", "grid") else _texts(lines, shape)
    hint = f"{array.shape[-1]} columns; select one, such as x[:, 0]"
    raise NinefoldError(f"expected one column of puzzles, found an array of shape {array.shape}: {hint}")


def _array(puzzles: Any) -> NDArray[Any]:
    try:
        return np.asarray(puzzles)
    except Exception as error:  # ragged lists, tensors on a GPU
        raise NinefoldError(f"cannot convert to an array of puzzles: {error}") from error


def _numbers(array: NDArray[Any], shape: tuple[int, int] | None) -> Input:
    if array.dtype.kind not in "iu":
        if array.size == 0 and array.dtype.kind == "f":
            array = array.astype(np.uint8)
        else:
            raise TypeError(f"expected strings or integers, 0 for an empty cell, found {array.dtype}{_first_odd(array)}")
    form, cells, shape = _form(array.shape, shape)
    rows = array.reshape(-1, cells) if cells else array.reshape(0, 81)
    return Input(_bytes(rows, shape[0] * shape[1]), shape, form)


def _first_odd(array: NDArray[Any]) -> str:
    """The place of the first value that is not a whole number, such as NaN or None."""
    if array.dtype.kind == "f":
        odd = ~(np.floor(array) == array)
    elif array.dtype == object and array.ndim > 0:
        odd = np.array([not isinstance(one, (int, np.integer)) for one in array.ravel()], bool).reshape(array.shape)
    else:
        return ""
    if not odd.any() or array.ndim == 0:
        return ""
    place = tuple(int(part) for part in np.argwhere(odd)[0])
    return f"; the value at {list(place)} is {array[place]!r}"


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

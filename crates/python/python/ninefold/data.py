"""Datasets: endless batches, augmentation, canonical forms, leak-free splits, tokens, HRM directories and scores."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, Iterator, NamedTuple, Sequence

import numpy as np
from numpy.typing import NDArray

from . import _native
from ._inputs import Boxes, Puzzles, integer, pair, parse
from ._native import NinefoldError
from .make import Made, generate
from .rating import rate


class Batches(Iterator[Made]):
    """An endless stream of puzzles with their solutions. ``position`` is the index of the next
    puzzle: to continue a stream later, create one with this number as ``start``. Streams can be
    pickled at any time."""

    def __init__(self, size: int, *, seed: int, start: int = 0, **options: Any):
        self.size = integer("size", size, 1)
        self.seed = integer("seed", seed)
        self.position = integer("start", start)
        self.options = options

    def __next__(self) -> Made:
        generated = generate(self.size, seed=self.seed, start=self.position, **self.options)
        self.position += self.size
        return generated

    def __repr__(self) -> str:
        options = "".join(f", {name}={value!r}" for name, value in self.options.items())
        return f"batches({self.size}, seed={self.seed}, start={self.position}{options})"


def batches(size: int, *, seed: int, start: int = 0, **options: Any) -> Batches:
    """Endless batches of puzzles and solutions, with the options of :func:`generate`.

    >>> stream = batches(64, seed=1)
    >>> first = next(stream)
    >>> first.puzzles.shape, stream.position
    ((64, 81), 64)
    >>> again = batches(64, seed=1, start=64)
    >>> bool((next(again).puzzles == next(stream).puzzles).all())
    True
    """
    return Batches(size, seed=seed, start=start, **options)


class Pair(NamedTuple):
    """Puzzles and solutions after the same symmetries."""

    puzzles: Any
    solutions: Any


def augment(x: Puzzles, y: Puzzles | None = None, *, seed: int, start: int = 0, boxes: Boxes = None, threads: int = 0) -> Any:
    """Maps each puzzle to its image under a random symmetry: digits renamed, rows, columns, bands and stacks exchanged, and,
    if boxes are square, mirrored. All symmetries are equally likely. Row ``i`` depends only on ``seed`` and ``start + i``.
    Each solution in ``y`` gets the symmetry of its puzzle.

    >>> x, y = augment("1..4..1..3..4..3", "1234341223414123", seed=5)
    >>> from ninefold import verify
    >>> verify(x, y)
    True
    """
    seed, start, threads = integer("seed", seed), integer("start", start), integer("threads", threads)
    if y is None:
        parsed = parse(x, boxes)
        return parsed.shaped(_native.augment(parsed.rows, None, parsed.boxes, seed, start, threads)[0])
    parsed, grids = pair(x, y, boxes)
    images, moved = _native.augment(parsed.rows, grids.rows, parsed.boxes, seed, start, threads)
    return Pair(parsed.shaped(images), grids.shaped(moved))


class Classes(NamedTuple):
    """Canonical forms and their fingerprints of 16 bytes."""

    forms: Any
    fingerprints: Any


def canonical(x: Puzzles, *, boxes: Boxes = None, threads: int = 0) -> Classes:
    """The canonical form of each puzzle: equal for all images under symmetry, different for all other puzzles.

    >>> twin = augment("1..4..1..3..4..3", seed=9)
    >>> canonical(twin).forms == canonical("1..4..1..3..4..3").forms
    True
    """
    parsed = parse(x, boxes)
    forms, fingerprints = _native.canonical(parsed.rows, parsed.boxes, integer("threads", threads))
    return Classes(parsed.shaped(forms), fingerprints[0].tobytes() if parsed.is_one else fingerprints)


def split(
    x: Puzzles,
    parts: str = "train=80,test=20",
    *,
    seed: int,
    boxes: Boxes = None,
    threads: int = 0,
) -> dict[str, NDArray[np.intp]]:
    """Splits puzzles into parts, keeping all images of a puzzle in the same part. Pass solutions instead of puzzles to keep
    all puzzles of a solution grid together. Returns the row indices of each part.

    >>> parts = split(["1..4..1..3..4..3", augment("1..4..1..3..4..3", seed=1)], seed=7)
    >>> sorted(len(rows) for rows in parts.values())
    [0, 2]
    """
    parsed = parse(x, boxes)
    names, where = _native.split(parsed.rows, parsed.boxes, parts, integer("seed", seed), integer("threads", threads))
    return {name: np.flatnonzero(where == number) for number, name in enumerate(names)}


def buckets(x: Puzzles, edges: Sequence[float], scale: str = "effort", **options: Any) -> NDArray[np.intp]:
    """The bucket of each puzzle by its rating: 0 below the first edge, 1 up to the second, …; -1 without a rating.

    >>> buckets(["53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"], [2.0, 7.1], "se")
    array([0])
    """
    values = np.atleast_1d(np.asarray(rate(x, scale, **options), dtype=np.float64))
    return np.where(np.isnan(values), -1, np.searchsorted(np.asarray(edges, dtype=np.float64), values, side="right"))


#: "digits": digits unchanged, 0 for an empty cell. "trm": as in HRM and TRM, 0 is padding, 1 an
#: empty cell, 2 the digit 1. "onehot": one-hot vectors of side + 1 classes, the empty cell first.
SCHEMES = ("digits", "trm", "onehot")


def tokens(x: Puzzles, scheme: str = "trm", *, boxes: Boxes = None) -> NDArray[Any]:
    """Encodes puzzles as tokens, one puzzle per row: "digits" and "trm" (for HRM, TRM and similar networks) as bytes,
    "onehot" as float32 of shape (N, cells, side + 1).

    >>> tokens("1..4..1..3..4..3").tolist()
    [[2, 1, 1, 5, 1, 1, 2, 1, 1, 4, 1, 1, 5, 1, 1, 4]]
    """
    parsed = parse(x, boxes).checked()
    if scheme == "digits":
        return parsed.rows.copy()
    if scheme == "trm":
        return parsed.rows + np.uint8(1)
    if scheme == "onehot":
        return np.eye(parsed.side + 1, dtype=np.float32)[parsed.rows]
    raise NinefoldError(f"unknown scheme {scheme!r}, expected one of {', '.join(SCHEMES)}")


def untokens(x: NDArray[Any], scheme: str = "trm") -> NDArray[np.uint8]:
    """Decodes tokens; the inverse of :func:`tokens`. For "onehot", the largest score counts.

    >>> untokens(tokens("1..4..1..3..4..3", "onehot"), "onehot")[0, :4].tolist()
    [1, 0, 0, 4]
    """
    x = np.asarray(x)
    if scheme == "digits":
        return x.astype(np.uint8)
    if scheme == "trm":
        if x.size and x.min() < 1:
            raise NinefoldError("expected tokens of at least 1, found the padding token 0")
        return (x - 1).astype(np.uint8)
    if scheme == "onehot":
        return x.argmax(axis=-1).astype(np.uint8)
    raise NinefoldError(f"unknown scheme {scheme!r}, expected one of {', '.join(SCHEMES)}")


def write_hrm(
    folder: str | os.PathLike[str],
    x: Puzzles,
    y: Puzzles,
    *,
    part: str = "train",
    aug: int = 0,
    seed: int = 0,
    boxes: Boxes = None,
    threads: int = 0,
) -> Path:
    """Writes puzzles and solutions in the directory layout that HRM, TRM and SE-RRM train on: each puzzle is a group of itself
    and ``aug`` random images. Unlike their script, this function is seeded.

    The directory contains ``<part>/all__inputs.npy``, ``all__labels.npy``, ``all__puzzle_identifiers.npy``,
    ``all__puzzle_indices.npy``, ``all__group_indices.npy`` and ``<part>/dataset.json``, and ``identifiers.json``.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = write_hrm(folder, "1..4..1..3..4..3", "1234341223414123", aug=3)
    ...     np.load(path / "all__inputs.npy").shape
    (4, 16)
    """
    parsed, grids = (one.checked() for one in pair(x, y, boxes))
    aug, seed, threads = integer("aug", aug), integer("seed", seed), integer("threads", threads)
    groups, cells, copies = len(parsed.rows), parsed.rows.shape[1], 1 + aug
    if groups * copies > np.iinfo(np.int32).max:
        raise NinefoldError("too many examples: the format is limited to 2³¹ - 1")
    target = Path(folder) / part
    target.mkdir(parents=True, exist_ok=True)
    every = [np.repeat(one.rows, copies, axis=0) for one in (parsed, grids)]
    if aug:
        every = _native.augment(*every, parsed.boxes, seed, 0, threads)
    for name, one, images in zip(("inputs", "labels"), (parsed, grids), every):
        images[::copies] = one.rows
        images += 1
        np.save(target / f"all__{name}.npy", images)
    examples = np.arange(groups * copies + 1, dtype=np.int32)
    np.save(target / "all__puzzle_indices.npy", examples)
    np.save(target / "all__group_indices.npy", examples[::copies])
    np.save(target / "all__puzzle_identifiers.npy", np.zeros(groups * copies, dtype=np.int32))
    metadata = {
        "seq_len": cells,
        "vocab_size": parsed.side + 2,
        "pad_id": 0,
        "ignore_label_id": 0,
        "blank_identifier_id": 0,
        "num_puzzle_identifiers": 1,
        "total_groups": groups,
        "total_puzzles": groups * copies,
        "mean_puzzle_examples": 1,
        "sets": ["all"],
    }
    (target / "dataset.json").write_text(json.dumps(metadata))
    (Path(folder) / "identifiers.json").write_text(json.dumps(["<blank>"]))
    return target


class Score(NamedTuple):
    """The accuracy of predictions. A grid with one wrong cell counts as wrong."""

    #: The share of grids without a wrong cell.
    exact: float
    #: The share of empty cells that are filled correctly.
    cell: float
    #: The share of grids that solve their puzzle, possibly with another solution.
    valid: float
    #: The number of grids.
    n: int
    #: Half the width of the 95 % interval of ``exact`` (Wilson).
    margin: float


def score(x: Puzzles, y: Puzzles, predicted: Puzzles, *, boxes: Boxes = None) -> Score:
    """Compares predicted grids with the solutions ``y`` of the puzzles ``x``.

    >>> score("1..4..1..3..4..3", "1234341223414123", "1234341223414123").exact
    1.0
    """
    parsed, grids = pair(x, y, boxes)
    _, predictions = pair(x, predicted, boxes)
    n = len(parsed.rows)
    if n == 0:
        raise NinefoldError("expected at least one puzzle")
    correct = predictions.rows == grids.rows
    empty = parsed.rows == 0
    exact = float(correct.all(axis=1).mean())
    cell = float(correct[empty].mean()) if empty.any() else 1.0
    valid = float(_native.verify(parsed.rows, predictions.rows, parsed.boxes, 0).mean())
    z = 1.959964
    margin = z / (1 + z * z / n) * (exact * (1 - exact) / n + z * z / (4 * n * n)) ** 0.5
    return Score(exact, cell, valid, n, float(margin))


def __getattr__(name: str) -> Any:
    if name == "PuzzleDataset":
        from ._torch import PuzzleDataset

        return PuzzleDataset
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

"""Data for training and study: endless batches, images, classes, parts without twins, tokens, folders, scores."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, Iterator, NamedTuple, Sequence

import numpy as np
from numpy.typing import NDArray

from . import _native
from ._inputs import Boxes, Puzzles, pair, understand, whole
from ._native import NinefoldError
from .make import Made, generate
from .rating import rate


class Batches(Iterator[Made]):
    """An endless stream of puzzles with their solutions. ``position`` is the number of the next puzzle: a stream that is
    given it as ``start`` goes on from there. It can be pickled, also on its way."""

    def __init__(self, size: int, *, seed: int, start: int = 0, **wish: Any):
        self.size = whole("size", size, 1)
        self.seed = whole("seed", seed)
        self.position = whole("start", start)
        self.wish = wish

    def __next__(self) -> Made:
        made = generate(self.size, seed=self.seed, start=self.position, **self.wish)
        self.position += self.size
        return made

    def __repr__(self) -> str:
        wishes = "".join(f", {name}={value!r}" for name, value in self.wish.items())
        return f"batches({self.size}, seed={self.seed}, start={self.position}{wishes})"


def batches(size: int, *, seed: int, start: int = 0, **wish: Any) -> Batches:
    """Endless batches of puzzles and solutions, with the wishes of :func:`generate`.

    >>> stream = batches(64, seed=1)
    >>> first = next(stream)
    >>> first.puzzles.shape, stream.position
    ((64, 81), 64)
    >>> again = batches(64, seed=1, start=64)
    >>> bool((next(again).puzzles == next(stream).puzzles).all())
    True
    """
    return Batches(size, seed=seed, start=start, **wish)


class Pair(NamedTuple):
    """Puzzles and solutions that have been moved alike."""

    puzzles: Any
    solutions: Any


def augment(x: Puzzles, y: Puzzles | None = None, *, seed: int, start: int = 0, boxes: Boxes = None, threads: int = 0) -> Any:
    """One image of each puzzle under a random symmetry: digits renamed, rows, columns, bands and stacks exchanged, and, where
    boxes are square, mirrored. Every symmetry is equally likely. Row ``i`` depends on ``seed`` and ``start + i`` alone, and a
    solution in ``y`` is moved like its puzzle.

    >>> x, y = augment("1..4..1..3..4..3", "1234341223414123", seed=5)
    >>> from ninefold import verify
    >>> verify(x, y)
    True
    """
    seed, start, threads = whole("seed", seed), whole("start", start), whole("threads", threads)
    if y is None:
        given = understand(x, boxes)
        return given.shaped(_native.augment(given.rows, None, given.boxes, seed, start, threads)[0])
    given, grids = pair(x, y, boxes)
    images, moved = _native.augment(given.rows, grids.rows, given.boxes, seed, start, threads)
    return Pair(given.shaped(images), grids.shaped(moved))


class Classes(NamedTuple):
    """The form that all images of a puzzle share, and its fingerprint in 16 bytes."""

    forms: Any
    fingerprints: Any


def canonical(x: Puzzles, *, boxes: Boxes = None, threads: int = 0) -> Classes:
    """The canonical form of each puzzle: the same for all images under symmetry, different for all others.

    >>> twin = augment("1..4..1..3..4..3", seed=9)
    >>> canonical(twin).forms == canonical("1..4..1..3..4..3").forms
    True
    """
    given = understand(x, boxes)
    forms, fingerprints = _native.canonical(given.rows, given.boxes, whole("threads", threads))
    return Classes(given.shaped(forms), fingerprints[0].tobytes() if given.is_one else fingerprints)


def split(
    x: Puzzles,
    parts: str = "train=80,test=20",
    *,
    seed: int,
    boxes: Boxes = None,
    threads: int = 0,
) -> dict[str, NDArray[np.intp]]:
    """Divides puzzles into parts and keeps all images of a puzzle in one of them. Pass solutions instead of puzzles to keep
    all puzzles of a solution grid together. The answer is the rows of each part.

    >>> parts = split(["1..4..1..3..4..3", augment("1..4..1..3..4..3", seed=1)], seed=7)
    >>> sorted(len(rows) for rows in parts.values())
    [0, 2]
    """
    given = understand(x, boxes)
    names, where = _native.split(given.rows, given.boxes, parts, whole("seed", seed), whole("threads", threads))
    return {name: np.flatnonzero(where == number) for number, name in enumerate(names)}


def buckets(x: Puzzles, edges: Sequence[float], scale: str = "effort", **options: Any) -> NDArray[np.intp]:
    """The bucket of each puzzle by its rating: 0 below the first edge, 1 from there to the second, …; -1 without a rating.

    >>> buckets(["53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"], [2.0, 7.1], "se")
    array([0])
    """
    values = np.atleast_1d(np.asarray(rate(x, scale, **options), dtype=np.float64))
    return np.where(np.isnan(values), -1, np.searchsorted(np.asarray(edges, dtype=np.float64), values, side="right"))


#: Digits as they are; as HRM and TRM write them (0 pads, 1 is an empty cell, 2 the digit 1); one of side + 1 places, empty first.
SCHEMES = ("digits", "trm", "onehot")


def tokens(x: Puzzles, scheme: str = "trm", *, boxes: Boxes = None) -> NDArray[Any]:
    """Puzzles as networks read them, one a row: "digits" and "trm" (of HRM, TRM and their kind) as bytes, "onehot" as float32
    of shape (N, cells, side + 1).

    >>> tokens("1..4..1..3..4..3").tolist()
    [[2, 1, 1, 5, 1, 1, 2, 1, 1, 4, 1, 1, 5, 1, 1, 4]]
    """
    given = understand(x, boxes).checked()
    if scheme == "digits":
        return given.rows.copy()
    if scheme == "trm":
        return given.rows + np.uint8(1)
    if scheme == "onehot":
        return np.eye(given.side + 1, dtype=np.float32)[given.rows]
    raise NinefoldError(f"{scheme!r} is not a scheme; use one of {', '.join(SCHEMES)}")


def untokens(x: NDArray[Any], scheme: str = "trm") -> NDArray[np.uint8]:
    """Digits from tokens; the other way round than :func:`tokens`. Scores of "onehot" are read by their largest.

    >>> untokens(tokens("1..4..1..3..4..3", "onehot"), "onehot")[0, :4].tolist()
    [1, 0, 0, 4]
    """
    x = np.asarray(x)
    if scheme == "digits":
        return x.astype(np.uint8)
    if scheme == "trm":
        if x.size and x.min() < 1:
            raise NinefoldError("0 pads a sequence; it is not a cell")
        return (x - 1).astype(np.uint8)
    if scheme == "onehot":
        return x.argmax(axis=-1).astype(np.uint8)
    raise NinefoldError(f"{scheme!r} is not a scheme; use one of {', '.join(SCHEMES)}")


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
    """Writes puzzles and solutions as the folder that HRM, TRM and SE-RRM train on: each puzzle is a group of itself and
    ``aug`` random images. What their script draws without a seed is drawn with one here.

    The folder gets ``<part>/all__inputs.npy``, ``all__labels.npy``, ``all__puzzle_identifiers.npy``,
    ``all__puzzle_indices.npy``, ``all__group_indices.npy`` and ``dataset.json``, and ``identifiers.json`` beside the part.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = write_hrm(folder, "1..4..1..3..4..3", "1234341223414123", aug=3)
    ...     np.load(path / "all__inputs.npy").shape
    (4, 16)
    """
    given, grids = (one.checked() for one in pair(x, y, boxes))
    aug, seed, threads = whole("aug", aug), whole("seed", seed), whole("threads", threads)
    groups, cells, copies = len(given.rows), given.rows.shape[1], 1 + aug
    if groups * copies > np.iinfo(np.int32).max:
        raise NinefoldError("the format counts examples with 32 bits; write fewer")
    target = Path(folder) / part
    target.mkdir(parents=True, exist_ok=True)
    every = [np.repeat(one.rows, copies, axis=0) for one in (given, grids)]
    if aug:
        every = _native.augment(*every, given.boxes, seed, 0, threads)
    for name, one, images in zip(("inputs", "labels"), (given, grids), every):
        images[::copies] = one.rows
        images += 1
        np.save(target / f"all__{name}.npy", images)
    examples = np.arange(groups * copies + 1, dtype=np.int32)
    np.save(target / "all__puzzle_indices.npy", examples)
    np.save(target / "all__group_indices.npy", examples[::copies])
    np.save(target / "all__puzzle_identifiers.npy", np.zeros(groups * copies, dtype=np.int32))
    metadata = {
        "seq_len": cells,
        "vocab_size": given.side + 2,
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
    """How good predictions are. Whole grids come first: a grid with one wrong cell is not solved."""

    #: The share of grids in which every cell is right.
    exact: float
    #: The share of empty cells that are right.
    cell: float
    #: The share of grids that solve their puzzle, be it with another solution.
    valid: float
    #: How many grids there are.
    n: int
    #: Half the width of the 95 % interval of ``exact`` (Wilson).
    margin: float


def score(x: Puzzles, y: Puzzles, predicted: Puzzles, *, boxes: Boxes = None) -> Score:
    """Compares predicted grids with the solutions ``y`` of the puzzles ``x``.

    >>> score("1..4..1..3..4..3", "1234341223414123", "1234341223414123").exact
    1.0
    """
    given, grids = pair(x, y, boxes)
    _, guessed = pair(x, predicted, boxes)
    n = len(given.rows)
    if n == 0:
        raise NinefoldError("there is nothing to score")
    right = guessed.rows == grids.rows
    empty = given.rows == 0
    exact = float(right.all(axis=1).mean())
    cell = float(right[empty].mean()) if empty.any() else 1.0
    valid = float(_native.verify(given.rows, guessed.rows, given.boxes, 0).mean())
    z = 1.959964
    margin = z / (1 + z * z / n) * (exact * (1 - exact) / n + z * z / (4 * n * n)) ** 0.5
    return Score(exact, cell, valid, n, float(margin))

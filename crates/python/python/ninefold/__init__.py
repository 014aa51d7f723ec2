"""Ninefold: solves, explains, rates and generates Sudoku puzzles of every size.

A puzzle is a string (``"53..7....6.."``), a list or an array of digits with 0 for an empty cell.
Several puzzles are a list of strings or an array of shape (N, 81), or (N, n²) for other sizes.
Results have the form of the input. Work runs on all cores without the interpreter lock, and Ctrl+C
interrupts it. The same seed always gives the same results, on any machine.

>>> import ninefold
>>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
>>> solution, count = ninefold.solve(puzzle)
>>> solution
'534678912672195348198342567859761423426853791713924856961537284287419635345286179'
>>> count
1
"""

from ._native import NinefoldError, NotFound, __version__
from ._results import Checked, Solved
from .data import (
    Batches,
    augment,
    batches,
    buckets,
    canonical,
    score,
    split,
    tokens,
    untokens,
    write_hrm,
)
from .files import PuzzleFile, read, read_puzzles
from .make import Made, generate
from .networks import Predicted, predict
from .photos import ImageReading, read_image
from .queries import sql
from .rating import SCALES, rate
from .solving import check, count, solve, solve_inplace, verify
from .steps import Candidate, Explanation, Hint, Step, explain, hint, picture, step_labels, techniques
from .variants import Puzzle, generate_variants, read_puzzle

__all__ = [
    "Batches",
    "Candidate",
    "Checked",
    "Explanation",
    "Hint",
    "ImageReading",
    "Made",
    "NinefoldError",
    "NotFound",
    "Predicted",
    "Puzzle",
    "PuzzleFile",
    "SCALES",
    "Solved",
    "Step",
    "__version__",
    "augment",
    "batches",
    "buckets",
    "canonical",
    "check",
    "count",
    "explain",
    "generate",
    "generate_variants",
    "hint",
    "picture",
    "predict",
    "rate",
    "read",
    "read_image",
    "read_puzzle",
    "read_puzzles",
    "score",
    "solve",
    "solve_inplace",
    "split",
    "sql",
    "step_labels",
    "techniques",
    "tokens",
    "untokens",
    "verify",
    "write_hrm",
]

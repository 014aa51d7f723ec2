"""Puzzles with rules of their own: killer, jigsaw, thermometers, arrows, dots, lines and many more."""

from __future__ import annotations

from typing import Any, Sequence, Union

import numpy as np
from numpy.typing import NDArray

from . import _native
from ._inputs import integer
from ._native import NinefoldError
from ._results import Checked, Solved
from .make import Range, _numbers


class Puzzle:
    """A puzzle with its rules: from :func:`read_puzzle` or :func:`generate_variants`.

    Arrays have one digit per cell in reading order, 0 for an empty cell. :func:`ninefold.solve` and
    :func:`ninefold.check` accept puzzles, too.
    """

    __slots__ = ("_native",)

    def __init__(self, native: _native.Puzzle):
        self._native = native

    @property
    def side(self) -> int:
        """The side of the grid, such as 9."""
        return self._native.side

    @property
    def rules(self) -> list[str]:
        """The names of the rules beside the classic ones; empty for a classic puzzle."""
        return self._native.rules

    @property
    def unknown_rules(self) -> list[str]:
        """Rules that Ninefold does not know. Answers ignore them."""
        return self._native.unknown_rules

    @property
    def title(self) -> str | None:
        return self._native.title

    @property
    def author(self) -> str | None:
        return self._native.author

    @property
    def ruleset(self) -> str | None:
        """The rules in words, as the setter wrote them."""
        return self._native.ruleset

    @property
    def givens(self) -> NDArray[np.uint8]:
        """The given digits."""
        return self._native.givens()[0]

    @property
    def solution(self) -> NDArray[np.uint8] | None:
        """The solution that the file contains or that the generator knows. See also :meth:`solve`."""
        rows = self._native.solution()
        return None if rows is None else rows[0]

    def solve(self, *, limit: int = 2) -> Solved[NDArray[np.uint8] | None, int]:
        """The first solution (or ``None``) and the number of solutions up to ``limit``.

        >>> killer = generate_variants(1, rules="killer", size=4, seed=1)[0]
        >>> solved = killer.solve()
        >>> solved.counts, bool((solved.solutions == killer.solution).all())
        (1, True)
        """
        rows, count = self._native.solve(integer("limit", limit, 1))
        return Solved(None if rows is None else rows[0], count)

    def check(self) -> Checked[int, bool]:
        """Whether the puzzle has one solution, and whether it needs every given.

        Rules that are not needed do not count: :meth:`redundant` lists them.
        """
        count = self.solve().counts
        minimal = count == 1 and not any(name.startswith("given ") for name in self.redundant())
        return Checked(count, minimal, int(np.count_nonzero(self.givens)))

    def redundant(self) -> list[str]:
        """The rules and givens that can be left out, one at a time. The puzzle must have one solution.

        >>> generate_variants(1, rules="killer", size=4, seed=1, minimal=True, minimal_rules=True)[0].redundant()
        []
        """
        if self.solve().counts != 1:
            raise NinefoldError("expected a puzzle with one solution")
        return self._native.redundant()

    def contradiction(self) -> str | None:
        """Rules and givens that contradict each other, in words; ``None`` if the puzzle has a solution."""
        return self._native.contradiction()

    def verify(self, grid: Any) -> bool:
        """Whether a full grid keeps the givens and all rules."""
        digits = [int(one) for one in grid] if isinstance(grid, str) else np.asarray(grid).ravel().tolist()
        if any(digit < 0 or digit > self.side for digit in digits):
            raise NinefoldError(f"expected digits from 1 to {self.side}")
        return self._native.is_solution(digits)

    def to(self, format: str) -> str:
        """The puzzle as text, in a format of ``ninefold convert``: "json", "fpuzzles", "drawn", …

        >>> killer = generate_variants(1, rules="killer", size=4, seed=1)[0]
        >>> read_puzzle(killer.to("fpuzzles")) == killer
        True
        """
        return self._native.to_text(format)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Puzzle) and self._native == other._native

    def __hash__(self) -> int:
        return hash(self._native)

    def __reduce__(self) -> Any:
        return read_puzzle, (self.to("json"), True)

    def __str__(self) -> str:
        return str(self._native)

    def __repr__(self) -> str:
        return repr(self._native)


def read_puzzle(text: str, ignore_unknown_rules: bool = False) -> Puzzle:
    """Reads one puzzle with its rules from text: a link of f-puzzles, SudokuPad or Penpa+, JSON, or any other format.

    Rules that Ninefold does not know raise an error, unless ``ignore_unknown_rules`` is true.

    >>> board = '{"size": 4, "grid": [[{}, {}, {}, {}], [{}, {}, {}, {}], [{}, {}, {}, {}], [{}, {}, {}, {}]],'
    >>> board += '"killercage": [{"cells": ["R1C1", "R2C1"], "value": "3"}]}'
    >>> read_puzzle(board)
    <Puzzle 4x4, 0 givens, killer cage>
    """
    if not isinstance(text, str):
        raise TypeError(f"read_puzzle: expected a string, found {type(text).__name__}")
    return Puzzle(_native.read_puzzle(text, bool(ignore_unknown_rules)))


def generate_variants(
    n: int = 1,
    *,
    rules: Union[str, Sequence[str]],
    seed: int,
    start: int = 0,
    size: int = 9,
    clues: Range = None,
    minimal: bool = False,
    minimal_rules: bool = False,
    density: str = "normal",
    cage_sizes: str | None = None,
    attempts: int = 100,
    threads: int = 0,
) -> list[Puzzle]:
    """Generates ``n`` puzzles with these rules and a unique solution, as ``ninefold generate --rules`` does.

    - ``rules``: "killer", "jigsaw", "x", "thermo", …, or several of them: "killer,x". An unknown name lists all.
    - ``clues``: the number of givens or a range: 0, (20, 24) or "20-24".
    - ``minimal``: every given is needed. ``minimal_rules``: so is every cage, line, mark and clue beside the grid.
    - ``density``: how many cages, lines, marks and clues: "sparse", "normal" or "dense".
    - ``cage_sizes``: the number of cells of a killer cage, such as "2-4".

    >>> [jigsaw] = generate_variants(1, rules="jigsaw", size=5, seed=3)
    >>> jigsaw
    <Puzzle 5x5, 4 givens, irregular regions>
    """
    names = rules if isinstance(rules, str) else ",".join(rules)
    options = {
        "rules": names,
        "size": integer("size", size, 1, 64),
        "clues": _numbers("clues", clues, int),
        "minimal": bool(minimal),
        "minimal_rules": bool(minimal_rules),
        "density": density,
        "cage_sizes": cage_sizes,
        "attempts": integer("attempts", attempts, 1),
    }
    n, seed, start = integer("n", n), integer("seed", seed), integer("start", start)
    found = _native.generate_variants(n, seed, start, options, integer("threads", threads))
    return [Puzzle(one) for one in found]

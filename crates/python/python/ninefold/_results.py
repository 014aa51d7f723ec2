"""Results of solving and checking."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

S = TypeVar("S")
C = TypeVar("C")
M = TypeVar("M")

if TYPE_CHECKING:
    # Python 3.10 has no generic named tuples, so only type checkers see these.
    class Solved(NamedTuple, Generic[S, C]):
        solutions: S
        counts: C

    class Checked(NamedTuple, Generic[C, M]):
        solutions: C
        minimal: M
        clues: C

else:

    class Solved(NamedTuple):
        """Solutions and their number, up to the limit."""

        #: In the form of the puzzles. Without a solution: ``None`` for a string, zeros in an array.
        solutions: Any
        counts: Any

    class Checked(NamedTuple):
        """Properties of puzzles."""

        #: The number of solutions: 0, 1, or 2 for several.
        solutions: Any
        #: Whether the puzzle has one solution and needs every clue.
        minimal: Any
        clues: Any

"""Explanations and hints: steps with their reasons, in words and as pictures.

Every step has been replayed by a checker that does not know who found it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from . import _native
from ._inputs import Boxes, Puzzles, understand, whole
from ._native import NinefoldError


@dataclass(frozen=True)
class Candidate:
    """A digit in a cell."""

    #: The name of the cell, such as "r5c5".
    cell: str
    #: Its place in reading order, counted from 0.
    index: int
    digit: int

    def __str__(self) -> str:
        return f"{self.cell}={self.digit}"


@dataclass(frozen=True)
class Step:
    """A step with its reason. In a notebook it is shown as a picture."""

    #: Its number, counted from 1.
    number: int
    technique: str
    #: The technique's name as the command line takes it.
    slug: str
    #: Does it rest on the promise of one solution?
    needs_uniqueness: bool
    #: Candidates that are true.
    places: tuple[Candidate, ...]
    #: Candidates that are false.
    removes: tuple[Candidate, ...]
    #: The step in one line.
    short: str
    #: The whole reason.
    text: str
    #: What to draw over a grid: houses, cells, coloured candidates, arrows.
    drawing: dict[str, Any] = field(repr=False, hash=False, compare=False)
    _of: Any = field(repr=False, hash=False, compare=False)

    @property
    def svg(self) -> str:
        """The position before the step, with what the step looks at."""
        return self._of if isinstance(self._of, str) else self._of.svg(self.number)

    def __str__(self) -> str:
        return self.short

    def _repr_svg_(self) -> str:
        return self.svg

    def _repr_html_(self) -> str:
        return f"<figure>{self.svg}<figcaption><b>{_escaped(self.technique)}</b>: {_escaped(self.text)}</figcaption></figure>"


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _step(view: dict[str, Any], of: Any) -> Step:
    def candidates(name: str) -> tuple[Candidate, ...]:
        return tuple(Candidate(one["cell"], one["index"], one["digit"]) for one in view[name])

    return Step(
        number=view["step"],
        technique=view["technique"],
        slug=view["slug"],
        needs_uniqueness=view["needs_uniqueness"],
        places=candidates("places"),
        removes=candidates("removes"),
        short=view["short"],
        text=view["text"],
        drawing=view["picture"],
        _of=of,
    )


class Explanation(Sequence[Step]):
    """The way from a puzzle to its solution: a sequence of steps."""

    def __init__(self, explained: Any, puzzle: str, boxes: tuple[int, int], how: dict[str, Any]):
        self._explained, self._again = explained, (puzzle, boxes, how)
        view = json.loads(explained.json())
        self.puzzle: str = view["puzzle"]
        #: The only solution, if there is one.
        self.solution: str | None = view.get("solution")
        #: How many solutions there are: "none", "one", "several" or "unknown".
        self.solutions: str = view["solutions"]
        #: How it ended: "solved", "stuck", "contradiction", "time", …
        self.end: str = view["end"]
        #: The end in words.
        self.text: str = view["text"]
        #: The digits it ends with.
        self.reached: str = view["reached"]
        self.steps: tuple[Step, ...] = tuple(_step(step, self) for step in view["steps"])

    def svg(self, step: int | None = None) -> str:
        """The picture of a step, counted from 1; without one, of the position it starts from."""
        return self._explained.svg(None if step is None else whole("step", step, 1) - 1)

    def page(self) -> str:
        """All steps with their pictures as a page of HTML."""
        return self._explained.page()

    def grids(self) -> list[str]:
        """The grid before each step."""
        return self._explained.grids()

    def __len__(self) -> int:
        return len(self.steps)

    def __getitem__(self, index: Any) -> Any:
        return self.steps[index]

    def __iter__(self) -> Iterator[Step]:
        return iter(self.steps)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Explanation) and self._again == other._again and self.steps == other.steps

    def __hash__(self) -> int:
        return hash((self.puzzle, self.steps))

    def __repr__(self) -> str:
        return f"<Explanation of {self.puzzle}: {len(self)} steps, {self.end}>"

    def __str__(self) -> str:
        return "\n".join([*(f"{step.number:3}  {step.short}" for step in self), self.text])

    def __reduce__(self) -> Any:
        return _explained_again, self._again

    def _repr_html_(self) -> str:
        rows = "".join(f"<li><b>{_escaped(s.technique)}</b>: {_escaped(s.text)}</li>" for s in self)
        return f"{self.svg()}<ol>{rows}</ol><p>{_escaped(self.text)}</p>"


def _explained_again(puzzle: str, boxes: tuple[int, int], how: dict[str, Any]) -> Explanation:
    rows = understand(puzzle, boxes).rows
    return Explanation(_native.explain(rows, boxes, how, 1)[0], puzzle, boxes, how)


@dataclass(frozen=True)
class Hint:
    """The next step from a position, told in stages."""

    #: "step", or the end that was met instead: "mistake", "solved", "stuck", …
    answer: str
    #: Where to look, what to look for, the whole reason.
    stages: tuple[str, str, str]
    step: Step | None

    def __str__(self) -> str:
        return self.stages[2]

    def _repr_html_(self) -> str:
        return _escaped(self.stages[2]) if self.step is None else self.step._repr_html_()


def _how(
    techniques: Sequence[str] | None, uniqueness: bool, steps: int | None, seconds: float | None, language: str
) -> dict[str, Any]:
    if seconds is not None and not 0 <= float(seconds) < 1e9:
        raise NinefoldError(f"seconds is {seconds}; a time limit is a number of seconds, 0 or more")
    return {
        "techniques": None if techniques is None else [str(name) for name in techniques],
        "uniqueness": bool(uniqueness),
        "steps": None if steps is None else whole("steps", steps),
        "seconds": None if seconds is None else float(seconds),
        "language": str(language),
    }


def explain(
    x: Puzzles,
    *,
    techniques: Sequence[str] | None = None,
    uniqueness: bool = True,
    steps: int | None = None,
    seconds: float | None = None,
    language: str = "en",
    boxes: Boxes = None,
    threads: int = 0,
) -> Any:
    """Explains a puzzle step by step; a list of explanations for many puzzles.

    ``techniques`` are tried in this order (default: all), ``uniqueness=False`` leaves out steps that rest on one solution,
    ``steps`` and ``seconds`` end early, ``language`` is "en", "de" or "es".

    >>> explanation = explain("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79")
    >>> explanation.end, explanation[0].technique
    ('solved', 'Hidden Single')
    >>> explanation[0].svg[:4]
    '<svg'
    """
    given = understand(x, boxes)
    how = _how(techniques, uniqueness, steps, seconds, language)
    explained = _native.explain(given.rows, given.boxes, how, whole("threads", threads))
    lines = _native.write(given.rows, given.boxes)
    all_of_them = [Explanation(one, line, given.boxes, how) for one, line in zip(explained, lines)]
    return all_of_them[0] if given.is_one else all_of_them


def hint(
    puzzle: Puzzles,
    grid: Puzzles | None = None,
    *,
    marks: Sequence[Sequence[int]] | None = None,
    techniques: Sequence[str] | None = None,
    uniqueness: bool = True,
    seconds: float | None = None,
    language: str = "en",
    boxes: Boxes = None,
) -> Hint:
    """The next step: from the clues of a puzzle, or from the player's own ``grid`` of clues and entries and pencil ``marks``
    (one list of digits for each cell; an empty one where none were made).

    >>> hint("1..4..1..3..4..3").answer
    'step'
    >>> hint("1..4..1..3..4..3", "12.4..1..3..4..3").answer
    'step'
    >>> hint("1..4..1..3..4..3", "1..4..1.23..4..3").answer
    'step'
    >>> hint("1..4..1..3..4..3", "1..4.21..3..4..3").answer
    'mistake'
    """
    given = understand(puzzle, boxes)
    if not given.is_one:
        raise NinefoldError("a hint is given for one puzzle")
    entered = None if grid is None else understand(grid, given.boxes).rows[0].tolist()
    noted = None if marks is None else [[whole("a mark", digit, 1, 64) for digit in cell] for cell in marks]
    how = _how(techniques, uniqueness, None, seconds, language)
    text, svg = _native.hint(given.rows[0].tolist(), entered, noted, given.boxes, how)
    answer = json.loads(text)
    step = answer["step"] and _step(answer["step"], svg)
    return Hint(answer["answer"], tuple(answer["stages"]), step)


def step_labels(
    x: Puzzles,
    *,
    techniques: Sequence[str] | None = None,
    uniqueness: bool = True,
    seconds: float | None = None,
    boxes: Boxes = None,
    threads: int = 0,
) -> dict[str, NDArray[Any]]:
    """The steps of puzzles as a table: one row for each candidate that a step proves true (``placed``) or false.

    The columns are arrays, ready for ``pyarrow.table``, ``pandas.DataFrame`` or ``polars.DataFrame``: ``puzzle`` and ``step``
    (counted from 0), ``technique`` (its slug), ``cell``, ``digit``, ``placed``.

    >>> labels = step_labels("1..4..1..3..4..3")
    >>> int(labels["placed"].sum())
    10
    """
    given = understand(x, boxes)
    how = _how(techniques, uniqueness, None, seconds, "en")
    table = _native.step_labels(given.rows, given.boxes, how, whole("threads", threads))
    names = np.array(table.pop("techniques"))
    table["technique"] = names[table["technique"]]
    return table


def techniques(*, all: bool = False) -> list[str]:
    """The techniques by the names that other functions take, as they are tried; ``all`` of them with those left out.

    >>> techniques()[:3]
    ['full-house', 'naked-single', 'hidden-single']
    """
    return [slug for _, slug, is_default in _native.techniques() if all or is_default]


class _Picture(str):
    """SVG that a notebook shows."""

    def _repr_svg_(self) -> str:
        return str(self)


def picture(puzzle: Puzzles, *, boxes: Boxes = None) -> str:
    """A puzzle as SVG; a notebook shows it.

    >>> picture("1..4..1..3..4..3")[:4]
    '<svg'
    """
    given = understand(puzzle, boxes)
    if not given.is_one:
        raise NinefoldError("a picture shows one puzzle")
    return _Picture(_native.picture(given.rows[0].tolist(), given.boxes))

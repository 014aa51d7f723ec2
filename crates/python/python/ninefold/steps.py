"""Explanations and hints: steps with their reasons, as text and pictures.

An independent checker has verified every step.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Iterator, Sequence, overload

import numpy as np
from numpy.typing import NDArray

from . import _native
from ._inputs import Boxes, Puzzles, Texts, integer, parse
from ._native import NinefoldError


@dataclass(frozen=True)
class Candidate:
    """A digit in a cell."""

    #: The name of the cell, such as "r5c5".
    cell: str
    #: The index of the cell in reading order, counted from 0.
    index: int
    digit: int

    def __str__(self) -> str:
        return f"{self.cell}={self.digit}"

    def to_dict(self) -> dict[str, Any]:
        return {"cell": self.cell, "index": self.index, "digit": self.digit}


@dataclass(frozen=True)
class Step:
    """A step with its reason. Notebooks display it as a picture."""

    #: The number of the step, counted from 1.
    number: int
    technique: str
    #: The name of the technique on the command line.
    slug: str
    #: Whether the step assumes a unique solution.
    needs_uniqueness: bool
    #: Candidates that the step proves true.
    places: tuple[Candidate, ...]
    #: Candidates that the step proves false.
    removes: tuple[Candidate, ...]
    #: The step in one line.
    short: str
    #: The complete reason.
    text: str
    #: Data for a drawing: houses, cells, coloured candidates, arrows.
    drawing: dict[str, Any] = field(repr=False, hash=False, compare=False)
    _source: Any = field(repr=False, hash=False, compare=False)

    def to_dict(self) -> dict[str, Any]:
        """The step as JSON values, for example for a table or a file."""
        return {
            "number": self.number,
            "technique": self.technique,
            "slug": self.slug,
            "needs_uniqueness": self.needs_uniqueness,
            "places": [one.to_dict() for one in self.places],
            "removes": [one.to_dict() for one in self.removes],
            "short": self.short,
            "text": self.text,
            "drawing": self.drawing,
        }

    @property
    def svg(self) -> str:
        """The position before the step, with the pattern of the step."""
        return self._source if isinstance(self._source, str) else self._source.svg(self.number)

    def __str__(self) -> str:
        return self.short

    def _repr_svg_(self) -> str:
        return self.svg

    def _repr_html_(self) -> str:
        return f"<figure>{self.svg}<figcaption><b>{_escape(self.technique)}</b>: {_escape(self.text)}</figcaption></figure>"


def _escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _step(view: dict[str, Any], source: Any) -> Step:
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
        _source=source,
    )


class Explanation(Sequence[Step]):
    """The solution of a puzzle as a sequence of steps. Texts and drawings of the steps are made when they are first read."""

    def __init__(self, native: Any, puzzle: str, boxes: tuple[int, int], args: dict[str, Any]):
        self._native, self._arguments = native, (puzzle, boxes, args)

    @cached_property
    def _view(self) -> dict[str, Any]:
        return json.loads(self._native.summary())

    @property
    def puzzle(self) -> str:
        return self._view["puzzle"]

    @property
    def solution(self) -> str | None:
        """The solution, if it is unique."""
        return self._view.get("solution")

    @property
    def solutions(self) -> str:
        """The number of solutions: "none", "one", "several" or "unknown"."""
        return self._view["solutions"]

    @property
    def end(self) -> str:
        """The outcome: "solved", "stuck", "contradiction", "time", …"""
        return self._view["end"]

    @property
    def text(self) -> str:
        """The outcome as text."""
        return self._view["text"]

    @property
    def reached(self) -> str:
        """The final digits."""
        return self._view["reached"]

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        return tuple(_step(step, self) for step in json.loads(self._native.json())["steps"])

    def to_dict(self) -> dict[str, Any]:
        """The complete explanation as JSON values, as from ``ninefold explain --json``."""
        return json.loads(self._native.json())

    def svg(self, step: int | None = None) -> str:
        """The picture of a step, counted from 1; of the start position by default."""
        return self._native.svg(None if step is None else integer("step", step, 1) - 1)

    def page(self) -> str:
        """All steps with their pictures as an HTML page."""
        return self._native.page()

    def grids(self) -> list[str]:
        """The grid before each step."""
        return self._native.grids()

    def __len__(self) -> int:
        return len(self._native)

    def __getitem__(self, index: Any) -> Any:
        return self.steps[index]

    def __iter__(self) -> Iterator[Step]:
        return iter(self.steps)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Explanation) and self._arguments == other._arguments and self.steps == other.steps

    def __hash__(self) -> int:
        return hash((self.puzzle, self.steps))

    def __repr__(self) -> str:
        return f"<Explanation of {self.puzzle}: {len(self)} steps, {self.end}>"

    def __str__(self) -> str:
        return "\n".join([*(f"{step.number:3}  {step.short}" for step in self), self.text])

    def __reduce__(self) -> Any:
        return _recreate, self._arguments

    def _repr_html_(self) -> str:
        rows = "".join(f"<li><b>{_escape(s.technique)}</b>: {_escape(s.text)}</li>" for s in self)
        return f"{self.svg()}<ol>{rows}</ol><p>{_escape(self.text)}</p>"


def _recreate(puzzle: str, boxes: tuple[int, int], args: dict[str, Any]) -> Explanation:
    rows = parse(puzzle, boxes).rows
    return Explanation(_native.explain(rows, boxes, args, 1)[0], puzzle, boxes, args)


@dataclass(frozen=True)
class Hint:
    """The next step from a position, in stages."""

    #: "step", or why there is none: "mistake", "solved", "stuck", …
    answer: str
    #: Where to look, what to look for, and the complete reason.
    stages: tuple[str, str, str]
    step: Step | None

    def __str__(self) -> str:
        return self.stages[2]

    def _repr_html_(self) -> str:
        return _escape(self.stages[2]) if self.step is None else self.step._repr_html_()


def _arguments(
    techniques: Sequence[str] | None, uniqueness: bool, steps: int | None, seconds: float | None, language: str
) -> dict[str, Any]:
    if seconds is not None and not 0 <= float(seconds) < 1e9:
        raise NinefoldError(f"seconds: expected a time limit of at least 0, found {seconds}")
    return {
        "techniques": None if techniques is None else [str(name) for name in techniques],
        "uniqueness": bool(uniqueness),
        "steps": None if steps is None else integer("steps", steps),
        "seconds": None if seconds is None else float(seconds),
        "language": str(language),
    }


@overload
def explain(
    x: str,
    *,
    techniques: Sequence[str] | None = None,
    uniqueness: bool = True,
    steps: int | None = None,
    seconds: float | None = None,
    language: str = "en",
    boxes: Boxes = None,
    threads: int = 0,
) -> Explanation: ...
@overload
def explain(
    x: Texts,
    *,
    techniques: Sequence[str] | None = None,
    uniqueness: bool = True,
    steps: int | None = None,
    seconds: float | None = None,
    language: str = "en",
    boxes: Boxes = None,
    threads: int = 0,
) -> list[Explanation]: ...
@overload
def explain(
    x: Any,
    *,
    techniques: Sequence[str] | None = None,
    uniqueness: bool = True,
    steps: int | None = None,
    seconds: float | None = None,
    language: str = "en",
    boxes: Boxes = None,
    threads: int = 0,
) -> Any: ...
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

    ``techniques`` are tried in this order (default: all), ``uniqueness=False`` excludes steps that assume a unique solution,
    ``steps`` and ``seconds`` are limits, ``language`` is "en", "de" or "es".

    >>> explanation = explain("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79")
    >>> explanation.end, explanation[0].technique
    ('solved', 'Hidden Single')
    >>> explanation[0].svg[:4]
    '<svg'
    """
    parsed = parse(x, boxes)
    args = _arguments(techniques, uniqueness, steps, seconds, language)
    explanations = _native.explain(parsed.rows, parsed.boxes, args, integer("threads", threads))
    lines = _native.write(parsed.rows, parsed.boxes)
    results = [Explanation(native, line, parsed.boxes, args) for native, line in zip(explanations, lines)]
    return results[0] if parsed.is_one else results


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
    """The next step from the clues of a puzzle, or from a player's ``grid`` of clues and entries with pencil ``marks`` (one
    list of digits per cell, empty if there are none).

    >>> hint("1..4..1..3..4..3").answer
    'step'
    >>> hint("1..4..1..3..4..3", "12.4..1..3..4..3").answer
    'step'
    >>> hint("1..4..1..3..4..3", "1..4..1.23..4..3").answer
    'step'
    >>> hint("1..4..1..3..4..3", "1..4.21..3..4..3").answer
    'mistake'
    """
    parsed = parse(puzzle, boxes)
    if not parsed.is_one:
        raise NinefoldError("hint: expected one puzzle")
    entered = None if grid is None else parse(grid, parsed.boxes).rows[0].tolist()
    noted = None if marks is None else [[integer("mark", digit, 1, 64) for digit in cell] for cell in marks]
    args = _arguments(techniques, uniqueness, None, seconds, language)
    text, svg = _native.hint(parsed.rows[0].tolist(), entered, noted, parsed.boxes, args)
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
    """The steps of puzzles as a table with one row per candidate that a step proves true (``placed``) or false.

    The columns are arrays for ``pyarrow.table``, ``pandas.DataFrame`` or ``polars.DataFrame``: ``puzzle`` and ``step``
    (counted from 0), ``technique`` (as a slug), ``cell``, ``digit``, ``placed``.

    >>> labels = step_labels("1..4..1..3..4..3")
    >>> int(labels["placed"].sum())
    10
    """
    parsed = parse(x, boxes)
    args = _arguments(techniques, uniqueness, None, seconds, "en")
    table = _native.step_labels(parsed.rows, parsed.boxes, args, integer("threads", threads))
    names = np.array(table.pop("techniques"))
    table["technique"] = names[table["technique"]]
    return table


def techniques(*, all: bool = False) -> list[str]:
    """The slugs of the default techniques in the order in which they are tried; of ``all`` techniques on request.

    >>> techniques()[:3]
    ['full-house', 'naked-single', 'hidden-single']
    """
    return [slug for _, slug, is_default in _native.techniques() if all or is_default]


class _Picture(str):
    """SVG that notebooks display."""

    def _repr_svg_(self) -> str:
        return str(self)


def picture(puzzle: Puzzles, *, boxes: Boxes = None) -> str:
    """A puzzle as SVG, which notebooks display.

    >>> picture("1..4..1..3..4..3")[:4]
    '<svg'
    """
    parsed = parse(puzzle, boxes)
    if not parsed.is_one:
        raise NinefoldError("picture: expected one puzzle")
    return _Picture(_native.picture(parsed.rows[0].tolist(), parsed.boxes))

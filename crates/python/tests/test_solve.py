"""Solving, counting and verifying."""

import threading

import numpy as np
import pytest
from conftest import PUZZLE, SOLUTION
from hypothesis import given, settings
from hypothesis import strategies as st

import ninefold


def test_solves_puzzles_in_every_form():
    row = np.array([int(sign) if sign != "." else 0 for sign in PUZZLE], np.uint8)
    solved = np.array([int(sign) for sign in SOLUTION], np.uint8)
    assert ninefold.solve(PUZZLE) == (SOLUTION, 1)
    assert ninefold.solve(PUZZLE.replace(".", "0")) == (SOLUTION, 1)
    assert ninefold.solve([PUZZLE, PUZZLE]).solutions == [SOLUTION, SOLUTION]
    for dtype in (np.uint8, np.int8, np.int32, np.int64, np.uint64):
        answer = ninefold.solve(row.astype(dtype))
        assert (answer.solutions == solved).all() and answer.counts == 1
    assert ninefold.solve(row.tolist()).solutions.tolist() == solved.tolist()
    assert ninefold.solve(row.reshape(9, 9)).solutions.shape == (9, 9)
    assert ninefold.solve(row.reshape(1, 9, 9)).solutions.shape == (1, 9, 9)
    assert ninefold.solve(row[None]).solutions.shape == (1, 81)
    assert ninefold.solve(np.array([PUZZLE])).solutions == [SOLUTION]
    drawn = "\n".join(PUZZLE[start : start + 9] for start in range(0, 81, 9))
    assert ninefold.solve(drawn) == (SOLUTION, 1)


def test_reports_no_and_several_solutions():
    assert ninefold.solve("55" + "." * 79) == (None, 0)
    assert ninefold.solve(["55" + "." * 79, "." * 81]).solutions[0] is None
    answer = ninefold.solve(np.zeros((3, 81), np.uint8), limit=5)
    assert answer.counts.tolist() == [5, 5, 5]
    assert ninefold.verify(np.zeros((3, 81), np.uint8), answer.solutions).all()


def test_solves_other_sizes():
    for size in (4, 6, 8, 12, 16):
        generated = ninefold.generate(3, seed=1, size=size)
        answer = ninefold.solve(generated.puzzles)
        assert (answer.solutions == generated.solutions).all() and answer.counts.tolist() == [1, 1, 1]
    generated = ninefold.generate(1, seed=1, boxes="3x2")
    assert ninefold.solve(generated.puzzles, boxes="3x2").counts.tolist() == [1]


def test_a_16_by_16_array_is_16_small_puzzles_by_default():
    grid = np.zeros((16, 16), np.uint8)
    assert ninefold.solve(grid).counts.shape == (16,)
    assert ninefold.solve(grid, boxes=(4, 4)).counts == 2


def test_solves_arrays_in_place(generated):
    grids = generated.puzzles.copy()
    assert (ninefold.solve_inplace(grids) == 1).all()
    assert (grids == generated.solutions).all()


def test_accepts_views_of_any_stride(generated):
    puzzles = generated.puzzles[:20]
    for view in (
        puzzles[::-1],
        np.asfortranarray(puzzles),
        np.repeat(puzzles, 2, axis=0)[::2],
        np.repeat(puzzles, 2, axis=1)[:, ::2],
        puzzles.astype(">i4"),
    ):
        expected = generated.solutions[:20][::-1] if view is not None and (view[0] == puzzles[-1]).all() else generated.solutions[:20]
        assert (ninefold.solve(view).solutions == expected).all()
    frozen = puzzles.copy()
    frozen.flags.writeable = False
    assert (ninefold.solve(frozen).solutions == generated.solutions[:20]).all()


def test_empty_arrays_have_empty_results():
    for empty in (np.zeros((0, 81), np.uint8), np.zeros((0, 16), np.int64), [], np.array([])):
        answer = ninefold.solve(empty)
        assert len(answer.solutions) == 0 and len(answer.counts) == 0
    assert ninefold.rate(np.zeros((0, 81), np.uint8)).shape == (0,)
    assert ninefold.explain(np.zeros((0, 81), np.uint8)) == []
    assert ninefold.generate(0, seed=1).puzzles.shape == (0, 81)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ("12", "cells"),
        ("z" * 81, "row 1, column 1"),
        ([PUZZLE, "12"], "puzzle 1"),
        (np.full((1, 81), 10, np.uint8), "puzzle 0, row 1, column 1: .* found 10"),
        (np.full((2, 81), 2**40), "row 1, column 1"),
        (np.full((1, 81), -1), "found -1"),
        (np.zeros((2, 80), np.uint8), "found an array of shape"),
        (np.zeros((2, 2, 9, 9), np.uint8), "found an array of shape"),
        (np.zeros(5, np.uint8), "found an array of shape"),
        ([[1, 2], [3]], "cannot convert to an array"),
    ],
)
def test_rejects_invalid_puzzles(wrong, message):
    for function in (ninefold.solve, ninefold.count, ninefold.check, ninefold.rate, ninefold.explain, ninefold.canonical):
        with pytest.raises(ninefold.NinefoldError, match=message):
            function(wrong)


@pytest.mark.parametrize("wrong", [np.zeros((1, 81)), np.zeros((1, 81), bool), np.zeros((1, 81), complex), object(), None, 5.0, [object()] * 81])
def test_rejects_non_integers(wrong):
    with pytest.raises((TypeError, ninefold.NinefoldError)):
        ninefold.solve(wrong)


def test_rejects_invalid_options(generated):
    for options in ({"limit": 0}, {"limit": -1}, {"threads": -1}, {"boxes": "9"}, {"boxes": (1, 2, 3)}, {"boxes": "2x2"}):
        with pytest.raises(ninefold.NinefoldError):
            ninefold.solve(generated.puzzles, **options)
    with pytest.raises(TypeError):
        ninefold.solve(generated.puzzles, limit=2.0)
    with pytest.raises(TypeError):
        ninefold.solve_inplace(generated.puzzles.astype(np.int64))
    with pytest.raises(ninefold.NinefoldError):
        ninefold.solve_inplace(generated.puzzles[:, ::-1])
    frozen = generated.puzzles.copy()
    frozen.flags.writeable = False
    with pytest.raises(ninefold.NinefoldError):
        ninefold.solve_inplace(frozen)
    with pytest.raises(ninefold.NinefoldError, match="as many grids as puzzles"):
        ninefold.verify(generated.puzzles, generated.solutions[:5])


@given(st.lists(st.tuples(st.integers(0, 80), st.integers(1, 9)), max_size=40))
@settings(max_examples=60, deadline=None)
def test_solutions_of_any_clues_satisfy_the_rules(clues):
    row = np.zeros((1, 81), np.uint8)
    for cell, digit in clues:
        row[0, cell] = digit
    solutions, counts = ninefold.solve(row)
    if counts[0]:
        assert ninefold.verify(row, solutions).all()
    else:
        assert (solutions == 0).all()
    assert min(ninefold.count(row, limit=2)[0], 2) == counts[0]


@given(st.text(max_size=100))
@settings(max_examples=100, deadline=None)
def test_any_text_is_solved_or_rejected(text):
    try:
        ninefold.solve(text)
    except ninefold.NinefoldError:
        pass


def test_check_detects_minimal_puzzles():
    generated = ninefold.generate(20, seed=3, minimal=True)
    checked = ninefold.check(generated.puzzles)
    assert (checked.solutions == 1).all() and checked.minimal.all()
    full = ninefold.check(generated.solutions)
    assert (full.solutions == 1).all() and not full.minimal.any() and (full.clues == 81).all()
    assert ninefold.check("." * 81) == (2, False, 0)


def test_verify_detects_every_kind_of_error(generated):
    puzzles, solutions = generated.puzzles[:1], generated.solutions[:1].copy()
    assert ninefold.verify(puzzles, solutions).all()
    solutions[0, 0] = 0
    assert not ninefold.verify(puzzles, solutions).any()
    swapped = generated.solutions[:1].copy()
    swapped[0, [0, 1]] = swapped[0, [1, 0]]
    assert not ninefold.verify(np.zeros_like(puzzles), swapped).any()
    assert not ninefold.verify(puzzles, generated.solutions[1:2]).any()


def test_concurrent_calls_are_safe(generated):
    answers = []
    ask = lambda: answers.append(ninefold.solve(generated.puzzles, threads=2).solutions)  # noqa: E731
    threads = [threading.Thread(target=ask) for _ in range(8)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert len(answers) == 8 and all((answer == generated.solutions).all() for answer in answers)

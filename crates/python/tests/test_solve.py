"""Solutions, against the rules and against each other."""

import threading

import numpy as np
import pytest
from conftest import PUZZLE, SOLUTION
from hypothesis import given, settings
from hypothesis import strategies as st

import ninefold


def test_a_puzzle_is_solved_in_every_form_it_may_have():
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


def test_no_solution_and_several_are_answers():
    assert ninefold.solve("55" + "." * 79) == (None, 0)
    assert ninefold.solve(["55" + "." * 79, "." * 81]).solutions[0] is None
    answer = ninefold.solve(np.zeros((3, 81), np.uint8), limit=5)
    assert answer.counts.tolist() == [5, 5, 5]
    assert ninefold.verify(np.zeros((3, 81), np.uint8), answer.solutions).all()


def test_other_sizes_are_solved():
    for size in (4, 6, 8, 12, 16):
        made = ninefold.generate(3, seed=1, size=size)
        answer = ninefold.solve(made.puzzles)
        assert (answer.solutions == made.solutions).all() and answer.counts.tolist() == [1, 1, 1]
    made = ninefold.generate(1, seed=1, boxes="3x2")
    assert ninefold.solve(made.puzzles, boxes="3x2").counts.tolist() == [1]


def test_a_square_of_sixteen_is_sixteen_small_puzzles_unless_boxes_say_otherwise():
    grid = np.zeros((16, 16), np.uint8)
    assert ninefold.solve(grid).counts.shape == (16,)
    assert ninefold.solve(grid, boxes=(4, 4)).counts == 2


def test_arrays_are_solved_in_place(made):
    grids = made.puzzles.copy()
    assert (ninefold.solve_inplace(grids) == 1).all()
    assert (grids == made.solutions).all()


def test_views_of_any_stride_are_read(made):
    puzzles = made.puzzles[:20]
    for view in (
        puzzles[::-1],
        np.asfortranarray(puzzles),
        np.repeat(puzzles, 2, axis=0)[::2],
        np.repeat(puzzles, 2, axis=1)[:, ::2],
        puzzles.astype(">i4"),
    ):
        expected = made.solutions[:20][::-1] if view is not None and (view[0] == puzzles[-1]).all() else made.solutions[:20]
        assert (ninefold.solve(view).solutions == expected).all()
    frozen = puzzles.copy()
    frozen.flags.writeable = False
    assert (ninefold.solve(frozen).solutions == made.solutions[:20]).all()


def test_empty_arrays_have_empty_answers():
    for empty in (np.zeros((0, 81), np.uint8), np.zeros((0, 16), np.int64), [], np.array([])):
        answer = ninefold.solve(empty)
        assert len(answer.solutions) == 0 and len(answer.counts) == 0
    assert ninefold.rate(np.zeros((0, 81), np.uint8)).shape == (0,)
    assert ninefold.explain(np.zeros((0, 81), np.uint8)) == []
    assert ninefold.generate(0, seed=1).puzzles.shape == (0, 81)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ("12", "cells"),
        ("z" * 81, "row 1, column 1"),
        ([PUZZLE, "12"], "puzzle 1"),
        (np.full((1, 81), 10, np.uint8), "puzzle 0, row 1, column 1: 10"),
        (np.full((2, 81), 2**40), "row 1, column 1"),
        (np.full((1, 81), -1), "-1 is neither"),
        (np.zeros((2, 80), np.uint8), "does not hold puzzles"),
        (np.zeros((2, 2, 9, 9), np.uint8), "does not hold puzzles"),
        (np.zeros(5, np.uint8), "does not hold puzzles"),
        ([[1, 2], [3]], "not an array"),
    ],
)
def test_what_is_not_a_puzzle_is_refused_in_words(wrong, words):
    for ask in (ninefold.solve, ninefold.count, ninefold.check, ninefold.rate, ninefold.explain, ninefold.canonical):
        with pytest.raises(ninefold.NinefoldError, match=words):
            ask(wrong)


@pytest.mark.parametrize("wrong", [np.zeros((1, 81)), np.zeros((1, 81), bool), np.zeros((1, 81), complex), object(), None, 5.0, [object()] * 81])
def test_what_is_not_whole_numbers_is_refused(wrong):
    with pytest.raises((TypeError, ninefold.NinefoldError)):
        ninefold.solve(wrong)


def test_options_are_checked(made):
    for options in ({"limit": 0}, {"limit": -1}, {"threads": -1}, {"boxes": "9"}, {"boxes": (1, 2, 3)}, {"boxes": "2x2"}):
        with pytest.raises(ninefold.NinefoldError):
            ninefold.solve(made.puzzles, **options)
    with pytest.raises(TypeError):
        ninefold.solve(made.puzzles, limit=2.0)
    with pytest.raises(TypeError):
        ninefold.solve_inplace(made.puzzles.astype(np.int64))
    with pytest.raises(ninefold.NinefoldError):
        ninefold.solve_inplace(made.puzzles[:, ::-1])
    frozen = made.puzzles.copy()
    frozen.flags.writeable = False
    with pytest.raises(ninefold.NinefoldError):
        ninefold.solve_inplace(frozen)
    with pytest.raises(ninefold.NinefoldError, match="do not go together"):
        ninefold.verify(made.puzzles, made.solutions[:5])


@given(st.lists(st.tuples(st.integers(0, 80), st.integers(1, 9)), max_size=40))
@settings(max_examples=60, deadline=None)
def test_any_clues_have_an_answer_that_keeps_the_rules(clues):
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
def test_any_text_is_solved_or_refused(text):
    try:
        ninefold.solve(text)
    except ninefold.NinefoldError:
        pass


def test_check_knows_minimal_puzzles():
    made = ninefold.generate(20, seed=3, minimal=True)
    checked = ninefold.check(made.puzzles)
    assert (checked.solutions == 1).all() and checked.minimal.all()
    full = ninefold.check(made.solutions)
    assert (full.solutions == 1).all() and not full.minimal.any() and (full.clues == 81).all()
    assert ninefold.check("." * 81) == (2, False, 0)


def test_verify_sees_every_kind_of_mistake(made):
    puzzles, solutions = made.puzzles[:1], made.solutions[:1].copy()
    assert ninefold.verify(puzzles, solutions).all()
    solutions[0, 0] = 0
    assert not ninefold.verify(puzzles, solutions).any()
    swapped = made.solutions[:1].copy()
    swapped[0, [0, 1]] = swapped[0, [1, 0]]
    assert not ninefold.verify(np.zeros_like(puzzles), swapped).any()
    assert not ninefold.verify(puzzles, made.solutions[1:2]).any()


def test_threads_may_ask_at_once(made):
    answers = []
    ask = lambda: answers.append(ninefold.solve(made.puzzles, threads=2).solutions)  # noqa: E731
    threads = [threading.Thread(target=ask) for _ in range(8)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert len(answers) == 8 and all((answer == made.solutions).all() for answer in answers)

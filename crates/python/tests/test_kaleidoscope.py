"""Predictions of Kaleidoscope for every size, also compared with the command line."""

import json
import os
import subprocess

import numpy as np
import pytest
from conftest import PUZZLE, SOLUTION

import ninefold

COMMAND = os.environ.get("NINEFOLD")
needs_command = pytest.mark.skipif(not COMMAND, reason="NINEFOLD does not name the native command")


def test_returns_grids_in_the_form_of_the_puzzles_with_odds(generated):
    assert ninefold.predict("kaleidoscope", PUZZLE).filled == SOLUTION
    assert ninefold.predict("kaleidoscope", [PUZZLE, PUZZLE]).filled == [SOLUTION, SOLUTION]
    x, y = generated.puzzles[:40], generated.solutions[:40]
    filled, odds = ninefold.predict("kaleidoscope", x)
    assert filled.dtype == np.uint8 and odds.dtype == np.float32 and odds.shape == (40, 81, 9)
    assert np.allclose(odds.sum(axis=2), 1, atol=1e-4) and (odds >= 0).all()
    assert (odds.argmax(axis=2) + 1 == filled).all(), "the likeliest digits are filled in"
    assert (np.where(x > 0, x, filled) == filled).all(), "clues stay"
    assert ninefold.score(x, y, filled).exact > 0.9
    assert ninefold.predict("kaleidoscope", x.reshape(-1, 9, 9)).filled.shape == (40, 9, 9)
    assert ninefold.predict("kaleidoscope", x[0].reshape(9, 9)).filled.tolist() == filled[0].reshape(9, 9).tolist()
    again = ninefold.predict("kaleidoscope", x[::-1], threads=1)
    assert (again.filled[::-1] == filled).all() and (again.odds[::-1] == odds).all(), "threads and neighbours change nothing"


@pytest.mark.parametrize("size, clues", [(4, 6), (6, 16), (8, 34), (9, 30), (12, 84), (16, 150)])
def test_supports_every_size(size, clues):
    x, y = ninefold.generate(4, seed=2, size=size, clues=clues)
    filled, odds = ninefold.predict("kaleidoscope", x)
    assert odds.shape == (4, size * size, size)
    assert (filled[x > 0] == x[x > 0]).all() and filled.min() >= 1 and filled.max() <= size
    solved = ninefold.verify(x, filled)
    assert (filled[solved] == y[solved]).all() and (size not in (4, 9) or solved.all())


def test_supports_every_box_shape():
    x, y = ninefold.generate(4, seed=2, boxes="3x2", clues=(18, 20))
    assert ninefold.predict("kaleidoscope", x, boxes="3x2").odds.shape == (4, 36, 6)


def test_more_iterations_solve_more(generated):
    x = generated.puzzles[:100]
    few, many = (ninefold.verify(x, ninefold.predict("kaleidoscope", x, iterations=n, starts=1).filled) for n in (2, 64))
    assert few.sum() < many.sum() and (many | ~few).all(), "what was solved early is not lost: it stops there"


def test_empty_input_and_unsolvable_puzzles():
    filled, odds = ninefold.predict("kaleidoscope", np.zeros((0, 81), np.uint8))
    assert filled.shape == (0, 81) and odds.shape == (0, 81, 9)
    filled, odds = ninefold.predict("kaleidoscope", "55" + "." * 79, iterations=2, starts=1)
    assert len(filled) == 81 and np.isfinite(odds).all() and not ninefold.verify("55" + "." * 79, filled)
    assert ninefold.predict("kaleidoscope", SOLUTION).filled == SOLUTION


def test_rejects_invalid_input(generated):
    x = generated.puzzles[:2]
    for wrong, message in (
        (np.full((1, 81), 10, np.uint8), "puzzle 0, row 1, column 1: .* found 10"),
        (np.full((1, 81), 2**40), "row 1, column 1"),
        (np.zeros((2, 80), np.uint8), "found an array of shape"),
        ("12", "cells"),
    ):
        with pytest.raises(ninefold.NinefoldError, match=message):
            ninefold.predict("kaleidoscope", wrong)
    for wrong in (np.zeros((1, 81)), None, [object()] * 81):
        with pytest.raises((TypeError, ninefold.NinefoldError)):
            ninefold.predict("kaleidoscope", wrong)
    for options in ({"iterations": 0}, {"starts": 0}, {"threads": -1}, {"boxes": "2x2"}):
        with pytest.raises(ninefold.NinefoldError):
            ninefold.predict("kaleidoscope", x, **options)
    with pytest.raises(TypeError):
        ninefold.predict("kaleidoscope", x, iterations=2.0)
    with pytest.raises(ninefold.NinefoldError, match="only kaleidoscope supports"):
        ninefold.predict("rrn.onnx", x, starts=2)


@needs_command
@pytest.mark.parametrize("size", [4, 9])
@pytest.mark.parametrize("iterations, starts", [(3, 1), (64, 4)])
def test_command_solves_the_same_puzzles(size, iterations, starts, tmp_path):
    x, y = ninefold.generate(60, seed=5, size=size, minimal=True)
    filled = ninefold.predict("kaleidoscope", x, iterations=iterations, starts=starts).filled
    lines = tmp_path / "puzzles.txt"
    lines.write_text("\n".join("".join(map(str, puzzle)) for puzzle in x))
    patience = ["--iterations", str(iterations), "--starts", str(starts)]
    command = [COMMAND, "evaluate", "kaleidoscope", str(lines), "--json", *patience]
    # The exit code is 1 if puzzles remain unsolved.
    output = subprocess.run(command, capture_output=True, check=False)
    assert json.loads(output.stdout)["several_starts"] == ninefold.verify(x, filled).sum()


def test_fills_puzzles_with_rules_of_their_own():
    for rules in ("killer", "jigsaw", "thermo,x"):
        for puzzle in ninefold.generate_variants(2, rules=rules, seed=4, size=6 if rules != "thermo,x" else 9):
            filled, odds = ninefold.predict("kaleidoscope", puzzle)
            assert puzzle.verify(filled), rules
            assert odds.shape == (1, puzzle.side**2, puzzle.side) and np.allclose(odds.sum(axis=2), 1, atol=1e-4)
    large = ninefold.read_puzzle(json.dumps({"size": 25, "grid": [[{}] * 25] * 25, "diagonal+": True}))
    with pytest.raises(ninefold.NinefoldError, match="up to side 16, found 25"):
        ninefold.predict("kaleidoscope", large)
    with pytest.raises(ninefold.NinefoldError, match="only kaleidoscope supports puzzles with rules"):
        ninefold.predict("missing.onnx", puzzle)

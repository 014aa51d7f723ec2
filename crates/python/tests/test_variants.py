"""Puzzles with rules: reading, solving, checking, writing and generating."""

import pickle

import numpy as np
import pytest

import ninefold

EMPTY = ",".join(["[" + ",".join(["{}"] * 4) + "]"] * 4)


def board(rules):
    return f'{{"size": 4, "grid": [{EMPTY}], {rules}}}'


def test_generates_solves_and_checks_variants():
    for rules in ("killer", "jigsaw", "thermo", ["x", "kropki"]):
        puzzles = ninefold.generate_variants(2, rules=rules, size=6, seed=4)
        assert len(puzzles) == 2
        for puzzle in puzzles:
            assert puzzle.side == 6 and puzzle.rules and puzzle.unknown_rules == []
            solutions, count = puzzle.solve()
            assert count == 1 and (solutions == puzzle.solution).all()
            assert puzzle.verify(puzzle.solution)
            assert not puzzle.verify(np.roll(puzzle.solution, 1))
            assert ninefold.solve(puzzle).counts == 1
            assert ninefold.check(puzzle).solutions == 1
            assert puzzle.contradiction() is None


def test_equal_seeds_give_equal_puzzles():
    many = ninefold.generate_variants(3, rules="killer", size=4, seed=9)
    again = ninefold.generate_variants(1, rules="killer", size=4, seed=9, start=2, threads=2)
    assert again == many[2:] and hash(again[0]) == hash(many[2])
    assert many[0] != many[1]


def test_puzzles_keep_their_rules_in_other_formats():
    [puzzle] = ninefold.generate_variants(1, rules="killer,thermo", size=6, seed=2)
    for format in ("json", "fpuzzles", "sudokupad"):
        assert ninefold.read_puzzle(puzzle.to(format)).solve().counts == 1, format
    assert pickle.loads(pickle.dumps(puzzle)) == puzzle
    assert "killer cage" in repr(puzzle) and len(str(puzzle).splitlines()) > 6
    with pytest.raises(ninefold.NinefoldError):
        puzzle.to("line")
    with pytest.raises(ninefold.NinefoldError, match="unknown format"):
        puzzle.to("nonsense")


def test_names_redundant_and_contradictory_rules():
    text = board('"killercage": [{"cells": ["R1C1", "R1C2"], "value": "3"}, {"cells": ["R2C1", "R2C2"], "value": "3"}]')
    puzzle = ninefold.read_puzzle(text)
    assert puzzle.solve() == (None, 0)
    assert "contradict" in puzzle.contradiction()
    assert ninefold.check(puzzle).solutions == 0
    with pytest.raises(ninefold.NinefoldError, match="one solution"):
        puzzle.redundant()
    full = ninefold.generate_variants(1, rules="killer", size=4, seed=1, clues=(8, 8))[0]
    assert any(name.startswith("given ") for name in full.redundant())
    assert not full.check().minimal


def test_unknown_rules_are_errors_until_they_are_ignored():
    text = board('"cosmicrule": [{"cells": ["R1C1"]}]')
    with pytest.raises(ninefold.NinefoldError, match="cosmicrule"):
        ninefold.read_puzzle(text)
    puzzle = ninefold.read_puzzle(text, ignore_unknown_rules=True)
    assert any("cosmicrule" in rule for rule in puzzle.unknown_rules)
    assert puzzle.solve(limit=300).counts == 288


def test_wrong_input_is_an_error():
    for text in ("", "abc", "[]"):
        with pytest.raises(ninefold.NinefoldError):
            ninefold.read_puzzle(text)
    with pytest.raises(TypeError):
        ninefold.read_puzzle(5)
    with pytest.raises(ninefold.NinefoldError, match="several"):
        ninefold.read_puzzle("1..4..1..3..4..3\n1..4..1..3..4..3")
    with pytest.raises(ninefold.NinefoldError, match="killr"):
        ninefold.generate_variants(1, rules="killr", seed=1)
    with pytest.raises(ninefold.NinefoldError, match="sparse"):
        ninefold.generate_variants(1, rules="killer", seed=1, density="few")
    with pytest.raises(ninefold.NinefoldError):
        ninefold.generate_variants(1, rules="killer", seed=1, size=3)
    with pytest.raises(ninefold.NinefoldError):
        ninefold.generate_variants(1, rules="killer", seed=1, size=4).pop().verify("12")


def test_classic_puzzles_are_puzzles_too():
    puzzle = ninefold.read_puzzle("1..4..1..3..4..3")
    assert puzzle.rules == [] and "classic" in repr(puzzle)
    assert puzzle.solve().counts == 1 and puzzle.to("line") == "1..4..1..3..4..3"

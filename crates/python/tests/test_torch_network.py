"""Kaleidoscope in torch computes what the engine computes."""

import doctest
import importlib
import os

import numpy as np
import pytest
from conftest import PUZZLE, SOLUTION

import ninefold

if os.environ.get("NINEFOLD_REQUIRE") == "torch":
    import torch
else:
    torch = pytest.importorskip("torch")
from ninefold.torch import Kaleidoscope  # noqa: E402


def differences(prediction, filled, odds):
    """The largest difference of a probability, and the number of different digits, except where the two likeliest digits of a
    cell are equally likely."""
    found = prediction.log_probabilities.exp().numpy()
    second, first = np.sort(odds, axis=2)[..., -2:].transpose(2, 0, 1)
    return abs(found - odds).max(), int(((prediction.digits.numpy() != filled) & (first - second > 1e-4)).sum())


@pytest.mark.parametrize("boxes, clues", [("2x2", 5), ("2x3", 12), ("3x2", 12), ("3x3", 26), ("3x4", 84)])
@pytest.mark.parametrize("iterations", [1, 6])
def test_classic_predictions_equal_those_of_the_engine(boxes, clues, iterations):
    x, _ = ninefold.generate(24, seed=4, boxes=boxes, clues=clues)
    filled, odds = ninefold.predict("kaleidoscope", x, boxes=boxes, iterations=iterations, starts=1)
    prediction = Kaleidoscope.shipped().solve(x, boxes=boxes, iterations=iterations, starts=1)
    odd, wrong = differences(prediction, filled, odds)
    assert odd < 1e-3 and wrong == 0
    assert (prediction.solved.numpy() == ninefold.verify(x, filled, boxes=boxes)).all()


def test_several_starts_solve_the_same_puzzles():
    x, y = ninefold.generate(60, seed=8, minimal=True)
    filled = ninefold.predict("kaleidoscope", x, iterations=8, starts=3).filled
    prediction = Kaleidoscope.shipped().solve(torch.from_numpy(x), iterations=8, starts=3)
    one = Kaleidoscope.shipped().solve(x, iterations=8, starts=1)
    assert one.solved.sum() < prediction.solved.sum() < 60, "the later starts matter"
    assert (prediction.solved.numpy() == ninefold.verify(x, filled)).all()
    assert (prediction.digits.numpy()[prediction.solved] == y[prediction.solved]).all()
    empty = Kaleidoscope.shipped().solve(np.zeros((0, 81), np.uint8))
    assert empty.digits.shape == (0, 81) and empty.log_probabilities.shape == (0, 81, 9)


@pytest.mark.parametrize("rules, size", [("killer", 6), ("jigsaw", 9), ("thermo,x", 9), ("arrow", 6), ("anti-knight", 9)])
def test_predictions_with_rules_equal_those_of_the_engine(rules, size):
    network = Kaleidoscope.shipped(rules=True)
    for puzzle in ninefold.generate_variants(2, rules=rules, seed=4, size=size):
        filled, odds = ninefold.predict("kaleidoscope", puzzle, iterations=2, starts=2)
        odd, wrong = differences(network.solve(puzzle, iterations=2, starts=2), filled, odds)
        assert odd < 1e-3 and wrong == 0
        solved = network.solve(puzzle)
        assert bool(solved.solved) == puzzle.verify(solved.digits[0].numpy())
        assert bool(solved.solved) == puzzle.verify(ninefold.predict("kaleidoscope", puzzle).filled)


def test_contradicting_clues_and_rules_are_unsolved():
    text = '{"size": 4, "grid": [[{"value": 1, "given": true}, {"value": 2, "given": true}, {}, {}], [{}, {}, {}, {}], [{}, {}, {}, {}], [{}, {}, {}, {}]],' \
        '"cage": [], "killercage": [{"cells": ["R1C1", "R1C2"], "value": "7"}]}'
    puzzle = ninefold.read_puzzle(text)
    found = Kaleidoscope.shipped(rules=True).solve(puzzle)
    filled, odds = ninefold.predict("kaleidoscope", puzzle)
    assert not found.solved and differences(found, filled, odds) == (0, 0)
    wrong = "55" + "." * 79
    assert not Kaleidoscope.shipped().solve(wrong, iterations=2, starts=1).solved
    assert Kaleidoscope.shipped().solve(SOLUTION).solved


def test_iterations_and_gradients():
    network = Kaleidoscope.shipped()
    x, y = ninefold.generate(8, seed=2)
    each = list(network.iterate(x, 4))
    assert len(each) == 4 and torch.equal(each[-1], network(x, iterations=4))
    assert sum(part.numel() for part in network.parameters()) == 98_752
    loss = torch.nn.functional.nll_loss(network(x, iterations=4).flatten(0, 1), torch.from_numpy(y).long().flatten() - 1)
    loss.backward()
    for name, part in network.named_parameters():
        assert part.grad is not None and part.grad.abs().sum() > 0, name


def test_a_trained_network_is_saved_for_the_commands(tmp_path):
    for rules in (False, True):
        network = Kaleidoscope.shipped(rules=rules)
        with torch.no_grad():
            network.answer.mul_(1.5)
        network.save(tmp_path / "trained.safetensors")
        again = Kaleidoscope.load(tmp_path / "trained.safetensors")
        assert again.rules == rules
        assert all(torch.equal(part, again.state_dict()[name]) for name, part in network.state_dict().items())
    fresh = Kaleidoscope(width=32, heads=2, blocks=1, expansion=1)
    assert fresh(PUZZLE, iterations=1).shape == (1, 81, 9)
    with pytest.raises(ninefold.NinefoldError, match="loaded from a file"):
        fresh.save(tmp_path / "fresh.safetensors")


def test_its_example_runs():
    result = doctest.testmod(importlib.import_module("ninefold.torch"))
    assert result.attempted > 3 and result.failed == 0


def test_rejects_what_it_does_not_support(tmp_path):
    with pytest.raises(ninefold.NinefoldError, match="damaged"):
        (tmp_path / "cut").write_bytes(b"12345")
        Kaleidoscope.load(tmp_path / "cut")
    [killer] = ninefold.generate_variants(1, rules="killer", size=4, seed=1)
    with pytest.raises(ninefold.NinefoldError, match="classic puzzles only"):
        Kaleidoscope.shipped().solve(killer)
    with pytest.raises(ninefold.NinefoldError, match="puzzles with rules"):
        Kaleidoscope.shipped(rules=True).solve(PUZZLE)
    with pytest.raises(ninefold.NinefoldError, match="iterations: expected"):
        Kaleidoscope.shipped().solve(PUZZLE, iterations=0)

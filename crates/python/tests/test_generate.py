"""Generated puzzles: options, reproducibility, and comparison with the command line."""

import os
import pickle
import subprocess

import numpy as np
import pytest

import ninefold

COMMAND = os.environ.get("NINEFOLD")
needs_command = pytest.mark.skipif(not COMMAND, reason="NINEFOLD is not set to the path of the command")


def test_puzzles_are_unique_and_seeds_reproducible(generated):
    assert (ninefold.count(generated.puzzles) == 1).all()
    assert (ninefold.solve(generated.puzzles).solutions == generated.solutions).all()
    again = ninefold.generate(1000, seed=1, threads=1)
    assert (again.puzzles == generated.puzzles).all()
    assert (ninefold.generate(10, seed=1, start=990).puzzles == generated.puzzles[990:]).all()
    assert (ninefold.generate(1000, seed=2).puzzles != generated.puzzles).any()
    assert len(np.unique(ninefold.canonical(generated.puzzles).fingerprints, axis=0)) == 1000


def test_puzzles_match_the_options():
    clues = lambda puzzles: (puzzles > 0).sum(axis=1)  # noqa: E731
    assert (clues(ninefold.generate(5, seed=1, clues=30).puzzles) == 30).all()
    assert set(clues(ninefold.generate(20, seed=1, clues="24-26").puzzles)) <= {24, 25, 26}
    assert ninefold.check(ninefold.generate(5, seed=1, minimal=True).puzzles).minimal.all()
    turned = ninefold.generate(3, seed=1, symmetry="half-turn").puzzles > 0
    assert (turned == turned[:, ::-1]).all()
    hard = ninefold.generate(2, seed=1, difficulty="hard").puzzles
    assert [rating["level"] for rating in ninefold.rate(hard, details=True)] == ["hard", "hard"]
    rated = ninefold.rate(ninefold.generate(2, seed=1, er=(7.1, 8.0)).puzzles, "se")
    assert ((rated >= 7.1) & (rated <= 8.0)).all()
    assert (ninefold.rate(ninefold.generate(2, seed=1, dupree=(251, 400)).puzzles, "dupree") >= 251).all()
    assert ninefold.rate(ninefold.generate(1, seed=1, hodoku="hard").puzzles, "hodoku", details=True)[0]["level"] == "hard"
    wing = ninefold.explain(ninefold.generate(1, seed=1, hardest="x-wing").puzzles)[0]
    assert "x-wing" in {step.slug for step in wing}
    solution = ninefold.generate(1, seed=9).solutions[0]
    assert (ninefold.generate(3, seed=1, solution=solution).solutions == solution).all()
    pattern = ninefold.generate(1, seed=4).puzzles[0] > 0
    try:
        generated = ninefold.generate(1, seed=1, pattern=pattern)
        assert ((generated.puzzles[0] > 0) == pattern).all()
    except ninefold.NotFound:
        pass
    kaggle = clues(ninefold.generate(50, seed=1, kaggle=True).puzzles)
    assert kaggle.min() >= 29 and kaggle.max() <= 37
    by_kocherzhenko = ninefold.generate(3, seed=1, method="kocherzhenko")
    assert (ninefold.count(by_kocherzhenko.puzzles) == 1).all()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"clues": 5}, "clues"),
        ({"clues": (30, 20)}, "ascending"),
        ({"clues": "many"}, "range"),
        ({"symmetry": "odd"}, "unknown symmetry"),
        ({"difficulty": "silly"}, "unknown level"),
        ({"uses": ["y-what"]}, "y-what"),
        ({"uses": ["x-wing"], "without": ["x-wing"]}, "X-Wing"),
        ({"size": 7}, "side 7"),
        ({"size": 9, "boxes": "2x3"}, "side 9"),
        ({"method": "magic"}, "unknown method"),
        ({"method": "kocherzhenko", "minimal": True}, "does not support minimal"),
        ({"solution": "." * 81}, "solution"),
    ],
)
def test_rejects_invalid_options(options, message):
    with pytest.raises(ninefold.NinefoldError, match=message):
        ninefold.generate(1, seed=1, **options)


def test_not_found_error_contains_the_nearest_puzzle():
    with pytest.raises(ninefold.NotFound, match="nearest"):
        ninefold.generate(1, seed=1, clues=18, attempts=2)


@needs_command
@pytest.mark.parametrize(
    ("options", "arguments"),
    [
        ({}, []),
        ({"clues": (24, 26), "symmetry": "half-turn"}, ["--clues", "24-26", "--symmetry", "half-turn"]),
        ({"minimal": True}, ["--minimal"]),
        ({"kaggle": True}, ["--kaggle"]),
        ({"difficulty": "medium"}, ["--difficulty", "medium"]),
        ({"size": 6}, ["--size", "6"]),
    ],
)
def test_command_generates_the_same_puzzles(options, arguments):
    command = [COMMAND, "generate", "--seed", "5", "--count", "10", "--quiet", "--to", "csv", *arguments]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()[1:]
    generated = ninefold.generate(10, seed=5, **options)
    digits = lambda rows: ["".join(map(str, row)) for row in rows]  # noqa: E731
    dotless = [line.replace(".", "0").split(",") for line in lines]
    assert [line[0] for line in dotless] == digits(generated.puzzles)
    assert [line[1] for line in dotless] == digits(generated.solutions)


def test_batches_resume_at_any_position(generated):
    stream = ninefold.batches(100, seed=1)
    taken = [next(stream).puzzles for _ in range(3)]
    assert (np.concatenate(taken) == generated.puzzles[:300]).all()
    copy = pickle.loads(pickle.dumps(stream))
    assert copy.position == 300 and (next(copy).puzzles == generated.puzzles[300:400]).all()
    assert (next(ninefold.batches(100, seed=1, start=300)).puzzles == generated.puzzles[300:400]).all()


def test_a_result_that_does_not_fit_into_memory_is_rejected():
    for n in (10**12, 10**15, 2**64 - 1):
        for options in ({}, {"progress": True}, {"method": "kocherzhenko"}, {"method": "unbiased"}, {"clues": 17}):
            with pytest.raises(MemoryError, match="GB of memory.*; generate them in parts with start, or with batches"):
                ninefold.generate(n, seed=1, **options)
    with pytest.raises(MemoryError, match="GB of memory"):
        ninefold.generate_variants(10**15, rules="killer", seed=1)


def test_unbiased_puzzles_are_minimal_and_reproducible():
    x, y = ninefold.generate(6, seed=3, method="unbiased")
    assert ninefold.check(x).minimal.all() and ninefold.verify(x, y).all()
    assert (ninefold.generate(2, seed=3, method="unbiased", start=4).puzzles == x[4:]).all()
    for options, message in (({"clues": 24}, "method='unbiased' does not support clues"), ({"size": 4}, "9×9 puzzles only")):
        with pytest.raises(ninefold.NinefoldError, match=message):
            ninefold.generate(1, seed=1, method="unbiased", **options)


@needs_command
def test_unbiased_puzzles_equal_those_of_the_command():
    command = [COMMAND, "generate", "--method", "unbiased", "--seed", "3", "--count", "6", "--quiet"]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    assert ninefold._native.write(ninefold.generate(6, seed=3, method="unbiased").puzzles, (3, 3)) == lines


def test_progress_changes_no_puzzle(capsys):
    assert (ninefold.generate(200, seed=1, progress=True).puzzles == ninefold.generate(200, seed=1).puzzles).all()
    assert ninefold.generate(0, seed=1, progress=True).puzzles.shape == (0, 81)

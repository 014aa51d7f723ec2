"""New puzzles: as wished, as the command line makes them, and the same every time."""

import os
import pickle
import subprocess

import numpy as np
import pytest

import ninefold

COMMAND = os.environ.get("NINEFOLD")
needs_command = pytest.mark.skipif(not COMMAND, reason="NINEFOLD does not name the native command")


def test_every_puzzle_has_one_solution_and_seeds_repeat(made):
    assert (ninefold.count(made.puzzles) == 1).all()
    assert (ninefold.solve(made.puzzles).solutions == made.solutions).all()
    again = ninefold.generate(1000, seed=1, threads=1)
    assert (again.puzzles == made.puzzles).all()
    assert (ninefold.generate(10, seed=1, start=990).puzzles == made.puzzles[990:]).all()
    assert (ninefold.generate(1000, seed=2).puzzles != made.puzzles).any()
    assert len(np.unique(ninefold.canonical(made.puzzles).fingerprints, axis=0)) == 1000


def test_wishes_are_met():
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
    assert ninefold.rate(ninefold.generate(1, seed=1, level="hard").puzzles, "hodoku", details=True)[0]["level"] == "hard"
    wing = ninefold.explain(ninefold.generate(1, seed=1, hardest="x-wing").puzzles)[0]
    assert "x-wing" in {step.slug for step in wing}
    solution = ninefold.generate(1, seed=9).solutions[0]
    assert (ninefold.generate(3, seed=1, solution=solution).solutions == solution).all()
    pattern = ninefold.generate(1, seed=4).puzzles[0] > 0
    try:
        made = ninefold.generate(1, seed=1, pattern=pattern)
        assert ((made.puzzles[0] > 0) == pattern).all()
    except ninefold.NotFound:
        pass
    kaggle = clues(ninefold.generate(50, seed=1, kaggle=True).puzzles)
    assert kaggle.min() >= 29 and kaggle.max() <= 37
    by_kocherzhenko = ninefold.generate(3, seed=1, method="kocherzhenko")
    assert (ninefold.count(by_kocherzhenko.puzzles) == 1).all()


@pytest.mark.parametrize(
    ("wish", "words"),
    [
        ({"clues": 5}, "clues"),
        ({"clues": (30, 20)}, "upwards"),
        ({"clues": "many"}, "range"),
        ({"symmetry": "odd"}, "not a symmetry"),
        ({"difficulty": "silly"}, "not a level"),
        ({"uses": ["y-what"]}, "y-what"),
        ({"uses": ["x-wing"], "without": ["x-wing"]}, "X-Wing"),
        ({"size": 7}, "side 7"),
        ({"size": 9, "boxes": "2x3"}, "side 9"),
        ({"method": "magic"}, "not a method"),
        ({"method": "kocherzhenko", "minimal": True}, "does not take minimal"),
        ({"solution": "." * 81}, "solution"),
    ],
)
def test_a_wish_that_cannot_be_met_is_refused_in_words(wish, words):
    with pytest.raises(ninefold.NinefoldError, match=words):
        ninefold.generate(1, seed=1, **wish)


def test_what_is_not_found_says_what_was_nearest():
    with pytest.raises(ninefold.NotFound, match="nearest"):
        ninefold.generate(1, seed=1, clues=18, attempts=2)


@needs_command
@pytest.mark.parametrize(
    ("wish", "options"),
    [
        ({}, []),
        ({"clues": (24, 26), "symmetry": "half-turn"}, ["--clues", "24-26", "--symmetry", "half-turn"]),
        ({"minimal": True}, ["--minimal"]),
        ({"kaggle": True}, ["--kaggle"]),
        ({"difficulty": "medium"}, ["--difficulty", "medium"]),
        ({"size": 6}, ["--size", "6"]),
    ],
)
def test_the_command_makes_the_same_puzzles(wish, options):
    words = [COMMAND, "generate", "--seed", "5", "--count", "10", "--quiet", "--to", "csv", *options]
    lines = subprocess.run(words, capture_output=True, text=True, check=True).stdout.splitlines()[1:]
    made = ninefold.generate(10, seed=5, **wish)
    digits = lambda rows: ["".join(map(str, row)) for row in rows]  # noqa: E731
    dotless = [line.replace(".", "0").split(",") for line in lines]
    assert [line[0] for line in dotless] == digits(made.puzzles)
    assert [line[1] for line in dotless] == digits(made.solutions)


def test_batches_go_on_where_they_were_left(made):
    stream = ninefold.batches(100, seed=1)
    taken = [next(stream).puzzles for _ in range(3)]
    assert (np.concatenate(taken) == made.puzzles[:300]).all()
    copy = pickle.loads(pickle.dumps(stream))
    assert copy.position == 300 and (next(copy).puzzles == made.puzzles[300:400]).all()
    assert (next(ninefold.batches(100, seed=1, start=300)).puzzles == made.puzzles[300:400]).all()

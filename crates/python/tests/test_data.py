"""Augmentation, canonical forms, splits, tokens, HRM directories and scores."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ninefold


def test_augment_moves_puzzles_and_solutions_alike(generated):
    x, y = ninefold.augment(generated.puzzles, generated.solutions, seed=3)
    assert (ninefold.solve(x).solutions == y).all()
    assert (x != generated.puzzles).any(axis=1).mean() > 0.99
    again = ninefold.augment(generated.puzzles[500:], seed=3, start=500, threads=1)
    assert (again == x[500:]).all(), "a row depends on the seed and its number alone"
    assert (ninefold.canonical(x).fingerprints == ninefold.canonical(generated.puzzles).fingerprints).all()


def test_split_keeps_equivalent_puzzles_together(generated):
    x = ninefold.augment(np.repeat(generated.puzzles[:300], 3, axis=0), seed=2)
    parts = ninefold.split(x, "train=70,valid=10,test=20", seed=4)
    assert sorted(np.concatenate(list(parts.values()))) == list(range(900))
    assert 500 < len(parts["train"]) < 750
    prints = ninefold.canonical(x).fingerprints
    classes = {name: {print.tobytes() for print in prints[rows]} for name, rows in parts.items()}
    assert not classes["train"] & classes["test"] and not classes["train"] & classes["valid"]
    with pytest.raises(ninefold.NinefoldError):
        ninefold.split(x, "all of it", seed=1)


@pytest.mark.parametrize("scheme", ["digits", "trm", "onehot"])
def test_tokens_round_trip(generated, scheme):
    tokens = ninefold.tokens(generated.puzzles, scheme)
    assert (ninefold.untokens(tokens, scheme) == generated.puzzles).all()
    assert tokens.shape == ((1000, 81, 10) if scheme == "onehot" else (1000, 81))


def read_hrm(folder, part):
    """Reads a dataset directory like the loader of HRM and TRM."""
    metadata = json.loads((folder / part / "dataset.json").read_text())
    data = {name: np.load(folder / part / f"all__{name}.npy") for name in
            ("inputs", "labels", "puzzle_identifiers", "puzzle_indices", "group_indices")}
    assert metadata["sets"] == ["all"] and metadata["pad_id"] == 0 and metadata["num_puzzle_identifiers"] == 1
    assert data["inputs"].shape == data["labels"].shape and data["inputs"].shape[1] == metadata["seq_len"]
    assert data["group_indices"].size - 1 == metadata["total_groups"] and data["group_indices"][0] == 0
    assert data["group_indices"][-1] == data["puzzle_indices"].size - 1 == data["puzzle_identifiers"].size
    assert data["puzzle_indices"][-1] == len(data["inputs"])
    assert data["inputs"].min() >= 1 and data["labels"].max() < metadata["vocab_size"]
    assert all(data[name].dtype == np.int32 for name in ("puzzle_identifiers", "puzzle_indices", "group_indices"))
    return data


def test_write_hrm_follows_the_rules_of_the_loader(generated, tmp_path):
    ninefold.write_hrm(tmp_path, generated.puzzles, generated.solutions, aug=4, seed=9)
    ninefold.write_hrm(tmp_path, generated.puzzles[:10], generated.solutions[:10], part="test")
    data = read_hrm(tmp_path, "train")
    assert json.loads((tmp_path / "identifiers.json").read_text()) == ["<blank>"]
    x, y = ninefold.untokens(data["inputs"]), ninefold.untokens(data["labels"])
    assert len(x) == 5000 and (data["group_indices"] == np.arange(0, 5001, 5)).all()
    assert (x[::5] == generated.puzzles).all(), "the first of each group is the puzzle itself"
    assert (ninefold.solve(x).solutions == y).all()
    prints = ninefold.canonical(x[:50]).fingerprints.reshape(10, 5, 16)
    assert (prints == prints[:, :1]).all(), "the others are its images"
    assert len(read_hrm(tmp_path, "test")["inputs"]) == 10
    ninefold.write_hrm(tmp_path / "again", generated.puzzles, generated.solutions, aug=4, seed=9, threads=1)
    again = np.load(tmp_path / "again/train/all__inputs.npy")
    assert (again == data["inputs"]).all(), "equal seeds write equal folders"


def test_score_counts_complete_grids(generated):
    x, y = generated.puzzles, generated.solutions
    assert ninefold.score(x, y, y)[:3] == (1.0, 1.0, 1.0)
    wrong = y.copy()
    empty = np.argwhere(x[0] == 0)[0, 0]
    wrong[0, empty] = wrong[0, empty] % 9 + 1
    scored = ninefold.score(x, y, wrong)
    assert scored.exact == scored.valid == 0.999 and 0.9999 < scored.cell < 1.0 and scored.n == 1000
    assert ninefold.score(np.zeros((1, 81), np.uint8), y[:1], y[1:2])[:3] == (0.0, pytest.approx(0.11, abs=0.1), 1.0)


def test_buckets_follow_the_ratings(generated):
    x = generated.puzzles[:30]
    values = ninefold.rate(x, "se")
    assert (ninefold.buckets(x, [2.0, 4.0], "se") == (values >= 2.0).astype(int) + (values >= 4.0)).all()


@given(st.integers(0, 2**64 - 1), st.integers(0, 2**63))
@settings(max_examples=30, deadline=None)
def test_augment_accepts_every_seed(seed, start):
    row = ninefold.generate(1, seed=1).puzzles
    assert ninefold.canonical(ninefold.augment(row, seed=seed, start=start))[0].tolist() == ninefold.canonical(row)[0].tolist()


def test_memory_is_bounded_for_a_million_puzzles(generated):
    resource = pytest.importorskip("resource")
    x, y = (np.tile(rows, (50, 1)) for rows in generated)
    peaks = []
    for part in range(20):
        images, moved = ninefold.augment(x, y, seed=1, start=part * len(x))
        solutions, counts = ninefold.solve(images)
        assert (counts == 1).all() and (solutions == moved).all()
        peaks.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
    assert peaks[-1] - peaks[4] < 20_000, f"kilobytes at most: {peaks}"

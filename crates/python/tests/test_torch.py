"""The torch dataset: workers, processes, kinds of puzzles."""

import os
import pickle

import numpy as np
import pytest

import ninefold
from ninefold import data

if os.environ.get("NINEFOLD_REQUIRE") == "torch":
    import torch
else:
    torch = pytest.importorskip("torch")
from torch.utils.data import DataLoader  # noqa: E402


def first(dataset, count):
    return [item for item, _ in zip(dataset, range(count))]


def rows(items):
    """The puzzles of batches as a set of texts."""
    return [bytes(row) for x, *_ in items for row in x.numpy().astype(np.uint8)]


def test_items_are_the_puzzles_of_the_seed():
    x, y = ninefold.generate(100, seed=3, clues=(26, 30))
    batches = first(data.PuzzleDataset(seed=3, batch=40, clues=(26, 30)), 2)
    assert [tuple(part.shape) for part in batches[0]] == [(40, 81), (40, 81)] and batches[0][0].dtype == torch.int64
    assert (batches[1][0].numpy() == x[40:80]).all() and (batches[1][1].numpy() == y[40:80]).all()
    single = first(data.PuzzleDataset(seed=3, clues=(26, 30)), 5)
    assert (torch.stack([one for one, _ in single]).numpy() == x[:5]).all()
    assert (first(data.PuzzleDataset(seed=3, batch=10, size=4), 1)[0][0].shape) == (10, 16)


@pytest.mark.parametrize("workers", [0, 1, 3])
def test_workers_share_an_epoch(workers):
    dataset = data.PuzzleDataset(seed=3, batch=16, length=100)
    found = rows(DataLoader(dataset, batch_size=None, num_workers=workers))
    expected = [bytes(row) for row in ninefold.generate(100, seed=3).puzzles]
    assert len(found) == 100 and sorted(found) == sorted(expected)
    assert len(dataset) == 7
    dataset.set_epoch(1)
    assert not set(found) & set(rows(DataLoader(dataset, batch_size=None, num_workers=workers)))


def test_processes_share_an_epoch():
    parts = [rows(data.PuzzleDataset(seed=3, batch=16, length=100, rank=rank, world_size=3)) for rank in range(3)]
    expected = [bytes(row) for row in ninefold.generate(100, seed=3).puzzles]
    assert sorted(sum(parts, [])) == sorted(expected)


def test_images_are_equivalent_to_their_puzzle():
    dataset = data.PuzzleDataset(seed=3, batch=30, images=10, length=60)
    batches = list(dataset)
    x, y = (torch.cat(column).numpy().astype(np.uint8) for column in zip(*batches))
    assert ninefold.verify(x, y).all() and len(np.unique(x, axis=0)) == 60
    classes = ninefold.canonical(x).fingerprints.reshape(6, 10, 16)
    assert (classes == classes[:, :1]).all() and len(np.unique(classes[:, 0], axis=0)) == 6
    shifted = data.PuzzleDataset(seed=3, batch=7, images=10, length=60)
    assert (torch.cat([x for x, _ in shifted]).numpy() == x).all(), "the batch size changes no row"


def test_schemes_and_rules():
    assert first(data.PuzzleDataset(seed=1, batch=2, scheme="onehot"), 1)[0][0].shape == (2, 81, 10)
    trm, digits = (first(data.PuzzleDataset(seed=1, batch=2, scheme=name), 1)[0][0] for name in ("trm", "digits"))
    assert (trm == digits + 1).all()
    [(x, y, texts)] = first(data.PuzzleDataset(seed=1, batch=3, rules="killer", size=4), 1)
    for givens, solution, text in zip(x, y, texts):
        puzzle = ninefold.read_puzzle(text)
        assert puzzle.rules == ["killer cage"] and (puzzle.givens == givens.numpy()).all()
        assert puzzle.verify(solution.numpy()) and puzzle.solve().counts == 1


def test_datasets_can_be_pickled_and_reject_wrong_options():
    dataset = data.PuzzleDataset(seed=1, batch=4, length=8)
    assert rows(pickle.loads(pickle.dumps(dataset))) == rows(dataset)
    wrong = [
        ({"rank": 0}, "belong together"),
        ({"rank": 2, "world_size": 2}, "rank: expected a number from 0 to 1"),
        ({"scheme": "words"}, "unknown scheme"),
        ({"rules": "killer", "images": 2}, "classic puzzles only"),
        ({"threads": 2}, "set by the dataset"),
        ({"batch": 0}, "batch"),
    ]
    for options, message in wrong:
        with pytest.raises(ninefold.NinefoldError, match=message):
            data.PuzzleDataset(seed=1, **options)
    with pytest.raises(TypeError, match="endless"):
        len(data.PuzzleDataset(seed=1))

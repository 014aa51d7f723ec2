"""Complete episodes in the Gymnasium environments."""

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")
from ninefold.gym import SudokuEnv, SudokuVectorEnv, action_mask  # noqa: E402

import ninefold  # noqa: E402


def test_an_episode_ends_when_the_puzzle_is_solved():
    env = SudokuEnv(clues=40, render_mode="ansi")
    observed, info = env.reset(seed=3)
    assert env.observation_space.contains(observed)
    solution = ninefold.solve(observed).solutions.ravel()
    total = 0.0
    for cell in np.flatnonzero(observed == 0):
        digit = solution[cell]
        assert info["action_mask"].reshape(81, 9)[cell, digit - 1], "the right digit is possible"
        observed, reward, ended, cut, info = env.step(cell * 9 + digit - 1)
        total += reward
    assert ended and info["solved"] and not cut and total == 41.0
    assert "." not in env.render()


def test_a_wrong_digit_ends_the_episode():
    env = SudokuEnv()
    observed, info = env.reset(seed=3)
    solution = ninefold.solve(observed).solutions.ravel()
    cell = np.flatnonzero(observed == 0)[0]
    _, reward, ended, _, info = env.step(cell * 9 + solution[cell] % 9)
    assert ended and reward == -1.0 and not info["solved"]


def test_vector_environment_plays_many_puzzles():
    env = SudokuVectorEnv(4, seed=1, reward="sparse")
    observed, info = env.reset()
    assert observed.shape == (4, 9, 9) and info["action_mask"].shape == (4, 9, 9, 9)
    again, _ = env.reset(seed=1)
    assert (observed == again).all()
    solutions = ninefold.solve(observed).solutions.reshape(4, 81)
    cells = np.array([np.flatnonzero(grid.ravel() == 0)[0] for grid in observed])
    digits = solutions[np.arange(4), cells].astype(int)
    digits[3] = digits[3] % 9 + 1
    observed, rewards, ended, _, _ = env.step(cells * 9 + digits - 1)
    assert ended.tolist() == [False, False, False, True] and (rewards == 0).all()
    fresh, *_ = env.step(cells * 9)
    assert (fresh[3] != observed[3]).any(), "a game that has ended is followed by another"


def test_masks_match_the_candidates():
    puzzles = ninefold.generate(5, seed=2, boxes=(2, 3))
    mask = action_mask(puzzles.puzzles, (2, 3))
    assert mask.shape == (5, 6, 6, 6)
    right = np.take_along_axis(mask.reshape(5, 36, 6), (puzzles.solutions[..., None] - 1).astype(int), axis=2)[..., 0]
    assert (right == (puzzles.puzzles == 0)).all()

"""Complete episodes in the Gymnasium environments."""

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")
from gymnasium.utils.env_checker import check_env  # noqa: E402
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
    assert "." not in env.render() and len(env.render().splitlines()) == 11


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
    assert observed.shape == (4, 9, 9) and info["action_mask"].shape == (4, 729)
    again, _ = env.reset(seed=1)
    assert (observed == again).all()
    assert (SudokuVectorEnv(4, seed=1).reset()[0] == observed).all()
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


def test_registered_environments_pass_the_checker_of_gymnasium():
    env = gymnasium.make("ninefold.gym:ninefold/Sudoku-v0", clues=30)
    assert isinstance(env.unwrapped, SudokuEnv)
    check_env(env.unwrapped, skip_render_check=True)
    many = gymnasium.make_vec("ninefold/Sudoku-v0", num_envs=3)
    assert many.unwrapped.__class__ is SudokuVectorEnv and many.reset(seed=2)[0].shape == (3, 9, 9)


def test_action_masks_select_possible_actions():
    env = gymnasium.make("ninefold.gym:ninefold/Sudoku-v0")
    observed, info = env.reset(seed=5)
    assert info["action_mask"].dtype == np.int8 and info["action_mask"].shape == (729,)
    for _ in range(50):
        action = env.action_space.sample(info["action_mask"])
        cell, digit = divmod(int(action), 9)
        assert observed.ravel()[cell] == 0 and digit + 1 not in observed[cell // 9] and digit + 1 not in observed[:, cell % 9]


def test_environments_without_a_seed_differ():
    first, second = (SudokuEnv().reset()[0] for _ in range(2))
    assert (first != second).any()
    assert (SudokuVectorEnv(2).reset()[0] != SudokuVectorEnv(2).reset()[0]).any()
    env = SudokuEnv()
    one, again, other = env.reset(seed=4)[0], env.reset(seed=4)[0], env.reset()[0]
    assert (one == again).all() and (other != one).any(), "without a seed the next puzzle follows"


def test_render_modes():
    assert SudokuEnv(render_mode="svg").render().startswith("<svg")
    six = SudokuEnv(render_mode="ansi", boxes=(2, 3), clues=36 - 8)
    six.reset(seed=1)
    assert [len(line) for line in six.render().splitlines()] == [13] * 8
    with pytest.warns(UserWarning, match="render_mode"):
        assert SudokuEnv().render() is None
    with pytest.raises(ninefold.NinefoldError, match="unknown render_mode 'human', expected ansi or svg"):
        SudokuEnv(render_mode="human")

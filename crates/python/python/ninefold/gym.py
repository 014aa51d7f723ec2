"""Gymnasium environments: place digits in a puzzle, with masks of the possible digits.

Needs ``pip install "ninefold[gym]"``. The action ``cell * side + (digit - 1)`` places a digit in an empty cell, with
cells in reading order from 0. ``info["action_mask"]`` has the shape (side, side, side): the digits that the clues and entries
leave in each cell. ``reward="dense"`` gives 1 for each correct digit and -1 for a wrong one; ``"sparse"`` gives 1 for a
solved puzzle.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

try:
    import gymnasium
except ImportError as error:  # pragma: no cover
    raise ImportError('ninefold.gym needs Gymnasium: pip install "ninefold[gym]"') from error

from ._native import NinefoldError
from .make import generate


def action_mask(grids: NDArray[np.uint8], boxes: tuple[int, int] = (3, 3)) -> NDArray[np.bool_]:
    """The digits that the peers leave in each empty cell, for grids of shape (N, side, side): (N, side, side, side)."""
    side = boxes[0] * boxes[1]
    grids = np.asarray(grids).reshape(-1, side, side)
    present = grids[..., None] == np.arange(1, side + 1, dtype=np.uint8)
    rows, columns = present.any(axis=2, keepdims=True), present.any(axis=1, keepdims=True)
    stacked = present.reshape(len(grids), side // boxes[0], boxes[0], side // boxes[1], boxes[1], side)
    in_boxes = stacked.any(axis=(2, 4), keepdims=True)
    in_boxes = np.broadcast_to(in_boxes, stacked.shape).reshape(present.shape)
    return ~(rows | columns | in_boxes) & (grids == 0)[..., None]


class SudokuVectorEnv(gymnasium.vector.VectorEnv):
    """Many puzzles at once. After a puzzle ends, the next step starts the next puzzle of the seed."""

    metadata = {"autoreset_mode": getattr(gymnasium.vector, "AutoresetMode", None) and gymnasium.vector.AutoresetMode.NEXT_STEP}

    def __init__(self, num_envs: int, *, seed: int = 0, reward: str = "dense", boxes: tuple[int, int] = (3, 3), **options: Any):
        if reward not in ("dense", "sparse"):
            raise NinefoldError(f"unknown reward {reward!r}, expected dense or sparse")
        self.num_envs, self.boxes, self.options, self.reward = num_envs, boxes, options, reward
        self.side = boxes[0] * boxes[1]
        self.single_observation_space = gymnasium.spaces.Box(0, self.side, (self.side, self.side), np.uint8)
        self.single_action_space = gymnasium.spaces.Discrete(self.side**3)
        self.observation_space = gymnasium.vector.utils.batch_space(self.single_observation_space, num_envs)
        self.action_space = gymnasium.vector.utils.batch_space(self.single_action_space, num_envs)
        self._seed, self._next = seed, 0
        shape = (num_envs, self.side * self.side)
        self._grids, self._solutions = np.zeros(shape, np.uint8), np.zeros(shape, np.uint8)
        self._ended = np.ones(num_envs, bool)

    def _refill(self, which: NDArray[np.bool_]) -> None:
        count = int(which.sum())
        if count:
            generated = generate(count, seed=self._seed, start=self._next, boxes=self.boxes, **self.options)
            self._next += count
            self._grids[which], self._solutions[which] = generated.puzzles, generated.solutions
            self._ended[which] = False

    def _observation(self) -> tuple[NDArray[np.uint8], dict[str, Any]]:
        grids = self._grids.reshape(-1, self.side, self.side)
        return grids.copy(), {"action_mask": action_mask(grids, self.boxes)}

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        if seed is not None:
            self._seed, self._next = int(seed), 0
        self._refill(np.ones(self.num_envs, bool))
        return self._observation()

    def step(self, actions: Any) -> Any:
        actions = np.asarray(actions)
        which = np.arange(self.num_envs)
        cells, digits = actions // self.side, (actions % self.side + 1).astype(np.uint8)
        fresh = self._ended.copy()
        self._refill(fresh)
        allowed = ~fresh & (self._grids[which, cells] == 0)
        correct = allowed & (self._solutions[which, cells] == digits)
        self._grids[which[correct], cells[correct]] = digits[correct]
        solved = correct & (self._grids > 0).all(axis=1)
        # A wrong digit ends the game, because the puzzle can no longer be solved.
        ended = solved | (~fresh & ~correct)
        self._ended |= ended
        rewards = solved.astype(np.float64) if self.reward == "sparse" else np.where(fresh, 0.0, np.where(correct, 1.0, -1.0))
        observation, info = self._observation()
        info["solved"] = solved
        return observation, rewards, ended, np.zeros(self.num_envs, bool), info


class SudokuEnv(gymnasium.Env):
    """A single environment that plays one puzzle after another."""

    metadata = {"render_modes": ["ansi", "svg"]}

    def __init__(self, *, reward: str = "dense", boxes: tuple[int, int] = (3, 3), render_mode: str | None = None, **options: Any):
        self.render_mode = render_mode
        self._many = SudokuVectorEnv(1, reward=reward, boxes=boxes, **options)
        self.observation_space = self._many.single_observation_space
        self.action_space = self._many.single_action_space

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        super().reset(seed=seed)
        observation, info = self._many.reset(seed=seed, options=options)
        return observation[0], {"action_mask": info["action_mask"][0]}

    def step(self, action: Any) -> Any:
        observation, rewards, ended, cut, info = self._many.step([action])
        details = {"action_mask": info["action_mask"][0], "solved": bool(info["solved"][0])}
        return observation[0], float(rewards[0]), bool(ended[0]), bool(cut[0]), details

    def render(self) -> Any:
        from . import picture
        from ._native import write

        if self.render_mode == "svg":
            return picture(self._many._grids[0], boxes=self._many.boxes)
        return write(self._many._grids, self._many.boxes)[0]

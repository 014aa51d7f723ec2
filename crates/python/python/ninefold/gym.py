"""Gymnasium environments: place digits in a puzzle, with masks of the possible digits.

Needs ``pip install "ninefold[gym]"``. ``gymnasium.make("ninefold.gym:ninefold/Sudoku-v0")`` imports this module and makes an
environment; after ``import ninefold.gym`` the id is ``ninefold/Sudoku-v0``. ``make_vec`` makes a fast vector environment.

The action ``cell * side + (digit - 1)`` places a digit in an empty cell, with cells in reading order from 0.
``info["action_mask"]`` says which actions the clues and entries leave, for ``action_space.sample(info["action_mask"])``: an
array of ``int8`` with one value per action, in vector environments one row per game. ``reward="dense"`` gives 1 for each
correct digit and -1 for a wrong one; ``"sparse"`` gives 1 for a solved puzzle.

Environments without a seed play different puzzles. ``reset(seed=…)`` starts with the first puzzle of a seed, and ``reset()``
continues with the next one. The other options are those of ``ninefold.generate``.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

try:
    import gymnasium
except ImportError as error:  # pragma: no cover
    raise ImportError('ninefold.gym needs Gymnasium: pip install "ninefold[gym]"') from error

from ._native import NinefoldError, write
from .make import generate
from .steps import picture


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


def _flat(mask: NDArray[np.bool_]) -> NDArray[np.int8]:
    """A mask in the form that ``Discrete.sample`` accepts."""
    return mask.reshape(len(mask), -1).astype(np.int8)


class SudokuVectorEnv(gymnasium.vector.VectorEnv):
    """Many puzzles at once. After a puzzle ends, the next step starts the next puzzle of the seed."""

    metadata = {"autoreset_mode": getattr(gymnasium.vector, "AutoresetMode", None) and gymnasium.vector.AutoresetMode.NEXT_STEP}

    def __init__(
        self,
        num_envs: int = 1,
        *,
        seed: int | None = None,
        reward: str = "dense",
        boxes: tuple[int, int] = (3, 3),
        render_mode: str | None = None,
        **options: Any,
    ):
        self.render_mode = _known_mode(render_mode)
        if reward not in ("dense", "sparse"):
            raise NinefoldError(f"unknown reward {reward!r}, expected dense or sparse")
        self.num_envs, self.boxes, self.options, self.reward = num_envs, boxes, options, reward
        self.side = boxes[0] * boxes[1]
        self.single_observation_space = gymnasium.spaces.Box(0, self.side, (self.side, self.side), np.uint8)
        self.single_action_space = gymnasium.spaces.Discrete(self.side**3)
        self.observation_space = gymnasium.vector.utils.batch_space(self.single_observation_space, num_envs)
        self.action_space = gymnasium.vector.utils.batch_space(self.single_action_space, num_envs)
        self._seed, self._next = _seed_or_random(seed), 0
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
        return grids.copy(), {"action_mask": _flat(action_mask(grids, self.boxes))}

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        if seed is not None:
            self._seed, self._next = _seed_or_random(seed), 0
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


    def render(self) -> Any:
        """The pictures of all games."""
        return [_picture(grid, self.boxes, self.render_mode) for grid in self._grids]


class SudokuEnv(gymnasium.Env):
    """A single environment that plays one puzzle after another."""

    metadata = {"render_modes": ["ansi", "svg"]}

    def __init__(self, *, reward: str = "dense", boxes: tuple[int, int] = (3, 3), render_mode: str | None = None, **options: Any):
        self.render_mode = _known_mode(render_mode)
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
        """The grid as text ("ansi") or as a picture ("svg"); ``None`` without a ``render_mode``."""
        return _picture(self._many._grids[0], self._many.boxes, self.render_mode)


def _seed_or_random(seed: int | None) -> int:
    return int(np.random.SeedSequence().generate_state(1, np.uint64)[0]) if seed is None else int(seed)


def _known_mode(mode: str | None) -> str | None:
    if mode not in (None, "ansi", "svg"):
        raise NinefoldError(f"unknown render_mode {mode!r}, expected ansi or svg")
    return mode


def _picture(grid: NDArray[np.uint8], boxes: tuple[int, int], mode: str | None) -> Any:
    if mode is None:
        gymnasium.logger.warn('render() needs a render_mode: make(…, render_mode="ansi")')
        return None
    if mode == "svg":
        return picture(grid, boxes=boxes)
    return _drawn(grid, boxes)


def _drawn(grid: NDArray[np.uint8], boxes: tuple[int, int]) -> str:
    """The grid in lines, with bars and dashes between the boxes."""
    (height, width), side = boxes, boxes[0] * boxes[1]
    line = write(grid.reshape(1, -1), boxes)[0]
    cells = line.split() if " " in line else line
    rows = [cells[start : start + side] for start in range(0, side * side, side)]
    lines = [" | ".join(" ".join(row[at : at + width]) for at in range(0, side, width)) for row in rows]
    for at in range(side - height, 0, -height):
        lines.insert(at, "-" * len(lines[0]))
    return "\n".join(lines)


#: The id of the environments.
ID = "ninefold/Sudoku-v0"
if ID not in gymnasium.registry:
    gymnasium.register(ID, entry_point="ninefold.gym:SudokuEnv", vector_entry_point="ninefold.gym:SudokuVectorEnv")

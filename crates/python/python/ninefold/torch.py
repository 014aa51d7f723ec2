"""Kaleidoscope, the network that is part of Ninefold, as a torch module.

The weights have the names and shapes of the weight files, so a state dictionary works in both directions, and the results
equal those of ``ninefold.predict("kaleidoscope", …)`` up to rounding. Gradients flow through all iterations. The architecture
is described in the crate ``ninefold-kaleidoscope``.
"""

from __future__ import annotations

import json
import os
import struct
from functools import lru_cache
from typing import Any, Iterator, NamedTuple, Union

import numpy as np

try:
    import torch
    from torch import Tensor, nn
except ImportError as error:  # pragma: no cover
    raise ImportError("ninefold.torch needs torch: pip install torch") from error

from . import _native
from ._inputs import Boxes, Puzzles, integer, parse
from ._native import NinefoldError
from .networks import ITERATIONS, STARTS
from .variants import Puzzle

#: The length of a query, key or value of one attention head.
HEAD_WIDTH = 8
#: The attention weights of the groups of a candidate: its cell, row, column and box.
SLOT_OF_FAMILY = (0, 1, 1, 2)
#: The number of attention slots and of roles, for classic puzzles and for all rules.
SLOTS, ROLES = {False: 3, True: 7}, {False: 1, True: 2}
#: The lowest log probability, which excluded digits get.
LOWEST = -30.0
#: Puzzles that :meth:`Kaleidoscope.solve` fills together.
PUZZLES_PER_PART = 256
#: The score of a group member that is excluded by a clue.
EXCLUDED = -1e30


class Prediction(NamedTuple):
    """What a network has filled in."""

    #: The likeliest digit of each cell after the last iteration, of shape (N, cells).
    digits: Tensor
    #: Whether the digits satisfy the rules and the clues.
    solved: Tensor
    #: The log probability of each digit of each cell after the last iteration, of shape (N, cells, digits).
    log_probabilities: Tensor


class Block(nn.Module):
    """Attention within the groups of a candidate, and a gated layer. ``attention`` contains queries, keys and values of each
    slot as rows; its product with the states is the input of the attention, whose output is multiplied with ``attended``."""

    def __init__(self, width: int, heads: int, expansion: int, slots: int):
        super().__init__()
        size = heads * HEAD_WIDTH
        self.heads, self.slots = heads, slots
        self.attention = _matrix(slots * 3 * size, width)
        self.attended = _matrix(width, slots * size)
        self.first_norm = nn.Parameter(torch.ones(width))
        self.gate = _matrix(2 * expansion * width, width)
        self.down = _matrix(width, expansion * width)
        self.second_norm = nn.Parameter(torch.ones(width))

    def queries_keys_values(self, states: Tensor) -> Tensor:
        """A tensor of shape (…, slots, 3, heads, 8)."""
        numbers = states @ self.attention.T
        return numbers.reshape(*states.shape[:-1], self.slots, 3, self.heads, HEAD_WIDTH)

    def forward(self, states: Tensor, attended: Tensor) -> Tensor:
        """The new states; ``attended`` has the shape (…, slots, heads, 8)."""
        states = _norm(states + attended.flatten(-3) @ self.attended.T, self.first_norm)
        gate, value = (states @ self.gate.T).chunk(2, dim=-1)
        return _norm(states + (nn.functional.silu(gate) * value) @ self.down.T, self.second_norm)


class Kaleidoscope(nn.Module):
    """The network; by default with random weights. See :meth:`shipped` and :meth:`load`.

    >>> import ninefold
    >>> network = Kaleidoscope.shipped()
    >>> x, y = ninefold.generate(4, seed=1)
    >>> prediction = network.solve(x)
    >>> prediction.solved.tolist(), bool((prediction.digits.numpy() == y).all())
    ([True, True, True, True], True)
    >>> network(x, iterations=16).shape          # log probabilities, for a loss
    torch.Size([4, 81, 9])
    """

    def __init__(self, *, width: int = 64, heads: int = 4, blocks: int = 2, expansion: int = 2, rules: bool = False):
        super().__init__()
        self.width, self.rules = width, rules
        self.start = nn.Parameter(0.1 * torch.randn(width))
        self.input = nn.Parameter(torch.randn(ROLES[rules], width))
        self.blocks = nn.ModuleList(Block(width, heads, expansion, SLOTS[rules]) for _ in range(blocks))
        self.answer = nn.Parameter(_matrix(1, width).detach()[0])
        self.metadata: dict[str, str] = {}

    @staticmethod
    def shipped(*, rules: bool = False) -> Kaleidoscope:
        """The network with the included weights, for classic puzzles or for puzzles with any rules."""
        return _read("the included weights", _native.kaleidoscope_weights(bool(rules)))

    @staticmethod
    def load(path: Union[str, os.PathLike[str]]) -> Kaleidoscope:
        """The network of a file that ``ninefold train``, ``ninefold models --export safetensors`` or :meth:`save` has written."""
        with open(path, "rb") as file:
            return _read(os.fspath(path), file.read())

    def save(self, path: Union[str, os.PathLike[str]]) -> None:
        """Writes the weights of a network that was loaded before, and trained since, for Ninefold's commands."""
        if "ninefold" not in self.metadata:
            raise NinefoldError("only a network that was loaded from a file of Ninefold can be saved for its commands")
        header: dict[str, Any] = {"__metadata__": self.metadata}
        parts, end = [], 0
        for name, weight in sorted(self.state_dict().items()):
            part = weight.detach().cpu().float().contiguous().numpy()
            shape = [self.width] if name == "input" and len(part) == 1 else list(part.shape)
            header[name] = {"dtype": "F32", "shape": shape, "data_offsets": [end, end + part.nbytes]}
            parts.append(part.tobytes())
            end += part.nbytes
        text = json.dumps(header).encode()
        text += b" " * (-len(text) % 8)
        with open(path, "wb") as file:
            file.write(struct.pack("<Q", len(text)) + text + b"".join(parts))

    def forward(self, puzzles: Puzzles, iterations: int = 16, *, boxes: Boxes = None) -> Tensor:
        """The log probabilities of each digit of each cell after some iterations, of shape (N, cells, digits)."""
        for log_probabilities in self.iterate(puzzles, iterations, boxes=boxes):
            pass
        return log_probabilities

    def iterate(self, puzzles: Puzzles, iterations: int, *, boxes: Boxes = None) -> Iterator[Tensor]:
        """The log probabilities after each iteration, for classic puzzles of one size."""
        integer("iterations", iterations, 1)
        houses = self._houses(puzzles, boxes)
        states = self._begin(houses, 0)
        for _ in range(iterations):
            states, logits = self._step(states, houses)
            yield houses.log_probabilities(logits)

    def solve(
        self,
        puzzles: Union[Puzzles, Puzzle],
        *,
        boxes: Boxes = None,
        iterations: int = ITERATIONS,
        starts: int = STARTS,
    ) -> Prediction:
        """Fills puzzles as ``ninefold.predict`` does: up to ``iterations`` from each of up to ``starts`` initial states, until
        the grid satisfies the rules and the clues. A :class:`ninefold.Puzzle` needs a network with ``rules``."""
        integer("iterations", iterations, 1)
        integer("starts", starts, 1)
        with torch.no_grad():
            if isinstance(puzzles, Puzzle):
                return self._solve_with_rules(puzzles, iterations, starts)
            houses = self._houses(puzzles, boxes)
            # Small parts limit memory use.
            parts = torch.arange(len(houses.known), device=houses.known.device).split(PUZZLES_PER_PART)
            columns = zip(*(self._solve(houses.of(part), iterations, starts) for part in parts))
            return Prediction(*(torch.cat(column) for column in columns))

    def _solve(self, houses: _Houses, iterations: int, starts: int) -> Prediction:
        digits, log_probabilities = houses.known.clone(), houses.log_probabilities(houses.open.float())
        solved = torch.zeros(len(digits), dtype=torch.bool, device=digits.device)
        for start in range(starts):
            rows = (~solved).nonzero()[:, 0]
            part = houses.of(rows)
            states = self._begin(part, start)
            for _ in range(iterations):
                if len(rows) == 0:
                    break
                states, logits = self._step(states, part)
                digits[rows] = part.fill(logits, digits[rows])
                log_probabilities[rows] = part.log_probabilities(logits)
                done = part.are_complete(digits[rows])
                solved[rows] = done
                if done.any():
                    rows, states, part = rows[~done], states[~done], part.of((~done).nonzero()[:, 0])
        return Prediction(digits.clamp(min=1), solved, log_probabilities)

    def _solve_with_rules(self, puzzle: Puzzle, iterations: int, starts: int) -> Prediction:
        if not self.rules:
            raise NinefoldError("the network is for classic puzzles only; Kaleidoscope.shipped(rules=True) supports rules")
        graph = _Graph(puzzle, self.start.device)
        digits, solved, logits = graph.known.clone(), False, torch.zeros(0)
        for start in range(starts if graph.is_possible else 0):
            states = self.start.expand(graph.nodes, -1)
            if start > 0:
                noise = _native.kaleidoscope_noise(start, graph.nodes, self.width)
                states = states + torch.from_numpy(noise).to(states)
            for _ in range(iterations):
                states, logits = self._step(states, graph)
                digits = graph.fill(logits, digits)
                solved = bool((digits > 0).all()) and puzzle.verify(digits[0].cpu().numpy())
                if solved:
                    break
            if solved:
                break
        return Prediction(digits.clamp(min=1), torch.tensor([solved]), graph.log_probabilities(logits))

    def _houses(self, puzzles: Puzzles, boxes: Boxes) -> _Houses:
        if self.rules:
            raise NinefoldError("the network is for puzzles with rules; pass ninefold.Puzzle to solve")
        parsed = parse(puzzles.cpu().numpy() if isinstance(puzzles, Tensor) else puzzles, boxes).checked()
        known = torch.from_numpy(parsed.rows.astype(np.int64)).to(self.start.device)
        return _Houses(known, parsed.boxes)

    def _begin(self, houses: _Houses, start: int) -> Tensor:
        """The initial states of all candidates. The first start has no noise."""
        states = self.start.expand(*houses.open.shape, -1)
        if start == 0 or len(states) == 0:
            return states
        # Nodes are the open candidates of a puzzle in their order.
        count = int(houses.open.sum(1).max())
        noise = torch.from_numpy(_native.kaleidoscope_noise(start, count, self.width)).to(states)
        number = (houses.open.cumsum(1) - 1).clamp(min=0)
        return states + noise[number] * houses.open.unsqueeze(2)

    def _step(self, states: Tensor, graph: Union[_Houses, _Graph]) -> tuple[Tensor, Tensor]:
        """One iteration: the new states, and the logit of each node."""
        states = states + self.input[graph.roles]
        for block in self.blocks:
            states = block(states, graph.attend(block.queries_keys_values(states)))
        return states, states @ self.answer


class _Houses:
    """Classic puzzles of one size. All candidates are nodes, and those that contradict a clue are masked."""

    def __init__(self, known: Tensor, boxes: tuple[int, int], indices: Any = None):
        self.known, self.boxes = known, boxes
        self.side = boxes[0] * boxes[1]
        self.houses, self.groups, self.places = indices or (part.to(known.device) for part in _indices(boxes))
        given = nn.functional.one_hot(known, self.side + 1)[:, :, 1:].bool()
        seen = torch.zeros_like(given)
        for house in self.houses:
            seen[:, house] |= given[:, house].any(2, keepdim=True)
        self.open = (~seen & (known == 0).unsqueeze(2)).flatten(1)
        self.roles = torch.zeros((), dtype=torch.int64, device=known.device)

    def of(self, rows: Tensor) -> _Houses:
        """Some of the puzzles."""
        return _Houses(self.known[rows], self.boxes, (self.houses, self.groups, self.places))

    def attend(self, numbers: Tensor) -> Tensor:
        count, candidates, slots, _, heads, size = numbers.shape
        attended = [numbers.new_zeros(count, candidates, heads, size) for _ in range(slots)]
        for slot, groups, places in zip(SLOT_OF_FAMILY, self.groups, self.places):
            # Each of shape (N, groups, heads, members, 8).
            query, key, value = (numbers[:, :, slot, kind][:, groups].transpose(2, 3) for kind in range(3))
            scores = query @ key.transpose(3, 4) * HEAD_WIDTH**-0.5
            scores = scores.masked_fill(~self.open[:, groups][:, :, None, None], EXCLUDED)
            # The sink is one more member, with score and value 0.
            shares = torch.cat([scores, torch.zeros_like(scores[..., :1])], dim=-1).softmax(-1)[..., :-1]
            taken = (shares @ value).transpose(2, 3).reshape(count, candidates, heads, size)
            attended[slot] = attended[slot] + taken[:, places]
        return torch.stack(attended, dim=2)

    def _masked(self, logits: Tensor) -> Tensor:
        logits = logits.masked_fill(~self.open, -torch.inf)
        return logits.unflatten(1, (self.known.shape[1], self.side))

    def fill(self, logits: Tensor, digits: Tensor) -> Tensor:
        """The likeliest digit of every empty cell. Cells without candidates are unchanged."""
        best, digit = self._masked(logits).max(2)
        return torch.where(best > -torch.inf, digit + 1, digits)

    def log_probabilities(self, logits: Tensor) -> Tensor:
        return _log_probabilities(self._masked(logits), self.known)

    def are_complete(self, digits: Tensor) -> Tensor:
        """Whether every house contains every digit."""
        all_digits = torch.arange(1, self.side + 1, device=digits.device)
        complete = [(digits[:, house].sort(2).values == all_digits).flatten(1).all(1) for house in self.houses]
        return torch.stack(complete).all(0)


class _Graph:
    """One puzzle with any rules. Nodes are its candidates and hidden ones, and their groups are compiled from the rules."""

    def __init__(self, puzzle: Puzzle, device: Any):
        arrays = _native.kaleidoscope_graph(puzzle._native)
        self.is_possible, self.side = arrays is not None, puzzle.side
        if arrays is None:
            self.known = torch.from_numpy(puzzle.givens.astype(np.int64))[None].to(device)
            self.nodes, self.candidates = 0, torch.zeros(0, dtype=torch.int64, device=device)
            return
        self.known = torch.from_numpy(arrays.pop("known").astype(np.int64))[None].to(device)
        tensors = {name: torch.from_numpy(array).to(device) for name, array in arrays.items()}
        candidates, self.roles = tensors["candidates"], tensors["roles"]
        self.nodes, self.candidates = len(candidates), candidates[candidates >= 0]
        self.entry_nodes, self.entry_slots = tensors["entry_nodes"], tensors["entry_slots"]
        self.edge_entries, self.edge_members = tensors["edge_entries"], tensors["edge_members"]

    def attend(self, numbers: Tensor) -> Tensor:
        nodes, slots, _, heads, size = numbers.shape
        entries, edges = len(self.entry_nodes), self.edge_entries
        query = numbers[self.entry_nodes, self.entry_slots, 0]
        key, value = (numbers[self.edge_members, self.entry_slots[edges], kind] for kind in (1, 2))
        scores = (query[edges] * key).sum(2) * HEAD_WIDTH**-0.5
        # The highest score of each entry, at least that of the sink.
        highest = scores.new_zeros(entries, heads)
        highest = highest.scatter_reduce(0, edges[:, None].expand(-1, heads), scores.detach(), "amax")
        share = (scores - highest[edges]).exp()
        total = (-highest).exp().index_add(0, edges, share)
        taken = numbers.new_zeros(entries, heads, size).index_add(0, edges, share.unsqueeze(2) * value)
        attended = numbers.new_zeros(nodes * slots, heads, size)
        attended = attended.index_add(0, self.entry_nodes * slots + self.entry_slots, taken / total.unsqueeze(2))
        return attended.unflatten(0, (nodes, slots))

    def _masked(self, logits: Tensor) -> Tensor:
        cells = self.known.shape[1]
        masked = torch.full((cells * self.side,), -torch.inf, device=self.known.device)
        # Hidden candidates come last.
        masked[self.candidates[: len(logits)]] = logits[: len(self.candidates)]
        return masked.reshape(1, cells, self.side)

    def fill(self, logits: Tensor, digits: Tensor) -> Tensor:
        best, digit = self._masked(logits).max(2)
        return torch.where((best > -torch.inf) & (self.known == 0), digit + 1, digits)

    def log_probabilities(self, logits: Tensor) -> Tensor:
        return _log_probabilities(self._masked(logits), self.known)


@lru_cache(maxsize=16)
def _indices(boxes: tuple[int, int]) -> tuple[Tensor, Tensor, Tensor]:
    """The cells of the rows, columns and boxes; the candidates of the groups of each family; and the place of each candidate
    in the groups of each family."""
    rows, columns = boxes
    side = rows * columns
    cells = torch.arange(side * side).reshape(side, side)
    squares = cells.reshape(columns, rows, rows, columns).transpose(1, 2).reshape(side, side)
    houses = torch.stack([cells, cells.T, squares])
    candidates = torch.arange(side**3).reshape(side * side, side)
    families = [candidates] + [candidates[house].transpose(1, 2).reshape(-1, side) for house in houses]
    groups = torch.stack(families)
    return houses, groups, groups.flatten(1).argsort(1)


def _log_probabilities(logits: Tensor, known: Tensor) -> Tensor:
    """As the engine computes them: of the digits of each cell, at least ``LOWEST``."""
    side = logits.shape[2]
    is_empty = (logits == -torch.inf).all(2, keepdim=True)
    # Where no digit is possible, all are equally likely.
    log_probabilities = logits.masked_fill(is_empty, 0.0).log_softmax(2).clamp(min=LOWEST)
    given = nn.functional.one_hot((known - 1).clamp(min=0), side).bool()
    certain = torch.where(given, 0.0, LOWEST)
    return torch.where((known > 0).unsqueeze(2), certain, log_probabilities)


def _norm(states: Tensor, gain: Tensor) -> Tensor:
    return states * ((states * states).mean(-1, keepdim=True) + 1e-6).rsqrt() * gain


def _matrix(rows: int, columns: int) -> nn.Parameter:
    limit = columns**-0.5
    return nn.Parameter(torch.empty(rows, columns).uniform_(-limit, limit))


def _read(name: str, data: bytes) -> Kaleidoscope:
    """The network of a safetensors file."""
    try:
        length = struct.unpack("<Q", data[:8])[0]
        header = json.loads(data[8 : 8 + length])
        metadata = header.pop("__metadata__")
        notes = json.loads(metadata["ninefold"])
        model = notes["experiment"]["model"]
    except (ValueError, KeyError, TypeError, struct.error) as error:
        raise NinefoldError(f"{name} is damaged or not a safetensors file of Ninefold") from error
    if notes["model"] != "kaleidoscope":
        raise NinefoldError(f"{name} contains weights of the model {notes['model']}, not of kaleidoscope")
    if model.pop("nodes", "open") != "open":
        raise NinefoldError(f"{name}: only networks whose nodes are open candidates are supported")
    network = Kaleidoscope(**model)
    weights = {}
    for weight, part in header.items():
        if part["dtype"] not in ("F32", "F16"):
            raise NinefoldError(f"{name}: expected weights of 16 or 32 bits, found {part['dtype']}")
        first, end = (8 + length + offset for offset in part["data_offsets"])
        numbers = np.frombuffer(data[first:end], "<f4" if part["dtype"] == "F32" else "<f2").astype(np.float32)
        weights[weight] = torch.from_numpy(numbers).reshape(part["shape"])
    weights["input"] = weights["input"].reshape(-1, network.width)
    network.load_state_dict(weights)
    network.metadata = metadata
    return network

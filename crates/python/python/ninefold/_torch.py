"""The torch dataset of ``ninefold.data``; a module of its own, because torch is optional."""

from __future__ import annotations

from typing import Any, Iterator

import numpy as np

try:
    import torch
    from torch.utils.data import IterableDataset, get_worker_info
except ImportError as error:  # pragma: no cover
    raise ImportError("ninefold.data.PuzzleDataset needs torch: pip install torch") from error

from . import _native
from ._inputs import integer
from ._native import NinefoldError
from .data import tokens
from .make import generate
from .variants import generate_variants


class PuzzleDataset(IterableDataset):  # type: ignore[type-arg]
    """Generated puzzles and their solutions for torch: an endless stream, different in every worker and every process.

    Items are pairs of tensors of shape (cells,), or (batch, cells) with ``batch``; then use ``DataLoader(dataset,
    batch_size=None)``, which is much faster than collecting single examples. The options are those of ``ninefold.generate``.

    - ``images``: how many random symmetric images of each generated puzzle appear instead of the puzzle itself. Images are
      made about a hundred times as fast as puzzles.
    - ``scheme``: how puzzles and solutions are encoded, see ``ninefold.tokens``. Tensors of "digits" and "trm" are ``int64``.
    - ``rules``: puzzles with these rules, such as "killer"; items are then ``(puzzle, solution, text)``, where the text is the
      puzzle with its rules as JSON (see ``ninefold.read_puzzle``).
    - ``length``: end after this many puzzles, counted over all workers and processes. ``set_epoch`` selects other puzzles.
    - ``rank``, ``world_size``: the process and the number of processes; by default those of ``torch.distributed``.

    The puzzle with number ``i`` depends only on the seed and ``i``. Workers take batches in turn.
    """

    def __init__(
        self,
        *,
        seed: int,
        batch: int | None = None,
        images: int = 0,
        scheme: str = "digits",
        rules: str | None = None,
        length: int | None = None,
        rank: int | None = None,
        world_size: int | None = None,
        **options: Any,
    ):
        super().__init__()
        self.seed = integer("seed", seed)
        self.batch = None if batch is None else integer("batch", batch, 1)
        self.images = integer("images", images)
        self.length = None if length is None else integer("length", length)
        if (rank is None) != (world_size is None):
            raise NinefoldError("rank and world_size belong together")
        if rank is not None and world_size is not None:
            integer("rank", rank, 0, integer("world_size", world_size, 1) - 1)
        self.rank, self.world_size = rank, world_size
        self.scheme, self.rules, self.options, self.epoch = scheme, rules, options, 0
        if rules is not None and images:
            raise NinefoldError("images are made of classic puzzles only; leave out images or rules")
        tokens("1..4..1..3..4..3", scheme)  # rejects an unknown scheme before a worker does
        if "threads" in options or "start" in options:
            raise NinefoldError("threads and start are set by the dataset")

    def set_epoch(self, epoch: int) -> None:
        """Selects other puzzles for the next iteration of a dataset with a ``length``."""
        self.epoch = integer("epoch", epoch)

    def __len__(self) -> int:
        if self.length is None:
            raise TypeError("the dataset is endless; set a length")
        return self.length if self.batch is None else -(-self.length // self.batch)

    def __iter__(self) -> Iterator[Any]:
        worker = get_worker_info()
        rank, world_size = self._process()
        number, count = (0, 1) if worker is None else (worker.id, worker.num_workers)
        shard, shards = rank * count + number, world_size * count
        threads = 0 if worker is None else 1
        size = self.batch or 256
        first = 0 if self.length is None else self.epoch * self.length
        part = shard
        while self.length is None or part * size < self.length:
            rows = size if self.length is None else min(size, self.length - part * size)
            columns = self._rows(first + part * size, rows, threads)
            yield from [columns] if self.batch is not None else zip(*columns)
            part += shards

    def _process(self) -> tuple[int, int]:
        if self.rank is not None and self.world_size is not None:
            return self.rank, self.world_size
        if torch.distributed.is_available() and torch.distributed.is_initialized():
            return torch.distributed.get_rank(), torch.distributed.get_world_size()
        return 0, 1

    def _rows(self, start: int, count: int, threads: int) -> tuple[Any, ...]:
        if self.rules is not None:
            puzzles = generate_variants(count, rules=self.rules, seed=self.seed, start=start, threads=threads, **self.options)
            x = np.stack([one.givens for one in puzzles])
            y = np.stack([one.solution for one in puzzles])
            return self._tensor(x), self._tensor(y), [one.to("json") for one in puzzles]
        if not self.images:
            x, y = generate(count, seed=self.seed, start=start, threads=threads, **self.options)
            return self._tensor(x), self._tensor(y)
        # Rows with the numbers start … start + count are images of the puzzles first … last.
        first, last = start // self.images, (start + count - 1) // self.images
        made = generate(last - first + 1, seed=self.seed, start=first, threads=threads, **self.options)
        which = np.arange(start, start + count) // self.images - first
        boxes = self._boxes(made.puzzles.shape[1])
        x, y = _native.augment(made.puzzles[which], made.solutions[which], boxes, self.seed, start, threads)
        assert y is not None
        return self._tensor(x), self._tensor(y)

    def _boxes(self, cells: int) -> tuple[int, int]:
        from ._inputs import box_shape

        shape = box_shape(self.options.get("boxes")) or _native.usual_boxes(cells)
        assert shape is not None
        return shape

    def _tensor(self, rows: Any) -> torch.Tensor:
        if self.scheme == "onehot":
            side = int(rows.shape[1] ** 0.5)
            return torch.nn.functional.one_hot(torch.from_numpy(rows).long(), side + 1).float()
        return torch.from_numpy(rows).long() + (1 if self.scheme == "trm" else 0)

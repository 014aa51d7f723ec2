"""Measures how fast a torch DataLoader delivers puzzles of `ninefold.data.PuzzleDataset`, and checks all of them.

    pip install . torch
    python benchmarks/packages/dataloader.py [--puzzles N] [--workers N] [--images N]

Every puzzle must have exactly one solution, the one beside it. Symmetric images of one puzzle are one class, so without
images every puzzle must be a class of its own. Workers are processes; the time includes their start.
"""

import argparse
import platform
import resource
import time

import numpy as np
import torch
from torch.utils.data import DataLoader

import ninefold
from ninefold.data import PuzzleDataset


def cpu_seconds():
    """Of this process and of the workers that have ended."""
    usages = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def deliver(args, images):
    """One epoch, in arrays, and its wall and CPU seconds."""
    dataset = PuzzleDataset(seed=1, batch=args.batch, length=args.puzzles, images=images)
    wall, cpu = time.perf_counter(), cpu_seconds()
    batches = list(DataLoader(dataset, batch_size=None, num_workers=args.workers))
    wall, cpu = time.perf_counter() - wall, cpu_seconds() - cpu
    puzzles, solutions = (torch.cat(column).numpy().astype(np.uint8) for column in zip(*batches))
    return puzzles, solutions, wall, cpu


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--puzzles", type=int, default=200_000)
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--images", type=int, default=8)
    parser.add_argument("--batch", type=int, default=4096)
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    torch.set_num_threads(1)
    print(f"Python {platform.python_version()}, torch {torch.__version__}, ninefold {ninefold.__version__}, "
          f"{args.workers} workers, batches of {args.batch}, {args.puzzles} puzzles\n")
    print("| images of each puzzle | puzzles per second | per CPU second | one solution, the given one | classes |")
    print("|---:|---:|---:|---:|---:|")
    for images in [0, args.images] * args.rounds:
        puzzles, solutions, wall, cpu = deliver(args, images)
        found, counts = ninefold.solve(puzzles, limit=2)
        right = (counts == 1) & (found == solutions).all(axis=1)
        classes = len(np.unique(ninefold.canonical(puzzles).fingerprints, axis=0))
        print(f"| {images or 'none'} | {len(puzzles) / wall:,.0f} | {len(puzzles) / cpu:,.0f} | {right.sum():,} of {len(puzzles):,} "
              f"| {classes:,} |", flush=True)
        assert right.all() and len(puzzles) == args.puzzles
        assert classes == -(-args.puzzles // max(images, 1)), "two puzzles are images of each other"


if __name__ == "__main__":
    main()

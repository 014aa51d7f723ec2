"""Compares `write_hrm` with the data script of HRM, TRM and SE-RRM: the same directory, seeded and faster.

    pip install .
    python benchmarks/packages/hrm_folder.py [--puzzles N] [--aug N]

Their method, reimplemented here from its description: read lines, draw a symmetry for each copy with NumPy's global
generator, apply it to puzzle and solution, collect lists, concatenate, save. Both write the same files; shapes,
tokens, groups and solutions of both are checked.
"""

import argparse
import pathlib
import tempfile
import time

import numpy as np

import ninefold


def image(puzzle, solution):
    names = np.concatenate([[0], 1 + np.random.permutation(9)])
    mirrored = np.random.rand() < 0.5
    rows = np.concatenate([3 * band + np.random.permutation(3) for band in np.random.permutation(3)])
    columns = np.concatenate([3 * stack + np.random.permutation(3) for stack in np.random.permutation(3)])
    places = np.array([rows[cell // 9] * 9 + columns[cell % 9] for cell in range(81)])
    move = lambda grid: names[(grid.T if mirrored else grid).flatten()[places].reshape(9, 9)]  # noqa: E731
    return move(puzzle), move(solution)


def their_way(folder, questions, answers, aug):
    as_grid = lambda text: np.frombuffer(text.encode(), np.uint8).reshape(9, 9) - ord("0")  # noqa: E731
    pairs = [(as_grid(question), as_grid(answer)) for question, answer in zip(questions, answers)]
    inputs, labels, groups = [], [], [0]
    for pair in pairs:
        for copy in range(1 + aug):
            x, y = pair if copy == 0 else image(*pair)
            inputs.append(x)
            labels.append(y)
        groups.append(len(inputs))
    folder = pathlib.Path(folder) / "train"
    folder.mkdir(parents=True)
    np.save(folder / "all__inputs.npy", np.concatenate(inputs).reshape(len(inputs), -1) + 1)
    np.save(folder / "all__labels.npy", np.concatenate(labels).reshape(len(labels), -1) + 1)
    np.save(folder / "all__group_indices.npy", np.array(groups, np.int32))
    np.save(folder / "all__puzzle_indices.npy", np.arange(len(inputs) + 1, dtype=np.int32))
    np.save(folder / "all__puzzle_identifiers.npy", np.zeros(len(inputs), np.int32))


def read(folder):
    return {path.stem: np.load(path) for path in sorted((pathlib.Path(folder) / "train").glob("*.npy"))}


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--puzzles", type=int, default=100)
    options.add_argument("--aug", type=int, default=1000)
    options = options.parse_args()
    made = ninefold.generate(options.puzzles, seed=1, minimal=True)
    questions, answers = (["".join(map(str, row)) for row in rows] for rows in made)
    with tempfile.TemporaryDirectory() as scratch:
        theirs, ours = f"{scratch}/theirs", f"{scratch}/ours"
        began, cpu = time.perf_counter(), time.process_time()
        their_way(theirs, questions, answers, options.aug)
        their_wall, their_cpu = time.perf_counter() - began, time.process_time() - cpu
        began, cpu = time.perf_counter(), time.process_time()
        ninefold.write_hrm(ours, questions, answers, aug=options.aug, seed=1)
        our_wall, our_cpu = time.perf_counter() - began, time.process_time() - cpu
        one, other = read(theirs), read(ours)
        assert one.keys() == other.keys()
        for name in one:
            assert one[name].shape == other[name].shape, name
            if "indices" in name or "identifiers" in name:
                assert (one[name] == other[name]).all() and one[name].dtype == other[name].dtype, name
        for data in (one, other):
            x, y = ninefold.untokens(data["all__inputs"]), ninefold.untokens(data["all__labels"])
            assert (x[:: 1 + options.aug] == made.puzzles).all() and ninefold.verify(x, y).all()
    examples = options.puzzles * (1 + options.aug)
    print(f"{options.puzzles} puzzles with {options.aug} images each: {examples:,} examples\n")
    print("| | seconds | CPU seconds | examples per CPU second |\n|---|---:|---:|---:|")
    print(f"| their way, unseeded | {their_wall:.2f} | {their_cpu:.2f} | {examples / their_cpu:,.0f} |")
    print(f"| `write_hrm`, seeded | {our_wall:.3f} | {our_cpu:.3f} | {examples / our_cpu:,.0f} |")
    print(f"\nours is {their_wall / our_wall:,.0f} times as fast by the clock, {their_cpu / our_cpu:,.0f} times in CPU time")


if __name__ == "__main__":
    main()

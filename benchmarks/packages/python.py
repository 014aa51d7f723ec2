"""Compares Ninefold for Python with other packages: puzzles per CPU second, with checked answers.

    pip install . rustoku ortools py-sudoku dlxsudoku sudokutools
    python benchmarks/packages/python.py [--puzzles N] [--seconds S]

Each contestant gets the same random minimal puzzles for the same time and must find one solution; Ninefold must also
prove that there is no other. A wrong answer is a failure, not a time. Generators run for the same time; their puzzles
are checked for one solution and counted up to symmetry. A package that is not installed is skipped and reported.
"""

import argparse
import contextlib
import importlib.metadata
import io
import platform
import sys
import time

import numpy as np

import ninefold


def lines(rows):
    return ["".join(map(str, row)) for row in rows]


def solvers(puzzles):
    """Name, package, and a function from the number of a puzzle to its solution as text."""
    texts = lines(puzzles)
    yield "ninefold, one text a call", "ninefold", lambda i: ninefold.solve(texts[i]).solutions

    def rustoku():
        import rustoku

        return lambda i: rustoku.solve(texts[i])

    def ortools():
        from ortools.sat.python import cp_model

        def solve(i):
            model = cp_model.CpModel()
            cells = [[model.new_int_var(1, 9, "") for _ in range(9)] for _ in range(9)]
            for k in range(9):
                model.add_all_different(cells[k])
                model.add_all_different([row[k] for row in cells])
                model.add_all_different([cells[k // 3 * 3 + j // 3][k % 3 * 3 + j % 3] for j in range(9)])
            for cell, digit in enumerate(puzzles[i]):
                if digit:
                    model.add(cells[cell // 9][cell % 9] == int(digit))
            solver = cp_model.CpSolver()
            solver.parameters.num_workers = 1
            solver.solve(model)
            return "".join(str(solver.value(cell)) for row in cells for cell in row)

        return solve

    def py_sudoku():
        from sudoku import Sudoku

        boards = [[[int(d) or None for d in row] for row in puzzle.reshape(9, 9)] for puzzle in puzzles]
        return lambda i: "".join(str(d) for row in Sudoku(3, 3, board=boards[i]).solve().board for d in row)

    def dlxsudoku():
        from dlxsudoku import Sudoku

        def solve(i):
            puzzle = Sudoku(texts[i])
            with contextlib.redirect_stdout(io.StringIO()):
                puzzle.solve(allow_brute_force=True)
            return puzzle.to_oneliner()

        return solve

    def sudokutools():
        from sudokutools.solve import dlx
        from sudokutools.sudoku import Sudoku

        def solve(i):
            found = next(dlx(Sudoku.decode(texts[i])))
            return "".join(str(found[r, c]) for r in range(9) for c in range(9))

        return solve

    for name, make in [("rustoku", rustoku), ("ortools", ortools), ("py-sudoku", py_sudoku), ("dlxsudoku", dlxsudoku),
                       ("sudokutools", sudokutools)]:
        try:
            yield name, name, make()
        except Exception as error:
            print(f"left out: {name} ({type(error).__name__}: {error})", file=sys.stderr)


def generators():
    yield "ninefold, minimal, by arrays", None
    try:
        from sudoku import Sudoku

        def py_sudoku(seed):
            board = Sudoku(3, 3, seed=seed).difficulty(0.6).board
            return "".join(str(d or 0) for row in board for d in row)

        yield "py-sudoku, difficulty 0.6", py_sudoku
    except Exception as error:
        print(f"left out: py-sudoku ({error})", file=sys.stderr)
    try:
        import rustoku

        yield "rustoku, hard", lambda _: rustoku.generate("hard")
    except Exception as error:
        print(f"left out: rustoku ({error})", file=sys.stderr)
    try:
        from sudokutools.generate import generate as make

        yield "sudokutools", lambda _: make(min_count=17).encode(row_sep="", col_sep="")
    except Exception as error:
        print(f"left out: sudokutools ({error})", file=sys.stderr)


def digits(text):
    return "".join(sign if sign in "123456789" else "0" for sign in str(text) if sign in "0123456789._")


def race(puzzles, solutions, seconds):
    expected = lines(solutions)
    rows = []
    for threads in (1, 0):
        began_cpu, began, count = time.process_time(), time.perf_counter(), 0
        while time.perf_counter() - began < seconds:
            answer = ninefold.solve(puzzles, threads=threads)
            count += len(puzzles)
        cpu, wall = time.process_time() - began_cpu, time.perf_counter() - began
        assert (answer.solutions == solutions).all() and (answer.counts == 1).all()
        rows.append((f"ninefold, arrays, {'all cores' if threads == 0 else 'one thread'}", count / cpu, count / wall, count, 0))
    for name, _, solve in solvers(puzzles):
        began_cpu, began, count, wrong = time.process_time(), time.perf_counter(), 0, 0
        answers = []
        while time.perf_counter() - began < seconds and count < len(puzzles):
            try:
                answers.append(solve(count))
            except Exception:
                answers.append("")
            count += 1
        cpu, wall = time.process_time() - began_cpu, time.perf_counter() - began
        wrong = sum(digits(answer) != right for answer, right in zip(answers, expected))
        rows.append((name, count / cpu, count / wall, count, wrong))
    return rows


def make(seconds):
    rows = []
    for name, one in generators():
        began_cpu, began, made = time.process_time(), time.perf_counter(), []
        if one is None:
            stream = ninefold.batches(2000, seed=int(time.time()), minimal=True)
            while time.perf_counter() - began < seconds:
                made.append(next(stream).puzzles)
            cpu = time.process_time() - began_cpu
            made = np.concatenate(made)
        else:
            while time.perf_counter() - began < seconds:
                made.append(digits(one(len(made))))
            cpu = time.process_time() - began_cpu
            made = np.array([[int(d) for d in text] for text in made if len(text) == 81], np.uint8)
        unique = float((ninefold.count(made, limit=2) == 1).mean())
        sample = made[:20_000]
        classes = len(np.unique(ninefold.canonical(sample).fingerprints, axis=0))
        rows.append((name, len(made) / cpu, len(made), unique, classes, len(sample)))
    return rows


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--puzzles", type=int, default=80_000)
    options.add_argument("--seconds", type=float, default=5.0)
    options = options.parse_args()
    puzzles, solutions = ninefold.generate(options.puzzles, seed=2026, minimal=True)
    versions = []
    for package in ("rustoku", "ortools", "py-sudoku", "dlxsudoku", "sudokutools"):
        with contextlib.suppress(importlib.metadata.PackageNotFoundError):
            versions.append(f"{package} {importlib.metadata.version(package)}")
    print(f"Python {platform.python_version()}, NumPy {np.__version__}, ninefold {ninefold.__version__}, {', '.join(versions)}; "
          f"{options.puzzles:,} random minimal puzzles, {options.seconds} s each\n")
    rows = race(puzzles, solutions, options.seconds)
    best = rows[0][1]
    print("| solve | per CPU second | ours ÷ it | per second | puzzles | wrong |\n|---|---:|---:|---:|---:|---:|")
    for name, per_cpu, per_second, count, wrong in rows:
        print(f"| {name} | {per_cpu:,.0f} | {best / per_cpu:,.0f} | {per_second:,.0f} | {count:,} | {wrong} |")
    print("\n| generate | per CPU second | puzzles | one solution | classes |\n|---|---:|---:|---:|---:|")
    for name, per_cpu, count, unique, classes, sample in make(options.seconds):
        print(f"| {name} | {per_cpu:,.1f} | {count:,} | {unique:.1%} | {classes:,} of {sample:,} |")


if __name__ == "__main__":
    main()

"""Exported ONNX networks give the same results in onnxruntime as on the command line."""

import json
import os
import subprocess

import numpy as np
import pytest

import ninefold

pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")
COMMAND = os.environ.get("NINEFOLD")
pytestmark = pytest.mark.skipif(COMMAND is None, reason="NINEFOLD names no command")


def exported(name, folder):
    """Exports a network to a file."""
    file = folder / f"{name}.onnx"
    subprocess.run([COMMAND, "models", "--export", "onnx", name, str(file)], check=True, capture_output=True)
    return file


@pytest.mark.parametrize("name, side", [("multiverse", 4), ("rrn", 9), ("cnn", 9)])
def test_onnxruntime_matches_the_command(name, side, tmp_path):
    puzzles, solutions = ninefold.generate(20, seed=3, size=side, clues=(6, 8) if side == 4 else (36, 40))
    filled, odds = ninefold.predict(exported(name, tmp_path), puzzles)
    assert odds.shape == (20, side * side, side) and np.allclose(odds.sum(axis=2), 1, atol=1e-4)
    solved = int((filled == solutions).all(axis=1).sum())
    lines = tmp_path / "puzzles.txt"
    lines.write_text("\n".join("".join(str(number) for number in puzzle) for puzzle in puzzles))
    output = subprocess.run([COMMAND, "evaluate", name, str(lines), "--json"], check=True, capture_output=True)
    assert json.loads(output.stdout)["solved"] == solved
    assert solved > 10


def test_rejects_invalid_input(tmp_path):
    file = exported("multiverse", tmp_path)
    assert ninefold.predict(file, "1..4..1..3..4..3").filled == "1234341223414123"
    with pytest.raises(ninefold.NinefoldError, match="expected grids of 16 cells, found 81"):
        ninefold.predict(file, "." * 81)
    with pytest.raises(ninefold.NinefoldError, match="puzzle 0, row 1, column 1: expected a number from 0 to 4, found 5"):
        ninefold.predict(file, np.full((1, 16), 5, np.uint8))
    with pytest.raises(ninefold.NinefoldError, match="batch: expected"):
        ninefold.predict(file, "1..4..1..3..4..3", batch=0)
    file.write_bytes(file.read_bytes()[:1000])
    with pytest.raises(ninefold.NinefoldError, match="onnxruntime cannot load"):
        ninefold.predict(file, "1..4..1..3..4..3")

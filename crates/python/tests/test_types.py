"""What type checkers infer for the results."""

import pytest

api = pytest.importorskip("mypy.api")

CODE = """
from typing import Any, assert_type
import numpy as np
from numpy.typing import NDArray
import ninefold

text = "1..4..1..3..4..3"
assert_type(ninefold.solve(text).solutions, str | None)
assert_type(ninefold.solve(text).counts, int)
assert_type(ninefold.solve([text]).solutions, list[str | None])
assert_type(ninefold.solve([text]).counts, NDArray[np.uint64])
assert_type(ninefold.solve(np.zeros((2, 81), np.uint8)).solutions, NDArray[np.uint8])
assert_type(ninefold.count(text), int)
assert_type(ninefold.verify(text, text), bool)
assert_type(ninefold.check([text]).minimal, NDArray[np.bool_])
assert_type(ninefold.rate(text), float)
assert_type(ninefold.rate([text], details=True), list[dict[str, Any]])
assert_type(ninefold.explain(text), ninefold.Explanation)
assert_type(ninefold.explain([text]), list[ninefold.Explanation])
assert_type(ninefold.read_puzzle(text).solve().counts, int)
assert_type(ninefold.generate(2, seed=1).puzzles, NDArray[np.uint8])
"""


def test_type_checkers_infer_precise_results(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(CODE)
    arguments = ["--python-version", "3.11", "--ignore-missing-imports", "--follow-imports", "silent"]
    report, problems, status = api.run([*arguments, "--cache-dir", str(tmp_path / "cache"), str(program)])
    assert status == 0, report + problems
    program.write_text(CODE + 'assert_type(ninefold.count(text), str)\n')
    assert api.run([*arguments, "--cache-dir", str(tmp_path / "cache"), str(program)])[2] == 1, "the check can fail"

"""Inputs: arrays of any integer type and strides are accepted, everything else is rejected with a message."""

import numpy as np
import pytest
from conftest import PUZZLE
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

import ninefold

NOT_INTEGERS = "expected strings or integers, 0 for an empty cell, found"
WRONG_SHAPE = "found an array of shape"


def one(x):
    """The only row, for functions that take one puzzle."""
    return x[0] if isinstance(x, np.ndarray) and x.shape == (1, 81) else x


#: Every function that takes puzzles.
FUNCTIONS = {
    "solve": ninefold.solve,
    "count": ninefold.count,
    "check": ninefold.check,
    "verify": lambda x: ninefold.verify(x, x),
    "rate": ninefold.rate,
    "buckets": lambda x: ninefold.buckets(x, [1.0]),
    "explain": ninefold.explain,
    "hint": lambda x: ninefold.hint(one(x)),
    "picture": lambda x: ninefold.picture(one(x)),
    "step_labels": ninefold.step_labels,
    "augment": lambda x: ninefold.augment(x, seed=1),
    "canonical": ninefold.canonical,
    "split": lambda x: ninefold.split(x, seed=1),
    "tokens": ninefold.tokens,
    "score": lambda x: ninefold.score(x, x, x),
    "write_hrm": lambda x: ninefold.write_hrm("not-written", x, x, seed=1),
    "predict": lambda x: ninefold.predict("kaleidoscope", x),
}


def row(number, dtype=np.uint8):
    """An empty puzzle with this number in row 3, column 7."""
    puzzle = np.zeros((1, 81), dtype)
    puzzle[0, 24] = number
    return puzzle


REJECTED = {
    "floats": (np.zeros((1, 81)), TypeError, f"{NOT_INTEGERS} float64"),
    "halves": (np.full((1, 81), np.nan, np.float16), TypeError, f"{NOT_INTEGERS} float16"),
    "truths": (np.zeros((1, 81), bool), TypeError, f"{NOT_INTEGERS} bool"),
    "complex numbers": (np.zeros((1, 81), complex), TypeError, f"{NOT_INTEGERS} complex128"),
    "dates": (np.zeros((1, 81), "datetime64[s]"), TypeError, f"{NOT_INTEGERS} datetime64"),
    "records": (np.zeros(81, [("a", "u1"), ("b", "u1")]), TypeError, NOT_INTEGERS),
    "objects": ([object()] * 81, TypeError, f"{NOT_INTEGERS} object"),
    "an object": (object(), TypeError, f"{NOT_INTEGERS} object"),
    "nothing": (None, TypeError, f"{NOT_INTEGERS} object"),
    "a fraction": (5.5, TypeError, f"{NOT_INTEGERS} float64"),
    "numbers beyond 64 bits": ([2**70] * 81, TypeError, f"{NOT_INTEGERS} object"),
    "text among numbers": ([PUZZLE, 5], ninefold.NinefoldError, "puzzle 1: expected a string, found 5"),
    "rows of 80": (np.zeros((2, 80), np.uint8), ninefold.NinefoldError, WRONG_SHAPE),
    "no columns": (np.zeros((3, 0), np.uint8), ninefold.NinefoldError, WRONG_SHAPE),
    "no rows of 80": (np.zeros((0, 80), np.uint8), ninefold.NinefoldError, WRONG_SHAPE),
    "a number": (np.uint8(5), ninefold.NinefoldError, WRONG_SHAPE),
    "a half grid": (np.zeros((9, 8), np.uint8), ninefold.NinefoldError, WRONG_SHAPE),
    "four axes": (np.zeros((2, 2, 9, 9), np.uint8), ninefold.NinefoldError, WRONG_SHAPE),
    "lists of two lengths": ([[1, 2], [3]], ninefold.NinefoldError, "cannot convert to an array"),
    "ten": (row(10), ninefold.NinefoldError, "puzzle 0, row 3, column 7: expected a number from 0 to 9, found 10"),
    "255": (row(255), ninefold.NinefoldError, "puzzle 0, row 3, column 7: expected a number from 0 to 9, found 255"),
    "-1": (row(-1, np.int8), ninefold.NinefoldError, "puzzle 0, row 3, column 7: expected a number from 0 to 9, found -1"),
    "256": (row(256, np.int16), ninefold.NinefoldError, "puzzle 0, row 3, column 7: expected a number from 0 to 9, found 256"),
    "the least": (row(-(2**63), np.int64), ninefold.NinefoldError, "row 3, column 7: .* found -9223372036854775808"),
    "the most": (row(2**64 - 1, np.uint64), ninefold.NinefoldError, "row 3, column 7: .* found 18446744073709551615"),
}


@pytest.mark.parametrize("function", FUNCTIONS.values(), ids=FUNCTIONS.keys())
@pytest.mark.parametrize(("wrong", "kind", "message"), REJECTED.values(), ids=REJECTED.keys())
def test_all_functions_reject_invalid_puzzles_alike(function, wrong, kind, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(kind, match=message):
        function(wrong)
    assert not list(tmp_path.iterdir()), "no file was written"


@pytest.mark.parametrize("dtype", ["u1", "i1", "<u2", ">u2", "<i4", ">i4", "<i8", ">i8", "<u8", ">u8"])
def test_accepts_every_integer_type(generated, dtype):
    x, y = generated.puzzles[:8], generated.solutions[:8]
    assert (ninefold.solve(x.astype(dtype)).solutions == y).all()


def views(x):
    """The same numbers with other strides."""
    wide = np.full((len(x), 100), 77, np.uint8)
    wide[:, 7:88] = x
    yield wide[:, 7:88]
    yield np.asfortranarray(x)
    yield np.repeat(x, 3, axis=0)[1::3]
    yield np.repeat(x, 2, axis=1)[:, ::2]
    yield x[::-1].copy()[::-1]
    yield x[:, ::-1].copy()[:, ::-1]
    yield np.frombuffer(x.tobytes(), np.uint8).reshape(x.shape)  # cannot be written to
    yield np.frombuffer(b"!" + x.tobytes(), np.uint8, offset=1).reshape(x.shape)  # at an odd address
    yield np.ma.masked_array(x)
    yield x.reshape(-1, 9, 9).transpose(0, 2, 1).copy().transpose(0, 2, 1).reshape(x.shape)


def test_accepts_all_strides_and_flags(generated):
    x, y = generated.puzzles[:20], generated.solutions[:20]
    before = x.copy()
    for number, view in enumerate(views(x)):
        assert (np.asarray(view) == x).all(), "the views of this test hold the same numbers"
        assert (ninefold.solve(view).solutions == y).all(), number
        assert ninefold.verify(view, y).all() and (ninefold.augment(view, seed=3) == ninefold.augment(x, seed=3)).all()
        assert (ninefold.predict("kaleidoscope", view).filled == ninefold.predict("kaleidoscope", x).filled).all()
    assert (x == before).all(), "nobody writes into what is handed in"
    one = np.broadcast_to(x[0], (5, 81))  # five rows that are one in memory
    assert (ninefold.solve(one).solutions == y[0]).all()


def test_solve_inplace_requires_a_writable_array(generated):
    x = generated.puzzles[:20]
    readonly = np.frombuffer(x.tobytes(), np.uint8).reshape(x.shape)
    for wrong in (readonly, np.asfortranarray(x), x.repeat(2, axis=1)[:, ::2], x[0].copy(), x.reshape(-1, 9, 9).copy()):
        with pytest.raises(ninefold.NinefoldError, match="C-contiguous and writable"):
            ninefold.solve_inplace(wrong)
    for wrong in (x.astype(np.int8), x.astype(float), x.astype(object)):
        with pytest.raises(TypeError, match="expected an array of uint8, found"):
            ninefold.solve_inplace(wrong)
    for wrong in (None, x.tolist(), PUZZLE):
        with pytest.raises(TypeError, match="expected an array, found"):
            ninefold.solve_inplace(wrong)
    with pytest.raises(ninefold.NinefoldError, match="expected rows of"):
        ninefold.solve_inplace(np.zeros((2, 80), np.uint8))
    grids = x.copy()
    grids[3, 5] = 10
    kept = grids.copy()
    with pytest.raises(ninefold.NinefoldError, match="puzzle 3, row 1, column 6: .* found 10"):
        ninefold.solve_inplace(grids)
    assert (grids == kept).all(), "rejected arrays are unchanged"
    assert ninefold.solve_inplace(np.zeros((0, 81), np.uint8)).shape == (0,)


def test_empty_inputs_have_empty_results():
    for empty, cells in ((np.zeros((0, 81), np.uint8), 81), (np.zeros((0, 16), np.int64), 16), ([], 81)):
        assert ninefold.solve(empty).solutions.shape == (0, cells)
        assert ninefold.count(empty).shape == (0,) and ninefold.check(empty).minimal.shape == (0,)
        assert ninefold.verify(empty, empty).shape == (0,) and ninefold.rate(empty).shape == (0,)
        assert ninefold.explain(empty) == [] and len(ninefold.step_labels(empty)["cell"]) == 0
        assert ninefold.augment(empty, seed=1).shape == (0, cells)
        assert ninefold.canonical(empty).fingerprints.shape == (0, 16)
        assert all(len(rows) == 0 for rows in ninefold.split(empty, seed=1).values())
        assert ninefold.tokens(empty).shape == (0, cells)
        assert ninefold.predict("kaleidoscope", empty).filled.shape == (0, cells)
    assert ninefold.solve(np.zeros((0, 9, 9), np.uint8)).solutions.shape == (0, 9, 9)
    with pytest.raises(ninefold.NinefoldError, match="at least one puzzle"):
        ninefold.score([], [], [])


@given(arrays.arrays(st.sampled_from([np.uint8, np.int16, np.int64, np.float32, bool, object]),
                     arrays.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=17)))
@settings(max_examples=150, deadline=None)
def test_any_array_is_solved_or_rejected(array):
    try:
        solutions, counts = ninefold.solve(array, limit=1)
    except (TypeError, ninefold.NinefoldError) as error:
        assert str(error)
    else:
        assert np.shape(solutions) == array.shape or array.size == 0 and np.size(solutions) == 0

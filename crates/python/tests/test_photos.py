"""Reading puzzles from pixels and files."""

import numpy as np
import pytest

import ninefold

# Five by seven pixels for each digit.
GLYPHS = {
    1: "0010001100001000010000100001000111",
    2: "01110100010000100010001000100011111",
    3: "11111000100010000010000011000101110",
    4: "00010001100101010010111110001000010",
    5: "11111100001111000001000011000101110",
    6: "00110010001000011110100011000101110",
    7: "11111000010001000100010000100001000",
    8: "01110100011000101110100011000101110",
    9: "01110100011000101111000010001001100",
}


def drawn(puzzle, cell=40):
    """A screenshot of a puzzle."""
    size = 11 * cell
    pixels = np.full((size, size), 250, np.uint8)
    for line in range(10):
        at, width = cell * (line + 1), 3 if line % 3 == 0 else 1
        pixels[at : at + width, cell : 10 * cell + 3] = 20
        pixels[cell : 10 * cell + 3, at : at + width] = 20
    for index, digit in enumerate(puzzle):
        if digit:
            bits = GLYPHS[digit].ljust(35, "0")
            glyph = np.array([int(bit) for bit in bits]).reshape(7, 5)
            glyph = np.kron(glyph, np.ones((3, 3), int))
            y, x = cell * (index // 9 + 1) + 10, cell * (index % 9 + 1) + 13
            area = pixels[y : y + 21, x : x + 15]
            area[glyph == 1] = 20
    return pixels


def test_finds_the_grid_and_its_cells():
    puzzle = [0] * 81
    puzzle[0], puzzle[80] = 5, 8
    reading = ninefold.read_image(drawn(puzzle))
    assert reading.puzzle.shape == (81,)
    assert reading.probabilities.shape == (81, 10)
    assert np.abs(reading.corners[0] - 41).max() < 5
    assert reading.outcome == "unresolved"
    assert reading.solution is None
    empty = [index for index in range(81) if puzzle[index] == 0]
    assert not reading.puzzle[empty].any()


def test_colours_and_grey_pixels_agree():
    grey = drawn([0] * 80 + [8])
    colour = np.stack([grey] * 3, axis=2)
    assert (ninefold.read_image(colour).puzzle == ninefold.read_image(grey).puzzle).all()


@pytest.mark.parametrize("source", [b"no image", np.zeros((5, 5)), np.zeros(5, np.uint8)])
def test_rejects_what_is_no_image(source):
    with pytest.raises(ninefold.NinefoldError):
        ninefold.read_image(source)

"""Reads puzzles from photos and screenshots."""

from __future__ import annotations

import os
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from . import _native


class ImageReading(NamedTuple):
    """A board that was read from an image."""

    #: The digits, 0 for an empty cell.
    puzzle: NDArray[np.uint8]
    #: ``"read"``; ``"corrected"`` if the rules changed a digit; ``"unresolved"`` if digits must be
    #: checked.
    outcome: str
    #: The probability that all digits are right.
    confidence: float
    #: The probability that each digit is right.
    confidences: NDArray[np.float32]
    #: The digits as seen, without the rules.
    seen: NDArray[np.uint8]
    #: Probabilities of "no digit" and of each digit, without the rules: one row per cell.
    probabilities: NDArray[np.float32]
    #: ``None`` unless the puzzle has exactly one solution.
    solution: NDArray[np.uint8] | None
    #: Top left, top right, bottom right and bottom left of the upright board, in pixels.
    corners: NDArray[np.float32]


def read_image(source: Any) -> ImageReading:
    """Reads a puzzle from a photo or a screenshot.

    ``source`` is the path of a JPEG, PNG or WebP file, the bytes of such a file, or an array of
    pixels of type ``uint8`` with shape (height, width), or (height, width, 3 or 4) for colours.

    >>> import ninefold
    >>> import numpy as np
    >>> ninefold.read_image(np.full((200, 200), 255, np.uint8))
    Traceback (most recent call last):
    ...
    ninefold.NinefoldError: there is no Sudoku grid in the image
    """
    if isinstance(source, (bytes, bytearray)):
        return ImageReading(**_native.read_image_file(bytes(source)))
    if isinstance(source, (str, os.PathLike)):
        with open(source, "rb") as file:
            return ImageReading(**_native.read_image_file(file.read()))
    pixels = np.asarray(source)
    if pixels.dtype != np.uint8:
        raise _native.NinefoldError(f"expected pixels of type uint8, found {pixels.dtype}")
    if pixels.ndim == 3 and pixels.shape[2] in (3, 4):
        pixels = (pixels[..., :3] @ np.array([0.299, 0.587, 0.114])).astype(np.uint8)
    if pixels.ndim != 2:
        raise _native.NinefoldError(f"expected an array of pixels, found the shape {pixels.shape}")
    return ImageReading(**_native.read_image_pixels(pixels))

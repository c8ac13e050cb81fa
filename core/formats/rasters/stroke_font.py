"""Small letters as pixels, for the legend of a quick look: no font is at hand without a window."""

from __future__ import annotations

import unicodedata

import numpy as np

from coterie.core.model.arrays import Array

HEIGHT, WIDTH = 7, 5
# Seven rows of five pixels for each letter, as two hexadecimal digits a row.
_GLYPHS = {
    "A": "0e11111f111111",
    "B": "1e11111e11111e",
    "C": "0e11101010110e",
    "D": "1e11111111111e",
    "E": "1f10101e10101f",
    "F": "1f10101e101010",
    "G": "0e11101711110f",
    "H": "1111111f111111",
    "I": "0e04040404040e",
    "J": "0702020202120c",
    "K": "11121418141211",
    "L": "1010101010101f",
    "M": "111b1515111111",
    "N": "11111915131111",
    "O": "0e11111111110e",
    "P": "1e11111e101010",
    "Q": "0e11111115120d",
    "R": "1e11111e141211",
    "S": "0f10100e01011e",
    "T": "1f040404040404",
    "U": "1111111111110e",
    "V": "11111111110a04",
    "W": "1111111515150a",
    "X": "11110a040a1111",
    "Y": "1111110a040404",
    "Z": "1f01020408101f",
    "0": "0e11131519110e",
    "1": "040c040404040e",
    "2": "0e11010204081f",
    "3": "1f02040201110e",
    "4": "02060a121f0202",
    "5": "1f101e0101110e",
    "6": "0608101e11110e",
    "7": "1f010204080808",
    "8": "0e11110e11110e",
    "9": "0e11110f01020c",
    "-": "0000001f000000",
    "_": "0000000000001f",
    ".": "00000000000c0c",
    ",": "000000000c0408",
    "%": "18190204081303",
    "/": "01010204081010",
    "(": "02040808080402",
    ")": "08040202020408",
    "+": "0004041f040400",
    "=": "00001f001f0000",
    ":": "000c0c000c0c00",
    "&": "0c12140815120d",
    "'": "0c040800000000",
    "?": "0e110102040004",
}


def lettered(text: str) -> Array:
    """Return a text as a picture of its letters, capitals all: (7, 6 · letters) booleans.

    Accents are left out, so that É is an E; ß becomes two letters.

    >>> ["".join(".#"[dot] for dot in row) for row in lettered("I")[:3].tolist()]
    ['.###..', '..#...', '..#...']
    """
    apart = unicodedata.normalize("NFKD", text.upper())
    letters = [letter for letter in apart if not unicodedata.combining(letter)]
    picture = np.zeros((HEIGHT, (WIDTH + 1) * max(1, len(letters))), dtype=np.bool_)
    for place, letter in enumerate(letters):
        code = _GLYPHS.get(letter, "" if letter.isspace() else _GLYPHS["?"])
        for row in range(len(code) // 2):
            bits = int(code[2 * row : 2 * row + 2], 16)
            left = place * (WIDTH + 1)
            dots = [bits >> (WIDTH - 1 - j) & 1 for j in range(WIDTH)]
            picture[row, left : left + WIDTH] = dots
    return picture

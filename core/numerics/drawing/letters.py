"""Letters as strokes, for pictures of pixels: there is no font where there is no window.

A letter is strokes on a grid, 4 wide and 6 high (8 with what hangs below the line); a stroke is
the places it goes through, two digits each: "0006" goes from the upper left straight down.
"""

from __future__ import annotations

from unicodedata import normalize

import numpy as np

from coterie.core.model.arrays import Floats

ADVANCE, BASELINE = 5.6, 6.0
_BOX = "0046 4006 0006464000"  # for what there is no letter for
_STROKES = {
    "A": "062046 1434", "B": "00063645443303 3342413000", "C": "4130100105163645",
    "D": "00062644422000", "E": "40000646 0333", "F": "400006 0333",
    "G": "41301001051636454323", "H": "0006 4046 0343", "I": "1030 2026 1636",
    "J": "4045361605", "K": "0006 4004 1346", "L": "000646", "M": "0600234046",
    "N": "06004640", "O": "100105163645413010", "P": "06003041423303",
    "Q": "100105163645413010 2446", "R": "06003041423303 2346",
    "S": "413010010213334445361605", "T": "0040 2026", "U": "000516364540", "V": "002640",
    "W": "0016233640", "X": "0046 4006", "Y": "002340 2326", "Z": "00400646",
    "a": "12324346 441405163645", "b": "0006364543321203", "c": "4332120305163645",
    "d": "4046160503123243", "e": "04444332120305163645", "f": "40302126 1242",
    "g": "4247381807 4332120305163645", "h": "0006 0312324346", "i": "2226 2020",
    "j": "32372817 3030", "k": "0006 4205 1446", "l": "2026", "m": "0206 03122326 23324346",
    "n": "0206 0312324346", "o": "120305163645433212", "p": "0208 0312324345361605",
    "q": "4248 4332120305163645", "r": "0206 03123243", "s": "43321203143445361605",
    "t": "20253646 0242", "u": "0205163645 4246", "v": "022642", "w": "0216243642",
    "x": "0246 4206", "y": "0226 4218", "z": "02420646",
    "0": "100105163645413010", "1": "112026 1636", "2": "01103041420646",
    "3": "0110304142334445361605 1333", "4": "300444 3036", "5": "400002324345361605",
    "6": "4130100105163645443303", "7": "004016",
    "8": "1001021333444536160504133342413010", "9": "4313020110304145361605",
    ".": "2626", ",": "2617", ":": "2323 2626", ";": "2323 2617", "!": "2024 2626",
    "?": "01103041422324 2626", "-": "1333", "+": "0343 2125", "=": "0242 0444", "/": "0640",
    "\\": "0046", "(": "30212536", ")": "10212516", "[": "30101636", "]": "10303616",
    "{": "3021132536", "}": "1021332516", "<": "410345", ">": "014305",
    "%": "0640 0101 4545", "&": "46011020310405163644", "*": "2125 0244 0442",
    "#": "1016 3036 0242 0444", "@": "3616050110304144342434", "_": "0646", "'": "2021",
    '"': "1011 3031", "^": "022042", "|": "2026", "~": "03123342", "`": "1021",
    "$": "413010010213334445361605 2026", "·": "2323", "°": "1020211110", " ": "",
}  # fmt: skip
_INSTEAD = str.maketrans({"−": "-", "–": "-", "—": "-", "×": "x", "’": "'", "“": '"', "”": '"'})


def width_of(words: str) -> float:
    """Return how wide words are, in units of the grid."""
    return max(0.0, ADVANCE * len(_letters(words)) - (ADVANCE - 4.0))


def strokes_of(words: str) -> list[Floats]:
    """Return the strokes of words, each (places, 2), in units of the grid; y runs downwards.

    >>> [stroke.tolist() for stroke in strokes_of("L")]
    [[[0.0, 0.0], [0.0, 6.0], [4.0, 6.0]]]
    """
    strokes: list[Floats] = []
    for position, letter in enumerate(_letters(words)):
        for stroke in _STROKES.get(letter, _BOX).split():
            places = np.array([int(digit) for digit in stroke], dtype=np.float64).reshape(-1, 2)
            strokes.append(places + np.array([ADVANCE * position, 0.0]))
    return strokes


def _letters(words: str) -> list[str]:
    """The letters to draw: of accents, ligatures and raised letters what they are made of."""
    plain = normalize("NFKD", words.translate(_INSTEAD))
    return [letter for letter in plain if not 0x300 <= ord(letter) < 0x370]

"""Words whose order is known: yes and no, and the steps of common scales, in several languages."""

from __future__ import annotations

from collections.abc import Iterable

# No first, yes second.
_PAIRS = (
    *(("no", "yes"), ("n", "y"), ("false", "true"), ("f", "t"), ("off", "on")),
    *(("nein", "ja"), ("n", "j"), ("falsch", "wahr"), ("aus", "an")),
    *(("non", "oui"), ("n", "o"), ("faux", "vrai")),
    *(("no", "sí"), ("no", "si"), ("n", "s"), ("falso", "verdadero"), ("falso", "vero")),
    *(("não", "sim"), ("nao", "sim"), ("falso", "verdadeiro")),
    *(("nee", "ja"), ("onwaar", "waar"), ("nie", "tak"), ("nej", "ja"), ("ne", "ano")),
    *(("нет", "да"), ("hayır", "evet"), ("否", "是"), ("いいえ", "はい")),
    *(("absent", "present"), ("negative", "positive"), ("negativ", "positiv")),
)
# The least first.
_SCALES = (
    ("very low", "low", "medium", "high", "very high"),
    ("very low", "low", "moderate", "high", "very high"),
    ("low", "normal", "high"),
    ("low", "mid", "high"),
    ("small", "medium", "large", "extra large"),
    ("xxs", "xs", "s", "m", "l", "xl", "xxl", "xxxl"),
    ("never", "rarely", "sometimes", "often", "always"),
    ("never", "seldom", "sometimes", "often", "always"),
    ("never", "rarely", "sometimes", "frequently", "always"),
    ("strongly disagree", "disagree", "neutral", "agree", "strongly agree"),
    ("strongly disagree", "disagree", "neither agree nor disagree", "agree", "strongly agree"),
    ("very dissatisfied", "dissatisfied", "neutral", "satisfied", "very satisfied"),
    ("very poor", "poor", "fair", "good", "very good", "excellent"),
    ("bad", "average", "good"),
    ("none", "mild", "moderate", "severe"),
    ("sehr niedrig", "niedrig", "mittel", "hoch", "sehr hoch"),
    ("sehr gering", "gering", "mittel", "hoch", "sehr hoch"),
    ("klein", "mittel", "groß"),
    ("nie", "selten", "manchmal", "oft", "immer"),
    ("nie", "selten", "manchmal", "häufig", "immer"),
    ("stimme gar nicht zu", "stimme nicht zu", "teils teils", "stimme zu", "stimme voll zu"),
    ("trifft nicht zu", "trifft eher nicht zu", "teils teils", "trifft eher zu", "trifft zu"),
    ("sehr schlecht", "schlecht", "mittel", "gut", "sehr gut"),
    ("faible", "moyen", "élevé"),
    ("jamais", "rarement", "parfois", "souvent", "toujours"),
    ("bajo", "medio", "alto"),
    ("nunca", "raramente", "a veces", "a menudo", "siempre"),
)
_FEWEST_STEPS = 3


def no_and_yes(words: Iterable[str]) -> tuple[str, str] | None:
    """Return the words for no and yes when there are these two and no other.

    >>> no_and_yes(["ja", "Nein"])
    ('Nein', 'ja')
    """
    given = {word.casefold(): word for word in words}
    for no, yes in _PAIRS:
        if given.keys() == {no, yes}:
            return given[no], given[yes]
    return None


def steps_of_a_scale(words: Iterable[str]) -> tuple[str, ...] | None:
    """Return the words in the order of a scale that all of them belong to, three at least.

    >>> steps_of_a_scale(["high", "low", "medium"])
    ('low', 'medium', 'high')
    """
    all_words = list(words)
    given = {word.casefold().replace("_", " ").strip(): word for word in all_words}
    if not _FEWEST_STEPS <= len(given) == len(all_words):
        return None
    for scale in _SCALES:
        if given.keys() <= set(scale):
            return tuple(given[step] for step in scale if step in given)
    return None

"""Names and ids from external files, with checks of names and a normal form for similar ids."""

import re
import unicodedata

from ndcg_companion.text import UNSEEN, check_plain, escaped

# Format characters that occur in ids: soft hyphen, zero-width signs, direction marks, byte-order mark.
_FORMAT_CHARACTERS = re.compile("[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]")


def check_names(names: list, noun: str) -> None:
    """Check that names are texts that can be shown and distinguished.

    Parameters
    ----------
    names : list
        The names to check.
    noun : str
        The noun for the names in error messages, for instance "system".

    Raises
    ------
    ValueError
        If a name is not a text, cannot be shown, is blank, or looks like another name.

    Examples
    --------
    >>> check_names(["caf\\u00e9", "cafe\\u0301"], "system")
    Traceback (most recent call last):
    ...
    ValueError: system 'cafe\\u0301': expected a name that does not look like 'caf\\xe9'
    """
    originals: dict = {}
    for name in names:
        if not isinstance(name, str):
            raise ValueError(f"{noun} {escaped(repr(name))}: expected a text as a name")
        appearance = " ".join(unicodedata.normalize("NFC", check_plain(name, noun)).split())
        if not appearance:
            raise ValueError(f"{noun} '{escaped(name)}': expected a name that is not blank")
        if appearance in originals:
            similar_name = escaped(ascii(originals[appearance]))
            raise ValueError(
                f"{noun} {escaped(ascii(name))}: expected a name that does not look like {similar_name}"
            )
        originals[appearance] = name


def folded(texts: list) -> list:
    """Return the texts after removing differences that are easily lost.

    Such differences concern letter case, the composition of accents, invisible characters, and leading or
    trailing space. Ids that differ only in these respects are distinct, but they may be meant to be the same
    id.

    >>> folded(["LA-1", "cafe\\u0301", "d\\u200b1"]) == folded(["la-1", "caf\\u00e9 ", "d1"])
    True
    """
    if not texts:
        return []
    # All texts are processed at once, because there may be millions. Ids with line ends are rare.
    joined = "\n".join(texts)
    if joined.count("\n") >= len(texts):  # some text contains a line end
        return [" ".join(folded([part])[0] for part in text.split("\n")) for text in texts]
    if not joined.isascii():
        joined = unicodedata.normalize("NFKC", _FORMAT_CHARACTERS.sub("", UNSEEN.sub("", joined)))
    folded_texts = joined.casefold().split("\n")
    # Only if some text may have outer space, they are stripped one by one.
    may_have_space = not joined.isascii() or any(space in joined for space in " \t\r\x0b\x0c\x1c\x1d\x1e\x1f")
    return [part.strip() for part in folded_texts] if may_have_space else folded_texts

"""Names and ids in files of others: which are refused as names of ours, and which may be meant as one."""

import re
import unicodedata

from ndcg_companion.text import UNSEEN, check_plain, escaped

# The format characters that turn up in ids: soft hyphen, zero-width signs, directions, byte-order mark.
_FORMAT = re.compile("[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]")


def check_names(names: list, noun: str) -> None:
    """Refuse names that are no text, cannot be shown, are blank, or look like one another.

    Raises
    ------
    ValueError

    Examples
    --------
    >>> check_names(["caf\\u00e9", "cafe\\u0301"], "system")
    Traceback (most recent call last):
    ...
    ValueError: system 'cafe\\u0301': expected a name that does not look like that of another, 'caf\\xe9'
    """
    originals: dict = {}
    for name in names:
        if not isinstance(name, str):
            raise ValueError(f"{noun} {escaped(repr(name))}: expected a text as its name")
        looks = " ".join(unicodedata.normalize("NFC", check_plain(name, noun)).split())
        if not looks:
            raise ValueError(f"{noun} '{escaped(name)}': expected a name that is not blank")
        if looks in originals:
            difference = f"that does not look like that of another, {escaped(ascii(originals[looks]))}"
            raise ValueError(f"{noun} {escaped(ascii(name))}: expected a name {difference}")
        originals[looks] = name


def folded(texts: list) -> list:
    """Texts without what is easily lost: letter case, how accents are composed, unseen signs, outer space.

    Two ids that differ in nothing else are two ids; but they may be meant as one.

    >>> folded(["LA-1", "cafe\\u0301", "d\\u200b1"]) == folded(["la-1", "caf\\u00e9 ", "d1"])
    True
    """
    if not texts:
        return []
    # All at once, as there may be millions: a line end is no part of an id but in rare mappings.
    whole = "\n".join(texts)
    if whole.count("\n") >= len(texts):
        return [" ".join(folded([part])[0] for part in text.split("\n")) for text in texts]
    if not whole.isascii():
        whole = unicodedata.normalize("NFKC", _FORMAT.sub("", UNSEEN.sub("", whole)))
    parts = whole.casefold().split("\n")
    blank = not whole.isascii() or any(space in whole for space in " \t\r\x0b\x0c\x1c\x1d\x1e\x1f")
    return [part.strip() for part in parts] if blank else parts

"""Write untrusted text as LaTeX."""

from unicodedata import normalize

from ndcg_companion.text import escaped

_FORMULAS = {
    "αβγδεζηθικλμ": "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu",
    "νξπρςστυφχψω": "nu xi pi rho varsigma sigma tau upsilon phi chi psi omega",
    "ΓΔΘΛΞΠΣΥΦΨΩ": "Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega",
    "≤≥≠≈→←∞√": "leq geq neq approx to gets infty surd",
}
# ASCII characters must appear as they are and never act as commands. In pdfLaTeX's first font encoding, < >
# and | would give other glyphs. Latin letters stay, because pdfLaTeX reads them. It rejects Greek letters and
# mathematical signs, so they become formulas. Greek letters that look like Latin ones have no command of
# their own. Other scripts stay for engines that can read them.
_LATEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    **{character: f"\\{character}" for character in "&%$#_{}"},
    **{character: f"{{{character}}}" for character in "\"'`-[]*"},
    **{sign: f"$\\{name}$" for signs, names in _FORMULAS.items() for sign, name in zip(signs, names.split())},
    "−": "$-$",
    **dict(zip("ΑΒΕΖΗΙΚΜΝΟΡΤΧο", "ABEZHIKMNOPTXo")),
}


def latex(text):
    """Return untrusted text as LaTeX that pdfLaTeX can read.

    Characters of scripts other than Latin and Greek are not changed.

    >>> print(latex("50%_off α"))
    50\\%\\_off $\\alpha$
    """
    text = normalize("NFC", escaped(text, 200))  # pdfLaTeX reads é but not e with a combining accent
    return "".join(_LATEX.get(character, character) for character in text)

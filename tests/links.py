"""Asks for every address outside the site that the site links to: python tests/links.py _build/book/html

No test of the site does this, because other people's servers are no property of the book. Exit codes: 0 all
answer, or refuse a script as some publishers do; 1 some fail, each named with the pages that link to it.
"""

import sys
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPException
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import urldefrag
from urllib.request import Request, urlopen

import gates

REFUSED = {401, 403, 405, 429, 451, 503}  # what servers tell those that they take for a machine
AGENT = {"User-Agent": "Mozilla/5.0 (link check of a book)", "Accept": "*/*"}


def linked(site):
    """Addresses, each with the pages that link to it."""
    found = defaultdict(set)
    for path in site.rglob("*.html"):
        for link in gates.external_links(gates.read(path)):
            address = urldefrag(link).url
            found[f"https:{address}" if address.startswith("//") else address].add(
                path.relative_to(site).as_posix()
            )
    return found


def answer(address, timeout=20):
    """What became of an address: 'answers', 'refuses: …' or 'fails: …'."""
    told = ""
    for method in ("HEAD", "GET", "GET"):  # some know no HEAD, some are slow to wake
        try:
            with urlopen(Request(address, headers=AGENT, method=method), timeout=timeout):
                return "answers"
        except HTTPError as error:
            told = f"{'refuses' if error.code in REFUSED else 'fails'}: {error.code} {error.reason}"
        except (OSError, HTTPException, ValueError) as error:
            told = f"fails: {getattr(error, 'reason', error)}"
    return told


def main(site):
    """Ask for all, say what came back; returns the exit code."""
    found = linked(Path(site))
    with ThreadPoolExecutor(8) as pool:
        answers = dict(zip(found, pool.map(answer, found), strict=True))
    counts = {
        kind: sum(told.startswith(kind) for told in answers.values())
        for kind in ("answers", "refuses", "fails")
    }
    print(
        f"{len(found)} addresses: {counts['answers']} answer, "
        f"{counts['refuses']} refuse a script, {counts['fails']} fail"
    )
    for address, told in sorted(answers.items(), key=lambda one: one[1]):
        if told != "answers":
            print(f"{told}: {address}\n    linked from {', '.join(sorted(found[address]))}")
    return 1 if counts["fails"] else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

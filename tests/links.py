"""Check every link from the site to other sites: python tests/links.py _build/book/html

No test does this, because the book does not control other servers. The exit code is 0 if every address
answers or rejects scripts, as some publishers do, and 1 if some fail; these are printed with the pages that
link to them.
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

REFUSED = {401, 403, 405, 429, 451, 503}  # answers of servers that reject scripts
AGENT = {"User-Agent": "Mozilla/5.0 (link check of a book)", "Accept": "*/*"}


def linked(site):
    """Return the pages that link to each address."""
    pages = defaultdict(set)
    for path in site.rglob("*.html"):
        for link in gates.external_links(gates.read(path)):
            address = urldefrag(link).url
            pages[f"https:{address}" if address.startswith("//") else address].add(
                path.relative_to(site).as_posix()
            )
    return pages


def answer(address, timeout=20):
    """Return 'answers', 'refuses: …' or 'fails: …' for an address."""
    outcome = ""
    for method in ("HEAD", "GET", "GET"):  # some do not support HEAD, some are slow at first
        try:
            with urlopen(Request(address, headers=AGENT, method=method), timeout=timeout):
                return "answers"
        except HTTPError as error:
            error.close()
            outcome = f"{'refuses' if error.code in REFUSED else 'fails'}: {error.code} {error.reason}"
        except (OSError, HTTPException, ValueError) as error:
            outcome = f"fails: {getattr(error, 'reason', error)}"
    return outcome


def main(site):
    """Check all addresses and print the failures; return the exit code."""
    pages = linked(Path(site))
    with ThreadPoolExecutor(8) as pool:
        answers = dict(zip(pages, pool.map(answer, pages), strict=True))
    counts = {
        kind: sum(outcome.startswith(kind) for outcome in answers.values())
        for kind in ("answers", "refuses", "fails")
    }
    print(
        f"{len(pages)} addresses: {counts['answers']} answer, "
        f"{counts['refuses']} refuse a script, {counts['fails']} fail"
    )
    for address, outcome in sorted(answers.items(), key=lambda row: row[1]):
        if outcome != "answers":
            print(f"{outcome}: {address}\n    linked from {', '.join(sorted(pages[address]))}")
    return 1 if counts["fails"] else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

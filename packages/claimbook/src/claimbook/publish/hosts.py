"""Hosts of repositories: the address at which each publishes a site, and the buttons that work with it."""

from dataclasses import dataclass
from urllib.parse import quote, urlsplit

_BINDER = "https://mybinder.org"
_COLAB = "https://colab.research.google.com"


@dataclass(frozen=True)
class Host:
    """A host of repositories.

    Parameters
    ----------
    pages : str
        The domain at which it publishes the sites of an owner; the owner stands for ``{owner}``.
    binder : str
        What Binder calls it; ``git`` takes the whole address.
    provider : str
        The one whose buttons the theme makes for it.
    edit : str
        How the address of the editor continues that of the repository, if not as the theme has it.
    colab : bool
        Whether Colab opens its notebooks.
    """

    pages: str
    binder: str
    provider: str
    edit: str = ""
    colab: bool = False


HOSTS = {
    "github.com": Host("{owner}.github.io", "gh", "github", colab=True),
    "gitlab.com": Host("{owner}.gitlab.io", "gl", "gitlab"),
    "codeberg.org": Host("{owner}.codeberg.page", "git", "github", "_edit/{branch}/{{{{ file_name }}}}"),
}


def site(url):
    """The address at which the host of a repository publishes its site; empty for a host that is not known.

    >>> site("https://github.com/somebody/my-book"), site("https://codeberg.org/somebody/my-book")
    ('https://somebody.github.io/my-book/', 'https://somebody.codeberg.page/my-book/')
    >>> site("https://gitlab.com/group/part/my-book"), site("https://github.com/ann/ann.github.io")
    ('https://group.gitlab.io/part/my-book/', 'https://ann.github.io/')
    """
    host, owner, *path = _parts(url)
    if host not in HOSTS:
        return ""
    domain = HOSTS[host].pages.format(owner=owner.lower())
    is_whole = [name.lower() for name in path] in ([domain], ["pages"] * (host == "codeberg.org"))
    return f"https://{domain}/" + ("" if is_whole else f"{'/'.join(path)}/")


def binder(url, branch="main"):
    """The address at which Binder opens the chapters of a repository."""
    host, *path = _parts(url)
    kind = HOSTS[host].binder if host in HOSTS else "git"
    named = {"gh": "/".join(path), "gl": quote("/".join(path), ""), "git": quote(url, "")}[kind]
    return f"{_BINDER}/v2/{kind}/{named}/{branch}?urlpath=lab/tree/chapters"


def buttons(url, branch="main"):
    """The options and the context of the theme that make its buttons lead to a repository, as two mappings.

    Without an address, and for a host whose buttons the theme cannot make, there are none.
    """
    host = HOSTS.get(_parts(url)[0]) if url else None
    if host is None:
        return {"repository_url": ""}, {}
    options = dict.fromkeys(("use_repository_button", "use_edit_page_button", "use_issues_button"), True)
    # The theme quotes a whole address only in part, so that Binder would not find it.
    launch = {"binderhub_url": _BINDER} if host.binder != "git" else {}
    launch |= {"colab_url": _COLAB} if host.colab else {}
    options |= {"repository_provider": host.provider, "launch_buttons": launch}
    if not host.edit:
        return options, {}
    context = {"edit_page_url_template": f"{url}/{host.edit.format(branch=branch)}"}
    return options, context | {"edit_page_provider_name": _parts(url)[0]}


def _parts(url):
    return [urlsplit(url).netloc, *urlsplit(url).path.strip("/").split("/")]

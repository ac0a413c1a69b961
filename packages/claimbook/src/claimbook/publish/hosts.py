"""Describe hosts of repositories: the addresses of their sites and the buttons that work."""

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
        The domain of an owner's site, in which ``{owner}`` stands for the owner's name.
    binder : str
        Binder's name for the host. If it is ``git``, Binder takes the complete address of the repository.
    provider : str
        The theme's provider whose buttons work for the host.
    edit : str
        The part of the editor's address that follows the repository's address, if this part differs from the
        theme's default.
    colab : bool
        Whether Colab opens notebooks from the host.
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
    """Return the address of a repository's site, or an empty text for unknown hosts.

    >>> site("https://github.com/somebody/my-book"), site("https://codeberg.org/somebody/my-book")
    ('https://somebody.github.io/my-book/', 'https://somebody.codeberg.page/my-book/')
    >>> site("https://gitlab.com/group/part/my-book"), site("https://github.com/ann/ann.github.io")
    ('https://group.gitlab.io/part/my-book/', 'https://ann.github.io/')
    """
    host, owner, *path = _host_and_path(url)
    if host not in HOSTS:
        return ""
    domain, repository = HOSTS[host].pages.format(owner=owner.lower()), "/".join(path)
    # The site of a repository with one of these names has no path.
    names_without_path = [domain, "pages"] if host == "codeberg.org" else [domain]
    return f"https://{domain}/" + ("" if repository.lower() in names_without_path else f"{repository}/")


def binder(url, branch="main"):
    """Return the address at which Binder opens the chapters of a repository."""
    host, *path = _host_and_path(url)
    provider = HOSTS[host].binder if host in HOSTS else "git"
    repository = {"gh": "/".join(path), "gl": quote("/".join(path), ""), "git": quote(url, "")}[provider]
    return f"{_BINDER}/v2/{provider}/{repository}/{branch}?urlpath=lab/tree/chapters"


def buttons(url, branch="main"):
    """Return the theme's options and context for buttons that lead to a repository.

    Without an address, or for a host that the theme does not support, there are no buttons.

    Parameters
    ----------
    url : str
        The address of the repository.
    branch : str
        The branch that the buttons lead to.

    Returns
    -------
    options, context : dict
    """
    domain, *_ = _host_and_path(url or "")
    host = HOSTS.get(domain)
    if host is None:
        return {"repository_url": ""}, {}
    options = dict.fromkeys(("use_repository_button", "use_edit_page_button", "use_issues_button"), True)
    # The theme does not quote a complete address fully, so Binder would not find it.
    launch_buttons = {"binderhub_url": _BINDER} if host.binder != "git" else {}
    launch_buttons |= {"colab_url": _COLAB} if host.colab else {}
    options |= {"repository_provider": host.provider, "launch_buttons": launch_buttons}
    if not host.edit:
        return options, {}
    context = {"edit_page_url_template": f"{url}/{host.edit.format(branch=branch)}"}
    return options, context | {"edit_page_provider_name": domain}


def _host_and_path(url):
    """Return a list of the domain and the names in the path, such as owner and repository."""
    return [urlsplit(url).netloc, *urlsplit(url).path.strip("/").split("/")]

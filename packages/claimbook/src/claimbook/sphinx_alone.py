"""Build a book without Jupyter Book, by translating its ``_config.yml``.

Jupyter Book 1 translates this file and calls Sphinx. If Jupyter Book is not installed, `main` performs both
steps. A test compares the two translations.
"""

# Written by hand, because this module is for environments without Jupyter Book, which contains the other
# translation.

import argparse
import sys
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.errors import SphinxError
from sphinx.util.docutils import docutils_namespace, patch_docutils

from claimbook.yaml_files import read_yaml

# The default settings of Jupyter Book.
_DEFAULT_SETTINGS = {
    "html_theme": "sphinx_book_theme",
    "html_theme_options": {"search_bar_text": "Search this book...", "path_to_docs": ""},
    "html_sourcelink_suffix": "",
    "myst_url_schemes": ["mailto", "http", "https"],
    "numfig": True,
    "pygments_style": "sphinx",
    "suppress_warnings": ["myst.domains"],
}
# The paths of keys in _config.yml, each with the name of a Sphinx setting or, in the second table, of an
# option of the theme.
_SPHINX_SETTINGS = {
    "title": "html_title",
    "author": "author",
    "copyright": "copyright",
    "html.baseurl": "html_baseurl",
    "only_build_toc_files": "external_toc_exclude_missing",
    "execute.execute_notebooks": "nb_execution_mode",
    "bibtex_bibfiles": "bibtex_bibfiles",
    "parse.myst_enable_extensions": "myst_enable_extensions",
}
_THEME_OPTIONS = {
    "repository.url": "repository_url",
    "repository.branch": "repository_branch",
    "html.home_page_in_navbar": "home_page_in_toc",
}
_READ_ELSEWHERE = {
    "book",
    "execute.timeout",
    "execute.output_limit",
    "exclude_patterns",
    "sphinx.recursive_update",
    "sphinx.config",
}
_ALWAYS_EXCLUDED = {"_build", "Thumbs.db", ".DS_Store", "**.ipynb_checkpoints"}
_EXTENSIONS_OF_JUPYTER_BOOK = {"jupyter_book", "sphinx_comments"}  # only Jupyter Book configures these


def configuration(root, toc=None):
    """Return the Sphinx configuration that a book's ``_config.yml`` describes.

    Parameters
    ----------
    root : Path
        The folder of the book.
    toc : Path, optional
        A table of contents that replaces the book's own.

    Raises
    ------
    ValueError
        If a key of the file has no translation in this module. The message names the key.
    """
    file = root / "_config.yml"
    settings = read_yaml(file)
    flat_settings = {}  # by the path of the key, such as "html.baseurl"
    for key, value in settings.items():
        if isinstance(value, dict):
            flat_settings |= {f"{key}.{inner_key}": inner_value for inner_key, inner_value in value.items()}
        else:
            flat_settings[key] = value
    known_keys = {*_SPHINX_SETTINGS, *_THEME_OPTIONS, *_READ_ELSEWHERE}
    if unknown_keys := sorted(flat_settings.keys() - known_keys):
        raise ValueError(
            f"{file}: {unknown_keys[0]}: expected a key that can be translated without Jupyter Book"
        )
    settings_given = {
        name: flat_settings[key] for key, name in _SPHINX_SETTINGS.items() if key in flat_settings
    }
    options = {name: flat_settings[key] for key, name in _THEME_OPTIONS.items() if key in flat_settings}
    config = _DEFAULT_SETTINGS | settings_given
    config["html_theme_options"] = _DEFAULT_SETTINGS["html_theme_options"] | options
    config["exclude_patterns"] = sorted(_ALWAYS_EXCLUDED | set(settings.get("exclude_patterns", [])))
    for name, value in flat_settings["sphinx.config"].items():  # a mapping is added to the defaults
        config[name] = config.get(name, {}) | value if isinstance(value, dict) else value
    config.pop("use_jupyterbook_latex", None)  # a setting of Jupyter Book only
    toc = toc or root / "_toc.yml"
    config["external_toc_path"] = str(toc)
    config["extensions"] = [name for name in config["extensions"] if name not in _EXTENSIONS_OF_JUPYTER_BOOK]
    if "numbered" in toc.read_text(encoding="utf-8"):
        config["extensions"].append("sphinx_multitoc_numbering")
    return config


def main(arguments=None):
    """Build from the arguments that `build` passes to Jupyter Book; return the exit code."""
    parser = argparse.ArgumentParser(prog="claimbook.sphinx_alone")
    parser.add_argument("command", choices=["build"])
    parser.add_argument("root", type=Path)
    parser.add_argument("--path-output", type=Path)
    parser.add_argument("--toc", type=Path)
    for flag in ("-W", "-n", "--keep-going"):
        parser.add_argument(flag, action="store_true")
    options = parser.parse_args(arguments)
    root, build_folder = options.root.absolute(), (options.path_output or options.root).absolute() / "_build"
    try:
        with patch_docutils(), docutils_namespace():
            app = Sphinx(
                root,
                None,
                build_folder / "html",
                build_folder / ".doctrees",
                "html",
                configuration(root, options.toc) | {"nitpicky": options.n},
                warningiserror=options.W,
                keep_going=options.keep_going,
            )
            app.build()
    except (SphinxError, ValueError) as error:
        print(f"ERROR: {error}", file=sys.stderr)
        return 1
    return app.statuscode


if __name__ == "__main__":
    sys.exit(main())

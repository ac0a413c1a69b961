"""The configuration without Jupyter Book equals that of Jupyter Book."""

from pathlib import Path

import pytest
from jupyter_book.config import get_final_config

from claimbook.sphinx_alone import configuration

BOOKS = Path(__file__).parents[1]
SKELETON, EXAMPLES = BOOKS / "src" / "claimbook" / "skeleton", sorted((BOOKS / "examples").iterdir())
# The book in whose repository the engine may stand is looked at, too.
ROOTS = [root for root in (SKELETON, *EXAMPLES, BOOKS.parent) if (root / "_config.yml").exists()]


@pytest.mark.parametrize("root", ROOTS, ids=lambda root: root.name)
def test_the_configuration_equals_that_of_jupyter_book(root):
    """Empty values, LaTeX, execution and Jupyter Book's own extensions are exempt."""
    options = {"external_toc_path": str(root / "_toc.yml"), "latex_individualpages": False}
    theirs, _ = get_final_config(user_yaml=root / "_config.yml", cli_config=options, sourcedir=root)
    ours = configuration(root)
    extensions = [name for name in theirs["extensions"] if name not in ("jupyter_book", "sphinx_comments")]
    assert [name for name in ours.pop("extensions") if name != "sphinx_multitoc_numbering"] == [
        name for name in extensions if name != "sphinx_multitoc_numbering"
    ]
    shown, wanted = ours.pop("html_theme_options"), theirs["html_theme_options"]
    assert shown == {name: wanted[name] for name in shown}
    left = {name: value for name, value in wanted.items() if name not in shown and value}
    allowed = {"analytics", "launch_buttons", "home_page_in_toc"}
    if "repository:" not in (root / "_config.yml").read_text(encoding="utf-8"):
        allowed |= {"repository_url", "repository_branch"}  # its own, which the extension takes away
    assert left.keys() <= allowed
    assert ours == {name: theirs[name] for name in ours}
    rest = {name for name, value in theirs.items() if value and name not in ours}
    without = (
        "latex_",
        "nb_execution_",
        "nb_output_",
        "use_",
        "comments_",
        "extensions",
        "html_theme_options",
    )
    assert not [name for name in rest if not name.startswith(without)]


def test_a_key_without_translation_is_rejected_by_name(tmp_path):
    settings = (SKELETON / "_config.yml").read_text(encoding="utf-8")
    (tmp_path / "_config.yml").write_text(f"{settings}\nlogo: logo.png\n", encoding="utf-8")
    with pytest.raises(ValueError, match="logo: expected a key that can be translated"):
        configuration(tmp_path)

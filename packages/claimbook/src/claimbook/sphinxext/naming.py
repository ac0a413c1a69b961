"""Names of pages: the short names in titles, tabs and links.

The names come from the table of contents. The title of a page is a claim, whereas its name contains the words
for which people search.
"""

import posixpath

from claimbook.templates import filled


def setup(app):
    """Make Sphinx add the names to pages after the theme has prepared them."""
    app.connect("html-page-context", _name, 900)


def _name(app, page, template, context, doctree):
    """Add the name of a page to its body and tab, and names to the neighbour links."""
    names, given_names = app.claimbook.names, app.claimbook.whole_project.given_names
    if page in given_names:
        context["body"] = filled("fragments/page-name.html", name=given_names[page]) + context["body"]
        context["title"] = f"{given_names[page]}: {context['title']}"
    for side in ("prev", "next"):
        if neighbour := context.get(side):
            link = posixpath.join(posixpath.dirname(page), neighbour["link"].removesuffix(".html"))
            neighbour_page = posixpath.normpath(link)
            if neighbour_page in names:
                fields = {"name": names[neighbour_page], "title": app.env.titles[neighbour_page].astext()}
                context[f"{side}_title"] = filled("fragments/neighbour.html", **fields)

"""Add the short names of pages to titles, tabs and links.

The names come from the table of contents. The title of a page is a claim, whereas its name contains the words
for which people search.
"""

import posixpath

from claimbook.templates import filled


def setup(app):
    """Make Sphinx add the names to pages after the theme has prepared the pages."""
    app.connect("html-page-context", _add_names, 900)


def _add_names(app, page, template, context, doctree):
    """Add a page's name to its body and tab, and its neighbours' names to their links."""
    names, given_names = app.claimbook.names, app.claimbook.whole_project.given_names
    if page in given_names:
        context["body"] = filled("fragments/page-name.html", name=given_names[page]) + context["body"]
        context["title"] = f"{given_names[page]}: {context['title']}"
    for side in ("prev", "next"):
        if neighbour := context.get(side):
            # The link is relative to the page.
            link = posixpath.join(posixpath.dirname(page), neighbour["link"].removesuffix(".html"))
            neighbour_page = posixpath.normpath(link)
            if neighbour_page in names:
                fields = {"name": names[neighbour_page], "title": app.env.titles[neighbour_page].astext()}
                context[f"{side}_title"] = filled("fragments/neighbour.html", **fields)

"""Names of pages: the short names in titles, tabs and links.

The table of contents gives these names.

The title of a page is a claim. Its name has the words that people search for.
"""

import posixpath

from claimbook.templates import filled


def setup(app):
    """Name pages when they are written, after the theme."""
    app.connect("html-page-context", _name, 900)


def _name(app, page, template, context, doctree):
    """Add the name of a page to its body and its tab, and names to neighbour links."""
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

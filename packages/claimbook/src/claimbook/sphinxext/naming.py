"""Names of pages: what the table of contents calls a page stands above its title, in tabs and in links.

The title of a page claims something; its name has the words that people look for.
"""

import posixpath

from claimbook.templates import filled


def setup(app):
    """Name pages when they are written, after the theme."""
    app.connect("html-page-context", _name, 900)


def _name(app, page, template, context, doctree):
    """Put the name of a page above its title and into the browser's, and names into links to neighbours."""
    names, given = app.claimbook.names, app.claimbook.whole_project.given_names
    if page in given:
        context["body"] = filled("fragments/page-name.html", name=given[page]) + context["body"]
        context["title"] = f"{given[page]}: {context['title']}"
    for side in ("prev", "next"):
        if neighbour := context.get(side):
            link = posixpath.join(posixpath.dirname(page), neighbour["link"].removesuffix(".html"))
            other = posixpath.normpath(link)
            if other in names:
                fields = {"name": names[other], "title": app.env.titles[other].astext()}
                context[f"{side}_title"] = filled("fragments/neighbour.html", **fields)

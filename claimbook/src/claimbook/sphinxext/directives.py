"""Directives that a book adds to MyST's.

What a directive asks of the book, `ask` notes for its page, which is read again when an answer changes.
"""

from myst_nb._compat import get_env_app
from sphinx.util.docutils import SphinxDirective

from claimbook.execute.cache import digest


def edition_of(env):
    """The `Edition` that is being rendered."""
    return get_env_app(env).claimbook


def ask(directive, method, *arguments):
    """What a method of the `Edition` answers; its ValueError is an error of the directive."""
    env = directive.state.document.settings.env
    try:
        answer = getattr(edition_of(env), method)(*arguments)
    except ValueError as error:
        raise directive.error(str(error)) from None
    env.claimbook_asked.setdefault(env.docname, {})[method, *arguments] = digest(repr(answer))
    return answer


def outdated(env, edition):
    """The documents with an answer that is another one now, or none, which they say when they are read."""

    def changed(question, known):
        method, *arguments = question
        try:
            return digest(repr(getattr(edition, method)(*arguments))) != known
        except ValueError:
            return True

    asked = env.claimbook_asked.items()
    return [name for name, answers in asked if any(changed(*answer) for answer in answers.items())]


class Generated(SphinxDirective):
    """What is generated from all findings, as if its Markdown stood in the place of the directive."""

    required_arguments = 1

    def run(self):
        name, page = self.arguments[0], self.env.docname
        ask(self, "basis", name, page)
        text = edition_of(self.env).fragments(page)[name]()
        self.state._renderer.nested_render_text(text, self.lineno)  # as MyST includes a file: with sections
        return []


def setup(app):
    """Add the directives, and forget what a page asked before it is read again."""
    app.add_directive("generated", Generated)
    app.connect("builder-inited", lambda app: vars(app.env).setdefault("claimbook_asked", {}))
    app.connect("env-purge-doc", lambda app, env, name: env.claimbook_asked.pop(name, None))

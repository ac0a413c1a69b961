"""Read settings strictly from YAML files, with errors that name the line."""

import yaml

from claimbook.text import escaped


class _Loader(yaml.SafeLoader):
    """A YAML loader that rejects aliases, repeated keys, and keys that are not text.

    Notes
    -----
    A document with an alias to itself never ends, and a few nested aliases can expand to an enormous
    document.
    """

    def compose_node(self, parent, index):
        if self.check_event(yaml.AliasEvent):
            event = self.peek_event()
            raise _error_at(f"*{event.anchor}: expected the value itself instead of an alias", event)
        return super().compose_node(parent, index)

    def construct_mapping(self, node, deep=False):
        """Return a mapping. Raise an error if a key is repeated or is not text."""
        names = set()
        for key, _ in node.value:
            if key.tag != "tag:yaml.org,2002:str":
                text = key.value if isinstance(key, yaml.ScalarNode) else f"a {key.id} as a key"
                expectation = "expected a name; put text that looks like another value in quotes"
                raise _error_at(f"{text}: {expectation}", key)
            if key.value in names:
                raise _error_at(f"{key.value}: expected one value, got two", key)
            names.add(key.value)
        return super().construct_mapping(node, deep)


def _error_at(problem, node_or_event):
    """Return a YAML error with the line of a node or an event."""
    return yaml.MarkedYAMLError(problem=problem, problem_mark=node_or_event.start_mark)


def read_yaml(path):
    """Return the contents of a YAML file as a dictionary.

    Raises
    ------
    ValueError
        If the file cannot be read or does not contain a mapping. The message is one line that names the file.
    """
    if path.exists() and not path.is_file():  # reading a pipe would block
        raise ValueError(f"{path}: expected a file")
    try:
        document = yaml.load(path.read_text(encoding="utf-8-sig"), _Loader)
    except (yaml.YAMLError, ValueError, TypeError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        line = f", line {mark.line + 1}" if mark else ""  # PyYAML counts from 0
        raise ValueError(f"{path}{line}: {escaped(getattr(error, 'problem', None) or error, 200)}") from None
    if not isinstance(document, dict):
        raise ValueError(f"{path}: expected names with values, got {escaped(document)}")
    return document

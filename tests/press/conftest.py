import pytest
from samples import small_book_in

from claimbook.project import Project


@pytest.fixture
def small_book(tmp_path):
    return Project(small_book_in(tmp_path))

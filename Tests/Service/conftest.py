import itertools
import os

import pytest

import postgres as servers
from service import SEED


def pytest_report_header():
    return f"SEED={SEED}"


@pytest.fixture(scope="session")
def postgres_is_installed():
    if not servers.IS_INSTALLED:
        # Where it is wanted, that nothing was tested with it is not to be overlooked.
        missing = pytest.fail if os.environ.get("REQUIRE_POSTGRES") else pytest.skip
        missing("PostgreSQL is not installed")


@pytest.fixture(scope="session")
def postgres(postgres_is_installed):
    """A PostgreSQL for all tests in a process, each of which has a database of its own."""
    server = servers.Server()
    yield server
    server.remove()


@pytest.fixture(params=["sqlite", "postgres"])
def new_store(request, tmp_path):
    """Gives what `--store` names: with each call a new store of each kind."""
    if request.param == "sqlite":
        numbers = itertools.count(1)
        return lambda: str(tmp_path / f"sessions{next(numbers)}.db")
    server = request.getfixturevalue("postgres")
    return lambda: server.uri(server.create())


@pytest.fixture
def store(new_store):
    return new_store()

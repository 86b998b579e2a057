"""A service that is killed again and again, under load: nothing that was acknowledged is lost, and nothing is done twice."""

import os
import random
import sqlite3
import threading
import time

import pytest

import postgres
from checker import Deed, check, is_postgres
from service import HERE, PATIENCE, SEED, Client, Service

KILLS = int(os.environ.get("KILLS", "20"))
CLIENTS = 8
SESSIONS = ["one", "two", "three"]


class Load:
    """Clients that add values to sessions, each of which is sent until it is answered."""

    def __init__(self, port):
        self.port = port
        self.numbers = random.Random(SEED)
        self.deeds = []
        self.is_over = False
        self.lock = threading.Lock()
        self.next_value = 0
        self.wrong = []
        self.threads = [threading.Thread(target=self.run, args=[number]) for number in range(CLIENTS)]

    def run(self, number):
        client = Client(self.port)
        while not self.is_over:
            with self.lock:
                self.next_value += 1
                deed = Deed(number, self.numbers.choice(SESSIONS), self.next_value, time.monotonic())
                self.deeds.append(deed)
            answer = client.keep_posting(
                f"/sessions/{deed.session}/actions", {"action": {"type": "add", "value": deed.value}},
                until=time.monotonic() + PATIENCE)
            if answer is None or answer.status != 200:
                self.wrong.append(f"value {deed.value}: {answer and (answer.status, answer.text)}")
                return
            deed.ended = time.monotonic()
            deed.step, deed.rendering = answer.body["step"], answer.body["rendering"]
            deed.outputs = answer.body["outputs"]

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.is_over = True
        for thread in self.threads:
            thread.join()


def run(store, kills, spoil=lambda store: None):
    """Lets a service be killed under load; gives all that is wrong then, and how many deeds there were."""
    service = Service(HERE / "chain.lua", "--store", store)
    port = service.port
    client = Client(port)
    numbers = random.Random(SEED)
    for session in SESSIONS:
        assert client.post("/sessions", {"flow": "chain", "id": session}).status == 201
    spoil(store)
    with Load(port) as load:
        for _ in range(kills):
            # Whenever it may be: while nothing is done, while something is, while it starts.
            target = len(load.deeds) + numbers.randint(0, 60)
            while len(load.deeds) < target and not load.wrong:
                time.sleep(0.001)
            time.sleep(numbers.uniform(0, 0.02))
            service.kill()
            service = Service(HERE / "chain.lua", "--store", store, port=port)
    try:
        wrong = load.wrong + check(load.deeds, store)
        for session in SESSIONS:
            answer = client.keep_posting(f"/sessions/{session}/actions", {"action": {"type": "add", "value": 0}})
            if answer.status != 200:
                wrong.append(f"{session} does not go on: {answer.text}")
        return wrong, load.deeds
    finally:
        service.stop()


def test_nothing_is_lost_or_doubled_when_the_service_is_killed(store):
    wrong, deeds = run(store, KILLS)
    assert not wrong, "\n".join(wrong[:20])
    # A service that refuses all would lose nothing either.
    assert all(deed.is_acknowledged for deed in deeds)
    assert len(deeds) > KILLS * 5


FAULTS = {
    "keys are forgotten": """
        CREATE TRIGGER fault AFTER INSERT ON receipt BEGIN
            DELETE FROM receipt WHERE session = NEW.session AND key = NEW.key; END""",
    "an input is another": """
        CREATE TRIGGER fault AFTER INSERT ON input WHEN NEW.step = 40 BEGIN
            UPDATE input SET document = json_set(document, '$.action.value', -1)
            WHERE session = NEW.session AND step = NEW.step; END""",
}
POSTGRES_FAULTS = {
    "keys are forgotten": """
        CREATE FUNCTION fault() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            DELETE FROM workflow.receipt WHERE session = NEW.session AND key = NEW.key; RETURN NULL; END $$;
        CREATE TRIGGER fault AFTER INSERT ON receipt FOR EACH ROW EXECUTE FUNCTION fault()""",
    "an input is another": """
        CREATE FUNCTION fault() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            NEW.document = jsonb_set(NEW.document::jsonb, '{action,value}', '-1'); RETURN NEW; END $$;
        CREATE TRIGGER fault BEFORE INSERT ON input FOR EACH ROW WHEN (NEW.step = 40) EXECUTE FUNCTION fault()""",
}


def spoil(store, fault):
    if is_postgres(store):
        postgres.ask(store, POSTGRES_FAULTS[fault])
        return
    with sqlite3.connect(store, timeout=PATIENCE) as database:
        database.execute(FAULTS[fault])


@pytest.mark.parametrize("fault", FAULTS)
def test_the_checker_finds_a_fault(new_store, fault):
    """The same with a store that does not do what it is asked."""
    for _ in range(5):
        wrong, _ = run(new_store(), 30, lambda store: spoil(store, fault))
        if wrong:
            return
    pytest.fail("nothing was found")

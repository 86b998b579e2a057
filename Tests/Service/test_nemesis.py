"""Three services on one store, used all the time, while one thing after another goes wrong with them.

Nothing that was acknowledged is lost, nothing is done twice, and what was disturbed goes on when that is over.
"""

import concurrent.futures
import contextlib
import glob
import os
import pathlib
import random
import signal
import subprocess
import tempfile
import time

import pytest

import postgres as servers
from checker import check, logs
from errands import Errands, Letters, Server, ask_any
from link import Link
from load import ATTEMPT, Latencies, Load
from network import Network
from service import HERE, PATIENCE, SEED, Client, Service, free_port, until

# The seconds of each run. If they are given the machine should be idle: what is served in time is counted then.
NEMESIS = float(os.environ.get("NEMESIS", "0"))
SECONDS = NEMESIS or 4
# How long all is well at the end.
TAIL = 10 if SECONDS >= 60 else 2
RATE = float(os.environ.get("RATE", "25"))
HOSTS = 3
SESSIONS = [f"s{number}" for number in range(6)]
FAKETIME = next(iter(glob.glob("/usr/lib/*/faketime/libfaketime.so.1")), None)


class Hosts:
    """Services on one store, each of which has an address of its own for it, and maybe a computer of its own."""

    def __init__(self, stores, allowed, network=None):
        self.numbers = random.Random(SEED)
        self.stores, self.allowed, self.network = stores, allowed, network
        ports = [free_port() for _ in stores]
        self.ports = [(network.service_address(index), port) for index, port in enumerate(ports)] if network else ports
        self.services = [None] * len(stores)
        # All at once: one of them makes the tables.
        with concurrent.futures.ThreadPoolExecutor() as starting:
            started = [starting.submit(self.start, index) for index in range(len(stores))]
        try:
            for one in started:
                one.result()
        except BaseException:
            self.kill()
            raise

    def start(self, index, under=()):
        port, place = self.ports[index], []
        if self.network:
            (host, port), under = port, self.network.services[index].under
            place = ["--host", host, "--trusted-flows"]
        self.services[index] = Service(
            HERE / "chain.lua", HERE / "errands.lua", HERE / "letters.lua", "--store", self.stores[index], *place,
            "--allow", f"http={self.allowed}", "--allow", "session=letters", "--max-rate", "100000", port=port, under=under)

    def any(self):
        return self.numbers.randrange(len(self.services))

    def pause(self, least, most):
        time.sleep(self.numbers.uniform(least, most))

    def is_ready(self, index):
        try:
            return Client(self.ports[index], timeout=ATTEMPT).get("/readyz").status == 200
        except OSError:
            return False

    def stop(self):
        for service in self.services:
            assert service.stop() == 0, "".join(service.errors)

    def kill(self):
        """Ends those that were left when the test failed."""
        for service in self.services:
            if service:
                service.kill()


class Nemesis:
    """What can go wrong in a run: it has the store, which services may reach in a way of its own."""

    # What a service writes in the past of another is not late.
    clocks_agree = True
    # The computers that services, database and clients have, if they have any of their own.
    network = None

    def __init__(self, closing):
        self.server = servers.Server(has_port=True)
        closing.callback(lambda: self.server.remove())
        self.database = self.server.create()

    def stores(self):
        return [self.server.uri(self.database)] * HOSTS

    @property
    def store(self):
        return self.server.uri(self.database)

    def disturb(self, hosts):
        """Does it once, and mends it."""
        raise NotImplementedError


class OfHosts(Nemesis):
    """It needs nothing of the store, which may be of any kind."""

    def __init__(self, store):
        self._store = store

    def stores(self):
        return [self._store] * HOSTS

    @property
    def store(self):
        return self._store


class Kill(OfHosts):
    def disturb(self, hosts):
        index = hosts.any()
        hosts.services[index].kill()
        hosts.pause(0, 1.5)
        hosts.start(index)


class Zombie(OfHosts):
    """A service stands still, is given up, and goes on where it was."""

    def disturb(self, hosts):
        process = hosts.services[hosts.any()].process
        process.send_signal(signal.SIGSTOP)
        hosts.pause(3, 3)
        process.send_signal(signal.SIGCONT)


class Clock(OfHosts):
    """The clock of a service is wrong by some seconds."""

    clocks_agree = False

    def disturb(self, hosts):
        index = hosts.any()
        assert hosts.services[index].stop() == 0
        offset = hosts.numbers.choice(["-2s", "+2s"])
        # Time passes as ever. The library sets the environment of the first program that has it, which moves that away
        # from the arguments; a program in Swift would not find these.
        hosts.start(index, under=["env", f"LD_PRELOAD={FAKETIME}", f"FAKETIME={offset}",
                                  "FAKETIME_DONT_FAKE_MONOTONIC=1", "sh", "-c", 'exec "$@"', "sh"])
        hosts.pause(1, 2)
        assert hosts.services[index].stop() == 0
        for left in glob.glob(f"/dev/shm/*faketime*_{hosts.services[index].process.pid}"):
            os.unlink(left)
        hosts.start(index)


class Links(Nemesis):
    """Between each service and the database there is a link."""

    def __init__(self, closing):
        super().__init__(closing)
        self.links = [Link(self.server.port) for _ in range(HOSTS)]
        for link in self.links:
            closing.callback(link.close)

    def stores(self):
        return [self.server.uri(self.database, port=link.port) for link in self.links]


class CutLink(Links):
    """Answers that are under way are lost."""

    def disturb(self, hosts):
        link = self.links[hosts.any()]
        link.slow(hosts.numbers.uniform(0, 0.1))
        hosts.pause(0.2, 0.5)
        link.cut()
        # Sometimes it is back before the service has given up what was under way.
        hosts.pause(0, hosts.numbers.choice([0.3, 2]))
        link.mend()


class HeldLink(Links):
    """What a service has sent arrives long after it was given up; or all of them wait for the database."""

    def disturb(self, hosts):
        links = hosts.numbers.choice([self.links, [self.links[hosts.any()]]])
        for link in links:
            link.hold()
        hosts.pause(0.1, 3)
        for link in links:
            link.mend()


class SlowLink(Links):
    def disturb(self, hosts):
        link = self.links[hosts.any()]
        link.slow(hosts.numbers.uniform(0.01, 0.1))
        hosts.pause(1, 2)
        link.mend()


class Cable(Nemesis):
    """The cable between the computers of a service and of the database is pulled out; nobody is told."""

    def __init__(self, closing):
        try:
            self.network = Network(closing, HOSTS)
        except OSError as error:
            pytest.skip(f"no computers of their own: {error}")
        closing.enter_context(self.network.clients.entered())
        self.server = servers.Server(under=self.network.database.under, listen_addresses="*")
        closing.callback(self.server.remove)
        self.database = self.server.create()

    def stores(self):
        return [f"postgresql://workflow@{self.network.database_address(index)}/{self.database}" for index in range(HOSTS)]

    def disturb(self, hosts):
        index = hosts.any()
        # At one end there is no way any more; at the other one there is, and nothing arrives.
        computer, device = hosts.numbers.choice([
            (self.network.services[index], "database"), (self.network.database, f"service{index}")])
        computer.ip("link", "set", device, "down")
        hosts.pause(0.1, 3)
        computer.ip("link", "set", device, "up")


class Restart(Nemesis):
    is_killed = False

    def disturb(self, hosts):
        self.server.kill() if self.is_killed else self.server.stop()
        self.is_killed = not self.is_killed
        hosts.pause(0, 1)
        self.server.start()


class Promotion(Nemesis):
    """The database is lost, and a standby takes its place."""

    def __init__(self, closing):
        super().__init__(closing)
        self.standby = self.server.standby()
        closing.callback(lambda: self.standby and self.standby.remove())
        self.ports = [self.server.port, self.standby.port]

    def stores(self):
        hosts = ",".join(f"127.0.0.1:{port}" for port in self.ports)
        return [f"postgresql://workflow@{hosts}/{self.database}"] * HOSTS

    def disturb(self, hosts):
        self.server.kill()
        self.standby.promote()
        lost, self.server, self.standby = self.server, self.standby, None
        lost.remove()
        # The next standby is a new one, where the lost one was.
        self.standby = self.server.standby(port=lost.port)


class FullDisk(Nemesis):
    def __init__(self, closing):
        disk = pathlib.Path(tempfile.mkdtemp(prefix="disk-", dir="/tmp"))
        closing.callback(disk.rmdir)
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=160m", "tmpfs", disk], capture_output=True)
        if mounted.returncode != 0:
            pytest.skip(f"no disk of a size that is known: {mounted.stderr.decode()}")
        closing.callback(lambda: subprocess.run(["umount", disk], check=True))
        self.server = servers.Server(has_port=True, parent=disk)
        closing.callback(self.server.remove)
        self.database = self.server.create()
        self.filling = disk / "filling"

    def disturb(self, hosts):
        with open(self.filling, "wb", buffering=0) as file, contextlib.suppress(OSError):
            while file.write(bytes(1 << 16)):
                pass
        # The next byte that PostgreSQL needs is refused, of a table or of its log.
        hosts.pause(0.5, 2)
        self.filling.unlink()
        # Without room for its log it ends.
        if self.server.process.poll() is not None:
            self.server.start()


NEMESES = {
    "a service is killed": Kill,
    "a service is stopped and goes on": Zombie,
    "a clock is wrong": Clock,
    "a link is cut": CutLink,
    "a link is held": HeldLink,
    "a link is slow": SlowLink,
    "a cable is pulled": Cable,
    "the database is restarted": Restart,
    "a standby is promoted": Promotion,
    "the disk is full": FullDisk,
}
NEEDS = {
    "a clock is wrong": (FAKETIME, "faketime is not installed"),
    "a cable is pulled": (os.geteuid() == 0, "only root can have networks of its own"),
    "the disk is full": (os.geteuid() == 0, "only root can have a small disk"),
}


def run(nemesis, seconds=SECONDS, tail=TAIL):
    """All that is wrong, and what the clients saw."""
    server = Server(nemesis.network.clients_address) if nemesis.network else Server()
    hosts = Hosts(nemesis.stores(), server.host, nemesis.network)
    try:
        return use(hosts, server, nemesis, seconds, tail)
    finally:
        hosts.kill()
        server.shutdown()


def use(hosts, server, nemesis, seconds, tail):
    for session in SESSIONS:
        assert ask_any(hosts.ports, "POST", "/sessions", {"flow": "chain", "id": session}).status == 201
    errands = Errands(hosts.ports, timeout=ATTEMPT)
    errands.create(server)
    letters = Letters(hosts.ports, timeout=ATTEMPT)
    letters.create()
    rounds = 0
    with Load(hosts.ports, SESSIONS, RATE) as load, errands:
        begun = time.monotonic()
        while not rounds or time.monotonic() < begun + seconds - tail:
            nemesis.disturb(hosts)
            hosts.pause(0.2, 1)
            rounds += 1
        for index in range(HOSTS):
            until(lambda: hosts.is_ready(index))
        # From now on each is answered where it was sent, however busy the machine is.
        load.attempt = PATIENCE
        healed = time.monotonic()
        # The sessions whose workers ran at any of the services are all awake somewhere.
        before, sent = errands.woken(), letters.sent()
        time.sleep(tail)
        until(lambda: errands.wrong or all(count > before[session] for session, count in errands.woken().items()))
        until(lambda: letters.check() or all(count > sent[session] for session, count in letters.sent().items()))
    wrong, late = errands.check()
    wrong += letters.check()
    wrong += load.wrong + check(load.deeds, nemesis.store)
    # A millisecond is what is lost between a time and a number.
    if nemesis.clocks_agree and late[0] < -1:
        wrong.append(f"a timer fired {-late[0]} ms early")
    # In the end none is refused; that two wanted one session at a time is no fault.
    last = [request for request in load.patient if request.intended >= healed]
    wrong += [f"value {request.deed.value} of the last {len(last)} was refused: {request.failures[0]}"
              for request in last if any(not failure.startswith("409") for failure in request.failures)]
    ends = Latencies(request.latency for request in last if request.deed.is_acknowledged)
    if NEMESIS and ends.quantile(1) > ATTEMPT:
        wrong.append(f"after the last disturbance some took longer than {ATTEMPT} s")
    letters_sent = sum(letters.sent().values())
    hosts.stop()
    return wrong, (f"{rounds} times, {load.describe()}; after the last {ends}; {letters_sent} letters; {len(late)} timers, late by {late[len(late) // 2]} ms at the "
                   f"median and {late[-1]} ms at most")


RUNS = [(name, on) for name, kind in NEMESES.items() for on in ["postgres", "sqlite"]
        # In the check the kills and replacements of other tests do for files.
        if on == "postgres" or NEMESIS and kind in (Kill, Zombie)]


@pytest.fixture(params=RUNS, ids="-".join)
def nemesis(request, tmp_path):
    name, on = request.param
    can, reason = NEEDS.get(name, (True, None))
    if not can:
        pytest.skip(reason)
    kind = NEMESES[name]
    with contextlib.ExitStack() as closing:
        if on == "sqlite":
            yield kind(str(tmp_path / "sessions.db"))
        elif issubclass(kind, OfHosts):
            server = request.getfixturevalue("postgres")
            yield kind(server.uri(server.create()))
        else:
            request.getfixturevalue("postgres_is_installed")
            yield kind(closing)


def test_nothing_is_lost_or_doubled_while(nemesis):
    wrong, seen = run(nemesis)
    print(f"{type(nemesis).__name__}: {seen}")
    assert not wrong, "\n".join([*wrong[:20], seen])


def test_what_was_stored_before_the_link_was_cut_is_not_done_again(postgres_is_installed):
    """The answer of the database is lost, and another service goes on with the session before anybody can ask again."""
    with contextlib.ExitStack() as closing:
        server = servers.Server(has_port=True)
        closing.callback(server.remove)
        database, link = server.create(), Link(server.port)
        closing.callback(link.close)
        direct = server.uri(database)
        hosts = Hosts([server.uri(database, port=link.port), direct], "127.0.0.1:9")
        closing.callback(hosts.kill)
        cut, other = [Client(port) for port in hosts.ports]
        assert cut.post("/sessions", {"flow": "chain", "id": "s"}).status == 201
        act = lambda client, value: client.post(
            "/sessions/s/actions", {"action": {"type": "add", "value": value}})
        assert act(cut, 1).status == 200
        link.slow(1)
        with concurrent.futures.ThreadPoolExecutor() as clients:
            # It has no key.
            answer = clients.submit(act, cut, 2)
            until(lambda: len(logs(direct)[0]["s"]) == 2)
            link.cut()
            assert act(other, 3).status == 200
            link.mend()
            answer = answer.result()
        values, wrong = logs(direct)
        assert (values["s"], wrong) == ([1, 2, 3], [])
        # What was asked is told, or that nobody knows.
        assert answer.status == 200 and answer.body["step"] == 2 or answer.body["code"] == "unknown", answer.text


def test_the_checker_finds_a_missing_fence(postgres):
    """Some changes do not raise the version of their session, so a service does not notice that it knows too little."""
    store = postgres.uri(postgres.create())
    hosts = Hosts([store] * HOSTS, "127.0.0.1:9")
    try:
        for session in SESSIONS:
            assert ask_any(hosts.ports, "POST", "/sessions", {"flow": "chain", "id": session}).status == 201
        servers.ask(store, """
            CREATE FUNCTION fault() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                NEW.version = OLD.version; RETURN NEW; END $$;
            CREATE TRIGGER fault BEFORE UPDATE ON session
                FOR EACH ROW WHEN (NEW.step % 5 = 0) EXECUTE FUNCTION fault()""")
        with Load(hosts.ports, SESSIONS, RATE) as load:
            until(lambda: sum(deed.is_acknowledged for deed in load.deeds) >= 300)
        assert any("is lost" in sentence for sentence in check(load.deeds, store))
    finally:
        hosts.kill()

"""Clients that ask at a rate of their own, however fast they are answered."""

import concurrent.futures
import dataclasses
import http.client
import itertools
import random
import threading
import time
import uuid

from hdrh.histogram import HdrHistogram

from checker import Deed
from errands import can_be_sent_again
from service import PATIENCE, SEED, Client

# After these seconds a client asks another service, under the same key, unless it is told to be patient.
ATTEMPT = 1


@dataclasses.dataclass
class Request:
    """An action that is sent until it is answered, or for as long as its client likes."""

    deed: Deed
    # When it was to be sent; a client that is late itself makes it no earlier.
    intended: float
    # A client that has less is gone before the answer, often.
    patience: float
    # One without a key is sent once: nobody knows whether it was done if its answer is lost.
    has_key: bool
    failures: list = dataclasses.field(default_factory=list)

    @property
    def latency(self):
        return self.deed.ended - self.intended


class Latencies(HdrHistogram):
    """How long things took, in seconds: from a microsecond to an hour, to a thousandth of each."""

    def __init__(self, seconds):
        super().__init__(1, 3_600_000_000, 3)
        for taken in seconds:
            assert self.record_value(max(1, round(taken * 1e6))), f"{taken} s is too long"

    def quantile(self, share):
        return self.get_value_at_percentile(100 * share) / 1e6

    def __str__(self):
        at = lambda share: f"{self.quantile(share) * 1000:.1f} ms"
        return f"p50 {at(0.5)}, p99 {at(0.99)}, max {at(1)} of {self.total_count}"


class Load:
    """Adds values to sessions of `chain.lua`, at any of several services: so many in a second, at random moments."""

    def __init__(self, ports, sessions, rate):
        self.ports, self.sessions, self.rate = ports, sessions, rate
        self.attempt = ATTEMPT
        self.numbers = random.Random(SEED)
        self.requests = []
        self.wrong = []
        self.is_over = threading.Event()
        self.thread = threading.Thread(target=self._run)

    def _run(self):
        values = itertools.count(1)
        due = time.monotonic()
        with concurrent.futures.ThreadPoolExecutor(max_workers=1000) as clients:
            while not self.is_over.wait(max(0, due - time.monotonic())):
                value = next(values)
                deed = Deed(value, self.numbers.choice(self.sessions), value, due)
                # Some do not wait, and some do not ask again: what they sent may be done, but not twice.
                patience = self.numbers.uniform(0, 0.1) if self.numbers.random() < 0.1 else PATIENCE
                request = Request(deed, due, patience, has_key=self.numbers.random() < 0.7)
                self.requests.append(request)
                clients.submit(self._send, request)
                due += self.numbers.expovariate(self.rate)

    def _send(self, request):
        try:
            self._ask(request)
        except Exception as error:
            self.wrong.append(f"value {request.deed.value}: {error!r}")

    def _ask(self, request):
        deed = request.deed
        deed.begun = time.monotonic()
        end = deed.begun + request.patience
        key = {"Idempotency_Key": str(uuid.uuid4())} if request.has_key else {}
        last, pause = None, 0.02
        while (rest := end - time.monotonic()) > 0:
            # Not at the one again that has just failed.
            last = random.choice([port for port in self.ports if port != last])
            client = Client(last, timeout=min(rest, self.attempt))
            try:
                answer = client.post(
                    f"/sessions/{deed.session}/actions", {"action": {"type": "add", "value": deed.value}},
                    **key)
                if answer.status == 200:
                    deed.ended = time.monotonic()
                    deed.step, deed.rendering = answer.body["step"], answer.body["rendering"]
                    deed.outputs = answer.body["outputs"]
                    return
                request.failures.append(f"{answer.status} {answer.text.decode()}")
                assert can_be_sent_again(answer), request.failures[-1]
            except (OSError, http.client.HTTPException) as error:
                request.failures.append(repr(error))
            finally:
                client.close()
            if not request.has_key:
                return
            # Services that have too much to do have the less of it, the longer they have.
            time.sleep(random.uniform(pause / 2, pause))
            pause = min(2 * pause, ATTEMPT)
        assert request.patience < PATIENCE, f"never answered: {request.failures[-3:]}"

    @property
    def deeds(self):
        return [request.deed for request in self.requests]

    @property
    def patient(self):
        return [request for request in self.requests if request.patience == PATIENCE and request.has_key]

    def describe(self):
        served = [request for request in self.patient if request.deed.is_acknowledged]
        taken = [request.latency for request in served]
        share = lambda count: f"{100 * count / max(1, len(self.patient)):.1f} %"
        first = sum(not request.failures for request in served)
        return (f"{len(self.requests)} requests, {share(first)} served at the "
                f"first attempt, {share(sum(latency <= 1 for latency in taken))} within 1 s; {Latencies(taken)}")

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.is_over.set()
        self.thread.join()

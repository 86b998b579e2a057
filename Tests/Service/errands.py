"""Sessions of `errands.lua`, whose workers fetch and sleep, and clients that leave notes in them."""

import http.client
import http.server
import random
import threading
import time
import uuid

from service import PATIENCE, SEED, Client

ERRANDS = [f"e{number}" for number in range(12)]


class Numbers(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        time.sleep(random.uniform(0, 1))
        body = self.path.rsplit("/", 1)[1].encode()
        try:
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
        except OSError:
            # A worker that was cancelled does not wait for it.
            pass

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    # Many may come at once, from a service that takes others over.
    request_queue_size = 128

    def __init__(self, address="127.0.0.1"):
        super().__init__((address, 0), Numbers)
        self.host = f"{address}:{self.server_address[1]}"
        threading.Thread(target=self.serve_forever, daemon=True).start()


def ask_any(ports, *request, timeout=PATIENCE, **headers):
    """Asks services in turn until one answers, each of them no longer than `timeout`."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        client = Client(random.choice(ports), timeout=timeout)
        try:
            answer = client.ask(*request, **headers)
            if not can_be_sent_again(answer):
                return answer
        except (OSError, http.client.HTTPException):
            pass
        finally:
            client.close()
        time.sleep(0.02)
    raise AssertionError(f"nobody answers {request}")


def can_be_sent_again(answer):
    return answer.status in (429, 503) or answer.status == 409 and answer.body["code"] in ("conflict", "in_flight")


class Errands:
    """Clients that leave notes in sessions whose workers run, at any of the services that is there."""

    def __init__(self, ports, timeout=PATIENCE):
        self.ports, self.timeout = ports, timeout
        self.notes = {session: [] for session in ERRANDS}
        self.wrong = []
        self.is_over = threading.Event()
        self.threads = [threading.Thread(target=self.run, args=[session]) for session in ERRANDS]

    def create(self, server):
        for index, session in enumerate(ERRANDS):
            assert ask_any([self.ports[index % len(self.ports)]], "POST", "/sessions", {
                "flow": "errands", "id": session,
                "props": {"url": f"http://{server.host}/{session}", "seconds": 0.1 * (1 + index)},
            }).status == 201

    def state(self, session):
        return ask_any(self.ports, "GET", f"/sessions/{session}", timeout=self.timeout).body["rendering"]

    def fetched(self):
        return sum(len(self.state(session)["fetched"]) for session in ERRANDS)

    def woken(self):
        return {session: len(self.state(session)["late"]) for session in ERRANDS}

    def run(self, session):
        numbers = random.Random(f"{SEED} {session}")
        while not self.is_over.wait(numbers.uniform(0, 0.4)):
            note = len(self.notes[session])
            answer = ask_any(
                self.ports, "POST", f"/sessions/{session}/actions", {"action": {"type": "note", "value": note}},
                timeout=self.timeout, Idempotency_Key=str(uuid.uuid4()))
            if answer.status != 200:
                self.wrong.append(f"{session}, note {note}: {answer.status} {answer.text}")
                return
            self.notes[session].append(note)

    def check(self):
        """All that is wrong; and by how many milliseconds each timer was late, the least first."""
        wrong, late = list(self.wrong), []
        for session in ERRANDS:
            rendering = self.state(session)
            count = len(rendering["fetched"])
            # Each of them was asked for, and came, once; the timer behind each has fired, but for that which runs.
            if rendering["fetched"] != list(range(1, count + 1)):
                wrong.append(f"{session} fetched {rendering['fetched']}")
            if len(rendering["late"]) not in (count - 1, count):
                wrong.append(f"{session} fetched {count} numbers, and was woken {len(rendering['late'])} times")
            if rendering["notes"] != self.notes[session]:
                wrong.append(f"{session} has the notes {rendering['notes']} and not {self.notes[session]}")
            late += rendering["late"]
        return wrong, sorted(late)

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.is_over.set()
        for thread in self.threads:
            thread.join()


class Letters:
    """Sessions of `letters.lua` in a ring, each of which writes to the next one."""

    def __init__(self, ports, count=4, timeout=PATIENCE):
        self.ports, self.timeout = ports, timeout
        self.names = [f"l{number}" for number in range(count)]

    def create(self):
        for index, name in enumerate(self.names):
            answer = ask_any([self.ports[index % len(self.ports)]], "POST", "/sessions", {
                "flow": "letters", "id": name, "props": {"to": self.names[index - 1]}})
            assert answer.status == 201, answer.text
        # All are there now.
        for name in self.names:
            assert ask_any(self.ports, "POST", f"/sessions/{name}/actions", {"action": "begin"}).status == 200

    def state(self, name):
        return ask_any(self.ports, "GET", f"/sessions/{name}", timeout=self.timeout).body["rendering"]

    def sent(self):
        return {name: self.state(name)["sent"] for name in self.names}

    def check(self):
        """All that is wrong: each letter is to come once, and each but the last is known to have come."""
        wrong = []
        for index, name in enumerate(self.names):
            # Only what was known before is surely there.
            sender, got = self.state(name), self.state(self.names[index - 1])["got"]
            if got != list(range(1, len(got) + 1)) or len(got) < sender["sent"] or sender["failed"]:
                wrong.append(f"{name} knows {sender}, and {self.names[index - 1]} got {got}")
        return wrong

"""The page about an approval is followed: its flow is served, its requests are sent, its program is run."""

import http.server
import json
import re
import shutil
import subprocess
import threading
from typing import ClassVar

import pytest

from service import HERE, PATIENCE, ROOT, SERVE, Client, Service, until

PAGE = (ROOT / "Sources/Service/FlowService/Documentation.docc/AnApproval.md").read_text()


def block(language, beginning=""):
    """The first block of the page that is of a language and begins so."""
    return next(text for found, text in re.findall(r"^```(\w*)\n(.*?)^```$", PAGE, re.S | re.M)
                if found == language and text.startswith(beginning))


class Bank(http.server.BaseHTTPRequestHandler):
    """A bank that is away at first."""
    orders: ClassVar = []

    def do_POST(self):
        self.orders.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self.send_response(503 if len(self.orders) == 1 else 200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


@pytest.mark.skipif(not shutil.which("node"), reason="node is not installed")
def test_an_approval_is_asked_for_becomes_urgent_and_is_paid_once(tmp_path):
    bank = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Bank)
    threading.Thread(target=bank.serve_forever, daemon=True).start()
    Bank.orders.clear()
    address = f"127.0.0.1:{bank.server_port}"
    (tmp_path / "approval.lua").write_text(block("lua"))
    tokens = {}
    for line in block("sh", "workflow-run serve token").splitlines()[:2]:
        name, scope, claims = re.match(r"workflow-run serve token (\S+) --scope (\S+) --claims '(.*?)'", line).groups()
        made = subprocess.run([SERVE, "token", name, "--scope", scope, "--claims", claims, "--tokens", "tokens.txt"],
                              capture_output=True, text=True, check=True, cwd=tmp_path)
        tokens[name] = re.search(r"wfs_\S+", made.stdout)[0]

    def serve():
        return Service("approval.lua", "--store", "sessions.db", "--tokens", "tokens.txt", "--allow", f"http={address}",
                       folder=tmp_path, open_to_all=False)

    service = serve()
    ada, max = Client(service.port, tokens["ada"]), Client(service.port, tokens["max"])
    begin = json.loads(re.search(r"-d '(\{.*\})'", block("sh", "curl"), re.S)[1])
    begin["props"] |= {"bank": f"http://{address}/pay", "deadline": 0.2, "pause": 0.2}
    assert max.post("/sessions", begin, Idempotency_Key="order-17").status == 403
    for _ in range(2):
        assert ada.post("/sessions", begin, Idempotency_Key="order-17").status == 201
    for request in [{"action": "approve"}, {"action": {"type": "approve"}}, {"at": "approve"}]:
        refused = ada.post("/sessions/order-17/actions", request)
        assert (refused.status, refused.body["code"]) == (403, "not_granted"), refused.text

    # The timer goes on after a restart.
    service.kill()
    service = serve()
    ada, max = Client(service.port, tokens["ada"]), Client(service.port, tokens["max"])
    until(lambda: max.get("/sessions/order-17").body["rendering"].get("urgent"))

    (tmp_path / "client.js").write_bytes(max.get("/client.js").text)
    (tmp_path / "package.json").write_text('{"type": "module"}')
    program = (HERE / "decide.js").read_text()
    assert program == block("js")
    (tmp_path / "decide.js").write_text(program)
    decided = subprocess.run(["node", "decide.js", f"http://127.0.0.1:{service.port}", tokens["max"]],
                             capture_output=True, text=True, timeout=PATIENCE, cwd=tmp_path)
    assert "status: 'paid'" in decided.stdout, decided.stdout + decided.stderr
    assert "manager: 'max'" in decided.stdout
    assert "problem: 'the bank answered 503'" in decided.stdout
    assert Bank.orders == [{"amount": 250, "account": "DE02"}] * 2
    again = max.post("/sessions/order-17/actions", {"action": "approve"})
    assert (again.status, again.body["code"]) == (409, "refused"), again.text
    assert service.stop() == 0
    bank.shutdown()

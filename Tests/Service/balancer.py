"""A balancer before two services, of which it knows nothing but /readyz."""

import csv
import http.client
import re
import shutil
import subprocess
import urllib.request

from service import ROOT, Client, free_port, until

HAPROXY = shutil.which("haproxy") or "/usr/sbin/haproxy"
# That of the guide.
CONFIGURATION = ROOT / "Examples/several-hosts/haproxy.cfg"


class Balancer:
    def __init__(self, folder, ports):
        self.port, self.told = free_port(), free_port()
        text = CONFIGURATION.read_text()
        places = {":80": self.port, "127.0.0.1:8404": self.told, "one:8080": ports[0], "two:8080": ports[1]}
        for place, port in places.items():
            assert f" {place}\n" in text, place
            text = text.replace(f" {place}\n", f" 127.0.0.1:{port}\n")
        text = re.sub(r".*three:8080\n", "", text)
        # However busy the machine is.
        text = re.sub(r"(timeout \w+) \w+", r"\1 600s", text)
        (folder / "haproxy.cfg").write_text(text)
        self.process = subprocess.Popen([HAPROXY, "-f", folder / "haproxy.cfg"], stderr=subprocess.DEVNULL)
        until(self._is_ready)

    def _is_ready(self):
        try:
            return Client(self.port).get("/readyz").status == 200
        except (OSError, http.client.HTTPException):
            return False

    def uses_both(self):
        with urllib.request.urlopen(f"http://127.0.0.1:{self.told}/;csv") as answer:
            rows = list(csv.DictReader(answer.read().decode().removeprefix("# ").splitlines()))
        return all(row["status"] == "UP" for row in rows if row["svname"] in ("one", "two"))

    def stop(self):
        self.process.terminate()
        self.process.wait()

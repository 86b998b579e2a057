"""Starts the program (WORKFLOW_RUN) and a browser (CHROMIUM, or /usr/bin/chromium) for the tests of the page."""

import json
import os
import pathlib
import re
import signal
import subprocess
import threading
import time
import urllib.request

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect, sync_playwright

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "Examples"
RUN = os.environ.get("WORKFLOW_RUN", str(ROOT / ".build/debug/workflow-run"))
CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")

# What the browser does without. The first three start processes that no test uses, a third of what a page costs; the
# others are those of Playwright's list, which this one replaces, that bear on pages of this machine.
WITHOUT = [
    "SpareRendererForSitePerProcess", "PreloadTopChromeWebUI", "WebUIOmniboxPopup",
    "AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades",
    "HttpsFirstBalancedModeAutoEnable", "LensOverlay", "MediaRouter", "NetworkTimeServiceQuerying", "OptimizationHints",
    "PaintHolding", "PreconnectToSearch", "ThirdPartyStoragePartitioning",
]

# The seconds after which what is waited for does not come any more. However busy the machine is, it comes earlier. They
# are fewer than those of a test that hangs (pytest.ini), so that the test can say what did not come. Who works on a test
# sets fewer.
PATIENCE = int(os.environ.get("PATIENCE", "240"))
expect.set_options(timeout=PATIENCE * 1000)


def until(holds):
    end = time.monotonic() + PATIENCE
    while not (found := holds()):
        assert time.monotonic() < end, f"{holds.__name__} never came to hold"
        time.sleep(0.05)
    return found


def findings(page):
    """What axe finds on a page, on a desk and on a phone, light and dark."""
    size = page.viewport_size
    for width, theme in [(1280, "light"), (1280, "dark"), (390, "dark"), (390, "light")]:
        page.set_viewport_size({"width": width, "height": size["height"]})
        # Colours of what is just coming are not those that stay.
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        for found in Axe().run(page).response["violations"]:
            yield width, theme, found["id"], [node["html"] for node in found["nodes"]]
    page.set_viewport_size(size)
    page.emulate_media(color_scheme="light")


class Program:
    def __init__(self, *arguments, folder=None):
        self.process = subprocess.Popen(
            [RUN, *map(str, arguments)], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE, text=True, cwd=folder or ROOT)
        self.errors = []
        self.address = None
        self.died = None
        for line in self.process.stderr:
            self.errors.append(line)
            if found := re.search(r"inspect at (http://\S+)", line):
                self.address = found[1]
                break
        assert self.address, "".join(self.errors)
        self.origin, fragment = self.address.split("/#")
        self.token = fragment.removeprefix("token=")
        threading.Thread(target=lambda: self.errors.extend(self.process.stderr), daemon=True).start()

    def url(self, path="/", fragment=""):
        return f"{self.origin}{path}#token={self.token}{fragment}"

    def ask(self, do, **fields):
        request = urllib.request.Request(
            f"{self.origin}/request", json.dumps({"do": do, **fields}).encode(),
            {"Content-Type": "application/json", "Authorization": f"Bearer {self.token}"})
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            reply = json.load(answer)
        assert reply["ok"], reply
        return reply.get("value")

    def close(self):
        """Ends the program, unless that was done; `died` is the status of one that has ended by itself."""
        if self.process.stdin.closed:
            return
        self.died = self.process.poll()
        if self.died is None:
            self.process.send_signal(signal.SIGTERM)
        self.process.stdin.close()
        self.process.wait(PATIENCE)


class Player:
    """A rendering on a page, played by what one sees of it."""

    def __init__(self, page):
        self.page = page
        self.view = page.locator(".rendering").first

    def click(self, name, inside=None, nth=0):
        (inside or self.view).get_by_role("button", name=name, exact=True).nth(nth).click()

    def fill(self, label, text, inside=None, nth=0):
        (inside or self.view).get_by_label(label, exact=True).nth(nth).fill(text)

    def confirm(self):
        self.view.get_by_role("dialog").get_by_role("button").first.click()

    def sees(self, text):
        expect(self.view.get_by_text(text, exact=True).first).to_be_visible()

    def misses(self, text):
        expect(self.view.get_by_text(text, exact=True)).to_have_count(0)


@pytest.fixture
def program():
    """Starts programs, and ends them with the test, before which none may end: `program(flow, *options)`."""
    programs = []

    def start(flow, *options, folder=None, command="run"):
        programs.append(Program(command, flow, "--inspect", "--max-time", PATIENCE, *options, folder=folder))
        return programs[-1]

    yield start
    for one in programs:
        one.close()
    assert not [("".join(one.errors), one.died) for one in programs if one.died is not None]


@pytest.fixture(scope="session")
def browser():
    """One browser for all tests; it reaches this machine only."""
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=[
            "--no-sandbox", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
            "--disable-features=" + ",".join(WITHOUT)])
        yield chromium
        chromium.close()


def plain(slice):
    """The plain value of a slice that is whole."""
    if not isinstance(slice, dict):
        return slice
    if slice["$"] == "list":
        return [plain(entry) for entry in slice.get("entries", [])]
    return {key: plain(entry) for key, entry in slice.get("entries", [])}


@pytest.fixture
def visit(browser):
    """Opens pages: `visit(url, width=…, theme=…)`. At the end none may have logged an error or asked another host."""
    contexts, faults = [], []

    def watch(page, origin):
        page.on("pageerror", lambda error: faults.append(f"error: {error}"))
        page.on("console", lambda line: faults.append(f"console: {line.text}") if line.type in ("error", "warning") else None)
        page.on("request", lambda request: None if request.url.startswith((origin, "data:", "blob:")) else faults.append(request.url))

    def visit(url, width=1280, height=900, theme="light", **options):
        context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=theme, **options)
        context.set_default_timeout(PATIENCE * 1000)
        contexts.append(context)
        page = context.new_page()
        watch(page, url.split("#")[0] if url.startswith("file:") else "/".join(url.split("/")[:3]))
        page.faults = faults
        page.goto(url)
        return page

    yield visit
    for context in contexts:
        context.close()
    assert faults == []

"""What a page of another origin can do to a session that is open in the same browser: nothing.

The other page has the same host and another port, so that the browser sends it the cookies of the inspector: they are one
site. It is the worst case; a page of another site has less.
"""

import http.server
import threading

import pytest

from conftest import EXAMPLES

TODO = EXAMPLES / "todo/todo.lua"


@pytest.fixture
def other_site():
    class Page(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(b"<!doctype html><title>Other</title><body>")

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Page)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()


# Each gives what the other page has learned or done.
ATTEMPTS = {
    "a request as programs send it": """origin => fetch(`${origin}/request`, {
        method: "POST", credentials: "include", headers: { "Content-Type": "application/json" },
        body: '{"do":"send","action":{"type":"add","text":"evil"}}' }).then(answer => answer.text(), () => "refused")""",
    "a request that needs no leave": """origin => fetch(`${origin}/request`, {
        method: "POST", mode: "no-cors", credentials: "include", headers: { "Content-Type": "text/plain" },
        body: '{"do":"send","action":{"type":"add","text":"evil"}}' }).then(answer => answer.text(), () => "refused")""",
    "the stream": """origin => new Promise(done => {
        const stream = new EventSource(`${origin}/stream`, { withCredentials: true });
        stream.onmessage = stream.onopen = () => done("it is read");
        stream.onerror = () => { stream.close(); done("refused"); } })""",
    "a look at a file": """origin => fetch(`${origin}/main.js`, { credentials: "include" })
        .then(answer => answer.text(), () => "refused")""",
    "a file as a script": """origin => new Promise(done => {
        const script = Object.assign(document.createElement("script"), { type: "module", src: `${origin}/main.js` });
        script.onload = () => done("it is loaded"); script.onerror = () => done("refused");
        document.body.append(script); })""",
    "a login with a guessed token": """origin => fetch(`${origin}/login`, {
        method: "POST", mode: "no-cors", body: '{"token":"AAAAAAAAAAAAAAAAAAAAAA"}' })
        .then(answer => answer.text(), () => "refused")""",
}


@pytest.fixture
def open_elsewhere(program, visit, other_site):
    """A session, and a page of another origin in a browser that is logged in to it."""
    running = program(TODO)
    page = visit(running.url())
    page.get_by_role("region", name="Rendering").first.wait_for()
    assert any(cookie["name"].startswith("inspector-") for cookie in page.context.cookies(running.origin))
    other = page.context.new_page()
    answers = []
    other.on("response", lambda answer: answers.append((answer.url, answer.status)))
    other.goto(other_site)
    return running, other, answers


@pytest.mark.parametrize("attempt", ATTEMPTS)
def test_another_origin_does_and_learns_nothing(open_elsewhere, attempt):
    running, other, answers = open_elsewhere
    before = running.ask("status")
    learned = other.evaluate(ATTEMPTS[attempt], running.origin)
    # An opaque answer has no text.
    assert learned in ("refused", "")
    assert running.ask("status") == before
    # Files are no secret: what keeps them from a page is the browser, as the answer says.
    assert [status for url, status in answers
            if url.startswith(running.origin) and status < 400 and not url.endswith(".js")] == []


def test_another_origin_cannot_post_a_form(open_elsewhere):
    running, other, answers = open_elsewhere
    before = running.ask("status")
    other.evaluate("""origin => {
        const form = Object.assign(document.createElement("form"),
            { method: "post", action: `${origin}/request`, enctype: "text/plain" });
        form.append(Object.assign(document.createElement("input"),
            { name: '{"do":"send","action":{"type":"add","text":"evil', value: '"}}' }));
        document.body.append(form);
        form.submit(); }""", running.origin)
    other.wait_for_url(f"{running.origin}/request")
    assert (f"{running.origin}/request", 403) in answers
    assert running.ask("status") == before


def test_another_origin_cannot_show_the_page_in_a_frame(open_elsewhere):
    running, other, _ = open_elsewhere
    other.evaluate("""origin => new Promise(done => {
        const frame = Object.assign(document.createElement("iframe"), { src: `${origin}/` });
        frame.onload = done;
        document.body.append(frame); })""", running.origin)
    assert [frame.locator("body *").count() for frame in other.frames[1:]
            if frame.url.startswith(running.origin)] in ([], [0])

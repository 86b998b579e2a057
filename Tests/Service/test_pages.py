"""The pages of a service in a browser: a session is found, opened and played, with a token and without one."""

import json
import os
import re
import subprocess

import pytest

from service import PATIENCE, ROOT, SERVE, Client, Service

sync_api = pytest.importorskip("playwright.sync_api")
Axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe
CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
sync_api.expect.set_options(timeout=PATIENCE * 1000)
MARKUP = "<img src=x onerror=alert(1)>"


@pytest.fixture(scope="module")
def browser():
    with sync_api.sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield chromium
        chromium.close()


@pytest.fixture
def service(tmp_path):
    service = Service(ROOT / "Examples/todo/todo.lua", ROOT / "Examples/counter/counter.lua",
                      "--store", tmp_path / "sessions.db", open_to_all=False)
    yield service
    assert service.stop() == 0


@pytest.fixture
def page(browser):
    page = browser.new_page()
    page.set_default_timeout(PATIENCE * 1000)
    page.faults = []
    page.on("console", lambda line: page.faults.append(line.text) if line.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: page.faults.append(str(error)))
    yield page
    page.close()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_session_is_found_opened_and_played(service, page, theme):
    client = Client(service.port, service.token)
    client.post("/sessions", {"flow": "todo", "id": "groceries"})
    for number in range(120):
        client.post("/sessions", {"flow": "counter", "id": f"c{number}"})
    page.emulate_media(color_scheme=theme)
    page.goto(f"http://127.0.0.1:{service.port}/fleet#token={service.token}")
    expect = sync_api.expect
    expect(page.get_by_role("status")).to_have_text("100 and more")
    assert Axe().run(page).response["violations"] == []
    page.get_by_role("button", name="Show more").click()
    expect(page.get_by_role("status")).to_have_text("121")
    page.get_by_label("Flow").select_option("todo")
    expect(page.get_by_role("status")).to_have_text("1")
    page.get_by_role("link", name="groceries", exact=True).click()
    page.get_by_role("textbox").first.fill(MARKUP)
    page.get_by_role("button", name="Add").click()
    expect(page.get_by_text(MARKUP)).to_be_visible()
    # What others do is seen too, and a name of markup makes no element.
    client.post("/sessions/groceries/actions", {"action": {"type": "add", "text": "bread"}})
    expect(page.get_by_text("bread")).to_be_visible()
    assert page.locator("img").count() == 0
    assert Axe().run(page).response["violations"] == []
    assert client.get("/sessions/groceries").body["of"] == 2
    # In the past, what is done gives up the later steps.
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#state")).to_have_text("Step 1 of 2 is shown. A click gives up the later step.")
    assert client.get("/sessions/groceries").body["step"] == 1
    page.get_by_role("button", name="Redo").click()
    expect(page.locator("#state")).to_have_text("")
    # A stream that is refused says why.
    problem = {"title": "Too many streams", "detail": "Close a page that shows a session.", "status": 503, "code": "busy"}
    page.route("**/events", lambda route: route.fulfill(status=503, content_type="application/problem+json", body=json.dumps(problem)))
    page.reload()
    expect(page.locator("#state")).to_have_text("Close a page that shows a session. The page tries again by itself.")
    page.unroute("**/events")
    expect(page.locator("#state")).to_have_text("")
    assert all("503" in fault for fault in page.faults), page.faults


@pytest.fixture
def tokens(tmp_path):
    """A service of a list with three things, and the tokens of who may look and of who may do all."""
    file = tmp_path / "tokens.txt"
    texts = []
    for name, scopes in [("eve", "read,inspect"), ("ada", "read,act,create,travel,delete,inspect,evaluate")]:
        made = subprocess.run([SERVE, "token", name, "--scope", scopes, "--tokens", file],
                              capture_output=True, text=True, check=True)
        texts.append(re.search(r"wfs_\S+", made.stdout)[0])
    service = Service(ROOT / "Examples/todo/todo.lua", "--store", tmp_path / "sessions.db", "--tokens", file,
                      open_to_all=False)
    client = Client(service.port, texts[1])
    client.post("/sessions", {"flow": "todo", "id": "groceries"})
    for text in ["milk", "bread", MARKUP]:
        client.post("/sessions/groceries/actions", {"action": {"type": "add", "text": text}})
    yield service, client, texts
    assert service.stop() == 0


def clean(page):
    assert [(one["id"], [node["html"] for node in one["nodes"]])
            for one in Axe().run(page).response["violations"]] == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_session_is_inspected_and_played_from_its_past(tokens, page, theme):
    service, client, (_, token) = tokens
    expect = sync_api.expect
    page.emulate_media(color_scheme=theme)
    page.goto(f"http://127.0.0.1:{service.port}/fleet/#token={token}")
    page.get_by_role("link", name="Inspect groceries").click()
    place = page.locator(".top .position").first
    expect(place).to_have_text("step 3 of 3")
    assert "token" not in page.url
    clean(page)
    rendering = page.get_by_role("region", name="Rendering", exact=True).first
    # Back to a step, which nobody else sees.
    page.get_by_role("option").filter(has_text="bread").click()
    expect(rendering).to_contain_text("0 of 2 done")
    assert client.get("/sessions/groceries").body["step"] == 3
    page.get_by_role("button", name="Messages").click()
    expect(page.get_by_role("listbox", name="Messages").get_by_role("option").nth(3)).to_contain_text("outside to todo: add")
    clean(page)
    page.get_by_role("button", name="States").click()
    page.get_by_role("combobox", name="States by").fill("rendering.title")
    page.keyboard.press("Enter")
    expect(page.locator(".state-box").last).to_have_text("0 of 3 done")
    clean(page)
    page.get_by_role("button", name="Rendering", exact=True).click()
    # Another way from there, beside it.
    page.get_by_role("button", name="Try another way").click()
    other = page.get_by_role("region", name="Another way")
    other.get_by_label("Text", exact=True).fill("tea")
    other.get_by_role("button", name="Add", exact=True).click()
    expect(other.get_by_text("0 of 3 done", exact=True)).to_be_visible()
    clean(page)
    assert client.get("/sessions/groceries").body["of"] == 3
    other.get_by_role("button", name="Close").click()
    # The session itself goes back, and on.
    page.get_by_role("button", name="Take the session here").click()
    expect(page.get_by_role("status").first).to_contain_text("The session is in the past, at step 2 of 3.")
    assert client.get("/sessions/groceries").body["step"] == 2
    assert page.get_by_role("button", name="Go on from here…").count() == 0
    rendering.get_by_label("Text", exact=True).fill("jam")
    rendering.get_by_role("button", name="Add", exact=True).click()
    expect(place).to_have_text("step 3 of 3")
    now = client.get("/sessions/groceries").body
    assert [row["text"] for row in now["rendering"]["rows"]] == ["milk", "bread", "jam"]
    # What others do is seen, and what is saved opens without the service.
    client.post("/sessions/groceries/actions", {"action": {"type": "add", "text": MARKUP}})
    expect(place).to_have_text("step 4 of 4")
    page.get_by_text("Save", exact=True).click()
    with page.expect_download() as saved:
        page.get_by_role("button", name="This session as a page").click()
    expect(page.get_by_text("It opens without a program")).to_contain_text("4 steps")
    assert saved.value.suggested_filename == "todo.html"
    assert page.locator("img").count() == 0
    clean(page)
    assert page.faults == []


def test_who_may_look_changes_nothing_and_is_offered_nothing(tokens, page):
    service, client, (looker, _) = tokens
    expect = sync_api.expect
    page.goto(f"http://127.0.0.1:{service.port}/inspect/groceries/#token={looker}")
    expect(page.locator(".top .position").first).to_have_text("step 3 of 3")
    page.get_by_role("option").filter(has_text="bread").click()
    expect(page.get_by_role("status").first).to_contain_text("You look at step 2.")
    for name in ["Undo", "Redo", "Reload files", "Take the session here", "Try another way"]:
        assert page.get_by_role("button", name=name).count() == 0, name
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Add", exact=True)).to_be_disabled()
    clean(page)
    # It is over when the session is, and comes back when the service does.
    client.ask("DELETE", "/sessions/groceries")
    expect(page.get_by_role("status").first).to_contain_text("The session is over")
    page.goto(f"http://127.0.0.1:{service.port}/inspect/groceries/")
    page.reload()
    expect(page.get_by_role("heading")).to_have_text("This page cannot be opened")
    assert all("404" in fault for fault in page.faults), page.faults


def test_an_inspector_goes_on_when_the_service_was_started_again(tmp_path, page):
    store = tmp_path / "sessions.db"
    counter = ROOT / "Examples/counter/counter.lua"
    service = Service(counter, "--store", store)
    Client(service.port).post("/sessions", {"flow": "counter", "id": "c"})
    page.goto(f"http://127.0.0.1:{service.port}/inspect/c/")
    expect = sync_api.expect
    page.get_by_role("button", name="Increment").click()
    expect(page.locator(".top .position")).to_have_text("step 1 of 1")
    assert service.stop() == 0
    expect(page.get_by_role("button", name="Undo")).to_be_disabled()
    expect(page.get_by_role("status").first).to_contain_text("The connection is lost.")
    service = Service(counter, "--store", store, port=service.port)
    expect(page.get_by_role("button", name="Undo")).to_be_enabled()
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".top .position")).to_have_text("step 0 of 1")
    assert Client(service.port).get("/sessions/c").body["step"] == 0
    assert service.stop() == 0


def test_without_a_token_nothing_is_shown(service, page):
    Client(service.port, service.token).post("/sessions", {"flow": "todo", "id": "groceries"})
    page.goto(f"http://127.0.0.1:{service.port}/fleet/")
    sync_api.expect(page.get_by_role("status")).to_contain_text("Open the address")
    page.goto(f"http://127.0.0.1:{service.port}/play/groceries/")
    sync_api.expect(page.get_by_role("status")).to_contain_text("Open the address")
    assert page.get_by_text("groceries").count() == 0


def test_a_play_page_goes_on_when_the_service_was_started_again(tmp_path, page):
    store = tmp_path / "sessions.db"
    service = Service(ROOT / "Examples/counter/counter.lua", "--store", store)
    client = Client(service.port)
    client.post("/sessions", {"flow": "counter", "id": "c"})
    page.goto(f"http://127.0.0.1:{service.port}/play/c/")
    page.get_by_role("button", name="Increment").click()
    sync_api.expect(page.locator("main")).to_contain_text("1")
    service.kill()
    service = Service(ROOT / "Examples/counter/counter.lua", "--store", store, port=service.port)
    page.get_by_role("button", name="Increment").click()
    sync_api.expect(page.locator("main")).to_contain_text("2")
    assert Client(service.port).get("/sessions/c").body["of"] == 2
    assert service.stop() == 0

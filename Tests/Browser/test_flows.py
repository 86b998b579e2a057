"""Twelve kinds of flows, played to their end by clicks on the page for players, on a desk and on a phone."""

import json
import pathlib

import pytest
from playwright.sync_api import expect

from conftest import Player, findings, plain, until

FLOWS_FOLDER = pathlib.Path(__file__).parent / "flows"


def wizard(p):
    p.click("Continue")
    # The refusal stands at the field that it names.
    expect(p.view.get_by_label("Full name", exact=True)).to_have_attribute("aria-invalid", "true")
    p.fill("Full name", "Ada Lovelace")
    p.fill("Email", "ada")
    p.click("Continue")
    expect(p.view.get_by_label("Email", exact=True)).to_have_attribute("aria-invalid", "true")
    p.fill("Email", "ada@example.org")
    p.click("Continue")
    p.sees("Choose a ticket")
    p.click("Back")
    expect(p.view.get_by_label("Full name", exact=True)).to_have_value("Ada Lovelace")
    p.click("Continue")
    p.view.get_by_role("radio", name="patron").check()
    expect(p.view.get_by_label("Day of arrival")).to_have_value("2026-06-12")
    p.fill("Nights", "3")
    p.click("Continue")
    p.sees("patron")
    p.sees("€541.50")
    p.click("Book")
    return {"booked": "Ada Lovelace", "nights": 3}


def kanban(p):
    # A new card starts empty, and not with the board's title and sum.
    expect(p.view.get_by_label("Title", exact=True)).to_have_value("")
    expect(p.view.get_by_label("Points", exact=True)).to_have_value("")
    p.fill("Title", "Rings")
    p.click("Add card")
    expect(p.view.get_by_role("heading", name="Rings")).to_be_visible()
    p.sees("20")
    for title in ["Rings", "Order flowers"]:
        card = p.view.locator(".columns .items > li").filter(has_text=title)
        p.click("Move right", card)
        if title == "Order flowers":
            expect(card.get_by_role("alert")).to_contain_text("At most two cards")
    for title in ["Write the invitation", "Book the venue", "Rings", "Order flowers", "Ask the band", "Seating plan"]:
        card = p.page.locator(".columns .items > li").filter(has_text=title)
        name = p.page.locator(".columns > li").filter(has_text=title).locator("> h4")
        while (was := name.inner_text()) != "Done":
            p.click("Move right", card)
            expect(name).not_to_have_text(was)
        p.click("Delete", card)
        expect(card.get_by_role("dialog")).to_be_visible()
        p.confirm()
        expect(card).to_have_count(0)
    return {"finished": True}


def chat(p):
    log = p.view.get_by_role("log")
    is_at_end = "e => e.scrollHeight - e.scrollTop - e.clientHeight < 4"
    assert log.evaluate(is_at_end)
    p.fill("Text", "Good evening!")
    p.click("Say")
    expect(log.get_by_role("listitem").last).to_contain_text("Good evening!")
    assert log.evaluate(is_at_end)
    p.click("Like", log.get_by_role("listitem").first)
    expect(log.get_by_role("listitem").first).to_contain_text("Likes 1")
    p.click("Leave")
    return {"messages": 13}


def table(p):
    rows = p.view.get_by_role("row")
    expect(rows).to_have_count(51)
    expect(p.view.get_by_role("status").last).to_contain_text("1 to 50 of 10,000")
    p.click("Price")
    expect(rows.nth(1)).to_contain_text("€0.00")
    p.click("Price")
    expect(rows.nth(1)).to_contain_text("€89.99")
    p.click("Later page of Articles")
    expect(p.view.get_by_role("status").last).to_contain_text("51 to 100 of 10,000")
    p.view.get_by_role("searchbox", name="Filter Articles").fill("09999")
    expect(rows).to_have_count(2)
    p.click("Order", rows.last)
    p.sees("10")
    p.click("Close")
    return {"ordered": 10}


def settings(p):
    expect(p.view.get_by_label("Display name")).to_have_value("Ada")
    # What the form holds is not shown again above it.
    expect(p.view.locator("dt", has_text="Display name")).to_have_count(0)
    p.fill("Display name", "A")
    p.click("Save")
    expect(p.view.get_by_label("Display name")).to_have_attribute("aria-invalid", "true")
    p.fill("Display name", "Ada L.")
    p.fill("Tags", "maths\npoetry\nlooms")
    p.view.get_by_label("Language").select_option(label="Français")
    p.view.get_by_role("radio", name="plum").check()
    p.click("Save")
    p.sees("Saved.")
    expect(p.view.get_by_role("radio", name="plum")).to_be_checked()
    expect(p.view.get_by_label("Language")).to_have_value("3")
    p.view.get_by_role("checkbox", name="News").click()
    expect(p.view.get_by_role("checkbox", name="News")).to_be_checked()
    p.click("Reset all settings")
    p.view.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    p.click("Close")
    return {"name": "Ada L.", "tags": ["maths", "poetry", "looms"]}


MINES = [3, 12, 22, 29, 37, 46, 51, 60]


def mines(p):
    def square(place):
        return p.view.get_by_role("button", name=f"Step row {(place - 1) // 8 + 1}, column {(place - 1) % 8 + 1}:")

    box = square(1).bounding_box()
    assert abs(box["width"] - box["height"]) < 1
    square(3).click()
    p.sees("That was a mine")
    p.click("Again")
    expect(square(4)).to_be_visible()
    for place in range(1, 65):
        if place not in MINES and square(place).count():
            square(place).click()
            expect(square(place)).to_have_count(0)
    p.sees("Cleared")
    p.click("Leave")
    return {}


def dashboard(p):
    p.sees("3.4%")
    p.click("This week")
    expect(p.view.get_by_role("button", name="This week")).to_have_attribute("aria-pressed", "true")
    p.sees("€10,481.75")
    row = p.view.get_by_role("row").filter(has_text="A-1041")
    p.click("Refund", row)
    expect(row.get_by_role("alert")).to_contain_text("A refund needs a reason.")
    p.click("Ship", row)
    expect(row).to_contain_text("shipped")
    p.fill("Reason", "broken", row)
    p.click("Refund", row)
    expect(row).to_contain_text("refunded")
    p.click("Close day")
    return {"orders": 3}


def tree(p):
    for name in ["Birds", "Owls", "Barn owls", "Tyto"]:
        p.click("Unfold", p.view.get_by_role("listitem").filter(has=p.page.get_by_role("heading", name=name, exact=True)).last)
    p.sees("Tyto alba")
    p.click("Fold", p.view.get_by_role("listitem").filter(has=p.page.get_by_role("heading", name="Animals", exact=True)))
    p.misses("Tyto alba")
    p.click("Close")
    return {"closed": True}


def approvals(p):
    p.click("Approve", p.view.get_by_role("row").filter(has_text="Desk lamp"))
    p.sees("approved")
    row = p.view.get_by_role("row").filter(has_text="Train to Lisbon").filter(has=p.page.get_by_role("button"))
    p.click("Reject", row)
    expect(row.get_by_label("Reason")).to_have_attribute("aria-invalid", "true")
    p.fill("Reason", "there is a ferry", row)
    p.click("Reject", row)
    p.sees("there is a ferry")
    p.click("Approve")
    p.sees("Nothing waits")
    p.click("Done")
    return {"decided": 3}


def errors(p):
    p.sees("12,345,678,901,234,567")
    p.click("Fail")
    expect(p.view.get_by_role("alert")).to_contain_text("It was refused without a reason.")
    p.click("Break down")
    expect(p.view.get_by_role("alert").nth(1)).to_be_visible()
    p.click("Blank", nth=1)
    p.sees("1")
    p.click("main.lua")
    p.click("read me".capitalize())
    expect(p.view.locator("dd").get_by_text("3", exact=True)).to_be_visible()
    p.fill("First", "7")
    p.click("Play")
    expect(p.view.get_by_text("7", exact=True)).to_be_visible()
    p.click("Leave")
    return {"rounds": 3}


def files(p):
    p.click("Open", p.view.get_by_role("row").filter(has_text="to-mira.txt"))
    p.sees("1.83 kB")
    p.click("Close")
    row = p.view.get_by_role("row").filter(has_text="minutes.txt")
    p.click("Rename", row)
    expect(row.get_by_label("Name")).to_have_value("minutes.txt")
    p.fill("Name", "protocol.txt", row)
    p.click("Rename", row)
    expect(p.view.get_by_role("row").filter(has_text="protocol.txt")).to_be_visible()
    p.click("Delete", p.view.get_by_role("row").filter(has_text="harbour.png"))
    p.confirm()
    p.misses("harbour.png")
    p.fill("Name", "notes.txt")
    p.click("Create")
    p.sees("notes.txt")
    p.click("Leave")
    return {"files": 3}


def calculator(p):
    for key, shown in [("1", "1"), ("2", "12"), ("×", "12"), ("4", "4"), ("=", "48"), ("÷", "48"), ("0", "0")]:
        p.click(key)
        expect(p.view.get_by_role("heading").first).to_have_text(shown)
    p.click("=")
    expect(p.view.get_by_role("alert")).to_contain_text("There is no division by zero.")
    p.click("Clear")
    p.click("7")
    p.click("Done")
    return {"result": 7}


FLOWS = [wizard, kanban, chat, table, settings, mines, dashboard, tree, approvals, errors, files, calculator]


@pytest.mark.parametrize("width, theme", [(1440, "light"), (390, "dark")], ids=["desk", "phone"])
@pytest.mark.parametrize("play", FLOWS, ids=lambda play: play.__name__)
def test_a_flow_is_played_to_its_end(play, width, theme, program, visit):
    running = program(FLOWS_FOLDER / f"{play.__name__}.lua")
    page = visit(running.url("/play"), width=width, theme=theme)
    player = Player(page)
    expect(player.view.get_by_role("heading").first).to_be_visible()
    if width > 1000:
        assert list(findings(page)) == []
    # Nothing is wider than the screen.
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") == 0
    expected = play(player)
    if width > 1000:
        # Refusals, too, are found and read.
        assert list(findings(page)) == []
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") == 0

    def is_output():
        last = running.ask("status")["of"]
        outputs = running.ask("diff", **{"from": last - 1, "to": last}).get("outputs", [])
        return any(expected.items() <= plain(output).items() for output in outputs)

    until(is_output)


def test_a_long_table_has_few_elements_and_is_sorted_at_once(program, visit):
    running = program(FLOWS_FOLDER / "table.lua", "--props", json.dumps({"rows": 10_000}))
    page = visit(running.url("/play"))
    expect(page.get_by_role("status").last).to_contain_text("1 to 50 of 10,000")
    expect(page.get_by_role("button", name="Later page of Articles")).to_be_enabled()
    assert page.locator("*").count() <= 2000
    # The row with the highest price is not among those that were shown.
    took = page.evaluate("""() => {
        const button = [...document.querySelectorAll("th button")].find((one) => one.textContent.startsWith("Price"));
        const took = [];
        for (let turn = 0; turn < 6; turn += 1) {
            const start = performance.now();
            button.click();
            took.push(performance.now() - start);
        }
        return took;
    }""")
    print("sorted in", took)
    assert page.locator("*").count() <= 2000


def test_a_long_conversation_has_few_elements(program, visit):
    running = program(FLOWS_FOLDER / "chat.lua", "--props", json.dumps({"messages": 500}))
    page = visit(running.url("/play"))
    log = page.get_by_role("log")
    expect(log.get_by_role("listitem")).to_have_count(50)
    expect(log.get_by_role("listitem").last).to_contain_text("17:20")
    assert page.locator("*").count() <= 1000
    log.get_by_role("button", name="450 earlier").click()
    expect(log.get_by_role("listitem")).to_have_count(100)

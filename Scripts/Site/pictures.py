"""The pictures of the pages, drawn from the program: a session in the REPL that goes back in time,
one in a browser that looks at an earlier step, and a sheet of flows on the page for players, on a
desk and on a phone.

WORKFLOW_RUN is the program, Scripts/run unless it is set; CHROMIUM is the browser.
"""

import base64
import json
import os
import pty
import re
import select
import subprocess
import sys
import urllib.request
from contextlib import contextmanager
from html import escape
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent.parent
PROGRAM = os.environ.get("WORKFLOW_RUN", "Scripts/run")


def draw(folder):
    """Draws all pictures into a folder, or where the pages have them."""
    from playwright.sync_api import sync_playwright

    def place(path):
        return folder / Path(path).name if folder else TOP / path

    if folder:
        folder.mkdir(parents=True, exist_ok=True)
    terminal = place("Examples/todo/repl.svg")
    terminal.write_text(terminal_picture(converse()), encoding="utf-8")
    drawn = [terminal]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"), args=["--no-sandbox"])
        for path, draw_page in [
            ("Examples/todo/inspector.png", draw_inspector),
            ("Sources/Flow/WorkflowLua/Documentation.docc/pages.png", draw_sheet),
        ]:
            draw_page(browser, place(path))
            drawn.append(place(path))
        browser.close()
    for picture in drawn:
        print(f"{picture}: {picture.stat().st_size // 1000} KB")


# A session at a terminal

COMMAND = ["Scripts/run", "repl", "Examples/todo/todo.lua"]
PROMPT = re.compile(r"^todo(@\d+/\d+)?> $", re.MULTILINE)
TYPED = [
    'add{ text = "milk" }',
    "rows[1].toggle",
    "finish",
    ".timeline",
    ".goto 1",
    'add{ text = "bread" }',
    ".timeline",
]

CELL, LINE, MARGIN = 8.4, 20, 18
STYLES = {"1": "bold", "2": "dim", "31": "red", "32": "green", "33": "yellow", "34": "blue", "36": "cyan"}
# Colours that can be read on light and on dark pages.
CSS = """
.page { fill: #ffffff; stroke: #d0d7de }
text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #1f2328 }
.bold { font-weight: bold } .dim { fill: #6e7781 } .red { fill: #cf222e } .green { fill: #1a7f37 }
.yellow { fill: #9a6700 } .blue { fill: #0969da } .cyan { fill: #1b7c83 }
@media (prefers-color-scheme: dark) {
.page { fill: #0d1117; stroke: #30363d } text { fill: #e6edf3 }
.dim { fill: #8b949e } .red { fill: #ff7b72 } .green { fill: #7ee787 } .yellow { fill: #e3b341 }
.blue { fill: #79c0ff } .cyan { fill: #76e3ea }
}
"""


def converse():
    """The lines of the terminal, from the prompt of the shell to the last of the REPL."""
    subprocess.run([TOP / PROGRAM, "--version"], check=True, stdout=subprocess.DEVNULL)
    child, terminal = pty.fork()
    if child == 0:
        # Without NO_COLOR, and with a terminal on which lines are typed without being edited.
        home = os.environ.get("TMPDIR", "/tmp")
        environment = {"PATH": os.environ["PATH"], "TERM": "dumb", "HOME": home, "XDG_STATE_HOME": home}
        os.chdir(TOP)
        os.execvpe(PROGRAM, [*COMMAND, "--color", "always"], environment)
    shown = b""

    def read_until(is_over):
        nonlocal shown
        while not is_over(shown.decode(errors="ignore")):
            if not select.select([terminal], [], [], 20)[0]:
                sys.exit(f"error: nothing more comes after:\n{shown.decode(errors='replace')}")
            try:
                chunk = os.read(terminal, 4096)
            except OSError:  # Linux's way to say that the program has ended.
                chunk = b""
            if not chunk:
                return
            shown += chunk

    # A prompt that something is typed at is followed by what is typed.
    for line in [*TYPED, ".exit"]:
        read_until(PROMPT.search)
        start = len(shown.decode(errors="ignore"))
        os.write(terminal, line.encode() + b"\n")
        read_until(lambda text: f"{line}\r\n" in text[start:])
    read_until(lambda _: False)
    os.waitpid(child, 0)
    text = shown.decode().replace("\r\n", "\n").rstrip("\n")
    # The terminal may be gone before its echo of the last line is read.
    lines = (text if text.endswith(".exit") else text + ".exit").split("\n")
    return ["$ " + " ".join(COMMAND), *lines]


def pieces(line):
    """The parts of a line that look the same, as (column, classes, text)."""
    column, classes, result = 0, [], []
    for part in re.split(r"(\x1b\[[0-9;]*m)", line):
        if part.startswith("\x1b"):
            for code in part[2:-1].split(";"):
                classes = [] if code in ("", "0") else [*classes, STYLES[code]]
        elif part:
            result.append((column, " ".join(classes), part))
            column += len(part)
    return result


def terminal_picture(lines):
    width = max(len(re.sub(r"\x1b\[[0-9;]*m", "", line)) for line in lines) * CELL + 2 * MARGIN
    height = len(lines) * LINE + 2 * MARGIN
    rows = []
    for number, line in enumerate(lines):
        spans = "".join(
            f'<tspan x="{MARGIN + column * CELL:.1f}"{f" class={chr(34)}{name}{chr(34)}" if name else ""}>'
            f"{escape(text, quote=False)}</tspan>"
            for column, name, text in pieces(line)
        )
        rows.append(f'<text y="{MARGIN + 14 + number * LINE}" xml:space="preserve">{spans}</text>')
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" width="{width:.0f}" '
        f'height="{height}" role="img" aria-label="A session in the REPL that goes back in time">\n'
        f"<style>{CSS}</style>\n"
        f'<rect class="page" x="0.5" y="0.5" width="{width - 1:.0f}" height="{height - 1}" rx="8"/>\n'
        + "\n".join(rows)
        + "\n</svg>\n"
    )


# Sessions in a browser

INPUTS = [
    ({"type": "add", "text": "buy tea"}, "todo"),
    ({"type": "add", "text": "wash the cup"}, "todo"),
    ({"type": "toggle"}, "todo/item:1"),
    ({"type": "add", "text": "boil water"}, "todo"),
    ({"type": "toggle"}, "todo/item:2"),
    ({"type": "remove"}, "todo/item:1"),
]


@contextmanager
def serving(flow):
    """Runs a flow, and gives the origin and the token of its page."""
    program = subprocess.Popen(
        [PROGRAM, "run", flow, "--inspect"],
        cwd=TOP, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    try:
        found = next(filter(None, (re.search(r"inspect at (http://\S+)", line) for line in program.stderr)), None)
        if not found:
            sys.exit("error: the program has printed no address\nhelp: run it by hand with --inspect to see why")
        yield found[1].split("/#token=")
    finally:
        program.terminate()
        program.wait()


def draw_inspector(browser, picture):
    from playwright.sync_api import expect

    with serving("Examples/todo/todo.lua") as (origin, token):
        for action, node in INPUTS:
            request = urllib.request.Request(
                f"{origin}/request", json.dumps({"do": "send", "action": action, "node": node}).encode(),
                {"Content-Type": "application/json", "Authorization": f"Bearer {token}"})
            urllib.request.urlopen(request).close()
        page = browser.new_page(viewport={"width": 1280, "height": 720}, color_scheme="light")
        page.goto(f"{origin}/#token={token}&step=5&node=todo/item:2")
        expect(page.locator(".screen")).to_contain_text("2 of 3 done")
        expect(page.get_by_role("region", name="Changes")).to_contain_text("rows[2].done")
        page.get_by_role("button", name="rows[2].done").click()
        expect(page.get_by_role("region", name="Why")).to_contain_text("item.done = not item.done")
        page.screenshot(path=picture)
        page.close()


def draw_sheet(browser, picture):
    """Draws each flow twice, light and wide, dark and narrow, and puts the pictures onto one page."""
    from playwright.sync_api import expect

    figures = []
    for flow in sorted((TOP / "Tests/Browser/flows").glob("*.lua")):
        with serving(flow) as (origin, token):
            images = []
            for width, theme in [(1280, "light"), (390, "dark")]:
                page = browser.new_page(
                    viewport={"width": width, "height": 800}, color_scheme=theme, device_scale_factor=0.5)
                page.goto(f"{origin}/play#token={token}")
                expect(page.locator(".rendering > *").first).to_be_visible()
                expect(page.locator("#state")).to_be_empty()
                data = base64.b64encode(page.screenshot()).decode()
                images.append(f'<img src="data:image/png;base64,{data}">')
                page.close()
            figures.append(f"<figure>{''.join(images)}<figcaption>{flow.stem}</figcaption></figure>")
    page = browser.new_page(viewport={"width": 1760, "height": 100})
    page.set_content("""<style>
        body { margin: 16px; display: grid; grid-template-columns: 1fr 1fr; gap: 16px;
               font: 16px sans-serif; background: #ccc }
        figure { margin: 0; display: grid; grid-template-columns: auto auto; gap: 8px; justify-content: start }
        figcaption { grid-column: 1 / -1 }
    </style>""" + "".join(figures))
    page.screenshot(path=picture, full_page=True)
    page.close()

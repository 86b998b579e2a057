#!/usr/bin/env python3
"""Compiles the Swift examples of doc comments, as readers would who paste them.

Each stands in a function of its own. What an example takes for granted, such as `session`, is
declared in the files beside this one: for all, or for those of one file in `enum <file>Examples`.
The modules have to be built. Arguments are folders, of whose files alone the examples are meant.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

CONTEXT = [*sorted(Path(__file__).parent.glob("*.swift")),
           *(Path(f"Tests/DocumentationTests/Snippets/{name}.swift") for name in (
               "ComingFromWorkflowSwiftSnippets", "SnippetWorkers", "TypedRuntimeSnippets")),
           Path("Tests/WorkflowTestingTests/GuideSnippets.swift")]
FILE_SCOPE = re.compile(r"(import|extension|@main|@c\()")


def examples(lines):
    """The Swift blocks of doc comments: the number of the first line, and the lines."""
    block = None
    for number, line in enumerate(lines, 1):
        if match := re.match(r"\s*/// ?(.*)", line):
            text = match[1]
            if block is None and text.strip() == "```swift":
                block = (number + 1, [])
            elif block and text.strip() == "```":
                yield block
                block = None
            elif block:
                block[1].append(text.replace("…", ""))


def main():
    folders = sys.argv[1:] or ["Sources", "Plugins"]
    files = sorted(path for folder in folders for path in Path(folder).rglob("*.swift"))
    context = {path: path.read_text() for path in CONTEXT}
    imports = "\n".join(sorted({
        line for text in context.values() for line in text.splitlines()
        if line.startswith(("import ", "@testable import "))
    }))
    scopes = {name for text in context.values() for name in re.findall(r"enum (\w+Examples)\b", text)}
    output, count = [imports], 0
    for path in files:
        scope = path.stem.replace("+", "") + "Examples"
        for first, lines in examples(path.read_text().splitlines()):
            count += 1
            body = "\n".join([f'#sourceLocation(file: "{path}", line: {first})', *lines, "#sourceLocation()"])
            if not any(map(FILE_SCOPE.match, lines)):
                body = f"func example{count}() async throws {{\n{body}\n}}"
                body = f"extension {scope} {{ static {body} }}" if scope in scopes else body
            output.append(body)
    sources = [Path("Sources/C"), *Path(".build/checkouts").glob("*/Sources")]
    headers = [path for source in sources for room in ("*", "*/include") for path in source.glob(room)
               if any(path.glob("*.h"))]
    maps = [*Path(".build/debug").glob("C*.build/module.modulemap"),
            *(path for path in (folder / "module.modulemap" for folder in headers) if path.exists())]
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "Comments.swift"
        program.write_text("\n".join(output) + "\n")
        command = ["swiftc", "-typecheck", "-swift-version", "6", "-suppress-warnings", "-parse-as-library",
                   "-package-name", "comments", "-I", ".build/debug/Modules"]
        for option in [*(f"-I{path}" for path in headers), *(f"-fmodule-map-file={path}" for path in maps)]:
            command += ["-Xcc", option]
        status = subprocess.run([*command, program, *context], check=False).returncode
    print(f"{count} examples of doc comments" + (" compile" if status == 0 else ""))
    return status


sys.exit(main())

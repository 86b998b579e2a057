"""Usage: instructions.py WORKFLOW-BENCH [--keep] [word…], as Scripts/bench instructions runs it.

It counts the instructions of a cycle of each shape in instructions.json, or of those whose names
contain a word, and fails if one is over 3 % off its figure there; --keep writes the figures. Of a
new shape, which is one of workflow-bench, write the name with 0, and keep its figure.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

FILE = pathlib.Path(__file__).with_name("instructions.json")
# Two runs of one build differ by less than 0.01 %. A change of unrelated code can give Lua another
# seed of its hashes, by which reading 100 records takes up to 2 % more or less.
MARGIN = 0.03


def output(*command, **options):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if done.returncode:
        sys.exit(f"{done.stdout}error: {command[0]} failed with {done.returncode}; what it said is above")
    return done.stdout


def count(program, shapes):
    """The instructions of a cycle of each shape."""
    with tempfile.TemporaryDirectory() as folder:
        # It begins a new file at each call of the function: one for what is before the first batch,
        # one for the batch, one for what is before the next one, … Lua makes the seed of its hashes
        # of addresses, too, of which those on the stack depend on the arguments and environment.
        printed = output(
            "valgrind", "--tool=callgrind", "--log-file=/dev/null", f"--callgrind-out-file={folder}/out",
            "--dump-before=allocation_count", f"./{program.name}", "--counted",
            input="\n".join(shapes), cwd=program.parent,
            env={"PATH": os.defpath, "SWIFT_DETERMINISTIC_HASHING": "1"})
        counts = {}
        for index, line in enumerate(printed.splitlines()):
            calls, name = line.split(" ", 1)
            text = pathlib.Path(folder, f"out.{2 * index + 2}").read_text()
            counts[name] = int(text.split("\nsummary: ")[1].split()[0]) // int(calls)
    return counts


def main():
    program, *words = sys.argv[1:]
    keeps = "--keep" in words
    words = [word for word in words if word != "--keep"] or [""]
    kept = json.loads(FILE.read_text())
    compiler = " ".join(output("swiftc", "--version").split())
    shapes = kept["instructions"]
    wanted = [name for name in shapes if any(word in name for word in words)]
    counts = count(pathlib.Path(program), wanted)
    if not wanted or counts.keys() != set(wanted):
        sys.exit(f"error: not one shape for each of {wanted or words}\nhelp: see the names in {FILE} and in workflow-bench")
    print(f"{'shape':44}{'figure':>12}{'now':>12}{'ratio':>8}")
    for name, now in counts.items():
        print(f"{name:44}{shapes[name]:12}{now:12}{now / max(shapes[name], 1):8.3f}")
    if keeps:
        kept = {"compiler": compiler, "instructions": {**shapes, **counts}}
        FILE.write_text(json.dumps(kept, indent=4) + "\n")
    elif compiler != kept["compiler"]:
        print(f"not compared, as the figures are those of another compiler: {kept['compiler']}")
    elif slower := [name for name in wanted if counts[name] > shapes[name] * (1 + MARGIN)]:
        sys.exit(
            f"error: over {MARGIN:.0%} more instructions: {'; '.join(slower)}\n"
            "help: find what takes them, as with callgrind_annotate; if they are worth it, or Lua or the C library is\n"
            "      another one, write the figures with Scripts/bench instructions --keep, and say why in the commit")
    elif faster := [name for name in wanted if counts[name] < shapes[name] * (1 - MARGIN)]:
        sys.exit(
            f"error: over {MARGIN:.0%} fewer instructions: {'; '.join(faster)}\n"
            "help: lower the figures with Scripts/bench instructions --keep, so that they stay as low")


main()

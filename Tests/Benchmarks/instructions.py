"""Usage: instructions.py WORKFLOW-BENCH [--keep] [word…], as Scripts/bench instructions runs it.

It counts the instructions of a cycle of each shape in instructions.json, or of those whose names
contain a word, and fails if one is over 6 % off its figure there; --keep writes the figures. Of a
new shape, which is one of workflow-bench, write the name with 0, and keep its figure.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

FILE = pathlib.Path(__file__).with_name("instructions.json")
# Two runs of one build differ by up to 0.03 %. A change of unrelated code can give Lua another
# seed of its hashes, by which reading 100 records takes up to 2.9 % more or less than the figure,
# which is that of some seed, too.
MARGIN = 0.06


def output(*command, **options):
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, **options)
    return done.stdout if done.returncode == 0 else sys.exit(f"error: {command[0]} failed, as is said above")


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
    counts = count(pathlib.Path(program), wanted) if wanted else {}
    if not wanted or counts.keys() != set(wanted):
        sys.exit(f"error: not one shape for each of {wanted or words}\nhelp: see the names in {FILE} and in workflow-bench")
    print(f"{'shape':44}{'figure':>12}{'now':>12}{'ratio':>9}")
    for name, now in counts.items():
        print(f"{name:44}{shapes[name]:12}{now:12}{now / max(shapes[name], 1):9.3f}")
    if keeps:
        kept = {"compiler": compiler, "instructions": {**shapes, **counts}}
        FILE.write_text(json.dumps(kept, indent=4) + "\n")
    elif compiler != kept["compiler"]:
        print(f"not compared, as the figures are those of another compiler: {kept['compiler']}")
    elif any(abs(now - shapes[name]) > MARGIN * shapes[name] for name, now in counts.items()):
        sys.exit(
            f"error: some ratios are over {100 * MARGIN:.0f} % off\n"
            "help: find what takes more, as with callgrind_annotate; if there is less, or it is worth it, or Lua or the C\n"
            "      library is another one, run Scripts/bench instructions --keep, and say the reason in the commit")


main()

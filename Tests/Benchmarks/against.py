"""Usage: against.py COMMIT, as Scripts/bench --against runs it: compares the tables of two builds.

It reads what workflow-bench prints, each time after a line "here" or "there". It prints the
shortest times of each shape that both have, and fails if one is over 10 % longer here.
"""

import re
import sys


def shortest(lines):
    """The shortest time of each shape by its table and its name, there and here."""
    times = {"there": {}, "here": {}}
    side = title = column = None
    for line in lines:
        words = re.split("  +", line.strip())
        if words[0] in times:
            side = times[words[0]]
        elif words[0] in ("shape", "work"):
            # Where two times are compared in a row, the second one is that of a flow as it is.
            column = 1 if words[0] == "shape" else 2
        elif len(words) == 1:
            title = words[0]
        # The size of a node is not a time: its row has 0.
        elif int(words[column]) > 0:
            key = title, words[0]
            side[key] = min(side.get(key, sys.maxsize), int(words[column]))
    return times["there"], times["here"]


def main():
    there, here = shortest(sys.stdin)
    ratios = {key: here[key] / there[key] for key in there if key in here}
    title = None
    for key, ratio in ratios.items():
        if key[0] != title:
            title = key[0]
            print(f"\n{title}\n{'shape':44}{'there, ns':>12}{'here, ns':>12}{'ratio':>8}")
        print(f"{key[1]:44}{there[key]:12}{here[key]:12}{ratio:8.2f}")
    slower = sum(ratio > 1.1 for ratio in ratios.values())
    if not ratios:
        sys.exit("error: there is no shape that both have")
    if slower:
        sys.exit(
            f"error: {slower} of {len(ratios)} shapes take over 10 % longer than at {sys.argv[1]}\n"
            "help: play more turns, as with ROUNDS=9: a busy machine can be the cause")


main()

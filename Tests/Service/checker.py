"""Says whether a service has kept its promises, from what its clients saw and its store holds, in one pass over the log."""

import contextlib
import dataclasses
import json
import sqlite3

import postgres


@dataclasses.dataclass
class Deed:
    client: int
    session: str
    value: int
    begun: float
    ended: float | None = None
    step: int | None = None
    rendering: dict | None = None
    outputs: list | None = None

    @property
    def is_acknowledged(self):
        return self.step is not None


def is_postgres(store):
    return str(store).startswith("postgres")


def rows(store, query):
    """What a query finds in a store: the address of a database, or else a file."""
    if is_postgres(store):
        return postgres.ask(store, query)
    with contextlib.closing(sqlite3.connect(store)) as database:
        return database.execute(query).fetchall()


def logs(store):
    """The values in the log of each session of `chain.lua`, in order; and what is wrong with the logs themselves."""
    wrong = []
    values = {}
    counts = {}
    for session, count, step, document in rows(store, """
            SELECT id, step_count, input.step, document FROM session
            LEFT JOIN input ON session = number WHERE flow = 'chain' ORDER BY id, input.step"""):
        counts[session] = count
        log = values.setdefault(session, [])
        if step is None:
            continue
        if step != len(log) + 1:
            wrong.append(f"{session}: step {step} follows step {len(log)}")
        log.append(json.loads(document)["action"]["value"])
    for session, log in values.items():
        if len(log) != counts[session]:
            wrong.append(f"{session} has {counts[session]} steps and {len(log)} inputs")
    return values, wrong


def renderings(values):
    """What `chain.lua` shows after each step: this program's own reckoning, not the service's."""
    seen = [{"count": 0, "sum": 1}]
    for value in values:
        last = seen[-1]
        seen.append({"count": last["count"] + 1, "sum": (last["sum"] * 31 + value) % 2147483647})
    return seen


def check(deeds, store):
    """All that is wrong, a sentence each."""
    values, wrong = logs(store)
    expected = {session: renderings(log) for session, log in values.items()}
    places = {}
    for session, log in values.items():
        for step, value in enumerate(log, 1):
            if (session, value) in places:
                wrong.append(f"{session}: value {value} is kept twice, at {places[session, value]} and {step}")
            places[session, value] = step

    known = {(deed.session, deed.value) for deed in deeds}
    wrong += [f"{session}: nobody sent value {value}" for session, value in places if (session, value) not in known]

    for deed in deeds:
        place = places.get((deed.session, deed.value))
        if not deed.is_acknowledged:
            continue
        if place is None:
            wrong.append(f"{deed.session}: value {deed.value}, acknowledged as step {deed.step}, is lost")
            continue
        if place != deed.step:
            wrong.append(f"{deed.session}: value {deed.value}, acknowledged as step {deed.step}, is step {place}")
        if deed.rendering != expected[deed.session][place]:
            wrong.append(f"{deed.session}: step {place} was answered with {deed.rendering}, and the log leads to "
                         f"{expected[deed.session][place]}")
        if deed.outputs != [{"sum": expected[deed.session][place]["sum"]}]:
            wrong.append(f"{deed.session}: step {place} was answered with the outputs {deed.outputs}")

    # What was answered before something else was asked stands before it in the log.
    for session in values:
        done = [deed for deed in deeds if deed.session == session and deed.is_acknowledged]
        done.sort(key=lambda deed: deed.begun)
        ended = sorted(done, key=lambda deed: deed.ended)
        latest, index = 0, 0
        for deed in done:
            while index < len(ended) and ended[index].ended < deed.begun:
                latest = max(latest, ended[index].step)
                index += 1
            if deed.step <= latest:
                wrong.append(f"{session}: step {deed.step} was asked for after step {latest} had been answered")
    return wrong

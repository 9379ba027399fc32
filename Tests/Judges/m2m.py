#!/usr/bin/env python3
"""Conversations of the M2M corpus, in which a confirmed value is refused later, played through a service in Python.

    m2m.py --intentd PATH --corpus DIRECTORY [--only NAME]

The corpus is not part of the project: DIRECTORY is a checkout of google-research-datasets/simulated-dialogue. Without its files
the judge says so and passes. Each conversation that books cinema tickets or a table becomes a scenario: what the user first says is
the request, and the service asks for the rest in the order of the definition, has the values confirmed that the system of the
corpus has confirmed, and finds in `handle` that a time or a date is taken where that system finds it. Then the interaction goes
back with a question: the user picks, asks for something else, declines, or gives up, as in the corpus.
"""

import argparse
import collections
import json
import os
import pathlib
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from judging import Program, expect, free_port, run, until
from pipeline import House

#: The parameters of each intent, in their declared order.
INTENTS = {
    "BUY_MOVIE_TICKETS": ("BuyTickets", ["movie", "theatre_name", "date", "time", "num_tickets"]),
    "RESERVE_RESTAURANT": (
        "ReserveTable",
        ["location", "category", "price_range", "meal", "rating", "restaurant_name", "date", "time", "num_people"],
    ),
}
#: The code with which the task ends when nothing is left.
UNAVAILABLE = "failureUnavailable"
JUDGES = []


def judge(one):
    JUDGES.append(one)
    return one


class Unfit(Exception):
    """Why a conversation cannot be played."""


def key(text):
    """How intentd compares words."""
    return "".join(text.lower().split())


class Plan:
    """What the service and the user of one conversation do; made from the corpus."""

    def __init__(self, dialogue):
        turns = dialogue["turns"]
        # What follows after a failure is another task.
        failed = [number for number, turn in enumerate(turns) if {"NOTIFY_FAILURE"} & {act["type"] for act in turn.get("system_acts", ())}]
        turns = turns[: failed[0]] if failed else turns
        kinds = {kind for turn in turns for kind in turn.get("user_intents", ())}
        if len(kinds) != 1 or not kinds <= set(INTENTS):
            raise Unfit("no one task of the two")
        self.intent, self.order = INTENTS[kinds.pop()]
        self.name = dialogue["dialogue_id"]
        said = [{slot["slot"]: slot["value"] for slot in turn["dialogue_state"]} for turn in turns]
        if any(before.keys() - after.keys() for before, after in zip(said, said[1:])):
            raise Unfit("a value is taken back")
        #: What the user first says.
        self.request = said[0]
        # A value that is said later counts from the beginning: it is asked for before anything is refused.
        self.states, later = [], {}
        for state in reversed(said):
            later = later | state
            self.states.insert(0, dict(later))
        #: The values that the system has confirmed.
        self.confirmed = set()
        #: The options from which a missing value is chosen.
        self.choices = {}
        #: What is refused, in order: the values at that time, the parameter, the options, and what the user says to that.
        self.refusals = []
        #: The values with which nothing is left.
        self.fails = None
        #: Whether a value is refused that was confirmed before.
        self.is_late = False
        for number, turn in enumerate(turns[1:], 1):
            self.read(number, turn, said)
        self.fails = self.states[-1] if failed else None
        offered = {(one["slot"], option) for one in self.refusals for option in one["options"]}
        self.confirmed -= offered
        self.close()

    def read(self, number, turn, said):
        """Reads what the system said, and what the user answered."""
        acts = turn.get("system_acts", ())
        answers = {act["type"] for act in turn.get("user_acts", ())}
        before, after = said[number - 1], said[number]
        offers = collections.defaultdict(list)
        for act in acts:
            if act["type"] in ("SELECT", "OFFER") and act.get("value"):
                offers[act["slot"]].append(act["value"])
        refused = [act.get("slot") for act in acts if act["type"] == "NEGATE"]
        for slot, options in offers.items():
            options = list({key(option): option for option in options}.values())
            if options == [before.get(slot)]:
                continue
            if slot not in before:
                self.choices.setdefault(slot, options)
            elif not answers & {"CANT_UNDERSTAND", "OTHER"}:
                self.refuse(number, slot, options, answers)
        if refused and not offers and not answers & {"CANT_UNDERSTAND", "OTHER"}:
            slot = next((slot for slot in refused if slot in before), None)
            if slot:
                self.refuse(number, slot, [], answers)
        if "AFFIRM" in answers:
            for act in acts:
                if act["type"] == "CONFIRM" and act.get("value") and after.get(act.get("slot")) == act["value"]:
                    self.confirmed.add((act["slot"], act["value"]))

    def refuse(self, number, slot, options, answers):
        before, after = self.states[number - 1], self.states[number]
        self.is_late = self.is_late or (slot, before[slot]) in self.confirmed
        chosen = next((option for option in options if key(option) == key(after[slot])), None)
        if chosen is None and after == before:
            chosen = options[0] if "AFFIRM" in answers and len(options) == 1 else None
            reaction = "pick" if chosen else "no"
        else:
            reaction = "pick" if chosen else "else"
        if chosen is not None:
            for state in self.states[number:]:
                if key(state[slot]) == key(chosen) or state[slot] == before[slot]:
                    state[slot] = chosen
        self.refusals.append(
            {"when": dict(before), "slot": slot, "options": options, "reaction": reaction, "chosen": chosen, "then": after}
        )

    def close(self):
        """Finds out what the user does after the last offer that was declined."""
        whens = [json.dumps(one["when"], sort_keys=True) for one in self.refusals]
        for index, one in enumerate(self.refusals):
            if one["reaction"] != "no":
                if whens[index] in whens[index + 1 :]:
                    raise Unfit("the same is refused twice")
                continue
            after = self.refusals[index + 1] if index + 1 < len(self.refusals) else None
            if not one["options"]:
                raise Unfit("something is refused, and the user says nothing to it")
            if after:
                if after["slot"] != one["slot"] or whens[index + 1] != whens[index]:
                    raise Unfit("after a no the conversation is about something else")
                if {key(option) for option in after["options"]} <= {key(option) for option in one["options"]}:
                    raise Unfit("the same is offered twice")
            elif one["then"] != self.states[-1]:
                raise Unfit("after a no the conversation is about something else")
            else:
                one["reaction"] = "no" if self.fails else "cancel"

    # What the service does

    def refusal(self, values, declined=()):
        """What is refused of these values; with `declined`, of these offers."""
        gone = {key(value) for value in declined}
        for one in self.refusals:
            slots = [slot for slot in self.order if slot != one["slot"] or not declined]
            same = all(values.get(slot) == one["when"].get(slot) for slot in slots)
            if same and not (declined and {key(option) for option in one["options"]} <= gone):
                return one
        return None

    def resolve(self, slot, values, declined):
        if declined.get(slot):
            one = self.refusal(values, declined[slot])
            if one and slot not in values:
                return self.question(one["slot"], one["options"])
            if slot not in values:
                return {"outcome": "ending", "code": UNAVAILABLE}
        if slot not in values:
            if slot not in self.states[-1]:
                return {"outcome": "notRequired"}
            return self.question(slot, self.choices.get(slot, []))
        if (slot, values[slot]) in self.confirmed:
            return {"outcome": "confirmationRequired", "value": values[slot]}
        return {"outcome": "success", "value": values[slot]}

    @staticmethod
    def question(slot, options):
        if not options:
            return {"outcome": "needsValue"}
        if len(options) == 1:
            return {"outcome": "confirmationRequired", "value": options[0]}
        return {"outcome": "disambiguation", "options": options}

    def handle(self, values):
        one = self.refusal(values)
        if one:
            return {"code": UNAVAILABLE, "ask": {"parameter": one["slot"], **self.question(one["slot"], one["options"])}}
        is_over = self.fails is not None and all(values.get(slot) == self.fails.get(slot) for slot in self.order)
        return {"code": UNAVAILABLE if is_over else "success", "details": values}

    # What the user does

    def scenario(self):
        """The conversation as `intentd test` plays it: the service as it is, intentd's order of questions as the contract has it."""
        values, settled, declined = dict(self.request), set(), collections.defaultdict(list)
        prompts, steps, expected = [], [], {}

        def ask(slot, outcome, data):
            prompts.append(f"{outcome}:{slot}")
            steps.append({"type": "prompt.answered", "afterPrompt": len(prompts), "data": {"action": "accept", **data}})

        def react(one, outcome):
            """The user's answer to an offer; returns whether the conversation continues."""
            slot, options = one["slot"], one["options"]
            settled.discard(slot)
            if one["reaction"] == "pick":
                index = options.index(one["chosen"])
                words = [{"choice": index}, {"value": one["chosen"]}, {"value": f"{index + 1}."}][len(prompts) % 3]
                ask(slot, outcome, words if len(options) > 1 else {})
                values[slot] = one["chosen"]
                if len(options) == 1:
                    settled.add(slot)
            elif one["reaction"] == "else":
                changes = {name: value for name, value in one["then"].items() if value != values.get(name)}
                values.update(one["then"])
                settled.difference_update(changes)
                changes.pop(slot, None)
                ask(slot, outcome, {"value": values[slot], **({"corrections": changes} if changes else {})})
            elif one["reaction"] == "no":
                ask(slot, outcome, {"action": "decline"})
                values.pop(slot, None)
                declined[slot] += options
            else:
                ask(slot, outcome, {"action": "cancel"})
                expected.update(endReason="abortedByUser", status="failure")

        while not expected:
            if len(prompts) > 40:
                raise Unfit("it does not end")
            slot = next((slot for slot in self.order if slot not in settled), None)
            if slot:
                answer = self.resolve(slot, values, declined)
                outcome = answer["outcome"]
                if outcome == "ending":
                    expected = {"code": UNAVAILABLE, "endReason": "failed", "status": "failure"}
                elif outcome in ("notRequired", "success"):
                    settled.add(slot)
                elif slot not in values and declined[slot]:
                    react(self.refusal(values, declined[slot]), outcome)
                elif outcome == "confirmationRequired" and slot in values:
                    ask(slot, outcome, {})
                    settled.add(slot)
                else:
                    wanted = self.states[0][slot]
                    data = {"value": wanted}
                    if outcome == "confirmationRequired" and key(answer["value"]) == key(wanted):
                        data, wanted = {}, answer["value"]
                        settled.add(slot)
                    values[slot] = wanted
                    ask(slot, outcome, data)
                continue
            answer = self.handle(values)
            if "ask" in answer:
                react(self.refusal(values), answer["ask"]["outcome"])
            else:
                is_done = answer["code"] == "success"
                expected = {
                    "code": answer["code"],
                    "endReason": "nominal" if is_done else "failed",
                    "status": "success" if is_done else "failure",
                    "parameters": {slot: values[slot] for slot in self.order if slot in values},
                }
        intent = {"name": self.intent, "parameters": self.request}
        expect_ = {**expected, "prompts": prompts, "rejections": []}
        return {"name": self.name, "user": self.name, "intent": intent, "steps": steps, "expect": expect_}


def plans(corpus):
    """The conversations that can be played, by name; and why the others cannot, with how many."""
    found, unfit = {}, collections.Counter()
    for file in sorted(corpus.glob("sim-[MR]/*.json")):
        for dialogue in json.loads(file.read_text()):
            try:
                plan = Plan(dialogue)
                plan.scenario()
                found[plan.name] = plan
            except Unfit as reason:
                unfit[str(reason)] += 1
    return found, unfit


def serve(port, database, corpus):
    """Answers what intentd asks; what was booked under a key is booked once."""
    known, _ = plans(pathlib.Path(corpus))

    class Service(BaseHTTPRequestHandler):
        def do_POST(self):
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            values = asked["intent"]["parameters"]
            plan = known[asked["user"]["id"]]
            answer = {"code": "ready"}
            if self.path == "/resolve":
                declined = asked.get("declined", {})
                answer = {"parameters": {slot: plan.resolve(slot, values, declined) for slot in asked["open"]}}
            elif self.path == "/handle":
                answer = plan.handle(values)
                if answer["code"] == "success":
                    with sqlite3.connect(database, timeout=20) as bookings:
                        row = (self.headers["Idempotency-Key"], plan.name)
                        bookings.execute("INSERT OR IGNORE INTO bookings VALUES (?, ?)", row)
            body = json.dumps(answer).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    with sqlite3.connect(database) as bookings:
        bookings.execute("CREATE TABLE IF NOT EXISTS bookings (key TEXT PRIMARY KEY, conversation TEXT)")
    ThreadingHTTPServer.request_queue_size = 128
    ThreadingHTTPServer(("127.0.0.1", port), Service).serve_forever()


class Cinema(House):
    """A directory with the two intents, the service, and all of intentd."""

    def __init__(self, options):
        self.corpus = options.corpus
        super().__init__(argparse.Namespace(intentd=options.intentd, brokers=None, definitions=None))
        self.service, self.service_port = None, free_port()
        self.start_service()
        handler = {"service": {"url": f"http://127.0.0.1:{self.service_port}", "timeout": "PT10S", "codes": [UNAVAILABLE]}}
        for intent, order in INTENTS.values():
            parameters = [{"name": slot, "type": "string"} for slot in order]
            definition = {"name": intent, "confirmation": "never", "handler": handler, "parameters": parameters}
            (self.directory / f"{intent}.json").write_text(json.dumps(definition))

    def command(self, *words, definitions=True):
        files = [str(self.directory / f"{intent}.json") for intent, _ in INTENTS.values()]
        own = [word for file in files for word in ("--definitions", file)]
        return super().command(*words, definitions=False) + (own if definitions else [])

    def start_service(self):
        log = open(self.directory / "service.log", "ab")
        command = [sys.executable, __file__, "--serve", str(self.service_port), str(self.bookings), str(self.corpus)]
        self.service = Program(command, stdout=log, stderr=log)
        until(self.listens, 60, "the service does not listen")

    def listens(self):
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.service_port)) == 0

    def kill_service(self):
        self.service.send_signal(signal.SIGKILL)
        self.service.wait()

    @property
    def bookings(self):
        return self.directory / "bookings.db"

    def start_up(self):
        up = self.start("up", "--listen", self.address)
        until(lambda: self.run("lag", check=False).returncode == 0, 60, "up does not answer")
        return up

    def start_test(self, scenarios):
        file = self.directory / "scenarios.jsonl"
        file.write_text("".join(json.dumps(one) + "\n" for one in scenarios))
        return Program(
            self.command("test", str(file), "--external-workers"), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )

    def check(self, test, scenarios):
        """All matched; what was to be booked was booked once; all of it replays and verifies."""
        out, err = test.communicate(timeout=600)
        expect(test.returncode == 0, f"{out[-3000:]} {err[-1000:]}")
        expect(f"Matched {len(scenarios)}, Mismatched 0" in out, out[-500:])
        with sqlite3.connect(self.bookings) as database:
            booked = collections.Counter(name for (name,) in database.execute("SELECT conversation FROM bookings"))
        wanted = {one["name"] for one in scenarios if one["expect"].get("code") == "success"}
        expect(set(booked) == wanted, f"booked or not: {sorted(set(booked) ^ wanted)[:10]}")
        twice = [name for name, count in booked.items() if count > 1]
        expect(not twice, f"booked twice: {twice[:10]}")
        self.kill_service()
        done = self.run("replay")
        expect("Diverged 0, Incomparable 0, Missing 0, Error 0" in done.stdout, done.stdout[-1000:])
        self.run("audit", "verify")

    def close(self):
        self.service.kill()
        self.service.wait()
        super().close()


@judge
def confirmed_values_are_refused_later(house, scenarios):
    """Every conversation ends as its people have ended it."""
    house.start_up()
    house.check(house.start_test(scenarios), scenarios)


@judge
def worker_and_service_are_killed(house, scenarios):
    """The same, while both are killed and come back; nothing is booked twice, and every question is put."""
    up = house.start_up()
    test = house.start_test(scenarios)
    for number in range(4):
        time.sleep(1.5)
        if test.poll() is not None:
            break
        if number % 2 == 0:
            up.send_signal(signal.SIGKILL)
            up.wait()
            up = house.start("up", "--listen", house.address)
        else:
            house.kill_service()
            time.sleep(0.5)
            house.start_service()
    house.check(test, scenarios)


def main():
    if sys.argv[1:2] == ["--serve"]:
        return serve(int(sys.argv[2]), *sys.argv[3:])
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--intentd", required=True, type=os.path.abspath, help="the program")
    parser.add_argument("--corpus", required=True, type=lambda path: pathlib.Path(path).resolve(), help="the checkout")
    parser.add_argument("--only", help="only judges whose names contain this")
    options = parser.parse_args()
    if not any(options.corpus.glob("sim-[MR]/*.json")):
        print(f"skipped: {options.corpus} has no sim-M and sim-R")
        return 0
    found, unfit = plans(options.corpus)
    late = sum(plan.is_late for plan in found.values())
    print(f"{len(found)} conversations, in {late} of which a confirmed value is refused later; not played: {dict(unfit)}", flush=True)
    expect(late, "no conversation goes back")
    scenarios = [plan.scenario() for plan in found.values()]

    def call(one):
        house = Cinema(options)
        try:
            one(house, scenarios)
        finally:
            house.close()

    passed, failed = run(JUDGES, options.only, call)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())

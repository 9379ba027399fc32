"""A client and a deployment for long tasks: tours, with everything that `TourHandler` of Tests/Examples/Hazards can do."""

import collections
import contextlib
import json
import sqlite3
import subprocess

from breakable import USERS, Deployment
from judging import until
from pipeline import ROOT
from users import Client

SCRIPTS = ["", "asks", "full", "taken", "hiccups", "fails", "breaks", "next", "later", "never", "friend"]


def chain(subject):
    """The interaction that was redriven first, and how often it was until this one."""
    first, redriven, number = subject.rpartition("~")
    return (first, int(number)) if redriven and number.isdigit() else (subject, 0)


class TourDeployment(Deployment):
    """One in which dead letters are redriven, too."""

    settings = "prompts:\n  timeout: 20m\n"
    faults = Deployment.faults | {"redrive all": 8}

    def fill_store(self):
        """A tour needs nothing; the store is locked as a fault, so it has to be there."""
        until((self.directory / "store.sqlite").exists, 60, "there is no store")

    def redrive(self, _):
        """Sends the requests of all dead letters again; what the broken deployment refuses is sent the next time."""
        words = self.words("dead-letters", "redrive", "--all", brokers=self.address)
        with contextlib.suppress(subprocess.TimeoutExpired):
            done = subprocess.run(words, capture_output=True, text=True, cwd=ROOT, timeout=20)
            self.counts["successful redrives"] += done.returncode == 0
        return True

    def mend(self):
        super().mend()
        before = self.counts["successful redrives"]

        def redriven():
            self.redrive(None)
            return self.counts["successful redrives"] > before

        until(redriven, 120, "dead letters cannot be redriven")


class Traveller(Client):
    """Asks for tours, answers in words, changes its mind, and has some of them undone.

    What is started by handlers and by redrives counts as sent, as soon as it is heard of.
    """

    corrections = {"tour": {"guide": "g4"}, "undo": {}}

    def __init__(self, deployment, requests, seed):
        super().__init__(deployment, requests, seed)
        #: The interaction that an undo was requested for, by the undo's subject.
        self.undos = {}
        #: The prompt that a user has last got.
        self.open = {}

    def request(self):
        subject, user = f"r{len(self.sent)}", f"user-{self.random.randrange(USERS)}"
        script = " ".join(self.random.sample(SCRIPTS, self.random.choice([1, 1, 2, 3])))
        parameters = {"script": script, "day": self.random.choice(["tomorrow", "2027-03-01", "next friday"])}
        if self.random.random() < 0.5:
            parameters["guide"] = self.random.choice(["g1", "g2", "g3"])
        data = {"intent": {"name": "TourIntent", "parameters": parameters}, "user": {"id": user}}
        data["timeZone"] = self.random.choice(["Europe/Berlin", "America/New_York"])
        if self.random.random() < 0.03:
            data["locael"] = "de"
        if user in self.open and self.random.random() < 0.2:
            data["setsAside"] = self.open[user]
            self.counts["set aside"] += 1
        self.sent[subject] = (user, "tour")
        self.send("intent.requested", user, data, subject, 2 if self.random.random() < 0.03 else 1)
        if self.random.random() < 0.08:
            self.cancel(user, subject)

    def answer(self, subject, prompt):
        user = self.sent[subject][0]
        self.open[user] = prompt["promptId"]
        if prompt["kind"] == "intentConfirmation":
            super().answer(subject, prompt)
            return
        if prompt["promptId"] in self.answers:
            return
        data = {"user": {"id": user}, "promptId": prompt["promptId"], "action": "accept"}
        options, chance = prompt.get("options") or [], self.random.random()
        if prompt["parameter"] == "day":
            data["value"] = self.random.choice(["the day after tomorrow", "2027-04-01"])
        elif not options:
            data["value"] = "g4"
        elif chance < 0.15:
            data["action"] = "decline"
        else:
            index = self.random.randrange(len(options))
            said = [("choice", index), ("value", options[index]), ("value", f"guide {options[index]}"), ("value", str(index + 1))]
            data |= [self.random.choice(said)]
        self.answers[prompt["promptId"]] = data
        self.counts[f"answers to {prompt['kind']}"] += 1
        self.send("prompt.answered", user, data, copies=2 if self.random.random() < 0.05 else 1)

    def take(self, message):
        headers = {name: value.decode() for name, value in message.headers() or []}
        subject, user = headers.get("ce_subject"), headers.get("ce_userid")
        if headers["ce_type"] not in ("prompt.issued", "intent.responded"):
            return
        if subject not in self.sent:
            self.sent[subject] = (user, "tour")
            self.counts["redriven" if chain(subject)[1] else "follow-ups"] += 1
        super().take(message)
        if headers["ce_type"] == "intent.responded":
            end = json.loads(message.value())
            if end["terminal"]:
                self.open.pop(user, None)
            if "undo" in end and len(self.ends[subject]) == 1 and self.random.random() < 0.2:
                self.undo(subject, user, end["undo"])

    def undo(self, subject, user, request):
        undo = f"undo-{len(self.undos)}"
        self.undos[undo] = subject
        self.sent[undo] = (user, "undo")
        self.counts["undos"] += 1
        intent = {"name": request["intent"], "parameters": request["parameters"]}
        self.send("intent.requested", user, {"intent": intent, "user": {"id": user}}, undo)

    def room(self):
        # What was not requested here does not count.
        requested = sum(self.counts[name] for name in ("redriven", "follow-ups", "undos"))
        return min(super().room(), self.allowed - len(self.sent) + requested)

    def check_store(self):
        """Of each tour the store has the bookings that its last end names, once each, unless it was undone."""
        problems = []
        with sqlite3.connect(f"file:{self.deployment.store}?mode=ro", uri=True, timeout=20) as database:
            rows = database.execute("SELECT interaction, part, cancelled FROM bookings").fetchall()
        booked = collections.defaultdict(collections.Counter)
        for interaction, part, cancelled in rows:
            if cancelled > 1:
                problems.append(("effect-twice", "store.sqlite", f"{part} of {interaction} was cancelled {cancelled} times"))
            if not cancelled:
                booked[chain(interaction)[0]][part] += 1
        undone = {self.undos[undo] for undo in self.undos if self.ends[undo] and self.ends[undo][0]["status"] == "success"}
        last = {}
        for subject, (_, kind) in self.sent.items():
            first, number = chain(subject)
            if kind == "tour" and self.ends[subject]:
                last[first] = max(last.get(first, (0, "")), (number, subject))
        for first, (_, subject) in last.items():
            end = self.ends[subject][0]
            wanted = {} if undone & {first, subject} else dict.fromkeys(end.get("effects") or [], 1)
            if dict(booked.pop(first, {})) != wanted and not end.get("effectsIncomplete"):
                problems.append(("effect-missing", "store.sqlite", f"{subject} has not {wanted}; its end: {end}"[:300]))
        return problems + [("effect-stray", "store.sqlite", f"{one}: nobody asked for that") for one in booked]

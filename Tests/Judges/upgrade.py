#!/usr/bin/env python3
"""A rolling upgrade and the way back, under load: two versions of intentd side by side.

    upgrade.py --old PATH --intentd PATH [--brokers HOST:PORT] [--rate N] [--hold SECONDS] [--only NAME]

`--old` is the program of the previous version, `--intentd` the one of this tree. The old one is built once, in a clone:

    git clone . ../old && git -C ../old checkout fc6610a
    (cd ../old && swift build -j 2 --product intentd) && Tests/Judges/upgrade.py --old ../old/.build/debug/intentd …

Everything begins with the old program. Requests come all the time; some wait for their user for up to half a
minute, for an unlocked device, or for a slow service while their turn is parked. Others talk with a service that offers
options with words and is declined, and are set aside for each other; once all workers write format 2, its questions,
waits, undos and follow-ups are open too while the format and the processes change. Processes are replaced one by one,
some of them in order (SIGTERM), some killed, until they run the other program; then back again. Each judge ends with the history
checker, which must find nothing: every request has its one end, every effect was made once. Then the new program replays
all of it (nothing may diverge) and verifies it.
"""

import collections
import copy
import http.server
import json
import random
import signal
import subprocess
import sys
import threading
import time

import checker
import history
from breakable import CONFIGURATION, STAGES, USERS, Deployment, judge_under_load
from chaos import settle
from judging import expect, until
from pipeline import ROOT
from users import Client

JUDGES = []

#: What is asked for besides what every client asks for: a table that waits for an unlocked device, and a slow service.
DEFINITIONS = {
    "locked": {"name": "BookLockedTable", "confirmation": "never", "handler": "record", "parameters": []},
    "slow": {
        "name": "AskSlowService",
        "confirmation": "never",
        "handler": {"http": {"timeout": "PT30S"}},
        "parameters": [{"name": "seconds", "type": "number"}],
    },
    "talk": {
        "name": "BookTalk",
        "confirmation": "always",
        "handler": {"service": {"timeout": "PT30S"}},
        "parameters": [{"name": "slot", "type": "string"}, {"name": "what", "type": "string"}],
    },
}
#: What only the new program understands, and only at format 2: a post that is tried again after more than five seconds.
LATER = {
    "name": "SendLater",
    "confirmation": "never",
    "handler": {"http": {"timeout": "PT5S", "retry": {"attempts": 9, "first": "PT6S", "factor": 1, "longest": "PT6S", "within": "PT5M"}}},
    "parameters": [],
}
#: The same: what is done is undone when the app fails.
UNDONE = {
    "name": "BookForNow",
    "confirmation": "never",
    "handler": {"service": {"timeout": "PT30S", "calls": ["handle"], "undo": {}}},
    "parameters": [],
}
#: The slots that the service has, with their words.
SLOTS = {
    "09:00": {"title": "Nine", "subtitle": "Dr. Lee", "synonyms": ["the early one"]},
    "10:00": {"title": "Ten", "subtitle": "Dr. Lee"},
    "10:01": {"title": "Ten", "subtitle": "Dr. Kim"},
    "11:00": {"title": "Eleven", "subtitle": "Dr. Kim"},
}
#: The open interactions that there must have been, by what is counted at the client.
OPEN = ("offers", "declined", "asides", "questions", "waits", "follow-ups", "cancelled follow-ups", "undos")


def judge(one):
    JUDGES.append(one)
    return one


class SlowService(http.server.ThreadingHTTPServer):
    """Answers after the requested delay, and remembers its callers."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), self.Handler)
        # The keys under which each interaction was posted.
        self.keys = collections.defaultdict(set)
        # Whether every worker writes format 2: only then it asks back and starts something.
        self.is_raised = False
        # The posts of each key that were refused for now.
        self.refused = collections.Counter()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_address[1]}"

    def slow(self, body, key):
        self.keys[body["interaction"]["identifier"]].add(key)
        time.sleep(body["intent"]["parameters"]["seconds"])
        return b""

    def later(self, body, key):
        """Done at the third try."""
        self.refused[key] += 1
        return None if self.refused[key] < 3 else b""

    # The service of talks: it sends nothing that the caller does not accept.

    def offer(self, slots, body):
        if len(slots) == 1:
            return {"outcome": "confirmationRequired", "value": slots[0]}
        words = "options" in body.get("accepts", [])
        return {"outcome": "disambiguation", "options": [{"value": slot, **SLOTS[slot]} if words else slot for slot in slots]}

    def resolve(self, body, key):
        values, declined = body["intent"]["parameters"], body.get("declined", {}).get("slot", [])
        answers = {name: {"outcome": "success", "value": values[name]} for name in body["open"] if name in values}
        if values.get("slot") not in SLOTS:
            others = [slot for slot in SLOTS if slot not in declined]
            answers["slot"] = self.offer(others[:2], body) if others else {"outcome": "needsValue"}
        return json.dumps({"parameters": {name: answers.get(name, {"outcome": "notRequired"}) for name in body["open"]}}).encode()

    def ask(self, body):
        """A question instead of the result, where the slot is taken; nothing if it may not ask."""
        if not self.is_raised or "ask" not in body.get("accepts", []):
            return {}
        return {"ask": {"parameter": "slot", **self.offer(["10:00", "10:01"], body)}}

    def confirm(self, body, key):
        values = body["intent"]["parameters"]
        if values["what"] == "confirm" and values["slot"] == "09:00":
            question = self.ask(body)
            if question:
                return json.dumps({"code": "failure", **question}).encode()
        return json.dumps({"code": "ready", "details": values}).encode()

    def undo(self, body, key):
        return b'{"code": "success"}'

    def handle(self, body, key):
        values = body["intent"]["parameters"]
        if body["intent"]["name"] == UNDONE["name"]:
            return b'{"code": "inProgress", "details": {}}'
        answer = {"code": "success", "details": {"slot": values["slot"]}}
        if values["what"] == "handle" and values["slot"] == "09:00":
            question = self.ask(body)
            if question:
                return json.dumps({"code": "failure", **question}).encode()
        if values["what"] == "follow-ups" and self.is_raised and "start" in body.get("accepts", []):
            at = [time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + seconds)) for seconds in (8, 3600)]
            start = {"intent": DEFINITIONS["talk"]["name"], "parameters": {"slot": "11:00", "what": "offers"}}
            names = ("now", None), ("soon", at[0]), ("late", at[1])
            answer["start"] = [start | {"name": name} | ({"at": time_} if time_ else {}) for name, time_ in names]
            answer["notify"] = [{"name": "reminder", "dialog": "It is soon.", "at": at[0]}]
        return json.dumps(answer).encode()

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            answer = getattr(self.server, self.path.strip("/"))(body, self.headers["Idempotency-Key"])
            try:
                self.send_response(503 if answer is None else 200)
                self.send_header("Content-Length", str(len(answer or b"")))
                self.end_headers()
                self.wfile.write(answer or b"")
            except OSError:
                pass  # The caller has ended since.

        def log_message(self, *_):
            pass


class PatientClient(Client):
    """Sends requests at a steady rate; some of its users are slow."""

    def __init__(self, deployment, rate):
        super().__init__(deployment, 1 << 40, 0)
        self.rate = rate
        self.is_asking = True
        self.late = []
        self.own = random.Random("patience")
        # What talks are about, and whether some are tried again much later.
        self.talks = []
        self.waits = False
        # What handlers have started.
        self.started = set()

    def room(self):
        return int((time.monotonic() - self.began) * self.rate) - len(self.sent) if self.is_asking else 0

    def later(self, call, *arguments):
        self.late.append((time.monotonic() + self.own.uniform(2, 30), call, arguments))

    def send_late(self):
        due = [entry for entry in self.late if entry[0] <= time.monotonic() or not self.is_asking]
        self.late = [entry for entry in self.late if entry not in due]
        for _, call, arguments in due:
            call(*arguments)

    def request(self):
        if self.talks and self.own.random() < 0.3:
            self.talk()
            return
        chance = self.own.random()
        if chance > 0.2:
            super().request()
            return
        kind = "slow" if chance < 0.1 else "locked"
        subject, user = f"r{len(self.sent)}", f"user-{self.own.randrange(USERS)}"
        self.sent[subject] = (user, kind)
        intent = {"name": DEFINITIONS[kind]["name"], "parameters": {}}
        if kind == "slow":
            intent["parameters"]["seconds"] = round(self.own.choice([0, 0.5, 3, 8]), 3)
        device = {"id": f"phone-{subject}", "locked": kind == "locked"}
        self.send("intent.requested", user, {"intent": intent, "user": {"id": user}, "device": device}, subject)

    def talk(self, user=None, aside=None):
        """Asks for a talk; `aside` is the prompt of another conversation that is set aside for it."""
        subject, user = f"r{len(self.sent)}", user or f"user-{self.own.randrange(USERS)}"
        self.sent[subject] = (user, "talk")
        name, parameters = DEFINITIONS["talk"]["name"], {"what": self.own.choice(self.talks)}
        if self.waits and self.own.random() < 0.3:
            name, parameters = self.own.choice([LATER, UNDONE])["name"], {}
        elif self.own.random() < 0.5:
            parameters["slot"] = "09:00"
        data = {"intent": {"name": name, "parameters": parameters}, "user": {"id": user}, "timeZone": "Europe/Berlin"}
        self.send("intent.requested", user, data | ({"setsAside": aside} if aside else {}), subject)

    def answer_talk(self, subject, prompt):
        """Answers in one of the ways that the prompt accepts, or sets it aside first."""
        user, _ = self.sent[subject]
        if prompt["promptId"] not in self.answers and "setsAside" not in prompt and self.own.random() < 0.15:
            self.talk(user, prompt["promptId"])
        self.answers[prompt["promptId"]] = data = {"user": {"id": user}, "promptId": prompt["promptId"], "action": "accept"}
        options = prompt.get("options") or []
        self.counts["questions"] += "askedBy" in prompt
        self.counts["asides"] += "setsAside" in prompt or "front" in prompt
        if prompt["kind"] in ("disambiguation", "confirmationRequired") and self.own.random() < 0.3:
            data["action"] = "decline"
            self.counts["declined"] += 1
        elif prompt["kind"] == "disambiguation":
            self.counts["offers"] += 1
            index = self.own.randrange(len(options))
            words = (prompt.get("optionDisplays") or [{}] * len(options))[index]
            said = [word for word in (words.get("title"), *words.get("synonyms", ()), options[index]) if word]
            data |= {"choice": index} if self.own.random() < 0.5 else {"value": self.own.choice(said)}
        elif prompt["kind"] in ("needsValue", "unsupported"):
            data["value"] = "11:00"
        self.send("prompt.answered", user, data)

    def take(self, message):
        headers = {name: value.decode() for name, value in message.headers() or []}
        if headers["ce_type"] == "intent.responded":
            self.follow(headers["ce_userid"], headers.get("ce_subject"), json.loads(message.value()))
        super().take(message)

    def follow(self, user, subject, response):
        """Notes what was started, cancels what would begin in an hour, and fails as the app."""
        self.counts["waits"] += "retryUntil" in response
        self.counts["undos"] += bool(response.get("undone"))
        is_app = (response.get("intent") or {}).get("name") == UNDONE["name"] and not response["terminal"]
        if is_app and subject not in self.started:
            self.started.add(subject)
            self.later(self.send, "app.responded", user, {"user": {"id": user}, "code": "failure"}, subject)
        for one in response.get("started") or []:
            if one["interaction"] in self.started or "intent" not in one:
                continue
            self.started.add(one["interaction"])
            if one["name"] == "late":
                self.counts["cancelled follow-ups"] += 1
                self.later(self.send, "interaction.cancelled", user, {"user": {"id": user}}, one["interaction"])
            else:
                self.counts["follow-ups"] += 1
                self.sent[one["interaction"]] = (user, "talk")

    def answer(self, subject, prompt):
        if self.sent[subject][1] == "talk":
            if self.own.random() < 0.6:
                self.later(self.answer_talk, subject, prompt)
            else:
                self.answer_talk(subject, prompt)
        elif prompt["kind"] == "unlockRequired":
            self.later(self.unlock, subject)
        elif self.own.random() < 0.4:
            self.later(super().answer, subject, prompt)
        else:
            super().answer(subject, prompt)

    def unlock(self, subject):
        user, _ = self.sent[subject]
        self.counts["unlocked"] += 1
        self.send("device.unlocked", user, {"user": {"id": user}, "device": {"id": f"phone-{subject}"}})


class MixedDeployment(Deployment):
    """A deployment whose processes run one of two programs."""

    def __init__(self, options):
        old = copy.copy(options)
        old.new, old.intentd = options.intentd, options.old
        super().__init__(old)
        self.service = SlowService()
        definitions = []
        for name, definition in [*DEFINITIONS.items(), ("later", LATER), ("undone", UNDONE)]:
            if isinstance(definition["handler"], dict):
                (form, handler), = definition["handler"].items()
                url = self.service.url + ("" if form == "service" else f"/{name}")
                definition = definition | {"handler": {form: handler | {"url": url}}}
            path = self.directory / f"{name}.json"
            path.write_text(json.dumps(definition))
            definitions.append(str(path))
        self.definitions, self.newer = definitions[: len(DEFINITIONS)], definitions[len(DEFINITIONS) :]
        self.configure()
        self.replaced = collections.Counter()

    def configure(self, write=None):
        """What processes read when they start: `write` sets the format, with the definitions that need it."""
        more = {"definitions": self.definitions, "restrictedWhileLocked": [DEFINITIONS["locked"]["name"]]}
        if write:
            more |= {"definitions": [*self.definitions, *self.newer], "formats": {"write": write}}
        self.configuration.write_text(CONFIGURATION + "".join(f"{key}: {json.dumps(value)}\n" for key, value in more.items()))

    def replace(self, process, program, kill=False):
        """Restarts a process under its name, with the other program."""
        with self.lock:
            process.is_wanted = False
        process.running.send_signal(signal.SIGKILL if kill else signal.SIGTERM)
        status = process.running.wait(40)
        expect(status == (-signal.SIGKILL if kill else 0), f"{process.name} has left with {status}")
        with self.lock:
            process.program = program
            process.start()
            process.is_wanted = True
        self.replaced["killed" if kill else "in order"] += 1

    def replace_all(self, processes, program, pause=1.5):
        """One after the other; every third is killed."""
        for number, process in enumerate(processes):
            self.replace(process, program, kill=number % 3 == 2)
            time.sleep(pause)

    def take_records_back(self, program):
        """Recorders of a previous version leave newer tables alone: they begin a new file from the topics."""
        recorders = self.members["record"]
        with self.lock:
            for process in recorders:
                process.is_wanted = False
        for process in recorders:
            process.running.send_signal(signal.SIGTERM)
        for process in recorders:
            status = process.running.wait(40)
            expect(status == 0, f"{process.name} has left with {status}")
        for path in sorted(self.directory.glob("records.sqlite*")):
            path.rename(path.with_name(f"newer-{path.name}"))
        with self.lock:
            for process in recorders:
                process.program = program
                process.start()
                process.is_wanted = True
        self.replaced["with a new file"] += len(recorders)

    @property
    def workers(self):
        return [process for stage in STAGES for process in self.members[stage]]

    @property
    def keepers(self):
        """The recorders, and the broker if it is ours."""
        return [*self.members["record"], *([self.broker] if self.broker else [])]

    def close(self):
        self.service.shutdown()
        super().close()


def ask(deployment, *words, timeout=600):
    command = deployment.words(*words, brokers=deployment.address, program=deployment.options.new)
    return subprocess.run(command, capture_output=True, text=True, timeout=timeout, cwd=ROOT)


def end(deployment, client):
    """Stops the requests, waits for all answers, stops all processes, and runs the checker, replay and verify."""
    client.is_asking = False
    settle(deployment, client, 180)
    deployment.leave()
    expect(not deployment.exits, f"processes have ended by themselves: {dict(deployment.exits)}")
    twice = [subject for subject, ends in client.ends.items() if len(ends) != 1]
    expect(not twice, f"these have not one end: {twice[:10]}")
    records = deployment.directory / "records.sqlite"
    history, findings = checker.check(deployment.address, deployment.prefix, records, deployment.store, ended=True)
    findings += client.check_store()
    expect(not findings, "\n".join(" ".join(finding) for finding in findings[:20]))
    keys = deployment.service.keys
    strangers = [interaction for interaction in keys if interaction not in client.sent]
    expect(not strangers, f"the slow service was asked for what nobody wants: {strangers[:5]}")
    owners = collections.Counter(key for some in keys.values() for key in some)
    shared = [key for key, count in owners.items() if count > 1]
    expect(not shared, f"interactions share a key: {shared[:5]}")
    # Two keys only where handle workers of both versions had the same turn: Upgrading.md says in which order to replace them.
    doubled = sum(len(some) > 1 for some in keys.values())
    print(f"     {len(keys)} interactions were posted to the slow service, {doubled} of them under the keys of both versions")
    kinds = collections.Counter(end[0]["endReason"] for end in client.ends.values())
    replaced = ", ".join(f"{count} {how}" for how, count in deployment.replaced.items())
    print(f"     {len(client.sent)} requests ({dict(kinds)}), {dict(client.counts)}; replaced {replaced}", flush=True)
    print(f"     no findings in {len(history.records)} records", flush=True)
    replayed = ask(deployment, "replay", "--json")
    expect(replayed.returncode in (0, 1), f"replay ended with {replayed.returncode}: {replayed.stderr[-2000:]}")
    report = json.loads(replayed.stdout)
    wrong = [turn for turn in report["turns"] if turn["outcome"] not in ("Matched", "Incomparable")]
    expect(not wrong, f"replay: {json.dumps(wrong[:3], indent=1)}")
    counts = {name: count for name, count in report.items() if isinstance(count, int)}
    print(f"     replay: {counts}", flush=True)
    verified = ask(deployment, "audit", "verify")
    expect(verified.returncode == 0, f"audit verify: {verified.stdout[-3000:]}{verified.stderr[-1000:]}")
    print(f"     audit verify: {verified.stdout.strip().splitlines()[-1]}", flush=True)


@judge
def workers_go_to_the_new_version_and_back(deployment, client):
    """Workers first: they read what the others have written."""
    deployment.replace_all(deployment.workers, deployment.options.new)
    time.sleep(deployment.options.hold)
    deployment.replace_all(deployment.workers, deployment.options.old)
    time.sleep(deployment.options.hold)
    end(deployment, client)


@judge
def half_of_the_workers_stay_old(deployment, client):
    """One worker of each stage is new, the other old, and partitions move between them again and again."""
    half = [deployment.members[stage][0] for stage in STAGES]
    deployment.replace_all(half, deployment.options.new)
    for process in [*deployment.workers, *half]:
        deployment.replace(process, process.program, kill=client.own.random() < 0.5)
        time.sleep(deployment.options.hold / 3)
    end(deployment, client)


@judge
def recorders_and_broker_go_first_and_back_last(deployment, client):
    """The new recorder and broker serve old workers, then the old ones serve new workers."""
    deployment.replace_all(deployment.keepers, deployment.options.new)
    time.sleep(deployment.options.hold)
    deployment.replace_all(deployment.workers, deployment.options.new)
    time.sleep(deployment.options.hold)
    deployment.take_records_back(deployment.options.old)
    if deployment.broker:
        deployment.replace(deployment.broker, deployment.options.old)
    time.sleep(deployment.options.hold)
    deployment.replace_all(deployment.workers, deployment.options.old)
    end(deployment, client)


@judge
def everything_goes_to_the_new_version(deployment, client):
    """The usual upgrade, without a way back."""
    deployment.replace_all([*deployment.workers, *deployment.keepers], deployment.options.new)
    time.sleep(deployment.options.hold)
    end(deployment, client)


@judge
def conversations_stay_open_at_format_1(deployment, client):
    """Options with words, declined offers and what sets aside, open while the workers become new ones and old ones again."""
    client.talks = ["offers"]
    time.sleep(deployment.options.hold)
    deployment.replace_all(deployment.workers, deployment.options.new)
    time.sleep(deployment.options.hold)
    deployment.replace_all(deployment.workers, deployment.options.old)
    time.sleep(deployment.options.hold)
    half = [deployment.members[stage][0] for stage in STAGES]
    deployment.replace_all(half, deployment.options.new)
    time.sleep(deployment.options.hold)
    end(deployment, client)
    missing = [kind for kind in ("offers", "declined") if not client.counts[kind]]
    expect(not missing, f"there were none of {missing}")


@judge
def conversations_stay_open_while_format_2_begins(deployment, client):
    """Questions, waits, undos, follow-ups and asides, open while the format is raised, and while some workers write the old one."""
    client.talks = ["offers"]
    time.sleep(deployment.options.hold)
    deployment.replace_all([*deployment.workers, *deployment.keepers], deployment.options.new)
    time.sleep(deployment.options.hold)
    deployment.configure(write=2)
    deployment.replace_all(deployment.workers, deployment.options.new)
    deployment.service.is_raised, client.waits = True, True
    client.talks = ["offers", "confirm", "handle", "follow-ups"]
    time.sleep(2 * deployment.options.hold)
    # What is open keeps its format at workers that write 1; nothing new of format 2 begins there.
    deployment.service.is_raised, client.waits = False, False
    time.sleep(2)
    half = [deployment.members[stage][0] for stage in STAGES]
    deployment.configure(write=1)
    deployment.replace_all(half, deployment.options.new)
    time.sleep(deployment.options.hold)
    deployment.configure(write=2)
    deployment.replace_all(deployment.workers, deployment.options.new)
    deployment.service.is_raised, client.waits = True, True
    time.sleep(deployment.options.hold)
    deployment.replace_all(deployment.workers, deployment.options.new)
    end(deployment, client)
    missing = [kind for kind in OPEN if not client.counts[kind]]
    expect(not missing, f"there were none of {missing}")


@judge
def a_format_that_is_not_known_ends_a_worker_before_it_commits(deployment, client):
    """A record as a version after the next might write it: the stage leaves with 78, and its offset stays before it."""
    deployment.replace_all(deployment.workers, deployment.options.new, pause=0.5)
    headers = {"ce_type": "intent.resolved", "ce_userid": "user-1", "ce_subject": "later", "intentd_format": "99"}
    place = []
    client.producer.produce(
        deployment.topic("resolved"), b"from the future", key="user-1", headers=headers, on_delivery=lambda _, made: place.append(made)
    )
    until(lambda: place, 20, "nothing could be produced")
    until(lambda: deployment.exits["confirm ended with 78"] > 1, 60, f"nobody has left: {dict(deployment.exits)}")
    # The recorder reads that record too (R57).
    others = set(deployment.exits) - {"confirm ended with 78", "record ended with 78"}
    expect(not others, f"others have left too: {dict(deployment.exits)}")
    said = "".join(path.read_text(errors="replace") for path in deployment.directory.glob("confirm-*.log"))
    expect("is of format 99, and this version reads" in said, f"nobody says why: {said[-1000:]}")
    committed = history.read_committed_offsets(deployment.address, deployment.prefix, 8)
    reached = committed.get(("confirm", "resolved", place[0].partition()), 0)
    expect(reached <= place[0].offset(), f"confirm has committed {reached}, beyond {place[0].offset()}")
    print(f"     {next(line for line in said.splitlines() if 'is of format 99' in line)}", flush=True)


def add_arguments(parser):
    parser.add_argument("--old", required=True, help="the program of the version before")
    parser.add_argument("--hold", type=float, default=6, help="seconds to stay as it is between two steps")


if __name__ == "__main__":
    sys.exit(judge_under_load(__doc__, JUDGES, MixedDeployment, PatientClient, rate=40, add_arguments=add_arguments))

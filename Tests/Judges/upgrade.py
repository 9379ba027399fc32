#!/usr/bin/env python3
"""A rolling upgrade and the way back, under load: two versions of intentd side by side.

    upgrade.py --old PATH --intentd PATH [--brokers HOST:PORT] [--rate N] [--hold SECONDS] [--only NAME]

`--old` is the program of the previous version, `--intentd` the one of this tree. The old one is built once, in a clone:

    git clone . ../old && git -C ../old checkout fc6610a
    (cd ../old && swift build -j 2 --product intentd) && Tests/Judges/upgrade.py --old ../old/.build/debug/intentd …

Everything begins with the old program. Requests come all the time; some wait for their user for up to half a
minute, for an unlocked device, or for a slow service while their turn is parked. Processes are replaced one by one,
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
}


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
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_address[1]}/slow"

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            self.server.keys[body["interaction"]["identifier"]].add(self.headers["Idempotency-Key"])
            time.sleep(body["intent"]["parameters"]["seconds"])
            try:
                self.send_response(200)
                self.send_header("Content-Length", "0")
                self.end_headers()
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

    def answer(self, subject, prompt):
        if prompt["kind"] == "unlockRequired":
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
        for name, definition in DEFINITIONS.items():
            if name == "slow":
                definition = definition | {"handler": {"http": definition["handler"]["http"] | {"url": self.service.url}}}
            path = self.directory / f"{name}.json"
            path.write_text(json.dumps(definition))
            definitions.append(str(path))
        more = {"definitions": definitions, "restrictedWhileLocked": [DEFINITIONS["locked"]["name"]]}
        self.configuration.write_text(CONFIGURATION + "".join(f"{key}: {json.dumps(value)}\n" for key, value in more.items()))
        self.replaced = collections.Counter()

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

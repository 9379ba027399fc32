#!/usr/bin/env python3
"""Breaks a running deployment again and again, and asks the history checker what came of it.

    chaos.sh [--requests N] [--faults N] [--seed N] [--brokers HOST:PORT [--kill-broker COMMAND]]
             [--intentd PATH] [--report FILE] [--keep]

Workers of all stages, two recorders and the broker are processes of their own. A client makes requests, answers prompts,
answers some of them twice or too late, and cancels some; meanwhile processes are killed (-9), stopped for longer than
their session and their transaction last, and started again; workers come and go; a proxy delays and cuts connections and
keeps the answers to commits back; disks are full; databases are locked. What is done, and in which order, comes from
the seed; when, from how far the client is: faults and requests end together.

On a Kafka of your own (--brokers), --kill-broker is a command that kills it and starts it again; without it the broker
stays alone.

Exit status: 0 when every request was answered and the checker finds nothing.
"""

import argparse
import collections
import json
import pathlib
import random
import resource
import signal
import sqlite3
import subprocess
import sys
import threading
import time

import confluent_kafka as ck

import checker
import history
from judging import expect, free_port, until
from pipeline import ROOT, House
from proxy import Proxy

STAGES = ("resolve", "confirm", "handle")
USERS = 400
CONFIGURATION = """\
prompts:
  timeout: 20m
intents:
  INSendMessageIntent:
    confirmation: never
"""
#: How often each fault comes, in parts of the whole.
FAULTS = {
    "kill resolve": 9, "kill confirm": 9, "kill handle": 9, "kill record": 9, "kill broker": 7,
    "stop resolve": 2, "stop confirm": 2, "stop handle": 3, "stop record": 2, "stop broker": 2,
    "more workers": 4, "fewer workers": 4,
    "slow network": 3, "cut network": 4, "silent network": 2, "held commits": 5,
    "full disk": 4, "locked store": 3, "locked records": 3,
}  # fmt: skip
KILLS = {name for name in FAULTS if name.startswith("kill")}


class Process:
    """A process that somebody starts again whenever it ends, as a service manager would."""

    def __init__(self, deployment, name, words, brokers):
        self.deployment = deployment
        self.name = name
        self.words = words
        self.brokers = brokers
        self.log = open(deployment.directory / f"{name}.log", "ab")
        self.running = None
        self.is_wanted = True
        self.is_stopped = False
        self.restart_at = 0
        self.start()

    def start(self):
        command = self.deployment.words(*self.words, brokers=self.brokers)
        # SIGXFSZ stays ignored, as Python has it: a write beyond the limit fails, as on a full disk.
        self.running = subprocess.Popen(
            command, stdout=self.log, stderr=self.log, stdin=subprocess.DEVNULL, cwd=ROOT, restore_signals=False
        )

    def kill(self, delay):
        self.restart_at = time.monotonic() + delay
        self.running.kill()

    def supervise(self):
        """Starts it again when it has ended; returns the exit status if it ended by itself."""
        status = self.running.poll()
        if status is None or not self.is_wanted or time.monotonic() < self.restart_at:
            return None
        self.is_stopped = False
        self.restart_at = time.monotonic() + 1
        self.start()
        return status if status >= 0 or status != -signal.SIGKILL else None


class Deployment(House):
    """Broker, topics, workers and recorders, with the means to break them."""

    def __init__(self, options):
        super().__init__(options)
        self.configuration = self.directory / "intentd.yaml"
        self.configuration.write_text(CONFIGURATION)
        self.random = random.Random(options.seed)
        self.broker = None
        self.members = {duty: [] for duty in (*STAGES, "record")}
        self.counts = collections.Counter()
        self.exits = collections.Counter()
        self.later = []
        self.lock = threading.RLock()
        self.over = threading.Event()
        self.proxy = Proxy(free_port(), int(self.address.rsplit(":", 1)[1]), self.address.rsplit(":", 1)[0], options.seed)
        self.proxy.start()
        self.proxy.listening.wait(10)

    def words(self, *words, brokers):
        common = ["--data", str(self.directory), "--config", str(self.configuration), "--prefix", self.prefix]
        return [self.options.intentd, *words, *common, *(["--brokers", brokers] if brokers else [])]

    def begin(self):
        if not self.options.brokers:
            self.broker = Process(self, "broker", ["broker", "--listen", self.address], None)
        self.wait_for_broker()
        done = subprocess.run(
            self.words("topics", "create", brokers=self.address), capture_output=True, text=True, cwd=ROOT, timeout=60
        )
        expect(done.returncode == 0, done.stderr)
        for stage in STAGES:
            for _ in range(2):
                self.add(stage)
        for _ in range(2):
            self.add("record")
        self.fill_store()
        self.supervisor = threading.Thread(target=self.supervise, daemon=True)
        self.supervisor.start()

    def add(self, duty):
        """Starts one more; every second one speaks with the broker through the proxy."""
        number = len(self.members[duty])
        brokers = f"127.0.0.1:{self.proxy.port}" if number % 2 else self.address
        name = f"{duty}-{number}"
        self.members[duty].append(Process(self, name, ["work", duty, "--name", name], brokers))

    def fill_store(self):
        """Gives every user a contact to write to."""
        path = self.directory / "store.sqlite"

        def tables():
            if not path.exists():
                return False
            with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as database:
                return database.execute("SELECT 1 FROM sqlite_master WHERE name = 'contacts'").fetchone()

        until(tables, 60, "the store has no contacts")
        users = [f"user-{number}" for number in range(USERS)]
        with sqlite3.connect(path, timeout=20) as database:
            for contact in "celestra", "buttercup":
                rows = [(user, contact, contact.capitalize(), contact) for user in users]
                database.executemany("INSERT INTO contacts VALUES (?, ?, ?, ?, 1, 1, 1)", rows)
                mail = f"{contact}@unicorn.example"
                handles = [(user, contact, mail, mail, "emailAddress", "home") for user in users]
                database.executemany("INSERT INTO contact_handles VALUES (?, ?, 0, ?, ?, ?, ?)", handles)

    @property
    def processes_(self):
        found = [process for members in self.members.values() for process in members]
        return [*found, self.broker] if self.broker else found

    def supervise(self):
        while not self.over.wait(0.1):
            with self.lock:
                for process in self.processes_:
                    status = process.supervise()
                    if status is not None:
                        self.exits[f"{process.name.split('-')[0]} ended with {status}"] += 1
                due = [entry for entry in self.later if entry[0] <= time.monotonic()]
                self.later = [entry for entry in self.later if entry not in due]
            for _, undo in due:
                undo()

    def after(self, seconds, undo):
        """Takes a fault back after a while, without anybody waiting for it."""
        with self.lock:
            self.later.append((time.monotonic() + seconds, undo))

    # Faults

    def someone(self, duty):
        """One that is up, if there is one."""
        members = [process for process in self.members[duty] if process.is_wanted and not process.is_stopped]
        return self.random.choice(members) if members else None

    def make(self, fault):
        """Makes a fault; whether it could be made."""
        kind, _, what = fault.partition(" ")
        with self.lock:
            return bool(getattr(self, kind)(what))

    def kill(self, what):
        delay = self.random.choice([0, 0, 1, 3, 15])
        if what == "broker":
            if self.broker:
                self.broker.kill(min(delay, 3))
            elif self.options.kill_broker:
                subprocess.run(self.options.kill_broker, shell=True, check=True, stdout=subprocess.DEVNULL)
            return bool(self.broker or self.options.kill_broker)
        process = self.someone(what)
        if process:
            process.kill(delay)
        return process

    def stop(self, what):
        """Beyond the session (12 s) and the transaction (10 s), or for a moment only; the broker for a moment."""
        process = self.broker if what == "broker" else self.someone(what)
        if not process or process.running.poll() is not None:
            return False
        seconds = self.random.uniform(1, 3) if what == "broker" else self.random.choice([2, 11, 15, 20])
        running = process.running
        running.send_signal(signal.SIGSTOP)
        process.is_stopped = what != "broker"

        def go_on():
            if running.poll() is None:
                running.send_signal(signal.SIGCONT)
            process.is_stopped = False

        self.after(seconds, go_on)
        return True

    def more(self, _):
        stage = self.random.choice(STAGES)
        resting = [process for process in self.members[stage] if not process.is_wanted and process.running.poll() is not None]
        if resting:
            resting[0].is_wanted = True
            resting[0].start()
        elif len(self.members[stage]) < 4:
            self.add(stage)
        else:
            return False
        return True

    def fewer(self, _):
        """One leaves as it should, or for good."""
        stage = self.random.choice(STAGES)
        working = [process for process in self.members[stage] if process.is_wanted and not process.is_stopped]
        if len(working) < 2:
            return False
        process = self.random.choice(working)
        process.is_wanted = False
        process.running.send_signal(self.random.choice([signal.SIGTERM, signal.SIGTERM, signal.SIGKILL]))
        return True

    def slow(self, _):
        self.proxy.slow(self.random.uniform(1, 4), self.random.choice([0.02, 0.1, 0.5]))
        return True

    def cut(self, _):
        self.proxy.cut()
        return True

    def silent(self, _):
        self.proxy.silence(self.random.choice([1, 3, 13]))
        return True

    def held(self, _):
        self.proxy.hold_commits(self.random.choice([1, 4, 12]))
        return True

    def full(self, _):
        """No file of the process may grow beyond what its largest has now."""
        process = self.someone(self.random.choice(["handle", "record", "resolve"]))
        if self.broker and self.random.random() < 0.4:
            process = self.broker
        if not process or process.running.poll() is not None:
            return False
        files = {"broker": "broker.sqlite*", "record": "records.sqlite*"}.get(process.name.split("-")[0], "store.sqlite*")
        size = max((path.stat().st_size for path in self.directory.glob(files)), default=0)
        self.limit(process.running.pid, size // 2)
        running = process.running
        self.after(self.random.uniform(0.5, 4), lambda: running.poll() is None and self.limit(running.pid, resource.RLIM_INFINITY))
        return True

    @staticmethod
    def limit(pid, size):
        hard = resource.prlimit(pid, resource.RLIMIT_FSIZE)[1]
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (size, hard))

    def locked(self, what):
        """Somebody writes for a while, and reads for longer."""
        path = self.directory / f"{what}.sqlite"
        writer, reader = (sqlite3.connect(path, timeout=2, check_same_thread=False) for _ in range(2))
        try:
            reader.execute("BEGIN")
            reader.execute("SELECT count(*) FROM sqlite_master").fetchone()
            writer.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError:
            writer.close()
            reader.close()
            return False
        seconds = self.random.choice([0.5, 3, 8])
        self.after(seconds, writer.close)
        self.after(seconds + 5, reader.close)
        return True

    def mend(self):
        """Takes every fault back and has everybody run."""
        with self.lock:
            entries, self.later = self.later, []
        for _, undo in entries:
            undo()
        self.proxy.delay, self.proxy.silent_until, self.proxy.hold_until = (0, 0.0), 0, 0
        with self.lock:
            for process in self.processes_:
                process.restart_at = 0

    def leave(self, seconds=40):
        """Everybody is told to stop, and does within its bound."""
        self.over.set()
        self.supervisor.join()
        began = time.monotonic()
        members = [process for process in self.processes_ if process is not self.broker and process.running.poll() is None]
        for process in members:
            process.running.send_signal(signal.SIGTERM)
        for process in members:
            try:
                status = process.running.wait(max(0.1, began + seconds - time.monotonic()))
            except subprocess.TimeoutExpired:
                raise AssertionError(f"{process.name} has not left {seconds} s after SIGTERM") from None
            expect(status == 0, f"{process.name} has left with {status}")
        return time.monotonic() - began

    def close(self):
        self.over.set()
        self.proxy.close()
        for process in self.processes_:
            if process.running.poll() is None:
                process.running.send_signal(signal.SIGCONT)
                process.running.kill()
            process.running.wait()
            process.log.close()
        if not self.options.keep:
            super().close()


class Client(threading.Thread):
    """Makes requests and plays the users; `allowed` says how many requests there may be by now."""

    OPEN = 4_000

    def __init__(self, deployment, requests, seed):
        super().__init__(daemon=True)
        self.deployment = deployment
        self.requests = requests
        self.random = random.Random(f"client {seed}")
        self.allowed = 0
        self.sent = {}
        self.answers = {}
        self.ends = collections.defaultdict(list)
        self.cancelled = set()
        self.counts = collections.Counter()
        self.failure = None
        self.over = threading.Event()
        self.producer = ck.Producer(
            {
                "bootstrap.servers": deployment.address,
                "enable.idempotence": True,
                "linger.ms": 5,
                "message.timeout.ms": 0,
                "partitioner": "murmur2_random",
                "log_level": 2,
                "error_cb": self.note_error,
            }
        )

    def note_error(self, error):
        if error.fatal():
            self.failure = f"the client's producer has failed: {error}"

    def send(self, kind, user, data, subject=None, copies=1, home=False):
        headers = {"ce_type": kind, "ce_userid": user} | ({"ce_subject": subject} if subject else {})
        # One in twenty comes from a client that knows nothing of home partitions.
        place = {"partition": self.random.randrange(8)} if not home and self.random.random() < 0.05 else {}
        for _ in range(copies):
            while True:
                try:
                    self.producer.produce(
                        self.deployment.topic("requests"), json.dumps(data), key=user, headers=headers, **place
                    )
                    break
                except BufferError:
                    self.producer.poll(0.1)

    def room(self):
        """How many requests may be made now."""
        return min(self.allowed - len(self.sent), self.OPEN - (len(self.sent) - len(self.ends)), 200)

    def request(self):
        number = len(self.sent)
        subject = f"r{number}"
        user = f"user-{self.random.randrange(USERS)}"
        kind = self.random.choices(["message", "asked", "two", "table", "nobody"], [50, 15, 5, 25, 5])[0]
        if kind == "nobody":
            intent = {"name": "INNobodyIntent"}
        elif kind == "table":
            parameters = {"restaurant": "Old Mill", "date": "2027-03-01", "people": 2}
            if self.random.random() < 0.7:
                parameters["time"] = "19:30"
            intent = {"name": "BookRestaurantTable", "parameters": parameters}
        else:
            parameters = {"recipients": ["Celestra", "Buttercup"] if kind == "two" else ["Celestra"]}
            if kind != "asked":
                parameters["content"] = subject
            intent = {"name": "INSendMessageIntent", "parameters": parameters}
        self.sent[subject] = (user, kind)
        # Some clients try again at once.
        copies = 2 if self.random.random() < 0.03 else 1
        self.send("intent.requested", user, {"intent": intent, "user": {"id": user}}, subject, copies)
        if self.random.random() < 0.02:
            self.cancel(user, subject)

    def cancel(self, user, subject):
        self.cancelled.add(subject)
        self.counts["cancellations"] += 1
        self.send("interaction.cancelled", user, {"user": {"id": user}}, subject)

    def answer(self, subject, prompt):
        if prompt["promptId"] in self.answers:
            return
        user, kind = self.sent[subject]
        data = {"user": {"id": user}, "promptId": prompt["promptId"], "action": "accept"}
        chance = self.random.random()
        if chance < 0.03:
            self.cancel(user, subject)
            return
        if prompt["kind"] == "intentConfirmation":
            if chance < 0.08:
                data["action"] = "decline"
            elif chance < 0.12:
                data |= {"corrections": {"people": 3}}
        else:
            data["value"] = {"content": subject, "time": "19:30"}[prompt["parameter"]]
        self.answers[prompt["promptId"]] = data
        self.counts["answers"] += 1
        copies = 2 if self.random.random() < 0.05 else 1
        self.send("prompt.answered", user, data, copies=copies)
        self.counts["answers too many"] += copies - 1

    def take(self, message):
        headers = {name: value.decode() for name, value in message.headers() or []}
        data = json.loads(message.value())
        subject = headers.get("ce_subject")
        if headers["ce_type"] == "prompt.issued":
            self.answer(subject, data)
        elif headers["ce_type"] == "intent.responded" and data["terminal"]:
            self.ends[subject].append(data)
            late = [answer for prompt, answer in self.answers.items() if prompt.startswith(f"{subject}/")] if self.random.random() < 0.03 else []
            for answer in late:
                # A second device says yes when all is over.
                self.counts["answers too late"] += 1
                self.send("prompt.answered", self.sent[subject][0], answer)

    def run(self):
        try:
            self.play()
        except Exception as error:
            self.failure = f"the client: {error!r}"

    def play(self):
        reader = ck.Consumer(
            {
                "bootstrap.servers": self.deployment.address,
                "group.id": "chaos",
                "isolation.level": "read_committed",
                "enable.auto.commit": False,
                "auto.offset.reset": "earliest",
                "log_level": 2,
            }
        )
        name = self.deployment.topic("responses")
        reader.assign([ck.TopicPartition(name, number, ck.OFFSET_BEGINNING) for number in range(8)])
        while not self.over.is_set():
            for message in reader.consume(500, 0.02):
                if not message.error():
                    self.take(message)
            for _ in range(max(self.room(), 0)):
                self.request()
            self.producer.poll(0)
        reader.close()


def check_messages(deployment, client):
    """Each message that somebody was told of stands in the store, once for each recipient; nothing else does."""
    with sqlite3.connect(f"file:{deployment.directory / 'store.sqlite'}?mode=ro", uri=True, timeout=20) as database:
        rows = collections.Counter(content for content, in database.execute("SELECT content FROM messages"))
    problems = []
    for subject, (_, kind) in client.sent.items():
        wanted = {"message": 1, "asked": 1, "two": 2}.get(kind, 0)
        end = client.ends[subject][0] if client.ends[subject] else {}
        if end.get("status") != "success" and "sendMessages" not in (end.get("effects") or []):
            wanted = 0
        if rows.pop(subject, 0) != wanted:
            problems.append(("effect-missing", "store.sqlite", f"{subject} ({kind}) has not {wanted} messages; its end: {end}"[:300]))
    problems += [("effect-stray", "store.sqlite", f"{content}: nobody asked for that") for content in rows]
    return problems, sum(rows.values())


def settle(deployment, client, seconds):
    """Waits for the last answer, and until nothing is written and recorded any more."""

    def answered():
        expect(not client.failure, client.failure)
        return len(client.ends) == len(client.sent)

    until(answered, seconds, "not every request was answered")
    client.over.set()
    client.join()
    expect(client.producer.flush(60) == 0, "not everything could be produced")
    reader = ck.Consumer({"bootstrap.servers": deployment.address, "group.id": "chaos", "log_level": 2})
    last, since = None, time.monotonic()
    deadline = time.monotonic() + seconds
    while time.monotonic() - since < 4:
        expect(time.monotonic() < deadline, "it never comes to rest")
        time.sleep(0.5)
        ends = [
            reader.get_watermark_offsets(ck.TopicPartition(deployment.topic(topic), number), 10)
            for topic in history.RECORDED
            for number in range(8)
        ]
        with deployment.database() as database:
            ends.append(database.execute("SELECT count(*) FROM events").fetchone())
        if ends != last:
            last, since = ends, time.monotonic()
    reader.close()


def spend(deployment, client, options):
    """Makes the faults, each when the client has come as far as it."""
    plan = random.Random(options.seed).choices(list(FAULTS), FAULTS.values(), k=options.faults * 3)
    made = 0
    for fault in plan:
        if made == options.faults:
            break
        client.allowed = options.requests * (made + 1) // (options.faults + 1)
        mark = options.requests * made // (options.faults + 1)
        until(lambda: len(client.sent) >= mark or client.failure, 300, f"the client is stuck before fault {made}, {fault}")
        expect(not client.failure, client.failure)
        if not deployment.make(fault):
            continue
        made += 1
        deployment.counts[fault] += 1
        if options.verbose:
            print(f"     {len(client.sent):7} sent {len(client.ends):7} ended  {fault}", flush=True)
        time.sleep(deployment.random.uniform(0.1, options.pause))
    client.allowed = options.requests
    until(lambda: len(client.sent) >= options.requests or client.failure, 600, "the client does not come to its end")
    return made


def play(options, deployment):
    began = time.monotonic()
    deployment.begin()
    client = Client(deployment, options.requests, options.seed)
    watch = history.OffsetWatch(deployment.address, deployment.prefix, 8, deployment.directory / "records.sqlite")
    client.start()
    watch.start()
    made = spend(deployment, client, options)
    deployment.mend()
    mended = time.monotonic()
    settle(deployment, client, 240)
    settled = time.monotonic()
    seen = watch.stop()
    left = deployment.leave()
    if deployment.broker and deployment.broker.running.poll() is not None:
        deployment.broker.start()
        deployment.wait_for_broker()
    databases = [deployment.directory / name for name in ("records.sqlite", "store.sqlite")]
    found, findings = checker.check(
        deployment.address, deployment.prefix, *databases, ended=True, seen=seen,
        never=["SELECT content, recipient, count(*) FROM messages GROUP BY 1, 2 HAVING count(*) > 1"],
    )  # fmt: skip
    problems, _ = check_messages(deployment, client)
    findings += problems
    kills = {name: count for name, count in sorted(deployment.counts.items()) if name in KILLS}
    ends = collections.Counter(end[0]["endReason"] for end in client.ends.values())
    report = {
        "seed": options.seed,
        "requests": len(client.sent),
        "client": dict(client.counts),
        "ends": dict(ends),
        "faults": dict(sorted(deployment.counts.items())),
        "kills": sum(kills.values()),
        "held commits": deployment.proxy.held,
        "lost commit answers": deployment.proxy.lost,
        "ended by themselves": dict(deployment.exits),
        "records": len(found.records),
        "never committed": len(found.uncommitted),
        "seconds": round(settled - began),
        "seconds to settle": round(settled - mended),
        "seconds to leave": round(left, 1),
        "findings": len(findings),
    }
    for kind, count in collections.Counter(finding[0] for finding in findings).items():
        print(f"{count} × {kind}")
    for kind, place, message in findings[:50]:
        print(f"{kind:18}  {place:24}  {message}")
    for name, value in report.items():
        if isinstance(value, dict):
            value = ", ".join(f"{key} {count}" for key, count in value.items()) or "-"
        print(f"     {name:22}{value}", flush=True)
    if options.report:
        pathlib.Path(options.report).write_text(json.dumps(report, indent=2) + "\n")
    expect(made == options.faults, f"only {made} of {options.faults} faults could be made")
    expect(not findings, f"{len(findings)} findings")


def main():
    parser = argparse.ArgumentParser(
        prog="chaos.sh", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--intentd", required=True, help="the program")
    parser.add_argument("--requests", type=int, default=3_000)
    parser.add_argument("--faults", type=int, default=30)
    parser.add_argument("--pause", type=float, default=1.0, help="the longest pause after a fault, in seconds")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--brokers", help="HOST:PORT of a Kafka to run on")
    parser.add_argument("--kill-broker", help="a command that kills that Kafka and starts it again")
    parser.add_argument("--report", help="a file for the report, as JSON")
    parser.add_argument("--keep", action="store_true", help="leave the files there")
    parser.add_argument("--verbose", action="store_true", help="name each fault")
    options = parser.parse_args()
    options.definitions = None
    print(f"chaos: {options.requests} requests, {options.faults} faults, seed {options.seed}", flush=True)
    deployment = Deployment(options)
    try:
        play(options, deployment)
    except AssertionError as error:
        print(f"FAIL chaos --seed {options.seed}: {error}")
        if options.keep:
            print(f"     {deployment.directory}")
        return 1
    finally:
        deployment.close()
    print(f"PASS chaos --seed {options.seed}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

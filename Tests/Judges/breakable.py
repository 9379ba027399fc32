"""A deployment that can be broken: broker, workers and recorders as processes, with a proxy between them."""

import argparse
import collections
import functools
import pathlib
import random
import resource
import signal
import sqlite3
import subprocess
import threading
import time

from judging import Program, expect, free_port, run, until
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


@functools.cache
def samples(program):
    """The option with which a program serves the sample apps; the versions before it always do."""
    shown = subprocess.run([program, "up", "--help"], capture_output=True, text=True, timeout=60).stdout
    return ["--samples"] if "--samples" in shown else []


class Process:
    """A process that is restarted whenever it ends, as by a service manager."""

    def __init__(self, deployment, name, words, brokers, may_crash=False):
        self.deployment = deployment
        self.program = deployment.options.intentd
        self.name = name
        self.words = words
        self.brokers = brokers
        self.log = open(deployment.directory / f"{name}.log", "ab")
        self.may_crash = may_crash
        self.running = None
        self.is_wanted = True
        self.is_stopped = False
        self.restart_at = 0
        #: What is known of its last crash.
        self.crash = None
        self.start()

    def start(self):
        command = self.deployment.words(*self.words, brokers=self.brokers, program=self.program)
        # SIGXFSZ stays ignored, as Python has it: a write beyond the limit fails, as on a full disk.
        self.running = Program(
            command, may_crash=self.may_crash, stdout=self.log, stderr=self.log, stdin=subprocess.DEVNULL, cwd=ROOT,
            restore_signals=False,
        )  # fmt: skip

    def tail(self):
        """The last lines of its log."""
        return "".join(f"    {line}\n" for line in pathlib.Path(self.log.name).read_text("utf8", "replace").splitlines()[-20:])

    def kill(self, delay):
        self.restart_at = time.monotonic() + delay
        self.running.kill()

    def supervise(self):
        """Restarts it when it has ended; returns the exit status if it ended by itself."""
        status, ended = self.running.poll(), self.running
        if status is None or not self.is_wanted or time.monotonic() < self.restart_at:
            return None
        self.is_stopped = False
        self.restart_at = time.monotonic() + 1
        self.start()
        if ended.has_crashed:
            self.crash = ended.keep()
        return status if status >= 0 or status != -signal.SIGKILL else None


class Deployment(House):
    """Broker, topics, workers and recorders, with the means to break them."""

    settings = CONFIGURATION
    #: The frequency of each fault, as a share.
    faults = {
        "kill resolve": 9, "kill confirm": 9, "kill handle": 9, "kill record": 9, "kill broker": 7,
        "stop resolve": 2, "stop confirm": 2, "stop handle": 3, "stop record": 2, "stop broker": 2,
        "more workers": 4, "fewer workers": 4,
        "slow network": 3, "cut network": 4, "silent network": 2, "held commits": 5,
        "full disk": 4, "locked store": 3, "locked records": 3,
    }  # fmt: skip

    def __init__(self, options):
        super().__init__(options)
        self.configuration = self.directory / "intentd.yaml"
        self.configuration.write_text(self.settings)
        self.random = random.Random(options.seed)
        self.broker = None
        self.members = {role: [] for role in (*STAGES, "record")}
        self.counts = collections.Counter()
        self.exits = collections.Counter()
        #: Processes that were ended by a signal that nobody here has sent, with the last lines of their logs.
        self.crashes = []
        self.later = []
        #: When a worker's clock was wrong: from, to and by how much, in milliseconds.
        self.clocks = []
        self.lock = threading.RLock()
        self.over = threading.Event()
        self.proxy = self.make_proxy()
        self.proxy.start()
        self.proxy.listening.wait(10)

    def make_proxy(self):
        host, port = self.address.rsplit(":", 1)
        return Proxy(free_port(), int(port), host, self.options.seed)

    def words(self, *words, brokers, program=None):
        common = ["--data", str(self.directory), "--config", str(self.configuration), "--prefix", self.prefix]
        program = program or self.options.intentd
        return [program, *words, *common, *samples(program), *(["--brokers", brokers] if brokers else [])]

    def begin(self):
        if not self.options.brokers:
            self.broker = Process(self, "broker", ["broker", "--listen", self.address], None)
        self.wait_for_broker()
        self.begin_working()

    def create_topics(self):
        done = subprocess.run(
            self.words("topics", "create", brokers=self.address), capture_output=True, text=True, cwd=ROOT, timeout=60
        )
        expect(done.returncode == 0, done.stderr)

    def begin_working(self):
        self.create_topics()
        for stage in STAGES:
            for _ in range(2):
                self.add(stage)
        for _ in range(2):
            self.add("record")
        self.fill_store()
        self.supervisor = threading.Thread(target=self.supervise, daemon=True)
        self.supervisor.start()

    def add(self, role):
        """Starts one more; every second one connects to the broker through the proxy."""
        number = len(self.members[role])
        brokers = f"127.0.0.1:{self.proxy.port}" if number % 2 else self.address
        name = f"{role}-{number}"
        self.members[role].append(Process(self, name, ["work", role, "--name", name], brokers))

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
    def servers(self):
        """The processes of brokers."""
        return [self.broker] if self.broker else []

    @property
    def processes_(self):
        return [process for members in self.members.values() for process in members] + self.servers

    def supervise(self):
        while not self.over.wait(0.1):
            with self.lock:
                for process in self.processes_:
                    status = process.supervise()
                    if status is not None:
                        self.exits[f"{process.name.split('-')[0]} ended with {status}"] += 1
                        if status < 0:
                            self.crashes.append(f"{process.name} was ended by {signal.Signals(-status).name}:\n{process.crash or process.tail()}")
                due = [entry for entry in self.later if entry[0] <= time.monotonic()]
                self.later = [entry for entry in self.later if entry not in due]
            for _, undo in due:
                undo()

    def after(self, seconds, undo):
        """Ends a fault after a while, in the background."""
        with self.lock:
            self.later.append((time.monotonic() + seconds, undo))

    # Faults

    def someone(self, role):
        """A running one, if there is one."""
        members = [process for process in self.members[role] if process.is_wanted and not process.is_stopped]
        return self.random.choice(members) if members else None

    def make(self, fault):
        """Injects a fault; returns whether that was possible."""
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
        """Longer than the session (12 s) and the transaction (10 s), or only for a moment; the broker only for a moment."""
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
        """One leaves in order, and comes back or not."""
        stage = self.random.choice(STAGES)
        working = [process for process in self.members[stage] if process.is_wanted and not process.is_stopped]
        if len(working) < 2:
            return False
        process = self.random.choice(working)
        process.is_wanted = False
        process.running.send_signal(self.random.choice([signal.SIGTERM, signal.SIGUSR1, signal.SIGKILL]))
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
        """No file of the process may grow beyond the current size of its largest."""
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
        """Another process writes for a while, and reads for longer."""
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
        """Ends every fault and makes all processes run."""
        with self.lock:
            entries, self.later = self.later, []
        for _, undo in entries:
            undo()
        self.proxy.mend()
        with self.lock:
            for process in self.processes_:
                process.restart_at = 0

    def replay(self):
        """Runs every turn again from the log, which must come to the same bytes; returns what it says at the end."""
        words = self.words("replay", brokers=self.address)
        done = subprocess.run(words, capture_output=True, text=True, cwd=ROOT, timeout=1_800)
        expect(done.returncode == 0, f"replay ended with {done.returncode}: {done.stdout[-2000:]}{done.stderr[-2000:]}")
        return done.stdout.strip().splitlines()[-1]

    def leave(self, seconds=40):
        """Asks all processes to stop, and checks that each does so within its bound."""
        self.over.set()
        self.supervisor.join()
        began = time.monotonic()
        members = [process for process in self.processes_ if process not in self.servers and process.running.poll() is None]
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


def judge_under_load(about, judges, make_deployment, make_client, rate, add_arguments=lambda parser: None):
    """Runs each judge on a deployment of its own that a client keeps busy; returns the process's status."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--intentd", required=True, help="the program of this tree")
    parser.add_argument("--brokers", help="HOST:PORT of a Kafka to run on")
    parser.add_argument("--rate", type=int, default=rate, help="requests a second")
    parser.add_argument("--only", help="only judges whose names contain this")
    parser.add_argument("--keep", action="store_true", help="leave the files there")
    add_arguments(parser)
    options = parser.parse_args()
    options.definitions, options.seed, options.kill_broker = None, 0, None

    def hold(one):
        deployment = make_deployment(options)
        client = None
        try:
            deployment.begin()
            client = make_client(deployment, options.rate)
            client.began = time.monotonic()
            client.start()
            until(lambda: len(client.ends) > options.rate, 60, "nobody is served")
            one(deployment, client)
        except BaseException:
            if options.keep:
                print(f"     {deployment.directory}")
            raise
        finally:
            if client:
                client.over.set()
                client.join()
            deployment.close()

    passed, failed = run(judges, options.only, hold)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0

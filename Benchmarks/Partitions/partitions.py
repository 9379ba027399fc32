#!/usr/bin/env python3
"""What the number of partitions costs: latency, processor time of each process, memory, and restarts.

    partitions.py --intentd PATH [--partitions 8,64,256] [--rates 100,1000] [--seconds N]
                  [--brokers HOST:PORT --broker-pid PID]

A request books a table without a confirmation: three turns, one answer. The broker (the embedded one, or a Kafka), a worker
for each stage and the recorder are processes of their own. Each number of partitions has topics of its own. Measured are

- processor time of each process at rest;
- at each rate, latency from when a request was due until its answer was read, and processor time a request;
- how long a handle worker takes to be ready: after SIGTERM, and after SIGKILL without its files;
- memory at the end.

Run it from the top of the repository, on a machine that does nothing else.
"""

import argparse
import json
import os
import pathlib
import signal
import shutil
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request

import confluent_kafka as ck
from confluent_kafka.admin import AdminClient

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "Capacity"))

from capacity import ROLES, House  # noqa: E402

CONFIGURATION = """\
intents:
  BookRestaurantTable:
    confirmation: never
"""


def free_port():
    with socket.socket() as made:
        made.bind(("127.0.0.1", 0))
        return made.getsockname()[1]


class Stage(House):
    """A deployment with so many partitions."""

    settings = CONFIGURATION
    intent = {"name": "BookRestaurantTable", "parameters": {"restaurant": "Old Mill", "date": "2027-03-01", "time": "19:30"}}

    def __init__(self, options, count):
        super().__init__(options.intentd)
        self.count = count
        self.prefix = f"partitions-{count}-{os.getpid()}"
        self.broker_pid = options.broker_pid
        if options.brokers:
            self.address = options.brokers
        self.ports = {role: free_port() for role in ROLES}
        self.configuration = self.data / "intentd.yaml"
        self.configuration.write_text(self.settings)

    def words(self, *words):
        return [self.intentd, *words, "--data", str(self.data), "--config", str(self.configuration), "--prefix", self.prefix]

    def run(self, *words):
        return subprocess.run([*self.words(*words), "--brokers", self.address], capture_output=True, text=True)

    def start(self, name, *words):
        environment = os.environ | {"INTENTD_MONITORING_LISTEN": f"127.0.0.1:{self.ports.get(name, 0)}"}
        log = open(self.data / f"{name}.log", "a")
        self.processes[name] = subprocess.Popen(self.words(*words), stdout=log, stderr=subprocess.STDOUT, env=environment)

    def work(self, role):
        self.start(role, "work", role, "--name", role, "--brokers", self.address)

    def is_ready(self, role):
        try:
            return urllib.request.urlopen(f"http://127.0.0.1:{self.ports[role]}/readyz", timeout=2).status == 200
        except (OSError, urllib.error.HTTPError):
            return False

    def wait(self, holds):
        """Waits as `until` does, but looks more often."""
        began = time.monotonic()
        while not holds():
            if time.monotonic() - began > 300:
                raise SystemExit(f"{self.count} partitions: {self.data}: it takes too long")
            time.sleep(0.02)
        return time.monotonic() - began

    def times(self):
        times = {name: self.processor_time(name) for name in self.processes}
        if self.broker_pid:
            fields = pathlib.Path(f"/proc/{self.broker_pid}/stat").read_text().rsplit(")", 1)[1].split()
            times["broker"] = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        return times

    def restart(self, role, stop, forget):
        """Stops a worker and starts it again; returns the seconds until it is ready."""
        self.processes[role].send_signal(stop)
        self.processes[role].wait()
        if forget:
            for file in self.data.glob("state-*"):
                file.unlink()
        self.work(role)
        return self.wait(lambda: self.is_ready(role))


class Asker:
    """Sends requests at a rate, and reads their answers."""

    def __init__(self, stage):
        self.stage = stage
        self.due = {}
        self.took = []
        self.over = threading.Event()
        settings = {"bootstrap.servers": stage.address, "log_level": 2}
        self.producer = ck.Producer(settings | {"linger.ms": 1, "partitioner": "murmur2_random"})
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self):
        consumer = ck.Consumer({"bootstrap.servers": self.stage.address, "group.id": "partitions", "log_level": 2,
                                "isolation.level": "read_committed", "enable.auto.commit": False})
        topic = f"{self.stage.prefix}.responses"
        consumer.assign([ck.TopicPartition(topic, number, ck.OFFSET_BEGINNING) for number in range(self.stage.count)])
        while not self.over.is_set():
            for message in consumer.consume(500, 0.01):
                if not message.error() and json.loads(message.value()).get("terminal"):
                    due = self.due.pop(dict(message.headers())["ce_subject"].decode(), None)
                    if due:
                        self.took.append(time.monotonic() - due)
                        self.last = time.monotonic()
        consumer.close()

    def ask(self, rate, seconds):
        """Returns the latencies in milliseconds, in order."""
        self.took = []
        began = time.monotonic()
        for number in range(rate * seconds):
            due = began + number / rate
            while (now := time.monotonic()) < due:
                self.producer.poll(min(due - now, 0.005))
            subject = f"r{rate}-{number}-{began}"
            self.send(subject, f"user-{number % 2000}", due)
        self.producer.flush(30)
        self.stage.wait(lambda: not self.due)
        return sorted(took * 1_000 for took in self.took)

    def send(self, subject, user, due):
        self.due[subject] = due
        data = {"intent": self.stage.intent, "user": {"id": user}}
        headers = {"ce_type": "intent.requested", "ce_userid": user, "ce_subject": subject}
        self.producer.produce(f"{self.stage.prefix}.requests", json.dumps(data), key=user, headers=headers)


def spent(before, after, per):
    return {name: (after[name] - before[name]) / per for name in before}


def measure(options, count):
    stage = Stage(options, count)
    found = {"partitions": count}
    try:
        if not options.brokers:
            stage.start("broker", "broker", "--listen", stage.address)
        stage.until(lambda: stage.run("topics", "create", "--partitions", str(count)).returncode == 0)
        began = time.monotonic()
        for role in ROLES:
            stage.work(role)
        stage.wait(lambda: all(stage.is_ready(role) for role in ROLES))
        found["first start, s"] = time.monotonic() - began
        asker = Asker(stage)
        asker.ask(50, 5)
        before = stage.times()
        time.sleep(options.seconds)
        found["at rest, % of a core"] = spent(before, stage.times(), options.seconds / 100)
        for rate in options.rates:
            before = stage.times()
            took = asker.ask(rate, options.seconds)
            found[f"{rate}/s, ms"] = {"p50": took[len(took) // 2], "p99": took[len(took) * 99 // 100]}
            found[f"{rate}/s, µs a request"] = spent(before, stage.times(), rate * options.seconds / 1e6)
        found["restart, s"] = {
            "SIGTERM": stage.restart("handle", signal.SIGTERM, forget=False),
            "SIGKILL, no files": stage.restart("handle", signal.SIGKILL, forget=True),
        }
        asker.ask(50, 2)
        found["memory, MiB"] = {name: stage.most_memory(name) for name in stage.processes}
        asker.over.set()
        asker.reader.join()
        if options.brokers:
            admin = AdminClient({"bootstrap.servers": stage.address})
            names = [name for name in admin.list_topics(timeout=10).topics if name.startswith(stage.prefix + ".")]
            for done in admin.delete_topics(names, operation_timeout=30).values():
                done.result()
    finally:
        for process in stage.processes.values():
            process.kill()
        shutil.rmtree(stage.data)
    return found


def numbers(text):
    return [int(number) for number in text.split(",")]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--intentd", required=True, type=os.path.abspath)
    parser.add_argument("--partitions", type=numbers, default=[8, 64, 256])
    parser.add_argument("--rates", type=numbers, default=[100, 1000])
    parser.add_argument("--seconds", type=int, default=20)
    parser.add_argument("--brokers", help="HOST:PORT of a Kafka to run on")
    parser.add_argument("--broker-pid", type=int, help="that Kafka's process, whose processor time is counted")
    options = parser.parse_args()
    for count in options.partitions:
        found = measure(options, count)
        print(json.dumps(found), flush=True)
        for name, value in found.items():
            text = ", ".join(f"{key} {one:.1f}" for key, one in value.items()) if isinstance(value, dict) else f"{value:.1f}"
            print(f"    {name:24}{text}", file=sys.stderr)


if __name__ == "__main__":
    main()

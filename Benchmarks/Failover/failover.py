#!/usr/bin/env python3
"""How long the partitions of a killed worker wait for an answer, and what the time is made of.

    failover.py --intentd PATH [--remembered N] [--partitions N] [--roles resolve,handle]

PATH is a release build. A backlog fills the state. Then a second worker of a stage starts under another name, so without
a file, as on another machine, and takes half of the partitions. The first one is killed with SIGKILL while requests come
at a low rate. Measured is the time from the kill until all requests of its partitions are answered again, and of it

- detection: until the broker takes the worker out of the group, at most the session timeout (12 s);
- the group's new assignment, until the second worker begins to restore (it learns of it with its next heartbeat);
- reading the state of the partitions, none of which its own file has;
- the first batch, until the last of the waiting requests is answered.

Run it with the Python of `Tests/Judges/python.sh`, on a machine that does nothing else.
"""

import argparse
import datetime
import json
import os
import pathlib
import re
import signal
import sys
import tempfile
import threading
import time

import confluent_kafka as ck

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "Tests/Judges"))

from judging import expect, until  # noqa: E402
from load import DEFINITION, Load  # noqa: E402

SESSION_TIMEOUT = 12
#: Requests per second while a worker is killed.
RATE = 50


class Probes:
    """Requests at a low rate, and when each was sent and answered, in milliseconds of the broker's clock."""

    def __init__(self, load, name):
        self.load, self.name = load, name
        self.sent, self.answered, self.partitions = {}, {}, {}
        self.stopped = threading.Event()
        topic = load.topic("responses")
        self.reader = ck.Consumer({"bootstrap.servers": load.address, "group.id": "probes",
                                   "isolation.level": "read_committed"})
        numbers = self.reader.list_topics(topic, 30).topics[topic].partitions
        ends = [self.reader.get_watermark_offsets(ck.TopicPartition(topic, number), 30)[1] for number in numbers]
        self.reader.assign([ck.TopicPartition(topic, number, end) for number, end in zip(numbers, ends)])
        self.threads = [threading.Thread(target=work) for work in (self.send, self.read)]
        for thread in self.threads:
            thread.start()

    def send(self):
        producer = ck.Producer({"bootstrap.servers": self.load.address, "linger.ms": 1})

        def delivered(error, message, subject):
            expect(error is None, f"a request was not written: {error}")
            self.sent[subject], self.partitions[subject] = message.timestamp()[1], message.partition()

        number = 0
        while not self.stopped.wait(1 / RATE):
            subject, user = f"{self.name}-{number}", f"user-{number % 1000}"
            data = {"intent": {"name": "TakeNote", "parameters": {"text": subject, "day": "2026-12-03"}},
                    "user": {"id": user}}
            headers = {"ce_type": "intent.requested", "ce_subject": subject}
            producer.produce(self.load.topic("requests"), json.dumps(data), key=user, headers=headers,
                             on_delivery=lambda error, message, subject=subject: delivered(error, message, subject))
            producer.poll(0)
            number += 1
        producer.flush(30)

    def read(self):
        while not self.stopped.is_set() or len(self.answered) < len(self.sent):
            for message in self.reader.consume(1000, 0.1):
                headers = {key: value.decode() for key, value in message.headers() or []}
                if headers.get("ce_type") == "intent.responded" and headers["ce_subject"].startswith(f"{self.name}-"):
                    if json.loads(message.value())["terminal"]:
                        self.answered[headers["ce_subject"]] = message.timestamp()[1]

    def finish(self):
        self.stopped.set()
        for thread in self.threads:
            thread.join(120)
        expect(len(self.answered) >= len(self.sent), f"{len(self.answered)} of {len(self.sent)} are answered")
        self.reader.close()


def assignments(log):
    """The partitions, entries read and seconds of each assignment in a log, with its time."""
    found = []
    for line in pathlib.Path(log).read_text(errors="replace").splitlines():
        if "Partitions assigned" in line:
            fields = re.search(r"log\.partitions=\[(.*?)\]  seconds=(\S+) .* state\.read=(\d+)", line)
            numbers = {int(one) for one in fields[1].split(",") if one}
            at = datetime.datetime.fromisoformat(line[:23]).timestamp()
            found.append((numbers, int(fields[3]), float(fields[2]), at))
    return found


def fail_over(load, role):
    """Measures one role, whose first worker is killed."""
    second = load.start("work", role, "--name", f"second-{role}")
    path = second.log
    until(lambda: assignments(path) and assignments(path)[-1][0], 60, "the second worker gets no partitions")
    load.settle()
    mine = assignments(path)[-1][0]
    probes = Probes(load, role)
    until(lambda: len(probes.answered) > RATE, 60, "the probes are not answered")
    first = load.workers[role]
    first.send_signal(signal.SIGKILL)
    killed = time.time()
    first.wait()
    until(lambda: len(assignments(path)[-1][0]) == load.options.partitions, 300, "the partitions were not taken over")
    time.sleep(2)
    probes.finish()
    everything, read, seconds, assigned = assignments(path)[-1]
    lost = everything - mine
    waited = [probes.answered[one] / 1000 - killed for one in probes.sent
              if probes.partitions[one] in lost and probes.sent[one] / 1000 < assigned]
    total = max(waited)
    print(f"{role}: {len(lost)} partitions of a killed worker are answered again after {total:.1f} s, {total - SESSION_TIMEOUT:+.1f} s"
          f" after the session timeout: assigned and restored {assigned - killed:.2f} s after the kill, of it reading"
          f" {read:,} records {seconds:.2f} s ({read / max(seconds, 1e-9):,.0f}/s); first batches {total - (assigned - killed):.2f} s",
          flush=True)
    load.workers[role] = second


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--intentd", required=True)
    parser.add_argument("--remembered", type=int, default=400_000)
    parser.add_argument("--partitions", type=int, default=8)
    parser.add_argument("--roles", default="resolve,handle")
    options = parser.parse_args()
    options.intentd, options.brokers = os.path.abspath(options.intentd), None
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as definition:
        definition.write(DEFINITION)
        definition.flush()
        options.definitions = definition.name
        load = Load(options)
        try:
            load.begin()
            load.send(options.remembered)
            load.work()
            until(lambda: load.handled() >= load.sent, 3600, "the backlog is not processed")
            load.settle()
            for role in options.roles.split(","):
                fail_over(load, role)
        finally:
            load.close()


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""The broker is killed at random writes; its file must be sound, and its log complete.

    kills.py --broker-command "... PORT ... DIR ..." [--kills 4] [--seed N]

Idempotent and transactional producers write while it is killed (SIGKILL) and restarted. After each kill a copy of
the file is checked by SQLite itself; at the end every acknowledged record must be there once, every transaction completely
or not at all. (Offsets are left to the Swift tests: a transaction that carries some can hang in librdkafka for good when
the group's coordinator goes away under it.)
"""

import argparse
import glob
import os
import random
import shutil
import sqlite3
import sys
import tempfile
import threading
import time

import confluent_kafka as ck

from clients import create, name, producer, read_all, transactional, values
from crashes import Broker
from judging import expect

QUIET = {"log_level": 0, "reconnect.backoff.max.ms": 500}
WIDTH = 6
"""Records a transaction, over all partitions."""


class Plain(threading.Thread):
    """An idempotent producer; it knows what was acknowledged."""

    def __init__(self, address, topic, stop):
        super().__init__()
        self.topic, self.stop, self.acknowledged = topic, stop, set()
        self.writer = producer(address, **{"enable.idempotence": True, "message.timeout.ms": 60_000, **QUIET})

    def run(self):
        number = 0
        while not self.stop.is_set():
            if len(self.writer) < 200:
                self.writer.produce(self.topic, f"p{number}", on_delivery=self.delivered)
                number += 1
            self.writer.poll(0.0005)
        self.writer.flush(30)

    def delivered(self, error, message):
        if error is None:
            self.acknowledged.add(message.value())


class Transactions(threading.Thread):
    """One transactional producer after the other; it knows which transactions were committed, aborted, or neither."""

    def __init__(self, address, topic, number, stop, chance):
        super().__init__()
        self.address, self.topic, self.id = address, topic, f"{topic}-{number}"
        self.number, self.stop, self.chance = number, stop, chance
        self.committed, self.aborted, self.unknown = [], [], []
        self.failure = None

    def run(self):
        try:
            self.write()
        except Exception as error:  # Shown by the thread that joins this one.
            self.failure = error

    def write(self):
        writer, count = self.begin(), 0
        while not self.stop.is_set():
            count += 1
            attempt = f"t{self.number}.{count}"
            try:
                writer.begin_transaction()
                for index in range(WIDTH):
                    writer.produce(self.topic, f"{attempt}.{index}", partition=index % 2)
                if self.chance.random() < 0.2:
                    writer.abort_transaction(10)
                    self.aborted.append(attempt)
                else:
                    writer.commit_transaction(10)
                    self.committed.append(attempt)
            except ck.KafkaException:
                self.unknown.append(attempt)
                writer = self.begin()

    def begin(self):
        deadline = time.monotonic() + 60
        while True:
            try:
                return transactional(self.address, self.id, **{"transaction.timeout.ms": 10_000, **QUIET})
            except ck.KafkaException:
                expect(time.monotonic() < deadline, "the transactional id cannot be had again")


def check_file(directory):
    """SQLite's own check of a copy: opening the file itself would already repair it."""
    copied = tempfile.mkdtemp(prefix="kills-")
    try:
        files = glob.glob(f"{directory}/**/*.sqlite", recursive=True) + glob.glob(f"{directory}/**/*.db", recursive=True)
        expect(files, f"no database in {directory}")
        for path in files:
            for part in glob.glob(path + "*"):
                shutil.copy(part, copied)
            connection = sqlite3.connect(os.path.join(copied, os.path.basename(path)))
            found = connection.execute("PRAGMA integrity_check").fetchall()
            connection.close()
            expect(found == [("ok",)], f"{path}: {found[:5]}")
    finally:
        shutil.rmtree(copied, ignore_errors=True)


def whole(found, attempt):
    """Whether all of a transaction's records are there once, or none."""
    counts = [found.get(f"{attempt}.{index}".encode(), 0) for index in range(WIDTH)]
    expect(counts in ([1] * WIDTH, [0] * WIDTH), f"{attempt} is there in parts: {counts}")
    return counts[0] == 1


def judge(broker, kills, chance):
    topic = name("kills")
    create(broker.address, topic, 2)
    stop = threading.Event()
    plain = Plain(broker.address, topic, stop)
    writers = [Transactions(broker.address, topic, number, stop, random.Random(chance.random())) for number in (0, 1)]
    for thread in [plain, *writers]:
        thread.start()
    try:
        for _ in range(kills):
            time.sleep(chance.uniform(0.1, 0.9))
            broker.kill()
            check_file(broker.directory)
            broker.start()
        time.sleep(1)
    finally:
        stop.set()
        for thread in [plain, *writers]:
            thread.join()
    for writer in writers:
        if writer.failure:
            raise writer.failure
        # A transaction that its last one left open is aborted.
        writer.begin()
    found = {}
    for value in values(read_all(broker.address, topic)):
        found[value] = found.get(value, 0) + 1
    lost = [value for value in plain.acknowledged if value not in found]
    expect(not lost, f"{len(lost)} of {len(plain.acknowledged)} acknowledged records are lost, {lost[:5]}")
    twice = [value for value, count in found.items() if count > 1]
    expect(not twice, f"{len(twice)} records are there twice, {twice[:5]}")
    for writer in writers:
        expect(all([whole(found, attempt) for attempt in writer.committed]), "a committed transaction is lost")
        expect(not any([whole(found, attempt) for attempt in writer.aborted]), "an aborted transaction is there")
        for attempt in writer.unknown:
            whole(found, attempt)
    counts = [sum(len(getattr(writer, kind)) for writer in writers) for kind in ("committed", "aborted", "unknown")]
    expect(counts[0] > kills, f"only {counts[0]} transactions were committed")
    print(f"{kills} kills, {len(plain.acknowledged)} records acknowledged, transactions: {counts[0]} committed, "
          f"{counts[1]} aborted, {counts[2]} broken off; 0 lost, 0 twice, 0 in parts")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--broker-command", required=True, help="starts a broker; PORT and DIR are replaced")
    parser.add_argument("--kills", type=int, default=4)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 30))
    arguments = parser.parse_args()
    print(f"seed {arguments.seed}", flush=True)
    broker = Broker(arguments.broker_command)
    try:
        judge(broker, arguments.kills, random.Random(arguments.seed))
    except AssertionError as error:
        print(f"FAIL seed {arguments.seed}: {error}")
        return 1
    finally:
        broker.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""The cost of a conversation: processor time of each process, bytes of each topic and file.

    capacity.py --intentd PATH [--conversations N] [--rate EVENTS] [--users N]

A conversation books a table with one confirmation: two events of the client (README), sent as fast as possible or at a
rate. The broker, a worker for each stage and the recorder are processes of their own; processor time is
counted from when the workers are ready until the groups have no lag. Run it from the top of the repository.
"""

import argparse
import json
import os
import pathlib
import shutil
import socket
import sqlite3
import subprocess
import tempfile
import time

import confluent_kafka as ck

TOPICS = "requests resolved confirmed responses journal state".split()
ROLES = "resolve confirm handle record".split()


class House:
    """A data directory, and the processes that work on it."""

    def __init__(self, intentd):
        self.intentd = intentd
        self.data = pathlib.Path(tempfile.mkdtemp(prefix="intentd-capacity-"))
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.address = f"127.0.0.1:{free.getsockname()[1]}"
        self.processes = {}

    def start(self, name, *words):
        log = open(self.data / f"{name}.log", "w")
        self.processes[name] = subprocess.Popen(
            [self.intentd, *words, "--data", str(self.data)], stdout=log, stderr=subprocess.STDOUT
        )

    def run(self, *words):
        command = [self.intentd, *words, "--data", str(self.data), "--brokers", self.address]
        return subprocess.run(command, capture_output=True, text=True)

    def until(self, holds):
        while not holds():
            for name, process in self.processes.items():
                if process.poll() is not None:
                    raise SystemExit(f"{name} has ended: {(self.data / f'{name}.log').read_text()[-2000:]}")
            time.sleep(0.5)

    def lag(self):
        done = self.run("lag", "--json")
        lags = [json.loads(line) for line in done.stdout.splitlines()]
        return sum(lag["lag"] for lag in lags) if done.returncode == 0 and lags else None

    def processor_time(self, name):
        fields = pathlib.Path(f"/proc/{self.processes[name].pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def most_memory(self, name):
        lines = pathlib.Path(f"/proc/{self.processes[name].pid}/status").read_text().splitlines()
        return next(int(line.split()[1]) // 1024 for line in lines if line.startswith("VmHWM"))

    def topic_bytes(self, topic):
        """Bytes of all keys, values and headers, before compression."""
        consumer = ck.Consumer({"bootstrap.servers": self.address, "group.id": "capacity",
                                "enable.auto.commit": False, "enable.partition.eof": True})
        partitions = consumer.list_topics(topic).topics[topic].partitions
        consumer.assign([ck.TopicPartition(topic, partition, ck.OFFSET_BEGINNING) for partition in partitions])
        count, ended = 0, set()
        while len(ended) < len(partitions):
            for message in consumer.consume(1000, 1):
                if message.error():
                    ended.add(message.partition())
                else:
                    count += len(message.key() or b"") + len(message.value() or b"")
                    count += sum(len(key) + len(value or b"") for key, value in message.headers() or [])
        consumer.close()
        return count

    def stop(self):
        for process in reversed(self.processes.values()):
            process.terminate()
            process.wait()


def events(file, conversations, users):
    for number in range(conversations):
        user = {"id": f"user-{number % users}"}
        parameters = {"restaurant": "Old Mill", "date": "2026-12-03", "time": "19:30"}
        request = {"intent": {"name": "BookRestaurantTable", "parameters": parameters}, "user": user}
        answer = {"user": user, "promptId": f"dinner-{number}/c/1", "action": "accept"}
        for event in ({"type": "intent.requested", "subject": f"dinner-{number}", "data": request},
                      {"type": "prompt.answered", "data": answer}):
            file.write(json.dumps(event) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--intentd", required=True, type=os.path.abspath)
    parser.add_argument("--conversations", type=int, default=15_000)
    parser.add_argument("--rate", type=int)
    parser.add_argument("--users", type=int, default=2_000)
    options = parser.parse_args()

    house = House(options.intentd)
    try:
        house.start("broker", "broker", "--listen", house.address)
        house.until(lambda: house.run("topics", "create").returncode == 0)
        with open(house.data / "events.ndjson", "w") as file:
            events(file, options.conversations, options.users)
        for role in ROLES:
            house.start(role, "work", role, "--name", role, "--brokers", house.address)
        house.until(lambda: (house.data / "records.sqlite").exists() and house.lag() == 0)
        before = {name: house.processor_time(name) for name in house.processes}
        begin = time.monotonic()
        rate = ["--rate", str(options.rate)] if options.rate else []
        sent = house.run("produce", str(house.data / "events.ndjson"), *rate)
        if sent.returncode != 0:
            raise SystemExit(sent.stderr)
        house.until(lambda: house.lag() == 0)
        seconds = time.monotonic() - begin
        with sqlite3.connect(house.data / "records.sqlite") as database:
            ends = dict(database.execute("SELECT status, count(*) FROM interactions GROUP BY status"))
        if ends != {"success": options.conversations}:
            raise SystemExit(f"the conversations ended otherwise: {ends}")

        print(f"{options.conversations} conversations in {seconds:.1f} s")
        for name, start in before.items():
            took = (house.processor_time(name) - start) / options.conversations
            print(f"{name:<10} {took * 1e6:6.0f} µs a conversation, {house.most_memory(name)} MiB at most")
        for topic in TOPICS:
            print(f"{topic:<10} {house.topic_bytes('intents.' + topic) / options.conversations:6.0f} B a conversation")
        house.stop()
        for name in ("broker.sqlite", "records.sqlite"):
            sizes = [file.stat().st_size for file in house.data.glob(name + "*")]
            print(f"{name:<14} {sum(sizes) / options.conversations:6.0f} B a conversation")
    finally:
        for process in house.processes.values():
            process.kill()
        shutil.rmtree(house.data)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""What a second worker is good for: throughput and latency with effects in SQLite and in PostgreSQL.

    scaling.py --gymd PATH [--workers 1,4] [--whole 1,2,4] [--backlog N] [--rate N] [--seconds N]

PATH is the program of Tests/Examples/SetsAndReps, built with the trait PostgreSQL. A request logs a set with all that it
needs: three turns, one effect, one answer. The embedded broker with 8 partitions, workers of one lane each, the recorder
and PostgreSQL are processes of their own; PostgreSQL flushes each commit to the disk that holds /tmp. Measured are

- the ledger: how many of a backlog that `resolve` and `confirm` have already passed so many handle workers carry out a
  second (--workers), and the latency of requests at a rate;
- the whole: how many requests of a backlog so many workers of each stage answer a second (--whole), on PostgreSQL.

Run it from the top of the repository, on a machine that does nothing else. Compare the figures of one run alone.
"""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import types

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "Partitions"))

from partitions import Asker, Stage, free_port, numbers, spent  # noqa: E402

STAGES = ("resolve", "confirm", "handle")
PARTITIONS = 8


class Server:
    """A PostgreSQL of its own."""

    def __init__(self):
        self.directory = tempfile.mkdtemp(prefix="intentd-postgresql-")
        self.address = self.call("start")
        self.process = int(pathlib.Path(self.directory, "data/postmaster.pid").read_text().split()[0])

    def call(self, what, *words):
        command = ["Tests/postgresql.sh", what, self.directory, *words]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    def database(self, name):
        """The address of a new database."""
        subprocess.run(["psql", "-Xq", "-c", f"CREATE DATABASE {name}", self.address], check=True)
        return self.address.replace("/postgres?", f"/{name}?")

    def processor_time(self):
        """Of all its processes, those that have ended included."""
        ticks = 0
        for path in pathlib.Path("/proc").glob("[0-9]*/stat"):
            try:
                fields = path.read_text().rsplit(")", 1)[1].split()
            except OSError:
                continue
            if path.parent.name == str(self.process):
                ticks += sum(map(int, fields[11:15]))
            elif int(fields[1]) == self.process:
                ticks += sum(map(int, fields[11:13]))
        return ticks / os.sysconf("SC_CLK_TCK")

    def transactions(self, name):
        """How many transactions of a database were committed and undone."""
        query = f"SELECT xact_commit, xact_rollback FROM pg_stat_database WHERE datname = '{name}'"
        found = subprocess.run(["psql", "-XAtc", query, self.address], check=True, capture_output=True, text=True).stdout
        return dict(zip(("committed", "undone"), map(int, found.strip().split("|"))))

    def close(self):
        self.call("stop", "immediate")
        shutil.rmtree(self.directory)


class Gym(Stage):
    """A deployment of gymd, with its effects in SQLite, or in a database of the server's."""

    intent = {"name": "LogSetIntent", "parameters": {"exercise": "deadlift", "reps": 5, "weight": 100}}

    def __init__(self, options, name, server):
        self.settings = f"ledger: {server.database(name)}\n" if server else "{}\n"
        super().__init__(types.SimpleNamespace(intentd=options.gymd, broker_pid=None, brokers=None), PARTITIONS)
        self.server = server
        self.start("broker", "broker", "--listen", self.address)
        self.until(lambda: self.run("topics", "create", "--partitions", str(PARTITIONS)).returncode == 0)
        self.asker = Asker(self)

    def work(self, role, count=1):
        """Starts so many workers of a role; waits until they are ready."""
        names = [f"{role}-{number}" for number in range(count)]
        for name in names:
            self.ports[name] = free_port()
            self.start(name, "work", role, "--name", name, "--brokers", self.address)
        self.wait(lambda: all(self.is_ready(name) for name in names))

    def times(self):
        found = {}
        for name, seconds in super().times().items():
            found[name.split("-")[0]] = found.get(name.split("-")[0], 0) + seconds
        return found | ({"PostgreSQL": self.server.processor_time()} if self.server else {})

    def close(self):
        self.asker.over.set()
        self.asker.reader.join()
        for process in self.processes.values():
            process.kill()
            process.wait()
        shutil.rmtree(self.data)


def send(gym, count):
    """A backlog, of 2,000 users."""
    for number in range(count):
        gym.asker.send(f"b{number}", f"user-{number % 2000}", time.monotonic())
        if number % 1_000 == 0:
            gym.asker.producer.poll(0.1)
    gym.asker.producer.flush(60)


def answered(gym, count):
    """Waits for the answers; returns how many there are a second, without the first tenth."""
    asker = gym.asker
    gym.wait(lambda: len(asker.took) >= count // 10)
    begun, began = len(asker.took), time.monotonic()
    gym.wait(lambda: not asker.due)
    return (count - begun) / (asker.last - began)


def measure_ledger(options, server, count):
    gym = Gym(options, f"ledger_{count}", server)
    found = {"ledger": "PostgreSQL" if server else "SQLite", "handle workers": count}
    try:
        for role in ("resolve", "confirm", "record"):
            gym.work(role)
        send(gym, options.backlog)
        gym.wait(lambda: lag(gym, "confirm") == 0)
        gym.work("handle", count)
        found["of a backlog, 1/s"] = answered(gym, options.backlog)
        if server:
            found["of a backlog, transactions"] = server.transactions(f"ledger_{count}")
        gym.asker.ask(options.rate, 3)
        before = gym.times()
        took = gym.asker.ask(options.rate, options.seconds)
        found[f"{options.rate}/s, ms"] = {"p50": took[len(took) // 2], "p99": took[len(took) * 99 // 100]}
        found[f"{options.rate}/s, µs a request"] = spent(before, gym.times(), options.rate * options.seconds / 1e6)
    finally:
        gym.close()
    return found


def lag(gym, role):
    lags = [json.loads(line) for line in gym.run("lag", "--json").stdout.splitlines()]
    mine = [each["lag"] for each in lags if role in each["group"]]
    return sum(mine) if mine else None


def measure_whole(options, server, count):
    gym = Gym(options, f"whole_{count}", server)
    try:
        send(gym, options.backlog)
        gym.work("record")
        for role in STAGES:
            gym.work(role, count)
        return {"workers a stage": count, "of a backlog, 1/s": answered(gym, options.backlog)}
    finally:
        gym.close()


def show(found):
    print(json.dumps(found), flush=True)
    for name, value in found.items():
        if isinstance(value, dict):
            value = ", ".join(f"{key} {one:.1f}" for key, one in value.items())
        print(f"    {name:24}{value:.0f}" if isinstance(value, float) else f"    {name:24}{value}", file=sys.stderr)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gymd", required=True, type=os.path.abspath)
    parser.add_argument("--workers", type=numbers, default=[1, 4])
    parser.add_argument("--whole", type=numbers, default=[1, 2, 4])
    parser.add_argument("--backlog", type=int, default=20_000)
    parser.add_argument("--rate", type=int, default=200)
    parser.add_argument("--seconds", type=int, default=20)
    options = parser.parse_args()
    server = Server()
    try:
        for count in options.workers:
            for where in (None, server):
                show(measure_ledger(options, where, count))
        for count in options.whole:
            show(measure_whole(options, server, count))
    finally:
        server.close()


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""A handler that crashes its process for some users: all others are answered, those users get an error, and the crashes end.

    killers.py --hazardd PATH [--requests N] [--killers N] [--together] [--brokers HOST:PORT] [--keep]

PATH is the program of Tests/Examples/Hazards: intentd with a handler that calls fatalError() after its effect. Workers are
restarted whenever they end, as by a service manager. At the end each killer has its one terminal response with
`endReason` error and its effect, and a dead letter `crashed`; all others have `nominal`; nothing was done twice; no
completed turn has a crash count; and all turns replay to the same bytes without a crash. --together runs
all stages in one process.

Exit status: 0 when all that holds.
"""

import argparse
import collections
import json
import sqlite3
import sys
import threading
import time

import confluent_kafka as ck

import checker
import clients
from breakable import Process
from judging import expect, until
from pipeline import House


class Supervised(House):
    """A broker, and workers that are restarted."""

    def __init__(self, options):
        options.intentd, options.definitions = options.hazardd, None
        super().__init__(options)
        self.members = []
        self.deaths = collections.Counter()
        self.over = threading.Event()
        self.watcher = threading.Thread(target=self.supervise, daemon=True)

    def words(self, *words, brokers=None, program=None):
        common = ["--data", str(self.directory), "--prefix", self.prefix, "--log-level", "warning"]
        return [program or self.options.intentd, *words, *common, *(["--brokers", brokers] if brokers else [])]

    def begin(self):
        self.start_broker()
        self.run("topics", "create")
        roles = [["resolve", "confirm", "handle"]] if self.options.together else [["resolve"], ["confirm"], ["handle"]]
        for words in [*roles, ["record"]]:
            name = "-".join(words)
            self.members.append(Process(self, name, ["work", *words, "--name", name], self.address, may_crash=True))
        self.watcher.start()

    def supervise(self):
        while not self.over.wait(0.05):
            for member in self.members:
                if member.supervise() is not None:
                    self.deaths[member.name] += 1

    def leave(self):
        self.over.set()
        self.watcher.join()
        for member in self.members:
            member.running.terminate()
        for member in self.members:
            expect(member.running.wait(40) == 0, f"{member.name} has left with {member.running.returncode}")

    def close(self):
        self.over.set()
        for member in self.members:
            if member.running.poll() is None:
                member.running.kill()
            member.running.wait()
            member.log.close()
        if self.options.keep:
            print(f"     {self.directory}")
            for process in self.processes:
                process.kill()
        else:
            super().close()


class Ends:
    """The terminal responses by user, as they come."""

    def __init__(self, house):
        self.reader, _ = clients.assigned(house.address, house.topic("responses"))
        self.found = collections.defaultdict(list)

    def read(self):
        """Reads the available records; returns how many users have an end."""
        for message in self.reader.consume(5000, 0.2):
            if message.error():
                expect(message.error().code() == ck.KafkaError._PARTITION_EOF, str(message.error()))
                continue
            headers = {key: value.decode() for key, value in message.headers() or []}
            if headers["ce_type"] != "intent.responded":
                continue
            data = json.loads(message.value())
            if data["terminal"]:
                self.found[headers["ce_userid"]].append(data)
        return len(self.found)


def produce(house, users):
    """One request per user; the killers are among the others."""
    producer = clients.producer(house.address)
    for number, user in enumerate(users):
        data = {"intent": {"name": "DefuseIntent", "parameters": {"wire": "red"}}, "user": {"id": user}}
        headers = [("ce_type", b"intent.requested"), ("ce_id", str(number).encode()), ("ce_subject", f"d{number}".encode())]
        partition = checker.home(user, 8)
        producer.produce(house.topic("requests"), json.dumps(data).encode(), user.encode(), partition, headers=headers)
        producer.poll(0)
    expect(producer.flush(60) == 0, "not everything could be produced")


def play(options, house):
    every = options.requests // options.killers
    users = [f"{'killer' if number % every == every // 2 else 'user'}-{number}" for number in range(options.requests)]
    killers = {user for user in users if user.startswith("killer")}
    house.begin()
    began = time.monotonic()
    produce(house, users)
    ends = Ends(house)
    try:
        until(lambda: ends.read() == len(users), options.seconds, "somebody has no end")
    except AssertionError as error:
        missing = [user for user in users if user not in ends.found]
        raise AssertionError(f"{error}: {len(missing)}, such as {missing[:5]}; deaths: {dict(house.deaths)}") from None
    answered = time.monotonic() - began
    house.wait_for_recorder()
    ends.read()
    found = ends.found
    expect(all(len(each) == 1 for each in found.values()), "somebody has ended twice")
    reasons = collections.Counter(each[0]["endReason"] for each in found.values())
    print(f"     {dict(reasons)} after {answered:.0f} s, deaths: {dict(house.deaths)}", flush=True)
    for user in killers:
        end = found[user][0]
        expect(end["endReason"] == "error" and end["effects"] == ["cut"], f"{user} has ended with {end}")
        expect(end["response"] == {}, f"{user} received {end['response']}")
    expect(reasons == {"nominal": len(users) - len(killers), "error": len(killers)}, f"{reasons}")
    letters = house.read_all("dead-letters")
    kinds = collections.Counter(dict(letter.headers())["intentd_error"] for letter in letters)
    expect(kinds == {b"crashed": len(killers)}, f"dead letters: {kinds}")
    house.leave()
    databases = [house.directory / name for name in ("records.sqlite", "store.sqlite")]
    never = ["SELECT user_id, count(*) FROM wires_cut GROUP BY 1 HAVING count(*) > 1"]
    _, findings = checker.check(house.address, house.prefix, *databases, ended=True, never=never)
    expect(not findings, "\n".join(map(str, findings[:20])))
    with sqlite3.connect(f"file:{databases[1]}?mode=ro", uri=True) as database:
        rows = database.execute("SELECT count(*) FROM wires_cut").fetchone()[0]
    expect(rows == len(users), f"{rows} wires were cut by {len(users)} users")
    counts = house.directory / "crashes.json"
    left = json.loads(counts.read_text())["turns"]
    expect(not left, f"something counts against turns that are done: {left}")
    replayed = house.run("replay", timeout=600)
    print(f"     {replayed.stdout.strip().splitlines()[-1]}", flush=True)


def main():
    parser = argparse.ArgumentParser(
        prog="killers.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--hazardd", required=True, help="the program")
    parser.add_argument("--requests", type=int, default=500)
    parser.add_argument("--killers", type=int, default=2)
    parser.add_argument("--seconds", type=int, default=600, help="how long it may take")
    parser.add_argument("--together", action="store_true", help="all stages in one process")
    parser.add_argument("--brokers", help="HOST:PORT of a Kafka to run on")
    parser.add_argument("--keep", action="store_true", help="leave the files there")
    options = parser.parse_args()
    print(f"killers: {options.requests} requests, {options.killers} killers", flush=True)
    house = Supervised(options)
    try:
        play(options, house)
    except AssertionError as error:
        print(f"FAIL killers: {error}")
        return 1
    finally:
        house.close()
    print("PASS killers")
    return 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""A handler that blocks its thread for some users, without suspending: nobody else notices, and the worker can be watched and
restarted meanwhile.

    blockers.py --hazardd PATH [--blockers N] [--rate N] [--seconds N]

PATH is the program of Tests/Examples/Hazards: intentd with a handler that holds its thread for --seconds for each user whose
name begins with `blocker`. While --blockers of them are held, --rate others a second are all answered; `/livez`, `/readyz`,
`/metrics` and `status` answer, and say how many turns are parked; the worker is asked to stop, and stops. Then it starts again.
In the end everybody has one answer, each effect was made once, and all turns replay to the same bytes.

Exit status: 0 when all that holds.
"""

import argparse
import json
import os
import re
import signal
import sqlite3
import sys
import threading
import time
import urllib.request

import checker
import clients
from judging import Program, expect, free_port, until
from pipeline import ROOT, House

#: Seconds that a page may take on a busy machine.
PATIENCE = 10


class Blocked(House):
    """A broker, a worker for each stage, and a recorder."""

    def __init__(self, options):
        options.intentd, options.definitions, options.brokers = options.hazardd, None, None
        super().__init__(options)
        self.monitoring = f"127.0.0.1:{free_port()}"
        self.answers = {}
        self.over = threading.Event()
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.start_broker()
        self.run("topics", "create")
        for role in ("resolve", "confirm", "record"):
            self.work(role)
        self.worker = self.work("handle", HAZARD_SECONDS=str(options.seconds), INTENTD_MONITORING_LISTEN=self.monitoring)
        self.reader.start()

    def work(self, role, **environment):
        words = [self.options.intentd, "work", role, "--name", role, "--data", str(self.directory), "--brokers", self.address]
        environment = os.environ | {"INTENTD_MONITORING_LISTEN": "none"} | environment
        with open(self.directory / f"{role}.log", "ab") as log:
            process = Program(words, stdout=log, stderr=log, cwd=ROOT, env=environment)
        self.processes.append(process)
        return process

    def read(self):
        """Keeps when each user was answered, and how that ended."""
        reader, _ = clients.assigned(self.address, self.topic("responses"))
        while not self.over.is_set():
            for message in reader.consume(500, 0.02):
                if message.error():
                    continue
                headers = {key: value.decode() for key, value in message.headers() or []}
                data = json.loads(message.value())
                if headers["ce_type"] == "intent.responded" and data["terminal"]:
                    self.answers.setdefault(headers["ce_userid"], []).append((time.monotonic(), data["endReason"]))
        reader.close()

    def get(self, path):
        """The page, and how many seconds it took."""
        began = time.monotonic()
        with urllib.request.urlopen(f"http://{self.monitoring}{path}", timeout=PATIENCE) as reply:
            return reply.read().decode(), time.monotonic() - began

    def parked(self):
        """How many handlers are in flight without their batch waiting for them."""
        lines = self.get("/metrics")[0].splitlines()
        found = [line for line in lines if line.startswith("intentd_handler_active{") and 'state="parked"' in line]
        return sum(float(line.rsplit(" ", 1)[1]) for line in found)

    def is_ready(self):
        try:
            return self.get("/readyz")
        except OSError:
            return None

    def close(self):
        self.over.set()
        self.reader.join()
        super().close()


def ask(house, producer, user):
    data = {"intent": {"name": "DefuseIntent", "parameters": {"wire": "red"}}, "user": {"id": user}}
    headers = [("ce_type", b"intent.requested"), ("ce_id", user.encode()), ("ce_subject", user.encode())]
    partition = checker.home(user, 8)
    producer.produce(house.topic("requests"), json.dumps(data).encode(), user.encode(), partition, headers=headers)
    producer.poll(0)


def look(house, over, pages):
    """Asks for the pages of the worker until it is over, and keeps how long each took."""
    while not over.wait(0.2):
        for path in ("/livez", "/readyz", "/metrics"):
            pages.append((path, house.get(path)[1]))


def play(options, house):
    producer = clients.producer(house.address)
    until(house.is_ready, 60, "the worker does not become ready")
    ask(house, producer, "first")
    until(lambda: "first" in house.answers, 60, "nobody is answered")

    blockers = [f"blocker-{number}" for number in range(options.blockers)]
    for user in blockers:
        ask(house, producer, user)
    producer.flush(10)
    began = time.monotonic()

    def left():
        """The seconds until the first blocked handler may return."""
        return began + options.seconds - time.monotonic()

    until(lambda: house.parked() >= len(blockers), left(), "not all blocked handlers are parked")

    over, pages = threading.Event(), []
    watcher = threading.Thread(target=look, args=(house, over, pages), daemon=True)
    watcher.start()
    due, first = {}, time.monotonic()
    for number in range(int(options.rate * options.seconds / 4)):
        while time.monotonic() < first + number / options.rate:
            time.sleep(0.002)
        user = f"user-{number}"
        due[user] = time.monotonic()
        ask(house, producer, user)
    until(lambda: all(user in house.answers for user in due), left(), "somebody waits behind the blocked handlers")
    status = house.run("status", house.monitoring)
    over.set()
    watcher.join()
    expect(house.parked() >= len(blockers), "some blocked handlers have returned: --seconds is too short")
    took = sorted(house.answers[user][0][0] - due[user] for user in due)
    slowest = max(pages, key=lambda page: page[1])
    print(
        f"     beside {len(blockers)} blocked handlers: p50 {took[len(took) // 2] * 1e3:.0f} ms,"
        f" p99 {took[len(took) * 99 // 100] * 1e3:.0f} ms; {len(pages)} pages, the slowest {slowest[0]}"
        f" after {slowest[1] * 1e3:.0f} ms",
        flush=True,
    )
    parked = sum(map(int, re.findall(r"(\d+) turns are parked", status.stdout)))
    expect(parked >= len(blockers), f"status does not count the parked turns:\n{status.stdout}")

    asked = time.monotonic()
    house.worker.send_signal(signal.SIGTERM)
    until(lambda: house.worker.poll() is not None, left(), "the worker waits for the blocked handlers before it ends")
    expect(house.worker.returncode == 0, f"the worker ended with {house.worker.returncode}")
    stopped = time.monotonic() - asked
    house.worker = house.work("handle", HAZARD_SECONDS="0", INTENTD_MONITORING_LISTEN=house.monitoring)
    until(house.is_ready, 60, "the worker does not become ready again")
    print(f"     stopped after {stopped:.1f} s, ready again after {time.monotonic() - asked:.1f} s", flush=True)

    until(lambda: all(user in house.answers for user in blockers), 60, "a blocked user is never answered")
    house.wait_for_recorder()
    wrong = {user: found for user, found in house.answers.items() if [end for _, end in found] != ["nominal"]}
    expect(not wrong, f"wrong ends: {wrong}")
    with sqlite3.connect(f"file:{house.store}?mode=ro", uri=True) as database:
        cut = dict(database.execute("SELECT user_id, count(*) FROM wires_cut GROUP BY 1"))
    expect(cut == dict.fromkeys(["first", *blockers, *due], 1), "somebody's wire was not cut once")
    _, findings = checker.check(house.address, house.prefix, house.directory / "records.sqlite", house.store, ended=True)
    expect(not findings, "\n".join(map(str, findings[:20])))
    print(f"     {house.run('replay').stdout.strip().splitlines()[-1]}", flush=True)


def main():
    parser = argparse.ArgumentParser(
        prog="blockers.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--hazardd", required=True, help="the program")
    parser.add_argument("--blockers", type=int, default=48)
    parser.add_argument("--rate", type=int, default=50, help="others' requests a second")
    parser.add_argument("--seconds", type=float, default=30, help="how long a handler holds its thread")
    options = parser.parse_args()
    print(f"blockers: {options.blockers} handlers that block for {options.seconds:.0f} s", flush=True)
    house = Blocked(options)
    try:
        play(options, house)
    except AssertionError as error:
        print(f"FAIL blockers: {error}")
        return 1
    finally:
        house.close()
    print("PASS blockers")
    return 0


if __name__ == "__main__":
    sys.exit(main())

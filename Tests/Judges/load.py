#!/usr/bin/env python3
"""Load and limits: a backlog drained at a steady pace, twice the load that can be handled, workers killed or restarted
that restore their state, with constant memory all the while.

    load.py --intentd PATH [--backlog 1000000] [--overload SECONDS] [--partitions 8] [--state-memory MIB]
            [--brokers HOST:PORT]

It prints figures rather than verdicts, except for what must hold on any machine: every request is answered once and
recorded, and no worker's memory grows while it works. The workers are a process for each stage and one for the recorder.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import signal
import statistics
import sys
import tempfile
import time

import confluent_kafka as ck

import pipeline
from judging import expect, until

ROLES = ["resolve", "confirm", "handle", "record"]
DEFINITION = """
name: TakeNote
title: Take a note
confirmation: never
parameters:
  - {name: text, type: string, required: true}
  - {name: day, type: date, required: true}
"""


class Load(pipeline.House):
    """A deployment under load, with a process for each role."""

    client = None

    def begin(self):
        self.start_broker()
        self.run("topics", "create", "--partitions", str(self.options.partitions))
        self.client = ck.Consumer({"bootstrap.servers": self.address, "group.id": "judge"})
        self.sent = 0

    def close(self):
        if self.client:
            self.client.close()
        super().close()

    def work(self):
        self.workers = {role: self.start("work", role) for role in ROLES}

    def ends(self, topic):
        """How far each partition of a topic goes: a transaction's markers take offsets too."""
        name = self.topic(topic)
        numbers = self.client.list_topics(name, 60).topics[name].partitions
        return [self.client.get_watermark_offsets(ck.TopicPartition(name, number), 60)[1] for number in numbers]

    def handled(self):
        """How many requests `resolve` has processed, from its group's offsets."""
        return self.committed("resolve", "requests")

    def committed(self, group, topic):
        name = self.topic(topic)
        reader = ck.Consumer({"bootstrap.servers": self.address, "group.id": f"{self.prefix}.{group}"})
        numbers = reader.list_topics(name, 60).topics[name].partitions
        found = reader.committed([ck.TopicPartition(name, number) for number in numbers], 30)
        reader.close()
        return sum(max(0, position.offset) for position in found)

    def send(self, count, rate=None):
        """Sends requests of a tenth as many users."""
        users = max(1, count // 10)
        path = self.directory / f"{self.sent}.ndjson"
        with open(path, "w") as file:
            for number in range(self.sent, self.sent + count):
                intent = {"name": "TakeNote", "parameters": {"text": f"note {number}", "day": "2026-12-03"}}
                data = {"intent": intent, "user": {"id": f"user-{number % users}"}}
                file.write(json.dumps({"type": "intent.requested", "subject": f"note-{number}", "data": data}) + "\n")
        words = ["produce", str(path)] + (["--rate", str(rate)] if rate else [])
        began = time.monotonic()
        self.run(*words, timeout=7200, definitions=False)
        self.sent += count
        path.unlink()
        return time.monotonic() - began

    def megabytes(self):
        def resident(process):
            expect(process.poll() is None, f"a worker has ended with {process.returncode}")
            status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
            return int(re.search(r"VmRSS:\s+(\d+) kB", status)[1]) / 1024

        return {role: resident(process) for role, process in self.workers.items()}

    def lag(self):
        """The lag of the recorder and of the stages."""
        return sum(json.loads(line)["lag"] for line in self.run("lag", "--json", definitions=False).stdout.splitlines())

    def watch(self, until_answered, sample):
        """Samples (seconds, processed requests, memory) until the last request has been processed."""
        began, samples = time.monotonic(), []
        while True:
            taken = self.handled()
            samples.append((time.monotonic() - began, taken, self.megabytes()))
            if taken >= until_answered:
                return samples
            expect(time.monotonic() - began < 7200, f"{taken} of {until_answered} after two hours")
            time.sleep(sample)

    def come_back(self, role, how):
        """Restarts a worker; returns the time until it works, and its largest memory until then."""
        began, peak = time.monotonic(), 0
        self.workers[role].send_signal(how)
        self.workers[role].wait(60)
        self.workers[role] = self.start("work", role)
        self.send(10)
        while self.lag():
            peak = max(peak, self.megabytes()[role])
            expect(time.monotonic() - began < 300, f"{role} does not come back")
        return time.monotonic() - began, peak

    def settle(self):
        """Waits until nothing lags; returns how long that took."""
        began = time.monotonic()
        until(lambda: self.lag() == 0 or time.sleep(1), 3600, "the workers do not come to an end")
        return time.monotonic() - began


def paces(samples, parts=5):
    """Requests per second in each of this many intervals with equal numbers of requests."""
    total, found, first = samples[-1][1], [], samples[0]
    for part in range(1, parts + 1):
        last = next(sample for sample in samples if sample[1] >= total * part // parts)
        if last[0] > first[0]:
            found.append((last[1] - first[1]) / (last[0] - first[0]))
        first = last
    return found


def memories(samples, parts=5):
    """Each worker's memory in MiB during each of this many intervals with equal numbers of requests (medians)."""
    total = samples[-1][1]
    stretches = [
        [memory for _, taken, memory in samples if total * part <= taken * parts <= total * (part + 1)]
        for part in range(parts)
    ]
    return {
        role: [statistics.median(each[role] for each in stretch) for stretch in stretches if stretch] for role in ROLES
    }


def figures(title, samples):
    pace, memory = paces(samples), memories(samples)
    print(f"{title}: {samples[-1][1]:,} requests in {samples[-1][0]:.0f} s")
    print(f"     a second, by fifths: {', '.join(f'{one:.0f}' for one in pace)}; slowest to fastest "
          f"{min(pace) / max(pace):.2f}")
    for role in ROLES:
        fifths = ", ".join(f"{one:.0f}" for one in memory[role])
        print(f"     {role}: MiB by fifths {fifths}; {max(each[role] for _, _, each in samples):.0f} at most", flush=True)
    grown = {role: fifths[-1] - fifths[1] for role, fifths in memory.items()}
    return statistics.median(pace), {f"{title}: {role}": megabytes for role, megabytes in grown.items()}


def check(load):
    """Every request has one terminal response, and a row in the database."""
    answered = load.terminal_responses()
    expect(len(answered) == load.sent, f"{len(answered)} of {load.sent} requests are answered")
    twice = [key for key, count in answered.items() if count != 1]
    expect(not twice, f"{len(twice)} are answered more than once: {twice[:3]}")
    with load.database() as database:
        rows = database.execute("SELECT count(*) FROM interactions WHERE status = 'success'").fetchone()[0]
    expect(rows == load.sent, f"{rows} of {load.sent} are recorded")
    print(f"     {load.sent:,} requests, each answered once and recorded", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--intentd", required=True)
    parser.add_argument("--backlog", type=int, default=1_000_000)
    parser.add_argument("--overload", type=int, default=120, metavar="SECONDS")
    parser.add_argument("--partitions", type=int, default=8)
    parser.add_argument("--state-memory", type=int, default=64, metavar="MIB")
    parser.add_argument("--brokers")
    options = parser.parse_args()
    options.intentd = str(pathlib.Path(options.intentd).resolve())
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as definition:
        definition.write(DEFINITION)
        definition.flush()
        options.definitions = definition.name
        # So that the memory for state is full soon, and constant from then on.
        os.environ["INTENTD_STATE_MEMORY"] = str(options.state_memory)
        load = Load(options)
        try:
            load.begin()
            seconds = load.send(options.backlog)
            print(f"produced {options.backlog:,} requests, {options.backlog / seconds:,.0f} a second", flush=True)
            load.work()
            pace, grown = figures("backlog", load.watch(load.sent, 2))
            print(f"     all answered and recorded {load.settle():.0f} s later", flush=True)
            if options.overload:
                rate = int(2 * pace)
                count = rate * options.overload
                with concurrent.futures.ThreadPoolExecutor() as sender:
                    sending = sender.submit(load.send, count, rate=rate)
                    samples = load.watch(options.backlog + count, 2)
                    sending.result()
                first = samples[0]
                samples = [(seconds, taken - first[1], memory) for seconds, taken, memory in samples]
                grown |= figures(f"twice the load ({rate} a second for {options.overload} s)", samples)[1]
                print(f"     all answered and recorded {load.settle():.0f} s later", flush=True)
            for how, what in [(signal.SIGKILL, "killed"), (signal.SIGTERM, "asked to leave")]:
                for role in ("resolve", "handle"):
                    seconds, peak = load.come_back(role, how)
                    print(f"{role}, {what}, works again after {seconds:.1f} s; {peak:.0f} MiB at most", flush=True)
            check(load)
            for what, megabytes in grown.items():
                expect(megabytes < 50, f"{what} has grown by {megabytes:.0f} MiB")
        finally:
            load.close()


if __name__ == "__main__":
    try:
        main()
    except AssertionError as error:
        sys.exit(f"FAIL {error}")

#!/usr/bin/env python3
"""Predicts from measured costs how far a deployment scales, and checks the prediction.

    planning.py --intentd PATH [--requests N] [--rounds N]

PATH is a release build. A backlog of the requests of Benchmarks/EqualWork is answered and recorded, by one and by two
workers a stage on all cores of the machine; the processor time of each process is measured, and how fast each is by
itself. The prediction is that

- the cores limit the rate to their number, as far as they are busy, divided by the processor time of a request. More
  workers have fewer partitions each, so their transactions are smaller and a request costs more: by the same amount for
  each further worker;
- what one process reaches when nothing else runs but the broker limits a worker, and of the recorder the deployment; the
  embedded broker does its work on one thread, which limits the deployment, too.

Then the same is measured on one core, and with four workers a stage, and compared with the prediction. At the end the
limits for more cores are printed. The recorder has a larger share of the processor than the workers (`nice`, so run it as
root): otherwise many workers leave it too little, and it records what it lags behind when they are idle. Run it on a
machine that does nothing else; it takes about two minutes a round.
"""

import argparse
import json
import os
import pathlib
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import types

EQUAL_WORK = pathlib.Path(__file__).resolve().parent.parent / "EqualWork"
sys.path.insert(0, str(EQUAL_WORK))

from bench import Session, children  # noqa: E402

STAGES = ("resolve", "confirm", "handle")
PARTITIONS = 8
#: The recorder's niceness.
PREFERENCE = -10
CORES = sorted(os.sched_getaffinity(0))


class Run(Session):
    """A session in which the recorder comes first, and each process can run by itself."""

    def start(self):
        super().start()
        for process in children(dict(self.procs)["record"].pid):
            os.setpriority(os.PRIO_PROCESS, process, PREFERENCE)
            group = pathlib.Path(f"/proc/{process}/autogroup")
            if group.exists():
                group.write_text(str(PREFERENCE))

    def alone(self, count):
        """Requests per second of each process of one worker a stage while the others are stopped."""
        found, run, out = {}, f"{time.monotonic_ns():x}"[-8:], self.topic_out
        self.signal_all(signal.SIGSTOP)
        self.loadgen("send", count, "--run", run)
        rows = self.rows()
        for role, topic in zip(STAGES, ("resolved", "confirmed", "responses")):
            self.topic_out = f"{self.prefix}.{topic}"
            reader = self.loadgen("await", count, "--run", run, "-i", 30, wait=False)
            reader.stdout.readline()
            began = time.monotonic_ns()
            self.signal_one(role, signal.SIGCONT)
            result = json.loads(reader.communicate(timeout=self.a.max_seconds + 30)[0].strip().splitlines()[-1])
            self.signal_one(role, signal.SIGSTOP)
            found[role] = result["answered"] / (result["last_answer_mono_ns"] - began) * 1e9
        self.topic_out = out
        began = time.monotonic()
        self.signal_one("record", signal.SIGCONT)
        self.settle(rows, count * self.spec["rows_per_event"])
        found["record"] = count / (time.monotonic() - began)
        self.signal_all(signal.SIGCONT)
        return found

    def signal_one(self, role, number):
        for process in children(dict(self.procs)[role].pid):
            os.kill(process, number)


def system(workers):
    """The description of a deployment with so many workers a stage."""
    description = json.loads((EQUAL_WORK / "systems/intentd.json").read_text())
    processes = []
    for process in description["processes"]:
        role = process["name"]
        prepare, run = process["cmd"][2].split("exec ", 1)
        for number in range(workers if role in STAGES else 1):
            name = role if number == 0 else f"{role}-{number}"
            # The first worker of resolve creates the topics.
            begin = prepare if number == 0 else "while [ ! -e ready ]; do sleep 0.1; done; "
            command = f"{begin}exec {run}".replace(f" work {role} ", f" work {role} --name {name} ")
            processes.append({"name": name, "cmd": ["sh", "-c", command]})
    return description | {"processes": processes}


def measure(options, cores, workers):
    """A backlog on these cores with so many workers a stage, on a new broker."""
    os.sched_setaffinity(0, cores)
    scratch = tempfile.mkdtemp(prefix="intentd-planning-")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        brokers = f"127.0.0.1:{free.getsockname()[1]}"
    broker = subprocess.Popen(
        [options.intentd, "broker", "--listen", brokers, "--data", f"{scratch}/broker"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    arguments = types.SimpleNamespace(
        brokers=brokers, broker_pid=broker.pid, partitions=PARTITIONS, users=10_000, max_seconds=300, max_other=0.2,
        out=f"{scratch}/results.ndjson", keep=False,
    )  # fmt: skip
    try:
        command = [EQUAL_WORK / "ktopics", "create", "-b", brokers, "-p", "1", "planning.ready"]
        deadline = time.monotonic() + 30
        while subprocess.run(command, capture_output=True).returncode != 0:
            if broker.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError("the broker does not answer")
            time.sleep(0.1)
        session = Run(system(workers), arguments)
        try:
            session.start()
            session.loadgen("both", options.requests // 2, "-i", 30)
            session.settle(session.rows(), 0)
            time.sleep(1)
            found = session.drain(options.requests)
            if (cores, workers) == (CORES, 1):
                time.sleep(2)
                found["alone"] = session.alone(options.requests // 2)
            return found
        finally:
            session.stop()
    finally:
        broker.kill()
        broker.wait()
        shutil.rmtree(scratch, ignore_errors=True)
        os.sched_setaffinity(0, CORES)


class Costs:
    """What a request costs, in seconds of processor time for 100,000 of them: medians of several runs."""

    def __init__(self, runs):
        def median(of):
            return statistics.median(of(run) for run in runs)

        def time(run, role):
            return sum(cost for name, cost in run["cpu_per_100k"].items() if name.split("-")[0] == role)

        self.time = {role: median(lambda run: time(run, role)) for role in (*STAGES, "record", "broker")}
        self.busy = median(lambda run: run["cores_busy"]) / len(CORES)
        self.answered = median(lambda run: run["events_per_s"])
        self.recorded = median(lambda run: run["recorded_per_s"])
        self.alone = {role: median(lambda run: run["alone"][role]) for role in runs[0].get("alone", {})}


class Model:
    """Predicts rates from the costs with one worker a stage and with two."""

    def __init__(self, one, two):
        self.one, self.two = one, two

    def limits(self, cores, workers):
        """Requests per second that each part allows."""
        one, two = sum(self.one.time.values()), sum(self.two.time.values())
        total = one + max(0, two - one) * (workers - 1)
        found = {"cores": cores * (1 if cores == 1 else self.one.busy) * 1e5 / total}
        for role, rate in self.one.alone.items():
            found[role] = rate * (workers if role in STAGES else 1)
        return found | {"broker": 1e5 / self.one.time["broker"]}


def compare(what, predicted, runs):
    measured = statistics.median(run["recorded_per_s"] for run in runs)
    print(f"{what}: predicted {predicted:,.0f}/s, measured {measured:,.0f}/s, ratio {predicted / measured:.2f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--intentd", required=True, type=os.path.abspath)
    parser.add_argument("--requests", type=int, default=40_000, help="of a backlog")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    # The commands of the description name it so.
    os.environ["INTENTD"] = options.intentd
    subprocess.run(["make", "-s", "-C", EQUAL_WORK], check=True)
    setups = {
        "one worker a stage": (CORES, 1), "two workers a stage": (CORES, 2),
        "one core": (CORES[:1], 1), "four workers a stage": (CORES, 4),
    }  # fmt: skip
    runs = {name: [] for name in setups}
    for _ in range(options.rounds):
        for name, (cores, workers) in setups.items():
            runs[name].append(measure(options, cores, workers))
    costs = {name: Costs(found) for name, found in runs.items()}
    for name, found in costs.items():
        print(f"{name}: answered {found.answered:,.0f}/s, recorded {found.recorded:,.0f}/s; cores {found.busy:.0%} busy")
        print("    s/100,000: " + ", ".join(f"{role} {one:.1f}" for role, one in found.time.items()))
        if found.alone:
            print("    alone, requests/s: " + ", ".join(f"{role} {one:,.0f}" for role, one in found.alone.items()))
    model = Model(costs["one worker a stage"], costs["two workers a stage"])
    compare("one core", min(model.limits(1, 1).values()), runs["one core"])
    compare("four workers a stage", min(model.limits(len(CORES), 4).values()), runs["four workers a stage"])
    print("limits, requests per second:")
    for cores, workers in ((2, 1), (4, 1), (4, 2), (16, 2), (16, 4), (16, 8), (64, 8), (64, 16)):
        found = model.limits(cores, workers)
        least = min(found, key=found.get)
        shown = ", ".join(f"{name} {value:,.0f}" for name, value in found.items())
        print(f"    {cores:2} cores, {workers:2} workers a stage: {found[least]:,.0f} ({least}); {shown}")


if __name__ == "__main__":
    main()

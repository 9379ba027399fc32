#!/usr/bin/env python3
"""Breaks a running deployment again and again, and runs the history checker on the result.

    chaos.sh [--requests N] [--faults N] [--seed N] [--brokers HOST:PORT [--kill-broker COMMAND]]
             [--tours] [--intentd PATH] [--report FILE] [--keep]

Workers of all stages, two recorders and the broker are processes of their own. A client sends requests, answers prompts,
answers some of them twice or too late, and cancels some. Meanwhile processes are killed (-9), stopped for longer than
their session and their transaction last, and restarted; workers join and leave; a proxy delays and cuts connections and
holds back the answers to commits; disks are full; databases are locked. The seed determines the faults and their order,
the client's progress their times: faults and requests end together.

With --tours the program is that of Tests/Examples/Hazards, and the requests are long tasks: they have steps, effects that are
undone, ways back, retries, follow-ups and answers in words, and dead letters are redriven meanwhile.

On a Kafka of your own (--brokers), --kill-broker is a command that kills and restarts it; without it the broker is
left alone.

Exit status: 0 when every request was answered, every turn replays to the same bytes, and the checker finds nothing.
"""

import argparse
import collections
import json
import pathlib
import random
import sys
import time

import confluent_kafka as ck

import checker
import history
from breakable import Deployment
from judging import check_for_crashes, expect, until
from tours import TourDeployment, Traveller
from users import Client


def settle(deployment, client, seconds):
    """Waits for the last answer, until nothing is written any more, and until all that can be read is recorded.

    The checker reports what is not recorded in time. A recorder may be out of its group for a whole session, so a count
    that does not change is no sign.
    """

    def answered():
        expect(not client.failure, client.failure)
        return len(client.ends) == len(client.sent)

    def end():
        try:
            until(answered, seconds, "not every request was answered")
        except AssertionError as error:
            raise AssertionError(f"{error}: {sorted(client.sent.keys() - client.ends.keys())[:20]}") from None

    end()
    deadline = time.monotonic() + seconds
    reader = ck.Consumer({"bootstrap.servers": deployment.address, "group.id": "chaos", "log_level": 2})
    last, since = None, time.monotonic()
    while time.monotonic() - since < 4:
        expect(time.monotonic() < deadline, "it never comes to rest")
        time.sleep(0.5)
        ends = [
            history.bounds_of(reader, ck.TopicPartition(deployment.topic(topic), number))
            for topic in history.RECORDED
            for number in range(8)
        ]
        if ends != last:
            last, since = ends, time.monotonic()
    reader.close()
    # What handlers had started for later has begun meanwhile, and has ended.
    end()
    client.over.set()
    client.join()
    expect(client.producer.flush(60) == 0, "not everything could be produced")
    names, _, _ = history.read_topics(
        deployment.address, deployment.prefix, "read_committed", history.name_of, history.RECORDED
    )
    while time.monotonic() < deadline:
        with deployment.database() as database:
            if database.execute("SELECT count(*) FROM events").fetchone()[0] >= len(names):
                return
        time.sleep(0.5)


def spend(deployment, client, options):
    """Injects the faults, each at its point of the client's progress."""
    faults = deployment.faults
    plan = random.Random(options.seed).choices(list(faults), faults.values(), k=options.faults * 3)
    made = 0
    for fault in plan:
        if made == options.faults:
            break
        client.allowed = options.requests * (made + 1) // (options.faults + 1)
        mark = options.requests * made // (options.faults + 1)
        until(lambda: len(client.sent) >= mark or client.failure, 300, f"the client is stuck before fault {made}, {fault}")
        expect(not client.failure, client.failure)
        if not deployment.make(fault):
            continue
        made += 1
        deployment.counts[fault] += 1
        if options.verbose:
            print(f"     {len(client.sent):7} sent {len(client.ends):7} ended  {fault}", flush=True)
        time.sleep(deployment.random.uniform(0.1, options.pause))
    client.allowed = options.requests
    until(lambda: len(client.sent) >= options.requests or client.failure, 600, "the client does not come to its end")
    return made


def play(options, deployment, make_client=Client):
    began = time.monotonic()
    deployment.begin()
    client = make_client(deployment, options.requests, options.seed)
    watch = history.OffsetWatch(deployment.address, deployment.prefix, 8, deployment.directory / "records.sqlite")
    client.start()
    watch.start()
    made = spend(deployment, client, options)
    deployment.mend()
    mended = time.monotonic()
    settle(deployment, client, 240)
    settled = time.monotonic()
    seen = watch.stop()
    replayed = deployment.replay()
    left = deployment.leave()
    if deployment.broker and deployment.broker.running.poll() is not None:
        deployment.broker.start()
        deployment.wait_for_broker()
    records = deployment.directory / "records.sqlite"
    found, findings = checker.check(
        deployment.address, deployment.prefix, records, deployment.store, ended=True, seen=seen, clocks=deployment.clocks,
        streams=client.streams, asked=client.asked,
    )  # fmt: skip
    findings += client.check_store()
    kills = {name: count for name, count in sorted(deployment.counts.items()) if name.startswith("kill")}
    ends = collections.Counter(end[0]["endReason"] for end in client.ends.values())
    report = {
        "seed": options.seed,
        "requests": len(client.sent),
        "client": dict(client.counts),
        "ends": dict(ends),
        "faults": dict(sorted(deployment.counts.items())),
        "kills": sum(kills.values()),
        "held commits": deployment.proxy.held,
        "lost commit answers": deployment.proxy.lost,
        "ended by themselves": dict(deployment.exits),
        "records": len(found.records),
        "never committed": len(found.uncommitted),
        "replay": replayed,
        "seconds": round(settled - began),
        "seconds to settle": round(settled - mended),
        "seconds to leave": round(left, 1),
        "findings": len(findings),
    }
    for kind, count in collections.Counter(finding[0] for finding in findings).items():
        print(f"{count} × {kind}")
    for kind, place, message in findings[:50]:
        print(f"{kind:18}  {place:24}  {message}")
    for name, value in report.items():
        if isinstance(value, dict):
            value = ", ".join(f"{key} {count}" for key, count in value.items()) or "-"
        print(f"     {name:22}{value}", flush=True)
    if options.report:
        pathlib.Path(options.report).write_text(json.dumps(report, indent=2) + "\n")
    expect(made == options.faults, f"only {made} of {options.faults} faults could be made")
    expect(not findings, f"{len(findings)} findings")
    expect(not deployment.crashes, "\n".join(deployment.crashes))


def judged(name, options, deployment, act):
    """Acts on the deployment, closes it, and says what came of it; returns the exit status."""
    try:
        act(options, deployment)
        check_for_crashes()
    except AssertionError as error:
        print(f"FAIL {name} --seed {options.seed}: {error}")
        if options.keep:
            print(f"     {deployment.directory}")
        return 1
    finally:
        deployment.close()
    print(f"PASS {name} --seed {options.seed}")
    return 0


def main():
    parser = argparse.ArgumentParser(
        prog="chaos.sh", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--intentd", required=True, help="the program")
    parser.add_argument("--requests", type=int, default=3_000)
    parser.add_argument("--faults", type=int, default=30)
    parser.add_argument("--pause", type=float, default=1.0, help="the longest pause after a fault, in seconds")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--brokers", help="HOST:PORT of a Kafka to run on")
    parser.add_argument("--kill-broker", help="a command that kills that Kafka and starts it again")
    parser.add_argument("--tours", action="store_true", help="long tasks, too; the program is hazardd")
    parser.add_argument("--report", help="a file for the report, as JSON")
    parser.add_argument("--keep", action="store_true", help="leave the files there")
    parser.add_argument("--verbose", action="store_true", help="name each fault")
    options = parser.parse_args()
    options.definitions = None
    print(f"chaos: {options.requests} requests, {options.faults} faults, seed {options.seed}", flush=True)
    deployment, client = (TourDeployment, Traveller) if options.tours else (Deployment, Client)
    return judged("chaos", options, deployment(options), lambda *given: play(*given, client))


if __name__ == "__main__":
    sys.exit(main())

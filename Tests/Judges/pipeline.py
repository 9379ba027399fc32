#!/usr/bin/env python3
"""Outside clients judge the whole of intentd: real processes, real kills.

    pipeline.py --intentd PATH [--scenarios FILE --definitions FILE] [--brokers HOST:PORT] [--only NAME]

Without --scenarios the project's own are played. With --brokers the workers run on those brokers instead of the
embedded one. The exit status is 0 when nothing failed; the last line says how many passed.
"""

import argparse
import collections
import json
import os
import pathlib
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import uuid

import confluent_kafka as ck
from confluent_kafka.admin import AdminClient

import checker
import clients
import wire
from judging import Program, expect, free_port, keep_crashes, run, until

ROOT = pathlib.Path(__file__).resolve().parents[2]
JUDGES = []


def judge(run):
    JUDGES.append(run)
    return run


class House:
    """A data directory, a prefix, and the processes that work on them."""

    def __init__(self, options):
        self.options = options
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="intentd-judge-"))
        self.prefix = f"judge-{uuid.uuid4().hex[:8]}" if options.brokers else "intents"
        self.port = free_port()
        self.address = options.brokers or f"127.0.0.1:{self.port}"
        self.processes = []

    def command(self, *words, definitions=True):
        command = [self.options.intentd, *words, "--data", str(self.directory), "--prefix", self.prefix]
        if definitions and self.options.definitions:
            command += ["--definitions", self.options.definitions]
        if self.options.brokers:
            command += ["--brokers", self.options.brokers]
        return command

    def start(self, *words, definitions=True):
        log = open(self.directory / f"{words[0]}-{len(self.processes)}.log", "wb")
        process = Program(self.command(*words, definitions=definitions), stdout=log, stderr=log, cwd=ROOT)
        process.log = log.name
        self.processes.append(process)
        return process

    def run(self, *words, definitions=True, common=True, timeout=120, check=True):
        command = self.command(*words, definitions=definitions) if common else [self.options.intentd, *words]
        done = subprocess.run(command, capture_output=True, text=True, timeout=timeout, cwd=ROOT)
        if check:
            expect(done.returncode == 0, f"{' '.join(words)} ended with {done.returncode}: {done.stderr[-2000:]}")
        return done

    def start_broker(self):
        if self.options.brokers:
            return None
        broker = self.start("broker", "--listen", self.address, definitions=False)
        self.wait_for_broker()
        return broker

    def wait_for_broker(self):
        def answers():
            try:
                return AdminClient({"bootstrap.servers": self.address}).list_topics(timeout=1)
            except ck.KafkaException:
                return None

        until(answers, 20, f"no broker at {self.address}")
        if not self.options.brokers:
            # Commands read its address from there; the broker writes it once it listens.
            until((self.directory / "broker.address").exists, 20, "the broker has written no address")

    def topic(self, name):
        return f"{self.prefix}.{name}"

    def read_all(self, topic):
        """Everything committed in a topic, up to its end."""
        return clients.read_all(self.address, self.topic(topic), seconds=60)

    def terminal_responses(self):
        """The number of terminal responses of each interaction, by (user, id)."""
        counts = collections.Counter()
        for message in self.read_all("responses"):
            headers = {key: value.decode() for key, value in message.headers() or []}
            if headers["ce_type"] == "intent.responded" and json.loads(message.value())["terminal"]:
                counts[(headers["ce_userid"], headers["ce_subject"])] += 1
        return counts

    @property
    def store(self):
        """Where handlers keep their effects."""
        return self.directory / "store.sqlite"

    def database(self):
        return sqlite3.connect(f"file:{self.directory / 'records.sqlite'}?mode=ro", uri=True, timeout=10)

    def wait_for_recorder(self, seconds=60):
        """Waits until every recorded topic is in SQLite to its end; returns the number of records of each topic."""
        topics = "requests resolved confirmed signals responses user-activities journal dead-letters".split()
        counts = {topic: len(self.read_all(topic)) for topic in topics}

        def recorded():
            with self.database() as database:
                found = dict(database.execute("SELECT topic, count(*) FROM events GROUP BY topic"))
            return all(found.get(topic, 0) >= count for topic, count in counts.items())

        until(recorded, seconds, "the recorder does not catch up")
        return counts

    def close(self):
        keep_crashes()
        for process in self.processes:
            if process.poll() is None:
                process.kill()
        for process in self.processes:
            process.wait()
        shutil.rmtree(self.directory, ignore_errors=True)


def check_records(house, counts, terminal):
    """`interactions` and `events` are complete and have no duplicates."""
    with house.database() as database:
        for topic, count in counts.items():
            rows = database.execute("SELECT count(*) FROM events WHERE topic = ?", (topic,)).fetchone()[0]
            expect(rows == count, f"{rows} events of {topic} are recorded, {count} stand in the topic")
        rows = database.execute(
            "SELECT user_id, interaction_id, count(*), min(terminal_responses), max(terminal_responses), min(ended_at)"
            " FROM interactions GROUP BY user_id, interaction_id"
        ).fetchall()
    expect(len(rows) == len(terminal), f"{len(rows)} interactions are recorded, {len(terminal)} have ended")
    for user, interaction, count, least, most, ended in rows:
        expect(count == least == most == 1 and ended, f"the record of {interaction} of {user} is not right")


def check_proof(house):
    """Every turn produces the same bytes again, and chains, topics, state and records agree; so do rebuilt records."""
    replayed = house.run("replay", timeout=300, check=False)
    last = replayed.stdout.strip().splitlines()[-1]
    expect(replayed.returncode == 0, f"replay: {replayed.stdout[:3000]}{replayed.stderr[-1000:]}")
    print(f"     replay: {last}", flush=True)
    again = house.directory / "again.sqlite"
    house.run("replay", "--into", str(again), definitions=False, timeout=300)
    with house.database() as database:
        database.execute("ATTACH DATABASE ? AS again", (str(again),))
        for table in "events turns interactions user_activities dead_letters".split():
            # The order in which rows came into a file is not determined by the topics.
            names = [row[0] for row in database.execute("SELECT name FROM pragma_table_info(?)", (table,))]
            columns = ", ".join(f'"{name}"' for name in names if name != "rowid")
            for one, other in ("main", "again"), ("again", "main"):
                rows = database.execute(
                    f"SELECT count(*) FROM (SELECT {columns} FROM {one}.{table} EXCEPT SELECT {columns} FROM {other}.{table})"
                ).fetchone()[0]
                expect(rows == 0, f"{rows} rows of {table} are in {one} alone")
    verified = house.run("audit", "verify", timeout=300, check=False)
    expect(verified.returncode == 0, f"audit verify: {verified.stdout[:3000]}{verified.stderr[-1000:]}")
    print(f"     audit verify: {verified.stdout.strip().splitlines()[-1]}", flush=True)


def check_history(house):
    """Everything has ended, and the checker has no findings."""
    history, findings = checker.check(house.address, house.prefix, house.directory / "records.sqlite", house.store, ended=True)
    expect(not findings, "\n".join(" ".join(finding) for finding in findings[:20]))
    print(f"     no findings in {len(history.records)} records, {len(history.uncommitted)} never committed", flush=True)


@judge
def plain_json_from_kcat_is_answered_from_any_partition(house):
    house.start("up", *([] if house.options.brokers else ["--listen", house.address]))
    until(lambda: house.run("topics", "list", definitions=False, check=False).returncode == 0, 30, "no topics")
    name = house.topic("requests")
    until(lambda: name in AdminClient({"bootstrap.servers": house.address}).list_topics(timeout=5).topics, 30, "no topics")
    for partition in range(8):
        event = {"intent": {"name": "INNobodyIntent"}, "user": {"id": f"kcat-{partition}"}}
        subprocess.run(
            ["kcat", "-q", "-b", house.address, "-P", "-t", name, "-p", str(partition), "-H", "ce_type=intent.requested"],
            input=json.dumps(event).encode(),
            check=True,
            timeout=30,
        )
    found = until(
        lambda: (counts := house.terminal_responses()) and len(counts) == 8 and counts, 30, "not all were answered"
    )
    expect(set(found.values()) == {1}, str(found))
    expect({user for user, _ in found} == {f"kcat-{number}" for number in range(8)}, str(found))


@judge
def the_asyncapi_document_is_whole(house):
    wire.check_asyncapi()
    done = house.run("schema", definitions=False, common=False)
    expect(json.loads(done.stdout) == wire.load("asyncapi.json"), "`intentd schema` prints another document")


@judge
def clients_in_other_languages_hold_a_conversation(house):
    """The examples of the guide, unchanged."""
    house.start("up", *([] if house.options.brokers else ["--listen", house.address]))
    # Asks each partition's leader: on Kafka they are there a moment after the topics.
    until(lambda: house.run("topics", "describe", definitions=False, check=False).returncode == 0, 30, "no topics")
    for example, words in ("book.py", [sys.executable]), ("book.sh", ["bash"]):
        path = ROOT / "Tests/Judges/examples" / example
        done = subprocess.run(
            [*words, str(path), house.address, house.prefix], capture_output=True, text=True, timeout=120, cwd=ROOT
        )
        expect(done.returncode == 0, f"{example} ended with {done.returncode}: {done.stdout}{done.stderr}")
        expect("success" in done.stdout, f"{example} says {done.stdout}")
        chapter = (ROOT / "Sources/Core/IntentRuntime/Documentation.docc/Clients.md").read_text()
        expect(path.read_text() in chapter, f"the chapter for clients does not quote {example} as it is")
    counts = wire.check_house(house)
    expect(counts["prompt.issued"] >= 5 and counts["turn.journaled"] >= 10, str(counts))


@judge
def every_record_is_as_its_schema_says(house):
    """The project's scenarios, and error cases, checked against the JSON Schemas and the AsyncAPI document."""
    house.start_broker()
    house.run("topics", "create", definitions=False)
    house.start("work", "resolve", "confirm", "handle", "--scripted")
    played = house.run("test", house.options.scenarios, "--external-workers", timeout=300)
    producer = ck.Producer({"bootstrap.servers": house.address})
    producer.produce(house.topic("requests"), b"{", headers={"ce_type": "intent.requested", "ce_userid": "u"})
    producer.produce(house.topic("requests"), b"{}", headers={"ce_type": "prompt.answered", "ce_userid": "u"})
    producer.flush(30)
    events = [
        {"type": "intent.requested", "subject": "gone", "data": {"intent": {"name": "INNobodyIntent"}, "user": {"id": "u"}}},
        {"type": "interaction.cancelled", "subject": "none", "userid": "u", "data": None},
    ]
    lines = [json.dumps(event) for event in events]
    wire.check_structured(lines)
    file = house.directory / "events.ndjson"
    file.write_text("\n".join(lines))
    house.run("produce", str(file), definitions=False)
    until(lambda: len(house.read_all("dead-letters")) == 1, 30, "no dead letter")
    until(lambda: ("u", "gone") in house.terminal_responses(), 30, "no answer")
    counts = wire.check_house(house)
    print(f"     {played.stdout.strip().splitlines()[-1]}; {sum(counts.values())} records", flush=True)
    written = "intent.resolved intent.confirmed prompt.issued intent.responded event.rejected turn.journaled".split()
    expect(all(counts[name] for name in [*written, "dead-letter"]), str(counts))


def repeat_scenarios(source, target, at_least):
    """Writes the scenarios repeatedly, each time with other names and users; returns their number."""
    scenarios = [json.loads(line) for line in open(source) if line.strip()]
    count = -(-at_least // len(scenarios))
    with open(target, "w") as file:
        for number in range(count):
            for scenario in scenarios:
                changed = {key: f"{scenario[key]}~{number}" for key in ("name", "user")} if count > 1 else {}
                file.write(json.dumps(scenario | changed) + "\n")
    return count * len(scenarios)


@judge
def killed_workers_lose_and_repeat_nothing(house):
    """Three workers for each stage, started separately; one of each is killed with -9 halfway."""
    house.start_broker()
    house.run("topics", "create", definitions=False)
    workers = {
        stage: [house.start("work", stage, "--scripted") for _ in range(3)] for stage in ("resolve", "confirm", "handle")
    }
    house.start("work", "record", definitions=False)
    scenarios = house.directory / "scenarios.jsonl"
    lines = repeat_scenarios(house.options.scenarios, scenarios, at_least=1500)

    def kill():
        until(lambda: sum(house.terminal_responses().values()) >= lines // 2, 300, "halfway never came")
        for stage in workers.values():
            random.choice(stage).send_signal(signal.SIGKILL)

    killer = threading.Thread(target=kill)
    killer.start()
    played = house.run("test", str(scenarios), "--external-workers", timeout=600, check=False)
    killer.join()
    last = played.stdout.strip().splitlines()[-1]
    print(f"     {last}", flush=True)
    expect(played.returncode == 0, f"{last}\n{played.stdout[-3000:]}{played.stderr[-2000:]}")
    all_workers = [worker for stage in workers.values() for worker in stage]
    # A busy machine takes its time to end them.
    until(lambda: sum(worker.poll() is not None for worker in all_workers) == 3, 30, "three workers were killed, and are there")
    terminal = house.terminal_responses()
    expect(len(terminal) >= lines, f"{len(terminal)} interactions for {lines} scenarios")
    twice = [key for key, count in terminal.items() if count != 1]
    expect(not twice, f"more than one terminal response: {twice[:5]}")
    check_records(house, house.wait_for_recorder(), terminal)
    check_proof(house)
    check_history(house)


@judge
def killed_up_loses_and_repeats_nothing(house):
    """`up` is killed with -9 again and again while requests come in."""
    if house.options.brokers:
        return
    listen = ["--listen", house.address]
    sent = []
    up = house.start("up", *listen)
    house.wait_for_broker()
    producer = ck.Producer({"bootstrap.servers": house.address, "enable.idempotence": True, "linger.ms": 2})
    topic = house.topic("requests")
    until(lambda: topic in AdminClient({"bootstrap.servers": house.address}).list_topics(timeout=5).topics, 30, "no topics")
    acknowledged = []
    for round_number in range(5):
        for number in range(200):
            subject = f"{round_number}-{number}"
            user = f"user-{number % 37}"
            event = {"intent": {"name": "INNobodyIntent"}, "user": {"id": user}}
            headers = {"ce_type": "intent.requested", "ce_subject": subject}
            producer.produce(
                topic,
                json.dumps(event),
                key=user,
                headers=headers,
                on_delivery=lambda error, message, key=(user, subject): None if error else acknowledged.append(key),
            )
            sent.append((user, subject))
        producer.poll(random.uniform(0, 0.5))
        up.send_signal(signal.SIGKILL)
        up.wait()
        up = house.start("up", *listen)
        house.wait_for_broker()
    expect(producer.flush(60) == 0, "not everything could be produced")
    expect(len(acknowledged) == len(sent), f"{len(acknowledged)} of {len(sent)} were acknowledged")
    until(lambda: len(house.terminal_responses()) >= len(sent), 120, "not everything was answered")
    terminal = house.terminal_responses()
    expect(set(terminal) == set(sent), "other interactions than were asked for")
    expect(set(terminal.values()) == {1}, "more than one terminal response")
    check_records(house, house.wait_for_recorder(), terminal)
    check_proof(house)
    check_history(house)
    # No reader sees what a killed transaction left behind; the rest is as described.
    expect(wire.check_house(house)["intent.responded"] == len(sent), "other responses than were asked for")


@judge
def open_interactions_do_not_fill_the_memory(house):
    """A worker's memory grows by less than 50 MiB while open interactions go from 1,000 to `--open`.

    Requests that end at once come first, so that the memory of batches and buffers is not counted.
    """
    if not house.options.open:
        print("SKIP open_interactions_do_not_fill_the_memory: takes minutes; ask for it with --open 100000")
        return
    house.start_broker()
    house.run("topics", "create")
    os.environ["INTENTD_PROMPTS_TIMEOUT"] = "1h"
    worker = house.start("work", "resolve")
    producer = ck.Producer({"bootstrap.servers": house.address, "enable.idempotence": True, "linger.ms": 5})

    def ask(first, end, intent="BookRestaurantTable"):
        for number in range(first, end):
            # As long as ids that people choose: none of them fits into a small string.
            user = f"{uuid.uuid5(uuid.NAMESPACE_OID, str(number))}"
            event = {"intent": {"name": intent, "parameters": {"people": 2}}, "user": {"id": user}}
            headers = {"ce_type": "intent.requested", "ce_subject": f"{user}-interaction"}
            while True:
                try:
                    producer.produce(house.topic("requests"), json.dumps(event), key=user, headers=headers)
                    break
                except BufferError:
                    producer.poll(0.1)
        expect(producer.flush(120) == 0, "not everything could be produced")
        answers.wanted += end - first
        until(lambda: answers() >= answers.wanted, 900, f"{answers()} of {answers.wanted} answers")

    def answers():
        reader = ck.Consumer({"bootstrap.servers": house.address, "group.id": "judge"})
        name = house.topic("responses")
        ends = 0
        for number in reader.list_topics(name, 10).topics[name].partitions:
            ends += reader.get_watermark_offsets(ck.TopicPartition(name, number), 10)[1]
        reader.close()
        # A transaction's marker takes an offset too.
        return len(house.read_all("responses")) if ends >= answers.wanted else 0

    def megabytes():
        text = pathlib.Path(f"/proc/{worker.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+) kB", text)[1]) / 1024

    answers.wanted = 0
    ask(-10_000, 0, intent="INNobodyIntent")
    ask(0, 1_000)
    before = megabytes()
    ask(1_000, house.options.open)
    after = megabytes()
    print(f"     {before:.0f} MiB with 1,000 open interactions, {after:.0f} MiB with {house.options.open:,}", flush=True)
    expect(after - before < 50, f"the worker has grown by {after - before:.0f} MiB")


def hold(one, options):
    """Gives a judge a deployment of its own; shows its processes' output if it fails."""
    house = House(options)
    try:
        one(house)
    except Exception:
        for process in house.processes:
            text = open(process.log, errors="replace").read()[-1500:]
            if text:
                print(f"     {process.log}:\n{text}", flush=True)
        raise
    finally:
        house.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--intentd", required=True, help="the program")
    parser.add_argument("--scenarios", default=str(ROOT / "Tests/Scenarios/booking.jsonl"))
    parser.add_argument("--definitions", help="declared intents of the scenarios")
    parser.add_argument("--brokers", help="HOST:PORT of brokers to run on")
    parser.add_argument("--open", type=int, help="how many interactions to leave open in the judge of memory")
    parser.add_argument("--only", help="only judges whose names contain this")
    options = parser.parse_args()
    passed, failed = run(JUDGES, options.only, lambda one: hold(one, options))
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())

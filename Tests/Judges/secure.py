#!/usr/bin/env python3
"""A real Kafka with TLS, SASL/SCRAM and StandardAuthorizer: what each role can do and what it cannot.

    KAFKA_HOME=/opt/kafka secure.py --intentd PATH [--conformance COMMAND]

Runs the commands of the guide (Sources/Drivers/KafkaLog/Documentation.docc/SecureKafka.md) unchanged, on ports of its
own, then plays scenarios and tries forbidden operations. --conformance runs a command twice, with INTENTD_TEST_BROKERS and
INTENTD_TEST_KAFKA_PROPERTIES set for TLS and for SASL. Without KAFKA_HOME (Kafka 3.8 or newer) it says so and skips.
"""

import argparse
import json
import logging
import os
import pathlib
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile

import confluent_kafka as ck
from confluent_kafka.admin import AdminClient

from judging import expect, free_port, run, until

ROOT = pathlib.Path(__file__).resolve().parents[2]
GUIDE = ROOT / "Sources/Drivers/KafkaLog/Documentation.docc/SecureKafka.md"
SCENARIOS = ROOT / "Tests/Scenarios"
JUDGES = []


def judge(run):
    JUDGES.append(run)
    return run


class Cluster:
    """The guide's directory: its files, its broker, its workers."""

    def __init__(self, options):
        self.options = options
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="intentd-secure-"))
        self.ports = {port: str(free_port()) for port in ("9093", "9094", "9095")}
        self.environment = {key: value for key, value in os.environ.items() if not key.startswith("INTENTD_")}
        self.environment |= {
            "INTENTD_SAMPLES": "true",
            "KAFKA_HEAP_OPTS": "-Xmx512m",
            "KAFKA_JMX_OPTS": " ",
            "INTENTD_DEFINITIONS": str(ROOT / "config/intents/restaurant.yaml"),
            "LOG_DIR": str(self.directory / "kafka-logs"),
            "PATH": f"{self.directory / 'bin'}:{os.environ['PATH']}",
        }
        # The guide's workers do not honour scenarios' answers of services; these must.
        program = self.directory / "bin/intentd"
        program.parent.mkdir()
        program.write_text(
            f'#!/bin/sh\ncase "$1" in work) set -- "$@" --scripted;; esac\nexec "{options.intentd}" "$@"\n'
        )
        program.chmod(0o755)
        self.shell = None

    def follow_guide(self):
        """All commands of the guide, in one shell: later steps use variables of earlier ones."""
        blocks = re.findall(r"^```sh\n(.*?)^```", GUIDE.read_text(), re.MULTILINE | re.DOTALL)
        expect(len(blocks) >= 7, f"the guide has {len(blocks)} steps")
        script = "set -euo pipefail\n" + "\n".join(blocks) + "\ntouch followed\nwait\n"
        for port, own in self.ports.items():
            script = script.replace(f"localhost:{port}", f"localhost:{own}")
        log = open(self.directory / "guide.log", "wb")
        self.shell = subprocess.Popen(
            ["bash", "-c", script],
            cwd=self.directory,
            env=self.environment,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )

        def followed():
            ended = self.shell.poll()
            expect(ended is None, f"the guide's commands ended with {ended}:\n{self.read('guide.log')[-3000:]}")
            return (self.directory / "followed").exists()

        until(followed, 900, "the guide's commands do not end")

    def read(self, name):
        path = self.directory / name
        return path.read_text(errors="replace") if path.exists() else ""

    def run(self, *words, config=None, timeout=300, **environment):
        command = [str(self.options.intentd), *map(str, words)]
        if config:
            command += ["--config", f"{config}.yaml"]
        return subprocess.run(
            command,
            cwd=self.directory,
            env=self.environment | environment,
            capture_output=True,
            text=True,
            timeout=timeout,
        )

    def sasl(self, name):
        return {
            "bootstrap.servers": f"localhost:{self.ports['9094']}",
            "security.protocol": "SASL_SSL",
            "ssl.ca.location": str(self.directory / "ca.pem"),
            "sasl.mechanism": "SCRAM-SHA-512",
            "sasl.username": name,
            "sasl.password": self.read(f"{name}.secret").strip(),
        }

    def tls(self, name):
        return {
            "bootstrap.servers": f"localhost:{self.ports['9093']}",
            "security.protocol": "SSL",
            "ssl.ca.location": str(self.directory / "ca.pem"),
            "ssl.certificate.location": str(self.directory / f"{name}.pem"),
            "ssl.key.location": str(self.directory / f"{name}.key"),
        }

    def close(self):
        if self.shell:
            # A session of its own: the shell, the broker and the workers, and nothing else.
            try:
                os.killpg(self.shell.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            self.shell.wait()
        if self.options.keep:
            print(f"     left in {self.directory}", flush=True)
        else:
            shutil.rmtree(self.directory, ignore_errors=True)


def quiet(settings, **more):
    """Suppresses librdkafka's own lines about refusals: the tests check the errors."""
    silent = logging.getLogger("librdkafka")
    silent.disabled = True
    return {**settings, "logger": silent, "error_cb": lambda error: None, **more}


def write_error(settings, topic, **more):
    """The result of a write: None, or the name of its error."""
    errors = []
    producer = ck.Producer(quiet(settings, **{"message.timeout.ms": 10_000, **more}))
    producer.produce(topic, b"{}", key=b"u", partition=0, on_delivery=lambda error, message: errors.append(error))
    expect(producer.flush(30) == 0, f"no answer to a write to {topic}")
    return errors[0] and errors[0].name()


def transaction_error(settings, identifier):
    producer = ck.Producer(quiet(settings, **{"transactional.id": identifier}))
    try:
        producer.init_transactions(30)
        return None
    except ck.KafkaException as error:
        return error.args[0].name()


def read_error(settings, topic, group=None):
    """The result of reading, without a group or in one: None, or the name of the error."""
    consumer = ck.Consumer(
        quiet(settings, **{"group.id": group or "none", "enable.auto.commit": False, "enable.partition.eof": True})
    )
    try:
        refused = consumer.list_topics(topic, 30).topics[topic].error
        if refused:
            return refused.name()
        if group:
            consumer.subscribe([topic])
        else:
            consumer.assign([ck.TopicPartition(topic, 0, 0)])

        def answer():
            message = consumer.poll(1)
            error = message and message.error()
            # librdkafka reports that it may not look up the coordinator of a group that is never joined, and continues to read.
            if error and not group and error.code() == ck.KafkaError.GROUP_AUTHORIZATION_FAILED:
                return None
            return message and (error or "record")

        found = until(answer, 30, f"nothing is read from {topic}")
        return None if isinstance(found, str) or found.code() == ck.KafkaError._PARTITION_EOF else found.name()
    except ck.KafkaException as error:
        return error.args[0].name()
    finally:
        consumer.close()


@judge
def the_rules_are_made_and_found_again(cluster):
    words = "topics acls --client User:app --worker User:CN=resolve".split()
    printed = cluster.run(*words, "--json")
    expect(printed.returncode == 0, printed.stderr)
    # A client has three rules, and no more.
    own = [rule for rule in map(json.loads, printed.stdout.splitlines()) if rule["principal"] == "User:app"]
    expect(
        sorted((rule["operation"], rule["name"]) for rule in own)
        == [("read", "intents.responses"), ("read", "intents.user-activities"), ("write", "intents.requests")],
        str(own),
    )
    # The guide's last --apply found them all: none was created a second time, none is missing.
    lines = cluster.read("rules.txt").splitlines()
    expect(len(lines) > 100, f"{len(lines)} rules")
    expect(all(line.split()[-1] == "exists" for line in lines[1:]), "\n".join(lines[:5]))


@judge
def who_may_not_make_rules_is_told_so(cluster):
    done = cluster.run("topics", "acls", "--client", "User:app", "--apply", config="operator")
    expect(done.returncode == 78, f"ended with {done.returncode}: {done.stderr}")
    expect("ALTER on the cluster" in done.stderr, done.stderr)


@judge
def a_client_writes_requests_and_nothing_else(cluster):
    app = cluster.sasl("app")
    expect(write_error(app, "intents.requests") is None, "requests cannot be written")
    expect(write_error(app, "intents.requests", **{"enable.idempotence": True}) is None, "not idempotently")
    for topic in "confirmed resolved signals responses user-activities journal dead-letters state".split():
        found = write_error(app, f"intents.{topic}")
        expect(found == "TOPIC_AUTHORIZATION_FAILED", f"writing {topic} came to {found}")


@judge
def a_client_has_no_transactions(cluster):
    app = cluster.sasl("app")
    for identifier in "mine", "intents.handle/anything-0":
        found = transaction_error(app, identifier)
        expect(found == "TRANSACTIONAL_ID_AUTHORIZATION_FAILED", f"{identifier} came to {found}")


@judge
def a_client_reads_answers_and_joins_no_group(cluster):
    app = cluster.sasl("app")
    for topic in "responses", "user-activities":
        found = read_error(app, f"intents.{topic}")
        expect(found is None, f"reading {topic} came to {found}")
    for topic in "requests", "confirmed", "journal", "state", "dead-letters":
        found = read_error(app, f"intents.{topic}")
        expect(found == "TOPIC_AUTHORIZATION_FAILED", f"reading {topic} came to {found}")
    found = read_error(app, "intents.responses", group="intents.resolve")
    expect(found == "GROUP_AUTHORIZATION_FAILED", f"joining resolve's group came to {found}")


@judge
def nobody_is_nobody(cluster):
    """Neither without a certificate, nor with a wrong password."""
    wrong = cluster.sasl("app") | {"sasl.password": "guess"}
    without = {key: value for key, value in cluster.tls("resolve").items() if "certificate" not in key and "key" not in key}
    for settings in wrong, without:
        try:
            AdminClient(quiet(settings)).list_topics(timeout=5)
            raise AssertionError("an unknown client got the topics")
        except ck.KafkaException:
            pass


@judge
def a_stage_is_held_to_its_own(cluster):
    refused = "TOPIC_AUTHORIZATION_FAILED"
    for stage, topics in ("resolve", ["confirmed"]), ("confirm", ["resolved", "requests"]), ("handle", ["confirmed"]):
        for topic in topics:
            found = write_error(cluster.tls(stage), f"intents.{topic}")
            expect(found == refused, f"{stage} writing {topic} came to {found}")
    found = transaction_error(cluster.tls("resolve"), "intents.handle/w-0")
    expect(found == "TRANSACTIONAL_ID_AUTHORIZATION_FAILED", f"resolve under handle's id: {found}")
    found = write_error(cluster.tls("recorder"), "intents.responses")
    expect(found == refused, f"the recorder writing: {found}")
    found = write_error(cluster.sasl("auditor"), "intents.requests")
    expect(found == refused, f"the auditor writing: {found}")
    found = read_error(cluster.sasl("auditor"), "intents.journal", group="intents.record")
    expect(found == "GROUP_AUTHORIZATION_FAILED", f"the auditor in a group: {found}")


@judge
def the_health_check_holds_for_each_role(cluster):
    """The image's and the pods' (`Dockerfile`, `config/kubernetes`): it needs no right that a worker does not have."""
    for role in "resolve", "confirm", "handle", "recorder":
        done = cluster.run("topics", "describe", "requests", config=role)
        expect(done.returncode == 0, f"{role}: ended with {done.returncode}: {done.stderr}")


@judge
def the_guides_workers_pass_scenarios(cluster):
    """Three stages with a certificate each, and the recorder; the operator plays the client."""
    done = cluster.run("test", SCENARIOS / "booking.jsonl", "--external-workers", config="operator", timeout=600)
    last = (done.stdout.strip().splitlines() or [""])[-1]
    expect(done.returncode == 0, f"{last}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    print(f"     {last}", flush=True)
    for log in "resolve", "confirm", "handle", "record":
        text = cluster.read(f"{log}.log")
        expect("uthoriz" not in text and "Restarting lane" not in text, f"{log}.log: {text[-2000:]}")


@judge
def the_auditor_proves_what_was_recorded(cluster):
    """With no right to write, and none on groups."""
    def recorded():
        with sqlite3.connect(f"file:{cluster.directory / 'var/records.sqlite'}?mode=ro", uri=True) as database:
            open_ones = "SELECT count(*) FROM interactions WHERE ended_at IS NULL"
            ended = "SELECT count(*) FROM interactions WHERE ended_at IS NOT NULL"
            return database.execute(ended).fetchone()[0] > 10 and not database.execute(open_ones).fetchone()[0]

    until(recorded, 60, "the recorder does not catch up")

    def verified():
        done = cluster.run("audit", "verify", config="auditor")
        return done.returncode == 0 and done

    done = until(verified, 60, f"audit verify: {cluster.run('audit', 'verify', config='auditor')}")
    print(f"     audit verify: {done.stdout.strip().splitlines()[-1]}", flush=True)
    replayed = cluster.run("replay", config="auditor")
    expect(replayed.returncode == 0, f"replay: {replayed.stdout[-2000:]}{replayed.stderr[-2000:]}")
    print(f"     replay: {replayed.stdout.strip().splitlines()[-1]}", flush=True)
    again = cluster.run("replay", "--into", cluster.directory / "again.sqlite", config="auditor")
    expect(again.returncode == 0, f"replay --into: {again.stderr[-2000:]}")


@judge
def all_domains_pass_with_workers_rules_alone(cluster):
    """One process that is worker, recorder and operator in one, under a name of its own."""
    name = "CN=recorder"
    words = ["--prefix", "domains", "--recorder", f"User:{name}", "--operator", f"User:{name}", "--worker", f"User:{name}"]
    made = cluster.run("topics", "acls", *words, "--apply", config="admin")
    if made.returncode == 78:
        printed = cluster.run("topics", "acls", *words, "--commands", config="admin").stdout.splitlines()
        for line in printed:
            if "--transactional-id" in line:
                tool = {"PATH": f"{cluster.environment['KAFKA_HOME']}/bin:{cluster.environment['PATH']}"}
                subprocess.run(
                    ["bash", "-c", line],
                    cwd=cluster.directory,
                    env=cluster.environment | tool,
                    check=True,
                    capture_output=True,
                    timeout=60,
                )
    else:
        expect(made.returncode == 0, made.stderr)
    files = sorted(SCENARIOS.glob("*/**/*.jsonl"))
    for messages_app in "UnicornChat", "Hairdressers":
        mine = [file for file in files if ("hairdressers" in str(file)) == (messages_app == "Hairdressers")]
        done = cluster.run(
            *["test", *mine, "--prefix", "domains", "--data", cluster.directory / "var-domains"],
            config="recorder",
            timeout=600,
            INTENTD_MESSAGES_APP=messages_app,
        )
        last = (done.stdout.strip().splitlines() or [""])[-1]
        expect(done.returncode == 0, f"{last}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
        print(f"     {messages_app}: {last}", flush=True)


@judge
def the_log_keeps_its_promises_over_tls_and_sasl(cluster):
    """The conformance suite's own command, twice: with a super user's certificate, and with their password."""
    if not cluster.options.conformance:
        print("     no --conformance command was given", flush=True)
        return
    for settings in cluster.tls("broker"), cluster.sasl("admin"):
        properties = cluster.directory / "suite.properties"
        brokers = settings.pop("bootstrap.servers")
        properties.write_text("".join(f"{name}={value}\n" for name, value in settings.items()))
        environment = os.environ | {
            "INTENTD_TEST_BROKERS": brokers,
            "INTENTD_TEST_KAFKA_PROPERTIES": str(properties),
        }
        done = subprocess.run(
            cluster.options.conformance, shell=True, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=900
        )
        text = done.stdout + done.stderr
        expect(done.returncode == 0, f"{settings['security.protocol']}: {text[-3000:]}")
        passed = [line for line in text.splitlines() if "Test run with" in line and "passed" in line]
        expect(passed, f"nothing says how many tests ran: {text[-1000:]}")
        cases = re.findall(r"with (\d+) test cases passed", text)
        expect(cases and int(cases[0]) > 20, f"{cases} checks ran: {text[-1000:]}")
        print(f"     {settings['security.protocol']}: {cases[0]} checks of the conformance suite", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--intentd", required=True, type=pathlib.Path, help="the program")
    parser.add_argument("--conformance", help="a command that runs the log's conformance suite")
    parser.add_argument("--only", help="only judges whose names contain this")
    parser.add_argument("--keep", action="store_true", help="leave the files there")
    options = parser.parse_args()
    options.intentd = options.intentd.resolve()
    home = os.environ.get("KAFKA_HOME")
    if not home:
        print("SKIP secure.py: KAFKA_HOME names no Kafka")
        return 0
    if not (pathlib.Path(home) / "bin/kafka-storage.sh").exists():
        print(f"KAFKA_HOME={home} has no bin/kafka-storage.sh", file=sys.stderr)
        return 1
    cluster = Cluster(options)
    try:
        cluster.follow_guide()
        passed, failed = run(JUDGES, options.only, lambda one: one(cluster))
        print(f"{passed} passed, {failed} failed")
        return 1 if failed or not passed else 0
    finally:
        cluster.close()


if __name__ == "__main__":
    sys.exit(main())

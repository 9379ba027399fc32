"""Metrics, health and alerts as operators see them: promtool and a Prometheus of our own.

  metrics.py --intentd PROGRAM [--only WORD]

Prometheus' figures are compared with the records; a killed broker must be noticed in time.
"""

import json
import os
import pathlib
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request

from judging import Program, expect, free_port, judge_with, until

ROOT = pathlib.Path(__file__).resolve().parents[2]
REQUESTS = 300
JUDGES = []


def judge(made):
    JUDGES.append(made)
    return made


def get(url):
    """The status and text of a page; none when there is no answer."""
    try:
        with urllib.request.urlopen(url, timeout=10) as reply:
            return reply.status, reply.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()
    except OSError:
        return None, ""


class Process:
    """A program that ends with its test."""

    def __init__(self, *words, log, environment={}):
        self.log = open(log, "wb")
        self.words = words
        self.process = Program(
            words, stdout=self.log, stderr=self.log, cwd=ROOT, env={**os.environ, **environment}
        )

    def end(self, how=signal.SIGTERM):
        if self.process.poll() is None:
            self.process.send_signal(how)
        self.process.wait(30)
        self.log.close()


class Watched:
    """A deployment with metrics, and with requests that were answered."""

    def __init__(self, intentd):
        self.intentd = intentd
        self.directory = tempfile.mkdtemp(prefix="intentd-metrics-")
        self.port, self.broker_port = free_port(), free_port()
        self.brokers = f"127.0.0.1:{self.broker_port}"
        self.address = f"127.0.0.1:{self.port}"
        self.data = f"{self.directory}/data"
        self.start_broker()
        self.call("topics", "create", "--partitions", "4")
        self.up = Process(
            intentd, "up", "--data", self.data, "--brokers", self.brokers, log=f"{self.directory}/up.log",
            environment={"INTENTD_MONITORING_LISTEN": self.address},
        )
        said = self.ready(200, 60)
        expect("ok: broker: answers" in said and "ok: store: accepts writes" in said, said)
        self.ask()

    def start_broker(self):
        self.broker = Process(
            self.intentd, "broker", "--listen", self.brokers, "--data", f"{self.directory}/broker",
            log=f"{self.directory}/broker.log",
        )
        until(lambda: self.call("topics", "list", check=False).returncode == 0, 30, "the broker does not answer")

    def call(self, *words, text=None, check=True):
        done = subprocess.run(
            [self.intentd, *words, "--brokers", self.brokers, "--data", self.data],
            input=text, capture_output=True, text=True, cwd=ROOT,
        )
        expect(not check or done.returncode == 0, f"{' '.join(words)}: {done.returncode} {done.stderr}")
        return done

    def ready(self, status, seconds):
        """Waits until /readyz answers like that, and returns its text."""
        said = []

        def asked():
            said[:] = [get(f"http://{self.address}/readyz")]
            return said[0][0] == status

        until(asked, seconds, f"/readyz is not {status}: {said}")
        return said[0][1]

    def ask(self):
        """Sends requests, one of an unsupported intent and one that is no event, and waits for their ends."""
        lines = [
            {"type": "intent.requested", "subject": f"i{i}", "data": {
                "intent": {"name": "BookRestaurantTable", "parameters": {"restaurant": "x"}},
                "user": {"id": f"u{i % 20}"}, "expiresAt": "2020-01-01T00:00:00Z"}}
            for i in range(REQUESTS - 1)
        ]
        lines.append({"type": "intent.requested", "subject": "none", "data": {
            "intent": {"name": "Nobody\"s\n"}, "user": {"id": "anna"}}})
        self.call("produce", "-", text="".join(json.dumps(line) + "\n" for line in lines))
        self.records("SELECT count(*) FROM interactions WHERE ended_at IS NOT NULL", REQUESTS)

    def records(self, query, wanted):
        def count():
            try:
                with sqlite3.connect(f"file:{self.data}/records.sqlite?mode=ro", uri=True) as records:
                    return records.execute(query).fetchone()[0] == wanted
            except sqlite3.OperationalError:
                return False

        until(count, 60, f"not {wanted} of {query}")

    def close(self):
        for process in (self.up, self.broker):
            process.end()
        shutil.rmtree(self.directory, ignore_errors=True)


def promtool(*words, text=None):
    done = subprocess.run(["promtool", *words], input=text, capture_output=True, text=True, cwd=ROOT)
    return done.returncode, done.stdout + done.stderr


@judge
def the_text_is_as_prometheus_wants_it(watched):
    status, text = get(f"http://{watched.address}/metrics")
    expect(status == 200, f"{status}")
    code, said = promtool("check", "metrics", text=text)
    expect((code, said) == (0, ""), f"promtool check metrics: {code} {said}")
    expect("Nobody" not in text and "anna" not in text, "what a client has made up is a label")


@judge
def rules_and_their_tests_hold(watched):
    for words in (["check", "rules", "config/prometheus/alerts.yaml"],
                  ["check", "config", "config/prometheus/prometheus.yaml"],
                  ["test", "rules", "config/prometheus/alerts_test.yaml"]):
        code, said = promtool(*words)
        expect(code == 0, f"promtool {' '.join(words)}: {said}")


@judge
def a_prometheus_has_the_figures_of_the_records(watched):
    port = free_port()
    config = json.dumps({
        "global": {"scrape_interval": "1s"},
        "rule_files": [str(ROOT / "config/prometheus/alerts.yaml")],
        "scrape_configs": [{"job_name": "intentd", "static_configs": [{"targets": [watched.address]}]}],
    })
    file = f"{watched.directory}/prometheus.yaml"
    pathlib.Path(file).write_text(config)
    prometheus = Process(
        "prometheus", f"--config.file={file}", f"--storage.tsdb.path={watched.directory}/tsdb",
        f"--web.listen-address=127.0.0.1:{port}", log=f"{watched.directory}/prometheus.log",
    )

    def query(text):
        status, answer = get(f"http://127.0.0.1:{port}/api/v1/query?" + urllib.parse.urlencode({"query": text}))
        # 503 as long as it starts.
        expect(status in (200, 503, None), f"{text}: {status} {answer}")
        return json.loads(answer)["data"]["result"] if status == 200 else []

    def value(text):
        result = query(text)
        return float(result[0]["value"][1]) if result else None

    try:
        until(lambda: value('up{job="intentd"}') == 1, 30, "it is not scraped")
        for text, wanted in [
            ("sum(intentd_interactions_ended_total)", REQUESTS),
            ('sum(intentd_turns_total{intent="unsupported"})', 1),
            ("sum(intentd_dead_letters_total)", None),
            ("sum(intentd_consumer_lag > 4 * 10 * 4)", None),
            ("min(intentd_lane_ready)", 1),
            # All were answered.
            ("intentd_interactions_open", 0),
            # What a stage knows of the interactions that have ended.
            ('sum(intentd_state_entries{stage="resolve"}) > bool 0', 1),
            ("sum(intentd_state_memory / intentd_state_entries > bool 1) > bool 0", 1),
        ]:
            until(lambda: value(text) == wanted, 30, f"{text} is {value(text)}, not {wanted}")
        # Turns that were counted are the turns that were journaled.
        turns = int(value("sum(intentd_turns_total)"))
        watched.records("SELECT count(*) FROM turns", turns)
        dashboard = json.loads((ROOT / "config/grafana/intentd.json").read_text())
        for panel in dashboard["panels"]:
            for target in panel["targets"]:
                query(target["expr"])
    finally:
        prometheus.end()


@judge
def a_broker_that_is_killed_is_seen_and_its_return_too(watched):
    expect(watched.call("lag").returncode == 0, "lag")
    file, tail_file = (pathlib.Path(f"{watched.directory}/{name}.log") for name in ("up", "tail"))
    before = len(file.read_text())
    # A command that waits has no monitor.
    tail = Process(
        watched.intentd, "tail", "--from-beginning", "--brokers", watched.brokers, "--data", watched.data, log=tail_file
    )
    until(lambda: tail_file.read_text(), 30, "tail shows nothing")
    watched.broker.end(signal.SIGKILL)
    said = watched.ready(503, 40)
    expect("NOT OK: broker" in said, said)
    status = subprocess.run([watched.intentd, "status", watched.address], capture_output=True, text=True, cwd=ROOT)
    expect(status.returncode == 1 and "NOT OK: broker" in status.stdout, f"{status}")
    expect(get(f"http://{watched.address}/livez")[0] == 200, "a broker that is away is no reason to restart")
    # One failed check may be a restart of one of several brokers: the second one is reported.
    until(lambda: "Broker does not respond" in file.read_text(), 60, "no line says that the broker has gone")
    until(lambda: "the broker does not answer" in tail_file.read_text(), 60, "tail does not say that the broker has gone")
    # Sessions time out, and clients try to connect again and again.
    time.sleep(20)
    watched.start_broker()
    watched.ready(200, 180)
    until(lambda: "Broker responds again" in file.read_text(), 30, "no line says that it is back")
    until(lambda: "the broker answers again" in tail_file.read_text(), 60, "tail does not say that it is back")
    tail.end(signal.SIGTERM)
    # Of all that is logged, one line is about the broker's going and one about its return.
    lines = [line for line in file.read_text()[before:].splitlines() if " INFO " not in line]
    expect(len(lines) == 2, f"not one line each: {lines}")
    expect("WARNING  Broker does not respond" in lines[0] and "Connection refused" in lines[0], lines[0])
    expect("NOTICE  Broker responds again" in lines[1], lines[1])
    said = [line for line in tail_file.read_text().splitlines() if line.startswith("intentd: ")]
    expect([line.split(": ")[1] for line in said] == ["the broker does not answer", "the broker answers again"], f"{said}")


if __name__ == "__main__":
    judge_with(Watched, JUDGES, __doc__)

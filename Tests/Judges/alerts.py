"""Every alert, with a real Prometheus: its fault is made and it fires in time; without the fault it does not.

  alerts.py --intentd PROGRAM [--only WORD]

PROGRAM is that of Tests/Examples/Hazards: intentd with a handler that ends its process for users named `killer…`. The rules
are those of config/prometheus/alerts.yaml, at a tenth of their times (`for`, ranges, ages) and at hundredths of their
counts, so that a fault need not last for minutes. What intentd itself needs to notice a fault is not shortened.
"""

import base64
import http.server
import json
import os
import pathlib
import re
import resource
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import threading
import time
import urllib.error
import urllib.request

import yaml
from confluent_kafka import Consumer, Producer

from judging import Program, expect, free_port, judge_with, until
from metrics import ROOT, get

#: Times of the rules are divided by this.
FACTOR = 10
#: The thresholds of counts, and what they become.
COUNTS = {"> 10000": "> 100", "> 1000": "> 20"}
#: Thresholds of ages, in seconds.
AGES = {"> 120": f"> {120 // FACTOR}", "< 300": f"< {300 // FACTOR}"}
#: Seconds within which intentd notices: two checks of broker or store with their time-outs; a session that ends.
CHECK, SESSION = 15, 20
#: Seconds for Prometheus to scrape and evaluate, and for a busy machine.
SLACK = 10
WORKERS = ("resolve", "confirm", "handle", "record")
PROCESSES = (*WORKERS, "gateway")
JUDGES = []
DEFINITIONS = """
intents:
  - name: Lunch
    confirmation: never
    handler:
      service:
        url: http://127.0.0.1:{port}/
        timeout: PT{timeout}S
        calls: [handle]
        retry: {{attempts: 1000, first: PT0.1S, factor: 1, longest: PT0.5S, within: PT1H, on: [connection, timeout, 503]}}
    parameters: [{{name: how, type: string, required: true}}]
  - name: Patience
    confirmation: never
    handler: {{service: {{url: "http://127.0.0.1:{port}/", timeout: PT40S, calls: [handle]}}}}
    parameters: [{{name: how, type: string, required: true}}]
  - name: Letter
    confirmation: never
    handler:
      service: {{url: "http://127.0.0.1:{port}/", timeout: PT2S, calls: [handle, lookup], retry: {{attempts: 2, first: PT0.1S, within: PT5S}}}}
    parameters: [{{name: how, type: string, required: true}}]
"""


def judge(made):
    JUDGES.append(made)
    return made


def seconds(duration):
    """The seconds of a duration in a rule; 0 without one."""
    found = re.fullmatch(r"(\d+)([sm])", duration or "0s")
    return int(found[1]) * {"s": 1, "m": 60}[found[2]]


def scaled(text):
    """The rules with times and counts that fit a test."""
    rules = yaml.safe_load(text)
    for rule in rules["groups"][0]["rules"]:
        if "for" in rule:
            rule["for"] = f"{seconds(rule['for']) * 1000 // FACTOR}ms"
        words = rule["expr"].replace("5m", f"{300 // FACTOR}s")
        for old, new in {**COUNTS, **AGES}.items():
            words = re.sub(re.escape(old) + r"\b", new, words)
        rule["expr"] = words
    return rules


RULES = {rule["alert"]: rule for rule in yaml.safe_load((ROOT / "config/prometheus/alerts.yaml").read_text())["groups"][0]["rules"]}


class Kitchen(http.server.ThreadingHTTPServer):
    """A service that does what a request's parameter `how` says."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self):
        self.asked = []
        #: Whether it answers the webhook.
        self.takes_events = True
        self.closing = threading.Event()
        kitchen = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                if self.path == "/hook":
                    self.rfile.read(int(self.headers["Content-Length"]))
                    self.send_response(204 if kitchen.takes_events else 503)
                    self.end_headers()
                    return
                asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                how = asked["intent"]["parameters"]["how"]
                kitchen.asked.append((how, time.monotonic()))
                status, body = 200, {"code": "success"}
                if self.path.endswith("/lookup"):
                    body = {"outcome": "unknown"}
                elif how == "slow":
                    kitchen.closing.wait(2)
                elif how in ("hang", "wait"):
                    kitchen.closing.wait(35)
                elif how == "refuse":
                    status, body = 400, {}
                elif how == "stumble" and sum(one == how for one, _ in kitchen.asked) == 1 or how == "lose":
                    status, body = 503, {}
                reply = json.dumps(body).encode()
                try:
                    self.send_response(status)
                    self.send_header("Content-Length", str(len(reply)))
                    self.end_headers()
                    self.wfile.write(reply)
                except OSError:
                    pass

            def log_message(self, *words):
                pass

        super().__init__(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.serve_forever, daemon=True).start()


class Watched:
    """A worker for each stage, a recorder, a gateway, a broker, and a Prometheus that scrapes them all."""

    def __init__(self, intentd):
        self.intentd = intentd
        self.directory = tempfile.mkdtemp(prefix="intentd-alerts-")
        self.data = f"{self.directory}/data"
        self.brokers = f"127.0.0.1:{free_port()}"
        self.ports = {name: free_port() for name in PROCESSES}
        self.door = f"127.0.0.1:{free_port()}"
        self.kitchen = Kitchen()
        self.definitions = f"{self.directory}/kitchen.yaml"
        pathlib.Path(self.definitions).write_text(DEFINITIONS.format(port=self.kitchen.server_address[1], timeout=3))
        self.config = pathlib.Path(f"{self.directory}/intentd.yaml")
        self.config.write_text("prompts: {timeout: 5m}\n")
        self.processes, self.supervised, self.closing = {}, set(), threading.Event()
        self.fired, self.lock = {}, threading.Lock()
        # Crashes are what is tested: nobody needs their memory.
        self.core = resource.getrlimit(resource.RLIMIT_CORE)
        resource.setrlimit(resource.RLIMIT_CORE, (0, self.core[1]))
        self.start_broker()
        self.call("topics", "create", "--partitions", "4")
        for name in PROCESSES:
            self.start(name)
        for name in PROCESSES:
            until(lambda: self.ready(name)[0] == 200, 60, f"{name} is not ready: {self.ready(name)}")
        self.start_prometheus()
        threading.Thread(target=self.supervise, daemon=True).start()
        threading.Thread(target=self.look, daemon=True).start()

    # Processes

    def begin(self, name, *words, environment={}):
        log = open(f"{self.directory}/{name}.log", "ab")
        self.processes[name] = Program(
            words, stdout=log, stderr=log, cwd=self.directory, may_crash=name == "handle",
            env={**os.environ, "INTENTD_CONSOLE_LISTEN": "none", **environment},
        )
        log.close()

    def start_broker(self):
        self.begin("broker", self.intentd, "broker", "--listen", self.brokers, "--data", f"{self.directory}/broker")
        until(lambda: self.call("topics", "list", check=False).returncode == 0, 60, "the broker does not answer")

    def start(self, name):
        words, settings = ("work", name, "--name", name), {}
        if name == "gateway":
            words = ("gateway", "--listen", self.door)
            settings = {
                "INTENTD_GATEWAY_WEBHOOKS_URL": f"http://127.0.0.1:{self.kitchen.server_address[1]}/hook",
                "INTENTD_GATEWAY_WEBHOOKS_SECRETS": "env:WEBHOOK_SECRET",
                "WEBHOOK_SECRET": "whsec_" + base64.b64encode(bytes(32)).decode(),
            }
        self.begin(
            name, self.intentd, *words, "--brokers", self.brokers, "--data", self.data,
            "--definitions", self.definitions, "--config", str(self.config),
            environment={
                "INTENTD_MONITORING_LISTEN": f"127.0.0.1:{self.ports[name]}", "INTENTD_READING_STALLED_AFTER": "5s",
                **settings,
            },
        )
        self.supervised.add(name)

    def supervise(self):
        """Restarts workers that end by themselves, as systemd does."""
        while not self.closing.wait(0.2):
            for name in list(self.supervised):
                if self.processes[name].poll() is not None and name in self.supervised:
                    self.start(name)

    def stop(self, name, how):
        self.supervised.discard(name)
        self.processes[name].send_signal(how)
        self.processes[name].wait(60)

    def start_prometheus(self):
        self.prometheus = f"127.0.0.1:{free_port()}"
        rules, config = f"{self.directory}/alerts.yaml", f"{self.directory}/prometheus.yaml"
        pathlib.Path(rules).write_text(yaml.safe_dump(scaled((ROOT / "config/prometheus/alerts.yaml").read_text())))
        targets = [{"targets": [f"127.0.0.1:{port}"], "labels": {"worker": name}} for name, port in self.ports.items()]
        pathlib.Path(config).write_text(yaml.safe_dump({
            "global": {"scrape_interval": "500ms", "scrape_timeout": "500ms", "evaluation_interval": "500ms"},
            "rule_files": [rules],
            "scrape_configs": [{"job_name": "intentd", "static_configs": targets}],
        }))
        self.begin(
            "prometheus", "prometheus", f"--config.file={config}", f"--storage.tsdb.path={self.directory}/tsdb",
            f"--web.listen-address={self.prometheus}",
        )
        until(lambda: get(f"http://{self.prometheus}/-/ready")[0] == 200, 30, "Prometheus does not start")

    def call(self, *words, text=None, check=True):
        done = subprocess.run(
            [self.intentd, *words, "--brokers", self.brokers, "--data", self.data],
            input=text, capture_output=True, text=True, cwd=self.directory,
        )
        expect(not check or done.returncode == 0, f"{' '.join(words)}: {done.returncode} {done.stdout} {done.stderr}")
        return done

    def log(self, name):
        return pathlib.Path(f"{self.directory}/{name}.log").read_text()

    def ready(self, name):
        return get(f"http://127.0.0.1:{self.ports[name]}/readyz")

    def ask(self, intent, how, users):
        """Requests of so many users."""
        lines = [
            json.dumps({"type": "intent.requested", "subject": f"{how}-{user}-{time.monotonic_ns()}", "data": {
                "intent": {"name": intent, "parameters": {"how": how} if how else {}}, "user": {"id": user}}})
            for user in users
        ]
        self.call("produce", "-", text="\n".join(lines) + "\n")

    def knock(self, seconds):
        """Sends requests to the gateway for a while; the statuses of its responses."""
        statuses, end = [], time.monotonic() + seconds
        while time.monotonic() < end and not self.closing.wait(0.2):
            asked = urllib.request.Request(f"http://{self.door}/v1/signed-in", b"", method="POST")
            try:
                with urllib.request.urlopen(asked, timeout=20) as response:
                    statuses.append(response.status)
            except urllib.error.HTTPError as refused:
                statuses.append(refused.code)
        return statuses

    # Alerts

    def alerts(self):
        status, text = get(f"http://{self.prometheus}/api/v1/alerts")
        return json.loads(text)["data"]["alerts"] if status == 200 else []

    def look(self):
        """Keeps when each alert began to fire."""
        while not self.closing.wait(0.1):
            for alert in self.alerts():
                if alert["state"] == "firing":
                    with self.lock:
                        self.fired.setdefault(alert["labels"]["alertname"], time.monotonic())

    def forget(self):
        with self.lock:
            self.fired.clear()

    def firing(self):
        return {alert["labels"]["alertname"] for alert in self.alerts() if alert["state"] == "firing"}

    def calm(self, *accepted, limit=60):
        """Waits until nothing fires but these."""
        until(lambda: self.firing() <= set(accepted), limit, f"still firing: {self.firing()}")
        self.forget()

    def fires(self, name, began, notice, least=0):
        """Waits for an alert, which must not come before its time, nor too late."""
        wait = seconds(RULES[name].get("for")) / FACTOR
        limit = notice + wait + SLACK
        until(lambda: name in self.fired, max(0.1, began + limit - time.monotonic()), f"{name} does not fire within {limit:.0f} s")
        after = self.fired[name] - began
        print(f"  {name}: after {after:.1f} s (limit {limit:.0f} s)", flush=True)
        expect(after >= max(wait, least), f"{name} fires after {after:.1f} s, before its time of {max(wait, least):.1f} s")
        JUDGED.add(name)

    def close(self):
        self.closing.set()
        self.supervised.clear()
        self.kitchen.closing.set()
        for process in reversed(self.processes.values()):
            if process.poll() is None:
                process.kill()
                process.wait(30)
        shutil.rmtree(self.directory, ignore_errors=True)
        resource.setrlimit(resource.RLIMIT_CORE, self.core)


#: The alerts whose faults were made.
JUDGED = set()


@judge
def nothing_fires_without_a_fault(watched):
    """Also not for what is nearly one: a slow handler, a try that fails, a restart, a second recorder that is on standby."""
    watched.ask("Lunch", "well", [f"u{number}" for number in range(50)])
    watched.ask("Lunch", "slow", ["sally"])
    watched.ask("Lunch", "stumble", ["steve"])
    watched.begin(
        "second", watched.intentd, "work", "record", "confirm", "--name", "second", "--instances", "16",
        "--brokers", watched.brokers, "--data", watched.data, "--definitions", watched.definitions,
        environment={"INTENTD_MONITORING_LISTEN": "none"},
    )
    until(lambda: sum(how == "stumble" for how, _ in watched.kitchen.asked) == 2, 30, "it is not tried again")
    time.sleep(max(seconds(rule.get("for")) for rule in RULES.values()) / FACTOR + 5)
    expect(not watched.fired, f"{sorted(watched.fired)} fire although nothing is wrong")
    expect("Only 4 of 16 lanes of a stage can work" in watched.log("second"), "nothing says that there are too many lanes")
    watched.stop("second", signal.SIGUSR1)
    # A restarted worker remains a member: its stage has not lost its consumers.
    watched.stop("confirm", signal.SIGTERM)
    watched.start("confirm")
    until(lambda: watched.ready("confirm")[0] == 200, 60, "confirm is not ready again")
    time.sleep(3)
    expect("IntentdNoConsumers" not in watched.fired, "a restart counts as a stage without consumers")
    watched.calm()


@judge
def a_configuration_that_is_changed(watched):
    """Workers say it, and show with what they run."""
    words = ["config", "show", "--running", "--config", str(watched.config), "--definitions", watched.definitions]
    said = watched.call(*words).stdout
    expect("prompts.timeout" not in said, f"it differs before the change: {said}")
    watched.config.write_text("prompts: {timeout: 6m}\n")
    until(lambda: "Files have changed since they were loaded" in watched.log("handle"), 20, "nothing says that it has changed")
    said = watched.call(*words).stdout
    for name in WORKERS:
        expect(re.search(rf"^{name} +prompts.timeout +5m +6m$", said, re.M), f"{name} is not shown: {said}")
    watched.config.write_text("prompts: {timeout: 5m}\n")


@judge
def handlers_that_fail(watched):
    began = time.monotonic()
    watched.ask("Lunch", "hang", ["hanna"])
    watched.ask("Lunch", "refuse", ["rob"])
    watched.ask("Letter", "lose", ["lena"])
    watched.ask("Patience", "wait", [f"w{number}" for number in range(30)])
    producer = Producer({"bootstrap.servers": watched.brokers})
    producer.produce("intents.requests", value=b"not json", headers={"ce_type": b"intent.requested"}, partition=0)
    expect(producer.flush(10) == 0, "nothing was written")
    watched.fires("IntentdDeadLetters", began, 5)
    watched.fires("IntentdHandlerFails", began, 5)
    watched.fires("IntentdOperatorAsked", began, 15)
    # Each attempt of the service that hangs ends after three seconds: the age counts from the first one.
    watched.fires("IntentdHandlerHangs", began, 120 / FACTOR + 5, least=120 / FACTOR)
    tries = sum(how == "hang" for how, _ in watched.kitchen.asked)
    expect(tries >= 3, f"the service that hangs was tried {tries} times")
    watched.fires("IntentdTurnsPile", began, 5)
    watched.kitchen.closing.set()
    time.sleep(1)
    watched.kitchen.closing.clear()


@judge
def a_handler_that_crashes_its_process_at_once(watched):
    watched.calm("IntentdDeadLetters", "IntentdHandlerFails", "IntentdOperatorAsked", "IntentdHandlerHangs", "IntentdTurnsPile")
    began = time.monotonic()
    watched.ask("DefuseIntent", None, ["killer-1"])
    watched.fires("IntentdCrashed", began, 30)
    until(lambda: "crashed" in watched.call("dead-letters", "list").stdout, 60, "the turn does not end")
    until(lambda: watched.ready("handle")[0] == 200, 60, "handle is not ready again")


@judge
def a_store_that_takes_no_writes(watched):
    held = sqlite3.connect(f"{watched.data}/store.sqlite", isolation_level=None)
    held.execute("BEGIN IMMEDIATE")
    began = time.monotonic()
    watched.fires("IntentdStoreRefuses", began, CHECK)
    said = watched.ready("handle")[1]
    expect("NOT OK: store" in said and "ok: broker: answers" in said, f"the store is not named, or the broker is: {said}")
    held.execute("ROLLBACK")
    held.close()


@judge
def a_stage_that_nobody_reads(watched):
    watched.forget()
    began = time.monotonic()
    watched.stop("confirm", signal.SIGUSR1)
    watched.ask("Lunch", "well", [f"v{number}" for number in range(150)])
    watched.fires("IntentdNoConsumers", began, CHECK)
    watched.fires("IntentdFallsBehind", began, CHECK)
    watched.fires("IntentdProcessGone", began, 1)
    done = watched.call("status", check=False)
    expect(
        done.returncode == 1 and "NOT OK: intents.confirm: no consumers" in done.stdout,
        f"status: {done.returncode} {done.stdout}",
    )
    for name in ("resolve", "handle", "record", "gateway"):
        expect(f"127.0.0.1:{watched.ports[name]}" in done.stdout, f"status does not find {name}: {done.stdout}")
    expect(f":{watched.ports['confirm']}" not in done.stdout, f"status shows a process that has ended: {done.stdout}")
    watched.start("confirm")
    until(lambda: watched.ready("confirm")[0] == 200, 60, "confirm is not ready again")
    until(lambda: watched.call("status", check=False).returncode == 0, 60, watched.call("status", check=False).stdout)


@judge
def a_webhook_that_takes_nothing(watched):
    watched.forget()
    watched.kitchen.takes_events = False
    began = time.monotonic()
    watched.ask("Lunch", "well", ["wanda"])
    # The gateway measures the age every five seconds.
    watched.fires("IntentdWebhookFallsBehind", began, 120 / FACTOR + 5, least=120 / FACTOR)
    watched.kitchen.takes_events = True
    until(lambda: "IntentdWebhookFallsBehind" not in watched.firing(), 60, "the alert stays although the webhook answers")


@judge
def a_webhook_whose_group_another_program_uses(watched):
    """The gateway posts nothing, and says so; it answers requests nevertheless."""
    watched.forget()
    watched.stop("gateway", signal.SIGTERM)
    assigned = threading.Event()
    stranger = Consumer({
        "bootstrap.servers": watched.brokers, "group.id": "intents.webhooks", "partition.assignment.strategy": "roundrobin",
    })  # fmt: skip
    stranger.subscribe(["intents.responses"], on_assign=lambda *_: assigned.set())
    until(lambda: stranger.poll(0.1) is None and assigned.is_set(), 30, "the other program gets no partition")
    began = time.monotonic()
    watched.start("gateway")
    watched.fires("IntentdWebhookNotReady", began, SESSION)
    status, said = watched.ready("gateway")
    expect(status == 200 and "\nNOT OK: webhooks: " in said, f"/readyz: {status} {said}")
    statuses = watched.knock(1)
    expect(set(statuses) == {202}, f"the gateway answered {statuses}")
    figures = get(f"http://127.0.0.1:{watched.ports['gateway']}/metrics")[1]
    expect("\nintentd_gateway_webhooks_oldest_age_seconds " not in figures, "an age is exported that nobody knows")
    stranger.close()
    until(lambda: "\nok: webhooks: ready" in watched.ready("gateway")[1], 60, "the webhook does not recover")
    until(lambda: "IntentdWebhookNotReady" not in watched.firing(), 60, "the alert stays although the gateway posts")


@judge
def a_recorder_that_is_killed(watched):
    watched.forget()
    watched.stop("record", signal.SIGKILL)
    began = time.monotonic()
    watched.fires("IntentdRecorderGone", began, 5)
    watched.start("record")
    until(lambda: watched.ready("record")[0] == 200, 60, "record is not ready again")


@judge
def a_transaction_that_stays_open(watched):
    watched.forget()
    producer = Producer({"bootstrap.servers": watched.brokers, "transactional.id": "a-stranger", "transaction.timeout.ms": 15_000})
    producer.init_transactions(10)
    producer.begin_transaction()
    producer.produce("intents.requests", value=b"{}", headers={"ce_type": b"intent.requested"}, partition=1)
    expect(producer.flush(10) == 0, "nothing was written")
    began = time.monotonic()
    watched.fires("IntentdLaneStalled", began, 10)


@judge
def a_broker_that_is_killed(watched):
    until(lambda: all(watched.ready(name)[0] == 200 for name in PROCESSES), 60, "not all are ready")
    statuses = watched.knock(2)
    expect(set(statuses) == {202}, f"the gateway answered {statuses}")
    watched.calm("IntentdDeadLetters", "IntentdHandlerFails", "IntentdOperatorAsked", "IntentdCrashed")
    watched.stop("broker", signal.SIGKILL)
    began = time.monotonic()
    watched.fires("IntentdBrokerAway", began, CHECK)
    watched.fires("IntentdLaneNotReady", began, SESSION)
    began = time.monotonic()
    knocking = threading.Thread(target=watched.knock, args=(30,), daemon=True)
    knocking.start()
    # A request waits for Kafka before it is answered with 503.
    watched.fires("IntentdGatewayFails", began, 10)
    expect("IntentdStoreRefuses" not in watched.fired, "the store is blamed for the broker")
    expect("IntentdRecorderGone" not in watched.fired, "the recorder is blamed for the broker")
    said = watched.ready("handle")[1]
    expect("NOT OK: broker" in said and "ok: store" in said and "\nok: handle" not in said, said)
    expect("intentd_consumer_lag" not in get(f"http://127.0.0.1:{watched.ports['record']}/metrics")[1], "old lag is exported")
    done = watched.call("status", check=False)
    expect(done.returncode == 1 and "NOT OK: the brokers cannot be asked" in done.stdout, f"{done.returncode} {done.stdout}")
    watched.start_broker()
    knocking.join()
    for name in PROCESSES:
        until(lambda: watched.ready(name)[0] == 200, 120, f"{name} is not ready again")


@judge
def every_alert_was_judged(watched):
    expect(JUDGED == set(RULES), f"no fault was made for {sorted(set(RULES) - JUDGED)}")


if __name__ == "__main__":
    judge_with(Watched, JUDGES, __doc__)

#!/usr/bin/env python3
"""Events posted to a webhook that fails in every way, while its two gateways are killed.

    webhooks.py --intentd PATH [--only NAME]

The receiver answers 500 and 503, hangs, and drops connections, before and after it has taken an event. Each event that
is on the topics has to arrive, in order by user once repetitions are dropped, with the bytes that are in the topic and
with a signature by each secret. Then the receiver of the article runs as it is printed, and an event that a receiver
refuses is a dead letter, which an audit accepts.
"""

import base64
import collections
import contextlib
import hashlib
import hmac
import http.server
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request

import clients
from judging import Program, expect, free_port, judge_with, keep_crashes, until
from pipeline import ROOT

JUDGES = []
USERS = 12
REQUESTS = 240
DEFINITIONS = """
intents:
  - name: OrderLunch
    title: Order lunch
    confirmation: never
    parameters:
      - {name: dish, type: string, required: true, prompt: Which dish?}
    handler: {http: {url: "http://127.0.0.1:PORT/lunch"}}
"""
ARTICLE = ROOT / "Sources/Faces/IntentGateway/Documentation.docc/RunTheGateway.md"
#: What a receiver does with a post that it does not simply take.
TROUBLES = ["500", "503", "hang", "drop before", "drop after"]


def judge(run):
    JUDGES.append(run)
    return run


def secret():
    return "whsec_" + base64.b64encode(os.urandom(32)).decode()


class Server(http.server.ThreadingHTTPServer):
    """Answers posts, each by a function."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, answer):
        server = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                with contextlib.suppress(OSError):
                    server.answer(self, body)

            def reply(self, status, body=b"", **headers):
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name.replace("_", "-"), value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *words):
                pass

        self.answer = answer
        super().__init__(("127.0.0.1", 0), Handler)
        self.port = self.server_address[1]
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, request, client_address):
        pass


class Receiver:
    """Takes events, and makes trouble until `is_well`."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lock = threading.Lock()
        self.is_well = False
        #: Statuses by the interaction whose events get them.
        self.statuses = {}
        #: What was taken: (id, timestamp, signatures, body), in order.
        self.taken = []
        self.troubles = collections.Counter()
        self.server = Server(self.answer)

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server.port}/intents"

    def take(self, handler, body):
        with self.lock:
            headers = handler.headers
            self.taken.append(
                (headers["webhook-id"], headers["webhook-timestamp"], headers["webhook-signature"], body)
            )

    def answer(self, handler, body):
        for interaction, status in self.statuses.items():
            if f'"interaction":"{interaction}"'.encode() in body:
                handler.reply(status)
                return
        with self.lock:
            trouble = None if self.is_well or self.random.random() < 0.7 else self.random.choice(TROUBLES)
            self.troubles[trouble] += 1
        if trouble in ("500", "503"):
            handler.reply(int(trouble), **({"Retry_After": "1"} if trouble == "503" else {}))
        elif trouble == "hang":
            time.sleep(3)
            handler.close_connection = True
        elif trouble == "drop before":
            handler.close_connection = True
        else:
            self.take(handler, body)
            if trouble == "drop after":
                handler.close_connection = True
            else:
                handler.reply(204)

    def ids(self):
        with self.lock:
            return {one[0] for one in self.taken}


class House:
    """intentd with two gateways that post to a receiver."""

    def __init__(self, intentd):
        self.intentd = intentd
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="intentd-judge-"))
        self.address = f"127.0.0.1:{free_port()}"
        self.kitchen = Server(lambda handler, body: handler.reply(200, b"{}", Content_Type="application/json"))
        self.definitions = self.directory / "lunch.yaml"
        self.definitions.write_text(DEFINITIONS.replace("PORT", str(self.kitchen.port)))
        self.receiver = Receiver(7)
        self.secrets = [secret(), secret()]
        (self.directory / "second.secret").write_text(self.secrets[1] + "\n")
        self.configuration = self.directory / "gateway.yaml"
        self.configure(self.receiver.url)
        self.processes = []
        self.monitoring = [free_port(), free_port()]
        self.gateways = [None, None]
        self.up = self.start("up", "up", "--listen", self.address, environment={"INTENTD_GATEWAY_LISTEN": "none"})
        until(lambda: b"Ctrl-C" in (self.directory / "up.log").read_bytes(), 90, "up does not start")
        for number in (0, 1):
            self.start_gateway(number)
            self.wait_for_gateway(number)

    def configure(self, url):
        second = self.directory / "second.secret"
        self.configuration.write_text(
            f"gateway:\n  webhooks:\n    url: {url}\n    secrets: [{{env: FIRST_SECRET}}, {{file: {second}}}]\n"
            "    timeout: 1s\n    retryFor: 1h\n"
        )

    def environment(self, **more):
        return {**os.environ, "FIRST_SECRET": self.secrets[0], "INTENTD_DEFINITIONS": str(self.definitions), **more}

    def start(self, name, *words, environment={}):
        log = open(self.directory / f"{name}.log", "ab")
        process = Program(
            [self.intentd, *words, "--data", str(self.directory / name)],
            stdout=log, stderr=log, cwd=self.directory, env=self.environment(**environment),
        )  # fmt: skip
        self.processes.append(process)
        return process

    def start_gateway(self, number):
        listen = f"127.0.0.1:{self.monitoring[number]}"
        words = ["--brokers", self.address, "--listen", f"127.0.0.1:{free_port()}", "--config", str(self.configuration)]
        self.gateways[number] = self.start(
            f"gateway-{number}", "gateway", *words, environment={"INTENTD_MONITORING_LISTEN": listen}
        )

    def wait_for_gateway(self, number):
        def is_ready():
            # The webhook's group may form later than the gateway is ready.
            with contextlib.suppress(OSError):
                ready = urllib.request.urlopen(f"http://127.0.0.1:{self.monitoring[number]}/readyz", timeout=5)
                return b"\nok: webhooks: ready\n" in ready.read()

        until(is_ready, 60, f"gateway {number} is not ready")

    def kill(self, number):
        self.gateways[number].kill()
        self.gateways[number].wait()

    def restart_gateways(self):
        for number in (0, 1):
            self.gateways[number].terminate()
        for number in (0, 1):
            self.gateways[number].wait(timeout=30)
            self.start_gateway(number)
        for number in (0, 1):
            self.wait_for_gateway(number)

    def metric(self, name, label=""):
        """The sum of a metric over the gateways, of the series with that label."""
        total = 0
        for port in self.monitoring:
            text = urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=5).read().decode()
            lines = [line for line in text.splitlines() if line.startswith(name) and label in line]
            total += sum(float(line.rpartition(" ")[2]) for line in lines)
        return total

    def run(self, *words, text=None, status=0):
        done = subprocess.run(
            [self.intentd, *words, "--brokers", self.address], input=text, capture_output=True, text=True, timeout=120,
            cwd=self.directory, env=self.environment(),
        )  # fmt: skip
        expect(done.returncode == status, f"{' '.join(words)} ended with {done.returncode}: {done.stderr[-2000:]}")
        return done.stdout

    def produce(self, requests):
        """Writes requests: (id, user, parameters)."""
        lines = [
            json.dumps(
                {
                    "type": "intent.requested",
                    "subject": name,
                    "data": {"user": {"id": user}, "intent": {"name": "OrderLunch", "parameters": parameters}},
                }
            )
            for name, user, parameters in requests
        ]
        self.run("produce", "-", text="\n".join(lines) + "\n")

    def events(self):
        """What is on the topics: id of the post, user, value, in the order of each partition."""
        deployment = None
        for message in clients.read_all(self.address, "intents.state", seconds=60):
            if b"deployment/" in (message.key() or b"") and message.value():
                deployment = json.loads(message.value())["value"][:12]
        expect(deployment, "the state has no deployment")
        events = []
        for topic in ("responses", "user-activities"):
            for message in clients.read_all(self.address, f"intents.{topic}", seconds=60):
                place = f"{message.partition()}_{message.offset()}"
                events.append((f"evt_{deployment}_{topic}_{place}", message.key().decode(), message.value()))
        return events

    def settled(self):
        """The interactions that have ended, or whose prompt is open."""
        found = set()
        for message in clients.read_all(self.address, "intents.responses", seconds=60):
            headers = dict(message.headers() or [])
            if headers["ce_type"] == b"prompt.issued" or json.loads(message.value()).get("terminal"):
                found.add(headers["ce_subject"].decode())
        return found

    def close(self):
        keep_crashes()
        for process in self.processes:
            if process.poll() is None:
                process.kill()
            process.wait()
        shutil.rmtree(self.directory, ignore_errors=True)


def signatures(secrets, name, sent, body):
    def one(secret):
        key = base64.b64decode(secret.removeprefix("whsec_"))
        return "v1," + base64.b64encode(hmac.digest(key, f"{name}.{sent}.".encode() + body, hashlib.sha256)).decode()

    return " ".join(one(secret) for secret in secrets)


@judge
def every_event_arrives_in_order_by_user(house):
    receiver = house.receiver
    for part in range(3):
        house.produce(
            (f"i{part}-{number}", f"user-{number % USERS}", {"dish": "soup"} if number % 3 else {})
            for number in range(REQUESTS // 3)
        )
        # Each of them once, and both together, while events are posted.
        count = len(receiver.ids()) + 5
        until(lambda: len(receiver.ids()) >= count, 60, "no further events arrive")
        for number in ([0], [1], [0, 1])[part]:
            house.kill(number)
        for number in ([0], [1], [0, 1])[part]:
            house.start_gateway(number)
    # Each request ends, or asks which dish: then nothing more is written.
    waiting = {f"i{part}-{number}" for part in range(3) for number in range(REQUESTS // 3)}
    until(lambda: not waiting - house.settled(), 60, "requests wait for the stages")
    receiver.is_well = True
    events = house.events()
    wanted = {event[0] for event in events}

    def missing():
        return wanted - receiver.ids()

    until(lambda: not missing(), 60, f"of {len(wanted)} events {len(missing())} have not arrived")
    taken = list(receiver.taken)
    for name, sent, given, body in taken:
        expect(given == signatures(house.secrets, name, sent, body), f"{name} has another signature")
    by_id = {event[0]: event for event in events}
    order = collections.defaultdict(list)
    seen = set()
    for name, _, _, body in taken:
        if name in seen or name not in by_id:
            continue
        seen.add(name)
        _, user, value = by_id[name]
        expect(b'"data":' + value + b"," in body, f"{name} has other data than the topic: {body!r}")
        topic = name.split("_")[2]
        order[user, topic].append(name)
    for (user, topic), names in order.items():
        expected = [event[0] for event in events if event[1] == user and event[0].split("_")[2] == topic]
        expect(names == expected, f"{user} has {topic} in another order: {names}")
    expect(set(receiver.troubles) >= {*TROUBLES, None}, f"too little trouble: {receiver.troubles}")
    until(lambda: house.metric("intentd_gateway_webhooks_ready") == 2, 30, "not both gateways are ready")
    until(lambda: house.metric("intentd_gateway_webhooks_lag") == 0, 30, "the lag does not end")
    print(f"  {len(wanted)} events, {len(taken)} taken, {dict(receiver.troubles)}")


@judge
def a_refused_event_is_a_dead_letter(house):
    receiver = house.receiver
    receiver.is_well = True
    before = {event[0] for event in house.events()}
    receiver.statuses = {"refused-lunch": 410}
    house.produce([("refused-lunch", "dora", {"dish": "soup"}), ("taken-lunch", "dora", {"dish": "soup"})])
    until(lambda: len(house.events()) >= len(before) + 2, 30, "the stages do not answer")

    def letters():
        shown = house.run("dead-letters", "list", "--json", "--filter", "stage=webhooks")
        return [json.loads(line) for line in shown.splitlines()]

    found = until(letters, 30, "no dead letter")
    receiver.statuses = {}
    expect(len(found) == 1, f"{found}")
    expect(found[0]["error"] == "webhookFailed" and found[0]["interaction"] == "refused-lunch", f"{found}")
    expect(found[0]["detail"] == "the webhook answered 410", f"{found}")
    shown = json.loads(house.run("dead-letters", "show", found[0]["letter"], "--json"))
    expect(shown["type"] == "intent.responded" and shown["value"]["terminal"] is True, f"{shown}")
    new = {event[0] for event in house.events()} - before
    until(lambda: len(new & receiver.ids()) == len(new) - 1, 30, "the user's next event does not arrive")
    until(lambda: house.metric("intentd_dead_letters_total", 'stage="webhooks"') == 1, 30, "no dead letter is counted")
    house.run("audit", "verify", "--data", str(house.directory / "up"))
    redriven = house.run("dead-letters", "redrive", found[0]["letter"], "--json", "--config", str(house.configuration))
    expect(json.loads(redriven)["action"] == "posted", redriven)
    expect(new <= receiver.ids(), "a redrive does not post it")


@judge
def the_receiver_of_the_article_verifies_signatures(house):
    program = re.search(r"```python\n(import base64.*?)```", ARTICLE.read_text(), re.S).group(1)
    (house.directory / "receiver.py").write_text(program)
    port = free_port()
    output = open(house.directory / "receiver.log", "wb")
    receiver = Program(
        [sys.executable, str(house.directory / "receiver.py")], stdout=output, stderr=subprocess.DEVNULL,
        env={**os.environ, "WEBHOOK_SECRET": house.secrets[1], "PORT": str(port)},
    )  # fmt: skip
    house.processes.append(receiver)
    house.configure(f"http://127.0.0.1:{port}/")
    house.restart_gateways()
    house.produce([("printed-lunch", "emil", {"dish": "curry"})])
    printed = house.directory / "receiver.log"
    until(lambda: b"intent.responded printed-lunch" in printed.read_bytes(), 30, "the receiver prints nothing")

    def status(name, sent, signature, body=b"{}"):
        headers = {"webhook-id": name, "webhook-timestamp": str(sent), "webhook-signature": signature}
        try:
            return urllib.request.urlopen(urllib.request.Request(f"http://127.0.0.1:{port}/", body, headers)).status
        except urllib.error.HTTPError as error:
            return error.code

    now, other = int(time.time()), secret()
    expect(status("a", now, signatures([other], "a", now, b"{}")) == 401, "another secret's signature")
    expect(status("a", now - 3_600, signatures(house.secrets, "a", now - 3_600, b"{}")) == 401, "an old message")


if __name__ == "__main__":
    judge_with(House, JUDGES, __doc__)

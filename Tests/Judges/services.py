#!/usr/bin/env python3
"""The example of a service in Python, as intentd's users have it: checked, slow, killed, gone.

    services.py --intentd PATH [--only NAME]

Each judge starts `Tests/Examples/PythonService/lunch.py` behind a gate that records the traffic, and holds back answers
where the judge needs it. The exit status is 0 when nothing failed; the last line says how many passed.
"""

import argparse
import collections
import contextlib
import http.client
import http.server
import json
import os
import pathlib
import re
import signal
import socket
import sqlite3
import struct
import subprocess
import sys
import threading
import time

import confluent_kafka as ck
import jsonschema

from judging import Program, expect, free_port, run, until
from pipeline import House

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "Tests" / "Examples" / "PythonService"
JUDGES = []


def judge(run):
    JUDGES.append(run)
    return run


class Gate(http.server.ThreadingHTTPServer):
    """Sits in front of the service, records the traffic, and holds back answers."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, service_port):
        self.service_port = service_port
        self.said = []
        self.delay = 0.0
        self.held = threading.Event()
        super().__init__(("127.0.0.1", 0), self.Handler)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            headers = {name: self.headers[name] for name in ("Idempotency-Key", "Content-Type") if self.headers[name]}
            try:
                connection = http.client.HTTPConnection("127.0.0.1", self.server.service_port, timeout=10)
                connection.request("POST", self.path, body, headers)
                reply = connection.getresponse()
                answer = reply.read()
            except (OSError, http.client.HTTPException):
                # The service is dead: the connection breaks, as it would without the gate.
                self.close_connection = True
                return
            self.server.said.append((self.path, headers.get("Idempotency-Key"), body, reply.status, answer))
            if self.path == "/handle":
                self.server.held.set()
            time.sleep(self.server.delay)
            try:
                self.send_response(reply.status)
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)
            except OSError:
                pass

        def log_message(self, *words):
            pass


class Lunch(House):
    """A data directory, the service on it, and the gate in front of it."""

    def __init__(self, options):
        super().__init__(argparse.Namespace(**vars(options), brokers=None, definitions=None))
        self.service = None
        self.service_port = free_port()
        self.start_service()
        self.gate = Gate(self.service_port)
        definition = (EXAMPLE / "lunch.yaml").read_text().replace("8000", str(self.gate.server_address[1]))
        (self.directory / "lunch.yaml").write_text(definition)
        self.options.definitions = str(self.directory / "lunch.yaml")

    def start_service(self):
        log = open(self.directory / "service.log", "ab")
        self.service = Program(
            [sys.executable, str(EXAMPLE / "lunch.py"), str(self.service_port), str(self.directory / "lunch.db")],
            stdout=log,
            stderr=log,
        )

        def answers():
            with socket.socket() as probe:
                return probe.connect_ex(("127.0.0.1", self.service_port)) == 0

        until(answers, 20, "the service does not listen")

    def kill_service(self):
        self.service.send_signal(signal.SIGKILL)
        self.service.wait()

    def start_up(self):
        up = self.start("up", "--listen", self.address)
        until(lambda: self.run("lag", check=False).returncode == 0, 60, "up does not answer")
        return up

    def orders(self):
        """The keys under which something was ordered."""
        with sqlite3.connect(self.directory / "lunch.db") as database:
            return [key for (key,) in database.execute("SELECT key FROM orders")]

    def lunch(self, number):
        """What was ordered under that number."""
        with sqlite3.connect(self.directory / "lunch.db") as database:
            return json.loads(database.execute("SELECT lunch FROM orders WHERE rowid = ?", (number,)).fetchone()[0])

    def write(self, topic, value, key, headers, partition=-1):
        """Writes a record as any client can."""
        writer = ck.Producer({"bootstrap.servers": self.address, "partitioner": "murmur2_random", "linger.ms": 0})
        writer.produce(self.topic(topic), value, key=key, headers=list(headers), partition=partition)
        expect(writer.flush(30) == 0, f"nothing can be written to {topic}")

    def send(self, kind, user, data, subject, **headers):
        """Writes an event to `requests`."""
        all_headers = {"ce_type": kind, "ce_userid": user, "ce_subject": subject, **headers}
        self.write("requests", json.dumps({"user": {"id": user}} | data), user, all_headers.items())

    def responses(self, user, subject):
        """The types and data of what a user received about an interaction."""
        received = []
        for message in self.read_all("responses"):
            headers = {key: value.decode() for key, value in message.headers() or []}
            if headers.get("ce_userid") == user and headers.get("ce_subject") == subject:
                received.append((headers["ce_type"], json.loads(message.value())))
        return received

    def next(self, user, subject, count, seconds=60):
        """What the user receives as number `count` about the interaction, which is no notice that it takes longer."""

        def received():
            found = [one for one in self.responses(user, subject) if one[1].get("status") != "inProgress"]
            return found[count] if len(found) > count else None

        return until(received, seconds, f"{user} receives nothing about {subject}")

    def end(self, user, subject, seconds=60):
        """The terminal response."""

        def ended():
            return next((data for _, data in self.responses(user, subject) if data.get("terminal")), None)

        return until(ended, seconds, f"{subject} of {user} does not end")

    def start_test(self, scenarios):
        file = self.directory / "scenarios.jsonl"
        file.write_text("".join(json.dumps(one) + "\n" for one in scenarios))
        command = self.command("test", str(file), "--external-workers")
        return Program(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT)

    def check_replay(self):
        """A replay produces the same bytes and ends, and the records agree; the service is not called."""
        said = len(self.gate.said)
        done = self.run("replay")
        expect("Diverged 0, Incomparable 0, Missing 0, Error 0" in done.stdout, done.stdout)
        expect(not done.stdout.strip().endswith("Matched 0"), done.stdout)
        self.run("replay", "--shadow")
        self.run("audit", "verify")
        expect(len(self.gate.said) == said, "a replay has asked the service")

    def close(self):
        self.gate.shutdown()
        self.service.kill()
        self.service.wait()
        super().close()


def scenarios():
    return [json.loads(line) for line in (EXAMPLE / "lunch.jsonl").read_text().splitlines()]


def orders_of(count, user):
    """This many conversations that end with an order."""
    base = next(one for one in scenarios() if one["name"] == "everything-said")
    return [base | {"name": f"order-{number}", "user": f"{user}-{number}"} for number in range(count)]


def ended(test, seconds=150):
    out, err = test.communicate(timeout=seconds)
    expect(test.returncode == 0, f"scenarios ended with {test.returncode}: {out[-1000:]} {err[-2000:]}")


@judge
def is_checked(house):
    """`service check` finds nothing wrong; with another server, and without any, it says so."""
    url = f"http://127.0.0.1:{house.service_port}"
    values = ["--value", "restaurant=Luigi", "--value", "dishes=pasta", "--value", "dishes=salad"]
    words = ["service", "check", url, "--definitions", house.options.definitions, *values]
    done = house.run(*words, common=False, check=False)
    expect(done.returncode == 0 and done.stdout.rstrip().endswith(" 0 wrong"), done.stdout + done.stderr)
    expect("ok     handle: a repeated Idempotency-Key: the same answer" in done.stdout, done.stdout)
    expect(len(house.orders()) == 2, f"{house.orders()} were ordered by a check that uses two keys")
    # Another server, which answers everything with 501.
    quiet = {"log_message": lambda self, *words: None}
    wrong = http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), type("No", (http.server.BaseHTTPRequestHandler,), quiet)
    )
    threading.Thread(target=wrong.serve_forever, daemon=True).start()
    words[2] = f"http://127.0.0.1:{wrong.server_address[1]}"
    done = house.run(*words, common=False, check=False)
    expect(done.returncode == 1 and "it answered 501" in done.stdout, done.stdout + done.stderr)
    wrong.shutdown()
    house.kill_service()
    words[2] = url
    done = house.run(*words, common=False, check=False)
    expect(done.returncode == 69 and "reaching the service" in done.stdout, done.stdout + done.stderr)


@judge
def is_as_described(house):
    """Requests and answers match the OpenAPI document; then the service is gone, and a replay does not need it."""
    house.start_up()
    ended(house.start_test(scenarios()))
    house.kill_service()
    document = json.loads((ROOT / "Documentation" / "wire" / "openapi.json").read_text())
    expect(json.loads(house.run("schema", "openapi", common=False).stdout) == document, "another document is printed")

    for schema in document["components"]["schemas"].values():
        jsonschema.Draft202012Validator.check_schema(schema)

    def validator(name):
        schema = {"$ref": f"#/components/schemas/{name}", "components": document["components"]}
        return jsonschema.Draft202012Validator(schema)

    calls = set()
    for path, key, body, status, answer in house.gate.said:
        call = path.strip("/")
        expect(path in document["paths"], f"{path} is not described")
        expect(status == 200 and (key is not None) == (call == "handle"), f"{path}: {status}, key {key}")
        for kind, text in (("request", body), ("answer", answer)):
            errors = list(validator(f"{call}.{kind}").iter_errors(json.loads(text)))
            expect(not errors, f"{call}.{kind} {text}: {[error.message for error in errors]}")
        calls.add(call)
    expect(calls == {"resolve", "confirm", "handle"}, f"only {calls} were asked")
    wrong = {"parameters": {"restaurant": {"outcome": "sucess", "value": "Old Mill"}}}
    expect(not validator("resolve.answer").is_valid(wrong), "the document takes any outcome")
    house.check_replay()


@judge
def is_slow(house):
    """Every answer takes longer than `inProgressAfter`: all conversations end as they should."""
    house.start_up()
    house.gate.delay = 2.5
    ended(house.start_test(scenarios()[:3]))
    house.kill_service()
    delays = [one for one in house.read_all("responses") if json.loads(one.value()).get("status") == "inProgress"]
    expect(delays, "nobody was notified that it takes longer")
    house.check_replay()


@judge
def is_killed(house):
    """The service is killed and comes back three times: every conversation succeeds, every order is placed once."""
    house.start_up()
    house.gate.delay = 0.05
    test = house.start_test(orders_of(120, "guest"))
    for round in range(3):
        count = len(house.gate.said)
        until(lambda: len(house.gate.said) > count + 30, 60, "nobody asks the service")
        house.kill_service()
        time.sleep(0.5)
        house.start_service()
    ended(test)
    orders = house.orders()
    expect(len(orders) == 120, f"{len(orders)} orders for 120 conversations")
    house.kill_service()
    house.check_replay()


@judge
def outlives_its_worker(house):
    """The worker is killed during a call to the service: it repeats the call under the same key, and nothing is done twice."""
    up = house.start_up()
    house.gate.delay = 1.5
    test = house.start_test(orders_of(20, "guest"))
    expect(house.gate.held.wait(60), "nothing was handled")
    up.send_signal(signal.SIGKILL)
    up.wait()
    house.gate.delay = 0.0
    house.start_up()
    ended(test)
    keys = [key for path, key, *_ in house.gate.said if path == "/handle"]
    expect(len(keys) > 20, "no handle was asked for again: the kill came too late")
    expect(len(set(keys)) == 20 and sorted(house.orders()) == sorted(set(keys)), f"keys {sorted(keys)}")
    house.kill_service()
    house.check_replay()


class Forgetful:
    """Makes the service of a house one that recognises no key, but returns the outcome of a post.

    It dies by itself in some calls of `handle`, before it has ordered or after, and is started again. While a file says
    that it is unsure, it dies after each order, and does not know the outcome.
    """

    LOOKUP = """
import os, random

def is_unsure():
    return os.path.exists(sys.argv[2] + ".unsure")

def may_die(chance):
    if random.random() < chance:
        os._exit(1)

def lookup(asked, order, key):
    if is_unsure():
        return {"outcome": "unknown"}
    with sqlite3.connect(sys.argv[2]) as orders:
        found = orders.execute("SELECT rowid FROM orders WHERE key = ?", (key,)).fetchone()
    return {"outcome": "done", "code": "success", "details": {"order": found[0]}} if found else {"outcome": "notDone"}

class Service"""

    #: What of the example is changed.
    CHANGES = (
        ("INSERT OR IGNORE", "INSERT"),
        ("key TEXT PRIMARY KEY", "key TEXT"),
        ("def handle(asked, order, key):\n", "def handle(asked, order, key):\n    may_die(0 if is_unsure() else 0.1)\n"),
        ('    return {"code": "s', '    may_die(1 if is_unsure() else 0.1)\n    return {"code": "s'),
        ("class Service", LOOKUP),
        ('"OrderLunch/handle": handle}', '"OrderLunch/handle": handle, "OrderLunch/lookup": lookup}'),
    )

    def __init__(self, house):
        self.house = house
        self.deaths = 0
        self.is_over = False
        text = (EXAMPLE / "lunch.py").read_text()
        for old, changed in self.CHANGES:
            expect(text.count(old) == 1, f"the example has {text.count(old)} times {old}")
            text = text.replace(old, changed)
        self.program = house.directory / "forgetful.py"
        self.program.write_text(text)
        self.unsure = house.directory / "lunch.db.unsure"
        definition = pathlib.Path(house.options.definitions)
        calls = "    calls: [resolve, confirm, handle, lookup]\n"
        retry = "    retry: {attempts: 100, first: PT0.1S, factor: 1.5, longest: PT1S, within: PT3M}\n"
        definition.write_text(definition.read_text().replace("    timeout: PT5S\n", calls + retry))
        house.kill_service()
        (house.directory / "lunch.db").unlink()
        self.start()
        threading.Thread(target=self.revive, daemon=True).start()

    def start(self):
        self.house.service = Program(
            [sys.executable, str(self.program), str(self.house.service_port), str(self.house.directory / "lunch.db")],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def revive(self):
        while True:
            self.house.service.wait()
            if self.is_over:
                return
            self.deaths += 1
            time.sleep(0.1)
            self.start()

    def stop(self):
        self.is_over = True
        self.house.kill_service()


@judge
def is_looked_up(house):
    """A service without idempotency dies while it orders: each order is placed once, or an operator decides."""
    service = Forgetful(house)
    house.start_up()
    ended(house.start_test(orders_of(60, "guest")))
    asked = [path for path, *_ in house.gate.said]
    expect(service.deaths and "/lookup" in asked, f"{service.deaths} deaths, and nothing was looked up")
    orders = house.orders()
    expect(len(orders) == len(set(orders)) == 60, f"{len(orders)} orders of {len(set(orders))} conversations")
    # The outcome of the last one is unknown.
    service.unsure.touch()
    house.send("intent.requested", "zoe", soup("12:30"), "lunch-9")
    house.next("zoe", "lunch-9", 0)
    house.send("prompt.answered", "zoe", {"promptId": "lunch-9/c/1"}, "lunch-9")

    def waiting():
        lines = house.run("waiting", "list", "--json").stdout.splitlines()
        return [one for one in map(json.loads, lines) if one["interaction"] == "lunch-9"]

    found = until(waiting, 60, "no operator is asked")[0]
    expect(found["user"] == "zoe" and found["intent"] == "OrderLunch", f"{found}")
    posts = [key for path, key, *_ in house.gate.said if path == "/handle"]
    house.run("waiting", "decide", "lunch-9", "done", "--details", '{"order": 99}', "--dialog", "It is ordered.")
    end = house.end("zoe", "lunch-9")
    expect(end["code"] == "success" and end["response"] == {"order": 99}, f"{end}")
    expect(end["dialog"] == "It is ordered.", f"{end}")
    notices = [data for _, data in house.responses("zoe", "lunch-9") if data.get("status") == "inProgress"]
    expect(any("being checked" in (data.get("dialog") or "") for data in notices), f"zoe gets {notices}")
    expect(not waiting(), "it is still waited for")
    expect([key for path, key, *_ in house.gate.said if path == "/handle"] == posts, "it was posted again")
    expect(len(house.orders()) == 61, f"{len(house.orders())} orders")
    service.stop()
    said = len(house.gate.said)
    done = house.run("replay")
    expect("Diverged 0, Incomparable 0, Missing 0, Error 0" in done.stdout, done.stdout)
    house.run("audit", "verify")
    expect(len(house.gate.said) == said, "a replay has asked the service")


@contextlib.contextmanager
def environment(**variables):
    """Processes that start meanwhile have these variables."""
    os.environ.update(variables)
    try:
        yield
    finally:
        for name in variables:
            del os.environ[name]


def soup(time):
    return {"intent": {"name": "OrderLunch", "parameters": {"restaurant": "Old Mill", "dishes": ["soup"], "time": time}}}


@judge
def shares_no_order(house):
    """Users whose ids, request ids, prompts and headers are all the same: each has an order of their own, or none.

    Two of the names are one text in two Unicode forms. The last one asks first and never says yes. The first one uses
    the id again later.
    """
    users = ["ann", "bob", "s\u00e9an", "se\u0301an", "ann/lunch-1/c/1"]
    same = {
        "ce_id": "1", "ce_source": "/phone", "ce_clientid": "phone", "ce_request": "0:0", "ce_causationid": "1",
        "ce_time": "2026-11-24T12:00:00Z", "Idempotency-Key": "lunch-1/OrderLunch/0",
        "traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
    }
    with environment(INTENTD_REQUESTS_DEDUPE_WINDOW="1s"):
        house.start_up()
    times = {user: f"12:0{number}" for number, user in enumerate(users)}
    for user in reversed(users):
        house.send("intent.requested", user, soup(times[user]), "lunch-1", **same)
    for user in users:
        kind, prompt = house.next(user, "lunch-1", 0)
        expect(prompt.get("kind") == "intentConfirmation", f"{user} receives {kind} {prompt}")
        expect(prompt["promptId"] == "lunch-1/c/1", f"the prompts' ids differ: {prompt['promptId']}")
        expect(prompt["intent"]["parameters"]["time"] == times[user], f"{user} is shown {prompt['intent']}")
    for user in users[:4]:
        house.send("prompt.answered", user, {"promptId": "lunch-1/c/1"}, "lunch-1", **same | {"ce_id": "2"})
    numbers = {}

    def check(user, end):
        expect(end["code"] == "success", f"{user} receives {end}")
        number = end["response"]["order"]
        expect(number not in numbers, f"{user} receives the order of {numbers.get(number)}: {end['response']}")
        numbers[number] = user
        found = house.lunch(number)
        expect(found["time"] == times[user], f"{user} receives order {number}, which is {found}")

    for user in users[:4]:
        check(user, house.end(user, "lunch-1"))
    time.sleep(1.2)
    times["ann"] = "13:00"
    house.send("intent.requested", "ann", soup("13:00"), "lunch-1", **same)
    house.next("ann", "lunch-1", 2)
    house.send("prompt.answered", "ann", {"promptId": "lunch-1/c/1"}, "lunch-1", **same | {"ce_id": "2"})
    check("ann", house.next("ann", "lunch-1", 3)[1])
    orders = house.orders()
    expect(len(orders) == len(set(orders)) == 5, f"5 orders were asked for, and these made: {orders}")
    received = house.responses(users[4], "lunch-1")
    expect([kind for kind, _ in received] == ["prompt.issued"], f"who has said nothing receives {received}")
    house.run("audit", "verify")


class Breaking:
    """A service that ends connections in one way when it is posted to for good, and counts those posts by their key.

    It works on sockets: an HTTP server would hide where a connection ends. What is posted before, and any post whose
    note is `good`, is answered, and the connection kept open.
    """

    ANSWER = b'HTTP/1.1 200 OK\r\nContent-Length: 18\r\n\r\n{"code":"success"}'
    #: What is written before the connection ends, and how much of the request is read before: head, half its body, all.
    WAYS = {
        "before-reading": (b"", "nothing"),
        "after-head": (b"", "head"),
        "in-body": (b"", "half"),
        "after-body": (b"", "all"),
        "later": (b"", "all"),
        "reset": (b"", "all"),
        "in-head": (ANSWER[:20], "all"),
        "in-body-of-answer": (ANSWER[:-6], "all"),
        "in-chunk": (b'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n12\r\n{"code"', "all"),
        "only-continued": (b"HTTP/1.1 100 Continue\r\n\r\n", "all"),
        "no-http": (b"\x00\xff" * 40, "all"),
    }

    def __init__(self, way):
        self.way = way
        self.posts = collections.Counter()
        self.reused = set()
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.talk, args=(connection,), daemon=True).start()

    def request(self, connection):
        """The request that comes, none of which is read: its head and all of its bytes."""
        connection.settimeout(60)
        size = 1
        while True:
            seen = connection.recv(1 << 20, socket.MSG_PEEK)
            if len(seen) < size and not seen:
                return None
            head, end, _ = seen.partition(b"\r\n\r\n")
            length = re.search(rb"(?i)content-length: *(\d+)", head)
            if end and len(seen) >= len(head) + 4 + int(length[1] if length else 0):
                return head, seen
            time.sleep(0.005)

    def talk(self, connection):
        with connection:
            count = 0
            while True:
                try:
                    found = self.request(connection)
                except OSError:
                    return
                if found is None:
                    return
                head, seen = found
                path = head.split()[1].decode()
                note = json.loads(seen[len(head) + 4 :])["intent"]["parameters"]["note"]
                answers = {
                    "/resolve": {"parameters": {"note": {"outcome": "success", "value": note}}},
                    "/confirm": {"code": "ready"},
                }
                if path in answers or note == "good":
                    connection.recv(len(seen), socket.MSG_WAITALL)
                    answer = json.dumps(answers.get(path, {"code": "success"})).encode()
                    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(answer) + answer)
                    count += 1
                    continue
                key = re.search(rb"(?i)idempotency-key: *(\S+)", head)[1].decode()
                self.posts[key] += 1
                if count:
                    self.reused.add(key)
                return self.end(connection, head, seen)

    def end(self, connection, head, seen):
        written, read = self.WAYS[self.way]
        sizes = {"nothing": 0, "head": len(head) + 4, "half": (len(head) + 4 + len(seen)) // 2, "all": len(seen)}
        if sizes[read]:
            connection.recv(sizes[read], socket.MSG_WAITALL)
        if self.way == "later":
            time.sleep(0.5)
        if written:
            connection.sendall(written)
        if self.way == "reset":
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


@judge
def gets_no_post_twice(house):
    """A service that ends connections in eleven ways, new ones and kept ones: it gets as many posts as `attempts` says."""
    services = {way: Breaking(way) for way in Breaking.WAYS}
    definitions = []
    for way, service in services.items():
        for attempts in (1, 2):
            for handler, path in (("http", "/post"), ("service", "")):
                where = {"url": f"http://127.0.0.1:{service.port}{path}", "attempts": attempts, "timeout": "PT20S"}
                definitions.append({
                    "name": f"Break.{way}.{handler}.{attempts}", "confirmation": "never", "handler": {handler: where},
                    "parameters": [{"name": "note", "type": "string"}],
                })  # fmt: skip
    (house.directory / "break.json").write_text(json.dumps(definitions))
    house.options.definitions = str(house.directory / "break.json")
    house.start_up()

    def ask(note):
        asked = []
        for definition in definitions:
            user = f"{note}-{definition['name']}"
            intent = {"name": definition["name"], "parameters": {"note": note}}
            house.send("intent.requested", user, {"intent": intent}, user)
            asked.append((user, user))
        until(lambda: set(asked) <= set(house.terminal_responses()), 90, f"not all {note} posts have ended")

    # On new connections; then on those that the good ones leave open.
    ask("first")
    ask("good")
    ask("last")
    reasons = collections.Counter()
    for way, service in services.items():
        expect(len(service.posts) == 8, f"{way}: {len(service.posts)} keys for 8 requests")
        expect(service.reused, f"{way}: no connection was used again")
        # The head of an answer says that there is one: for `http`, whose answers may be empty, nothing follows it.
        wanted = [1, 1, 1, 1, 1, 1, 2, 2] if way == "in-head" else [1, 1, 1, 1, 2, 2, 2, 2]
        # What is no HTTP at all will not be any with the next try.
        wanted = [1] * 8 if way == "no-http" else wanted
        expect(sorted(service.posts.values()) == wanted, f"{way}: {sorted(service.posts.values())} posts by request")
    for message in house.read_all("responses"):
        data = json.loads(message.value())
        headers = {key: value.decode() for key, value in message.headers() or []}
        # On a busy machine a user hears that it takes longer.
        if data["terminal"] and not headers["ce_userid"].startswith("good"):
            reasons[data["endReason"]] += 1
            if data["endReason"] != "error":
                expect(".in-head.http." in headers["ce_userid"], f"{headers['ce_userid']} receives {data}")
    expect(reasons["error"] == 2 * len(definitions) - 4, str(reasons))


@judge
def is_not_asked_by_a_forged_yes(house):
    """A redriven yes counts as it was said, once; with other digests, parameters, users or ids it counts for nothing."""
    path = house.directory / "lunch.yaml"
    path.write_text(path.read_text().replace("timeout: PT5S", "timeout: PT5S\n    attempts: 1"))
    with environment(INTENTD_REQUESTS_DEDUPE_WINDOW="1s"):
        house.start_up()
    house.send("intent.requested", "ann", soup("12:30"), "lunch")
    house.next("ann", "lunch", 0)
    house.kill_service()
    house.send("prompt.answered", "ann", {"promptId": "lunch/c/1"}, "lunch")
    expect(house.end("ann", "lunch")["endReason"] == "error", "the service is gone, and nobody notices")
    house.start_service()
    letter = until(lambda: house.read_all("dead-letters"), 30, "there is no dead letter")[0]
    headers = dict(letter.headers())
    state = json.loads(headers["intentd_redrive"])
    expect(re.fullmatch("[0-9a-f]{32}", state["yes"]), f"the dead letter passes on {state}")

    # Copies of the dead letter that say yes to something else: the user is asked.
    other = {"0": "f", "f": "0"}.get(state["yes"][0], "0") + state["yes"][1:]
    forged = [state | {"yes": other}, state | {"yes": "0" * 32}, state | {"yes": True}, state | {"yes": [state["yes"]]}]
    texts = [json.dumps(one) for one in forged] + ["{", "[" * 10_000, state["yes"]]
    for text in texts:
        copy = [(key, text.encode() if key == "intentd_redrive" else value) for key, value in letter.headers()]
        house.write("dead-letters", letter.value(), letter.key(), copy, letter.partition())
    copies = sorted(one.offset() for one in house.read_all("dead-letters") if one.offset() > letter.offset())
    house.run("dead-letters", "redrive", *(f"{letter.partition()}/{offset}" for offset in copies))
    for number, text in enumerate(texts, 1):
        kind, prompt = house.next("ann", f"lunch~{number}", 0)
        expect(prompt.get("kind") == "intentConfirmation", f"with {text[:60]} ann receives {kind} {prompt}")
    expect(not house.orders(), f"ordered without a yes: {house.orders()}")

    # As it was said: done, and the user is not asked.
    house.run("dead-letters", "redrive", f"{letter.partition()}/{letter.offset()}")
    subject = f"lunch~{len(texts) + 1}"
    end = house.end("ann", subject)
    expect(end["code"] == "success", f"ann receives {end}")
    expect(len(house.responses("ann", subject)) == 1, "ann was asked again")
    expect(len(house.orders()) == 1, f"ordered: {house.orders()}")

    # A client repeats that request, as it was and altered, when its id may be used again.
    sent = [one for one in house.read_all("requests") if dict(one.headers()).get("ce_subject") == subject.encode()][0]
    data = json.loads(sent.value())
    expect(data["redrive"] == state, f"it was sent with {data['redrive']}")

    def repeat(what, data, **changed):
        if "ce_subject" not in changed and "ce_userid" not in changed:
            time.sleep(1.2)
        user = changed.get("ce_userid", "ann")
        named = changed.get("ce_subject", subject)
        before = len(house.responses(user, named))
        own = [(key, changed.get(key, value.decode())) for key, value in sent.headers()]
        house.write("requests", json.dumps(data | {"user": data["user"] | {"id": user}}), user, own)
        kind, data = house.next(user, named, before)
        return f"{what}: {user} receives {kind} {data}", data

    words, answer = repeat("the same again", data)
    expect(answer.get("response") == {"order": 1}, words)
    intent = data["intent"]
    dearer = data | {"intent": intent | {"parameters": intent["parameters"] | {"dishes": ["soup"] * 9}}}
    for what, value, changed in (
        ("another digest", data | {"redrive": state | {"yes": other}}, {}),
        ("no digest", {key: value for key, value in data.items() if key != "redrive"}, {}),
        ("other dishes", dearer, {}),
        ("another number", data, {"ce_subject": "lunch~77"}),
        ("another user", data, {"ce_userid": "bob"}),
        ("another request", data, {"ce_redriveof": "0:0"}),
        ("another proof", data, {"ce_id": "0" * 32}),
    ):
        words, answer = repeat(what, value, **changed)
        expect(answer.get("endReason") == "invalidRequest", words)
    # Without the claim it is a request like any other: the user is asked.
    plain = [(key, value) for key, value in sent.headers() if key not in ("ce_redriveof", "ce_subject")]
    house.write("requests", sent.value(), "ann", [*plain, ("ce_subject", b"new")])
    expect(house.next("ann", "new", 0)[1].get("kind") == "intentConfirmation", "a yes of another request counts")
    expect(len(house.orders()) == 1, f"ordered: {house.orders()}")
    # What was written to dead letters is found, and nothing else.
    found = house.run("audit", "verify", check=False).stdout
    expect(found.count("No turn wrote this.") == len(texts) and f": {len(texts)} findings" in found, found)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--intentd", required=True, help="the program")
    parser.add_argument("--only", help="only judges whose names contain this")
    options = parser.parse_args()

    def call(one):
        house = Lunch(argparse.Namespace(intentd=options.intentd))
        try:
            one(house)
        finally:
            house.close()

    passed, failed = run(JUDGES, options.only, call)
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed or not passed else 0)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""The example of a service in Python, as intentd's users have it: checked, slow, killed, gone.

    services.py --intentd PATH [--only NAME]

Each judge starts `Tests/Examples/PythonService/lunch.py` behind a gate that records the traffic, and holds back answers
where the judge needs it. The exit status is 0 when nothing failed; the last line says how many passed.
"""

import argparse
import http.client
import http.server
import json
import pathlib
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time

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
    told = [one for one in house.read_all("responses") if json.loads(one.value()).get("status") == "inProgress"]
    expect(told, "nobody was told that it takes longer")
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

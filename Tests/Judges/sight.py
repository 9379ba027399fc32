"""How soon people see what goes wrong: a real deployment of several processes is disturbed, and the time until the
console, the metrics and `status` show it is measured.

  sight.py --intentd PROGRAM [--only WORD]

What is stuck or fails inside a worker must be seen within 5 s, a lost broker or worker within the session's time-out and 5 s.
"""

import http.client
import http.server
import json
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import time

from confluent_kafka import Producer

from judging import expect, free_port, judge_with, until
from metrics import ROOT, Process, get

SOON = 5.0
SESSION = 12.0
PARTITIONS = 4
JUDGES = []
DEFINITION = """
name: WaitForever
confirmation: never
handler:
  http:
    url: http://127.0.0.1:{port}/
    timeout: PT2M
    attempts: 1
parameters: []
"""


def judge(made):
    JUDGES.append(made)
    return made


class Silence(http.server.ThreadingHTTPServer):
    """A service that takes requests and does not answer before it is asked to."""

    daemon_threads = True

    def __init__(self):
        self.asked_at = None
        self.goes_on = threading.Event()
        silence = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                silence.asked_at = silence.asked_at or time.monotonic()
                silence.goes_on.wait(120)
                self.send_response(200)
                self.send_header("Content-Length", "2")
                self.end_headers()
                self.wfile.write(b"{}")

            def log_message(self, *words):
                pass

        super().__init__(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.serve_forever, daemon=True).start()


class Following(threading.Thread):
    """A browser that keeps the overview open: it notes when each version of the page came."""

    def __init__(self, address):
        super().__init__(daemon=True)
        self.address = address
        self.pages = []
        self.start()

    def run(self):
        host, port = self.address.split(":")
        connection = http.client.HTTPConnection(host, int(port), timeout=60)
        connection.request("GET", "/live/overview?span=15m")
        reply, lines = connection.getresponse(), []
        while line := reply.readline():
            if line.startswith(b"data: "):
                lines.append(line[6:].decode().rstrip("\n"))
            elif line == b"\n" and lines:
                self.pages.append((time.monotonic(), "\n".join(lines)))
                lines = []

    def first(self, since, shows):
        """When the first version that shows it came; none when none has come."""
        return next((at for at, page in list(self.pages) if at >= since and shows(page)), None)


class Sight:
    """A broker, two workers and a console, each a process of its own."""

    def __init__(self, intentd):
        self.intentd = intentd
        self.directory = tempfile.mkdtemp(prefix="intentd-sight-")
        self.data = f"{self.directory}/data"
        self.brokers = f"127.0.0.1:{free_port()}"
        self.addresses = {name: f"127.0.0.1:{free_port()}" for name in ("one", "two")}
        self.console_address = f"127.0.0.1:{free_port()}"
        self.silence = Silence()
        self.definition = f"{self.directory}/wait.yaml"
        pathlib.Path(self.definition).write_text(DEFINITION.format(port=self.silence.server_address[1]))
        self.processes = {}
        self.begin("broker", "broker", "--listen", self.brokers, "--data", f"{self.directory}/broker")
        until(lambda: self.call("topics", "list", check=False).returncode == 0, 30, "the broker does not answer")
        self.call("topics", "create", "--partitions", str(PARTITIONS))
        self.begin("one", "work", "resolve", "confirm", "handle", "record", "--name", "one", *self.common)
        self.begin("two", "work", "handle", "--name", "two", *self.common)
        self.begin("console", "console", "--listen", self.console_address, "--watch", self.addresses["one"],
                   "--watch", self.addresses["two"], *self.common)
        for name in self.addresses:
            until(lambda: self.ready(name)[0] == 200, 60, f"{name} is not ready")
        until(lambda: get(f"http://{self.console_address}/")[0] == 200, 30, "the console does not answer")
        self.following = Following(self.console_address)
        until(lambda: self.following.first(0, lambda page: "one-0" in groups(page) and "two-0" in groups(page)), 30,
              "the console does not show who reads")

    @property
    def common(self):
        return ["--brokers", self.brokers, "--data", self.data, "--definitions", self.definition]

    def begin(self, name, *words):
        environment = {"INTENTD_CONSOLE_LISTEN": "none"}
        environment["INTENTD_MONITORING_LISTEN"] = self.addresses.get(name, "none") if name != "broker" else "none"
        self.processes[name] = Process(
            self.intentd, *words, log=f"{self.directory}/{name}.log", environment=environment
        )

    def call(self, *words, text=None, check=True):
        done = subprocess.run(
            [self.intentd, *words, "--brokers", self.brokers, "--data", self.data],
            input=text, capture_output=True, text=True, cwd=ROOT,
        )
        expect(not check or done.returncode == 0, f"{' '.join(words)}: {done.returncode} {done.stderr}")
        return done

    def ready(self, name):
        return get(f"http://{self.addresses[name]}/readyz")

    def status(self, name):
        """What `intentd status` says, with its exit status; a worker that has gone says nothing."""
        done = subprocess.run(
            [self.intentd, "status", self.addresses[name]], capture_output=True, text=True, cwd=ROOT
        )
        return done.returncode, done.stdout + done.stderr

    def sum(self, name, metric, **labels):
        """The sum of a metric's series with these labels; none without any."""
        _, text = get(f"http://{self.addresses[name]}/metrics")
        values = []
        for line in text.splitlines():
            found = re.fullmatch(r"(\w+)(?:\{(.*)\})? (\S+)", line)
            if found and found[1] == metric and all(f'{key}="{value}"' in found[2] for key, value in labels.items()):
                values.append(float(found[3]))
        return sum(values) if values else None

    def measure(self, what, limit, began, shows):
        """Waits until each view shows it, and says after how many seconds it did."""
        times = {}
        deadline = time.monotonic() + limit + 15
        while len(times) < len(shows) and time.monotonic() < deadline:
            for view, look in shows.items():
                if view in times:
                    continue
                if view == "console":
                    at = self.following.first(began, look)
                    if at:
                        times[view] = at - began
                elif look():
                    times[view] = time.monotonic() - began
            time.sleep(0.05)
        words = ", ".join(f"{view} {times[view]:.1f} s" if view in times else f"{view} not at all" for view in shows)
        print(f"  {what}: {words} (limit {limit:.0f} s)", flush=True)
        late = [view for view in shows if times.get(view, limit + 1) > limit]
        expect(not late, f"{what} is seen too late in {', '.join(late)}: {words}")

    def close(self):
        self.silence.goes_on.set()
        for process in reversed(self.processes.values()):
            try:
                process.end()
            except subprocess.TimeoutExpired:
                process.end(signal.SIGKILL)
        shutil.rmtree(self.directory, ignore_errors=True)


def quiet(sight):
    """Nothing is wrong, and nothing says that something is, once what came before has been worked on."""
    until(lambda: all("parked" not in sight.ready(name)[1] for name in sight.addresses), 20, "turns are still parked")
    for name in sight.addresses:
        status, text = sight.ready(name)
        expect(status == 200 and "offset" not in text and "parked" not in text, f"{name}: {status} {text}")
        for metric in ("intentd_lane_stall_duration_seconds", "intentd_turns_parked_age_seconds"):
            expect(sight.sum(name, metric) == 0, f"{name}: {metric} is {sight.sum(name, metric)}")


def groups(page):
    """The part of the overview that says who reads what."""
    return page.split('id="groups"')[-1].split("</section>")[0]


@judge
def a_busy_deployment_raises_no_false_alarm(sight):
    """Requests for ten seconds: at no time does a lane count as stuck."""
    lines = "".join(
        json.dumps({"type": "intent.requested", "subject": f"busy-{number}", "data": {
            "intent": {"name": "BookRestaurantTable", "parameters": {"restaurant": "x"}}, "user": {"id": f"u{number % 50}"}}}) + "\n"
        for number in range(2_000)
    )
    feed = subprocess.Popen([sight.intentd, "produce", "-", "--rate", "200", "--brokers", sight.brokers, "--data", sight.data],
                            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, cwd=ROOT, text=True)
    writer = threading.Thread(target=lambda: (feed.stdin.write(lines), feed.stdin.close()))
    writer.start()
    seen = []
    while feed.poll() is None:
        for name in sight.addresses:
            seen += [line for line in sight.ready(name)[1].splitlines() if "has not advanced" in line or line.startswith("NOT OK")]
        time.sleep(0.2)
    writer.join()
    expect(feed.returncode == 0, f"produce ended with {feed.returncode}")
    expect(not seen, f"{len(seen)} lines report a stall: {seen[:3]}")


@judge
def a_handler_that_hangs(sight):
    quiet(sight)
    sight.call("produce", "-", text=json.dumps({"type": "intent.requested", "subject": "hangs", "data": {
        "intent": {"name": "WaitForever", "parameters": {}}, "user": {"id": "anna"}}}) + "\n")
    began = until(lambda: sight.silence.asked_at, 20, "the handler was not called")
    names = list(sight.addresses)
    sight.measure("a handler that hangs", SOON, began, {
        "status": lambda: any("1 turn is parked" in sight.status(name)[1] for name in names),
        "metrics": lambda: any((sight.sum(name, "intentd_turns_parked", stage="handle") or 0) > 0
                               and sight.sum(name, "intentd_turns_parked_age_seconds", role="handle") > 0 for name in names),
        "console": lambda page: "1 turn is parked" in page,
    })
    sight.silence.goes_on.set()
    until(lambda: all("parked" not in sight.ready(name)[1] for name in names), 20, "it is still parked")


@judge
def a_lane_that_stands_still(sight):
    """An open transaction keeps the lanes of `resolve` from what comes behind it."""
    producer = Producer({"bootstrap.servers": sight.brokers, "transactional.id": "a-stranger", "transaction.timeout.ms": 15_000})
    producer.init_transactions(10)
    producer.begin_transaction()
    # It is a request that nobody can read before the transaction ends.
    producer.produce("intents.requests", value=b"{}", headers={"ce_type": b"intent.requested"}, partition=1)
    expect(producer.flush(10) == 0, "nothing was written")
    began = time.monotonic()
    sight.measure("a stalled lane", SOON, began, {
        "status": lambda: "has not advanced in intents.requests[1]" in sight.status("one")[1],
        "metrics": lambda: (sight.sum("one", "intentd_lane_stall_duration_seconds", role="resolve") or 0) > 0,
        "console": lambda page: "has not advanced in intents.requests[1]" in page,
    })
    producer.abort_transaction(10)
    until(lambda: sight.ready("one")[0] == 200 and "advanced" not in sight.ready("one")[1], 20, "it does not report that it continues")
    until(lambda: sight.sum("one", "intentd_lane_stall_duration_seconds") == 0, 5, "the metric still reports a stall")


@judge
def a_dead_letter(sight):
    producer = Producer({"bootstrap.servers": sight.brokers})
    producer.produce("intents.requests", value=b"not json", headers={"ce_type": b"intent.requested"}, partition=0)
    expect(producer.flush(10) == 0, "nothing was written")
    began = time.monotonic()
    sight.measure("a dead letter", SOON, began, {
        "status": lambda: "1 dead letter" in sight.status("one")[1],
        "metrics": lambda: (sight.sum("one", "intentd_dead_letters_total") or 0) > 0,
        "console": lambda page: re.search(r"Dead letters</a></h2><p>1<", page),
    })


@judge
def a_worker_that_is_killed(sight):
    until(lambda: sight.sum("two", "intentd_lane_partitions", stage="handle"), 20, "it has no partitions")
    sight.processes["two"].end(signal.SIGKILL)
    began = time.monotonic()
    sight.measure("a worker that is killed", SESSION + SOON, began, {
        "status": lambda: sight.status("two")[0] == 69,
        "metrics": lambda: sight.sum("one", "intentd_lane_partitions", stage="handle") == PARTITIONS,
        "console": lambda page: "did not answer the health check" in page and "two-0" not in groups(page),
    })
    sight.begin("two", "work", "handle", "--name", "two", *sight.common)
    until(lambda: sight.ready("two")[0] == 200, 60, "it is not ready again")


@judge
def a_broker_that_is_killed(sight):
    sight.processes["broker"].end(signal.SIGKILL)
    began = time.monotonic()
    sight.measure("a broker that is killed", SESSION + SOON, began, {
        "status": lambda: "NOT OK: broker" in sight.status("one")[1],
        "metrics": lambda: sight.sum("one", "intentd_broker_answers") == 0
        and sight.sum("one", "intentd_kafka_client_connected") == 0,
        "console": lambda page: re.search(r"not ok</span> [\d.:]* ?broker", page) or re.search(r"not ok</span> broker", page),
    })
    sight.begin("broker", "broker", "--listen", sight.brokers, "--data", f"{sight.directory}/broker")
    for name in sight.addresses:
        until(lambda: sight.ready(name)[0] == 200, 60, f"{name} is not ready again: {sight.ready(name)}")


if __name__ == "__main__":
    judge_with(Sight, JUDGES, __doc__)

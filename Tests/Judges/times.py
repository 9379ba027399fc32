#!/usr/bin/env python3
"""What intentd says about time, beside the clock of a client (R80).

    times.py --intentd PATH [--requests N] [--seed N]

A client sends requests, answers prompts, and keeps its own times. A service hangs until its time-out, requests and
answers wait behind parked turns, and in the second half the worker is killed with SIGKILL. Meanwhile `list --json` is
called again and again: each state that it names has to be what client and service know. At the end `list`, `show`, the
console and the metrics are compared with the client's clock: of beginnings, wholes and waits 99 % have to be within 50 ms
(of fewer than 100, all but one), and all within 500 ms, since the client is late itself now and then. Each of the states
`queued`, `running`, `retrying` and `awaitingUser` has to be listed at a time at which it is known: conversations continue
until it is. From 1 s before a kill until 20 s after it, states are not compared, and neither are the causes of the waits;
wholes and waits for the user are. The metrics are those of the half before the kill. The exit status is 0 when nothing
failed.
"""

import argparse
import collections
import dataclasses
import datetime
import http.server
import json
import os
import random
import re
import signal
import sys
import threading
import time
import urllib.request

import confluent_kafka as ck

from judging import Program, check_for_crashes, expect, free_port, keep_crashes, until
from pipeline import House

#: How far a time may be from the client's, in seconds; the client itself is late now and then.
TOLERANCE = 0.05
#: The share of times that have to be within the tolerance; all have to be within ten times as much.
SHARE = 0.99
#: How long the service's calls may take; and how long it blocks.
TIMEOUT, HOLD = 1.0, 0.8
#: How old what the records say may be: they are gathered for 100 ms, and the command takes its time.
FRESH = 0.4
PARTITIONS = 4
KINDS = ["plain", "asked", "hangs", "behind", "answersBehind"]
#: The states that have to be listed, and the kinds of conversations that are in them.
STATES = {"awaitingUser": "asked", "queued": "behind", "running": "hangs", "retrying": "hangs"}
#: For how long conversations continue until all states are listed, in seconds.
PATIENCE = 240

DEFINITION = """
name: WaitIntent
title: Wait
handler:
  service:
    url: http://127.0.0.1:PORT
    timeout: PT1S
    calls: [resolve, handle]
parameters:
  - {name: plan, type: string, required: true}
  - {name: text, type: string, required: true, prompt: {en: "Which text?"}}
"""


class Service(http.server.ThreadingHTTPServer):
    """Does what a request's plan says, and keeps the times of its attempts."""

    daemon_threads = True
    request_queue_size = 256

    def __init__(self):
        #: When each call of `handle`, and each held call of `resolve`, began and ended, by interaction.
        self.calls = collections.defaultdict(list)
        self.lock = threading.Lock()
        super().__init__(("127.0.0.1", 0), self.Handler)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self):
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            values, name = asked["intent"]["parameters"], asked["interaction"]["identifier"]
            began = time.time()
            with self.server.lock:
                number = sum(1 for call in self.server.calls[name] if call[0] == self.path)
                call = [self.path, began, None]
                self.server.calls[name].append(call)
            plan = values.get("plan", "")
            if self.path == "/resolve":
                if plan == "hold":
                    time.sleep(HOLD)
                outcomes = {one: {"outcome": "success", "value": values[one]} for one in asked["open"] if one in values}
                answer = {"parameters": outcomes}
            else:
                if plan == "hangs" and number == 0:
                    # Longer than intentd waits: it ends the call.
                    time.sleep(TIMEOUT + 0.3)
                answer = {"code": "success"}
            call[2] = time.time()
            body = json.dumps(answer).encode()
            try:
                self.send_response(200)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)
            except OSError:
                pass

        def log_message(self, *words):
            pass


@dataclasses.dataclass
class Interaction:
    """What the client knows of an interaction, by its own clock."""

    name: str
    user: str
    kind: str
    sent: float = 0.0
    prompted: float = 0.0
    answered: float = 0.0
    ended: float = 0.0
    #: The interaction whose parked turn it waits behind.
    behind: str = ""


class Client:
    """Sends, reads, answers; its clock is the judge."""

    def __init__(self, house, seed):
        self.house, self.random = house, random.Random(seed)
        self.producer = ck.Producer(
            {"bootstrap.servers": house.address, "partitioner": "murmur2_random", "linger.ms": 0, "acks": "all"}
        )
        self.all = {}
        self.lock = threading.Lock()
        self.is_over = False
        self.consumer = ck.Consumer({
            "bootstrap.servers": house.address, "group.id": "times", "auto.offset.reset": "earliest",
            "isolation.level": "read_committed", "fetch.wait.max.ms": 20, "enable.auto.commit": False,
        })
        self.consumer.assign([ck.TopicPartition(house.topic("responses"), one, 0) for one in range(PARTITIONS)])
        self.reading = threading.Thread(target=self.read, daemon=True)
        self.reading.start()

    def write(self, kind, user, subject, data):
        headers = {"ce_specversion": "1.0", "ce_type": kind, "ce_userid": user, "ce_subject": subject}
        at = time.time()
        value = json.dumps({"user": {"id": user}} | data)
        with self.lock:
            self.producer.produce(self.house.topic("requests"), value, key=user, headers=list(headers.items()))
            self.producer.poll(0)
        return at

    def ask(self, name, user, kind, plan, text, behind=""):
        one = Interaction(name, user, kind, behind=behind)
        self.all[name] = one
        values = {"plan": plan} | ({"text": text} if text else {})
        one.sent = self.write(
            "intent.requested", user, name, {"intent": {"name": "WaitIntent", "parameters": values}}
        )
        return one

    def answer(self, one, prompt):
        one.answered = self.write(
            "prompt.answered", one.user, one.name, {"promptId": prompt, "action": "accept", "value": "later"}
        )

    def read(self):
        while not self.is_over:
            message = self.consumer.poll(0.05)
            now = time.time()
            if message is None or message.error():
                continue
            headers = {key: (value or b"").decode() for key, value in message.headers() or []}
            one = self.all.get(headers.get("ce_subject"))
            data = json.loads(message.value())
            if one is None:
                continue
            if headers["ce_type"] == "prompt.issued" and not one.prompted:
                one.prompted = now
                if one.kind == "asked":
                    delay = self.random.uniform(0.05, 2.0)
                    threading.Timer(delay, self.answer, (one, data["promptId"])).start()
                else:
                    # Another request of the user comes first, and is held.
                    self.ask(f"{one.name}-holds", one.user, "holds", "hold", "now")
                    threading.Timer(0.15, self.answer, (one, data["promptId"])).start()
            elif headers["ce_type"] == "intent.responded" and data["terminal"]:
                one.ended = one.ended or now

    def converse(self, number):
        """One conversation, of the kind that its number says."""
        kind, name, user = KINDS[number % len(KINDS)], f"i{number}", f"user-{number}"
        if kind == "plain":
            self.ask(name, user, kind, "ok", "now")
        elif kind == "hangs":
            self.ask(name, user, kind, "hangs", "now")
        elif kind == "behind":
            self.ask(f"{name}-holds", user, "holds", "hold", "now")
            self.ask(name, user, kind, "ok", "now", behind=f"{name}-holds")
        else:
            self.ask(name, user, kind, "ok", None, behind=f"{name}-holds" if kind == "answersBehind" else "")

    def finish(self, seconds):
        until(lambda: all(one.ended for one in list(self.all.values())), seconds,
              f"not ended: {[one for one in self.all.values() if not one.ended][:3]}")

    def close(self):
        self.is_over = True
        self.reading.join()
        self.producer.flush(10)
        self.consumer.close()


class Watch(threading.Thread):
    """Calls `list --json` again and again, and keeps what it says of open interactions, with the time of the call."""

    def __init__(self, house):
        super().__init__(daemon=True)
        self.house, self.seen, self.is_over = house, [], False

    def run(self):
        while not self.is_over:
            began = time.time()
            done = self.house.run("list", "--json", "--state", "open", "--limit", "200", check=False)
            ended = time.time()
            if done.returncode == 0:
                self.seen.append((began, ended, [json.loads(line) for line in done.stdout.splitlines()]))
            time.sleep(0.1)


def seconds(text):
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()


class Times(House):
    """A broker, a recorder, and a worker that can be killed."""

    def __init__(self, options):
        super().__init__(argparse.Namespace(**vars(options), brokers=None, definitions=None))
        self.service = Service()
        definition = self.directory / "wait.yaml"
        definition.write_text(DEFINITION.replace("PORT", str(self.service.server_address[1])))
        self.options.definitions = str(definition)
        self.monitoring = free_port()
        self.start_broker()
        self.run("topics", "create", "--partitions", str(PARTITIONS))
        self.start("work", "record", "--name", "recorder")
        self.start_worker()

    def start_worker(self):
        # The same name: its partitions are its own at once.
        log = open(self.directory / f"worker-{len(self.processes)}.log", "wb")
        process = Program(
            self.command("work", "resolve", "confirm", "handle", "--name", "worker"), stdout=log, stderr=log,
            env={**os.environ, "INTENTD_MONITORING_LISTEN": f"127.0.0.1:{self.monitoring}"},
        )
        process.log = log.name
        self.processes.append(process)
        self.worker = process

    def metrics(self):
        """The sums and counts of the histograms of time."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.monitoring}/metrics", timeout=10) as reply:
            text = reply.read().decode()
        values = collections.Counter()
        for line in text.splitlines():
            found = re.match(r"intentd_interaction_(time|duration)_seconds_(sum|count)\{(.*)\} (\S+)", line)
            if found:
                part = re.search(r'part="(\w+)"', found[3])
                values[(part[1] if part else "whole", found[2])] += float(found[4])
        return values


class Judgement:
    """Deviations from the client's clock, by what was compared."""

    def __init__(self):
        self.deviations = collections.defaultdict(list)
        self.problems = []

    def compare(self, what, said, known, whose):
        self.deviations[what].append(abs(said - known))
        if abs(said - known) > 10 * TOLERANCE:
            self.problems.append(f"{what} of {whose}: {said:.3f} s, by the client's clock {known:.3f} s")

    def check(self, condition, problem):
        if not condition:
            self.problems.append(problem)

    def conclude(self):
        for what, all in sorted(self.deviations.items()):
            all.sort()
            within = sum(1 for one in all if one <= TOLERANCE) / len(all)
            print(f"  {what}: {len(all)} compared, {within:.2%} within {TOLERANCE * 1000:.0f} ms, "
                  f"median {all[len(all) // 2] * 1000:.1f} ms, largest {all[-1] * 1000:.1f} ms")
            self.check(within >= SHARE or len(all) < 100 and all[-2:][0] <= TOLERANCE, f"{what}: only {within:.2%}")
        expect(not self.problems, f"{len(self.problems)} problems:\n" + "\n".join(self.problems[:20]))


def listed_ends(house, client):
    """All interactions, as `list` says them once they have ended, by name."""
    count = len(client.all)
    found = {}

    def listed():
        done = house.run("list", "--json", "--limit", str(count + 100))
        found.update((one["interaction"], one) for one in map(json.loads, done.stdout.splitlines()))
        return len(found) == count and all(one["state"] == "ended" for one in found.values())

    until(listed, 60, f"not all {count} interactions are listed as ended")
    return found


def check_ends(house, client, judgement):
    """Beginnings and wholes, as `list` says them."""
    found = listed_ends(house, client)
    for one in client.all.values():
        said = found[one.name]
        judgement.compare("beginning", seconds(said["requestedAt"]), one.sent, one.name)
        judgement.compare("whole", said["milliseconds"] / 1000, one.ended - one.sent, one.name)
    return found


def check_parts(house, client, judgement, limit, kills):
    """The parts, as `show` says them: they add up, and are what client and service know."""
    chosen = [one for one in client.all.values()]
    client.random.shuffle(chosen)
    for one in chosen[:limit]:
        said = json.loads(house.run("show", one.name, "--json").stdout)
        time_by = {name: value / 1000 for name, value in said["time"].items()}
        judgement.check(sum(said["time"].values()) == said["milliseconds"], f"parts of {one.name} do not add up")
        judgement.check(
            sum(part["milliseconds"] for part in said["parts"]) == said["milliseconds"], f"spans of {one.name}: gaps"
        )
        if one.prompted:
            waited = one.answered - one.prompted
            judgement.compare("wait for the user", time_by.get("awaitingUser", 0), waited, one.name)
        else:
            judgement.check("awaitingUser" not in time_by, f"{one.name} asked nothing, and waited for its user: {time_by}")
        if any(one.sent < at + 20 and at < one.ended for at in kills):
            continue
        if one.kind == "hangs":
            running = [part for part in said["parts"] if part["state"] == "running" and part["milliseconds"] > 900]
            judgement.check(
                [part["stage"] for part in running] == ["handle"], f"the hung service of {one.name} is not running: {said}"
            )
            judgement.check(time_by.get("retrying", 0) > 0.2, f"{one.name} is not retrying: {time_by}")
        if one.kind == "behind":
            held = [call for call in house.service.calls[one.behind] if call[0] == "/resolve"]
            judgement.check(
                time_by.get("queued", 0) >= held[-1][2] - max(one.sent, held[-1][1]) - TOLERANCE,
                f"{one.name} was not queued behind {one.behind}: {time_by}",
            )
        if one.kind == "answersBehind":
            judgement.check(time_by.get("queued", 0) > HOLD - 0.3, f"the answer of {one.name} was not queued: {time_by}")


def check_causes(watch, house, client, judgement, kills):
    """The states that were listed, at times at which client and service know them for sure."""
    counts = collections.Counter()
    for began, ended, listed in watch.seen:
        if any(at - 1 < ended and began < at + 20 for at in kills):
            continue
        for said in listed:
            one = client.all.get(said["interaction"])
            if one is None:
                continue
            state = said["state"]

            def is_sure(start, end):
                return start and end and start + FRESH < began and ended < end - 0.05

            expected = None
            if is_sure(one.prompted, one.answered):
                expected = {"awaitingUser"}
            elif one.kind == "answersBehind" and one.answered:
                held = [call for call in house.service.calls[one.behind] if call[2]]
                if held and is_sure(max(one.answered, held[0][1]), held[0][2]):
                    expected = {"queued"}
            elif one.kind == "behind":
                held = [call for call in house.service.calls[one.behind] if call[2]]
                if held and is_sure(max(one.sent, held[0][1]), held[0][2]):
                    expected = {"queued"}
            elif one.kind == "hangs":
                calls = [call for call in house.service.calls[one.name] if call[0] == "/handle"]
                if calls and is_sure(calls[0][1], calls[0][1] + TIMEOUT):
                    expected = {"running"}
                elif len(calls) > 1 and is_sure(calls[0][1] + TIMEOUT, calls[1][1]):
                    expected = {"retrying"}
                    judgement.check(
                        said.get("attempt") == 2 and said.get("attempts") == 8 and "nextAttemptAt" in said,
                        f"{one.name} does not say which attempt is next: {said}",
                    )
            judgement.check(
                state != "awaitingUser" or one.kind in ("asked", "answersBehind"), f"{one.name} waits for its user: {said}"
            )
            if expected:
                counts[next(iter(expected))] += 1
                judgement.check(state in expected, f"{one.name} ({one.kind}) is {state}, not {expected}: {said}")
    return counts


def show_all_states(watch, house, client, kills, number):
    """Continues the conversations until each state was listed at a time at which it is known."""
    end = time.time() + PATIENCE
    while missing := STATES.keys() - check_causes(watch, house, client, Judgement(), kills).keys():
        expect(time.time() < end, f"never listed at a time at which they are known: {sorted(missing)}")
        for kind in sorted({STATES[state] for state in missing}):
            client.converse(number * len(KINDS) + KINDS.index(kind))
            number += 1
        client.finish(60)


def check_console(house, found, client, judgement):
    """The console's pages name the same parts."""
    port = free_port()
    house.start("console", "--listen", f"127.0.0.1:{port}")

    def page(path):
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=10) as reply:
                return reply.read().decode()
        except OSError:
            return None

    until(lambda: page("/interactions"), 30, "the console does not answer")
    words = {"queued": "queued", "running": "running", "retrying": "retrying", "awaitingUser": "awaiting the user"}
    for kind in KINDS:
        one = next(one for one in client.all.values() if one.kind == kind)
        partition, offset = found[one.name]["request"].split(":")
        said = json.loads(house.run("show", one.name, "--json").stdout)
        text = page(f"/interactions/{partition}/{offset}")
        shown = re.search(r"<dt>Time</dt><dd>(.*?)</dd>", text)
        judgement.check(shown, f"the page of {one.name} does not say where its time went")
        for state, milliseconds in said["time"].items():
            if state in words and milliseconds > 0 and shown:
                judgement.check(f"{words[state]} " in shown[1], f"the page of {one.name} has no {state}: {shown[1]}")
        at = datetime.datetime.fromtimestamp(one.sent, datetime.UTC).strftime("%H:%M:%S")
        near = datetime.datetime.fromtimestamp(one.sent + 0.05, datetime.UTC).strftime("%H:%M:%S")
        judgement.check(at in text or near in text, f"the page of {one.name} does not begin at {at}")


def check_metrics(house, client, judgement):
    """The histograms' sums are those of the client's clock, as far as one process has measured them all."""
    values = house.metrics()
    all = list(client.all.values())
    whole = sum(one.ended - one.sent for one in all)
    judgement.check(values[("whole", "count")] == len(all), f"{values[('whole', 'count')]} ends of {len(all)}")
    judgement.compare("mean whole in metrics", values[("whole", "sum")] / len(all), whole / len(all), "metrics")
    waits = [one.answered - one.prompted for one in all if one.prompted]
    judgement.check(values[("awaitingUser", "count")] == len(waits), f"waits in metrics: {values}")
    # A prompt is issued by its turn; the client can read it after the commit.
    commit = values[("committing", "sum")] / max(values[("committing", "count")], 1)
    mean = values[("awaitingUser", "sum")] / max(len(waits), 1) - commit
    judgement.compare("mean wait for the user in metrics", mean, sum(waits) / len(waits), "metrics")
    parts = sum(value for (part, what), value in values.items() if what == "sum" and part != "whole")
    judgement.compare("mean sum of parts in metrics", parts / len(all), whole / len(all), "metrics")
    for part in ("queued", "running", "retrying", "committing"):
        judgement.check(values[(part, "count")] > 0, f"metrics have no {part}")
    # No client sees its attempts: the records have measured them with the clock of the turns.
    listed_ends(house, client)
    shown = [json.loads(house.run("show", one.name, "--json").stdout) for one in all if one.kind == "hangs"]
    retrying = sum(one["time"].get("retrying", 0) for one in shown) / 1000
    count = max(values[("retrying", "count")], 1)
    judgement.compare("mean retrying in metrics", values[("retrying", "sum")] / count, retrying / count, "metrics")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--intentd", required=True, help="the program")
    parser.add_argument("--requests", type=int, default=60, help="how many conversations there are")
    parser.add_argument("--rate", type=float, default=4, help="how many begin in a second")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    house = Times(options)
    judgement = Judgement()
    kills = []
    try:
        client = Client(house, options.seed)
        # Until the lanes have their partitions, everything is queued: as well a part of the users' time.
        watch = Watch(house)
        watch.start()
        half = options.requests // 2
        for number in range(half):
            client.converse(number)
            time.sleep(client.random.expovariate(options.rate))
        client.finish(120)
        check_metrics(house, client, judgement)
        for number in range(half, options.requests):
            client.converse(number)
            if number == half + (options.requests - half) // 2:
                kills.append(time.time())
                house.worker.send_signal(signal.SIGKILL)
                house.worker.wait()
                house.start_worker()
            time.sleep(client.random.expovariate(options.rate))
        client.finish(180)
        show_all_states(watch, house, client, kills, options.requests)
        watch.is_over = True
        watch.join()
        found = check_ends(house, client, judgement)
        check_parts(house, client, judgement, 40 if options.requests <= 100 else 400, kills)
        counts = check_causes(watch, house, client, judgement, kills)
        print(f"  states that were listed at a time when they were known: {dict(counts)}")
        check_console(house, found, client, judgement)
        print(f"{len(client.all)} interactions, {len(watch.seen)} lists, worker killed {len(kills)} times")
        client.close()
        judgement.conclude()
        check_for_crashes()
        print("1 passed, 0 failed")
    except Exception as error:
        keep_crashes()
        print(f"FAIL: {error}\nlogs: {house.directory}", flush=True)
        if not isinstance(error, AssertionError):
            raise
        sys.exit(1)
    finally:
        house.close()


if __name__ == "__main__":
    main()

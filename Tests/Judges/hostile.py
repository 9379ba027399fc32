#!/usr/bin/env python3
"""Hostile clients write to a running intentd, one after the other; after each of them all other users are answered.

    hostile.py --intentd PATH [--shape up|workers] [--brokers HOST:PORT] [--only NAME] [--usual SECONDS]

Each judge writes to `requests` what a client should not. Then 24 users in all partitions must be answered within the
usual time, and the lag of every group must return to 0. Without --shape this is done twice: with `intentd up`, and
with a broker with a worker process for each group, whose topic `requests` accepts more than intentd asks for. With
--brokers there are worker processes on those, and what only the embedded broker promises is left out. The exit
status is 0 when nothing failed; the last line says how many passed.
"""

import argparse
import http.server
import json
import os
import re
import resource
import struct
import socket
import sys
import threading
import time

import confluent_kafka as ck

from clients import create
from judging import expect, run, until
from pipeline import House

USERS = [f"user-{number}" for number in range(24)]
JUDGES = []
INT64 = ["-9223372036854775808", "-9223372036854775807", "-1", "0", "9223372036854775807", "9223372036854775808"]

DEFINITIONS = """\
[{"name": "Judge.Note", "title": "Take a note", "confirmation": "never", "handler": "record"},
 {"name": "Judge.Ask", "title": "Ask", "confirmation": "never", "handler": "record",
  "parameters": [{"name": "text", "type": "string", "required": true},
                 {"name": "count", "type": "integer", "minimum": -9223372036854775808, "maximum": 9223372036854775807},
                 {"name": "span", "type": "duration", "maximum": "PT1H"},
                 {"name": "amount", "type": "currencyAmount"}]},
 {"name": "Judge.Slow", "title": "Take long", "confirmation": "never",
  "handler": {"http": {"url": "http://127.0.0.1:PORT/slow", "timeout": "PT5M", "attempts": 1}}}]
"""


def judge(run):
    JUDGES.append(run)
    return run


class SlowServer:
    """Holds all answers back until it is released."""

    def __init__(self):
        gate = self.gate = threading.Event()

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                self.rfile.read(int(self.headers.get("Content-Length", 0)))
                gate.wait(120)
                self.send_response(200)
                self.send_header("Content-Length", "2")
                self.end_headers()
                self.wfile.write(b"{}")

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


class Deployment:
    """A running intentd, a client for its users, and the responses."""

    def __init__(self, options, shape):
        self.options = options
        self.shape = shape
        self.slow = SlowServer()
        self.house = House(options)
        definitions = self.house.directory / "hostile.json"
        definitions.write_text(DEFINITIONS.replace("PORT", str(self.slow.port)))
        options.definitions = str(definitions)
        if shape == "up":
            self.house.start("up", "--listen", self.house.address)
            self.house.wait_for_broker()
        else:
            self.house.start_broker()
            # Compressed data is larger once it is read: here the topic itself accepts that, whatever the codec.
            create(self.house.address, self.house.topic("requests"), 8, {"max.message.bytes": str(128 << 20)})
            self.house.run("topics", "create", definitions=False)
            for group in ("resolve", "confirm", "handle", "record"):
                self.house.start("work", group)
        until(self.has_topics, 60, "there are no topics")
        self.counter = 0
        self.answers = []
        self.changed = threading.Condition()
        self.over = threading.Event()
        threading.Thread(target=self.listen, daemon=True).start()
        self.plain = self.producer()

    def has_topics(self):
        try:
            found = self.plain_client().list_topics(timeout=2).topics
            return self.house.topic("requests") in found and self.house.topic("state") in found
        except ck.KafkaException:
            return False

    def plain_client(self):
        return ck.Producer({"bootstrap.servers": self.house.address, "log_level": 0})

    def producer(self, **settings):
        return ck.Producer(
            {
                "bootstrap.servers": self.house.address,
                "partitioner": "murmur2_random",
                "linger.ms": 1,
                "log_level": 2,
                **settings,
            }
        )

    def listen(self):
        reader = ck.Consumer(
            {
                "bootstrap.servers": self.house.address,
                "group.id": "hostile",
                "isolation.level": "read_committed",
                "enable.auto.commit": False,
                "log_level": 2,
            }
        )
        name = self.house.topic("responses")
        reader.assign([ck.TopicPartition(name, number, ck.OFFSET_BEGINNING) for number in range(8)])
        while not self.over.is_set():
            for message in reader.consume(500, 0.1):
                if message.error():
                    continue
                headers = {key: value.decode() for key, value in message.headers() or []}
                with self.changed:
                    self.answers.append((headers, json.loads(message.value()), time.monotonic()))
                    self.changed.notify_all()
        reader.close()

    def subject(self, what):
        self.counter += 1
        return f"{what}-{self.counter}"

    def send(self, kind, user, data, subject=None, by=None, key=None, partition=None, headers=(), value=None):
        """Writes an event; returns whether the broker accepted it."""
        data = {"user": {"id": user}} | data
        all_headers = [("ce_type", kind), ("ce_userid", user)] + ([("ce_subject", subject)] if subject else [])
        taken = []
        writer = by or self.plain
        place = {} if partition is None else {"partition": partition}
        writer.produce(
            self.house.topic("requests"),
            json.dumps(data).encode() if value is None else value,
            key=key or user,
            headers=all_headers + list(headers),
            on_delivery=lambda error, _: taken.append(error is None),
            **place,
        )
        writer.flush(60)
        return bool(taken and taken[0])

    def wait(self, seconds, message, fits):
        """The first answer that fits."""
        deadline = time.monotonic() + seconds
        with self.changed:
            while True:
                for headers, data, at in self.answers:
                    if fits(headers, data):
                        return headers, data, at
                rest = deadline - time.monotonic()
                expect(rest > 0, message)
                self.changed.wait(rest)

    def end(self, subject, seconds=30):
        def fits(headers, data):
            return headers.get("ce_subject") == subject and data.get("terminal") is True

        return self.wait(seconds, f"{subject} has no end", fits)[1]

    def prompt(self, subject, seconds=30):
        def fits(headers, data):
            return headers.get("ce_subject") == subject and headers["ce_type"] == "prompt.issued"

        return self.wait(seconds, f"{subject} is asked nothing", fits)[1]

    def rejection(self, fits, seconds=30):
        return self.wait(
            seconds, "nothing is rejected", lambda headers, data: headers["ce_type"] == "event.rejected" and fits(data)
        )[1]

    def request(self, name, user, parameters=None, subject=None, **more):
        subject = subject or self.subject("good")
        data = {"intent": {"name": name, "parameters": parameters or {}}}
        expect(self.send("intent.requested", user, data, subject, **more), f"{subject} is not taken")
        return subject

    def dead_letters(self):
        return sum(1 for _ in self.house.read_all("dead-letters"))

    # The checks after each.

    def check(self, seconds):
        """All users are answered within the time, and no records are left to be read."""
        began = time.monotonic()
        subjects = [self.request("Judge.Note", user) for user in USERS]
        late = 0.0
        for subject in subjects:
            end = self.end(subject, max(0.1, seconds - (time.monotonic() - began)))
            expect(end["endReason"] == "nominal", f"{subject} ends with {end['endReason']}")
        late = time.monotonic() - began
        until(self.has_no_lag, 30, "the lag does not come back to 0")
        for process in self.house.processes:
            expect(process.poll() is None, f"a process has ended with {process.returncode}: {process.log}")
        return late

    def has_no_lag(self):
        lines = self.house.run("lag", "--json", definitions=False).stdout.splitlines()
        return all(json.loads(line)["lag"] == 0 for line in lines)

    def close(self):
        self.over.set()
        self.slow.gate.set()
        time.sleep(0.2)
        self.house.close()


# The hostile clients.


@judge
def prompt_numbers(it):
    """Answers an open prompt with the largest and smallest numbers of Int64."""
    user = USERS[0]
    subject = it.request("Judge.Ask", user)
    prompt = it.prompt(subject)
    for stage in "rch":
        for number in INT64:
            prompt_id = f"{subject}/{stage}/{number}"
            it.send("prompt.answered", user, {"promptId": prompt_id, "value": "x"})
            it.rejection(lambda data: data.get("promptId") == prompt_id)
    it.send("prompt.answered", user, {"promptId": prompt["promptId"], "value": "x"})
    expect(it.end(subject)["endReason"] == "nominal", "the right answer is not taken")


@judge
def too_large(it):
    """Values of 1.1 to 64 MiB in every codec, at home and elsewhere."""
    before = it.dead_letters()
    taken, refused = 0, 0
    for codec in ("gzip", "snappy", "lz4", "zstd"):
        writer = it.producer(**{"compression.type": codec, "message.max.bytes": 128 << 20})
        for megabytes in (1.1, 5, 9, 64):
            value = b'{"x":"' + b"x" * int(megabytes * 1024 * 1024) + b'"}'
            for partition in (None, 3):
                user = USERS[1]
                subject = it.subject("large")
                if it.send("intent.requested", user, {}, subject, by=writer, partition=partition, value=value):
                    taken += 1
                    expect(it.end(subject, 60)["endReason"] == "invalidRequest", f"{subject} ends otherwise")
                else:
                    refused += 1
    until(lambda: it.dead_letters() == before + taken, 30, f"{taken} too large records are not all buried")
    it.note = f"{taken} buried, {refused} refused by the broker"
    if it.shape == "workers":
        expect(taken >= 16, f"only {taken} came in")


@judge
def large_headers(it):
    """Headers of 0.9 and 5 MB, and a key of 2 MB."""
    before = it.dead_letters()
    taken = 0
    writer = it.producer(**{"compression.type": "zstd", "message.max.bytes": 128 << 20})
    for size in (900_000, 5_000_000):
        for partition in (None, 3):
            header = [("x-large", b"h" * size)]
            taken += it.send("intent.requested", USERS[2], {}, it.subject("header"), by=writer, headers=header, partition=partition)
    taken += it.send("intent.requested", USERS[2], {}, it.subject("key"), by=writer, key="k" * 2_000_000, partition=2)
    until(lambda: it.dead_letters() == before + taken, 30, f"{taken} records with large headers are not all buried")
    it.note = f"{taken} buried"


def crc32c(data, table=[]):
    if not table:
        for number in range(256):
            for _ in range(8):
                number = number >> 1 ^ (0x82F63B78 if number & 1 else 0)
            table.append(number)
    value = 0xFFFFFFFF
    for byte in data:
        value = table[(value ^ byte) & 0xFF] ^ value >> 8
    return value ^ 0xFFFFFFFF


def produce_raw(address, topic, partition, codec, body):
    """A Produce request (version 3) with a batch whose records are these bytes; returns the error of the answer."""
    rest = struct.pack(">hiqqqhii", codec, 0, 0, 0, -1, -1, -1, 1) + body
    batch = struct.pack(">qiibI", 0, 9 + len(rest), -1, 2, crc32c(rest)) + rest
    name = topic.encode()
    frame = struct.pack(">hhih", 0, 3, 1, 4) + b"evil" + struct.pack(">hhii", -1, -1, 10_000, 1)
    frame += struct.pack(">h", len(name)) + name + struct.pack(">iii", 1, partition, len(batch)) + batch
    host, port = address.split(":")
    with socket.create_connection((host, int(port)), 10) as connection:
        connection.sendall(struct.pack(">i", len(frame)) + frame)
        answer = b""
        while len(answer) < 4 or len(answer) < 4 + struct.unpack(">i", answer[:4])[0]:
            piece = connection.recv(65536)
            expect(piece, "the broker closes the connection")
            answer += piece
    at = 4 + 4 + 4 + 2 + len(name) + 4 + 4
    return struct.unpack(">h", answer[at : at + 2])[0]


@judge
def garbage_in_batch(it):
    """Batches whose compressed records are invalid, with the right checksum: the broker accepts none."""
    # Snappy begins with the uncompressed length: first one that a batch may have, and then one that it may not.
    bodies = [(codec, body, (2, 87)) for codec in range(5) for body in (b"", b"\xff" * 40, b"\x7f" + os.urandom(299))]
    for codec, body, wanted in [*bodies, (2, b"\xff\xff\xff\x7f" + os.urandom(296), (10,))]:
        for partition in range(8):
            error = produce_raw(it.house.address, it.house.topic("requests"), partition, codec, body)
            # Kafka's reasons are others.
            is_right = error != 0 if it.options.brokers else error in wanted
            expect(is_right, f"codec {codec}, {len(body)} bytes: the broker answers {error}, not {wanted}")


@judge
def behind_a_slow_handler(it):
    """Records that are not events, of a user with more waiting behind a slow handler than may wait behind a slow resolver.

    No intent without Swift has a slow resolver; OversizeTests has one.
    """
    user = USERS[3]
    before = it.dead_letters()
    it.slow.gate.clear()
    slow = it.request("Judge.Slow", user)
    time.sleep(1)
    writer = it.producer(**{"linger.ms": 50})
    for _ in range(120):
        data = {"user": {"id": user}, "intent": {"name": "Judge.Note"}}
        headers = [("ce_type", "intent.requested"), ("ce_userid", user), ("ce_subject", it.subject("waits"))]
        writer.produce(it.house.topic("requests"), json.dumps(data), key=user, headers=headers)
    writer.flush(30)
    for value in (b"{", b"\xff", b"[" * 70 + b"]" * 70):
        it.send("intent.requested", user, {}, it.subject("broken"), value=value)
    until(lambda: it.dead_letters() >= before + 3, 60, "what is no event is not buried")
    it.slow.gate.set()
    it.end(slow, 60)


@judge
def other_unicode_form(it):
    """An answer of a user whose name is equal in Unicode and has other bytes."""
    for owner, other in (("Kim", "\u212aim"), ("s\u00e9an", "se\u0301an"), ("\u00f3scar", "o\u0301scar")):
        subject = it.request("Judge.Ask", owner)
        prompt = it.prompt(subject)
        it.send("prompt.answered", other, {"promptId": prompt["promptId"], "value": "theirs"})
        it.rejection(lambda data: data.get("promptId") == prompt["promptId"] and data["reason"] == "notYours")
        it.send("prompt.answered", owner, {"promptId": prompt["promptId"], "value": "mine"})
        end = it.end(subject)
        expect(end["intent"]["parameters"]["text"] == "mine", f"{owner} receives {end['intent']['parameters']}")


NUMBERS = [int(text) for text in INT64] + [2**53 + 1, 1e308, -1e308, 5e-324, 1e19]
MONEY = [
    {"amount": amount, "currencyCode": code}
    for amount in ("0", "-0.01", "9" * 32, "-" + "9" * 32, "9223372036854775807", "92233720368547758.08")
    for code in ("EUR", "JPY", "KWD")
]
SPANS = ["PT0S", "PT" + "9" * 40 + "S", "P9223372036854775807W", "PT0.000000000000000001S"]
DATES = [
    "0000-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:59", "2026-02-31T00:00:00Z", "1970-01-01T00:00:00Z",
    "2026-11-21T12:30:00.99999999999999999999Z",
]
RANGES = [{"start": DATES[1], "end": DATES[0]}, {"start": "9999-12-31"}, {"end": "0000-01-01"}]
PLACES = [{"name": "n", "latitude": a, "longitude": b} for a, b in ((90, 180), (-90, -180), (5e-324, 1e308), (0, 0))]
TYPED = [
    ("INSendPaymentIntent", "currencyAmount", MONEY, {"payee": "Celestra", "note": "n"}),
    ("INRequestPaymentIntent", "currencyAmount", MONEY, {"payer": "Celestra", "note": "n"}),
    ("INStartWorkoutIntent", "goalValue", NUMBERS, {"workoutName": "Run", "workoutGoalUnitType": "mile"}),
    ("INStartWorkoutIntent", "goalValue", NUMBERS, {"workoutName": "Run", "workoutGoalUnitType": "hour"}),
    ("INRequestRideIntent", "partySize", NUMBERS, {"pickupLocation": "Home", "dropOffLocation": "Work"}),
    ("INRequestRideIntent", "pickupLocation", PLACES, {"dropOffLocation": "Work"}),
    ("INRequestRideIntent", "dropOffLocation", PLACES, {"pickupLocation": PLACES[1]}),
    ("INRequestRideIntent", "scheduledPickupTime", RANGES, {"pickupLocation": "Home", "dropOffLocation": "Work"}),
    ("INListRideOptionsIntent", "pickupLocation", PLACES, {"dropOffLocation": PLACES[0]}),
    ("INSendRideFeedbackIntent", "rating", NUMBERS, {"rideIdentifier": "r"}),
    ("INSendRideFeedbackIntent", "tip", MONEY, {"rideIdentifier": "r"}),
    ("INSearchForMessagesIntent", "dateTimeRange", RANGES, {}),
    ("INSearchCallHistoryIntent", "dateCreated", RANGES, {}),
    ("Judge.Ask", "count", NUMBERS, {"text": "x"}),
    ("Judge.Ask", "span", SPANS, {"text": "x"}),
    ("Judge.Ask", "amount", MONEY, {"text": "x"}),
    ("BookRestaurantTable", "people", NUMBERS, {"restaurant": "Old Mill", "date": "9999-12-31", "time": "23:59"}),
    ("BookRestaurantTable", "date", ["0000-01-01", "9999-12-31"], {"restaurant": "Old Mill", "time": "00:00"}),
]


@judge
def typed_ends(it):
    """The largest and smallest numbers in every typed parameter of the five apps, and in the times of an event itself."""
    user = USERS[4]
    subjects = []
    for name, parameter, values, others in TYPED:
        for value in values:
            subject = it.subject("ends")
            subjects.append(subject)
            data = {"intent": {"name": name, "parameters": others | {parameter: value}}}
            it.send("intent.requested", f"{user}-{len(subjects) % 40}", data, subject)
    for expires in DATES:
        subject = it.subject("expires")
        subjects.append(subject)
        it.send("intent.requested", user, {"intent": {"name": "Judge.Note"}, "expiresAt": expires}, subject)
    for subject in subjects:
        it.wait(60, f"{subject} is not answered", lambda headers, _: headers.get("ce_subject") == subject)
    it.note = f"{len(subjects)} requests"


@judge
def internal_types(it):
    """Types that only intentd may write: ignored."""
    for kind in ("intent.resolved", "intent.confirmed", "interaction.returned", "interaction.resumed", "timer.fired",
                 "prompt.issued", "intent.responded", "event.rejected", "user-activity.created", "turn.journaled"):
        for user in USERS[:4]:
            interaction = {"id": "x", "request": "0:0", "startedAt": -(2**63), "user": {"id": user}, "locale": "en",
                           "device": {}, "intent": {"name": "Judge.Note"}, "turns": 2**63 - 1}
            data = {"interaction": interaction, "what": "timeout", "deadline": DATES[0], "attempt": -(2**63)}
            it.send(kind, user, data, "x", headers=[("ce_stage", "handle"), ("ce_request", "0:-9223372036854775808")])


@judge
def open_transaction(it):
    """A transaction that a client leaves open: the broker bounds it."""
    writer = None
    # Kafka gives it as long as it asks for.
    for timeout in (15_000,) if it.options.brokers else (60_000, 15_000):
        candidate = it.producer(**{"transactional.id": f"hostile-{time.monotonic()}", "transaction.timeout.ms": timeout})
        try:
            candidate.init_transactions(10)
            writer = candidate
            break
        except ck.KafkaException:
            continue
    expect(writer, "no transaction can be begun")
    writer.begin_transaction()
    for partition in range(8):
        writer.produce(it.house.topic("requests"), b"{}", partition=partition)
    writer.flush(10)
    it.patience = 45
    it.left_open = writer


def http_addresses(it):
    """Where the deployment's HTTP servers listen, by what its processes have logged, each with a page to ask for."""
    found = []
    for process in it.house.processes:
        with open(process.log) as log:
            text = log.read()
        found += [(address, "/livez") for address in re.findall(r"Serving metrics and health checks.*?(127\.0\.0\.1:\d+)", text)]
        found += [(address, "/") for address in re.findall(r"Console on http://(127\.0\.0\.1:\d+)", text)]
    expect(found, "no process logs the address of its metrics")
    return found


def connect(address):
    host, port = address.split(":")
    return socket.create_connection((host, int(port)), 5)


def hold(address, count, bytes_of_one=b"", one_by_one=False):
    """Opens connections that complete no request."""
    held = []
    for _ in range(count):
        connection = connect(address)
        connection.setblocking(False)
        held.append(connection)
    for piece in [bytes_of_one[i : i + 1] for i in range(len(bytes_of_one))] if one_by_one else [bytes_of_one]:
        for connection in held:
            try:
                connection.send(piece)
            except OSError:
                pass  # closed for another one
    return held


def timed_answer(address, request):
    """The beginning of the answer to a request on a connection of its own, and how long it took."""
    began = time.monotonic()
    with connect(address) as connection:
        connection.settimeout(30)
        connection.sendall(request)
        return connection.recv(65536), time.monotonic() - began


@judge
def held_connections(it):
    """Connections without a complete request: idle, half a request, byte by byte. Probes and clients come in within 1 s.

    The first one waits while the server accepts what came before it, which takes an unoptimized build longer.
    """
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(65_536, resource.getrlimit(resource.RLIMIT_NOFILE)[1]),) * 2)
    versions = struct.pack(">ihhih", 10, 18, 0, 7, -1)
    slowest, first = (0.0, ""), 0.0
    targets = [(address, 1_000, f"GET {page} HTTP/1.1\r\nHost: {address}\r\n\r\n".encode(), b"HTTP/1.1 200 ")
               for address, page in http_addresses(it)]
    if not it.options.brokers:
        targets.append((it.house.address, 2_000, versions, struct.pack(">ii", 0, 7)[4:]))
    for address, count, request, wanted in targets:
        for part, one_by_one in ((b"", False), (request[:-4], False), (request[:12], True)):
            held = hold(address, count, part, one_by_one)
            for number in range(5):
                answer, seconds = timed_answer(address, request)
                expect(wanted in answer[:16], f"{address} answers {answer[:16]} behind {count} held connections")
                if number > 0:
                    slowest = max(slowest, (seconds, f"{address}, {request[:10]!r}, after {part[:10]!r}"))
                else:
                    first = max(first, seconds)
            for connection in held:
                connection.close()
    expect(slowest[0] < 1, f"the slowest answer took {slowest[0]:.2f} s: {slowest[1]}")
    it.note = f"{len(targets)} servers, slowest answer {slowest[0] * 1_000:.0f} ms, first {first * 1_000:.0f} ms"


@judge
def large_among_small(it):
    """Many small requests of one user, then a small one and thirty of 760 KB, twice: all replay."""
    user = USERS[5]
    writer = it.producer(**{"linger.ms": 20, "queue.buffering.max.kbytes": 1 << 20})
    padding = "x" * 760_000
    subjects = []

    def send(padded):
        data = {"user": {"id": user}, "intent": {"name": "Judge.Note"}} | ({"padding": padding} if padded else {})
        subjects.append(it.subject("among"))
        headers = [("ce_type", "intent.requested"), ("ce_userid", user), ("ce_subject", subjects[-1])]
        writer.produce(it.house.topic("requests"), json.dumps(data), key=user, headers=headers)
        writer.poll(0)

    for _ in range(300):
        send(False)
    for _ in range(2):
        send(False)
        for _ in range(30):
            send(True)
    expect(writer.flush(60) == 0, "not everything is taken")
    # On a busy machine a turn is parked, and events beyond the limit behind it are refused (R5): a client repeats them.
    deadline = time.monotonic() + 120
    while True:
        last = it.wait(
            deadline - time.monotonic(),
            f"{subjects[-1]} has no end",
            lambda headers, data: headers.get("ce_subject") == subjects[-1]
            and (data.get("terminal") is True or headers["ce_type"] == "event.rejected"),
        )[1]
        if last.get("terminal") is True:
            break
        expect(last["reason"] == "busy", f"{subjects[-1]} is rejected: {last}")
        send(True)
        expect(writer.flush(60) == 0, "not everything is taken")
    it.house.wait_for_recorder()
    done = it.house.run("replay", "--user", user, check=False)
    expect(done.returncode == 0, f"replay ends with {done.returncode}: {done.stdout[-1500:]}{done.stderr[-500:]}")
    it.note = done.stdout.strip().splitlines()[-1]


#: What people call units of a workout's goal, in any language and spelling; and what is none.
SAID = {
    "mile": ["mile", "Meilen", "MEILEN", "miles", "Mile", "meil\u0065n"],
    "foot": ["Fu\u00df", "FUSS", "feet", "Fuss"],
    "kiloCalorie": ["Kilo Kalorien", "kilocalories"],
    None: ["parsecs", "Meile ", "\u202emile", "Meilen, feet", "x" * 60_000, ["mile"], {"mile": 1}, 3],
}


@judge
def titles_in_any_language(it):
    """A value by its titles of every language, in a request, an answer and a correction; other texts are no value."""
    user = USERS[6]
    workout = {"workoutName": "Run", "goalValue": 3}
    wrong = []

    def received(subject, count):
        """What the user receives as number `count` about the interaction."""
        deadline = time.monotonic() + 30
        while True:
            with it.changed:
                found = [data for headers, data, _ in it.answers if headers.get("ce_subject") == subject]
                if len(found) > count:
                    return found[count]
                expect(deadline > time.monotonic(), f"{subject} is not answered")
                it.changed.wait(1)

    def check(said, wanted, *answer):
        """Notes a unit that is not the wanted one, after the answer to a question about it if there is one; then ends it."""
        subject = it.request("INStartWorkoutIntent", user, workout | {"workoutGoalUnitType": "parsecs" if answer else said})
        last = received(subject, 0)
        if answer:
            expect(last.get("kind") == "unsupported", f"parsecs get {last}")
            it.send("prompt.answered", user, {"promptId": last["promptId"]} | answer[0], subject)
            last = received(subject, 1)
        found = last["intent"]["parameters"].get("workoutGoalUnitType")
        if found != wanted:
            wrong.append((str(said)[:40], answer, last.get("kind"), found))
        if last.get("code") == "handleInApp":
            it.send("app.responded", user, {"code": "success"}, subject)
        elif not last.get("terminal"):
            it.send("interaction.cancelled", user, {}, subject)
        it.end(subject)

    for value, texts in SAID.items():
        for said in texts:
            check(said, value)
            if value is not None:
                check(said, value, {"value": said})
                check(said, value, {"action": "decline", "corrections": {"workoutGoalUnitType": said}})
    expect(not wrong, f"not understood: {wrong}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--intentd", required=True)
    parser.add_argument("--shape", choices=["up", "workers"])
    parser.add_argument("--brokers", help="HOST:PORT of brokers to run on")
    parser.add_argument("--only", default="")
    parser.add_argument("--usual", type=float, default=10, help="within how many seconds 24 users are answered")
    options = parser.parse_args()
    options.definitions = None
    options.shape = "workers" if options.brokers else options.shape
    passed, failed = 0, 0
    for shape in [options.shape] if options.shape else ["up", "workers"]:
        it = Deployment(options, shape)
        try:
            print(f"{shape}: 24 users are answered in {it.check(60):.2f} s", flush=True)

            def call(hostile):
                it.note, it.patience = "", options.usual
                hostile(it)
                late = it.check(it.patience)
                print(f"  {hostile.__name__}: {it.note or 'done'}; then 24 users in {late:.2f} s", flush=True)

            counts = run(JUDGES, options.only, call)
            passed, failed = passed + counts[0], failed + counts[1]
        finally:
            it.close()
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

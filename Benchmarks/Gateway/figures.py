#!/usr/bin/env python3
"""What the gateway costs: latency beside a Kafka client, processor time, memory of streams, the start of a replica.

    figures.py --intentd PATH [--only PART …] [--seconds 20] [--streams 10000] [--past 1000000]

The parts are latency, requests, streams and start. A broker, workers and a gateway are processes of this machine;
`proxy.py`, a plain REST-to-Kafka proxy in Python, is measured in the same way. Needs the packages of requirements.txt, and
a release build.
"""

import argparse
import asyncio
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
import uuid

from confluent_kafka import Consumer, Producer, TopicPartition

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "Tests" / "Judges"))

from judging import Program, free_port, until  # noqa: E402

#: It ends at once, without a handler: what is measured is the way there and back.
INTENT = "Measured"
DEFINITION = [{"name": INTENT, "confirmation": "never", "handler": "record", "parameters": []}]
TICK = os.sysconf("SC_CLK_TCK")


def percentiles(seconds):
    found = sorted(seconds)
    at = lambda share: found[min(int(len(found) * share), len(found) - 1)] * 1_000  # noqa: E731
    return f"p50 {at(0.5):.1f} ms, p99 {at(0.99):.1f} ms of {len(found)}"


def processor_seconds(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICK


def mebibytes(pid):
    text = pathlib.Path(f"/proc/{pid}/status").read_text()
    return int(text.partition("VmRSS:")[2].split()[0]) / 1024


class House:
    """Broker, workers, and the gateways under measurement."""

    def __init__(self, options):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="intentd-figures-"))
        self.address = f"127.0.0.1:{free_port()}"
        self.intentd = os.path.abspath(options.intentd)
        (self.folder / "intents.json").write_text(json.dumps(DEFINITION))
        (self.folder / "intentd.yaml").write_text(
            f"definitions: [{self.folder / 'intents.json'}]\nmonitoring:\n  listen: none\n"
            "gateway:\n  limits: {connections: 100000, userRate: 1000000, userConcurrency: 100000, clientRate: 1000000,"
            " clientConcurrency: 100000}\n"
        )
        self.processes = []
        self.start("broker", "--listen", self.address, data="broker")
        until(lambda: self.run("topics", "create").returncode == 0, 30, "no broker")
        # A process for all stages, as `up` has it; the gateway and the proxy are processes of their own.
        for stage in ("resolve", "confirm", "handle"):
            self.start("work", stage, "--name", stage, data=stage)

    def words(self, *words, data):
        common = ["--data", str(self.folder / data), "--config", str(self.folder / "intentd.yaml"), "--log-level", "warning"]
        return [self.intentd, *words, *common, *([] if words[0] == "broker" else ["--brokers", self.address])]

    def run(self, *words):
        return subprocess.run(self.words(*words, data="tool"), capture_output=True, text=True, timeout=120)

    def start(self, *words, data):
        log = open(self.folder / f"{data}.log", "ab")
        self.processes.append(Program(self.words(*words, data=data), stdout=log, stderr=log))
        return self.processes[-1]

    def gateway(self, data="gateway"):
        """A gateway, when it is ready: its process, its port, and how long that took."""
        port, began = free_port(), time.monotonic()
        made = self.start("gateway", "--listen", f"127.0.0.1:{port}", data=data)
        self.until_ready(port, made)
        return made, port, time.monotonic() - began

    def proxy(self):
        port = free_port()
        log = open(self.folder / "proxy.log", "ab")
        made = Program([sys.executable, str(HERE / "proxy.py"), self.address, str(port)], stdout=log, stderr=log)
        self.processes.append(made)
        self.until_ready(port, made)
        return made, port

    def until_ready(self, port, process):
        def answers():
            assert process.poll() is None, "it has ended"
            request = urllib.request.Request(f"http://127.0.0.1:{port}/v1/interactions/none", headers={"Intentd-User": "u"})
            try:
                urllib.request.urlopen(request, timeout=5)
            except urllib.error.HTTPError as error:
                return error.code == 404
            except OSError:
                return False

        until(answers, 1_800, "it does not answer")

    def close(self):
        for process in self.processes:
            process.kill()
        for process in self.processes:
            process.wait()
        subprocess.run(["rm", "-rf", str(self.folder)], check=False)


class Caller:
    """A small client with kept connections: the measurement must cost less than what is measured."""

    def __init__(self, port):
        self.port = port
        self.idle = []

    async def call(self, method, path, user, body=b"", headers=""):
        reader, writer = self.idle.pop() if self.idle else await asyncio.open_connection("127.0.0.1", self.port)
        writer.write(
            f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nIntentd-User: {user}\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\n{headers}\r\n".encode() + body
        )
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
        length = int(head.partition("content-length:")[2].split()[0])
        data = await reader.readexactly(length)
        self.idle.append((reader, writer))
        return int(head.split()[1]), data

    async def ask(self, user):
        body = json.dumps({"intent": INTENT, "parameters": {}}).encode()
        status, data = await self.call(
            "POST", "/v1/interactions", user, body, f"Prefer: wait=30\r\nIdempotency-Key: {uuid.uuid4()}\r\n"
        )
        assert status in (200, 201) and json.loads(data)["state"] == "ended", (status, data)


class KafkaCaller:
    """The same, with a Kafka client."""

    def __init__(self, brokers):
        self.producer = Producer({"bootstrap.servers": brokers, "partitioner": "murmur2", "linger.ms": 0, "enable.idempotence": True})
        self.consumer = Consumer(
            {"bootstrap.servers": brokers, "group.id": str(uuid.uuid4()), "isolation.level": "read_committed", "fetch.wait.max.ms": 100}
        )
        places = [TopicPartition("intents.responses", number) for number in range(8)]
        for place in places:
            place.offset = self.consumer.get_watermark_offsets(place, 10)[1]
        self.consumer.assign(places)
        self.waiting = {}
        self.loop = asyncio.get_running_loop()
        self.over = False
        self.task = self.loop.run_in_executor(None, self.read)

    def read(self):
        while not self.over:
            self.producer.poll(0)
            for message in self.consumer.consume(100, 0.005):
                found = self.waiting.pop(dict(message.headers()).get("ce_subject", b"").decode(), None)
                if found is not None:
                    self.loop.call_soon_threadsafe(found.set_result, None)

    async def ask(self, user):
        id = str(uuid.uuid4())
        self.waiting[id] = done = self.loop.create_future()
        headers = {"ce_type": "intent.requested", "ce_id": id, "ce_userid": user, "ce_subject": id}
        body = json.dumps({"intent": {"name": INTENT, "parameters": {}}, "user": {"id": user}})
        self.producer.produce("intents.requests", body, key=user, headers=headers)
        await asyncio.wait_for(done, 30)


async def at_rate(caller, rate, seconds):
    """Asks so often, whether earlier ones have been answered or not; returns how long each took."""
    took, tasks = [], []

    async def one(number):
        began = time.monotonic()
        await caller.ask(f"user-{number % 500}")
        took.append(time.monotonic() - began)

    for number in range(50):
        await caller.ask(f"user-{number}")
    began = time.monotonic()
    for number in range(int(rate * seconds)):
        await asyncio.sleep(max(0, began + number / rate - time.monotonic()))
        tasks.append(asyncio.create_task(one(number)))
    await asyncio.gather(*tasks)
    return took


def latency(house, options):
    gateway, port, _ = house.gateway()
    proxy, proxy_port = house.proxy()

    async def measure():
        for rate in (50, 500):
            for name, make in (
                ("Kafka client", lambda: KafkaCaller(house.address)), ("gateway", lambda: Caller(port)),
                ("proxy in Python", lambda: Caller(proxy_port)),
            ):  # fmt: skip
                caller = make()
                print(f"latency, {rate}/s, {name}: {percentiles(await at_rate(caller, rate, options.seconds))}", flush=True)
                caller.over = True

    asyncio.run(measure())
    gateway.kill()
    proxy.kill()


def requests(house, options):
    async def measure(name, process, port):
        for what, act in (
            ("reads", lambda caller, user: caller.call("GET", f"/v1/interactions/{ids[user]}", user)),
            ("asks", lambda caller, user: caller.ask(user)),
        ):
            caller, ids, count = Caller(port), {}, 0
            for user in map(str, range(32)):
                body = json.dumps({"intent": INTENT}).encode()
                ids[user] = json.loads((await caller.call("POST", "/v1/interactions", user, body))[1])["id"]
            end = time.monotonic() + options.seconds
            began, before = time.monotonic(), processor_seconds(process.pid)

            async def work(user):
                nonlocal count
                while time.monotonic() < end:
                    await act(caller, user)
                    count += 1

            await asyncio.gather(*(work(user) for user in ids))
            used = processor_seconds(process.pid) - before
            rate = count / (time.monotonic() - began)
            print(f"requests, {name}: {rate:.0f} {what}/s, {used / count * 1e6:.0f} µs of processor time each", flush=True)

    gateway, port, _ = house.gateway()
    asyncio.run(measure("gateway", gateway, port))
    gateway.kill()
    proxy, port = house.proxy()
    asyncio.run(measure("proxy in Python", proxy, port))
    proxy.kill()


def streams(house, options):
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)

    async def measure(name, process, port):
        before = mebibytes(process.pid)
        readers = []
        for number in range(options.streams):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(f"GET /v1/events HTTP/1.1\r\nHost: localhost\r\nIntentd-User: user-{number}\r\n\r\n".encode())
            await reader.readuntil(b"\r\n\r\n")
            readers.append((reader, writer))
        await asyncio.sleep(2)
        memory = mebibytes(process.pid) - before
        print(f"streams, {name}: {options.streams} idle, {memory:.0f} MiB, {memory / options.streams * 1024:.1f} KiB each", flush=True)
        counts = [0] * len(readers)

        async def drain(number):
            while piece := await readers[number][0].read(65_536):
                counts[number] += piece.count(b"data: ") + piece.count(b"data:{")

        tasks = [asyncio.create_task(drain(number)) for number in range(len(readers))]
        # The events are written by themselves: what is measured is their way to the clients.
        producer = Producer({"bootstrap.servers": house.address, "partitioner": "murmur2", "linger.ms": 5, "queue.buffering.max.messages": 1_000_000})
        began, cpu, each = time.monotonic(), processor_seconds(process.pid), 5
        for round_ in range(each):
            for number in range(options.streams):
                notify(producer, f"user-{number}", f"n-{round_}-{number}")
            await asyncio.to_thread(producer.flush, 60)
        wanted = options.streams * each
        while sum(counts) < wanted and time.monotonic() - began < 120:
            await asyncio.sleep(0.05)
        took, used = time.monotonic() - began, processor_seconds(process.pid) - cpu
        print(f"streams, {name}: {sum(counts)} of {wanted} events to {options.streams} clients in {took:.1f} s, {sum(counts) / took:.0f}/s, {used / max(sum(counts), 1) * 1e6:.0f} µs of processor time each", flush=True)
        for task in tasks:
            task.cancel()
        for _, writer in readers:
            writer.close()

    gateway, port, _ = house.gateway()
    asyncio.run(measure("gateway", gateway, port))
    gateway.kill()
    proxy, port = house.proxy()
    asyncio.run(measure("proxy in Python", proxy, port))
    proxy.kill()


def notify(producer, user, id):
    data = {"name": "news", "dialog": "There is news.", "details": {}, "user": {"id": user}}
    headers = {
        "ce_specversion": "1.0", "ce_type": "user.notified", "ce_id": id, "ce_source": "figures", "ce_userid": user,
        "ce_time": "2026-11-28T12:00:00.000Z", "content-type": "application/json",
    }  # fmt: skip
    producer.produce("intents.responses", json.dumps(data), key=user, headers=headers)


def start(house, options):
    """Past interactions are real ones, made by as many requests over Kafka."""
    producer = Producer({"bootstrap.servers": house.address, "partitioner": "murmur2", "linger.ms": 20, "queue.buffering.max.messages": 200_000})
    consumer = Consumer({"bootstrap.servers": house.address, "group.id": "figures"})

    def ends():
        return sum(consumer.get_watermark_offsets(TopicPartition("intents.responses", number), 10)[1] for number in range(8))

    body = json.dumps({"intent": {"name": INTENT, "parameters": {}}})
    for number in range(options.past):
        user = f"past-{number % 50_000}"
        headers = {"ce_type": "intent.requested", "ce_userid": user, "ce_subject": f"p{number}"}
        while True:
            try:
                producer.produce("intents.requests", body, key=user, headers=headers)
                break
            except BufferError:
                producer.poll(0.1)
    producer.flush(600)
    until(lambda: ends() >= options.past, 3_600, "not all past interactions have ended")
    time.sleep(3)
    gateway, port, took = house.gateway("late")
    print(f"start with {options.past} past interactions: ready after {took:.1f} s, {mebibytes(gateway.pid):.0f} MiB", flush=True)
    gateway.terminate()
    gateway.wait()
    size = sum(file.stat().st_size for file in (house.folder / "late").rglob("*") if file.is_file())
    gateway, port, took = house.gateway("late")
    print(f"again, with its own file of {size / 1e6:.0f} MB: ready after {took:.1f} s, {mebibytes(gateway.pid):.0f} MiB", flush=True)
    gateway.kill()


PARTS = {"latency": latency, "requests": requests, "streams": streams, "start": start}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--intentd", required=True, help="the program, of a release build")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=list(PARTS), metavar="PART", help="these parts alone")
    parser.add_argument("--seconds", type=float, default=20, help="how long a rate is kept")
    parser.add_argument("--streams", type=int, default=10_000, help="how many clients follow events")
    parser.add_argument("--past", type=int, default=1_000_000, help="how many interactions are in the topics")
    options = parser.parse_args()
    for part in options.only:
        house = House(options)
        try:
            PARTS[part](house, options)
        finally:
            house.close()


if __name__ == "__main__":
    main()

"""A broker of our own that is killed (SIGKILL) during its work, and what must be there after its restart."""

import shlex
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time

import confluent_kafka as ck
from confluent_kafka.admin import ConfigResource

from clients import consumer, create, name, producer, read_all, transactional, values
from judging import Program, expect, free_port, until

JUDGES = []


def judge(run):
    JUDGES.append(run)
    return run


class Broker:
    """A broker of our own, to be killed."""

    def __init__(self, command):
        self.port = free_port()
        self.directory = tempfile.mkdtemp(prefix="judge-")
        self.address = f"127.0.0.1:{self.port}"
        words = shlex.split(command)
        self.words = [w.replace("PORT", str(self.port)).replace("DIR", self.directory) for w in words]
        self.log = open(self.directory + ".log", "wb")
        self.start()

    def start(self):
        self.process = Program(self.words, stdout=self.log, stderr=self.log)
        deadline = time.monotonic() + 15
        while True:
            expect(self.process.poll() is None, f"the broker ended with {self.process.returncode}: {self.tail()}")
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                return
            except OSError:
                expect(time.monotonic() < deadline, f"the broker does not listen: {self.tail()}")
                time.sleep(0.05)

    def tail(self):
        with open(self.directory + ".log", "rb") as log:
            return log.read()[-500:].decode(errors="replace")

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def close(self):
        self.kill()
        self.log.close()
        shutil.rmtree(self.directory, ignore_errors=True)


@judge
def nothing_acknowledged_is_lost_by_kill_9(broker):
    topic = name("crash")
    create(broker.address, topic, 4)
    acknowledged = set()
    stop = threading.Event()
    writer = producer(
        broker.address, **{"enable.idempotence": True, "batch.num.messages": 50, "message.timeout.ms": 30_000}
    )

    def delivered(error, message):
        if error is None:
            acknowledged.add(message.value())

    def write():
        number = 0
        while not stop.is_set():
            try:
                writer.produce(topic, str(number), on_delivery=delivered)
                number += 1
            except BufferError:
                pass
            writer.poll(0.0005)

    thread = threading.Thread(target=write)
    thread.start()
    for _ in range(3):
        time.sleep(0.6)
        broker.kill()
        broker.start()
    time.sleep(0.6)
    stop.set()
    thread.join()
    writer.flush(20)
    found = values(read_all(broker.address, topic))
    missing = acknowledged - set(found)
    expect(len(acknowledged) > 100, f"only {len(acknowledged)} were acknowledged")
    expect(not missing, f"{len(missing)} of {len(acknowledged)} acknowledged records are lost")
    expect(len(found) == len(set(found)), f"{len(found) - len(set(found))} records are there twice")


@judge
def transactions_survive_kill_9(broker):
    topic, group, transactional_id = name("txn-crash"), name("g"), name("t")
    create(broker.address, topic)
    writer = transactional(broker.address, transactional_id)
    metadata = consumer(broker.address, group)
    writer.begin_transaction()
    writer.produce(topic, "committed")
    writer.commit_transaction(10)
    writer.begin_transaction()
    writer.produce(topic, "open")
    writer.flush(10)
    broker.kill()
    broker.start()
    writer.produce(topic, "still open")
    writer.commit_transaction(20)
    expect(values(read_all(broker.address, topic)) == [b"committed", b"open", b"still open"], "the open one is lost")
    writer.begin_transaction()
    writer.produce(topic, "abandoned")
    writer.flush(10)
    broker.kill()
    broker.start()
    again = transactional(broker.address, transactional_id)
    again.begin_transaction()
    again.produce(topic, "again")
    again.commit_transaction(10)
    found = values(read_all(broker.address, topic))
    expect(found == [b"committed", b"open", b"still open", b"again"], str(found))
    metadata.close()


@judge
def groups_and_settings_survive_kill_9(broker):
    topic, group = name("group-crash"), name("g")
    admin = create(broker.address, topic, 2, {"cleanup.policy": "compact"})
    writer = producer(broker.address)
    for number in range(10):
        writer.produce(topic, str(number), key=str(number), partition=0)
    writer.flush(10)
    rebalances = []
    reader = consumer(broker.address, group)
    reader.subscribe([topic], on_assign=lambda c, p: rebalances.append(len(p)))
    for _ in range(5):
        message = until(lambda: reader.poll(0.5), 10, "nothing came")
    reader.commit(message=message, asynchronous=False)
    broker.kill()
    broker.start()
    expect(reader.committed([ck.TopicPartition(topic, 0)], 10)[0].offset == 5, "the committed offset is lost")
    rest = [until(lambda: reader.poll(0.5), 10, "nothing more came").value() for _ in range(5)]
    expect(rest == [b"5", b"6", b"7", b"8", b"9"], str(rest))
    expect(len(rebalances) == 1, f"{len(rebalances)} assignments")
    resource = ConfigResource(ConfigResource.Type.TOPIC, topic)
    settings = admin.describe_configs([resource])[resource].result(10)
    expect(settings["cleanup.policy"].value == "compact", "the setting is lost")
    reader.close()


@judge
def a_second_broker_on_the_same_files_is_refused(broker):
    words = [w.replace(str(broker.port), str(free_port())) for w in broker.words]
    second = subprocess.run(words, capture_output=True, text=True, timeout=15)
    expect(second.returncode != 0, "it ended without an error")
    expect(str(broker.process.pid) in second.stdout + second.stderr, "it does not say which process has the files")

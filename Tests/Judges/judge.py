#!/usr/bin/env python3
"""Independent Kafka clients judge the embedded broker.

    judge.py HOST:PORT                         judges a running broker
    judge.py --broker-command "... PORT ... DIR ..."   starts one itself, judges it, and kills it meanwhile

In the command, PORT and DIR are replaced by a free port and an empty directory. Both ways can be given at once.
The exit status is 0 when nothing failed; the last line says how many passed.
"""

import argparse
import asyncio
import shutil
import socket
import subprocess
import sys
import time

import confluent_kafka as ck
from confluent_kafka.admin import AdminClient, ConfigResource, NewPartitions, NewTopic

import crashes
from clients import consumer, create, name, producer, read_all, transactional, values
from judging import expect, run, until

JUDGES = []


def judge(run):
    JUDGES.append(run)
    return run


# Recent enough for retention by time to leave the records alone.
START = int(time.time() - 3_600) * 1_000


# Records


@judge
def every_compression_keeps_keys_headers_and_times(address):
    for codec in ["none", "gzip", "snappy", "lz4", "zstd"]:
        topic = name(codec)
        create(address, topic)
        writer = producer(address, **{"compression.type": codec})
        for number in range(200):
            writer.produce(
                topic,
                f"value {number} ".encode() * 20,
                key=f"key {number}",
                headers=[("n", str(number)), ("empty", b""), ("null", None)],
                timestamp=START + number,
            )
        writer.produce(topic, None, key="tombstone")
        expect(writer.flush(10) == 0, "not everything was delivered")
        messages = read_all(address, topic)
        expect(len(messages) == 201, f"{codec}: {len(messages)} messages")
        expect([m.offset() for m in messages] == list(range(201)), f"{codec}: offsets have gaps")
        middle = messages[100]
        expect(middle.value() == b"value 100 " * 20 and middle.key() == b"key 100", f"{codec}: other content")
        expect(middle.headers() == [("n", b"100"), ("empty", b""), ("null", None)], f"{codec}: {middle.headers()}")
        expect(middle.timestamp() == (ck.TIMESTAMP_CREATE_TIME, START + 100), f"{codec}: other time")
        expect(messages[200].value() is None, f"{codec}: the tombstone has a value")


@judge
def a_large_message_needs_the_topics_leave(address):
    small, large = name("small"), name("large")
    create(address, small)
    create(address, large, config={"max.message.bytes": str(4 << 20)})
    writer = producer(address, **{"message.max.bytes": 8 << 20})
    errors = {}
    body = bytes(2 << 20)
    for topic in [small, large]:
        writer.produce(topic, body, on_delivery=lambda error, m: errors.__setitem__(m.topic(), error))
    writer.flush(10)
    expect(errors[small] is not None and errors[small].code() == ck.KafkaError.MSG_SIZE_TOO_LARGE, str(errors))
    expect(errors[large] is None, str(errors))
    expect(values(read_all(address, large)) == [body], "the large message is another one")


@judge
def an_idempotent_producer_delivers_once_in_order(address):
    topic = name("idempotent")
    create(address, topic)
    writer = producer(address, **{"enable.idempotence": True, "batch.num.messages": 7})
    for number in range(1_000):
        writer.produce(topic, str(number))
    expect(writer.flush(10) == 0, "not everything was delivered")
    expect([int(v) for v in values(read_all(address, topic))] == list(range(1_000)), "lost, repeated or out of order")


@judge
def a_long_poll_wakes_on_append(address):
    topic = name("wake")
    create(address, topic)
    reader = consumer(address, name("g"), **{"fetch.wait.max.ms": 5_000})
    reader.assign([ck.TopicPartition(topic, 0, 0)])
    reader.poll(1.0)
    writer = producer(address)
    writer.list_topics(topic, 10)
    waits = []
    for number in range(5):
        start = time.monotonic()
        writer.produce(topic, str(number))
        expect(reader.poll(5.0) is not None, "nothing came")
        waits.append(time.monotonic() - start)
    expect(max(waits) < 1.0, f"waited {max(waits):.3f} s")
    reader.close()


@judge
def offsets_by_time(address):
    topic = name("times")
    create(address, topic)
    for codec in ["none", "lz4"]:
        writer = producer(address, **{"compression.type": codec})
        base = START if codec == "none" else START + 100_000
        for number in range(10):
            writer.produce(topic, str(number), timestamp=base + number * 1_000)
            if number % 3 == 0:
                writer.flush(10)
        writer.flush(10)
    reader = consumer(address, name("g"))

    def at(timestamp):
        return reader.offsets_for_times([ck.TopicPartition(topic, 0, timestamp)], 10)[0].offset

    expect(at(0) == 0, "the first one")
    expect(at(START + 4_000) == 4, f"exact: {at(START + 4_000)}")
    expect(at(START + 4_001) == 5, f"between: {at(START + 4_001)}")
    expect(at(START + 100_000) == 10, f"compressed: {at(START + 100_000)}")
    expect(at(START + 10_000_000) == -1, f"beyond: {at(START + 10_000_000)}")
    expect(reader.get_watermark_offsets(ck.TopicPartition(topic, 0), 10) == (0, 20), "watermarks")
    reader.close()


# Groups


@judge
def a_group_of_two_splits_and_takes_over(address):
    topic, group = name("split"), name("g")
    create(address, topic, 4)
    first, second = consumer(address, group), consumer(address, group)
    first.subscribe([topic])
    until(lambda: first.poll(0.1) is None and len(first.assignment()) == 4, 10, "the first one never got all four")
    second.subscribe([topic])

    def is_split():
        first.poll(0.05)
        second.poll(0.05)
        return len(first.assignment()) == 2 and len(second.assignment()) == 2

    until(is_split, 15, "never split")
    mine = {p.partition for p in first.assignment()}
    expect(mine.isdisjoint(p.partition for p in second.assignment()), "both have the same partitions")
    first.close()
    until(lambda: second.poll(0.1) is None and len(second.assignment()) == 4, 15, "never taken over")
    second.close()


@judge
def a_dead_member_is_replaced_after_its_session(address):
    # The shortest session that Kafka takes by default.
    topic, group = name("dead"), name("g")
    create(address, topic, 2)
    code = (
        "import sys, time, confluent_kafka as ck\n"
        "c = ck.Consumer({'bootstrap.servers': sys.argv[1], 'group.id': sys.argv[2], 'session.timeout.ms': 6000,"
        " 'heartbeat.interval.ms': 300})\n"
        "c.subscribe([sys.argv[3]])\n"
        "while not c.assignment(): c.poll(0.1)\n"
        "print('assigned', flush=True)\n"
        "while True: c.poll(0.1)\n"
    )
    other = subprocess.Popen([sys.executable, "-c", code, address, group, topic], stdout=subprocess.PIPE)
    try:
        expect(other.stdout.readline() == b"assigned\n", "the other one never joined")
        reader = consumer(address, group, **{"session.timeout.ms": 6000, "heartbeat.interval.ms": 300})
        reader.subscribe([topic])
        until(lambda: reader.poll(0.1) is None and len(reader.assignment()) == 1, 30, "never split")
        other.kill()
        until(lambda: reader.poll(0.1) is None and len(reader.assignment()) == 2, 30, "never taken over")
        reader.close()
    finally:
        other.kill()
        other.wait()


@judge
def a_static_member_returns_without_a_rebalance(address):
    topic, group = name("static"), name("g")
    create(address, topic, 4)
    events = []

    def member(instance):
        made = consumer(address, group, **{"group.instance.id": instance, "session.timeout.ms": 10_000})
        made.subscribe([topic], on_assign=lambda c, p: events.append((instance, sorted(x.partition for x in p))))
        return made

    a, b = member("a"), member("b")

    def both():
        a.poll(0.05)
        b.poll(0.05)
        return len(a.assignment()) == 2 and len(b.assignment()) == 2

    until(both, 15, "never split")
    before = sorted(p.partition for p in b.assignment())
    count = len([e for e in events if e[0] == "a"])
    b.close()
    b = member("b")
    until(both, 15, "the static member never came back")
    expect(sorted(p.partition for p in b.assignment()) == before, "it got other partitions")
    expect(len([e for e in events if e[0] == "a"]) == count, "the other one was rebalanced")
    a.close()
    b.close()


@judge
def committed_offsets_are_where_a_group_goes_on(address):
    topic, group = name("commit"), name("g")
    create(address, topic)
    writer = producer(address)
    for number in range(10):
        writer.produce(topic, str(number))
    writer.flush(10)
    reader = consumer(address, group)
    reader.subscribe([topic])
    seen = [until(lambda: reader.poll(0.5), 10, "nothing came") for _ in range(4)]
    reader.commit(message=seen[-1], asynchronous=False)
    reader.close()
    reader = consumer(address, group)
    reader.subscribe([topic])
    expect(until(lambda: reader.poll(0.5), 10, "nothing came").value() == b"4", "went on elsewhere")
    reader.close()


# Transactions


@judge
def committed_aborted_and_open_transactions(address):
    topic = name("txn")
    create(address, topic)
    writer = transactional(address, name("t"))
    for value, ending in [("a", "commit"), ("b", "abort"), ("c", "commit"), ("d", "open")]:
        writer.begin_transaction()
        writer.produce(topic, value)
        writer.produce(topic, value * 2)
        writer.flush(10)
        if ending == "commit":
            writer.commit_transaction(10)
        elif ending == "abort":
            writer.abort_transaction(10)
    committed = values(read_all(address, topic))
    expect(committed == [b"a", b"aa", b"c", b"cc"], f"read_committed: {committed}")
    everything = values(read_all(address, topic, "read_uncommitted"))
    # When it aborts, librdkafka purges unsent records, but here all had been delivered.
    expect(everything == [b"a", b"aa", b"b", b"bb", b"c", b"cc", b"d", b"dd"], f"read_uncommitted: {everything}")
    writer.abort_transaction(10)


@judge
def records_behind_an_open_transaction_wait_for_its_end(address):
    topic = name("stable")
    create(address, topic)
    blocking = transactional(address, name("t"))
    blocking.begin_transaction()
    blocking.produce(topic, "blocking")
    blocking.flush(10)
    plain = producer(address)
    plain.produce(topic, "plain")
    plain.flush(10)
    reader = consumer(address, name("g"), **{"isolation.level": "read_committed"})
    reader.assign([ck.TopicPartition(topic, 0, 0)])
    expect(reader.poll(0.7) is None, "delivered beyond the last stable offset")
    expect(reader.get_watermark_offsets(ck.TopicPartition(topic, 0), 5)[1] in (0, 2), "watermark")
    blocking.abort_transaction(10)
    message = until(lambda: reader.poll(0.5), 5, "never delivered")
    expect(message.value() == b"plain", f"delivered {message.value()}")
    reader.close()


@judge
def a_new_instance_fences_the_old_one_and_aborts(address):
    topic, transactional_id = name("fence"), name("t")
    create(address, topic)
    old = transactional(address, transactional_id)
    old.begin_transaction()
    old.produce(topic, "old")
    old.flush(10)
    new = transactional(address, transactional_id)
    new.begin_transaction()
    new.produce(topic, "new")
    new.commit_transaction(10)
    try:
        old.produce(topic, "zombie")
        old.commit_transaction(10)
        raise AssertionError("the zombie committed")
    except ck.KafkaException as error:
        expect(error.args[0].fatal(), f"not fatal: {error}")
    expect(values(read_all(address, topic)) == [b"new"], "other records than the new instance's")


@judge
def a_transaction_that_takes_too_long_is_aborted(address):
    topic = name("slow")
    create(address, topic)
    slow = transactional(address, name("t"), **{"transaction.timeout.ms": 1_000, "message.timeout.ms": 1_000})
    slow.begin_transaction()
    slow.produce(topic, "slow")
    slow.flush(10)
    plain = producer(address)
    plain.produce(topic, "plain")
    plain.flush(10)
    reader = consumer(address, name("g"), **{"isolation.level": "read_committed"})
    reader.assign([ck.TopicPartition(topic, 0, 0)])
    # Kafka looks for such transactions every 10 s.
    message = until(lambda: reader.poll(0.5), 30, "the time-out never came")
    expect(message.value() == b"plain", f"delivered {message.value()}")
    reader.close()
    try:
        slow.commit_transaction(5)
        raise AssertionError("the late transaction committed")
    except ck.KafkaException:
        pass


@judge
def offsets_of_a_transaction_show_with_its_commit(address):
    source, group = name("source"), name("g")
    create(address, source)
    writer = producer(address)
    for number in range(5):
        writer.produce(source, str(number))
    writer.flush(10)
    reader = consumer(address, group)
    reader.subscribe([source])
    until(lambda: reader.poll(0.5), 10, "nothing came")
    target = [ck.TopicPartition(source, 0)]
    mover = transactional(address, name("t"))

    def committed():
        return reader.committed(target, 10)[0].offset

    for offset, ending in [(1, "commit"), (2, "abort"), (3, "commit")]:
        before = committed()
        mover.begin_transaction()
        mover.send_offsets_to_transaction(
            [ck.TopicPartition(source, 0, offset)], reader.consumer_group_metadata(), 10
        )
        admin = AdminClient({"bootstrap.servers": address})
        seen = admin.list_consumer_group_offsets(
            [ck.ConsumerGroupTopicPartitions(group)], require_stable=False
        )[group].result(10).topic_partitions
        expect([p.offset for p in seen if p.offset >= 0] == [o for o in [before] if o >= 0], "shown before the end")
        if ending == "commit":
            mover.commit_transaction(10)
            expect(committed() == offset, f"after commit: {committed()}")
        else:
            mover.abort_transaction(10)
            expect(committed() == before, f"after abort: {committed()}")
    reader.close()


@judge
def offsets_of_an_old_generation_are_fenced(address):
    source, group = name("source"), name("g")
    create(address, source, 2)
    first = consumer(address, group)
    first.subscribe([source])
    until(lambda: first.poll(0.1) is None and len(first.assignment()) == 2, 10, "never assigned")
    stale = first.consumer_group_metadata()
    first.close()
    second = consumer(address, group)
    second.subscribe([source])
    until(lambda: second.poll(0.1) is None and len(second.assignment()) == 2, 10, "never assigned")
    mover = transactional(address, name("t"))
    mover.begin_transaction()
    try:
        mover.send_offsets_to_transaction([ck.TopicPartition(source, 0, 7)], stale, 10)
        raise AssertionError("a former member committed")
    except ck.KafkaException as error:
        expect(error.args[0].txn_requires_abort(), f"not abortable: {error}")
    mover.abort_transaction(10)
    second.close()


# Administration


@judge
def topics_and_their_settings(address):
    topic = name("admin")
    admin = create(address, topic, 3, {"cleanup.policy": "compact", "retention.ms": "1000"})
    resource = ConfigResource(ConfigResource.Type.TOPIC, topic)
    settings = admin.describe_configs([resource])[resource].result(10)
    expect(settings["cleanup.policy"].value == "compact", "cleanup.policy")
    expect(settings["max.message.bytes"].is_default, "max.message.bytes is not the default")
    change = ConfigResource(ConfigResource.Type.TOPIC, topic, set_config={"retention.ms": "5000"})
    admin.alter_configs([change])[change].result(10)
    # A controller answers before its brokers have read the change.
    until(
        lambda: admin.describe_configs([resource])[resource].result(10)["retention.ms"].value == "5000", 5, "retention.ms"
    )
    settings = admin.describe_configs([resource])[resource].result(10)
    expect(settings["cleanup.policy"].value == "delete", "AlterConfigs keeps what it does not name")
    admin.create_partitions([NewPartitions(topic, 5)])[topic].result(10)
    expect(len(admin.list_topics(topic, timeout=10).topics[topic].partitions) == 5, "five partitions")
    for wrong, message in [(NewTopic(topic, 1, 1), "exists"), (NewTopic("no spaces", 1, 1), "name"),
                           (NewTopic(name("x"), 1, 1, config={"nonsense": "1"}), "setting")]:
        try:
            admin.create_topics([wrong])[wrong.topic].result(10)
            raise AssertionError(f"accepted: {message}")
        except ck.KafkaException:
            pass
    admin.delete_topics([topic])[topic].result(10)
    until(lambda: topic not in admin.list_topics(timeout=10).topics, 5, "the topic is still there")


@judge
def groups_are_listed_described_and_deleted(address):
    topic, group = name("groups"), name("g")
    admin = create(address, topic)
    reader = consumer(address, group)
    reader.subscribe([topic])
    until(lambda: reader.poll(0.1) is None and reader.assignment(), 10, "never assigned")
    listed = [g.group_id for g in admin.list_consumer_groups().result(10).valid]
    expect(group in listed, "not listed")
    described = admin.describe_consumer_groups([group])[group].result(10)
    expect(len(described.members) == 1 and described.state.name == "STABLE", str(described.state))
    expect([p.topic for p in described.members[0].assignment.topic_partitions] == [topic], "assignment")
    reader.commit(offsets=[ck.TopicPartition(topic, 0, 0)], asynchronous=False)
    reader.close()
    until(lambda: admin.delete_consumer_groups([group]), 5, "")[group].result(10)
    expect(group not in [g.group_id for g in admin.list_consumer_groups().result(10).valid], "still listed")


@judge
def deleted_records_are_gone(address):
    topic = name("trim")
    admin = create(address, topic)
    writer = producer(address)
    for number in range(10):
        writer.produce(topic, str(number))
        writer.flush(10)
    admin.delete_records([ck.TopicPartition(topic, 0, 6)])
    reader = consumer(address, name("g"))
    until(lambda: reader.get_watermark_offsets(ck.TopicPartition(topic, 0), 5) == (6, 10), 5, "watermarks")
    reader.assign([ck.TopicPartition(topic, 0, 0)])
    expect(until(lambda: reader.poll(0.5), 10, "nothing came").value() == b"6", "the reset went elsewhere")
    reader.close()


# Other clients


@judge
def kcat_produces_and_consumes(address):
    expect(shutil.which("kcat"), "kcat is not installed")
    topic = name("kcat")
    create(address, topic)
    lines = "".join(f"key{n}:value {n}\n" for n in range(100))
    subprocess.run(
        ["kcat", "-b", address, "-P", "-t", topic, "-K:", "-z", "snappy"],
        input=lines, text=True, check=True, timeout=20, stderr=subprocess.DEVNULL,
    )
    out = subprocess.run(
        ["kcat", "-b", address, "-C", "-t", topic, "-e", "-q", "-K:"],
        capture_output=True, text=True, check=True, timeout=20,
    ).stdout
    expect(sorted(out.splitlines()) == sorted(lines.splitlines()), f"{len(out.splitlines())} lines came back")


@judge
def aiokafka_moves_records_in_transactions(address):
    from aiokafka import AIOKafkaConsumer, AIOKafkaProducer, TopicPartition
    from aiokafka.errors import KafkaError

    source, target, group = name("aio-in"), name("aio-out"), name("g")
    create(address, source, 2)
    create(address, target, 2)

    async def run():
        for codec in [None, "gzip", "snappy", "lz4", "zstd"]:
            writer = AIOKafkaProducer(bootstrap_servers=address, compression_type=codec, enable_idempotence=True)
            await writer.start()
            for number in range(10):
                await writer.send(source, f"{codec} {number}".encode() * 10, headers=[("h", b"1")])
            await writer.stop()
        mover = AIOKafkaProducer(bootstrap_servers=address, transactional_id=name("t"))
        reader = AIOKafkaConsumer(
            source, bootstrap_servers=address, group_id=group, isolation_level="read_committed",
            auto_offset_reset="earliest", enable_auto_commit=False,
        )
        await mover.start()
        await reader.start()
        moved = 0
        while moved < 50:
            batches = await asyncio.wait_for(reader.getmany(timeout_ms=500), 10)
            if not batches:
                continue
            async with mover.transaction():
                positions = {}
                for place, messages in batches.items():
                    for message in messages:
                        await mover.send(target, message.value)
                        moved += 1
                    positions[place] = messages[-1].offset + 1
                await mover.send_offsets_to_transaction(positions, group)
        ends = await reader.end_offsets([TopicPartition(source, 0), TopicPartition(source, 1)])
        for place, end in ends.items():
            expect((await reader.committed(place) or 0) == end, f"{place}: committed {await reader.committed(place)}")
        await mover.stop()
        await reader.stop()

    try:
        asyncio.run(run())
    except KafkaError as error:
        raise AssertionError(f"{type(error).__name__}: {error}") from error
    expect(len(read_all(address, target)) == 50, "not 50 records")


@judge
def kafka_python_produces_and_consumes(address):
    from kafka import KafkaConsumer, KafkaProducer

    topic = name("kp")
    create(address, topic)
    writer = KafkaProducer(bootstrap_servers=address)
    for number in range(50):
        writer.send(topic, str(number).encode(), key=b"k", headers=[("h", b"1")])
    writer.flush(10)
    writer.close()
    reader = KafkaConsumer(
        topic, bootstrap_servers=address, group_id=name("g"), auto_offset_reset="earliest", consumer_timeout_ms=8_000
    )
    got = []
    for message in reader:
        got.append(int(message.value))
        if len(got) == 50:
            break
    reader.commit()
    reader.close()
    expect(got == list(range(50)), f"{len(got)} records")


@judge
def kafka_python_uses_its_codecs(address):
    """All but snappy, for which it needs a separate library; aiokafka sends that, in xerial's framing."""
    from kafka import KafkaConsumer, KafkaProducer

    topic = name("kp-codecs")
    create(address, topic)
    codecs = [None, "gzip", "lz4", "zstd"]
    for codec in codecs:
        writer = KafkaProducer(bootstrap_servers=address, compression_type=codec, linger_ms=20)
        for number in range(200):
            writer.send(topic, f"{codec} {number} ".encode() * 50, key=str(number).encode(), headers=[("h", b"1")])
        writer.flush(10)
        writer.close()
    expected = [f"{codec} {number} ".encode() * 50 for codec in codecs for number in range(200)]
    expect(values(read_all(address, topic)) == expected, "confluent-kafka reads something else")
    reader = KafkaConsumer(topic, bootstrap_servers=address, auto_offset_reset="earliest", consumer_timeout_ms=8_000)
    got = []
    for message in reader:
        got.append(message.value)
        if len(got) == len(expected):
            break
    reader.close()
    expect(got == expected, f"kafka-python reads something else: {len(got)} records")


@judge
def records_are_bounded_by_their_size_before_compression(address):
    """With compression.type=uncompressed, Kafka and the embedded broker agree."""
    topic = name("bounded")
    create(address, topic, config={"max.message.bytes": str(1 << 20), "compression.type": "uncompressed"})
    for codec in ["gzip", "snappy", "lz4", "zstd"]:
        writer = producer(address, **{"compression.type": codec, "message.max.bytes": 80 << 20})
        for megabytes in [1.1, 5, 9, 64]:
            errors = []
            writer.produce(topic, bytes(int(megabytes * (1 << 20))), on_delivery=lambda e, m: errors.append(e))
            writer.flush(20)
            expect(
                len(errors) == 1 and errors[0] is not None and errors[0].code() == ck.KafkaError.MSG_SIZE_TOO_LARGE,
                f"{codec}, {megabytes} MiB: {errors}",
            )
        writer.produce(topic, bytes(900_000))
        expect(writer.flush(10) == 0, f"{codec}: what fits was not delivered")
    expect(len(read_all(address, topic)) == 4, "other records than those that fit")


@judge
def a_transaction_left_open_ends_within_its_bound(address):
    """With the time-out that librdkafka asks for by default: readers continue once the broker has aborted it."""
    admin = AdminClient({"bootstrap.servers": address})
    config = admin.describe_configs([ConfigResource("broker", "1")])
    longest = int(list(config.values())[0].result(10)["transaction.max.timeout.ms"].value) / 1_000
    topic = name("left-open")
    create(address, topic)
    writer = transactional(address, name("t"))
    writer.begin_transaction()
    writer.produce(topic, "open")
    writer.flush(10)
    plain = producer(address)
    plain.produce(topic, "plain")
    plain.flush(10)
    reader = consumer(address, name("g"), **{"isolation.level": "read_committed"})
    reader.assign([ck.TopicPartition(topic, 0, 0)])
    start = time.monotonic()
    message = until(lambda: reader.poll(0.5), min(60, longest) + 15, "the transaction was never aborted")
    expect(message.value() == b"plain", f"delivered {message.value()}")
    print(f"  held up for {time.monotonic() - start:.1f} s")
    reader.close()


# The wire


def crc32c(data):
    table = []
    for value in range(256):
        for _ in range(8):
            value = (value >> 1) ^ 0x82F63B78 if value & 1 else value >> 1
        table.append(value)
    crc = 0xFFFFFFFF
    for byte in data:
        crc = (crc >> 8) ^ table[(crc ^ byte) & 0xFF]
    return crc ^ 0xFFFFFFFF


def batch(attributes, records, count=1):
    """A record batch of message format 2 around bytes that need not be records."""
    checked = (
        attributes.to_bytes(2, "big") + (count - 1).to_bytes(4, "big") + START.to_bytes(8, "big") * 2
        + b"\xff" * 14 + count.to_bytes(4, "big") + records
    )
    body = b"\0" * 4 + b"\x02" + crc32c(checked).to_bytes(4, "big") + checked
    return bytes(8) + len(body).to_bytes(4, "big") + body


def produce(address, topic, records):
    """Produces one batch to partition 0; returns the partition's error code."""
    text = len(topic).to_bytes(2, "big") + topic.encode()
    request = header(0, 3) + b"\xff\xff" + b"\xff\xff" + (10_000).to_bytes(4, "big")
    request += (1).to_bytes(4, "big") + text + (1).to_bytes(4, "big") + bytes(4)
    request += len(records).to_bytes(4, "big") + records
    answer = ask(address, frame(request))
    place = 4 + 4 + len(text) + 4 + 4
    return int.from_bytes(answer[place:place + 2], "big")


@judge
def garbage_inside_a_compressed_batch_is_refused(address):
    import gzip

    topic = name("garbage")
    create(address, topic)
    # Attributes, time, offset 0, key "k", value "v", no headers; and the same with an offset that is wrong.
    good, wrong = b"\x10\0\0\0\x02k\x02v\0", b"\x10\0\0\x04\x02k\x02v\0"
    expect(produce(address, topic, batch(1, gzip.compress(good))) == 0, "a sound batch was refused")
    for codec in [1, 2, 3, 4]:
        for garbage in [b"\xa5" * 200, b"", bytes(50), gzip.compress(good)[:-9]]:
            code = produce(address, topic, batch(codec, garbage))
            expect(code != 0, f"codec {codec}: {garbage[:10]!r}… was accepted")
    for records in [wrong, good + b"\0", good + good]:
        code = produce(address, topic, batch(1, gzip.compress(records)))
        expect(code != 0, f"{records!r} was accepted")
    after = producer(address)
    after.produce(topic, "after")
    after.flush(10)
    expect(values(read_all(address, topic)) == [b"v", b"after"], "other records")


def frame(body):
    return len(body).to_bytes(4, "big") + body


def ask(address, data, timeout=5.0):
    """Sends bytes; returns one frame, or nothing when the broker closes the connection."""
    host, port = address.rsplit(":", 1)
    with socket.create_connection((host, int(port)), timeout=timeout) as connection:
        connection.sendall(data)
        received = b""
        while len(received) < 4 or len(received) < 4 + int.from_bytes(received[:4], "big"):
            try:
                part = connection.recv(65_536)
            except ConnectionResetError:
                return b""
            if not part:
                return b""
            received += part
        return received[4:]


def header(key, version, correlation=7):
    return key.to_bytes(2, "big") + version.to_bytes(2, "big") + correlation.to_bytes(4, "big") + b"\x00\x01x"


@judge
def malformed_frames_close_their_connection_only(address):
    reader = consumer(address, name("g"))
    reader.list_topics(timeout=5)
    for what, data in {
        "negative length": b"\xff\xff\xff\xff" + bytes(20),
        "gigantic length": b"\x7f\xff\xff\xff" + bytes(20),
        "unknown API": frame(header(999, 0)),
        "unknown version": frame(header(3, 99)),
        "array beyond the frame": frame(header(3, 1) + b"\x7f\xff\xff\xff"),
        "string beyond the frame": frame(header(3, 1) + b"\x00\x00\x00\x01\x7f\xff"),
        "nothing": frame(b""),
        "rubbish": frame(bytes(range(256)) * 4),
    }.items():
        expect(ask(address, data) == b"", f"{what}: the connection was not closed")
    reader.list_topics(timeout=5)
    reader.close()


@judge
def an_unknown_version_of_api_versions_is_answered(address):
    # The header of a flexible version, as clients that know such a version send it: it ends with no tagged fields.
    answer = ask(address, frame(header(18, 99) + b"\0"))
    expect(answer[:4] == (7).to_bytes(4, "big"), f"correlation: {answer[:4]!r}")
    expect(int.from_bytes(answer[4:6], "big") == 35, f"error: {answer[4:6]!r}")
    count = int.from_bytes(answer[6:10], "big")
    # Kafka only reports ApiVersions; a client needs no more to ask again.
    expect(18 in [int.from_bytes(answer[at : at + 2], "big") for at in range(10, 10 + 6 * count, 6)], "no versions to ask with")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("address", nargs="?", help="HOST:PORT of a running broker")
    parser.add_argument("--broker-command", help="starts a broker; PORT and DIR are replaced")
    parser.add_argument("--only", help="only judges whose names contain this")
    arguments = parser.parse_args()
    if not arguments.address and not arguments.broker_command:
        parser.error("give HOST:PORT or --broker-command")
    passed = failed = 0
    broker = crashes.Broker(arguments.broker_command) if arguments.broker_command else None
    try:
        address = arguments.address or broker.address
        results = [run(JUDGES, arguments.only, lambda one: one(address))]
        if broker:
            results.append(run(crashes.JUDGES, arguments.only, lambda one: one(broker)))
        passed, failed = (sum(column) for column in zip(*results))
    finally:
        if broker:
            broker.close()
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())

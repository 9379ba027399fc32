"""The judges' clients of a broker: confluent-kafka, configured for tests."""

import time
import uuid

import confluent_kafka as ck
from confluent_kafka.admin import AdminClient, NewTopic

from judging import expect


def name(prefix):
    return f"{prefix}-{uuid.uuid4().hex[:8]}"


def create(address, topic, partitions=1, config=None):
    admin = AdminClient({"bootstrap.servers": address})
    for future in admin.create_topics([NewTopic(topic, partitions, 1, config=config or {})]).values():
        future.result(10)
    return admin


def producer(address, **settings):
    return ck.Producer({"bootstrap.servers": address, "linger.ms": 1, **settings})


def transactional(address, transactional_id, **settings):
    made = producer(address, **{"transactional.id": transactional_id, **settings})
    made.init_transactions(10)
    return made


def consumer(address, group, **settings):
    return ck.Consumer(
        {
            "bootstrap.servers": address,
            "group.id": group,
            "auto.offset.reset": "earliest",
            "enable.auto.commit": False,
            "session.timeout.ms": 6000,
            **settings,
        }
    )


def assigned(address, topic, isolation="read_committed"):
    made = consumer(address, name("reader"), **{"isolation.level": isolation, "enable.partition.eof": True})
    count = len(made.list_topics(topic, 10).topics[topic].partitions)
    made.assign([ck.TopicPartition(topic, number, ck.OFFSET_BEGINNING) for number in range(count)])
    return made, count


def read_all(address, topic, isolation="read_committed", seconds=15):
    """Everything in a topic, up to its end."""
    reader, count = assigned(address, topic, isolation)
    messages, ended = [], set()
    deadline = time.monotonic() + seconds
    while len(ended) < count:
        expect(time.monotonic() < deadline, f"no end of {topic} after {len(messages)} messages")
        for message in reader.consume(1000, 0.2):
            if message.error():
                expect(message.error().code() == ck.KafkaError._PARTITION_EOF, str(message.error()))
                ended.add(message.partition())
            else:
                messages.append(message)
    reader.close()
    return messages


def values(messages):
    return [message.value() for message in messages]

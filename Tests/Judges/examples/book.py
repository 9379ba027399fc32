#!/usr/bin/env python3
"""Books a table: sends a request, answers the prompts, prints the result.

    book.py BROKERS [PREFIX]
"""

import json
import sys
import uuid

from confluent_kafka import Consumer, Producer, TopicPartition

brokers = sys.argv[1]
prefix = sys.argv[2] if len(sys.argv) > 2 else "intents"
user = f"ada-{uuid.uuid4().hex[:6]}"
interaction = f"dinner-{uuid.uuid4().hex[:6]}"

# Every event of a user belongs in one partition, by Java's default hash of the user's id.
producer = Producer({"bootstrap.servers": brokers, "partitioner": "murmur2", "enable.idempotence": True})


def send(kind, **data):
    """Sends an event of this user about this interaction, and waits until it is written."""
    data["user"] = {"id": user}
    headers = {
        "ce_type": kind,
        "ce_id": str(uuid.uuid4()),
        "ce_source": "book.py",
        "ce_userid": user,
        "ce_subject": interaction,
    }
    producer.produce(f"{prefix}.requests", json.dumps(data), key=user, headers=headers)
    producer.flush()


# Read responses from the current end; the records of aborted transactions are skipped.
consumer = Consumer(
    {"bootstrap.servers": brokers, "group.id": user, "isolation.level": "read_committed", "enable.auto.commit": False}
)
topic = f"{prefix}.responses"
partitions = [TopicPartition(topic, number) for number in consumer.list_topics(topic, 10).topics[topic].partitions]
for partition in partitions:
    partition.offset = consumer.get_watermark_offsets(partition, timeout=10)[1]
consumer.assign(partitions)


def next_event():
    """The next event of this interaction: its type and its data."""
    while True:
        message = consumer.poll(60)
        if message is None:
            sys.exit("nothing came for a minute")
        if message.error():
            sys.exit(str(message.error()))
        headers = {name: value.decode() for name, value in message.headers()}
        if headers["ce_userid"] == user and headers.get("ce_subject") == interaction:
            return headers["ce_type"], json.loads(message.value())


answers = {"date": "2026-12-03", "time": "19:30"}
send("intent.requested", intent={"name": "BookRestaurantTable", "parameters": {"restaurant": "Old Mill"}})
while True:
    kind, data = next_event()
    if kind == "prompt.issued":
        print("?", data["kind"], data["parameter"] or "", data["dialog"])
        answer = {"promptId": data["promptId"], "action": "accept"}
        if data["kind"] == "needsValue":
            answer["value"] = answers[data["parameter"]]
        send("prompt.answered", **answer)
    elif kind == "intent.responded" and data["terminal"]:
        print("=", data["status"], data["code"], json.dumps(data["intent"]["parameters"], sort_keys=True))
        sys.exit(0 if data["status"] == "success" else 1)
    elif kind == "event.rejected":
        sys.exit(f"rejected: {data['reason']}: {data['detail']}")

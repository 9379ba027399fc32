"""A plain REST-to-Kafka proxy, as one writes it in an afternoon, to compare the gateway with.

    proxy.py BROKERS [PORT] [PREFIX]

It keeps interactions in memory, reads responses from the topics' ends, believes the user that a header names, and continues no
stream: what the gateway does beyond that is the difference between the two.
"""

import asyncio
import collections
import json
import sys
import threading
import uuid

import uvicorn
from confluent_kafka import Consumer, Producer, TopicPartition
from fastapi import FastAPI, Header, HTTPException, Request
from fastapi.responses import StreamingResponse

brokers, port, prefix = (sys.argv[1:] + ["8080", "intents"][len(sys.argv) - 2 :])[:3]
app = FastAPI()
producer = Producer({"bootstrap.servers": brokers, "partitioner": "murmur2", "enable.idempotence": True, "linger.ms": 0})
interactions, changed, streams = {}, asyncio.Condition(), collections.defaultdict(set)


async def send(kind, user, subject, data, id=None):
    """Produces an event, and waits until it is written."""
    loop, done = asyncio.get_running_loop(), asyncio.get_running_loop().create_future()
    headers = {"ce_type": kind, "ce_id": id or str(uuid.uuid4()), "ce_source": "proxy", "ce_userid": user, "ce_subject": subject}
    written = lambda error, _: loop.call_soon_threadsafe(done.set_result, error)  # noqa: E731
    body = json.dumps({**data, "user": {"id": user}})
    producer.produce(f"{prefix}.requests", body, key=user, headers=headers, on_delivery=written)
    if await done:
        raise HTTPException(503)


def wait_of(prefer):
    return min(float(prefer[5:]), 60) if prefer and prefer.startswith("wait=") else 0


async def current(user, id, after, wait):
    """The interaction, as soon as it is newer and waits for somebody, or when the time is over."""
    key = (user, id)
    if key not in interactions:
        raise HTTPException(404)
    is_due = lambda: interactions[key]["revision"] > after and interactions[key]["state"] != "running"  # noqa: E731
    try:
        async with changed:
            await asyncio.wait_for(changed.wait_for(is_due), wait)
    except asyncio.TimeoutError:
        pass
    return interactions[key]


@app.post("/v1/interactions", status_code=201)
async def ask(request: Request, idempotency_key: str = Header(None), prefer: str = Header(None), intentd_user: str = Header()):
    body, id = await request.json(), idempotency_key or str(uuid.uuid4())
    intent = {"name": body.pop("intent"), "parameters": body.pop("parameters", {})}
    made = {"id": id, "request": None, "state": "running", "revision": 0, "intent": intent["name"], "requestedAt": "", "endedAt": None,
            "prompt": None, "response": None, "update": None, "activities": [], "rejection": None, "links": {"self": f"/v1/interactions/{id}"}}
    interactions.setdefault((intentd_user, id), made)
    await send("intent.requested", intentd_user, id, {"intent": intent, **body})
    return await current(intentd_user, id, 0, wait_of(prefer))


@app.get("/v1/interactions/{id}")
async def get(id: str, after: int = -1, prefer: str = Header(None), intentd_user: str = Header()):
    return await current(intentd_user, id, after, wait_of(prefer))


@app.post("/v1/interactions/{id}/answers", status_code=202)
async def answer(id: str, request: Request, idempotency_key: str = Header(None), prefer: str = Header(None), intentd_user: str = Header()):
    found = await current(intentd_user, id, -1, 0)
    await send("prompt.answered", intentd_user, id, await request.json(), idempotency_key)
    return await current(intentd_user, id, found["revision"], wait_of(prefer))


@app.delete("/v1/interactions/{id}", status_code=202)
async def cancel(id: str, intentd_user: str = Header()):
    await send("interaction.cancelled", intentd_user, id, {})
    return await current(intentd_user, id, -1, 0)


@app.get("/v1/events")
async def events(intentd_user: str = Header()):
    async def stream(queue):
        streams[intentd_user].add(queue)
        try:
            yield ": open\n\n"
            while True:
                yield f"data: {json.dumps(await queue.get())}\n\n"
        finally:
            streams[intentd_user].discard(queue)

    return StreamingResponse(stream(asyncio.Queue()), media_type="text/event-stream")


async def take(kind, user, id, event, data):
    for queue in streams.get(user, ()):
        queue.put_nowait({"type": kind, "id": event, "interaction": id, "time": "", "data": data})
    found = interactions.get((user, id))
    if found is None:
        return
    member = {"prompt.issued": "prompt", "intent.responded": "response", "event.rejected": "rejection"}.get(kind, "update")
    state = {"prompt": "awaitingUser", "response": "ended" if data.get("terminal") else "running"}.get(member, found["state"])
    prompt = data if member == "prompt" else None if member == "response" else found["prompt"]
    async with changed:
        interactions[user, id] = {**found, member: data, "prompt": prompt, "state": state, "revision": found["revision"] + 1}
        changed.notify_all()


def consume(loop):
    consumer = Consumer({"bootstrap.servers": brokers, "group.id": f"proxy-{uuid.uuid4()}", "isolation.level": "read_committed", "fetch.wait.max.ms": 10})
    topic = f"{prefix}.responses"
    places = [TopicPartition(topic, number) for number in consumer.list_topics(topic, 10).topics[topic].partitions]
    for place in places:
        place.offset = consumer.get_watermark_offsets(place, 10)[1]
    consumer.assign(places)
    while True:
        for message in consumer.consume(500, 0.01):
            if not message.error():
                headers = {name: value.decode() for name, value in message.headers()}
                parts = headers["ce_type"], headers["ce_userid"], headers.get("ce_subject"), headers["ce_id"], json.loads(message.value())
                asyncio.run_coroutine_threadsafe(take(*parts), loop)
        producer.poll(0)


@app.on_event("startup")
async def begin():
    threading.Thread(target=consume, args=(asyncio.get_running_loop(),), daemon=True).start()
    threading.Thread(target=lambda: [producer.poll(0.05) for _ in iter(int, 1)], daemon=True).start()


uvicorn.run(app, host="127.0.0.1", port=int(port), log_level="warning", access_log=False)

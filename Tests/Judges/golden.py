#!/usr/bin/env python3
"""Records journals that every later version must replay: `GoldenJournalTests` compares today's turns with them.

    golden.py --intentd PATH --output Tests/Golden/behaviour-N.ndjson

N is the behaviour of that program (`TurnRecord.currentBehaviour`). When turns produce other outputs for the same inputs,
the constant is raised and a new file recorded; files of earlier behaviours stay as they are. Some scenarios of each app are
played, then events that no scenario contains: rejections, defects, timers, vocabularies.

The file holds a line with the deployment, then a line for each record of the topics that a replay reads.
"""

import argparse
import base64
import json
import pathlib
import subprocess
import sys
import tempfile
import time

import confluent_kafka as ck

import history
from judging import Program, expect, free_port, until
from pipeline import ROOT

TOPICS = ["requests", "resolved", "confirmed", "signals", "journal"]
USER = {"id": "zoe"}
GREET = {"name": "INSendMessageIntent", "parameters": {}}


def request(subject, intent=None, user=USER, **more):
    return ("intent.requested", subject, {"intent": intent or GREET, "user": user, **more})


def answer(prompt, **more):
    return ("prompt.answered", None, {"user": USER, "promptId": prompt, **more})


def soon():
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 2))


#: Type, subject, data; data that is bytes goes out as it is.
EVENTS = [
    request("asked"),
    request("asked"),
    answer("asked/r/1", value=7),
    answer("asked/r/1", value="Celestra"),
    answer("asked/r/9", value="Celestra"),
    answer("other/r/1", value="Celestra"),
    answer("no prompt", value="Celestra"),
    answer("asked/r/2", action="perhaps"),
    answer("asked/r/2", choice="first"),
    answer("asked/r/2", corrections="none"),
    answer("asked/r/2", action="decline"),
    answer("asked/r/3", action="cancel"),
    answer("asked/r/3"),
    request("tried"),
    *(answer(f"tried/r/{number}", value=[]) for number in (1, 2, 3, 4)),
    request("dropped"),
    ("interaction.cancelled", "dropped", {"user": USER}),
    ("interaction.cancelled", "dropped", {"user": USER}),
    ("interaction.cancelled", "nobody", {"user": USER}),
    ("interaction.cancelled", None, {"user": USER}),
    request("expires", expiresAt=soon),
    request("stranger", {"name": "NobodyIntent"}),
    request("refused", user=USER | {"authorization": "denied"}),
    request("wrong", user=USER | {"authorization": "perhaps"}),
    request("late", expiresAt="yesterday"),
    request("parameters", {"name": "INSendMessageIntent", "parameters": []}),
    request("ignored", {"name": "INSendMessageIntent", "parameters": {"colour": "red", "content": 7}}),
    request("large", {"name": "INSendMessageIntent", "parameters": {"content": "x" * 70_000}}),
    request("locked", {"name": "INSendPaymentIntent"}, device={"id": "phone", "locked": True}),
    answer("locked/r/1", value="open"),
    ("device.unlocked", None, {"user": USER}),
    ("device.unlocked", None, {"user": USER, "device": {"id": "phone"}}),
    ("user.authenticated", None, {"user": USER}),
    ("app.responded", "nobody", {"user": USER, "code": "success"}),
    ("app.responded", "dropped", {"user": USER, "code": "success"}),
    ("app.responded", None, {"user": USER, "code": "success"}),
    ("vocabulary.replaced", None, {"user": USER, "type": "contactName", "strings": ["Celestra", "Buttercup"]}),
    ("vocabulary.replaced", None, {"user": USER, "type": "colour", "strings": []}),
    ("vocabulary.replaced", None, {"user": USER, "type": "contactName", "strings": [7]}),
    request("known", {"name": "INSendMessageIntent", "parameters": {"recipients": ["celestra"], "content": "hi"}}),
    ("vocabulary.removed", None, {"user": USER}),
    ("timer.fired", "asked", {"user": USER, "what": "prompt", "deadline": "2026-01-01T00:00:00.000Z"}),
    ("weather.changed", None, {"user": USER}),
    ("intent.requested", "malformed", b"{"),
    ("intent.requested", "deep", b"[" * 80 + b"]" * 80),
    ("intent.requested", "nameless", {"user": USER}),
    (None, None, {"user": USER}),
    ("intent.requested", None, {"intent": GREET}),
    ("intent.requested", "empty", None),
]  # fmt: skip


def send(producer, topic):
    for number, (kind, subject, data) in enumerate(EVENTS):
        if isinstance(data, dict):
            data = json.dumps({name: value() if callable(value) else value for name, value in data.items()})
        headers = {name: value for name, value in {"ce_type": kind, "ce_subject": subject, "ce_id": f"golden-{number}"}.items() if value}
        # One in seven is sent to a partition that is not its user's home.
        place = {"partition": number % 8} if number % 7 == 3 else {}
        producer.produce(topic, data, key=USER["id"], headers=headers, **place)
        expect(producer.flush(20) == 0, "not everything could be produced")
        time.sleep(0.15)


def play(intentd, common, directory, count):
    """Plays the first scenarios of each app: some continue where the previous one has ended."""
    played = 0
    for file in sorted((ROOT / "Tests/Scenarios").rglob("*.jsonl")):
        lines = file.read_text().splitlines()[:count]
        played += len(lines)
        path = directory / file.name
        path.write_text("\n".join(lines) + "\n")
        done = subprocess.run([intentd, "test", str(path), *common], capture_output=True, text=True, cwd=ROOT, timeout=300)
        # Those that need a vocabulary do not match; their turns are as good.
        expect(done.returncode in (0, 1), done.stdout[-2000:] + done.stderr[-2000:])
    return played


def text(value):
    """Unchanged if it is UTF-8, otherwise in base64."""
    if value is None:
        return None
    try:
        return value.decode()
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(value).decode()}


def record(place, message):
    return {
        "topic": place[0],
        "partition": place[1],
        "offset": message.offset(),
        "timestamp": message.timestamp()[1],
        "key": text(message.key()),
        "value": text(message.value()),
        "headers": [[name, text(value)] for name, value in message.headers() or []],
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--intentd", required=True, help="the program")
    parser.add_argument("--output", required=True, type=pathlib.Path, help="the file to write")
    parser.add_argument("--scenarios", type=int, default=8, help="how many of each app")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="intentd-golden-") as directory:
        directory = pathlib.Path(directory)
        data = directory / "data"
        # Configured wording belongs to no behaviour.
        (directory / "nothing").mkdir()
        nothing = str(directory / "nothing")
        (directory / "intentd.yaml").write_text(f"samples: true\nvocabularies: {nothing}\nprompts:\n  directory: {nothing}\n")
        # Without brokers each run of `test` would have a directory and topics of its own.
        address = f"127.0.0.1:{free_port()}"
        log = open(directory / "broker.log", "wb")
        command = [options.intentd, "broker", "--data", str(directory / "broker"), "--listen", address]
        broker = Program(command, stdout=log, stderr=log, cwd=ROOT)
        up = None
        try:
            until(lambda: (directory / "broker/broker.address").exists(), 30, "no broker")
            common = ["--brokers", address, "--data", str(data), "--config", str(directory / "intentd.yaml")]
            count = play(options.intentd, common, directory, options.scenarios)
            log = open(directory / "up.log", "wb")
            up = Program([options.intentd, "up", *common], stdout=log, stderr=log, cwd=ROOT)
            time.sleep(4)
            prefix = "intents"
            producer = ck.Producer({"bootstrap.servers": address, "partitioner": "murmur2_random", "enable.idempotence": True})
            send(producer, f"{prefix}.requests")
            time.sleep(8)
            found, partitions, _ = history.read_topics(address, prefix, "read_committed", record, [*TOPICS, "state"], 60)
        finally:
            for program in filter(None, (up, broker)):
                program.terminate()
                program.wait()
    deployment = next(r["value"] for r in found if r["topic"] == "state" and r["key"].startswith("//deployment/"))
    found = [r for r in found if r["topic"] != "state"]
    found.sort(key=lambda r: (r["topic"], r["partition"], r["offset"]))
    head = {"deployment": json.loads(deployment)["value"].split(":")[0], "partitions": partitions}
    options.output.parent.mkdir(exist_ok=True)
    with open(options.output, "w") as file:
        for line in (head, *found):
            file.write(json.dumps(line, sort_keys=True, ensure_ascii=False, separators=(",", ":")) + "\n")
    turns = sum(r["topic"] == "journal" for r in found)
    print(f"{options.output}: {turns} turns of {count} scenarios and {len(EVENTS)} events, {options.output.stat().st_size} bytes")


if __name__ == "__main__":
    sys.exit(main())

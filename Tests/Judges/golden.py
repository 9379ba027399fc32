#!/usr/bin/env python3
"""Records journals that every later version must replay: `GoldenJournalTests` compares today's turns with them.

    golden.py --intentd PATH --output Tests/Golden/behaviour-N.ndjson

N is the behaviour of that program (`TurnRecord.currentBehaviour`). When turns produce other outputs for the same inputs,
the constant is raised and a new file recorded; files of earlier behaviours stay as they are. Some scenarios of each app are
played, then events that no scenario contains: rejections, defects, timers, vocabularies; and conversations with the intents of
`Tests/Golden/trains.yaml`, whose service this is: options with words, declined offers, questions of later stages, values in words,
mistakes, asides, waits, lookups, decisions of an operator, and follow-ups.

The file holds a line with the deployment, then a line for each record of the topics that a replay reads.
"""

import argparse
import base64
import http.server
import json
import pathlib
import subprocess
import sys
import tempfile
import threading
import time

import confluent_kafka as ck

import history
from judging import Program, expect, free_port, until
from pipeline import ROOT

TOPICS = ["requests", "resolved", "confirmed", "signals", "journal"]
USER = {"id": "zoe"}
GREET = {"name": "INSendMessageIntent", "parameters": {}}
DEFINITIONS = ROOT / "Tests/Golden/trains.yaml"
#: The service's port, which is part of the definitions.
PORT = 18731
#: The trains on offer: two with the same title and different subtitles.
TRAINS = {
    "ICE 1": {"title": "Express", "subtitle": "direct", "synonyms": ["the fast one"], "image": "https://example.com/ice.png"},
    "ICE 2": {"title": "Express", "subtitle": "one change"},
    "RE 3": {"title": "Regional", "subtitle": "three changes"},
}


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


def train(subject, parameters=None, **more):
    return request(subject, {"name": "BookTrain", "parameters": {"day": "2027-03-01", **(parameters or {})}}, **more)


def letter(subject):
    return request(subject, {"name": "SendLetter", "parameters": {"words": "hello"}})


#: What every member of the conversations needs, one conversation after the other.
CONVERSATIONS = [
    # Options with words: answered by what several mean, by words, by a number, by a value of no option.
    train("words", locale="de-DE"),
    answer("words/r/1", value="express"),
    answer("words/r/2", value="Express (2)"),
    answer("words/c/3"),
    train("numbers", {"travelClass": "Zweite Klasse"}),
    answer("numbers/r/1", value="2."),
    answer("numbers/c/2", value="yes"),
    train("synonyms", {"travelClass": "one"}),
    answer("synonyms/r/1", value="the fast one"),
    answer("synonyms/c/2", value="no"),
    train("many", {"seats": 9}),
    answer("many/r/1", choice=2),
    answer("many/r/2", value="fünf"),
    answer("many/r/3", value="two"),
    answer("many/c/4"),
    # Offers that are declined, until the resolver ends the interaction.
    train("declined"),
    answer("declined/r/1", action="decline"),
    answer("declined/r/2", action="decline"),
    # Questions of confirm and of handle.
    train("asked back", {"train": "ICE 1"}),
    answer("asked back/r/1", corrections={"seats": 2}),
    answer("asked back/r/2", value="Regional"),
    answer("asked back/c/3"),
    train("asked back late", {"train": "ICE 2"}),
    answer("asked back late/c/1"),
    answer("asked back late/r/2", value="ICE 1"),
    answer("asked back late/c/3"),
    # Values in words, in the user's time zone; ambiguous ones, and an answer from another zone.
    train("spoken", {"train": "RE 3", "day": "tomorrow", "seats": "two"}, timeZone="Europe/Berlin"),
    answer("spoken/c/1", action="accept", corrections={"day": "next friday"}, timeZone="America/New_York"),
    answer("spoken/c/2"),
    train("ambiguous", {"train": "RE 3", "day": "3/4"}, timeZone="Pacific/Auckland", locale="en-GB"),
    answer("ambiguous/r/1", choice=0),
    train("nowhere", {"train": "RE 3", "day": "übermorgen"}, timeZone="Nowhere/Land", locale="de-DE"),
    # Mistakes in a request and in an answer; members that are not mistakes.
    train("mistaken", {"trian": "ICE 1"}, paramters={"train": "ICE 1"}, colour="red", **{"x-own": 1}),
    answer("mistaken/r/1", valeu="ICE 1"),
    answer("mistaken/r/2", value="RE 3", note="thanks"),
    answer("mistaken/c/3"),
    # A conversation is set aside, and comes back.
    train("aside"),
    train("meanwhile", {"train": "RE 3"}, setsAside="aside/r/1"),
    answer("meanwhile/c/1"),
    answer("aside/r/1", value="RE 3"),
    answer("aside/c/2"),
    train("nothing aside", {"train": "RE 3"}, setsAside="aside/r/9"),
    answer("nothing aside/c/1", action="decline"),
    # What follows: now, later, for another user, a notification, and what is cancelled.
    train("follows", {"train": "RE 3"}, groupIdentifier="trip", timeZone="Europe/Berlin"),
    answer("follows/c/1"),
    # What was booked is undone: when the app fails, and when the user asks for it; once it is refused.
    train("failed at last", {"train": "RE 3", "seats": 4}),
    answer("failed at last/c/1"),
    ("app.responded", "failed at last", {"user": USER, "code": "failure"}),
    train("undone", {"train": "RE 3"}),
    answer("undone/c/1"),
    request("undo", {"name": "UndoInteraction", "parameters": {"interaction": "undone"}}),
    answer("undo/c/1"),
    request("undo again", {"name": "UndoInteraction", "parameters": {"interaction": "undone"}}),
    answer("undo again/c/1"),
    train("kept", {"train": "RE 3", "seats": 3}),
    answer("kept/c/1"),
    ("interaction.cancelled", "kept", {"user": USER}),
    request("undo none", {"name": "UndoInteraction", "parameters": {"interaction": "kept"}}),
    answer("undo none/c/1"),
    request("undo which", {"name": "UndoInteraction"}),
    answer("undo which/r/1", action="cancel"),
    # A post is tried again, looked up, and decided by an operator.
    letter("again"),
    letter("done"),
    letter("unknown"),
    ("interaction.cancelled", "unknown", {"user": USER}),
]  # fmt: skip


class Trains(http.server.ThreadingHTTPServer):
    """The service of the definitions."""

    daemon_threads = True

    def __init__(self):
        #: The keys under which letters were posted.
        self.keys = []
        super().__init__(("127.0.0.1", PORT), self.Handler)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def resolve(self, asked, key):
        values, declined = asked["intent"]["parameters"], asked.get("declined", {}).get("train", [])
        others = [name for name in TRAINS if name not in declined][:2]
        outcomes = {name: {"outcome": "success", "value": values[name]} for name in asked["open"] if name in values}
        if values.get("train") not in TRAINS:
            options = [{"value": name, **TRAINS[name]} for name in others]
            outcomes["train"] = {"outcome": "disambiguation", "options": options, "dialog": "These trains have seats. Which one?"}
            if "train" in values:
                outcomes["train"] = {"outcome": "unsupported", "reason": "gone"}
            elif len(others) == 1:
                outcomes["train"] = {"outcome": "confirmationRequired", **options[0]}
            if len(declined) > 2 or (declined and not others):
                outcomes["train"] = {"outcome": "ending", "code": "failureSoldOut", "dialog": "All trains are full."}
        return {"parameters": {name: outcomes.get(name, {"outcome": "notRequired"}) for name in asked["open"]}}

    def confirm(self, asked, key):
        values = asked["intent"]["parameters"]
        if asked["interaction"]["identifier"] == "asked back" and values["train"] == "ICE 1":
            options = [{"value": name, **TRAINS[name]} for name in ("ICE 2", "RE 3")]
            ask = {"parameter": "train", "outcome": "disambiguation", "options": options, "dialog": "That one is full now."}
            return {"code": "failure", "ask": ask}
        return {"code": "ready", "details": values, "requiresUserConfirmation": True}

    def handle(self, asked, key):
        name, values = asked["interaction"]["identifier"], asked["intent"]["parameters"]
        if asked["intent"]["name"] == "SendLetter":
            self.keys.append(key)
            # The first post of each is lost.
            return None if self.keys.count(key) == 1 else {"code": "success", "details": {"posts": self.keys.count(key)}}
        if name == "asked back late" and values["train"] == "ICE 2":
            return {"code": "failure", "ask": {"parameter": "train", "outcome": "unsupported", "reason": "gone"}}
        if values.get("seats") == 4:
            return {"code": "inProgress", "details": {"seat": 13}}
        answer = {"code": "success", "details": {"seat": 12}}
        if name == "follows":
            soon = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 3))
            late = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 3600))
            answer["start"] = [
                {"name": "taxi", "intent": "CallTaxi", "parameters": {"to": "station"}, "dialog": "About the way to the train:"},
                {"name": "soon", "intent": "CallTaxi", "parameters": {"to": "hotel"}, "at": soon},
                {"name": "late", "intent": "CallTaxi", "parameters": {"to": "home"}, "at": late},
                {"name": "theirs", "intent": "CallTaxi", "parameters": {"to": "station"}, "user": "yan"},
            ]
            answer["notify"] = [
                {"name": "seat", "dialog": "Your seat is number 12.", "details": {"seat": 12}},
                {"name": "reminder", "dialog": "Your train leaves soon.", "at": soon},
                {"name": "tell Yan", "user": "yan", "dialog": "Zoe takes the train."},
            ]
            answer["cancel"] = ["nobody+taxi-00000000"]
        return answer

    def undo(self, asked, key):
        if asked["intent"]["parameters"].get("seats") == 3:
            return {"code": "failureUndoRefused", "dialog": "The train has left."}
        return {"code": "success"}

    def lookup(self, asked, key):
        name = asked["interaction"]["identifier"]
        if name == "unknown":
            return {"outcome": "unknown"}
        done = {"outcome": "done", "code": "success", "details": {"posts": 1}, "dialog": "It was sent."}
        return done if name == "done" else {"outcome": "notDone"}

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            answer = getattr(self.server, self.path.strip("/"))(asked, self.headers["Idempotency-Key"])
            body = json.dumps(answer or {}).encode()
            self.send_response(200 if answer else 503)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *words):
            pass


def send(producer, topic, events, begin=0, pace=0.15):
    for number, (kind, subject, data) in enumerate(events, begin):
        if isinstance(data, dict):
            data = json.dumps({name: value() if callable(value) else value for name, value in data.items()})
        headers = {name: value for name, value in {"ce_type": kind, "ce_subject": subject, "ce_id": f"golden-{number}"}.items() if value}
        # One in seven is sent to a partition that is not its user's home.
        place = {"partition": number % 8} if number % 7 == 3 else {}
        producer.produce(topic, data, key=USER["id"], headers=headers, **place)
        expect(producer.flush(20) == 0, "not everything could be produced")
        time.sleep(pace)


def finish(intentd, common, producer, address, prefix):
    """What depends on what was answered: a follow-up is cancelled, and an operator decides."""

    def responses():
        found, _, _ = history.read_topics(address, prefix, "read_committed", record, ["responses"], 60)
        return [json.loads(one["value"]) for one in found]

    def late():
        started = [one for data in responses() for one in data.get("started") or []]
        return next((one["interaction"] for one in started if one["name"] == "late" and "state" not in one), None)

    begin = len(EVENTS) + len(CONVERSATIONS)
    cancelled = until(late, 60, "nothing was started")
    send(producer, f"{prefix}.requests", [("interaction.cancelled", cancelled, {"user": USER})], begin)

    def waiting():
        done = subprocess.run([intentd, "waiting", "list", "--json", *common], capture_output=True, text=True, timeout=60)
        return '"unknown"' in done.stdout

    until(waiting, 90, "no operator is asked")
    words = ["waiting", "decide", "unknown", "done", "--details", '{"posts": 1}', "--dialog", "It was sent after all."]
    done = subprocess.run([intentd, *words, *common], capture_output=True, text=True, timeout=60)
    expect(done.returncode == 0, done.stdout + done.stderr)


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
        (directory / "intentd.yaml").write_text(
            f"samples: true\ndefinitions: [{DEFINITIONS}]\nvocabularies: {nothing}\nprompts:\n  directory: {nothing}\n"
        )
        # Without brokers each run of `test` would have a directory and topics of its own.
        address = f"127.0.0.1:{free_port()}"
        log = open(directory / "broker.log", "wb")
        command = [options.intentd, "broker", "--data", str(directory / "broker"), "--listen", address]
        broker = Program(command, stdout=log, stderr=log, cwd=ROOT)
        up = None
        trains = Trains()
        try:
            until(lambda: (directory / "broker/broker.address").exists(), 30, "no broker")
            common = ["--brokers", address, "--data", str(data), "--config", str(directory / "intentd.yaml")]
            count = play(options.intentd, common, directory, options.scenarios)
            log = open(directory / "up.log", "wb")
            up = Program([options.intentd, "up", *common], stdout=log, stderr=log, cwd=ROOT)
            time.sleep(4)
            prefix = "intents"
            producer = ck.Producer({"bootstrap.servers": address, "partitioner": "murmur2_random", "enable.idempotence": True})
            send(producer, f"{prefix}.requests", EVENTS)
            send(producer, f"{prefix}.requests", CONVERSATIONS, len(EVENTS), pace=0.6)
            finish(options.intentd, common, producer, address, prefix)
            time.sleep(8)
            found, partitions, _ = history.read_topics(address, prefix, "read_committed", record, [*TOPICS, "state"], 60)
        finally:
            trains.shutdown()
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
    events = len(EVENTS) + len(CONVERSATIONS)
    print(f"{options.output}: {turns} turns of {count} scenarios and {events} events, {options.output.stat().st_size} bytes")


if __name__ == "__main__":
    sys.exit(main())

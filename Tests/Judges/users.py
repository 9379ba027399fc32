"""A client that sends requests and plays the users."""

import collections
import json
import random
import sqlite3
import threading

import confluent_kafka as ck

from breakable import USERS


class Client(threading.Thread):
    """Sends requests and plays the users; `allowed` returns the number of requests allowed so far."""

    OPEN = 4_000
    #: What is asked for, and how often as a share.
    kinds = {"message": 50, "asked": 15, "two": 5, "table": 25, "nobody": 5}
    #: The names of effects after which a kind's rows are in the store, and how many rows.
    made = {"message": ("sendMessages", 1), "asked": ("sendMessages", 1), "two": ("sendMessages", 2)}
    #: What a client of the gateway has followed and asked for; see `history.History`.
    streams = None
    asked = None
    #: What is corrected at a confirmation.
    corrections = {"table": {"people": 3}}

    def __init__(self, deployment, requests, seed):
        super().__init__(daemon=True)
        self.deployment = deployment
        self.requests = requests
        self.random = random.Random(f"client {seed}")
        self.allowed = 0
        self.sent = {}
        self.answers = {}
        self.ends = collections.defaultdict(list)
        self.cancelled = set()
        self.counts = collections.Counter()
        self.failure = None
        self.over = threading.Event()
        self.producer = ck.Producer(
            {
                "bootstrap.servers": deployment.address,
                "enable.idempotence": True,
                "linger.ms": 5,
                "message.timeout.ms": 0,
                "partitioner": "murmur2_random",
                "log_level": 2,
                "error_cb": self.note_error,
            }
        )

    def note_error(self, error):
        if error.fatal():
            self.failure = f"the client's producer has failed: {error}"

    def send(self, kind, user, data, subject=None, copies=1, home=False):
        headers = {"ce_type": kind, "ce_userid": user} | ({"ce_subject": subject} if subject else {})
        # One in twenty comes from a client that knows nothing of home partitions.
        place = {"partition": self.random.randrange(8)} if not home and self.random.random() < 0.05 else {}
        for _ in range(copies):
            while True:
                try:
                    self.producer.produce(
                        self.deployment.topic("requests"), json.dumps(data), key=user, headers=headers, **place
                    )
                    break
                except BufferError:
                    self.producer.poll(0.1)

    def room(self):
        """The number of requests that may be sent now."""
        return min(self.allowed - len(self.sent), self.OPEN - (len(self.sent) - len(self.ends)), 200)

    def request(self):
        number = len(self.sent)
        subject = f"r{number}"
        user = f"user-{self.random.randrange(USERS)}"
        kind = self.random.choices(list(self.kinds), self.kinds.values())[0]
        if kind == "nobody":
            intent = {"name": "INNobodyIntent"}
        elif kind == "table":
            parameters = {"restaurant": "Old Mill", "date": "2027-03-01", "people": 2}
            if self.random.random() < 0.7:
                parameters["time"] = "19:30"
            intent = {"name": "BookRestaurantTable", "parameters": parameters}
        else:
            intent = self.intent(kind, subject)
        self.sent[subject] = (user, kind)
        # Some clients retry at once.
        copies = 2 if self.random.random() < 0.03 else 1
        self.send("intent.requested", user, {"intent": intent, "user": {"id": user}}, subject, copies)
        if self.random.random() < 0.02:
            self.cancel(user, subject)

    def intent(self, kind, subject):
        """The intent of a kind that has effects."""
        parameters = {"recipients": ["Celestra", "Buttercup"] if kind == "two" else ["Celestra"]}
        if kind != "asked":
            parameters["content"] = subject
        return {"name": "INSendMessageIntent", "parameters": parameters}

    def value(self, parameter, subject):
        """What is answered when asked for a parameter."""
        return {"content": subject, "time": "19:30"}[parameter]

    def cancel(self, user, subject):
        self.cancelled.add(subject)
        self.counts["cancellations"] += 1
        self.send("interaction.cancelled", user, {"user": {"id": user}}, subject)

    def answer(self, subject, prompt):
        if prompt["promptId"] in self.answers:
            return
        user, kind = self.sent[subject]
        data = {"user": {"id": user}, "promptId": prompt["promptId"], "action": "accept"}
        chance = self.random.random()
        if chance < 0.03:
            self.cancel(user, subject)
            return
        if prompt["kind"] == "intentConfirmation":
            if chance < 0.08:
                data["action"] = "decline"
            elif chance < 0.12:
                data |= {"corrections": self.corrections[kind]}
        else:
            data["value"] = self.value(prompt["parameter"], subject)
        self.answers[prompt["promptId"]] = data
        self.counts["answers"] += 1
        copies = 2 if self.random.random() < 0.05 else 1
        self.send("prompt.answered", user, data, copies=copies)
        self.counts["answers too many"] += copies - 1

    def take(self, message):
        headers = {name: value.decode() for name, value in message.headers() or []}
        data = json.loads(message.value())
        subject = headers.get("ce_subject")
        if headers["ce_type"] == "prompt.issued":
            self.answer(subject, data)
        elif headers["ce_type"] == "intent.responded" and data["terminal"]:
            self.ends[subject].append(data)
            late = [answer for prompt, answer in self.answers.items() if prompt.startswith(f"{subject}/")] if self.random.random() < 0.03 else []
            for answer in late:
                # A second device says yes when all is over.
                self.counts["answers too late"] += 1
                self.send("prompt.answered", self.sent[subject][0], answer)

    def send_late(self):
        """Sends what was postponed; this client postpones nothing."""

    def run(self):
        try:
            self.play()
        except Exception as error:
            self.failure = f"the client: {error!r}"

    def play(self):
        reader = ck.Consumer(
            {
                "bootstrap.servers": self.deployment.address,
                "group.id": "chaos",
                "isolation.level": "read_committed",
                "enable.auto.commit": False,
                "auto.offset.reset": "earliest",
                "log_level": 2,
            }
        )
        name = self.deployment.topic("responses")
        reader.assign([ck.TopicPartition(name, number, ck.OFFSET_BEGINNING) for number in range(8)])
        while not self.over.is_set():
            for message in reader.consume(500, 0.02):
                if not message.error():
                    self.take(message)
            self.send_late()
            for _ in range(max(self.room(), 0)):
                self.request()
            self.producer.poll(0)
        reader.close()

    def rows(self, subject):
        """How many rows the store has to have of a request, by its end."""
        effect, count = self.made.get(self.sent[subject][1], (None, 0))
        end = self.ends[subject][0] if self.ends[subject] else {}
        return count if end.get("status") == "success" or effect in (end.get("effects") or []) else 0

    def check_store(self):
        """The store has each message that was reported as sent, once for each recipient, and nothing else."""
        with sqlite3.connect(f"file:{self.deployment.store}?mode=ro", uri=True, timeout=20) as database:
            found = database.execute("SELECT content, recipient FROM messages").fetchall()
        problems = [("effect-twice", "store.sqlite", f"{row}") for row, count in collections.Counter(found).items() if count > 1]
        rows = collections.Counter(content for content, _ in found)
        for subject, (_, kind) in self.sent.items():
            wanted = self.rows(subject)
            if rows.pop(subject, 0) != wanted:
                problem = f"{subject} ({kind}) has not {wanted} messages; its end: {self.ends[subject]}"
                problems.append(("effect-missing", "store.sqlite", problem[:300]))
        return problems + [("effect-stray", "store.sqlite", f"{content}: nobody asked for that") for content in rows]

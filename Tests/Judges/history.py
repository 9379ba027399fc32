"""What happened, as any client can read it: the topics, the consumer groups' offsets, and both databases.

It shares no code with intentd: the events are parsed again from their bytes.
"""

import base64
import dataclasses
import hashlib
import json
import pathlib
import sqlite3
import subprocess
import sys
import threading
import time
import uuid

RECORDED = "requests resolved confirmed signals responses user-activities journal dead-letters".split()
TOPICS = [*RECORDED, "state"]
READ_BY = {
    "resolve": ["requests", "signals"],
    "confirm": ["resolved", "signals"],
    "handle": ["confirmed", "signals"],
}


class Unreadable(Exception):
    """The history cannot be read; `status` is the exit status."""

    def __init__(self, status, message):
        super().__init__(message)
        self.status = status


#: The attributes that are used; others are only compared with the recorded ones.
KEPT = {"type", "id", "source", "subject", "userid", "causationid", "request", "stage", "time", "redriveof", "followsfrom"}


def digest(*parts):
    """A placeholder for data that would need too much memory in a long history."""
    return hashlib.blake2b(repr(parts).encode(), digest_size=16).digest()


class Record:
    """A record of a topic, and the event in it if there is one."""

    __slots__ = (
        "topic partition offset timestamp key value headers place attributes user content header_digest _data turn".split()
    )

    def __init__(self, topic, partition, offset, timestamp, key, value, headers):
        self.topic, self.partition, self.offset = sys.intern(topic), partition, offset
        self.timestamp, self.key, self.value, self.headers = timestamp, key, value, headers
        self.place = f"{topic}/{partition}/{offset}"
        self.content, self.header_digest = digest(value), digest(headers)
        self.attributes = {}
        named_users = {key} if key else set()
        is_structured = False
        for name, value in headers:
            if name == "ce_userid" and value:
                named_users.add(value)
            try:
                text = None if value is None else value.decode()
            except UnicodeDecodeError:
                continue
            if text is None:
                continue
            if name.lower() == "content-type":
                is_structured = text.lower().startswith("application/cloudevents+json")
            elif name.startswith("ce_"):
                self.keep(name[3:], text)
        self._data = None
        if is_structured:
            for name, value in self.data.items():
                if name != "data" and isinstance(value, str):
                    self.keep(name, value)
                    if name == "userid" and value:
                        named_users.add(value.encode())
            inner = self.data.get("data")
            self._data = inner if isinstance(inner, dict) else {}
        user = self.data.get("user") if topic == "requests" else None
        named = user.get("id") if isinstance(user, dict) else None
        if isinstance(named, str) and named:
            named_users.add(named.encode())
        # An event that names two users belongs to none (R1).
        is_mismatch = topic == "requests" and len(named_users) > 1
        user = named if isinstance(named, str) and named else self.attributes.get("userid", "")
        self.user = "" if is_mismatch else sys.intern(user)
        self.turn = Turn(self) if topic == "journal" and self.value is not None else None
        if topic != "requests" and not is_structured:
            self._data = None

    def keep(self, name, text):
        if name in KEPT:
            self.attributes[sys.intern(name)] = sys.intern(text) if name in ("type", "stage", "source") else text

    def slim(self):
        """Drops the bytes that no check needs again."""
        if self.topic not in ("requests", "responses", "state") and self.type != "prompt.answered":
            self.value = None
        if self.topic != "dead-letters":
            self.headers = None
        return self

    @property
    def data(self):
        """The event's data; an empty object when there is none."""
        if self._data is not None:
            return self._data
        try:
            data = json.loads(self.value)
        except (TypeError, ValueError, RecursionError):
            data = None
        data = data if isinstance(data, dict) else {}
        if self.topic == "requests":
            self._data = data
        return data

    @property
    def type(self):
        return self.attributes.get("type", "")

    @property
    def id(self):
        return self.attributes.get("id") or self.place

    @property
    def subject(self):
        return self.attributes.get("subject") or None

    @property
    def cause(self):
        return self.attributes.get("causationid")

    @property
    def request(self):
        return self.attributes.get("request")

    @property
    def position(self):
        return f"{self.partition}:{self.offset}"

    def header(self, name):
        """The last header of that name as text."""
        for found, value in reversed(self.headers):
            if found == name:
                return None if value is None else value.decode(errors="replace")
        return None


class Turn:
    """A stage's processing of one event, from its record on `journal`."""

    __slots__ = (
        "record stage position generation event_id event_type request outcome effects steps undos note crash behaviour".split()
    )

    def __init__(self, record):
        data = record.data
        self.record = record
        self.stage = sys.intern(record.attributes.get("stage") or data.get("stage"))
        self.position = data["position"]
        self.generation = data.get("generation", 0)
        self.event_id = record.cause
        self.event_type = sys.intern(data["event"]["type"])
        self.request = record.request
        self.outcome = sys.intern(data["outcome"])
        self.crash = data.get("crash")
        self.behaviour = data.get("behaviour", 1)
        self.effects = [read for read in data.get("reads", ()) if read.get("kind") == "effect"]
        self.steps = [read for read in data.get("reads", ()) if read.get("kind") == "step"]
        #: What the handler has said while it was running: a report, or a step that is done.
        self.note = data.get("note")
        self.undos = [
            read["value"]
            for read in data.get("reads", ())
            if read.get("kind") == "undo" and read.get("name") == "undo" and "effects" in (read.get("value") or {})
            and not {"refused", "gone"} & read["value"].keys()
        ]  # fmt: skip


@dataclasses.dataclass
class History:
    """All of it. Self-tests make one by hand."""

    partitions: int
    #: The records that read_committed readers see, in the order of each partition.
    records: list
    #: The other records in the log: of transactions that were aborted, or are still open.
    uncommitted: list = dataclasses.field(default_factory=list)
    #: (topic, partition) → the first remaining offset, and the end.
    bounds: dict = dataclasses.field(default_factory=dict)
    #: (stage, topic, partition) → the offset that its group has committed.
    committed: dict = dataclasses.field(default_factory=dict)
    #: Table of records.sqlite → its rows as dictionaries; None when there is no such file.
    recorded: dict | None = None
    #: Table of store.sqlite → its rows; None when there is no such file.
    stored: dict | None = None
    #: Findings while the deployment was watched: (place, message).
    seen: list = dataclasses.field(default_factory=list)
    #: User → the ids of the events that a client of the gateway has followed, in the order in which it got them.
    streams: dict = dataclasses.field(default_factory=dict)
    #: The (user, interaction) that clients of the gateway have asked for; None when others ask too.
    asked: set | None = None

    def of(self, topic):
        return [record for record in self.records if record.topic == topic]


def _kafka():
    try:
        import confluent_kafka
    except ImportError as error:
        raise Unreadable(69, "confluent-kafka is missing: pip install -r Tests/Judges/requirements.txt") from error
    return confluent_kafka


def bounds_of(reader, partition, seconds=60):
    """The first and the next offset of a partition, whose leader may have just changed."""
    ck = _kafka()
    deadline = time.monotonic() + seconds
    while True:
        try:
            return reader.get_watermark_offsets(partition, 15)
        except ck.KafkaException as error:
            if not error.args[0].retriable() and error.args[0].code() != ck.KafkaError.NOT_LEADER_FOR_PARTITION:
                raise
            if time.monotonic() > deadline:
                raise Unreadable(69, f"cannot read the offsets of {partition}: {error}") from error
        time.sleep(0.5)
        # The next try asks the leader of then.
        reader.list_topics(timeout=15)


def read_topics(brokers, prefix, isolation, make, topics=TOPICS, seconds=1200):
    """Reads every record of the topics up to their ends, each converted by `make`; returns them, the partition count and the
    bounds."""
    ck = _kafka()
    reader = ck.Consumer(
        {
            "bootstrap.servers": brokers,
            "group.id": f"checker-{uuid.uuid4().hex}",
            "isolation.level": isolation,
            "enable.partition.eof": True,
            "enable.auto.commit": False,
            "auto.offset.reset": "earliest",
            "log_level": 2,
        }
    )
    try:
        try:
            known = reader.list_topics(timeout=15).topics
        except ck.KafkaException as error:
            raise Unreadable(69, f"no broker answers at {brokers}: {error}") from error
        missing = [f"{prefix}.{topic}" for topic in TOPICS if f"{prefix}.{topic}" not in known]
        if missing:
            raise Unreadable(66, f"there are no topics {', '.join(missing)} at {brokers}: is --prefix right?")
        counts = {topic: len(known[f"{prefix}.{topic}"].partitions) for topic in {"requests", *topics}}
        open_ = {(topic, number) for topic in topics for number in range(counts[topic])}
        assigned = [ck.TopicPartition(f"{prefix}.{topic}", number, ck.OFFSET_BEGINNING) for topic, number in open_]
        bounds = {
            (partition.topic[len(prefix) + 1 :], partition.partition): bounds_of(reader, partition)
            for partition in assigned
        }
        reader.assign(assigned)
        records, deadline = [], time.monotonic() + seconds
        while open_:
            if time.monotonic() > deadline:
                raise Unreadable(69, f"no end of {sorted(open_)[:3]} after {seconds} s and {len(records)} records")
            for message in reader.consume(5000, 0.2):
                place = (message.topic()[len(prefix) + 1 :], message.partition())
                if message.error():
                    if message.error().code() != ck.KafkaError._PARTITION_EOF:
                        raise Unreadable(69, f"{place[0]}/{place[1]}: {message.error()}")
                    open_.discard(place)
                else:
                    made = make(place, message)
                    if made is not None:
                        records.append(made)
    finally:
        reader.close()
    return records, counts["requests"], bounds


class Visible:
    """Creates records from what read_committed readers see; of the state, only the latest of each key."""

    def __init__(self):
        self.latest = {}

    def __call__(self, place, message):
        headers = [(sys.intern(name), value) for name, value in message.headers() or []]
        values = (message.timestamp()[1], message.key(), message.value(), headers)
        record = Record(*place, message.offset(), *values).slim()
        if record.topic != "state":
            return record
        if record.value is None:
            self.latest.pop(record.key, None)
        else:
            self.latest[record.key] = record
        return None

    def sorted(self, records):
        records = [*records, *self.latest.values()]
        records.sort(key=lambda record: (record.topic, record.partition, record.offset))
        return records


def name_of(place, message):
    """The parts of a record that are needed if it is never committed."""
    found = [value for name, value in message.headers() or [] if name == "ce_id" and value]
    return (*place, message.offset(), found[-1] if found else None)


def read_partition_count(brokers, prefix):
    reader = _kafka().Consumer({"bootstrap.servers": brokers, "group.id": "checker", "log_level": 2})
    try:
        name = f"{prefix}.requests"
        return len(reader.list_topics(name, timeout=15).topics[name].partitions)
    finally:
        reader.close()


def read_committed_offsets(brokers, prefix, partitions):
    """The offsets that the stages' groups have committed; joins none of them."""
    ck = _kafka()
    committed = {}
    for stage, topics in READ_BY.items():
        reader = ck.Consumer({"bootstrap.servers": brokers, "group.id": f"{prefix}.{stage}", "log_level": 2})
        try:
            asked = [ck.TopicPartition(f"{prefix}.{topic}", number) for topic in topics for number in range(partitions)]
            for found in reader.committed(asked, timeout=15):
                if found.offset >= 0:
                    committed[stage, found.topic[len(prefix) + 1 :], found.partition] = found.offset
        finally:
            reader.close()
    return committed


class Table:
    """A table's rows as dictionaries, read again each time from the same view of the file."""

    def __init__(self, database, query):
        self.database = database
        self.query = query

    def __iter__(self):
        return (dict(row) for row in self.database.execute(self.query))


#: The tables that are read from records.sqlite, and from store.sqlite.
RECORDS = {
    "events": "*",
    "turns": "partition, offset",
    "interactions": "*",
    "user_activities": "partition, offset",
    "dead_letters": "partition, offset",
    "offsets": "*",
}
STORE = {"effects": "*", "undone_effects": "*", "closed_ledgers": "*"}
#: Tables that the files of earlier versions lack.
NEW_TABLES = {"undone_effects"}


def read_tables(path, columns):
    """The tables, in one consistent view."""
    if not pathlib.Path(path).exists():
        raise Unreadable(66, f"there is no file {path}")
    try:
        database = sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=20, check_same_thread=False)
        database.row_factory = sqlite3.Row
        database.execute("BEGIN")
        known = {row["name"] for row in database.execute("SELECT name FROM sqlite_master WHERE type IN ('table', 'view')")}
    except sqlite3.Error as error:
        raise Unreadable(66, f"{path}: {error}") from error
    absent = [name for name in columns if name not in known]
    if set(absent) - NEW_TABLES:
        raise Unreadable(66, f"{path} has no table {', '.join(absent)}")
    return {
        name: [] if name in absent else Table(database, f"SELECT {what} FROM {name}") for name, what in columns.items()
    }


#: The same in PostgreSQL, where names are bytes.
SERVER_STORE = {
    "effects": "SELECT encode(request, 'hex') AS request, encode(name, 'hex') AS name, ordinal, result, at, identity "
    "FROM effects ORDER BY number",
    "undone_effects": "SELECT encode(request, 'hex') AS request, encode(name, 'hex') AS name, ordinal, "
    "encode(undone_by, 'hex') AS undone_by, round, result, made_at, undone_at FROM undone_effects",
    "closed_ledgers": "SELECT encode(request, 'hex') AS request, at, identity FROM closed_ledgers",
}


def is_server(store):
    """Whether the store is an address, not a file."""
    return store is not None and "://" in str(store)


def ask_server(address, query):
    """The rows of a query, as psql gets them."""
    command = ["psql", "-XAtq", "-v", "ON_ERROR_STOP=1", "-c", f"SELECT row_to_json(r) FROM ({query}) r", str(address)]
    asked = subprocess.run(command, capture_output=True, text=True)
    if asked.returncode:
        raise Unreadable(66, f"the store: {asked.stderr.strip()}")
    return [json.loads(line) for line in asked.stdout.splitlines()]


def read_server(address):
    """The ledger's tables on a server.

    The ends come first: an effect that is made meanwhile is then never after an end that was not seen.
    """
    tables = {}
    for name in ("closed_ledgers", "effects", "undone_effects"):
        tables[name] = ask_server(address, SERVER_STORE[name])
        for row in tables[name]:
            row.update({key: bytes.fromhex(row[key]).decode() for key in ("request", "name", "undone_by") if key in row})
    return tables


def headers_of_row(text):
    """The column `events.headers` as bytes."""
    headers = []
    for header in json.loads(text):
        if "base64" in header:
            headers.append((header["name"], base64.b64decode(header["base64"])))
        else:
            headers.append((header["name"], None if header["value"] is None else header["value"].encode()))
    return headers


def read(brokers, prefix, records=None, store=None, seen=()):
    """The whole current history.

    The records come first, then the log with what is uncommitted, then what is visible, then the effects: each view is
    compared with a later one that must contain it, so that what is still being written is not reported as lost.
    """
    recorded = read_tables(records, RECORDS) if records else None
    everything, partitions, _ = read_topics(brokers, prefix, "read_uncommitted", name_of, RECORDED)
    committed = read_committed_offsets(brokers, prefix, partitions)
    visible = Visible()
    found, _, bounds = read_topics(brokers, prefix, "read_committed", visible)
    stored = None
    if store:
        stored = read_server(store) if is_server(store) else read_tables(store, STORE)
    places = {(record.topic, record.partition, record.offset) for record in found}
    hidden = [
        Record(topic, partition, offset, 0, None, None, [("ce_id", name)])
        for topic, partition, offset, name in everything
        if (topic, partition, offset) not in places
    ]
    return History(partitions, visible.sorted(found), hidden, bounds, committed, recorded, stored, list(seen))


class OffsetWatch(threading.Thread):
    """Polls the groups' and the recorder's offsets, and records any that run backwards."""

    def __init__(self, brokers, prefix, partitions, records=None, interval=0.5):
        super().__init__(daemon=True)
        self.arguments = (brokers, prefix, partitions)
        self.records = records
        self.interval = interval
        self.highest = {}
        self.seen = []
        self.over = threading.Event()

    def look(self, offsets):
        """Reads the current offsets."""
        for name, offset in offsets.items():
            if offset < self.highest.get(name, offset):
                self.seen.append((f"{name[1]}/{name[2]}/{offset}", f"{name[0]} was at {self.highest[name]} before"))
            self.highest[name] = max(offset, self.highest.get(name, offset))

    def run(self):
        while not self.over.wait(self.interval):
            try:
                self.look(read_committed_offsets(*self.arguments))
                if self.records and pathlib.Path(self.records).exists():
                    rows = read_tables(self.records, {"offsets": "*"})["offsets"]
                    self.look({("record", r["topic"], r["partition"]): r["next"] for r in rows if r["next"] is not None})
                    rows.database.close()
            except Exception:  # A killed broker does not answer; the next poll will succeed.
                continue

    def stop(self):
        self.over.set()
        self.join(60)
        return self.seen

#!/usr/bin/env python3
"""Checks a deployment's history against intentd's promises, using only what any client can read.

    check.sh --brokers HOST:PORT [--data DIR | --records FILE --store FILE] [--prefix intents] [--ended]
             [--watch SECONDS] [--never SQL] [--json]
    check.sh --self-test

It reads the topics, the stages' committed offsets, and, where they are, records.sqlite and store.sqlite; it joins no
group and writes nothing. Each finding is a line: its kind, where (topic/partition/offset), and what is wrong. With
--ended everything is expected to be complete: every request answered, every event processed, the recorder at the
topics' end. Without it, work that may still be in progress is no finding. --watch first reads the offsets for a while
and reports any that run backwards. `--never SQL` names a query of store.sqlite that must have no rows, such as duplicate rows of a
domain's tables.

Exit status: 0 no findings; 1 findings; 64 wrong command line; 66 no such file or topic; 69 no broker.
"""

import argparse
import collections
import datetime
import json
import pathlib
import sqlite3
import sys
import time

import history as reading

KINDS = {
    "lost-request": "a request has no terminal response, or an event was never processed",
    "second-response": "an interaction has more than one terminal response, or a client's retry has one of its own",
    "response-after-end": "an interaction gets another response after its terminal one",
    "output-twice": "two records of a topic have the same id: a turn's outputs stand there twice",
    "turn-twice": "a stage has committed the same turn twice",
    "undo-missing": "a turn has undone an effect, and the ledger does not say so",
    "undo-untold": "an effect was undone before an interaction ended, and its end does not say so",
    "effect-twice": "the ledger has an effect twice, or two turns were given different results of it",
    "effect-missing": "a turn or a response names an effect that the ledger does not have",
    "effect-untold": "an interaction has ended, and its response does not name an effect that was made",
    "effect-stray": "the ledger has an effect of a request that there never was, or that was cancelled",
    "effect-after-end": "an effect was made when all interactions that share it had ended",
    "effect-of-earlier-round": "an effect was made before handle sent its interaction back to the user",
    "question-lost": "an interaction was sent back with a question, which was not put to the user",
    "step-twice": "a step of a task was committed again, or its handler continued with another result",
    "follow-up-twice": "what a handler has started has begun more than once",
    "follow-up-lost": "an interaction that a handler has started, and that was not cancelled, has not begun",
    "request-without-origin": "resolve has written a request that no handler has started",
    "ledger-open": "an interaction has ended and could still make effects",
    "crash-untold": "a turn that was not run again has ended otherwise than with error, left no dead letter, or kept an effect to itself",
    "forbidden-rows": "a query that must have no rows has some",
    "uncommitted-read": "something was done or recorded because of a record that was never committed",
    "order-broken": "a user's events were processed out of their order",
    "wrong-partition": "a record of a user is not in the user's home partition",
    "no-cause": "a response, a turn or what passes an interaction on names no event that there is",
    "stale-answer": "an answer acted that was not to the open prompt",
    "record-missing": "an event, an interaction or an offset is not recorded",
    "record-twice": "something is recorded twice",
    "record-differs": "a record is not as its event",
    "offset-backwards": "an offset has run backwards, or is where the log is not",
    "stream-missing": "an event of a user did not reach the client that follows the user's events at the gateway",
    "stream-twice": "a client that follows a user's events got one of them twice",
    "stream-order": "a client that follows a user's events got two of them in another order than the log's",
    "stream-foreign": "a client that follows a user's events got one that is not the user's, or was never committed",
    "request-forged": "the log has a request of a user that no client of the gateway has made for that user",
}
#: Types that intentd writes, each with an id of its own.
WRITTEN = {
    "intent.resolved", "intent.confirmed", "interaction.returned", "interaction.resumed", "timer.fired", "prompt.issued",
    "intent.responded", "status.updated", "event.rejected", "user-activity.created", "turn.journaled",
    "follow-up.scheduled", "prompt.recalled", "user.notified",
}  # fmt: skip
#: The outcomes of a turn that has not acted on its answer yet.
NOT_ACTED = {"forwarded", "ignored", "rejected", "refused", "parked"}
#: A client's retry within this time is ignored (requests.dedupeWindow).
WINDOW = 3_600_000


def murmur2(data):
    """Kafka's own hash of a key (org.apache.kafka.common.utils.Utils.murmur2)."""
    mask, m = 0xFFFFFFFF, 0x5BD1E995
    h = 0x9747B28C ^ len(data)
    whole = len(data) & ~3
    for index in range(0, whole, 4):
        k = int.from_bytes(data[index : index + 4], "little") * m & mask
        k = (k ^ k >> 24) * m & mask
        h = h * m & mask ^ k
    if len(data) > whole:
        h = (h ^ int.from_bytes(data[whole:], "little")) * m & mask
    h = (h ^ h >> 13) * m & mask
    return h ^ h >> 15


def home(user, partitions):
    return (murmur2(user.encode()) & 0x7FFFFFFF) % partitions


def milliseconds(text):
    return round(datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp() * 1000)


class Checker:
    """Checks a history; `findings` are (kind, place, message).

    `clocks` says when some worker's clock was wrong: from, to and by how much, in milliseconds.
    """

    def __init__(self, history, ended=False, clocks=()):
        self.history = history
        self.ended = ended
        self.clocks = clocks
        self.findings = []
        self.by_topic = collections.defaultdict(list)
        self.by_place = {}
        for record in history.records:
            self.by_topic[record.topic].append(record)
            self.by_place[record.place] = record
        self.turns = [record.turn for record in self.by_topic["journal"]]
        self.terminal = collections.defaultdict(list)
        for record in self.by_topic["responses"]:
            if record.type == "intent.responded" and record.data.get("terminal") is True:
                self.terminal[record.request].append(record)
        #: Topics whose first records retention has removed: what they referred to is unknown.
        self.is_cut = any(low > 0 for (topic, _), (low, _) in history.bounds.items() if topic != "state")

    def find(self, kind, place, message):
        assert kind in KINDS, kind
        self.findings.append((kind, place, message))

    def run(self):
        self.check_requests()
        self.check_processing()
        self.check_responses()
        self.check_causes()
        self.check_partitions()
        self.check_order()
        self.check_answers()
        self.check_crashes()
        self.check_returned()
        self.check_steps()
        self.check_follow_ups()
        self.check_uncommitted()
        self.check_offsets()
        if self.history.stored is not None:
            self.check_effects()
        if self.history.recorded is not None:
            self.check_records()
            self.check_interactions()
        self.check_streams()
        self.check_asked()
        for place, message in self.history.seen:
            self.find("offset-backwards", place, message)
        return self.findings

    # The gateway

    def check_streams(self):
        """Every client that follows a user's events gets each event of the user once, in the order of its topic."""
        for user, shown in self.history.streams.items():
            places, is_shown = {}, set()
            for topic in ("responses", "user-activities"):
                for record in self.by_topic[topic]:
                    if record.user == user:
                        places[record.id] = record
            last = {}
            for id in shown:
                record = places.get(id)
                if record is None:
                    self.find("stream-foreign", f"stream of {user}", f"{id} is no event of the user")
                elif id in is_shown:
                    self.find("stream-twice", record.place, f"the stream of {user} had it before")
                else:
                    before = last.get(record.topic)
                    if before is not None and record.offset < before.offset:
                        self.find("stream-order", record.place, f"the stream of {user} had {before.place} before it")
                    last[record.topic] = record
                is_shown.add(id)
            for id, record in places.items() if self.ended else ():
                if id not in is_shown:
                    self.find("stream-missing", record.place, f"the stream of {user} never had this {record.type}")

    def check_asked(self):
        """A user's requests are those that a client made with that user's token, and those that handlers have started."""
        for record in self.by_topic["requests"] if self.history.asked is not None else ():
            if record.type != "intent.requested" or record.attributes.get("source", "").startswith("/intentd/"):
                continue
            if (record.user, record.subject) not in self.history.asked:
                self.find("request-forged", record.place, f"nobody has asked for {record.subject} as {record.user}")

    # Requests and responses

    def check_requests(self):
        """Every request has an end: its own, that of its copy at home, or that of the request that it repeats."""
        copies = collections.defaultdict(list)
        first = {}
        buried = {
            f"{record.header('kafka_dlt-original-topic')}/{record.header('kafka_dlt-original-partition')}"
            f"/{record.header('kafka_dlt-original-offset')}".split(".")[-1]
            for record in self.by_topic["dead-letters"]
        }
        requests = [record for record in self.by_topic["requests"] if record.type == "intent.requested"]
        for record in requests:
            copies[record.partition, record.key, record.content, record.header_digest].append(record)
        for record in requests:
            ends = self.terminal.get(record.position, [])
            name = (record.partition, record.user, record.subject)
            before = first.get(name) if record.subject and record.user else None
            is_retry = before is not None and record.timestamp - before.timestamp < WINDOW - 60_000
            if is_retry:
                if ends:
                    self.find("second-response", ends[0].place, f"{record.place} repeats {before.place} and has its own end")
                continue
            where = home(record.user, self.history.partitions) if record.user else record.partition
            if where != record.partition:
                same = copies[where, record.key, record.content, record.header_digest]
                if not same and self.is_due(record, "resolve"):
                    self.find("lost-request", record.place, f"{record.subject} of {record.user} was not sent home to {where}")
                continue
            first[name] = record
            if not ends and record.place not in buried and (self.ended or not self.is_taken_up(record)):
                if self.is_due(record, "resolve"):
                    self.find("lost-request", record.place, f"{record.subject} of {record.user} has no terminal response")

    def is_taken_up(self, record):
        if not hasattr(self, "_taken_up"):
            self._taken_up = {turn.position for turn in self.turns}
        return record.place in self._taken_up

    def is_due(self, record, stage):
        """Whether the stage has passed a record, and does not keep it in its state."""
        if not self.ended:
            if self.history.committed.get((stage, record.topic, record.partition), -1) <= record.offset:
                return False
            return record.place not in self.waiting()
        return True

    def waiting(self):
        """Events that wait in the stages' state: parked, or queued behind a parked one."""
        if not hasattr(self, "_waiting"):
            latest = {record.key: record for record in self.by_topic["state"]}
            self._waiting = set()
            for record in latest.values():
                for data in (record.data, record.data.get("event")):
                    if isinstance(data, dict) and isinstance(data.get("position"), str):
                        self._waiting.add(data["position"])
        return self._waiting

    def check_processing(self):
        """Every event of a stage's topics was processed, each turn once."""
        turns = collections.Counter((turn.stage, turn.position, turn.generation) for turn in self.turns)
        for turn in self.turns:
            name = (turn.stage, turn.position, turn.generation)
            if turns[name] > 1:
                turns[name] = 0
                self.find("turn-twice", turn.record.place, f"{turn.stage} has processed {turn.position} more than once")
        rung = {}
        for turn in self.turns:
            if turn.event_type == "timer.fired" and turn.outcome not in NOT_ACTED and not turn.generation:
                first = rung.setdefault((turn.stage, turn.event_id), turn)
                if first.position != turn.position:
                    self.find("turn-twice", turn.record.place, f"the timer of {first.position} has acted again: {turn.outcome}")
        for stage, topics in reading.READ_BY.items():
            for topic in topics:
                for record in self.by_topic[topic]:
                    if topic == "signals" and record.attributes.get("stage") != stage:
                        continue
                    if (stage, record.place, 0) not in turns and self.is_due(record, stage):
                        self.find("lost-request", record.place, f"{stage} has never processed this {record.type}")

    def check_responses(self):
        for request, records in self.terminal.items():
            for record in records[1:]:
                message = f"{record.subject} (request {request}) has ended before, at {records[0].place}"
                self.find("second-response", record.place, message)
        for record in self.by_topic["responses"]:
            ends = self.terminal.get(record.request, [])
            is_more = record.type == "prompt.issued" or record.type == "intent.responded" and not record.data.get("terminal")
            if ends and is_more and (record.partition, record.offset) > (ends[0].partition, ends[0].offset):
                self.find("response-after-end", record.place, f"{record.subject} has ended at {ends[0].place}")
        seen = {}
        for record in self.history.records:
            # A timer fires again at the partition's next owner, but it acts only once (check_processing).
            if record.type in WRITTEN - {"timer.fired"} and record.topic not in ("dead-letters", "state"):
                # What a stage sends on to another topic keeps its id.
                other = seen.setdefault((record.topic, record.attributes.get("stage"), record.id), record)
                if other is not record:
                    self.find("output-twice", record.place, f"{record.type} {record.id} is at {other.place} too")

    def check_causes(self):
        if self.is_cut:
            return
        known = set()
        for record in self.history.records:
            if record.topic in ("requests", "resolved", "confirmed", "signals", "dead-letters"):
                known |= {record.id, record.place}
        for record in self.history.records:
            if record.topic in ("requests", "dead-letters", "state") or record.type not in WRITTEN:
                continue
            if record.cause is None:
                if record.type != "timer.fired":
                    self.find("no-cause", record.place, f"{record.type} says nothing of what it answers")
            elif record.cause not in known:
                self.find("no-cause", record.place, f"{record.type} answers {record.cause}, which there is not")
        for record in self.by_topic["responses"]:
            if record.request and f"requests/{record.request.replace(':', '/')}" not in self.by_place:
                self.find("no-cause", record.place, f"its request {record.request} is not on requests")

    def check_partitions(self):
        for record in self.history.records:
            if record.topic in ("requests", "dead-letters", "state") or not record.user:
                continue
            where = home(record.user, self.history.partitions)
            # An event that was sent home was processed in the partition to which the client had sent it.
            if record.turn and record.turn.outcome == "forwarded":
                where = int(record.turn.position.split("/")[1])
            if where != record.partition:
                self.find("wrong-partition", record.place, f"user {record.user} is at home in partition {where}")

    # Turns

    def check_order(self):
        """A user's events of one topic come one after the other; cancellations and timers may overtake."""
        last = {}
        for turn in self.turns:
            if turn.generation or turn.event_type in ("interaction.cancelled", "timer.fired"):
                continue
            topic, partition, offset = turn.position.split("/")
            name = (turn.stage, turn.record.user, topic, partition)
            if int(offset) < last.get(name, -1):
                message = f"{turn.stage} processes {turn.position} after {topic}/{partition}/{last[name]}, of one user"
                self.find("order-broken", turn.record.place, message)
            last[name] = max(int(offset), last.get(name, -1))

    def check_answers(self):
        """Of the answers, only those to the prompt that was open have done anything."""
        issued = collections.defaultdict(list)
        for record in self.by_topic["responses"]:
            if record.type == "prompt.issued":
                issued[record.request, record.cause].append(record.data.get("promptId"))
        open_, taken = {}, set()
        for turn in self.turns:
            name = (turn.stage, turn.request)
            if turn.request and turn.event_type == "prompt.answered" and turn.outcome not in NOT_ACTED:
                answer = self.by_place.get(turn.position)
                if answer and (turn.stage, turn.position) not in taken:
                    taken.add((turn.stage, turn.position))
                    prompt = answer.data.get("promptId")
                    if prompt != open_.get(name):
                        was = f"{open_[name]} was open" if open_.get(name) else "none was open"
                        self.find("stale-answer", answer.place, f"it answers {prompt} and has acted ({turn.outcome}); {was}")
            if turn.request is None:
                continue
            if turn.outcome in ("passed", "returned", "ended"):
                open_[name] = None
            mine = [prompt for prompt in issued[turn.request, turn.event_id] if f"/{turn.stage[0]}/" in (prompt or "")]
            if turn.outcome == "prompted" and mine:
                open_[name] = mine[-1]
        rejected = {record.data.get("eventId"): record for record in self.by_topic["responses"] if record.type == "event.rejected"}
        acted = {turn.event_id for turn in self.turns if turn.event_type == "prompt.answered" and turn.outcome not in NOT_ACTED}
        ids = collections.Counter(record.id for record in self.by_topic["requests"])
        for name in rejected.keys() & acted:
            if ids[name] == 1:
                self.find("stale-answer", rejected[name].place, f"the answer {name} was rejected and has acted all the same")

    def check_uncommitted(self):
        hidden = {record.place: record for record in self.history.uncommitted}
        visible_ids = {record.id for record in self.history.records}
        hidden_ids = {record.id: record for record in self.history.uncommitted if record.id not in visible_ids}
        for turn in self.turns:
            if turn.position in hidden:
                self.find("uncommitted-read", turn.record.place, f"{turn.stage} has processed {turn.position}")
        for record in self.history.records:
            if record.cause in hidden_ids:
                place = hidden_ids[record.cause].place
                self.find("uncommitted-read", record.place, f"{record.type} answers {place}, which was never committed")
        for row in (self.history.recorded or {}).get("events", []):
            place = f"{row['topic']}/{row['partition']}/{row['offset']}"
            if place in hidden:
                self.find("uncommitted-read", place, "it is recorded and was never committed")

    def check_offsets(self):
        for (stage, topic, partition), offset in self.history.committed.items():
            low, high = self.history.bounds.get((topic, partition), (0, offset))
            if not low <= offset <= high:
                self.find("offset-backwards", f"{topic}/{partition}/{offset}", f"{stage} is there; the log goes from {low} to {high}")
        last = {}
        for row in (self.history.recorded or {}).get("events", []):
            name = (row["topic"], row["partition"])
            last[name] = max(row["offset"], last.get(name, -1))
        for row in (self.history.recorded or {}).get("offsets", []):
            name = (row["topic"], row["partition"])
            if row["next"] is not None and row["next"] <= last.get(name, -1):
                message = f"the recorder is there and has recorded {last[name]}"
                self.find("offset-backwards", f"{name[0]}/{name[1]}/{row['next']}", message)

    def check_crashes(self):
        """A condemned turn has made its event a dead letter, and ended its interaction with error and its effects."""
        buried = {
            f"{(record.header('kafka_dlt-original-topic') or '').split('.')[-1]}"
            f"/{record.header('kafka_dlt-original-partition')}/{record.header('kafka_dlt-original-offset')}"
            for record in self.by_topic["dead-letters"]
            if record.header("intentd_error") == "crashed"
        }
        for turn in self.turns:
            if not turn.crash or turn.outcome == "parked":
                continue
            if turn.position not in buried:
                self.find("crash-untold", turn.record.place, f"{turn.position} has no dead letter that says crashed")
            ends = [end for end in self.terminal.get(turn.request, []) if end.cause == turn.event_id]
            # Giving up an undo does not change the reason of the end.
            is_undo = any(end.data.get("undoFailed") for end in ends)
            if turn.outcome == "ended" and not is_undo and [end.data.get("endReason") for end in ends] != ["error"]:
                self.find("crash-untold", turn.record.place, f"{turn.position} has not ended its interaction with error")
            if turn.stage != "handle" or not ends or self.history.stored is None:
                continue
            request = self.by_place.get(self.request_place(turn.request))
            origin = request.attributes.get("redriveof", turn.request) if request else turn.request
            made = collections.Counter(row["name"] for row in self.history.stored["effects"] if row["request"] == origin)
            named = collections.Counter(ends[0].data.get("effects") or [])
            if made != named:
                self.find("crash-untold", ends[0].place, f"it names {dict(named)}, and {dict(made)} were made")

    def check_returned(self):
        """A question that comes back is put, and handle goes back only while nothing has been done."""
        for turn in self.turns:
            if turn.stage == "resolve" and turn.event_type == "interaction.returned" and turn.outcome not in NOT_ACTED:
                returned = self.by_place.get(turn.position)
                asked = returned and (returned.data.get("interaction") or {}).get("asked")
                if asked and turn.outcome not in ("prompted", "ended", "deadLettered"):
                    self.find("question-lost", returned.place, f"it asks for {sorted(asked)}, and was {turn.outcome}")
            if turn.stage != "handle" or turn.outcome != "returned" or self.history.stored is None:
                continue
            request = self.by_place.get(self.request_place(turn.request))
            origin = request.attributes.get("redriveof", turn.request) if request else turn.request
            for row in self.history.stored["effects"]:
                if row["request"] == origin and max(self.moments(row["at"])) + 2 < turn.record.timestamp:
                    self.find("effect-of-earlier-round", turn.record.place, f"{row['name']} had been made")

    def check_steps(self):
        """A step is committed once, and what a turn has read of it is what was committed.

        Handle begins without steps when an interaction comes to it again after a question, and when the app reports.
        """
        committed, begun, latest = {}, {}, {}
        for turn in self.turns:
            if turn.event_type in ("intent.confirmed", "app.responded"):
                latest[turn.request] = turn.position
            begun[turn] = turn.request, latest.get(turn.request)
            note = turn.note
            if note and note.get("kind") == "step" and turn.request:
                name = (*begun[turn], note["name"], note.get("ordinal", 0))
                first = committed.setdefault(name, (turn, note.get("value")))
                if first[0] is not turn:
                    self.find("step-twice", turn.record.place, f"{note['name']} of {turn.request} was committed at {first[0].record.place}")
        for turn in self.turns:
            counts = collections.Counter()
            for read in turn.steps:
                name = (*begun[turn], read["name"], counts[read["name"]])
                counts[read["name"]] += 1
                if name in committed and "value" in read and read["value"] != committed[name][1]:
                    self.find("step-twice", turn.record.place, f"{read['name']} of {turn.request} came to something else than was committed")

    def check_follow_ups(self):
        """What handlers have started begins once, unless it is cancelled; resolve writes no other requests."""
        started, unsent = {}, set()
        for record in self.by_topic["responses"]:
            for one in record.data.get("started") or ():
                if record.type == "status.updated":
                    unsent.add(one.get("interaction"))
                elif one.get("intent"):
                    started[one.get("interaction")] = record, one.get("at")
        begun = collections.defaultdict(list)
        for record in self.by_topic["requests"]:
            if record.attributes.get("source") == "/intentd/resolve" and "followsfrom" in record.attributes:
                begun[record.subject].append(record)
        latest = max((record.timestamp for record in self.history.records), default=0)
        for id, (record, at) in started.items():
            for again in begun[id][1:]:
                self.find("follow-up-twice", again.place, f"{id} has begun before, at {begun[id][0].place}")
            is_due = self.ended and (at is None or milliseconds(at) + 10_000 < latest)
            if not begun[id] and id not in unsent and is_due and not self.is_cut:
                self.find("follow-up-lost", record.place, f"{id} has not begun")
        for id in begun.keys() - started.keys():
            for record in begun[id] if not self.is_cut else ():
                self.find("request-without-origin", record.place, f"no response has started {id}")

    # Effects

    def check_effects(self):
        rows = self.history.stored["effects"]
        closed = {row["request"] for row in self.history.stored["closed_ledgers"]}
        kept = {}
        for row in rows:
            name = (row["request"], row["name"], row["ordinal"])
            if name in kept:
                self.find("effect-twice", self.request_place(row["request"]), f"{row['name']} #{row['ordinal']} was made twice")
            kept[name] = row
        origins = {}
        for record in self.by_topic["requests"]:
            if record.type == "intent.requested":
                origins[record.position] = record.attributes.get("redriveof", record.position)
        families = collections.defaultdict(list)
        for position, origin in origins.items():
            families[origin].append(position)
        self.check_undone(kept, origins)
        self.check_told_effects(kept, origins)
        self.check_untold_effects(kept, origins, families)
        for origin, name, _ in kept:
            row = kept[origin, name, _]
            place = self.request_place(origin)
            parts = origin.split(":")
            if len(parts) != 2 or not all(part.isdigit() for part in parts):
                continue
            low, high = self.history.bounds.get(("requests", int(parts[0])), (0, 1 << 62))
            if origin not in origins:
                if low <= int(parts[1]) < high:
                    self.find("effect-stray", place, f"{name} was made and there is no such request")
                continue
            ends = [self.terminal[position][0] for position in families[origin] if self.terminal.get(position)]
            late = min(self.moments(row["at"])) - max((max(self.moments(end.timestamp)) for end in ends), default=0)
            # A millisecond is lost to rounding on either side.
            if len(ends) == len(families[origin]) and late > 2:
                self.find("effect-after-end", max(ends, key=lambda end: end.timestamp).place, f"{name} was made {late} ms later")
            is_stray = [end.data.get("endReason") for end in ends] == ["abortedByUser"] and len(families[origin]) == 1
            if is_stray and not any(failed["effect"] == name for failed in ends[0].data.get("undoFailed") or []):
                self.find("effect-stray", ends[0].place, f"{name} was made, and {ends[0].subject} ended as cancelled")
            for end in ends:
                if end.data.get("phase") == "handle" and end.request not in closed:
                    self.find("ledger-open", end.place, f"{end.subject} has ended, its ledger ({end.request}) is not closed")

    def moments(self, stamp):
        """When it may have been, by a right clock, that a worker's clock showed this."""
        return [stamp, *(stamp - by for begin, end, by in self.clocks if begin <= stamp - by <= end)]

    def check_undone(self, kept, origins):
        """What turns have undone is in the ledger, and an end names what was undone before it."""
        rows = self.history.stored.get("undone_effects", [])
        #: (origin, name, ordinal) → the results that the effect had.
        self.undone = collections.defaultdict(set)
        done = collections.defaultdict(list)
        for row in rows:
            self.undone[row["request"], row["name"], row["ordinal"]].add(json.dumps(json.loads(row["result"])))
            done[row["undone_by"]].append(row)
        held = {(row["request"], row["name"], row["ordinal"], row["undone_by"], row["round"]) for row in rows}
        returned = collections.defaultdict(int)
        for turn in self.turns:
            if turn.stage == "handle" and turn.outcome == "returned":
                returned[turn.request] = max(returned[turn.request], turn.record.timestamp)
            for undo in turn.undos:
                for effect in undo["effects"]:
                    if (undo["request"], effect["name"], effect["ordinal"], turn.request, undo["round"]) not in held:
                        self.find("undo-missing", turn.record.place, f"{effect['name']} #{effect['ordinal']} of {undo['request']}")
        for request, ends in self.terminal.items():
            # What was undone before the interaction went back to the user is not named at its end.
            before = [row for row in done[request] if min(self.moments(row["undone_at"])) > returned[request]]
            names = collections.Counter(row["name"] for row in before)
            for name, count in (names - collections.Counter(ends[0].data.get("undone") or [])).items():
                self.find("undo-untold", ends[0].place, f"{ends[0].subject}: {count} of {name} were undone and not named")

    def check_told_effects(self, kept, origins):
        """The ledger has the results that the turns got, the same for each effect."""
        given = {}
        for turn in self.turns:
            ordinals = collections.Counter()
            for read in turn.effects:
                name = read["name"]
                ordinal = ordinals[name]
                ordinals[name] += 1
                if "value" not in read:
                    continue
                key = (origins.get(turn.request, turn.request), name, ordinal)
                if key in self.undone:
                    # It may have been made several times, each with its own result.
                    if key not in kept and json.dumps(read["value"]) not in self.undone[key]:
                        self.find("effect-twice", turn.record.place, f"{name} #{ordinal} came to something else than the ledger has")
                elif key not in kept:
                    self.find("effect-missing", turn.record.place, f"the ledger has no effect {name} #{ordinal} of {turn.request}")
                elif json.loads(kept[key]["result"]) != read["value"]:
                    self.find("effect-twice", turn.record.place, f"{name} #{ordinal} came to something else than the ledger has")
                elif given.setdefault(key, read["value"]) != read["value"]:
                    self.find("effect-twice", turn.record.place, f"{name} #{ordinal} came to something else before")
        names = collections.defaultdict(set)
        for origin, name, _ in [*kept, *self.undone]:
            names[origin].add(name)
        for request, ends in self.terminal.items():
            for name in ends[0].data.get("effects") or []:
                if name not in names[origins.get(request, request)]:
                    self.find("effect-missing", ends[0].place, f"{ends[0].subject} names {name}, which the ledger does not have")

    def check_untold_effects(self, kept, origins, families):
        """An end names what was made; of interactions that share effects, the last that could make some names all."""
        naming = {turn.event_id for turn in self.turns if turn.behaviour >= 5}
        made = collections.defaultdict(collections.Counter)
        for origin, name, _ in kept:
            made[origin][name] += 1
        for origin, family in families.items():
            ends = [self.terminal[position][0] for position in family if self.terminal.get(position)]
            # An end that could not ask the ledger says so, and versions before behaviour 5 named their turn's effects.
            if len(ends) < len(family) or any(end.cause not in naming or end.data.get("effectsIncomplete") for end in ends):
                continue
            named = collections.Counter()
            for end in ends:
                named |= collections.Counter(end.data.get("effects") or [])
            for name, count in (made[origin] - named).items():
                self.find("effect-untold", ends[-1].place, f"{ends[-1].subject}: {count} of {name} were made and not named")
            for name, count in (named - made[origin]).items():
                if made[origin][name]:
                    self.find("effect-missing", ends[-1].place, f"{ends[-1].subject} names {count} more of {name}")

    @staticmethod
    def request_place(request):
        return f"requests/{request.replace(':', '/')}"

    # Records

    def check_records(self):
        recorded = self.history.recorded
        reached = {(row["topic"], row["partition"]): row["next"] for row in recorded["offsets"]}
        tables = {
            "dead-letters": self.places("dead_letters", "dead-letters"),
            "user-activities": self.places("user_activities", "user-activities"),
            "journal": self.places("turns", "journal"),
        }
        strays, seen = set().union(*tables.values()), set()
        for row in recorded["events"]:
            place = f"{row['topic']}/{row['partition']}/{row['offset']}"
            if place in seen:
                self.find("record-twice", place, "it is recorded twice")
            seen.add(place)
            record = self.by_place.get(place)
            if record is None:
                strays.add(place)
            else:
                self.compare(record, row)
        for record in self.history.records:
            if record.topic == "state":
                continue
            if record.place not in seen:
                if self.ended or record.offset < (reached.get((record.topic, record.partition)) or 0):
                    self.find("record-missing", record.place, f"this {record.type or 'record'} is not recorded")
            elif record.place not in tables.get(record.topic, seen):
                self.find("record-missing", record.place, "it is in events, and not in the table of its topic")
        hidden = {record.place for record in self.history.uncommitted}
        for place in strays - hidden:
            topic, partition, offset = place.split("/")
            cut = self.history.bounds.get((topic, int(partition)), (0, 0))[0]
            if place not in self.by_place and int(offset) >= cut:
                self.find("record-differs", place, "it is recorded and does not stand in the topic")

    def places(self, table, topic):
        places = set()
        for row in self.history.recorded[table]:
            place = f"{topic}/{row['partition']}/{row['offset']}"
            if place in places:
                self.find("record-twice", place, f"{table} has it twice")
            places.add(place)
        return places

    def compare(self, record, row):
        def text(value):
            return value.encode() if isinstance(value, str) else value

        for name, found, wanted in (
            ("key", text(row["key"]), record.key),
            ("value", reading.digest(text(row["value"])), record.content),
            ("timestamp", row["timestamp"], record.timestamp),
            ("headers", reading.digest(reading.headers_of_row(row["headers"])), record.header_digest),
        ):
            if found != wanted:
                self.find("record-differs", record.place, f"its {name} is recorded as {str(row[name])[:200]}")

    def expected_interactions(self):
        """The expected rows of `interactions` by request, derived from the topics."""
        expected = {}
        for turn in self.turns:
            if turn.request:
                expected.setdefault(turn.request, collections.Counter())["turns"] += 1
        for record in self.by_topic["responses"]:
            row = expected.get(record.request)
            if row is not None and record.type == "prompt.issued":
                row["prompts"] += 1
        wanted = {}
        for request, counts in expected.items():
            row = {"turns": counts["turns"], "prompts": counts["prompts"]}
            ends = self.terminal.get(request, [])
            row["terminal_responses"] = len(ends)
            row["ended_at"] = None
            if ends:
                end = ends[0]
                row |= {"status": end.data["status"], "code": end.data["code"], "end_reason": end.data["endReason"]}
                row |= {"phase": end.data["phase"], "user_id": end.user, "interaction_id": end.subject}
                row |= {"intent": end.data["intent"]["name"], "ended_at": end.timestamp}
            asked = self.by_place.get(self.request_place(request))
            if asked is not None:
                row["requested_at"] = asked.timestamp
            wanted[request] = row
        return wanted

    def check_interactions(self):
        expected = self.expected_interactions()
        seen = set()
        # While the recorder lags, an interaction's row may be out of date too.
        is_whole = self.ended or all(
            row["next"] is not None and row["next"] >= self.history.bounds.get((row["topic"], row["partition"]), (0, 0))[1]
            for row in self.history.recorded["offsets"]
        )
        for row in self.history.recorded["interactions"]:
            request = f"{row['partition']}:{row['offset']}"
            place = self.request_place(request)
            if request in seen:
                self.find("record-twice", place, "interactions has two rows of it")
            seen.add(request)
            if request not in expected:
                # Its first turn is still to come (R80c).
                if row["status"] == "queued" and not self.ended:
                    continue
                if place in self.by_place or not self.is_cut:
                    self.find("record-differs", place, "interactions has a row of it, and no turn has acted on it")
                continue
            for name, wanted in expected[request].items() if is_whole and not self.is_cut else ():
                # Recorders of earlier versions, whose rows have no `opened_at`, took times from the stages' clocks.
                if name in ("requested_at", "ended_at") and "opened_at" not in row:
                    continue
                if row[name] != wanted:
                    self.find("record-differs", place, f"its {name} is recorded as {row[name]}, and is {wanted}")
        for request in expected.keys() - seen:
            if is_whole:
                self.find("record-missing", self.request_place(request), "interactions has no row of it")


def forbidden(path, queries):
    """Rows that a query of the store must not find."""
    findings = []
    if reading.is_server(path):
        for query in queries:
            findings += [("forbidden-rows", "store", f"{query}: {row}") for row in reading.ask_server(path, query)]
        return findings
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=20) as database:
        for query in queries:
            for row in database.execute(query):
                findings.append(("forbidden-rows", "store.sqlite", f"{query}: {row}"))
    return findings


def check(
    brokers, prefix, records=None, store=None, ended=False, never=(), seen=(), clocks=(), streams=None, asked=None
):  # fmt: skip
    """Reads a history and checks it; returns it with the findings."""
    history = reading.read(brokers, prefix, records, store, seen)
    history.streams, history.asked = streams or {}, asked
    findings = Checker(history, ended, clocks).run()
    if store:
        findings += forbidden(store, never)
    return history, findings


def report(history, findings, as_json=False):
    requests = sum(record.type == "intent.requested" for record in history.of("requests"))
    if as_json:
        for kind, place, message in findings:
            print(json.dumps({"kind": kind, "place": place, "message": message}))
        return
    for kind, place, message in findings:
        print(f"{kind:18}  {place:24}  {message}")
    print(f"{len(findings)} findings in {len(history.records)} records, {requests} requests, {len(history.uncommitted)} never committed")


def main():
    parser = argparse.ArgumentParser(
        prog="check.sh", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--brokers", help="HOST:PORT of a broker")
    parser.add_argument("--prefix", default="intents", help="what the topics' names begin with")
    parser.add_argument("--data", type=pathlib.Path, help="the data directory with both databases")
    parser.add_argument("--records", help="records.sqlite, if it is elsewhere")
    parser.add_argument("--store", help="store.sqlite, if it is elsewhere, or the address of PostgreSQL")
    parser.add_argument("--ended", action="store_true", help="everything has come to its end")
    parser.add_argument("--watch", type=float, default=0, metavar="SECONDS", help="look at offsets that long first")
    parser.add_argument("--never", action="append", default=[], metavar="SQL", help="a query of the store without rows")
    parser.add_argument("--json", action="store_true", help="findings as JSON, one a line")
    parser.add_argument("--self-test", action="store_true", help="find what is wrong in histories that were doctored")
    try:
        options = parser.parse_args()
        if options.data:
            found = [path for path in (options.data / "records.sqlite", options.data / "store.sqlite") if path.exists()]
            if not found:
                parser.error(f"--data: neither records.sqlite nor store.sqlite is in {options.data}")
            for path in found:
                setattr(options, path.stem, getattr(options, path.stem) or path)
        if options.never and not options.store:
            parser.error("--never is about the store: name it with --store")
        if not options.self_test and not options.brokers:
            parser.error("name a broker with --brokers, or give --self-test")
    except SystemExit as end:
        return 64 if end.code else 0
    if options.self_test:
        import checker_selftest

        return checker_selftest.run()
    try:
        seen = []
        if options.watch:
            partitions = reading.read_partition_count(options.brokers, options.prefix)
            watch = reading.OffsetWatch(options.brokers, options.prefix, partitions, options.records)
            watch.start()
            time.sleep(options.watch)
            seen = watch.stop()
        arguments = (options.brokers, options.prefix, options.records, options.store)
        history, findings = check(*arguments, options.ended, options.never, seen)
    except reading.Unreadable as error:
        print(f"check.sh: {error}", file=sys.stderr)
        return error.status
    report(history, findings, options.json)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())

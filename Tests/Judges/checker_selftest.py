"""A correct history, and one with a defect for every kind of finding: the checker finds each of them.

Everything is written by hand, in the form of the topics and the databases.
"""

import copy
import json

import checker
import history
from history import History, OffsetWatch, Record

PARTITIONS = 8
START = 1_700_000_000_000


def stamp(milliseconds):
    import datetime

    time = datetime.datetime.fromtimestamp(milliseconds / 1000, datetime.timezone.utc)
    return time.strftime("%Y-%m-%dT%H:%M:%S.") + f"{milliseconds % 1000:03}Z"


class Story:
    """Writes a history, record by record; every record comes a millisecond after the one before."""

    def __init__(self):
        self.history = History(PARTITIONS, [])
        self.clock = START
        self.ends = {}

    def write(self, topic, kind, user, data, *, id, partition=None, keeps=True, **attributes):
        partition = checker.home(user, PARTITIONS) if partition is None else partition
        offset = self.ends.get((topic, partition), 0)
        self.ends[topic, partition] = offset + 1
        self.clock += 1
        attributes |= {"id": id, "type": kind, "time": stamp(self.clock), "userid": user}
        headers = [(f"ce_{name}", value.encode()) for name, value in attributes.items() if value is not None]
        record = Record(topic, partition, offset, self.clock, user.encode(), json.dumps(data).encode(), headers)
        (self.history.records if keeps else self.history.uncommitted).append(record)
        return record

    def turn(self, stage, event, outcome, request=None, *, generation=0, effects=(), partition=None, crash=None):
        data = {
            "behaviour": 5,
            "crash": crash,
            "stage": stage,
            "position": event.place,
            "generation": generation,
            "event": {"id": event.id, "type": event.type},
            "outcome": outcome,
            "reads": [{"kind": "effect", "name": name, "value": value} for name, value in effects],
        }
        name = f"{stage} {event.place} {generation}"
        return self.write(
            "journal", "turn.journaled", event.user, data, id=name, causationid=event.id, stage=stage, request=request,
            partition=partition,
        )  # fmt: skip

    def request(self, user, subject, **attributes):
        data = {"intent": {"name": "Book"}, "user": {"id": user}}
        return self.write("requests", "intent.requested", user, data, id=f"ask {subject}", subject=subject, **attributes)

    def prompt(self, event, request, number, letter="r"):
        data = {"promptId": f"{request.subject}/{letter}/{number}", "kind": "needsValue"}
        return self.write(
            "responses", "prompt.issued", request.user, data, id=f"prompt {event.place} {number}", subject=request.subject,
            causationid=event.id, request=request.position,
        )  # fmt: skip

    def answer(self, request, number, letter="r", name=""):
        data = {"promptId": f"{request.subject}/{letter}/{number}", "action": "accept", "value": "x"}
        return self.write("requests", "prompt.answered", request.user, data, id=f"answer {request.subject} {number}{name}")

    def respond(self, event, request, effects=(), reason="nominal", started=()):
        data = {
            "phase": "handle", "code": "success", "status": "success", "terminal": True, "endReason": reason,
            "intent": {"name": "Book", "parameters": {}}, "effects": list(effects),
        }  # fmt: skip
        if started:
            data["started"] = list(started)
        return self.write(
            "responses", "intent.responded", request.user, data, id=f"end {event.place}", subject=request.subject,
            causationid=event.id, request=request.position,
        )  # fmt: skip

    def passed(self, topic, kind, event, request):
        return self.write(
            topic, kind, request.user, {"interaction": {}}, id=f"{kind} {event.place}", subject=request.subject,
            causationid=event.id, request=request.position,
        )  # fmt: skip

    def interaction(self, user, subject, effects=("charge",), **attributes):
        """A request, a prompt, its answer, and the way through confirm and handle."""
        request = self.request(user, subject, **attributes)
        self.prompt(request, request, 1)
        self.turn("resolve", request, "prompted", request.position)
        answer = self.answer(request, 1)
        resolved = self.passed("resolved", "intent.resolved", answer, request)
        self.turn("resolve", answer, "passed", request.position)
        confirmed = self.passed("confirmed", "intent.confirmed", resolved, request)
        self.turn("confirm", resolved, "passed", request.position)
        origin = dict(request.attributes).get("redriveof", request.position)
        made = [(name, f"{name} of {origin}") for name in effects]
        for name, result in made:
            self.effect(origin, name, result)
        self.store["closed_ledgers"].append({"request": request.position})
        end = self.respond(confirmed, request, effects)
        self.turn("handle", confirmed, "ended", request.position, effects=made)
        return request, answer, end

    def starting(self, user, subject):
        """An interaction whose handler starts another one at once, and one for later that is cancelled."""
        request = self.request(user, subject)
        resolved = self.passed("resolved", "intent.resolved", request, request)
        self.turn("resolve", request, "passed", request.position)
        confirmed = self.passed("confirmed", "intent.confirmed", resolved, request)
        self.turn("confirm", resolved, "passed", request.position)
        self.store["closed_ledgers"].append({"request": request.position})
        ids = {"now": f"{subject}+now-1", "later": f"{subject}+later-2"}
        started = [{"name": name, "interaction": id, "intent": "Book"} for name, id in ids.items()]
        started[1]["at"] = stamp(self.clock + 86_400_000)
        self.respond(confirmed, request, started=started)
        scheduled = self.write(
            "signals", "follow-up.scheduled", user, {"interaction": ids["now"]}, id=f"scheduled {confirmed.place}", subject=subject,
            causationid=confirmed.id, request=request.position, stage="resolve",
        )  # fmt: skip
        self.turn("handle", confirmed, "ended", request.position)
        follow = self.request(
            user, ids["now"], source="/intentd/resolve", followsfrom=f"{request.position}/1/now", causationid=scheduled.id
        )
        self.turn("resolve", scheduled, "noted")
        self.respond(follow, follow)
        self.turn("resolve", follow, "ended", follow.position)
        cancelled = self.write("requests", "interaction.cancelled", user, {}, id=f"cancel {subject}", subject=ids["later"])
        unsent = [{"name": "later", "interaction": ids["later"], "state": "cancelled"}]
        self.write(
            "responses", "status.updated", user, {"started": unsent}, id=f"cancelled {subject}", subject=subject,
            causationid=cancelled.id, request=request.position,
        )  # fmt: skip
        self.turn("resolve", cancelled, "noted")

    def crashed(self, user, subject):
        """A request whose handler performed its effect and crashed its process until it was condemned."""
        request = self.request(user, subject)
        resolved = self.passed("resolved", "intent.resolved", request, request)
        self.turn("resolve", request, "passed", request.position)
        confirmed = self.passed("confirmed", "intent.confirmed", resolved, request)
        self.turn("confirm", resolved, "passed", request.position)
        self.effect(request.position, "charge", 1)
        self.store["closed_ledgers"].append({"request": request.position})
        self.respond(confirmed, request, ["charge"], reason="error")
        letter = self.write("dead-letters", confirmed.type, user, {}, id=confirmed.id)
        topic, partition, offset = confirmed.place.split("/")
        letter.headers += [
            ("intentd_error", b"crashed"), ("kafka_dlt-original-topic", f"intents.{topic}".encode()),
            ("kafka_dlt-original-partition", partition.encode()), ("kafka_dlt-original-offset", offset.encode()),
        ]  # fmt: skip
        letter.header_digest = history.digest(letter.headers)
        self.turn("handle", confirmed, "ended", request.position, crash={"deaths": 4})

    @property
    def store(self):
        if self.history.stored is None:
            self.history.stored = {"effects": [], "undone_effects": [], "closed_ledgers": []}
        return self.history.stored

    def effect(self, request, name, result, at=None):
        row = {"request": request, "name": name, "ordinal": 0, "result": json.dumps(result), "at": at or self.clock}
        if not any((r["request"], r["name"]) == (request, name) for r in self.store["effects"]):
            self.store["effects"].append(row)

    def finish(self):
        """Sorts, commits and records everything as it is."""
        history = self.history
        history.records.sort(key=lambda record: (record.topic, record.partition, record.offset))
        history.bounds = {place: (0, end) for place, end in self.ends.items()}
        stages = {"resolve": ["requests", "signals"], "confirm": ["resolved"], "handle": ["confirmed"]}
        history.committed = {
            (stage, topic, partition): end
            for stage, topics in stages.items()
            for (topic, partition), end in self.ends.items()
            if topic in topics
        }
        history.recorded = record_tables(history, self.ends)
        # Every user is followed, and a stream takes from both topics.
        written = sorted(history.of("responses") + history.of("user-activities"), key=lambda record: record.timestamp)
        for record in written:
            history.streams.setdefault(record.user, []).append(record.id)
        history.asked = {(record.user, record.subject) for record in history.of("requests") if record.type == "intent.requested"}
        return history


def record_tables(history, ends):
    """The rows that the recorder would have written."""
    tables = {name: [] for name in "events turns interactions user_activities dead_letters".split()}
    for record in history.records:
        place = {"partition": record.partition, "offset": record.offset}
        headers = json.dumps([{"name": name, "value": value.decode()} for name, value in record.headers])
        row = {"topic": record.topic, "timestamp": record.timestamp, "key": record.key.decode(), "headers": headers}
        tables["events"].append(place | row | {"value": record.value.decode()})
        table = {"journal": "turns", "user-activities": "user_activities", "dead-letters": "dead_letters"}.get(record.topic)
        if table:
            tables[table].append(dict(place))
    for request, row in checker.Checker(history).expected_interactions().items():
        partition, offset = request.split(":")
        place = {"partition": int(partition), "offset": int(offset)}
        tables["interactions"].append(place | row | {"opened_at": row["requested_at"]})
    tables["offsets"] = [{"topic": topic, "partition": number, "next": end} for (topic, number), end in ends.items()]
    return tables


def right():
    """Three users; one's second interaction is redriven; one's handler crashes; a client tries again; an answer comes too late; a request is put
    into another partition than its user's."""
    story = Story()
    elsewhere = (checker.home("anna", PARTITIONS) + 1) % PARTITIONS
    astray = story.request("anna", "astray", partition=elsewhere)
    homeward = story.request("anna", "astray")
    homeward.key, homeward.content, homeward.header_digest = astray.key, astray.content, astray.header_digest
    homeward.headers, homeward.attributes, homeward.timestamp = astray.headers, astray.attributes, astray.timestamp
    story.turn("resolve", astray, "forwarded", partition=elsewhere)
    story.respond(homeward, homeward)
    story.turn("resolve", homeward, "ended", homeward.position)
    request, _, _ = story.interaction("anna", "dinner")
    story.interaction("bob", "lunch")
    again = story.request("anna", "dinner")
    story.turn("resolve", again, "ignored", request.position)
    story.interaction("anna", "dinner~1", effects=("charge", "receipt"), redriveof=request.position)
    story.crashed("kim", "bomb")
    story.starting("bob", "tea")
    late = story.answer(request, 1, name="late")
    story.write(
        "responses", "event.rejected", "anna", {"eventId": late.id, "reason": "duplicate"}, id="rejected", causationid=late.id
    )
    story.turn("resolve", late, "rejected")
    story.write("responses", "event.rejected", "bob", {}, id="aborted", keeps=False, causationid="ask lunch")
    return story


DOCTORED = []


def doctored(kind):
    def note(make):
        DOCTORED.append((kind, make))
        return make

    return note


def drop(history, fits):
    """Removes records from the topics, and from the record database too."""
    gone = [record for record in history.records if fits(record)]
    assert gone, "nothing to doctor"
    history.records = [record for record in history.records if record not in gone]
    places = {(record.topic, record.partition, record.offset) for record in gone}
    events = history.recorded["events"]
    history.recorded["events"] = [row for row in events if (row["topic"], row["partition"], row["offset"]) not in places]
    return gone


def is_end(record):
    return record.type == "intent.responded"


@doctored("lost-request")
def no_terminal_response(history, story):
    drop(history, is_end)


@doctored("lost-request")
def an_answer_that_nobody_processed(history, story):
    drop(history, lambda record: record.topic == "journal" and "answer dinner 1" in record.attributes["causationid"])


@doctored("lost-request")
def put_elsewhere_and_not_sent_home(history, story):
    story.request("anna", "elsewhere", partition=0)


def add_end(story, subject, id):
    end = next(record for record in story.history.records if is_end(record) and record.subject == subject)
    return story.write(
        "responses", "intent.responded", end.user, end.data, id=id, subject=subject, causationid=end.cause,
        request=end.request,
    )  # fmt: skip


@doctored("second-response")
def a_second_end(history, story):
    add_end(story, "lunch", "another")


@doctored("second-response")
def an_end_of_a_retry(history, story):
    again = [record for record in history.of("requests") if record.subject == "dinner"][1]
    story.respond(again, again)


@doctored("response-after-end")
def a_prompt_after_the_end(history, story):
    request = next(record for record in history.of("requests") if record.subject == "lunch")
    story.prompt(request, request, 2)


@doctored("output-twice")
def outputs_without_a_transaction(history, story):
    request = next(record for record in history.of("requests") if record.subject == "lunch")
    prompt = next(record for record in history.of("responses") if record.request == request.position)
    story.write(
        "responses", "status.updated", "bob", {}, id=prompt.id, subject="lunch", causationid=request.id,
        request=request.position,
    )  # fmt: skip


@doctored("turn-twice")
def a_turn_that_was_committed_twice(history, story):
    story.turn("resolve", history.of("requests")[0], "ignored")


@doctored("turn-twice")
def a_timer_that_acted_twice(history, story):
    request = story.request("carl", "slow")
    for _ in range(2):
        timer = story.write("signals", "timer.fired", "carl", {"what": "prompt"}, id="ring", stage="resolve")
        story.turn("resolve", timer, "ended", request.position)
    story.respond(timer, request)


@doctored("effect-twice")
def an_effect_with_two_results(history, story):
    history.stored["effects"][0]["result"] = '"something else"'


@doctored("effect-twice")
def an_effect_with_two_rows(history, story):
    history.stored["effects"].append(dict(history.stored["effects"][0]))


def step(story, number, value):
    """A turn of lunch that commits the step `fares` with that result, and one that reads it."""
    confirmed = next(record for record in story.history.of("confirmed") if record.subject == "lunch")
    record = story.turn("handle", confirmed, "parked", confirmed.request, generation=number)
    record.turn.note = {"kind": "step", "name": "fares", "value": value}
    return record.turn


@doctored("step-twice")
def a_step_that_was_committed_twice(history, story):
    step(story, 1, 7)
    step(story, 2, 8)


@doctored("step-twice")
def a_step_that_came_to_something_else(history, story):
    step(story, 1, 7).steps = [{"kind": "step", "name": "fares", "value": 8}]


def undone(history, story):
    """The effect of lunch, which its end says was undone."""
    row = next(row for row in history.stored["effects"] if row["name"] == "charge" and "charge of" in row["result"])
    history.stored["effects"].remove(row)
    row = {key: row[key] for key in ("request", "name", "ordinal", "result")} | {
        "undone_by": row["request"], "round": 1, "made_at": row["at"], "undone_at": row["at"],
    }  # fmt: skip
    history.stored["undone_effects"].append(row)
    end = next(record for record in history.of("responses") if record.request == row["request"] and is_end(record))
    end._data = end.data | {"effects": [name for name in end.data["effects"] if name != "charge"], "undone": ["charge"]}
    return row, end


@doctored("undo-untold")
def an_undo_that_its_end_hides(history, story):
    _, end = undone(history, story)
    end._data = end.data | {"undone": []}


@doctored("undo-missing")
def an_undo_that_the_ledger_lost(history, story):
    row, end = undone(history, story)
    turn = next(record.turn for record in history.of("journal") if record.turn.request == row["request"] and record.turn.effects)
    effect = {"name": row["name"], "ordinal": row["ordinal"]}
    turn.undos = [{"effects": [effect], "request": row["request"], "round": 2}]


@doctored("effect-missing")
def an_effect_that_was_lost(history, story):
    del history.stored["effects"][0]


@doctored("effect-untold")
def an_effect_that_a_time_out_hides(history, story):
    end = next(record for record in history.of("responses") if record.subject == "lunch" and is_end(record))
    end._data = end.data | {"endReason": "timeout", "effects": []}


@doctored("effect-untold")
def one_of_two_effects_of_a_name(history, story):
    row = next(row for row in history.stored["effects"] if row["name"] == "receipt")
    history.stored["effects"].append(row | {"ordinal": 1})


@doctored("effect-missing")
def an_effect_that_is_named_twice(history, story):
    end = next(record for record in history.of("responses") if record.subject == "lunch" and is_end(record))
    end._data = end.data | {"effects": ["charge", "charge"]}


@doctored("crash-untold")
def an_effect_that_a_crashed_turn_kept_to_itself(history, story):
    end = next(record for record in history.of("responses") if record.subject == "bomb")
    end._data = end.data | {"effects": []}


@doctored("crash-untold")
def a_crashed_turn_without_a_dead_letter(history, story):
    drop(history, lambda record: record.topic == "dead-letters")


@doctored("crash-untold")
def a_crashed_turn_that_ended_well(history, story):
    end = next(record for record in history.of("responses") if record.subject == "bomb")
    end._data = end.data | {"endReason": "nominal"}


@doctored("effect-stray")
def an_effect_without_a_request(history, story):
    answer = next(record for record in history.of("requests") if record.type == "prompt.answered")
    history.stored["effects"].append({"request": answer.position, "name": "x", "ordinal": 0, "result": "1", "at": START})


@doctored("effect-stray")
def an_effect_of_what_was_cancelled(history, story):
    request = story.request("carl", "given up")
    story.effect(request.position, "charge", 1)
    story.respond(request, request, reason="abortedByUser")
    story.turn("resolve", request, "ended", request.position)


@doctored("effect-after-end")
def an_effect_of_a_zombie(history, story):
    history.stored["effects"][0]["at"] = story.clock + 1_000


@doctored("effect-of-earlier-round")
def an_effect_before_handle_went_back(history, story):
    request = story.request("dora", "gone")
    confirmed = story.passed("confirmed", "intent.confirmed", request, request)
    story.effect(request.position, "charge", 1)
    story.clock += 1_000
    story.turn("handle", confirmed, "returned", request.position)


@doctored("question-lost")
def a_question_that_was_not_put(history, story):
    request = story.request("dora", "gone")
    data = {"corrections": {}, "interaction": {"asked": {"time": {"by": "handle", "kind": "needsValue"}}}}
    returned = story.write(
        "signals", "interaction.returned", "dora", data, id="back", subject="gone", causationid=request.id,
        request=request.position,
    )  # fmt: skip
    story.turn("resolve", returned, "passed", request.position)


@doctored("ledger-open")
def a_ledger_left_open(history, story):
    del history.stored["closed_ledgers"][0]


@doctored("uncommitted-read")
def an_aborted_event_was_processed(history, story):
    aborted = story.write("confirmed", "intent.confirmed", "bob", {}, id="never", keeps=False)
    story.turn("handle", aborted, "ended")


@doctored("uncommitted-read")
def an_aborted_response_was_recorded(history, story):
    aborted = history.uncommitted[0]
    row = {"topic": aborted.topic, "partition": aborted.partition, "offset": aborted.offset, "timestamp": 0}
    history.recorded["events"].append(row | {"key": None, "value": None, "headers": "[]"})


@doctored("uncommitted-read")
def an_answer_to_what_was_aborted(history, story):
    story.write("confirmed", "intent.confirmed", "bob", {}, id="never", keeps=False)
    story.write("responses", "event.rejected", "bob", {}, id="reply", causationid="never")


@doctored("order-broken")
def events_that_changed_places(history, story):
    first, second = story.request("carl", "a"), story.request("carl", "b")
    for request in second, first:
        story.respond(request, request)
        story.turn("resolve", request, "ended", request.position)


@doctored("wrong-partition")
def a_response_elsewhere(history, story):
    story.write("responses", "event.rejected", "anna", {}, id="stray", partition=0, causationid="ask dinner")


@doctored("no-cause")
def a_response_to_nothing(history, story):
    story.write("responses", "event.rejected", "anna", {}, id="reply", causationid="who knows")


@doctored("no-cause")
def a_response_that_says_nothing(history, story):
    story.write("responses", "event.rejected", "anna", {}, id="reply")


@doctored("no-cause")
def a_response_to_no_request(history, story):
    story.write("responses", "event.rejected", "anna", {}, id="reply", causationid="ask dinner", request="3:999")


@doctored("stale-answer")
def an_answer_to_a_superseded_prompt(history, story):
    request = story.request("carl", "late")
    story.prompt(request, request, 1)
    story.turn("resolve", request, "prompted", request.position)
    first = story.answer(request, 1)
    story.prompt(first, request, 2)
    story.turn("resolve", first, "prompted", request.position)
    stale = story.answer(request, 1, name="again")
    story.respond(stale, request)
    story.turn("resolve", stale, "ended", request.position)


@doctored("stale-answer")
def an_answer_that_was_rejected_and_acted(history, story):
    answer = next(record for record in history.of("requests") if record.id == "answer lunch 1")
    story.write("responses", "event.rejected", "bob", {"eventId": answer.id}, id="no", causationid=answer.id)


@doctored("record-missing")
def an_event_that_is_not_recorded(history, story):
    del history.recorded["events"][0]


@doctored("record-missing")
def an_interaction_that_is_not_recorded(history, story):
    del history.recorded["interactions"][0]


@doctored("record-missing")
def a_turn_that_is_not_recorded(history, story):
    del history.recorded["turns"][0]


@doctored("record-twice")
def an_event_that_is_recorded_twice(history, story):
    history.recorded["events"].append(dict(history.recorded["events"][0]))


@doctored("record-twice")
def an_interaction_that_is_recorded_twice(history, story):
    history.recorded["interactions"].append(dict(history.recorded["interactions"][0]))


@doctored("record-differs")
def another_value(history, story):
    history.recorded["events"][0]["value"] = "{}"


@doctored("record-differs")
def another_code(history, story):
    history.recorded["interactions"][0]["code"] = "failure"


@doctored("record-differs")
def another_beginning(history, story):
    history.recorded["interactions"][0]["requested_at"] += 100


@doctored("record-differs")
def an_event_that_never_was(history, story):
    history.recorded["events"].append(history.recorded["events"][0] | {"offset": 999})


@doctored("offset-backwards")
def committed_beyond_the_end(history, story):
    history.committed[next(iter(history.committed))] += 100


@doctored("offset-backwards")
def a_recorder_behind_its_records(history, story):
    row = next(row for row in history.recorded["offsets"] if row["topic"] == "responses")
    row["next"] = 0


@doctored("offset-backwards")
def seen_to_run_backwards(history, story):
    watch = OffsetWatch("", "", PARTITIONS)
    for offset in 5, 7, 6:
        watch.look({("resolve", "requests", 3): offset})
    history.seen = watch.seen


@doctored("follow-up-twice")
def a_follow_up_that_begins_again(history, story):
    story.request("bob", "tea+now-1", source="/intentd/resolve", followsfrom="3:4/1/now")


@doctored("follow-up-lost")
def a_follow_up_that_never_begins(history, story):
    drop(history, lambda record: record.topic == "requests" and record.subject == "tea+now-1")


@doctored("follow-up-lost")
def a_later_follow_up_that_never_begins(history, story):
    for record in history.of("responses"):
        if record.type == "status.updated":
            record._data = {}
        elif is_end(record) and record.subject == "tea":
            started = [one | {"at": stamp(START - 60_000)} if "at" in one else one for one in record.data["started"]]
            record._data = record.data | {"started": started}


@doctored("request-without-origin")
def a_request_that_no_handler_has_started(history, story):
    story.request("bob", "tea+other-3", source="/intentd/resolve", followsfrom="3:4/1/other")


@doctored("stream-missing")
def an_event_that_a_stream_never_had(history, story):
    history.streams["anna"].pop(2)


@doctored("stream-twice")
def an_event_after_a_break_once_more(history, story):
    history.streams["bob"].append(history.streams["bob"][-1])


@doctored("stream-order")
def two_events_of_a_stream_that_changed_places(history, story):
    shown = history.streams["bob"]
    shown[0], shown[1] = shown[1], shown[0]


@doctored("stream-foreign")
def another_user_s_event_in_a_stream(history, story):
    history.streams["kim"].append(history.streams["anna"][0])


@doctored("request-forged")
def a_request_with_a_forged_token(history, story):
    request = next(record for record in history.of("requests") if record.subject == "lunch")
    history.asked.discard((request.user, request.subject))


#: Found by a query of the store's own tables, not in a history.
ELSEWHERE = {"forbidden-rows"}


def run():
    """Returns the exit status: 0 when the correct history has no findings and each defective one has the expected ones."""
    failures = []
    findings = checker.Checker(right().finish(), ended=True).run()
    if findings:
        failures.append(f"the right history has findings: {findings}")
    for kind, make in DOCTORED:
        story = right()
        # Changed before it is recorded and after: a late change is recorded all the same.
        before = copy.deepcopy(story)
        history = story.finish()
        count = len(history.records) + len(history.uncommitted)
        make(history, story)
        if len(history.records) + len(history.uncommitted) > count:
            make(before.history, before)
            history = before.finish()
        kinds = {found for found, _, _ in checker.Checker(history, ended=True).run()}
        if kind not in kinds:
            failures.append(f"{make.__name__}: no {kind} is found, but {sorted(kinds)}")
    story = right()
    history = story.finish()
    an_effect_that_a_time_out_hides(history, story)
    end = next(record for record in history.of("responses") if record.subject == "lunch" and is_end(record))
    end._data = end.data | {"effectsIncomplete": True}
    found = [kind for kind, _, _ in checker.Checker(history, ended=True).run() if kind != "record-differs"]
    if found:
        failures.append(f"an end that could not ask the ledger, and says so, is found: {found}")
    story = right()
    history = story.finish()
    an_effect_of_a_zombie(history, story)
    for begin, is_excused in (story.clock - 1_500, True), (story.clock - 90_000, False):
        found = checker.Checker(history, ended=True, clocks=[(begin, begin + 1_000, 2_000)]).run()
        if is_excused == bool(found):
            failures.append(f"a clock that was two seconds fast excuses {'nothing' if is_excused else 'anything'}: {found}")
    missing = checker.KINDS.keys() - {kind for kind, _ in DOCTORED} - ELSEWHERE
    if missing:
        failures.append(f"no history is doctored for {', '.join(sorted(missing))}")
    for failure in failures:
        print(failure)
    print(f"{len(DOCTORED)} doctored histories, {len(failures)} failures")
    return 1 if failures else 0

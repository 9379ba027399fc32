#!/usr/bin/env python3
"""What other programs on the same brokers do to a deployment: to its groups, their offsets, its topics.

    tenants.py --intentd PATH [--brokers HOST:PORT] [--only NAME]

Each judge has a deployment of its own, a process for each stage and the recorder, on the embedded broker or, with
--brokers, on those. A Kafka client that is not intentd's changes something that only intentd should. Then every request
is answered once and nothing is found by `replay` and `audit verify`; or the processes end with 78 and a message that
names the place and what to do, and doing that helps. The exit status is 0 when nothing failed; the last line says how
many passed.
"""

import argparse
import json
import re
import signal
import sys
import threading
import time
import urllib.error
import urllib.request

import confluent_kafka as ck
import kafka
from confluent_kafka.admin import NewPartitions

import clients
import topics
from judging import expect, run, until

JUDGES = []
STAGES = topics.STAGES
#: What each stage reads beside `signals`.
INPUTS = {"resolve": "requests", "confirm": "resolved", "handle": "confirmed"}
#: The largest offset.
LAST = 2**63 - 1


def judge(one):
    JUDGES.append(one)
    return one


class Site(topics.Site):
    """A deployment, on brokers that others use too."""

    configuration = "prompts:\n  timeout: 1s\n"

    def __init__(self, options):
        self.gone = []
        super().__init__(options)

    def create(self):
        self.start_broker()
        super().create()

    def leaves(self, process, *words, seconds=60):
        self.gone.append(process)
        super().leaves(process, *words, seconds=seconds)

    def answered(self, count, seconds=60):
        """Waits for this many answers, as long as nobody leaves who should not; no user gets two."""

        def are_there():
            for process in self.processes:
                expect(process.poll() in (None, 0) or process in self.gone, f"a process has ended: {self.said(process)[-800:]}")
            return len(self.terminal_responses()) >= count

        until(are_there, seconds, f"not {count} answers")
        super().answered(count, 1)

    def leave(self, processes):
        """They leave for good, so that their groups are empty at once."""
        for process in processes.values():
            process.send_signal(signal.SIGUSR1)
        for role, process in processes.items():
            expect(process.wait(40) == 0, f"{role} has left with {process.returncode}: {self.said(process)[-1500:]}")

    def places(self, stage, topic=None):
        return [ck.TopicPartition(self.topic(topic or INPUTS[stage]), number) for number in range(topics.PARTITIONS)]

    def offsets(self, stage, topic=None):
        """The group's offsets by partition."""
        asked = ck.ConsumerGroupTopicPartitions(self.topic(stage), self.places(stage, topic))
        (future,) = self.admin.list_consumer_group_offsets([asked]).values()
        return {place.partition: place.offset for place in future.result(30).topic_partitions}

    def set_offsets(self, stage, offsets, topic=None):
        """Sets a group's offsets, as an operator's tool does; the group must be empty."""
        name = self.topic(topic or INPUTS[stage])
        places = [ck.TopicPartition(name, partition, offset) for partition, offset in offsets.items()]

        def are_set():
            asked = ck.ConsumerGroupTopicPartitions(self.topic(stage), places)
            (future,) = self.admin.alter_consumer_group_offsets([asked]).values()
            try:
                return all(place.error is None for place in future.result(30).topic_partitions)
            except ck.KafkaException as error:
                # A member that has just left may not be gone yet.
                expect(error.args[0].code() in (ck.KafkaError.UNKNOWN_MEMBER_ID, ck.KafkaError.NON_EMPTY_GROUP), str(error))
                return False

        until(are_set, 30, "the offsets cannot be set")

    def transactional_ids(self):
        admin = kafka.KafkaAdminClient(bootstrap_servers=self.address)
        try:
            return [one.transactional_id for listed in admin.list_transactions().values() for one in listed]
        finally:
            admin.close()

    def write(self, topic, partition, value, key, headers):
        """Writes a record; returns its offset."""
        found = []
        self.producer.produce(
            self.topic(topic), value, key, partition, headers=list(headers),
            on_delivery=lambda error, message: found.append(error or message.offset()),
        )  # fmt: skip
        self.producer.flush(30)
        expect(found and isinstance(found[0], int), f"{topic} takes no record: {found}")
        return found[0]

    def check(self, processes, seconds=60):
        """More requests, each answered once like all before, which intentd can prove."""
        self.ask()
        self.answered(self.asked, seconds)
        self.wait_for_recorder()
        self.leave(processes)
        for words in (["replay"], ["audit", "verify"]):
            done = self.run(*words, check=False)
            expect(done.returncode == 0, f"{' '.join(words)} ends with {done.returncode}: {done.stdout[-1500:]}{done.stderr}")

    def readiness(self, process):
        """What /readyz of a process answers: status and text; none while it does not listen."""
        address = re.search(r"Serving metrics and health checks.*?(127\.0\.0\.1:\d+)", self.said(process))
        if not address:
            return 0, ""
        try:
            with urllib.request.urlopen(f"http://{address[1]}/readyz", timeout=5) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()
        except OSError as error:
            return 0, str(error)

    def is_ready(self, process):
        return self.readiness(process)[0] == 200


def worked(site):
    """Requests are answered, and all processes leave for good."""
    processes = site.work(*topics.ROLES)
    site.ask()
    site.answered(site.asked)
    site.wait_for_recorder()
    site.leave(processes)


@judge
def offsets_that_were_set_back_are_corrected(site):
    """All groups begin at 0 again, `signals` included: nobody is answered twice."""
    site.ask(20, "AskBack")
    worked(site)
    before = {stage: site.offsets(stage) for stage in STAGES}
    for stage in STAGES:
        site.set_offsets(stage, dict.fromkeys(range(topics.PARTITIONS), 0))
        site.set_offsets(stage, dict.fromkeys(range(topics.PARTITIONS), 0), "signals")
    processes = site.work(*topics.ROLES)
    site.check(processes)
    for stage in STAGES:
        text = site.said(processes[stage])
        expect("The group's offset is behind its state" in text, f"{stage} says nothing of it: {text[-800:]}")
        after = site.offsets(stage)
        expect(all(after[place] >= before[stage][place] for place in after), f"{stage}: {before[stage]} became {after}")


@judge
def offsets_that_were_deleted_are_made_again(site):
    """All groups are deleted with their offsets."""
    worked(site)
    site.forget(*STAGES)
    site.check(site.work(*topics.ROLES))


@judge
def offsets_that_were_set_forward_end_the_stage(site):
    """One partition of `requests`, and what the message advises; then all of `resolved`, and --accept-loss."""
    worked(site)
    site.ask(40)
    ends = site.ends("requests")
    before = site.offsets("resolve")
    place = max(before, key=lambda number: ends[number] - before[number])
    site.set_offsets("resolve", {place: ends[place]})
    name = f"{site.topic('requests')}[{place}]"
    process = site.work("resolve")["resolve"]
    site.leaves(process, f"the group {site.topic('resolve')} has skipped", f" of {name}", "reset the offset", "--accept-loss")
    expect(site.offsets("resolve")[place] == ends[place], "something was committed")
    advice = re.search(r"--topic (\S+):(\d+) --reset-offsets --to-offset (\d+)", site.said(process))
    expect(advice and advice[1] == site.topic("requests"), "the message contains no command that resets the offset")
    site.set_offsets("resolve", {int(advice[2]): int(advice[3])})
    processes = site.work(*topics.ROLES)
    site.answered(site.asked)
    site.leave(processes)

    lost = site.asked
    resolving = site.work("resolve")
    site.ask(16)
    until(lambda: len(site.read_all("resolved")) >= site.asked, 60, "nothing is resolved")
    site.leave(resolving)
    site.set_offsets("confirm", dict(enumerate(site.ends("resolved"))))
    site.leaves(site.work("confirm")["confirm"], f"the group {site.topic('confirm')} has skipped 16 events", site.topic("resolved"))
    processes = site.work(*topics.ROLES, more=["--accept-loss"])
    site.ask()
    site.answered(lost + 40)
    site.stop(processes)
    expect("Skipping lost events (--accept-loss)" in site.said(processes["confirm"]), "it does not say what is lost")
    ended = {subject for _, subject in site.terminal_responses()}
    wrong = ended & {f"note-{number}" for number in range(lost, lost + 16)}
    expect(not wrong, f"lost requests are answered: {wrong}")


@judge
def offsets_beyond_the_end_end_the_stage(site):
    """An offset that no record has yet, and the largest one there is."""
    worked(site)
    site.set_offsets("resolve", {0: 1_000_000_000})
    site.set_offsets("handle", {7: LAST})
    processes = site.work("resolve", "handle")
    for stage, number in (("resolve", 0), ("handle", 7)):
        site.leaves(processes[stage], f"{site.topic(INPUTS[stage])}[{number}]", seconds=90)
        site.set_offsets(stage, {number: 0})
    site.check(site.work(*topics.ROLES))


@judge
def offsets_are_not_taken_from_a_running_group(site):
    """While the stages run, others cannot set or delete their offsets; fetched and committed as a member they change nothing."""
    processes = site.work(*topics.ROLES)
    site.ask()
    site.answered(site.asked)
    for stage in STAGES:
        asked = ck.ConsumerGroupTopicPartitions(site.topic(stage), [ck.TopicPartition(site.topic(INPUTS[stage]), 0, 0)])
        (future,) = site.admin.alter_consumer_group_offsets([asked]).values()
        try:
            taken = [place.error for place in future.result(30).topic_partitions]
            expect(all(taken), f"{stage}: offsets of a running group were set")
        except ck.KafkaException:
            pass
        (future,) = site.admin.delete_consumer_groups([site.topic(stage)]).values()
        try:
            future.result(30)
            raise AssertionError(f"the group of {stage} was deleted while it runs")
        except ck.KafkaException as error:
            expect(error.args[0].code() == ck.KafkaError.NON_EMPTY_GROUP, str(error))
    site.check(processes)


def timer(site, stage, partition, count=1):
    """Timers for nobody, which a stage reads from `signals`."""
    headers = [("ce_type", "timer.fired"), ("ce_stage", stage), ("ce_userid", "u"), ("ce_subject", "nothing")]
    value = json.dumps({"what": "prompt", "deadline": "2026-01-01T00:00:00Z", "user": {"id": "u"}})
    for _ in range(count):
        site.write("signals", partition, value, "u", headers)


@judge
def timers_before_all_else_stop_nobody(site):
    """Stages that have read nothing but forged timers start again."""
    processes = site.work(*topics.ROLES)
    until(lambda: all(site.is_ready(process) for process in processes.values()), 60, "not all are ready")
    for stage in STAGES:
        for partition in range(topics.PARTITIONS):
            timer(site, stage, partition)
    ends = site.ends("signals")

    def are_read():
        return all(site.offsets(stage, "signals")[number] >= end for stage in STAGES for number, end in enumerate(ends))

    until(are_read, 60, "the timers are not read")
    site.leave(processes)
    processes = site.work(*topics.ROLES)
    site.ask()
    site.answered(site.asked)
    site.leave(processes)


@judge
def state_that_was_copied_stops_nobody(site):
    """One user alone was served; what the stages keep of that partition is written to all others, where nobody was yet."""
    processes = site.work(*topics.ROLES)
    site.ask(1)
    site.answered(1)
    site.wait_for_recorder()
    site.leave(processes)
    (served,) = {message.partition() for message in site.read_all("requests")}
    newest = {message.key(): message for message in site.read_all("state") if message.partition() == served}
    # The keys of what a stage keeps of a partition have no user; those of the deployment have no stage either.
    heads = [one for key, one in newest.items() if re.match(rb"(resolve|confirm|handle)//", key) and one.value()]
    expect(len(heads) >= len(STAGES), f"the stages keep {newest.keys()}")
    for message in heads:
        for number in set(range(topics.PARTITIONS)) - {served}:
            site.write("state", number, message.value(), message.key(), message.headers() or [])
    processes = site.work(*topics.ROLES)
    site.ask()
    site.answered(site.asked)
    site.leave(processes)
    for stage in STAGES:
        text = site.said(processes[stage])
        expect("Ignoring the chain head of another partition" in text, f"{stage} does not say that its state was copied: {text[-800:]}")


@judge
def a_format_that_nobody_reads_ends_the_stage(site):
    """In `signals`, which the group can be moved past; in `state`, where a newer record of the key helps; never by a client."""
    worked(site)
    # A client's mark means nothing.
    event = json.dumps({"intent": {"name": "TakeNote"}, "user": {"id": "user-1"}})
    marks = [("intentd_format", "99"), ("ce_type", "intent.requested"), ("ce_subject", "note-99999")]
    site.producer.produce(site.topic("requests"), event, key="user-1", headers=marks)
    site.asked += 1
    processes = site.work(*topics.ROLES)
    site.ask()
    site.answered(site.asked)

    # The stage that reads it leaves; the others work on.
    headers = [("ce_type", "timer.fired"), ("ce_stage", "handle"), ("ce_userid", "u"), ("intentd_format", "99")]
    offset = site.write("signals", 5, "{}", "somebody", headers)
    place = f"{site.topic('signals')}[5] at offset {offset}"
    words = [place, "somebody", "is of format 99, and this version reads 1", "WhenSomethingIsWrong.md"]
    site.leaves(processes["handle"], *words, seconds=30)
    site.leaves(processes["record"], *words, seconds=30)
    site.leaves(site.work("handle")["handle"], *words)
    site.leave({stage: processes[stage] for stage in ("resolve", "confirm")})

    # As the article says: past the record, and the loss accepted, once.
    for stage in STAGES:
        site.set_offsets(stage, {5: offset + 1}, "signals")
    for more in (["--accept-loss"], []):
        processes = site.work(*topics.ROLES, more=more)
        site.ask()
        site.answered(site.asked)
        site.wait_for_recorder()
        site.leave(processes)

    # A record of `state` stops its stage until there is a newer one of its key.
    key = b"resolve/somebody/x"
    offset = site.write("state", 2, "{}", key, [("intentd_format", "99")])
    for _ in range(2):
        words = [f"{site.topic('state')}[2] at offset {offset}", key.decode(), "is of format 99"]
        site.leaves(site.work("resolve")["resolve"], *words)


class Stranger:
    """Another program's consumer in a stage's group, polling on a thread of its own."""

    def __init__(self, site, stage, names, **settings):
        self.reader = clients.consumer(site.address, site.topic(stage), **{"client.id": "the-stranger", **settings})
        self.reader.subscribe([site.topic(name) for name in names])
        self.over = threading.Event()
        self.thread = threading.Thread(target=self.poll, daemon=True)
        self.thread.start()

    def poll(self):
        while not self.over.is_set():
            self.reader.poll(0.05)

    @property
    def assignment(self):
        return self.reader.assignment()

    def leave(self):
        self.over.set()
        self.thread.join()
        self.reader.close()


@judge
def a_stranger_in_the_group_is_named(site):
    """A consumer of `confirmed` alone, and one of the same topics, join the group of a stage that works."""
    processes = site.work(*topics.ROLES)
    site.ask()
    site.answered(site.asked)
    handle = processes["handle"]
    until(lambda: site.is_ready(handle), 30, "handle is not ready")
    stranger = Stranger(site, "handle", ["confirmed"], **{"partition.assignment.strategy": "range"})
    # It may take turns until the group has noticed it; the requests are answered, at the latest when it has left.
    until(lambda: site.readiness(handle)[0] == 503, 60, "handle is ready beside a stranger")
    until(lambda: "the-stranger" in site.said(handle), 60, "nobody names the stranger")
    site.ask()
    time.sleep(2)
    expect(handle.poll() is None, f"handle has left with {handle.returncode}")
    line = next(line for line in site.said(handle).splitlines() if "the-stranger" in line)
    for word in (f"the group {site.topic('handle')}", "the lane processes none of them", f"reads {site.topic('confirmed')}", "127.0.0.1"):
        expect(word in line, f"it says: {line}\nbut not: {word}")
    expect("offsets" not in line and "reset" not in line, f"it advises to reset offsets: {line}")
    stranger.leave()
    site.answered(site.asked)
    until(lambda: site.is_ready(handle), 60, f"handle is not ready again: {site.readiness(handle)}")
    site.check(processes)


@judge
def a_stranger_that_was_first_is_named(site):
    """A consumer by another library and with another partition assignor holds the group when the stage starts."""
    reader = kafka.KafkaConsumer(
        site.topic("resolved"), bootstrap_servers=site.address, group_id=site.topic("confirm"), client_id="the-first",
        partition_assignment_strategy=[kafka.coordinator.assignors.roundrobin.RoundRobinPartitionAssignor],
        enable_auto_commit=False, session_timeout_ms=6000,
    )  # fmt: skip
    # kafka-python 3.0 loses an assignment that arrives when a poll has just timed out, and never asks again.
    until(lambda: reader.poll(2_000) is not None and len(reader.assignment()) == topics.PARTITIONS, 60, "it is given nothing")
    over = threading.Event()

    def poll():
        while not over.is_set():
            reader.poll(50)

    polling = threading.Thread(target=poll, daemon=True)
    polling.start()
    processes = site.work(*topics.ROLES)
    confirm = processes["confirm"]
    site.ask()
    until(lambda: "the-first" in site.said(confirm), 60, "nobody names the stranger")
    expect(confirm.poll() is None, f"confirm has left with {confirm.returncode}")
    expect(site.readiness(confirm)[0] == 503, f"confirm works beside a stranger: {site.readiness(confirm)}")
    expect(not site.terminal_responses(), "requests are answered")
    over.set()
    polling.join()
    reader.close()
    site.check(processes, 90)


@judge
def fenced_lanes_lose_and_repeat_nothing(site):
    """Somebody takes each lane's transactional id, again and again, and leaves transactions open under it."""
    processes = site.work(*topics.ROLES)
    site.ask()
    site.answered(site.asked)
    taken = [name for name in site.transactional_ids() if name.startswith(f"{site.prefix}.")]
    expect(len(taken) == len(STAGES), f"the lanes' transactional ids are {taken}")
    for number in range(3):
        for name in taken:
            writer = clients.producer(
                site.address, **{"transactional.id": name, "transaction.timeout.ms": 10_000, "log_level": 0}
            )
            writer.init_transactions(30)
            writer.begin_transaction()
            try:
                writer.produce(site.topic("dead-letters"), b"x", partition=number)
                writer.poll(0.2)
            except ck.KafkaException as error:
                # The lane has its id again already, and leaves nothing to the writer.
                if error.args[0].code() != ck.KafkaError._FENCED:
                    raise
        site.ask(20)
    site.check(processes, 120)


@judge
def added_partitions_end_everybody_soon(site):
    """`responses` gets more partitions: within 15 s nobody is ready, and everybody has left with 78."""
    processes = site.work(*topics.ROLES)
    site.ask()
    site.answered(site.asked)
    began = time.monotonic()
    (future,) = site.admin.create_partitions([NewPartitions(site.topic("responses"), topics.PARTITIONS + 4)]).values()
    future.result(30)
    for process in processes.values():
        site.leaves(process, f"{site.topic('responses')}[{topics.PARTITIONS}]", "R6", seconds=30)
    took = time.monotonic() - began
    expect(took < 15, f"it took {took:.0f} s")


@judge
def a_deleted_topic_ends_everybody(site):
    """`signals` is deleted while it is empty: not ready within 15 s, 78 within 60 s."""
    processes = site.work(*topics.ROLES)
    site.ask()
    site.answered(site.asked)
    until(lambda: all(site.is_ready(process) for process in processes.values()), 30, "not all are ready")
    began = time.monotonic()
    site.delete("signals")
    until(lambda: all(site.readiness(process)[0] != 200 for process in processes.values()), 15, "somebody is ready")
    for process in processes.values():
        site.leaves(process, "are missing", site.topic("signals"), seconds=max(1, 60 - (time.monotonic() - began)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--intentd", required=True, help="the program")
    parser.add_argument("--brokers", help="HOST:PORT of a Kafka")
    parser.add_argument("--only", help="only judges whose names contain this")
    options = parser.parse_args()
    options.definitions = None
    passed, failed = run(JUDGES, options.only, lambda one: topics.hold(one, options, Site))
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Topics that change under intentd on a real Kafka: trimmed, deleted, recreated, grown, and groups that are forgotten.

    topics.py --intentd PATH --brokers HOST:PORT [--only NAME]

Workers and recorders are processes. Each judge does to the topics what an administrator or retention may do, before
they start or while they run, and checks their messages and how they end: with 78 and a reason, before they have
processed anything; or, where nothing was lost, with every request answered once. Takes about four minutes.
"""

import argparse
import collections
import json
import signal
import sys
import time

import confluent_kafka as ck
from confluent_kafka.admin import AdminClient, NewPartitions

import clients
from judging import expect, run, until
from pipeline import House

JUDGES = []
PARTITIONS = 8
STAGES = "resolve", "confirm", "handle"
ROLES = *STAGES, "record"
#: An intent that goes through all stages at once, and one that waits for an answer in vain: its timer is a signal.
DEFINITIONS = [
    {"name": "TakeNote", "confirmation": "never", "handler": "record", "parameters": []},
    {"name": "AskBack", "handler": "record", "parameters": [{"name": "what", "type": "string", "required": True}]},
]
#: librdkafka looks for new partitions every five minutes; the judges do not wait that long. The sample apps make
#: effects: without them a worker opens no ledger.
CONFIGURATION = """\
samples: true
prompts:
  timeout: 1s
kafka:
  topic.metadata.refresh.interval.ms: 1000
"""


def judge(one):
    JUDGES.append(one)
    return one


class Site(House):
    """A deployment whose topics are changed."""

    configuration = CONFIGURATION

    def __init__(self, options):
        super().__init__(options)
        self.admin = AdminClient({"bootstrap.servers": self.address})
        self.producer = ck.Producer({"bootstrap.servers": self.address, "partitioner": "murmur2_random"})
        self.asked = 0
        file = self.directory / "intents.json"
        file.write_text(json.dumps(DEFINITIONS))
        (self.directory / "intentd.yaml").write_text(self.configuration + f"definitions: [{file}]\n")
        self.create()

    def command(self, *words, definitions=False):
        return [*super().command(*words, definitions=False), "--config", str(self.directory / "intentd.yaml")]

    def work(self, *roles, more=()):
        """A process for each role, to see which one ends."""
        return {role: self.start("work", role, "--name", f"{role}-1", *more) for role in roles}

    def create(self):
        self.run("topics", "create")
        # Asks each partition's leader: they are there a moment after the topics.
        until(lambda: self.run("topics", "describe", check=False).returncode == 0, 30, "no topics")

    def ask(self, count=40, intent="TakeNote"):
        """This many requests, spread over all users."""
        for number in range(self.asked, self.asked + count):
            event = {"intent": {"name": intent, "parameters": {}}, "user": {"id": f"user-{number % 60}"}}
            headers = {"ce_type": "intent.requested", "ce_subject": f"note-{number}"}
            self.producer.produce(self.topic("requests"), json.dumps(event), key=f"user-{number % 60}", headers=headers)
        expect(self.producer.flush(30) == 0, "not everything could be produced")
        self.asked += count

    def answered(self, count, seconds=60):
        """Waits for this many answers; no user gets two."""
        until(lambda: len(self.terminal_responses()) >= count, seconds, f"not {count} answers")
        twice = [key for key, ends in self.terminal_responses().items() if ends != 1]
        expect(not twice, f"answered twice: {twice[:5]}")

    def stop(self, processes):
        for process in processes.values():
            process.send_signal(signal.SIGTERM)
        for role, process in processes.items():
            expect(process.wait(40) == 0, f"{role} has left with {process.returncode}: {self.said(process)[-1500:]}")

    def said(self, process):
        with open(process.log, errors="replace") as log:
            return log.read()

    def leaves(self, process, *words, seconds=60):
        """The process ends by itself, with 78 and this message."""
        status = until(lambda: process.poll() is not None and (process.returncode,), seconds, "the process does not leave")
        last = (self.said(process).strip().splitlines() or [""])[-1]
        expect(status == (78,), f"it has left with {status[0]}: {last}")
        for word in words:
            expect(word in last, f"it says: {last}\nbut not: {word}")
        print(f"     {last[:200]}", flush=True)

    def end(self, topic, partition):
        reader = clients.consumer(self.address, clients.name("ends"))
        try:
            return reader.get_watermark_offsets(ck.TopicPartition(self.topic(topic), partition), 10)[1]
        finally:
            reader.close()

    def ends(self, topic):
        return [self.end(topic, partition) for partition in range(PARTITIONS)]

    def trim(self, topic, ends):
        """Removes the records before these offsets, as retention does."""
        places = [ck.TopicPartition(self.topic(topic), partition, end) for partition, end in ends.items()]
        for future in self.admin.delete_records(places).values():
            future.result(30)

    def delete(self, *topics):
        for future in self.admin.delete_topics([self.topic(topic) for topic in topics]).values():
            future.result(30)

        def are_gone():
            known = self.admin.list_topics(timeout=10).topics
            return all(self.topic(topic) not in known for topic in topics)

        until(are_gone, 30, "the topics are not gone")

    def remake(self, *topics):
        self.delete(*topics)
        self.create()

    def forget(self, *stages):
        groups = [self.topic(stage) for stage in stages]

        def forgotten():
            # A member that has just left may not be gone yet.
            try:
                while groups:
                    for future in self.admin.delete_consumer_groups(groups[-1:]).values():
                        future.result(30)
                    groups.pop()
                return True
            except ck.KafkaException as error:
                expect(error.args[0].code() == ck.KafkaError.NON_EMPTY_GROUP, str(error))
                return False

        until(forgotten, 60, "the groups are not empty")


def worked(site, *roles):
    """Requests are answered, and all processes leave in order."""
    processes = site.work(*(roles or ROLES))
    site.ask()
    site.answered(site.asked)
    site.wait_for_recorder()
    site.stop(processes)


@judge
def requests_that_were_trimmed_before_they_were_read_end_the_worker_unless_that_is_accepted(site):
    worked(site)
    read = site.end("requests", 3)
    site.ask(120)
    # There are no gaps between clients' records: all of the new ones but the last are lost.
    end = site.end("requests", 3)
    lost = end - 1 - read
    site.trim("requests", {3: end - 1})
    journal = site.ends("journal")
    process = site.work("resolve")["resolve"]
    place = f"{site.topic('requests')}[3]"
    site.leaves(process, "retention has removed events", f"{place} was read up to", "--accept-loss")
    expect(site.ends("journal") == journal, "something was worked on before that was decided")
    recorder = site.work("record")["record"]
    site.leaves(recorder, "retention has removed events", f"{place} was read up to", "--accept-loss")
    processes = site.work(*ROLES, more=["--accept-loss"])
    left = collections.Counter(message.partition() for message in site.read_all("requests"))
    expect(left[3] == 1, f"{left[3]} requests are left in the partition")
    wanted = 40 + 120 - lost
    site.answered(wanted)
    site.stop(processes)
    expect("Skipping lost events (--accept-loss)" in site.said(processes["resolve"]), "the worker does not say what is lost")
    expect("Skipping lost events (--accept-loss)" in site.said(processes["record"]), "the recorder says nothing")
    # Logged once, and then never again.
    again = site.work(*ROLES)
    site.ask()
    site.answered(wanted + 40)
    site.stop(again)


@judge
def requests_that_are_trimmed_under_a_worker_that_stands_still_end_it(site):
    processes = site.work("resolve", "record")
    site.ask()
    until(lambda: len(site.read_all("resolved")) >= 40, 60, "nothing is resolved")
    site.wait_for_recorder()
    # For less than its session; its last fetch comes back empty within half a second.
    for process in processes.values():
        process.send_signal(signal.SIGSTOP)
    time.sleep(1.5)
    site.ask(80)
    site.trim("requests", {partition: end - 1 for partition, end in enumerate(site.ends("requests"))})
    for process in processes.values():
        process.send_signal(signal.SIGCONT)
    for process in processes.values():
        site.leaves(process, "retention has removed events")


@judge
def what_was_read_may_go(site):
    """When retention removes what was read and the markers after it, nothing is lost: an idle partition becomes empty."""
    worked(site)
    topics = "requests resolved confirmed signals responses journal".split()
    for topic in topics:
        site.trim(topic, dict(enumerate(site.ends(topic))))
    processes = site.work(*ROLES)
    site.ask()
    # The earlier answers are gone, too.
    site.answered(40)
    site.stop(processes)
    for role, process in processes.items():
        text = site.said(process)
        expect("lost" not in text and "removed" not in text, f"{role} reports a loss: {text[-1500:]}")


@judge
def requests_that_were_re_created_end_the_worker(site):
    """Also where the group has offsets left: those of signals."""
    processes = site.work(*ROLES)
    site.ask(60, "AskBack")
    site.answered(60)
    expect(len(site.read_all("signals")) >= 60, "no signals")
    site.wait_for_recorder()
    site.stop(processes)
    site.remake("requests")
    # Fewer than before: a topic that has grown beyond the recorder's offset cannot be distinguished from the old one.
    site.ask(8)
    journal = site.ends("journal")
    site.leaves(site.work("resolve")["resolve"], "re-created")
    site.leaves(site.work("record")["record"], "belong to other topics")
    expect(site.ends("journal") == journal, "something was worked on")


@judge
def requests_re_created_meanwhile_end_the_worker(site):
    processes = site.work(*ROLES)
    site.ask()
    site.answered(40)
    site.remake("requests")
    site.leaves(processes["resolve"], "re-created")
    site.leaves(processes["record"], "belong to other topics")
    # They do not read requests.
    site.stop({stage: processes[stage] for stage in ("confirm", "handle")})


@judge
def topics_between_stages_that_were_re_created_end_the_stage_that_reads_them(site):
    worked(site)
    site.remake("resolved", "confirmed")
    site.leaves(site.work("confirm")["confirm"], "re-created")
    site.leaves(site.work("handle")["handle"], "re-created")


@judge
def all_topics_re_created_meanwhile_end_all_processes(site):
    processes = site.work(*ROLES)
    site.ask()
    site.answered(40)
    site.remake(*"requests resolved confirmed signals responses user-activities journal dead-letters state".split())
    for stage in STAGES:
        site.leaves(processes[stage], "re-created")
    site.leaves(processes["record"], "re-created")
    # The data kept beside the topics does not match the new ones.
    site.leaves(site.work("handle")["handle"], "belongs to deployment")
    site.leaves(site.work("record")["record"], "belong to other topics")


@judge
def topics_that_are_gone_for_good_end_everybody(site):
    processes = site.work(*ROLES)
    site.ask()
    site.answered(40)
    site.delete("requests", "resolved", "confirmed")
    for process in processes.values():
        site.leaves(process, "are missing", site.topic("resolved"), seconds=90)


@judge
def more_partitions_end_everybody(site):
    """Every process asks for the topics' partitions, whichever it reads."""
    processes = site.work(*ROLES)
    site.ask()
    site.answered(40)
    for future in site.admin.create_partitions([NewPartitions(site.topic("requests"), PARTITIONS + 2)]).values():
        future.result(30)
    for role in ROLES:
        site.leaves(processes[role], "there is now a partition", f"{site.topic('requests')}[8]", "R6", seconds=20)
    for role in ROLES:
        site.leaves(site.work(role)[role], "10 partitions", "R6")


@judge
def a_forgotten_group_continues_where_its_state_ends(site):
    worked(site)
    site.forget(*STAGES)
    processes = site.work(*ROLES)
    site.ask()
    site.answered(80)
    site.stop(processes)
    for stage in STAGES:
        expect("The group's offset is behind its state" in site.said(processes[stage]), f"{stage} says nothing of it")


def hold(one, options, make=Site):
    """Gives a judge a deployment of its own; shows its processes' output if it fails."""
    site = make(options)
    try:
        one(site)
    except Exception:
        for process in site.processes:
            print(f"     {process.args[1:3]}:\n{site.said(process)[-1500:]}", flush=True)
        raise
    finally:
        site.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--intentd", required=True, help="the program")
    parser.add_argument("--brokers", required=True, help="HOST:PORT of a Kafka")
    parser.add_argument("--only", help="only judges whose names contain this")
    options = parser.parse_args()
    options.definitions = None
    passed, failed = run(JUDGES, options.only, lambda one: hold(one, options))
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())

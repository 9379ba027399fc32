#!/usr/bin/env python3
"""What operators do while users are served: restart one worker after the other, scale up and down, stop.

    operations.py --intentd PATH [--brokers HOST:PORT] [--rate N] [--only NAME]

Requests come all the time, `--rate` per second from 200 users. Each judge ends with the history checker, which must find
nothing.
"""

import collections
import json
import signal
import sys
import time

import checker
from breakable import STAGES, Deployment, judge_under_load
from chaos import settle
from judging import expect, until
from users import Client

JUDGES = []


def judge(one):
    JUDGES.append(one)
    return one


class SteadyClient(Client):
    """Requests messages at a steady rate, whatever comes back; measures the latency of each answer."""

    def __init__(self, deployment, rate):
        super().__init__(deployment, 1 << 40, 0)
        self.rate = rate
        self.asked_at = {}
        self.took = {}
        self.is_asking = True

    def request(self):
        number = len(self.sent)
        subject, user = f"r{number}", f"user-{number % 200}"
        self.sent[subject] = (user, "message")
        self.asked_at[subject] = time.monotonic()
        intent = {"name": "INSendMessageIntent", "parameters": {"recipients": ["Celestra"], "content": subject}}
        self.send("intent.requested", user, {"intent": intent, "user": {"id": user}}, subject, home=True)

    def take(self, message):
        subject = dict(message.headers())["ce_subject"].decode()
        if json.loads(message.value()).get("terminal"):
            self.ends[subject].append(json.loads(message.value()))
            self.took.setdefault(subject, time.monotonic() - self.asked_at[subject])

    def room(self):
        return int((time.monotonic() - self.began) * self.rate) - len(self.sent) if self.is_asking else 0

    def longest(self, since=0):
        """The longest wait for the answer to a request since then, in seconds."""
        now = time.monotonic()
        asked = [subject for subject, at in list(self.asked_at.items()) if at >= since]
        return max((self.took.get(subject, now - self.asked_at[subject]) for subject in asked), default=0)


def restart(process):
    """Sends SIGTERM and starts a process of the same name; returns how long leaving took."""
    began = time.monotonic()
    process.is_wanted = False
    process.running.send_signal(signal.SIGTERM)
    expect(process.running.wait(40) == 0, f"{process.name} has left with {process.running.returncode}")
    left = time.monotonic() - began
    process.start()
    process.is_wanted = True
    return left


def end(deployment, client):
    """Stops the requests, waits for all answers, stops all workers, and runs the checker."""
    client.is_asking = False
    settle(deployment, client, 120)
    left = deployment.leave()
    databases = [deployment.directory / name for name in ("records.sqlite", "store.sqlite")]
    history, findings = checker.check(
        deployment.address, deployment.prefix, *databases, ended=True,
        never=["SELECT content, count(*) FROM messages GROUP BY 1 HAVING count(*) > 1"],
    )  # fmt: skip
    expect(not findings, "\n".join(" ".join(finding) for finding in findings[:20]))
    kinds = collections.Counter(end[0]["endReason"] for end in client.ends.values())
    expect(set(kinds) == {"nominal"}, f"not everybody was served: {dict(kinds)}")
    print(f"     {len(client.sent)} requests, all served; all left in {left:.1f} s; no findings in {len(history.records)} records")


@judge
def a_rolling_restart_keeps_nobody_waiting(deployment, client):
    """Every worker leaves and comes back under its name, one after the other: no user waits longer than 3 s."""
    time.sleep(3)
    usual = client.longest(since=time.monotonic() - 2)
    began = time.monotonic()
    leaving = 0
    for stage in STAGES:
        for process in deployment.members[stage]:
            leaving = max(leaving, restart(process))
            time.sleep(2)
    time.sleep(3)
    longest = client.longest(since=began)
    print(f"     longest wait {usual:.2f} s before, {longest:.2f} s while 6 workers were restarted, each gone within {leaving:.2f} s")
    expect(longest < 3, f"somebody has waited {longest:.1f} s")
    end(deployment, client)


@judge
def one_worker_to_eight_and_back_doubles_nothing(deployment, client):
    """Each stage grows from one worker to eight and shrinks again under load."""
    for stage in STAGES:
        leaving = deployment.members[stage].pop()
        leaving.is_wanted = False
        leaving.running.send_signal(signal.SIGUSR1)
        leaving.running.wait(40)
    began = time.monotonic()
    for _ in range(7):
        for stage in STAGES:
            deployment.add(stage)
        time.sleep(1)
    time.sleep(3)
    left = []
    for _ in range(7):
        for stage in STAGES:
            process = deployment.members[stage].pop()
            at = time.monotonic()
            process.is_wanted = False
            process.running.send_signal(signal.SIGUSR1)
            expect(process.running.wait(40) == 0, f"{process.name} has left with {process.running.returncode}")
            left.append(time.monotonic() - at)
        time.sleep(1)
    until(lambda: len(client.ends) > len(client.sent) - client.rate, 60, "it does not catch up")
    print(f"     1 to 8 workers a stage and back; longest wait {client.longest(since=began):.2f} s, longest leave {max(left):.2f} s")
    end(deployment, client)


if __name__ == "__main__":
    sys.exit(judge_under_load(__doc__, JUDGES, Deployment, SteadyClient, rate=50))

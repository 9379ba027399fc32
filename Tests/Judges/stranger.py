#!/usr/bin/env python3
"""Does what the runbook says, as somebody who has never seen the deployment, and looks for the answer in what is printed.

    stranger.py --intentd PATH [--only NAME]

The commands are those of the runbook's sections, with the user and the interaction put in their places. Each task has to be
done within two minutes; the transcript shows what was typed. The exit status is 0 when nothing failed.
"""

import pathlib
import re
import signal
import sqlite3
import subprocess
import tarfile
import tempfile
import time

from judging import Program, expect, free_port, judge_with, until

ROOT = pathlib.Path(__file__).resolve().parents[2]
RUNBOOK = ROOT / "Sources/Faces/IntentCommands/Documentation.docc/Runbook.md"
JUDGES = []


def judge(function):
    JUDGES.append(function)
    return function


def commands(section):
    """The command lines of a section, in order."""
    text = RUNBOOK.read_text().split(f"\n## {section}\n", 1)[1].split("\n## ", 1)[0]
    lines = [line for block in re.findall(r"```sh\n(.*?)```", text, re.S) for line in block.splitlines()]
    return [line.split("#")[0].strip() for line in lines if line.startswith("intentd ")]


class Stranger:
    """A deployment, and somebody at a terminal who types."""

    SERVICE = """
name: OrderLunch
title: Order lunch
handler: {service: {url: "http://127.0.0.1:%d", timeout: PT1S}}
parameters: [{name: dish, type: string, required: true}]
"""

    def __init__(self, intentd):
        self.intentd = intentd
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="intentd-stranger-"))
        self.data = self.directory / "var"
        self.typed = []
        (self.directory / "config" / "intents").mkdir(parents=True)
        # Nobody listens there: the service is down.
        (self.directory / "config" / "intents" / "lunch.yaml").write_text(self.SERVICE % free_port())
        (self.directory / "config" / "intentd.yaml").write_text("samples: true\n")
        self.log = open(self.directory / "log", "wb")
        self.programs = []
        self.prepare()

    def prepare(self):
        """A user who pays twice, and another one whose lunch cannot be ordered."""
        self.start("up", "--demo-user", "me")
        until(lambda: self.run("intentd lag")[0] == 0, 90, "up does not answer")
        for _ in range(2):
            text = self.ask("INSendPaymentIntent", "payee=Jeff Mane", "currencyAmount=5 EUR", "--user", "me", said="yes\nyes\n")
            expect("success" in text, f"the payment failed: {text}")
        self.ask("OrderLunch", "dish=soup", "--user", "somebody-else", said="yes\n")
        self.recorded(2, "intent = 'INSendPaymentIntent' AND status = 'success'")
        self.recorded(1, "intent = 'OrderLunch' AND end_reason = 'error'")
        ids = "SELECT interaction_id FROM interactions WHERE intent = "
        self.payments = [one for one, in self.rows(ids + "'INSendPaymentIntent'")]
        self.lunch = self.rows(ids + "'OrderLunch'")[0][0]
        self.typed.clear()

    def start(self, *words):
        program = Program([self.intentd, *words], stdout=self.log, stderr=self.log, cwd=self.directory)
        self.programs.append(program)
        return program

    def close(self):
        # The broker last: workers wait for it with their last commit.
        for program in reversed(self.programs):
            if program.poll() is None:
                program.send_signal(signal.SIGTERM)
            program.wait(40)

    def run(self, line, said=None):
        """Types a line; returns its exit status and everything that it printed."""
        self.typed.append(line)
        done = subprocess.run([self.intentd, *line.split()[1:]], input=said, capture_output=True, text=True, timeout=120,
                              cwd=self.directory)
        return done.returncode, done.stdout + done.stderr

    def ask(self, *words, said=""):
        done = subprocess.run([self.intentd, "ask", *words], input=said, capture_output=True, text=True, timeout=120,
                              cwd=self.directory)
        return done.stdout + done.stderr

    def rows(self, sql):
        try:
            with sqlite3.connect(f"file:{self.data}/records.sqlite?mode=ro", uri=True) as database:
                return database.execute(sql).fetchall()
        except sqlite3.OperationalError:
            return []

    def recorded(self, count, condition):
        until(lambda: self.rows(f"SELECT count(*) FROM interactions WHERE {condition}")[:1] == [(count,)], 90,
              f"{condition}: not {count} interactions: {self.rows('SELECT intent, status, end_reason FROM interactions')}")

    def follow(self, section, user="me", interaction=None):
        """Types the commands of a section; returns the outputs by command line."""
        began = time.monotonic()
        outputs = {}
        for line in commands(section):
            if "INTERACTION" in line and interaction is None:
                continue
            line = line.replace("INTERACTION", interaction or "").replace("ada", user)
            outputs[line] = self.run(line)
        expect(time.monotonic() - began < 120, f"{section}: it took {time.monotonic() - began:.0f} s")
        return outputs


@judge
def charged_twice(stranger):
    """The user has paid twice, with two requests; each payment was made once."""
    outputs = stranger.follow("Done twice", interaction=stranger.payments[0])
    listed = next(text for line, (_, text) in outputs.items() if " list " in line)
    expect(all(one in listed for one in stranger.payments), f"not both payments are listed: {listed}")
    shown = next(text for line, (_, text) in outputs.items() if " audit show " in line)
    expect(shown.count("effect") >= 1, f"the effect is not shown: {shown}")
    expect(all(status == 0 for status, _ in outputs.values()), f"{outputs}")


@judge
def service_down(stranger):
    """The service of lunches does not answer."""
    outputs = stranger.follow("A service is down")
    groups = outputs["intentd dead-letters list --group"][1]
    expect("OrderLunch" in groups and "handlerFailed" in groups, f"the groups do not say what failed: {groups}")
    dry = outputs["intentd dead-letters redrive --error handlerFailed --dry-run"]
    expect(dry[0] == 0 and "would be redriven" in dry[1], f"the redrive does not say what it would send: {dry}")
    status, text = outputs["intentd dead-letters redrive --error handlerFailed"]
    expect(status == 0, f"nothing was redriven: {text}")


@judge
def conversations_fail(stranger):
    """Which conversations fail, and why."""
    outputs = stranger.follow("Conversations fail", interaction=stranger.lunch)
    funnel = next(text for line, (_, text) in outputs.items() if " insight" in line)
    expect("OrderLunch" in funnel and "error" in funnel, f"insight does not say what fails: {funnel}")
    listed = next(text for line, (_, text) in outputs.items() if " list " in line)
    expect(stranger.lunch in listed and stranger.payments[0] not in listed, f"the list of failures: {listed}")
    shown = next(text for line, (_, text) in outputs.items() if " show " in line)
    expect("attempt" in shown.lower() and "OrderLunch" in shown, f"show does not say why it failed: {shown}")


@judge
def everything_of_one_user(stranger):
    """The archive has everything of the user, and nothing of another one."""
    outputs = stranger.follow("Everything of one user")
    (line, (status, text)), = outputs.items()
    expect(status == 0, f"{line}: {text}")
    with tarfile.open(stranger.directory / "me.tar") as archive:
        records = archive.extractfile("records.ndjson").read().decode()
        page = archive.extractfile("index.html").read().decode()
    expect(all(one in page for one in stranger.payments), "the payments are not on the page")
    expect("somebody-else" not in records, "another user's records are in the archive")


@judge
def stage_dead(stranger):
    """All stages but handle run."""
    stranger.close()
    stranger.programs.clear()
    stranger.start("broker")
    until(lambda: (stranger.data / "broker.address").exists(), 60, "the broker does not start")
    for role in ("resolve", "confirm", "record"):
        stranger.start("work", role, "--name", role)
    until(lambda: "handle: no consumers" in stranger.run("intentd status")[1], 90, "status does not name the dead stage")
    stranger.typed.clear()
    outputs = stranger.follow("A stage is dead")
    status, text = outputs["intentd status"]
    expect(status == 1 and "handle" in text, f"status {status}: {text}")
    expect("handle" in outputs["intentd lag"][1], f"lag: {outputs}")
    stranger.start("work", "handle", "--name", "handle")
    until(lambda: stranger.run("intentd status")[0] == 0, 90, "the deployment is not healthy with a handle worker")


if __name__ == "__main__":
    judge_with(Stranger, JUDGES, __doc__)

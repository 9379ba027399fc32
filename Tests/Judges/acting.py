"""What operators do, with the typed commands, against `up`: cancel, retry now, pause and resume, and the log of it.

  acting.py --intentd PROGRAM [--only WORD]

A service that fails, or does not answer, makes interactions wait. Each judge ends with the replay of all turns.
"""

import http.server
import json
import pathlib
import signal
import subprocess
import tempfile
import threading

from judging import Program, expect, free_port, judge_with, until

JUDGES = []
#: How many interactions are cancelled at once: more than are written at once.
MANY = 1200
DEFINITION = """
name: Book
confirmation: never
handler:
  http:
    url: http://127.0.0.1:{port}/
    timeout: PT30S
    retry:
      attempts: 5
      first: PT1H
      longest: PT1H
      within: PT24H
parameters:
  - name: day
    type: string
    required: true
"""


def judge(made):
    JUDGES.append(made)
    return made


class Service(http.server.ThreadingHTTPServer):
    """Counts its calls by idempotency key, and answers with `status`."""

    daemon_threads = True

    def __init__(self):
        self.status = 200
        self.keys = []
        service = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                self.rfile.read(int(self.headers.get("Content-Length", 0)))
                service.keys.append(self.headers.get("Idempotency-Key"))
                body = b'{"code": "success"}' if service.status == 200 else b""
                self.send_response(service.status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *words):
                pass

        super().__init__(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.serve_forever, daemon=True).start()


class House:
    """One process of `up`, and the commands that an operator types."""

    def __init__(self, intentd):
        self.intentd = intentd
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="intentd-acting-"))
        self.service = Service()
        self.definition = self.directory / "book.yaml"
        self.definition.write_text(DEFINITION.format(port=self.service.server_port))
        self.brokers = f"127.0.0.1:{free_port()}"
        self.common = ["--data", str(self.directory / "data"), "--definitions", str(self.definition)]
        self.start()

    def start(self):
        self.log = open(self.directory / "up.log", "ab")
        command = [self.intentd, "up", "--listen", self.brokers, *self.common]
        self.up = Program(command, stdout=self.log, stderr=subprocess.STDOUT, cwd=self.directory)
        until(lambda: self.run("status", check=False).returncode == 0, 30, "up does not become ready")

    def kill(self):
        self.up.send_signal(signal.SIGKILL)
        self.up.wait()

    def run(self, *words, check=True):
        done = subprocess.run(
            [self.intentd, *words, *self.common], capture_output=True, text=True, timeout=60, cwd=self.directory
        )
        if check:
            expect(done.returncode == 0, f"{' '.join(words)}: {done.returncode}: {done.stderr}{done.stdout}")
        return done

    def lines(self, *words):
        return [json.loads(line) for line in self.run(*words, "--json").stdout.splitlines()]

    def request(self, subject, user="ada"):
        event = {
            "type": "intent.requested", "subject": subject, "userid": user,
            "data": {"intent": {"name": "Book", "parameters": {"day": "Monday"}}, "user": {"id": user}},
        }  # fmt: skip
        (self.directory / "events").write_text(json.dumps(event) + "\n")
        self.run("produce", str(self.directory / "events"))

    def request_all(self, subjects):
        """Requests of as many users."""
        events = [
            {"type": "intent.requested", "subject": subject, "data": {
                "intent": {"name": "Book", "parameters": {"day": "Monday"}}, "user": {"id": f"u-{subject}"}}}
            for subject in subjects
        ]  # fmt: skip
        (self.directory / "events").write_text("".join(json.dumps(event) + "\n" for event in events))
        self.run("produce", str(self.directory / "events"))

    def acts_on(self, subjects):
        """The interactions that acts on the topic cancel, as kcat reads them: one for each act."""
        read = subprocess.run(
            ["kcat", "-b", self.brokers, "-C", "-t", "intents.signals", "-e", "-q", "-X", "isolation.level=read_committed",
             "-f", "%h\\t%s\\n"],
            capture_output=True, text=True, timeout=60,
        )  # fmt: skip
        expect(read.returncode == 0, read.stderr)
        found = []
        for line in read.stdout.splitlines():
            headers, _, value = line.partition("\t")
            headers = dict(header.split("=", 1) for header in headers.split(",") if "=" in header)
            if headers.get("ce_type") == "operator.acted" and json.loads(value)["act"] == "cancel":
                found.append(headers["ce_subject"])
        return [subject for subject in found if subject in set(subjects)]

    def events(self, subject):
        """The responses to an interaction so far."""
        found = self.run("show", subject, "--json", check=False)
        if found.returncode:
            return []
        return [one for one in json.loads(found.stdout)["events"] if one["type"] == "intent.responded"]

    def end(self, subject):
        def ended():
            return next((one["data"] for one in self.events(subject) if one["data"]["terminal"]), None)

        return until(ended, 30, f"{subject} does not end")

    def response_with(self, subject, member):
        """The first response that is no end and has this member."""

        def found():
            return next((one["data"] for one in self.events(subject) if one["data"].get(member)), None)

        return until(found, 30, f"{subject} has no response with {member}")

    def replay(self):
        self.run("replay")
        self.run("audit", "verify")

    def close(self):
        self.up.terminate()
        self.up.wait(30)
        self.service.shutdown()


@judge
def retry_now_and_cancel(house):
    """An interaction that would wait an hour is tried at once; another one is cancelled."""
    house.service.status = 503
    house.request("retried")
    house.request("cancelled", "ben")
    for subject in ("retried", "cancelled"):
        house.response_with(subject, "retryUntil")
    house.service.status = 200
    house.run("retry", "retried", "--as", "ops", "--reason", "the service is up again")
    expect(house.end("retried")["endReason"] == "nominal", "the retried interaction has failed")
    house.run("cancel", "cancelled", "--as", "ops", "--reason", "a mistake")
    expect(house.end("cancelled")["endReason"] == "abortedByOperator", "it was not the operator")
    again = house.run("retry", "retried", "--reason", "once more", check=False)
    expect(again.returncode == 66 and "no stage has an open interaction" in again.stderr, again.stderr)
    acts = [(one["act"], one["interaction"], one["by"], one.get("reason")) for one in house.lines("operators", "log")]
    expect(
        acts == [("cancel", "cancelled", "ops", "a mistake"), ("retry", "retried", "ops", "the service is up again")],
        f"the log has {acts}",
    )
    shown = json.loads(house.run("show", "cancelled", "--json").stdout)
    expect([one["act"] for one in shown["operators"]] == ["cancel"], "show does not say who cancelled it")
    house.replay()


@judge
def pause_survives_kills(house):
    """A paused intent is held by a process that starts later, and each call happens once after the pause."""
    before = len(house.service.keys)
    house.run("pause", "Book", "--stage", "handle", "--as", "ops", "--reason", "maintenance")
    until(lambda: [one["target"] for one in house.lines("pauses")] == ["intent:Book"], 10, "nothing is paused")
    house.request("held-1")
    house.response_with("held-1", "paused")
    house.kill()
    house.start()
    house.request("held-2", "ben")
    house.response_with("held-2", "paused")
    expect(len(house.service.keys) == before, "a handler was called during the pause")

    def states():
        open_ones = house.lines("list", "--state", "open")
        return {one["interaction"]: one["state"] for one in open_ones if one["interaction"].startswith("held-")}

    until(lambda: states() == {"held-1": "paused", "held-2": "paused"}, 10, f"list does not say paused: {states()}")
    said = "pause: intent:Book is paused in handle since "
    until(lambda: said in " ".join(house.run("status").stdout.split()), 10, "status does not name the pause")
    refused = house.run("retry", "held-1", "--reason", "now", check=False)
    expect(refused.returncode == 65 and "is paused" in refused.stderr, refused.stderr)
    house.run("resume", "Book", "--as", "ops", "--reason", "it is up again")
    for subject in ("held-1", "held-2"):
        expect(house.end(subject)["endReason"] == "nominal", f"{subject} has failed")
    expect(len(house.service.keys) == before + 2 and len(set(house.service.keys[before:])) == 2, "calls are not one each")
    acts = [(one["act"], one.get("target")) for one in house.lines("operators", "log")][:2]
    expect(acts == [("resume", "intent:Book"), ("pause", "intent:Book")], f"the log has {acts}")
    nothing = house.run("resume", "Book", "--reason", "again", check=False)
    expect(nothing.returncode == 66, "a pause was ended twice")
    unknown = house.run("pause", "Boook", "--reason", "again", check=False)
    expect(unknown.returncode == 64 and "Book" in unknown.stderr, unknown.stderr)
    house.replay()


@judge
def many_are_cancelled_each_once_although_the_command_is_killed(house):
    """`cancel --intent Book` is killed between its writes, again and again, and repeated: one act and one end each."""
    house.service.status = 503
    names = [f"many-{number}" for number in range(MANY)]
    house.request_all(names)

    def waiting():
        """How many wait for their next attempt."""
        listed = house.lines("list", "--state", "open", "--intent", "Book", "--limit", "5000")
        return sum(one["state"] == "retrying" for one in listed)

    until(lambda: waiting() == MANY, 60, "not all wait for their next attempt")
    words = ["cancel", "--intent", "Book", "--as", "ops", "--reason", "the hotel is closed"]
    would = house.lines(*words, "--dry-run")
    expect({one["interaction"] for one in would} == set(names), f"--dry-run names {len(would)}")
    expect(not house.acts_on(names), "--dry-run has cancelled something")
    killed = 0
    for _ in range(20):
        before = len(house.acts_on(names))
        cancelling = subprocess.Popen(
            [house.intentd, *words, *house.common], cwd=house.directory, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        until(lambda: len(house.acts_on(names)) > before or cancelling.poll() is not None, 30, "nothing is cancelled")
        cancelling.kill()
        killed += cancelling.wait() == -signal.SIGKILL
        if len(house.acts_on(names)) == MANY:
            break
    done = house.run(*words, check=False)
    expect(killed > 0, "the command was never killed in time")
    for name in (names[0], names[-1]):
        expect(house.end(name)["endReason"] == "abortedByOperator", f"{name}: {house.end(name)}")
    ended = house.lines("list", "--state", "ended", "--intent", "Book", "--limit", "5000")
    reasons = {one["interaction"]: one["endReason"] for one in ended if one["interaction"] in set(names)}
    expect(reasons == {name: "abortedByOperator" for name in names}, f"{len(reasons)} have ended; {done.stdout}{done.stderr}")
    acts = house.acts_on(names)
    expect(sorted(acts) == sorted(names), f"{len(acts)} acts about {len(set(acts))} of {MANY} interactions")
    print(f"  {MANY} interactions, {killed} kills, {len(acts)} acts", flush=True)
    house.replay()


if __name__ == "__main__":
    judge_with(House, JUDGES, __doc__)

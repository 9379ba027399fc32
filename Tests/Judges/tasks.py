#!/usr/bin/env python3
"""A long task whose process is killed at each of its points: its steps count once, and its effects once or undone once.

    tasks.py --hazardd PATH [--deployments N] [--keep]

PATH is the program of Tests/Examples/Hazards: intentd with a handler of five steps and two effects that can be undone, which
kills its process (SIGKILL) before, in or after each of them when a file of the interaction says so. The points are those that
an undisturbed task reaches. Each point has a task of its own, one that succeeds and one that fails and is undone; the process
is started again as by a service manager. A deployment plays one task at a time, so that a kill concerns that task alone.

Exit status: 0 when nothing failed; the last line says how many passed.
"""

import argparse
import collections
import concurrent.futures
import contextlib
import json
import os
import pathlib
import signal
import sqlite3
import sys
import tempfile
import time

import confluent_kafka as ck

import checker
import clients
from judging import expect, run, until
from killers import Supervised

#: The steps, as the handler names them: each is identified by its name and its number among those of that name.
STEPS = [("search", 0), ("compare", 0), ("search", 1), ("pay", 0), ("confirm", 0)]
EFFECTS = ["flight", "hotel"]
#: The closures of a task, without those of undos.
CLOSURES = [*(f"step {number}" for number in range(len(STEPS))), *EFFECTS]
#: The hotel's undo also calls the outside world.
UNDOS = ["call hotel", *(f"undo {effect}" for effect in EFFECTS)]
#: How many points a task has: before, in and after each closure, before and in each of an undo, before the end, before the response.
POINTS = {"succeeds": 3 * len(CLOSURES) + 2, "fails": 3 * len(CLOSURES) + 2 * len(UNDOS) + 2}
#: The points that the handler cannot see: these kills come from outside, as soon as the store has the undo.
UNDONE = {f"undone {effect}": effect for effect in EFFECTS}
#: Nothing that has happened twice may be in the store.
NEVER = [
    "SELECT interaction, part, count(*) FROM bookings GROUP BY 1, 2 HAVING count(*) > 1",
    "SELECT interaction, part, cancelled FROM bookings WHERE cancelled > 1",
]
JUDGES = []


def judge(run):
    JUDGES.append(run)
    return run


class Task:
    """An interaction, and the point at which its process is killed; None for an undisturbed one."""

    def __init__(self, script, point, house):
        self.script, self.point = script, point
        #: The id of the interaction and of its user.
        self.name = f"{script}-{point}".replace(" ", "-") if point else f"{script}-undisturbed-{house}"

    @property
    def repeated(self):
        """The closures that begin twice: the killed one, and the call of an undo until the undo is in the store."""
        repeated = {self.point.removeprefix("in ")} if self.point and self.point.startswith("in ") else set()
        return repeated | {"call hotel"} if self.point in ("before undo hotel", "in undo hotel") else repeated


class TaskHouse(Supervised):
    """A broker, a worker of all stages that is killed again and again, and a recorder."""

    def __init__(self, options, number, points):
        super().__init__(options)
        self.number, self.points = number, points
        #: How processes have ended, in that order.
        self.ends = []
        #: The responses by interaction, as they come.
        self.responses = collections.defaultdict(list)
        self.tasks = []

    def begin(self):
        super().begin()
        self.producer = clients.producer(self.address)
        self.reader, _ = clients.assigned(self.address, self.topic("responses"))

    def supervise(self):
        while not self.over.wait(0.02):
            for member in self.members:
                ended = member.running
                member.supervise()
                if member.running is not ended:
                    self.ends.append(ended.returncode)

    def file(self, task, kind):
        return self.points / f"{task.name}.{kind}"

    def lines(self, task, kind):
        return self.file(task, kind).read_text().splitlines()

    def play(self, task):
        """Plays a task until it has ended, and checks what the user received and what was done."""
        before = len(self.ends)
        self.tasks.append(task)
        if task.point and task.point not in UNDONE:
            self.file(task, "kill").write_text(task.point)
        self.ask(task)
        try:
            if task.point in UNDONE:
                self.kill_when_undone(task)
            until(lambda: self.has_ended(task), 90, "it does not end")
            if task.point:
                until(lambda: len(self.ends) > before, 10, "no process was killed")
            expect(self.ends[before:] == ([-signal.SIGKILL] if task.point else []), f"processes: {self.ends[before:]}")
            self.check_told(task)
            self.check_done(task)
        except AssertionError as error:
            raise AssertionError(f"{task.name}: {error}\n{self.members[0].tail()}") from None

    def ask(self, task):
        data = {"intent": {"name": "BookTripIntent", "parameters": {"script": task.script}}, "user": {"id": task.name}}
        headers = [("ce_type", b"intent.requested"), ("ce_id", task.name.encode()), ("ce_subject", task.name.encode())]
        partition = checker.home(task.name, 8)
        self.producer.produce(
            self.topic("requests"), json.dumps(data).encode(), task.name.encode(), partition, headers=headers
        )
        expect(self.producer.flush(60) == 0, "the request could not be produced")

    def open_store(self):
        return contextlib.closing(sqlite3.connect(f"file:{self.store}?mode=ro", uri=True, timeout=10))

    def kill_when_undone(self, task):
        """Kills the worker as soon as the store has the undo: before its turn is committed, or just after."""
        worker = self.members[0].running
        query = "SELECT 1 FROM bookings WHERE interaction = ? AND part = ? AND cancelled > 0"
        deadline = time.monotonic() + 60
        with self.open_store() as database:
            while not database.execute(query, (task.name, UNDONE[task.point])).fetchone():
                expect(time.monotonic() < deadline, "it is not undone")
                time.sleep(0.002)
        worker.kill()

    def has_ended(self, task):
        for message in self.reader.consume(500, 0.02):
            if message.error():
                expect(message.error().code() == ck.KafkaError._PARTITION_EOF, str(message.error()))
                continue
            headers = {key: value.decode() for key, value in message.headers() or []}
            if headers["ce_type"] == "intent.responded":
                self.responses[headers["ce_subject"]].append(json.loads(message.value()))
        return any(response["terminal"] for response in self.responses[task.name])

    def check_told(self, task):
        *earlier, end = self.responses[task.name]
        expect(end["terminal"] and not any(response["terminal"] for response in earlier), f"received {self.responses[task.name]}")
        undoing = [(response["undoing"], response["status"]) for response in earlier if "undoing" in response]
        steps = end["response"]["steps"]
        expect(len(steps) == len(set(steps)) == len(STEPS), f"the steps came to {steps}")
        reasons = end["endReason"], end["code"], end["status"], sorted(end["effects"]), end.get("undone", [])
        expect("undoFailed" not in end and "effectsIncomplete" not in end, f"ended with {end}")
        if task.script == "fails":
            reverse = EFFECTS[::-1]
            expect(reasons == ("failed", "failure", "failure", [], reverse), f"ended with {end}")
            expect(undoing == [(reverse, "inProgress")], f"the undoing is reported as {undoing}")
            expect(end.get("dialog"), f"the user is not told what was undone: {end}")
        else:
            expect(reasons == ("nominal", "success", "success", EFFECTS, []), f"ended with {end}")
            expect(not undoing, f"the undoing is reported as {undoing}")

    def check_done(self, task):
        if task.point and task.point not in UNDONE:
            expect(self.file(task, "killed").exists(), "the process was killed elsewhere")
        begun = collections.Counter(self.lines(task, "closures"))
        names = CLOSURES + (UNDOS if task.script == "fails" else [])
        wanted = {name: 2 if name in task.repeated else 1 for name in names}
        expect(dict(begun) == wanted, f"closures have begun {dict(begun)}, not {wanted}")
        with self.open_store() as database:
            query = "SELECT part, cancelled FROM bookings WHERE interaction = ? ORDER BY part"
            rows = database.execute(query, (task.name,)).fetchall()
        cancelled = 1 if task.script == "fails" else 0
        expect(rows == [(effect, cancelled) for effect in EFFECTS], f"the store has {rows}")

    def check_history(self):
        """The journal has committed each step once, with the result that the user got; all turns replay to the same bytes."""
        self.wait_for_recorder()
        self.leave()
        databases = self.directory / "records.sqlite", self.store
        history, findings = checker.check(self.address, self.prefix, *databases, ended=True, never=NEVER)
        expect(not findings, "\n".join(map(str, findings[:20])))
        committed = collections.defaultdict(lambda: collections.defaultdict(list))
        for record in history.of("journal"):
            note = record.turn.note
            if note and note["kind"] == "step":
                committed[record.turn.request][note["name"], note.get("ordinal", 0)].append(note["value"])
        ends = {
            record.subject: record
            for record in history.of("responses")
            if record.type == "intent.responded" and record.data["terminal"]
        }
        expect(ends.keys() == {task.name for task in self.tasks}, f"other interactions than were asked for: {ends.keys()}")
        for name, end in ends.items():
            wanted = {step: [result] for step, result in zip(STEPS, end.data["response"]["steps"])}
            steps = committed[end.request]
            expect(dict(steps) == wanted, f"{name} received {wanted}, and {dict(steps)} was committed")
        return f"{len(history.records)} records; {self.run('replay', timeout=300).stdout.strip().splitlines()[-1]}"


class Street:
    """Several deployments, which share nothing."""

    def __init__(self, options, points):
        self.houses = []
        for number in range(options.deployments):
            self.houses.append(TaskHouse(options, number, points))
        #: The points by script.
        self.points = {}

    def each(self, call):
        """Calls it for all deployments at once."""
        with concurrent.futures.ThreadPoolExecutor(len(self.houses)) as pool:
            return list(pool.map(call, self.houses))

    def kill_at_each_point(self, script, points):
        waiting = collections.deque(Task(script, point, None) for point in points)

        def play(house):
            try:
                # The deque is shared: another deployment may take the last one.
                while waiting:
                    house.play(waiting.popleft())
            except IndexError:
                pass
            except AssertionError:
                waiting.clear()
                raise

        self.each(play)
        print(f"     killed at {len(points)} points", flush=True)

    def close(self):
        for house in self.houses:
            house.close()


@judge
def tasks_that_are_not_killed_do_everything_once(street):
    def play(house):
        house.begin()
        for script in POINTS:
            house.play(Task(script, None, house.number))

    street.each(play)
    first = street.houses[0]
    for task in first.tasks:
        points = first.lines(task, "points")
        street.points[task.script] = points
        expect(len(points) == len(set(points)) == POINTS[task.script], f"{task.name} has reached {points}")


@judge
def a_task_that_is_killed_at_any_point_succeeds_once(street):
    street.kill_at_each_point("succeeds", street.points["succeeds"])


@judge
def a_task_that_is_killed_at_any_point_is_undone_once(street):
    street.kill_at_each_point("fails", [*street.points["fails"], *UNDONE])


@judge
def journal_and_store_agree_with_what_users_were_told(street):
    for line in street.each(TaskHouse.check_history):
        print(f"     {line}", flush=True)


def main():
    parser = argparse.ArgumentParser(
        prog="tasks.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--hazardd", required=True, type=lambda path: str(pathlib.Path(path).resolve()), help="the program")
    parser.add_argument("--deployments", type=int, default=4, help="how many tasks are played at once")
    parser.add_argument("--keep", action="store_true", help="leave the files of the deployments there")
    options = parser.parse_args()
    options.together, options.brokers = True, None
    with tempfile.TemporaryDirectory(prefix="intentd-tasks-") as points:
        os.environ["HAZARD_DIRECTORY"] = points
        street = Street(options, pathlib.Path(points))
        try:
            passed, failed = run(JUDGES, None, lambda one: one(street))
        finally:
            street.close()
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())

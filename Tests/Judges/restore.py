#!/usr/bin/env python3
"""Restores backups as the article on operating says, and checks what it says about them.

    restore.py --intentd PATH

Each part starts from the same deployment, whose user has sent three messages: one before store and records were copied
while it ran, one before the data directory was copied, one after. The exit status is 0 when everything holds.
"""

import argparse
import os
import pathlib
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile

from judging import Program, expect, until

JUDGES = pathlib.Path(__file__).resolve().parent
ROOT = JUDGES.parents[1]


class Deployment:
    """`intentd up` on a data directory."""

    def __init__(self, intentd):
        self.intentd = intentd
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="intentd-restore-"))
        self.data = self.directory / "var"
        self.up = None

    def run(self, *words, said=None):
        return subprocess.run([self.intentd, *words, "--data", str(self.data)], input=said, capture_output=True,
                              text=True, timeout=120, cwd=ROOT)

    def launch(self):
        log = open(self.directory / "up.log", "wb")
        self.up = Program([self.intentd, "up", "--demo-user", "me", "--data", str(self.data)], stdout=log,
                                   stderr=log, cwd=ROOT)

    def start(self):
        self.launch()
        until(lambda: self.run("lag").returncode == 0, 60, "up does not answer")

    def stop(self):
        self.up.send_signal(signal.SIGTERM)
        expect(self.up.wait(30) == 0, f"up left with {self.up.returncode}")

    def send(self, text):
        done = self.run("ask", "INSendMessageIntent", "recipients=Jeff Hoof", f"content={text}", said="yes\n")
        expect(f"sentMessages: {text}" in done.stdout, f"the message {text} was not sent: {done.stdout}{done.stderr}")

    def sent(self):
        """The messages that the user has sent, from the handler's own table."""
        with sqlite3.connect(f"file:{self.data / 'store.sqlite'}?mode=ro", uri=True) as database:
            texts = {text for (text,) in database.execute("SELECT content FROM messages")}
        return texts & {"one", "two", "three", "four"}

    def recorded(self, count):
        def all_there():
            query = "SELECT count(*) FROM interactions WHERE status = 'success'"
            try:
                with sqlite3.connect(f"file:{self.data / 'records.sqlite'}?mode=ro", uri=True) as database:
                    return database.execute(query).fetchone()[0] == count
            except sqlite3.OperationalError:
                # The recorder still has to create it.
                return False

        until(all_there, 30, f"{count} interactions are not recorded")

    def verify(self):
        """The results of `audit verify` and the history checker: exit statuses and output."""
        verified = self.run("audit", "verify")
        address = (self.data / "broker.address").read_text().strip()
        checked = subprocess.run([sys.executable, JUDGES / "checker.py", "--brokers", address, "--data", self.data,
                                  "--ended"], capture_output=True, text=True, timeout=120)
        return (verified.returncode, checked.returncode), verified.stdout + checked.stdout

    def copy_while_it_runs(self, name):
        """What `sqlite3 FILE ".backup …"` does."""
        copy = self.directory / f"{name}-backup.sqlite"
        source, target = sqlite3.connect(self.data / f"{name}.sqlite"), sqlite3.connect(copy)
        with target:
            source.backup(target)
        source.close()
        target.close()

    def take_away(self, pattern):
        for file in self.data.glob(pattern):
            file.unlink()

    def put_back(self, name):
        self.take_away(f"{name}.sqlite*")
        shutil.copy(self.directory / f"{name}-backup.sqlite", self.data / f"{name}.sqlite")

    def go_to(self, moment):
        """Starts again from the saved data directory."""
        if self.data.exists():
            shutil.rmtree(self.data)
        shutil.copytree(self.directory / moment, self.data)


def prepare(house):
    house.start()
    house.send("one")
    house.recorded(1)
    house.copy_while_it_runs("store")
    house.copy_while_it_runs("records")
    house.send("two")
    house.recorded(2)
    house.stop()
    shutil.copytree(house.data, house.directory / "backup")
    house.start()
    house.send("three")
    house.recorded(3)
    house.stop()
    shutil.copytree(house.data, house.directory / "last")


def everything(house):
    house.go_to("backup")
    house.start()
    house.send("four")
    house.recorded(3)
    expect(house.sent() == {"one", "two", "four"}, f"{house.sent()} were sent")
    statuses, said = house.verify()
    expect(statuses == (0, 0), f"a deployment that was put back does not hold: {said}")
    house.stop()


def store_alone(house):
    house.go_to("last")
    house.put_back("store")
    house.start()
    house.send("four")
    house.recorded(4)
    expect(house.sent() == {"one", "four"}, f"{house.sent()} were sent")
    statuses, said = house.verify()
    expect(statuses == (1, 1), f"nobody misses the effects of an older store: {said}")
    expect(said.count("but the ledger does not hold it: a retry") == 2, f"not two effects are missed: {said}")
    kinds = {line.split()[0] for line in said.splitlines() if "-" in line.split()[0]}
    expect(kinds == {"effect-missing"}, f"the checker finds {kinds}")
    house.stop()


def records_alone(house):
    house.go_to("last")
    house.take_away("records.sqlite*")
    house.start()
    house.recorded(3)
    house.stop()
    house.put_back("records")
    house.start()
    house.recorded(3)
    statuses, said = house.verify()
    expect(statuses == (0, 0), f"records that were made again differ: {said}")
    house.stop()


def records_beyond_the_topics(house):
    house.go_to("backup")
    for file in (house.directory / "last").glob("records.sqlite*"):
        shutil.copy(file, house.data)
    house.launch()
    expect(house.up.wait(60) == 78, f"up left with {house.up.returncode}")
    said = (house.directory / "up.log").read_text()
    expect("belong to other topics" in said, f"it left without saying why: {said}")


def store_beyond_the_topics(house):
    house.go_to("backup")
    house.take_away("store.sqlite*")
    shutil.copy(house.directory / "last" / "store.sqlite", house.data)
    house.launch()
    expect(house.up.wait(60) == 78, f"up left with {house.up.returncode}")
    said = (house.directory / "up.log").read_text()
    expect("holds requests of intents.requests[" in said, f"it left without saying why: {said}")


def lanes_without_files(house):
    house.go_to("last")
    house.take_away("state-*.sqlite*")
    house.start()
    house.send("four")
    house.recorded(4)
    statuses, said = house.verify()
    expect(statuses == (0, 0), f"lanes without files: {said}")
    house.stop()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--intentd", required=True, type=os.path.abspath)
    house = Deployment(parser.parse_args().intentd)
    try:
        prepare(house)
        for part in (everything, store_alone, records_alone, records_beyond_the_topics, store_beyond_the_topics,
                     lanes_without_files):
            part(house)
            print(f"ok    {part.__name__.replace('_', ' ')}")
    finally:
        if house.up is not None:
            house.up.kill()
        shutil.rmtree(house.directory)


if __name__ == "__main__":
    main()

"""The terminal as a person has it: intentd's commands on pseudo-terminals, judged by what the screen shows.

  terminal.py --intentd PROGRAM [--only WORD]
"""

import codecs
import fcntl
import json
import os
import pathlib
import pty
import re
import select
import shutil
import signal
import sqlite3
import struct
import subprocess
import tempfile
import termios
import time

from judging import Program, expect, judge_with, until

ROOT = pathlib.Path(__file__).resolve().parents[2]
JUDGES = []
# The only sequences that intentd may send: colours, and what moves the cursor on the line that is typed.
OWN = re.compile(rb"\x1b\[(?:\d+(?:;\d+)*)?[mKCHJ]")
UP, LEFT, TAB, INTERRUPT = b"\x1b[A", b"\x1b[D", b"\t", b"\x03"


def judge(made):
    JUDGES.append(made)
    return made


class Screen:
    """What a terminal that breaks no lines would show, and how far to the right anything stood."""

    def __init__(self):
        self.lines, self.column, self.widest = [""], 0, 0
        self.decoder, self.rest = codecs.getincrementaldecoder("utf-8")(errors="replace"), ""

    def show(self, output):
        text = self.rest + self.decoder.decode(output)
        # A read may end within an escape sequence.
        unfinished = re.search(r"\x1b(\[[\d;]*)?$", text)
        self.rest = unfinished.group() if unfinished else ""
        text = text[: len(text) - len(self.rest)]
        place = 0
        while place < len(text):
            escape = re.compile(r"\x1b\[([\d;]*)([A-Za-z])").match(text, place)
            if escape:
                place = escape.end()
                self.steer(escape.group(1), escape.group(2))
                continue
            character = text[place]
            place += 1
            if character == "\r":
                self.column = 0
            elif character == "\n":
                self.lines.append("")
            elif character != "\a":
                line = self.lines[-1].ljust(self.column)
                self.lines[-1] = line[: self.column] + character + line[self.column + 1 :]
                self.column += 1
                self.widest = max(self.widest, self.column)

    def steer(self, number, letter):
        if letter == "C":
            self.column += int(number or 1)
        elif letter == "K":
            self.lines[-1] = self.lines[-1][: self.column]
        elif letter == "J":
            self.lines, self.column = [""], 0

    @property
    def text(self):
        return "\n".join(line.rstrip() for line in self.lines)


class Terminal:
    """A command on a pseudo-terminal."""

    def __init__(self, command, columns=80, **environment):
        self.screen, self.output, self.status = Screen(), b"", None
        self.pid, self.end = pty.fork()
        if self.pid == 0:
            os.chdir(ROOT)
            clean = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "COLUMNS")}
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
            os.execve(command[0], command, {**clean, "TERM": "xterm", **environment})
        self.before = termios.tcgetattr(self.end)

    def read(self, seconds):
        """Whether something came, or the end."""
        ready, _, _ = select.select([self.end], [], [], seconds)
        if not ready:
            return False
        try:
            more = os.read(self.end, 65536)
        except OSError:
            more = b""
        self.output += more
        self.screen.show(more)
        return bool(more)

    def see(self, words, seconds=20):
        """Waits until the words stand on the screen, behind what was seen before."""
        deadline = time.monotonic() + seconds
        while words not in self.screen.text[self.seen :]:
            expect(time.monotonic() < deadline, f"no {words!r} on the screen:\n{self.screen.text}")
            self.read(0.1)
        self.seen += self.screen.text[self.seen :].index(words) + len(words)

    seen = 0

    def type(self, keys):
        os.write(self.end, keys if isinstance(keys, bytes) else keys.encode())

    def wait(self, seconds=30):
        """The exit status, when all was read."""
        deadline = time.monotonic() + seconds
        while self.status is None:
            expect(time.monotonic() < deadline, f"it does not end:\n{self.screen.text}")
            self.read(0.05)
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.status = os.waitstatus_to_exitcode(status)
        while self.read(0.1):
            pass
        os.close(self.end)
        return self.status


class House:
    """A deployment in one process, and terminals on it."""

    def __init__(self, intentd):
        self.intentd = intentd
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="intentd-terminal-"))
        self.data = str(self.directory / "data")
        self.log = open(self.directory / "up.log", "wb")
        self.up = Program(
            [intentd, "up", "--data", self.data, "--demo-user", "me", "--samples"],
            stdout=self.log, stderr=self.log, cwd=ROOT,
            env={**os.environ, "INTENTD_MONITORING_LISTEN": "none", "INTENTD_CONSOLE_LISTEN": "none"},
        )
        try:
            until(lambda: b"Ctrl-C stops it" in pathlib.Path(self.log.name).read_bytes(), 60, "it does not come up")
        except AssertionError:
            self.close()
            raise

    def close(self):
        self.up.send_signal(signal.SIGTERM)
        try:
            self.up.wait(30)
        except subprocess.TimeoutExpired:
            self.up.kill()
            self.up.wait()
        self.log.close()
        shutil.rmtree(self.directory, ignore_errors=True)

    def words(self, *words):
        return [self.intentd, *words, "--data", self.data]

    def terminal(self, *words, columns=80, **environment):
        return Terminal(self.words(*words), columns, **environment)

    def show(self, *words, columns=80, status=0, **environment):
        """A command's screen when it has ended."""
        terminal = self.terminal(*words, columns=columns, **environment)
        ended = terminal.wait(120)
        expect(ended == status, f"{' '.join(words)} ended with {ended}:\n{terminal.screen.text}")
        return terminal

    def run(self, *words, typed="", status=0):
        """A command without a terminal: what it printed."""
        done = subprocess.run(self.words(*words), input=typed, capture_output=True, text=True, timeout=120, cwd=ROOT)
        expect(done.returncode == status, f"{' '.join(words)} ended with {done.returncode}: {done.stderr[-2000:]}")
        return done

    def interaction(self, name):
        """An interaction as it is recorded, when it has ended."""

        def ended():
            for line in self.run("list", "--json", "--limit", "1000").stdout.splitlines():
                found = json.loads(line)
                if found["interaction"] == name and "endedAt" in found:
                    return found

        return until(ended, 30, f"interaction {name} has not ended in the records")

    def interaction_of(self, user):
        """The id of a user's interaction, when it is recorded."""

        def found():
            for line in self.run("list", "--json", "--limit", "1000").stdout.splitlines():
                if json.loads(line).get("user") == user:
                    return json.loads(line)["interaction"]

        return until(found, 30, f"nothing of {user!r} is recorded")

    def produce(self, events):
        file = self.directory / "events.ndjson"
        file.write_text("".join(json.dumps(event) + "\n" for event in events))
        self.run("produce", str(file))


def named(terminal):
    """The interaction's id at the end of a conversation."""
    return re.search(r"interaction\s+(\S+)$", terminal.screen.text.strip()).group(1)


@judge
def a_conversation_is_edited_completed_and_named(house):
    asked = house.terminal("ask", "BookRestaurantTable", "restaurant=Old Mill")
    asked.see("For which day?")
    asked.see("tomorrow or Friday, or cancel]")
    asked.see(">")
    asked.type(b"tomorow" + LEFT + LEFT + b"r\r")
    asked.see("At what time?")
    asked.see(">")
    asked.type("7pm\r")
    asked.see("time: 19:00")
    asked.see(">")
    asked.type(TAB)
    asked.see("people=")
    asked.type(b"peo" + TAB + b"4\r")
    asked.see("people: 4")
    asked.see(">")
    asked.type(b"maybe\r")
    asked.see("neither yes nor no")
    asked.see(">")
    asked.type(b"y" + TAB + b"\r")
    asked.see("✓ success")
    expect(asked.wait() == 0, f"it ended with {asked.status}")
    found = house.interaction(named(asked))
    expect(found["parameters"]["people"] == 4 and found["status"] == "success", f"recorded: {found}")


@judge
def what_was_typed_before_comes_back(house):
    for expected in (None, "20:15"):
        asked = house.terminal("ask", "BookRestaurantTable", "restaurant=Old Mill", "date=2026-12-03")
        asked.see("At what time?")
        asked.see(">")
        asked.type(UP if expected else b"20:15")
        asked.see("20:15")
        asked.type("\r")
        asked.see("time: 20:15")
        asked.see(">")
        asked.type("cancel\r")
        asked.wait()
    kept = pathlib.Path(house.data, "ask-history")
    expect(kept.stat().st_mode & 0o077 == 0, f"others may read it: {kept.stat().st_mode:o}")
    expect("20:15" in kept.read_text().splitlines(), f"kept: {kept.read_text()}")


@judge
def ctrl_c_cancels_and_leaves_with_130(house):
    asked = house.terminal("ask", "BookRestaurantTable", "restaurant=Old Mill")
    asked.see("For which day?")
    asked.see(">")
    asked.type("mor")
    asked.see("mor")
    asked.type(INTERRUPT)
    asked.see("abortedByUser")
    expect(termios.tcgetattr(asked.end) == asked.before, "the terminal is not as it was")
    expect(asked.wait() == 130, f"it ended with {asked.status}")
    found = house.interaction(named(asked))
    expect(found["endReason"] == "abortedByUser", f"recorded: {found}")


@judge
def german_is_asked_and_understood(house):
    asked = house.terminal("ask", "BookRestaurantTable", "restaurant=Old Mill", "--locale", "de")
    asked.see("oder abbrechen]")
    asked.see(">")
    asked.type("übermorgen\r")
    asked.see("Uhrzeit")
    asked.see(">")
    asked.type("19 Uhr 30\r")
    asked.see("time: 19:30")
    asked.see("ja, nein, abbrechen")
    asked.see(">")
    asked.type("ja\r")
    asked.see("success")
    expect(asked.wait() == 0, f"it ended with {asked.status}")


@judge
def lines_are_typed_plainly_without_a_terminal(house):
    done = house.run("ask", "BookRestaurantTable", "restaurant=Old Mill", "date=tomorrow", typed="7pm\nyes\n")
    expect("\x1b" not in done.stdout + done.stderr, f"sequences without a terminal: {done.stdout!r}")
    expect("✓ success" in done.stdout, done.stdout)


@judge
def colours_are_shown_where_they_are_wanted(house):
    expect(b"\x1b[31m" in house.show("lst", status=64).output, "no colour on a terminal")
    for environment in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
        output = house.show("lst", status=64, **environment).output
        expect(b"\x1b" not in output, f"{environment}: {output!r}")
    expect(b"\x1b[" in house.show("list", NO_COLOR="").output, "an empty NO_COLOR counts")


@judge
def slips_are_answered_with_what_was_meant(house):
    for words, meant in (
        (("lst",), "did you mean list?"),
        (("topics", "creat"), "did you mean create?"),
        (("ask", "BookRestaurantTabel"), "did you mean BookRestaurantTable?"),
        (("ask", "BookRestaurantTable", "resturant=Old Mill"), "did you mean restaurant?"),
        (("tail", "respones"), "did you mean responses?"),
    ):
        shown = house.show(*words, columns=200, status=66 if words[0] == "tail" else 64)
        expect(meant in shown.screen.text, f"{words}: {shown.screen.text}")


@judge
def nothing_runs_over_the_edge(house):
    shown = house.show("ask", "NoSuchIntentThatAnybodyHasHeardOf", columns=40, status=64)
    expect(shown.screen.widest <= 40, f"{shown.screen.widest} columns:\n{shown.screen.text}")
    asked = house.terminal("ask", "BookRestaurantTable", "restaurant=Old Mill", columns=40)
    asked.see("For which day?")
    asked.see(">")
    asked.type("x" * 100)
    until(lambda: not asked.read(0.3), 10, "it does not come to rest")
    expect(asked.screen.widest <= 40, f"{asked.screen.widest} columns:\n{asked.screen.text}")
    asked.type(b"\x15tomorrow\r")
    asked.see("At what time?")
    asked.type(INTERRUPT)
    asked.wait()
    name = named(asked)
    house.interaction(name)
    listed = house.show("list", columns=80)
    expect(listed.screen.widest <= 80, f"{listed.screen.widest} columns:\n{listed.screen.text}")
    expect(any(name in line for line in listed.screen.lines), f"the id is broken:\n{listed.screen.text}")


@judge
def what_clients_write_steers_no_terminal(house):
    evil = "\x1b]0;owned\x07\x1b[2J\u202eevil\r\nsecond"
    event = {
        "type": "intent.requested", "subject": f"a{evil}",
        "data": {"intent": {"name": "BookRestaurantTable", "parameters": {"restaurant": evil}}, "user": {"id": f"u{evil}"}},
    }
    house.produce([event])
    found = house.interaction_of(f"u{evil}")
    for words in (
        ("list",), ("show", found), ("tail", "--from-beginning", "--until-end"), ("audit", "show", found),
        ("replay", "--interaction", found), ("dead-letters", "list"),
    ):
        output = house.show(*words, columns=120).output
        rest = OWN.sub(b"", output).decode()
        found = [character for character in "\x1b\x07\x9b\u202e" if character in rest]
        expect(not found, f"{words} lets {found} through: {rest!r}")


@judge
def a_shell_completes_intents_and_their_parameters(house):
    script = house.directory / "completion.bash"
    made = subprocess.run([house.intentd, "--generate-completion-script", "bash"], capture_output=True, check=True)
    script.write_bytes(made.stdout)
    # Bash's own editing sends sequences of its own, which the screen does not know: words alone are looked for.
    shell = Terminal(
        ["/bin/bash", "--norc", "--noprofile", "-i"], columns=200,
        PATH=f"{os.path.dirname(house.intentd)}:{os.environ['PATH']}", PS1="> ", INPUTRC="/dev/null",
    )
    shell.see(">")
    shell.type(f"bind 'set enable-bracketed-paste off'; source {script}\r")
    shell.type(b"intentd ask BookR" + TAB)
    shell.see("BookRestaurantTable")
    shell.type(b"peo" + TAB)
    shell.see("people")
    shell.type(b"\x15exit\r")
    shell.wait()


@judge
def tail_goes_by_time(house):
    house.produce([
        {"type": "intent.requested", "subject": f"order-{number}",
         "data": {"intent": {"name": "NobodyIntent"}, "user": {"id": f"user-{number}"}}}
        for number in range(200)
    ])
    until(lambda: "order-199" in house.run("list", "--limit", "1000").stdout, 60, "not recorded")
    lines = house.run("tail", "--from-beginning", "--until-end", "--json").stdout.splitlines()
    places = [(event["topic"], event["partition"]) for event in map(json.loads, lines)]
    texts = house.run("tail", "--from-beginning", "--until-end").stdout.splitlines()
    times = [line[:12] for line in texts]
    expect(len(set(places)) > 4 and len(times) == len(places), f"{len(set(places))} places, {len(times)} lines")
    expect(times == sorted(times), "records are not in the order of time")


@judge
def progress_has_a_rate_and_the_time_that_is_left(house):
    file = house.directory / "many.ndjson"
    file.write_text("".join(
        json.dumps({"type": "vocabulary.removed", "data": {"user": {"id": f"u{number}"}}}) + "\n" for number in range(900)
    ))
    shown = house.show("produce", str(file), "--rate", "300")
    text = shown.output.decode()
    expect(re.search(r"\[#+-+\] \d+ %  \d+ events  \d+/s  0:0\d left", text), f"no progress: {text!r}")
    expect(shown.screen.text.startswith("intentd: sent 900 events"), f"it stays on the screen: {shown.screen.text}")
    done = house.run("produce", str(file), "--rate", "3000")
    expect("%" not in done.stderr, f"progress without a terminal: {done.stderr!r}")


@judge
def a_full_disk_ends_what_writes_results_and_not_what_logs(house):
    with open("/dev/full", "wb") as full:
        interactions = [house.intentd, "list", "--data", house.data]
        done = subprocess.run(interactions, stdout=full, stderr=subprocess.PIPE, text=True, timeout=120, cwd=ROOT)
        expect(done.returncode == 69, f"list to a full disk ended with {done.returncode}: {done.stderr}")
        expect("cannot write to standard output: No space left on device" in done.stderr, done.stderr)
        # Without it this says "no dead letters" on standard error.
        letters = [house.intentd, "dead-letters", "list", "--data", house.data]
        done = subprocess.run(letters, stdout=subprocess.PIPE, stderr=full, timeout=120, cwd=ROOT)
        expect(done.returncode == 0, f"a log that is full ended the command with {done.returncode}")


@judge
def findings_are_told_by_interaction_with_both_values(house):
    house.run("ask", "BookRestaurantTable", "restaurant=Old Mill", "date=2026-12-03", "time=19:00", typed="yes\n")
    until(lambda: house.run("audit", "verify", "--json").returncode == 0, 60, "not sound")
    copy = house.directory / "copy.sqlite"
    with sqlite3.connect(f"file:{house.data}/records.sqlite?mode=ro", uri=True) as source, sqlite3.connect(copy) as made:
        source.backup(made)
        changed = made.execute(
            "UPDATE events_kept SET value = replace(value, '19:00', '18:00') WHERE topic = 'requests' AND \"offset\" ="
            " (SELECT max(\"offset\") FROM events_kept WHERE topic = 'requests' AND value LIKE '%19:00%')"
            " AND value LIKE '%19:00%'"
        ).rowcount
    expect(changed > 0, "nothing was changed")
    shown = house.show("audit", "verify", "--records", str(copy), columns=100, status=1)
    text = " ".join(shown.screen.text.split())
    expect(re.search(r"interaction \S+ of me", text), text)
    expect("the records say 18:00, the topics say 19:00" in text, text)


@judge
def one_bad_definition_keeps_nobody_from_reading(house):
    asked = house.run("ask", "BookRestaurantTable", "restaurant=Old Mill", "date=2026-12-03", "time=19:00", typed="yes\n")
    name = asked.stdout.split()[-1]
    house.interaction(name)
    bad = house.directory / "bad.yaml"
    bad.write_text("name: [\n")
    for words in (("list",), ("lag",), ("dead-letters", "list")):
        house.run(*words, "--definitions", str(bad))
    for words in (("show", name), ("audit", "show", name), ("tail", "responses", "--from-beginning", "--until-end")):
        done = house.run(*words, "--definitions", str(bad))
        expect(f"{bad}:" in done.stderr and "masked" in done.stderr, f"{words} does not say what is wrong: {done.stderr}")
        expect(name in done.stdout and "Old Mill" not in done.stdout, f"{words}: {done.stdout}")
    verify = house.words("audit", "verify", "--definitions", str(bad))
    # What was just done may not be recorded yet.
    until(lambda: subprocess.run(verify, capture_output=True, cwd=ROOT).returncode == 0, 60, "it cannot be verified")


@judge
def what_init_and_up_say_to_type_can_be_typed(house):
    folder = house.directory / "typed"
    folder.mkdir()
    own = {**os.environ, "PATH": f"{os.path.dirname(house.intentd)}:{os.environ['PATH']}",
           "INTENTD_MONITORING_LISTEN": "none", "INTENTD_CONSOLE_LISTEN": "none"}

    def typed(line, said=""):
        done = subprocess.run(["sh", "-c", line], cwd=folder, env=own, input=said, text=True, capture_output=True, timeout=60)
        expect(done.returncode == 0, f"{line} ended with {done.returncode}: {done.stderr}")
        return done.stdout

    typed("intentd init OrderTea --declared")
    folder /= "OrderTea"
    *before, up, ask = re.search(r"```sh\n(.*?)\n```", (folder / "README.md").read_text(), re.S)[1].splitlines()
    for line in before:
        typed(line)
    log = house.directory / "typed.log"
    with open(log, "wb") as file:
        served = Program(up.split(), cwd=folder, env=own, stdout=file, stderr=file)
    try:
        until(lambda: "Ctrl-C stops it" in log.read_text(), 60, "it does not come up")
        hint = re.search(r"^  (\S+ ask .*# starts a conversation)$", log.read_text(), re.M)[1]
        for line in (ask, hint):
            said = typed(line, "1\nyes\n")
            expect("✓ success" in said and "item: green tea" in said, f"{line}: {said}")
    finally:
        served.send_signal(signal.SIGTERM)
        served.wait(30)


if __name__ == "__main__":
    judge_with(House, JUDGES, __doc__)

#!/usr/bin/env python3
"""What intentd is given in files and on its command line, and has to refuse before it does anything.

    refusals.py --intentd PATH [--only NAME]

Files that are larger than they look, that never end, or are not what they are named as; settings and ids that nothing
can have. `config check`, `up` and `work` give the same answer: the same exit status and the same message, which names
the place, within seconds and little memory, and without a byte that a terminal would obey. Nothing here needs a broker.
The exit status is 0 when nothing failed; the last line says how many passed.
"""

import argparse
import os
import pathlib
import plistlib
import resource
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time

from judging import expect, run

ROOT = pathlib.Path(__file__).resolve().parents[2]
JUDGES = []
ROLES = ["resolve", "confirm", "handle", "record"]
STATUSES = (64, 65, 66, 78)
#: What a refusal may take: an unoptimized build on a busy machine needs a part of it.
SECONDS, MEGABYTES = 20, 400
#: Scenarios and anchors may have 256 MiB.
LARGE = 700


def judge(one):
    JUDGES.append(one)
    return one


class Answer:
    """How a command ended."""

    def __init__(self, words, status, errors, output, seconds, megabytes):
        self.words, self.status, self.errors, self.output = " ".join(map(str, words))[:150], status, errors, output
        self.seconds, self.megabytes = seconds, megabytes

    @property
    def text(self):
        used = f"{self.seconds:.1f} s, {self.megabytes:.0f} MiB"
        return f"`{self.words}` ended with {self.status} after {used}: {self.errors[:600]}"


class Desk:
    """A folder for files, and the program."""

    def __init__(self, options):
        self.intentd = os.path.abspath(options.intentd)
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="intentd-refusals-"))
        self.slowest, self.largest, self.count = 0, 0, 0
        self.wrong = []

    def close(self):
        shutil.rmtree(self.directory, ignore_errors=True)

    def write(self, name, content):
        path = self.directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def configuration(self, text, name="c.yaml"):
        """A configuration with this and little else; nothing is found in the folders of the project."""
        nowhere = self.directory / "nowhere"
        own = {"vocabularies": nowhere, "prompts.directory": nowhere, "data": self.directory / "data", "samples": "false"}
        lines = [f"{key}: {value}\n" for key, value in own.items() if f"{key}:" not in text]
        return self.write(name, text + "\n" + "".join(lines))

    def run(self, words, environment=None, megabytes=MEGABYTES):
        """A command, with bounds on its time and memory."""
        environment = {key: value for key, value in os.environ.items() if not key.startswith("INTENTD_")} | (environment or {})
        quiet = {"INTENTD_MONITORING_LISTEN": "none", "INTENTD_CONSOLE_LISTEN": "none"}

        def bound():
            # A bomb must not take the machine with it.
            resource.setrlimit(resource.RLIMIT_DATA, (3 << 30, 3 << 30))
            resource.setrlimit(resource.RLIMIT_CPU, (60, 60))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

        began = time.monotonic()
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            process = subprocess.Popen(
                [self.intentd, *words], stdout=out, stderr=err, stdin=subprocess.DEVNULL, preexec_fn=bound,
                env=quiet | environment, cwd=ROOT,
            )  # fmt: skip
            while True:
                pid, status, used = os.wait4(process.pid, os.WNOHANG)
                if pid:
                    break
                if time.monotonic() - began > 3 * SECONDS:
                    process.send_signal(signal.SIGKILL)
                time.sleep(0.01)
            process.returncode = os.waitstatus_to_exitcode(status)
            texts = []
            for file in (err, out):
                file.seek(0)
                texts.append(file.read().decode(errors="replace"))
        answer = Answer(words, process.returncode, *texts, time.monotonic() - began, used.ru_maxrss / 1024)
        self.slowest, self.largest = max(self.slowest, answer.seconds), max(self.largest, answer.megabytes)
        self.count += 1
        expect(answer.seconds < SECONDS and answer.megabytes < megabytes, answer.text)
        obeyed = {character for character in answer.errors + answer.output if ord(character) < 32 or 127 <= ord(character) < 160}
        expect(obeyed <= set("\n\t"), f"{obeyed} is printed: {answer.text!r}")
        return answer

    def refuses(self, words, *expected, statuses=STATUSES, length=8_000, **more):
        """The command is refused with a message that holds these words."""
        answer = self.run(words, **more)
        expect(answer.status in statuses, answer.text)
        expect(len(answer.errors) < length, f"the message has {len(answer.errors)} characters: {answer.text}")
        for word in expected:
            expect(word in answer.errors, f"not {word!r}: {answer.text}")
        return answer

    def refuses_alike(self, options, *expected, **more):
        """`config check`, `up` and `work` refuse with the same status and the same message."""
        check = self.refuses(["config", "check", *options], *expected, **more)
        for command in (["up"], ["work", *ROLES]):
            other = self.refuses([*command, *options], *expected, **more)
            # With a wrong command line each adds how it is used.
            same = check.errors.partition("\n")[0] if check.status == 64 else check.errors
            expect(other.status == check.status and other.errors.startswith(same), f"{check.text}\nbut {other.text}")
        return check

    def collect(self, what, call):
        """Notes what is wrong about one of many; they are counted at the judge's end."""
        try:
            return call()
        except AssertionError as error:
            self.wrong.append(f"{what}: {error}")


def bombs():
    """YAML that expands to more than it holds, by name."""
    lines = ["a: &a [ha, ha, ha, ha, ha, ha, ha, ha, ha]"]
    merged = ["a: &a {" + ", ".join(f"k{n}: v" for n in range(9)) + "}"]
    for name, before in zip("bcdefghi", "abcdefgh"):
        lines.append(f"{name}: &{name} [" + ", ".join([f"*{before}"] * 9) + "]")
        merged.append(f"{name}: &{name} {{" + ", ".join(f"{name}{n}: {{<<: *{before}}}" for n in range(9)) + "}")
    chained = "".join(f"k{n}: &k{n} [[{f'*k{n - 1}' if n else 'x'}]]\n" for n in range(2_000))
    return {
        "aliases": "\n".join(lines),
        "a bomb as a key": "\n".join([*lines, "? *i", ": x"]),
        "merged keys": "\n".join([*merged, "z: {<<: *i}"]),
        "a long text, again and again": f"a: &a {'x' * (1 << 20)}\nb:\n" + "- *a\n" * 100,
        "a depth of 100,000": "a: " + "[" * 100_000 + "]" * 100_000,
        "a depth of 100,000 that never ends": "a: " + "{b: " * 100_000,
        "a depth by indentation": "\n".join(" " * n + "a:" for n in range(1_500)),
        "a depth by aliases": chained,
        "a million small values": "a: [" + "1," * 1_000_000 + "1]",
        "more than 4 MiB": "a: x\n" + "#" * (5 << 20),
        "an alias of itself": "a: &a [*a]\n",
        "an alias of nothing": "a: *b\n",
    }


def binary_bomb(levels=9):
    """A binary property list of lists that hold the next one ten times."""
    data, offsets = bytearray(b"bplist00"), []
    for level in range(levels):
        offsets.append(len(data))
        data += b"\xaa" + bytes([level + 1]) * 10
    offsets.append(len(data))
    data += b"\x51a"
    table = len(data)
    data += b"".join(struct.pack(">H", offset) for offset in offsets)
    return bytes(data) + bytes([0] * 6 + [2, 1]) + struct.pack(">QQQ", len(offsets), 0, table)


DOCTYPE = '<?xml version="1.0"?><!DOCTYPE plist [{}]><plist version="1.0"><dict><key>a</key><string>&{};</string></dict></plist>'
ENTITIES = '<!ENTITY l0 "lol">' + "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))


@judge
def bombs_in_yaml(desk):
    """In definitions, vocabularies, prompts, and the configuration itself."""
    folders = {"vocabularies": "en.lproj/AppIntentVocabulary.yaml", "prompts.directory": "de.yaml"}
    for number, (name, text) in enumerate(bombs().items()):
        file = desk.write(f"bomb-{number}.yaml", text + "\n")
        # The messages name the file; where a folder is read, too.
        desk.refuses_alike(["--config", desk.configuration(f"definitions: [{file}]")], f"{file}:")
        desk.refuses(["config", "check", "--config", desk.configuration(""), "--definitions", file], f"{file}:")
        desk.refuses_alike(["--config", file], f"{file}:")
        for setting, path in folders.items():
            file = desk.write(f"{setting}-{number}/{path}", text + "\n")
            folder = desk.directory / f"{setting}-{number}"
            desk.refuses(["config", "check", "--config", desk.configuration(f"{setting}: {folder}")], f"{file}")


@judge
def bombs_in_json_and_property_lists(desk):
    """Depth, references and entities, which are not resolved."""
    texts = {
        "depth.json": b"[" * 1_000_000,
        "closed.json": b"[" * 100_000 + b"]" * 100_000,
        "objects.json": b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
        "number.json": b'{"name": "A", "parameters": [{"name": "a", "type": "number", "maximum": ' + b"9" * 1_000_000 + b"}]}",
        "exponent.json": b'{"name": "A", "parameters": [{"name": "a", "type": "integer", "maximum": 1e999999999}]}',
        "nothing.json": b"",
        "nul.json": b"\0" * 4_096,
        "bytes.json": bytes(range(128, 256)) * 64,
    }
    for name, content in texts.items():
        file = desk.write(name, content)
        desk.refuses_alike(["--config", desk.configuration(f"definitions: [{file}]")], f"{file}")
    secret = desk.write("secret", "hunter2")
    lists = {
        "references": binary_bomb(),
        "cut": binary_bomb()[:-9],
        "offsets": b"bplist00" + b"\xff" * 40,
        "entities": DOCTYPE.format(ENTITIES, "l9").encode(),
        "a file": DOCTYPE.format(f'<!ENTITY x SYSTEM "file://{secret}">', "x").encode(),
        "depth": b'<plist version="1.0">' + b"<array>" * 100_000,
    }
    for number, (name, content) in enumerate(lists.items()):
        file = desk.write(f"list-{number}/en.lproj/AppIntentVocabulary.plist", content)
        folder = desk.directory / f"list-{number}"
        answer = desk.refuses_alike(["--config", desk.configuration(f"vocabularies: {folder}")], f"{file}")
        expect("hunter2" not in answer.errors + answer.output, f"{name}: the file is shown: {answer.text}")
    large = plistlib.dumps({"a": ["x"] * 10}, fmt=plistlib.FMT_BINARY) + b"\0" * (5 << 20)
    file = desk.write("large/en.lproj/AppIntentVocabulary.plist", large)
    desk.refuses_alike(["--config", desk.configuration(f"vocabularies: {desk.directory / 'large'}")], f"{file}")


@judge
def files_that_never_end(desk):
    """/dev/zero, a folder and what is not there, in the place of every file that is named to intentd."""
    plain = desk.configuration("", "plain.yaml")
    common = ["--config", plain]
    for path in ("/dev/zero", str(desk.directory), str(desk.directory / "none")):

        def alike(text):
            desk.collect(f"{text} {path}", lambda: desk.refuses_alike(["--config", desk.configuration(text)], path))

        desk.collect(f"--config {path}", lambda: desk.refuses_alike(["--config", path], path))
        alike(f"definitions: [{path}]")
        alike(f"kafka: {{sasl.password: {{file: {path}}}}}")
        alike(f"audit.keyFile: {path}")
        for words in (
            ["test", path, *common],
            ["produce", "--check", path, *common],
            ["audit", "verify", "--anchor", path, *common],
            ["vocabulary", "set", path, "--user", "u", "--type", "contactName", *common],
        ):
            # Some look for the broker first.
            desk.collect(words, lambda: desk.refuses(words, statuses=(*STATUSES, 69), megabytes=LARGE))
        for tls in (f"{{caFile: {path}}}", f"{{certificateFile: {path}, keyFile: {path}}}"):
            file = desk.write("tls.yaml", f"name: A\nhandler: {{http: {{url: 'https://localhost/', tls: {tls}}}}}\n")
            alike(f"definitions: [{file}]")
    for setting, name in (("vocabularies", "en.lproj/AppIntentVocabulary.plist"), ("prompts.directory", "de.yaml")):
        link = desk.directory / f"link-{setting}" / name
        link.parent.mkdir(parents=True)
        link.symlink_to("/dev/zero")
        folder = desk.directory / f"link-{setting}"
        file = desk.configuration(f"{setting}: {folder}")
        desk.collect(f"a link in {setting}", lambda: desk.refuses_alike(["--config", file], str(link)))
    # A line that does not end, or has a depth, where lines are events, scenarios or terms.
    for name, content in (
        ("long", b'{"a": "' + b"x" * (5 << 20)), ("deep", b"[" * 100_000 + b"\n"), ("nul", b"\0" * 100 + b"\n"),
        ("bytes", b"\xff\xfe\n"),
    ):  # fmt: skip
        file = str(desk.write(f"{name}.ndjson", content))
        for words in (["test", file], ["produce", "--check", file], ["audit", "verify", "--anchor", file]):
            desk.collect(words, lambda: desk.refuses([*words, *common], statuses=(*STATUSES, 69, 1)))


@judge
def files_that_are_something_else(desk):
    """A file with secrets that is named as a definition, a configuration or a vocabulary: none of its values is shown."""
    text = (
        "password: hunter2-value\n"
        f'"PRIVATE KEY {"k" * 60}tail": secret-value\n'
        "url: postgres://user:pass-value@host/db\n"
        'default: "\\e[31mred-value"\n'
        '"\\e]0;title\\a": bell-value\n'
    )
    file = desk.write("secrets.yaml", text)
    for answer in (
        desk.refuses_alike(["--config", desk.configuration(f"definitions: [{file}]")], f"{file}:1", "password"),
        desk.refuses_alike(["--config", file], f"{file}:1", "password"),
    ):
        for hidden in ("-value", "tail"):
            expect(hidden not in answer.errors + answer.output, f"{hidden} is shown: {answer.text}")
    for name in ("id_rsa", "env.sh", "notes.txt", "page.html"):
        content = {
            "id_rsa": "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAhunter2\n-----END OPENSSH PRIVATE KEY-----\n",
            "env.sh": "export AWS_SECRET_ACCESS_KEY=hunter2\n",
            "notes.txt": "the password is hunter2, do not tell\n",
            "page.html": "<html><body token='hunter2'>\x1b[2J</body></html>\n",
        }[name]
        file = desk.write(name + ".yaml", content)
        for options in (["--config", file], ["--config", desk.configuration(f"definitions: [{file}]")]):
            answer = desk.collect(name, lambda: desk.refuses_alike(options, f"{file}"))
            text = answer.errors + answer.output if answer else ""
            desk.collect(name, lambda: expect("hunter2" not in text, f"its content is shown: {text[:400]}"))


#: Settings, with values that they cannot have: control characters, nothing, too long, out of bounds, of another kind.
SETTINGS = {
    "prefix": ["../x", "a b", "", "ä", "a\x1b[31m", "a\nb", "p" * 250, "\u202ea"],
    "data": [""],
    "logLevel": ["loud", "", "\x1b[31m", "i" * 5_000],
    "logFormat": ["xml"],
    "ledger": ["mysql://x", "", "postgresql://u:hunter2@h/d", "sqlite\x07", "l" * 5_000],
    "monitoring.listen": ["0.0.0.0:99999", "localhost", ":80", "a b:1", "::1:80", "h\x1b:1", "127.0.0.1:-1"],
    "console.listen": ["127.0.0.1", "user:hunter2@h", "h" * 5_000 + ":1"],
    "monitoring.hosts": ["a:80", "a b", "\x1b[31m"],
    "tracing.endpoint": ["collector:4318", "ftp://a", "http://u:hunter2@h", "http://h\x1b"],
    "tracing.sample": ["1.5", "-1", "nan", "half"],
    "prompts.timeout": ["0s", "-1s", "5", "101y", "9" * 400 + "s", "1s\x1b"],
    "handlers.concurrency": ["0", "-1", "1.5", "many", "9" * 400, "0x10", "١"],
    "topics.partitions": ["0", "10001", "1e3"],
    "formats.write": ["0", "99"],
    "delivery": ["sometimes", "\x1b"],
    "samples": ["yes", "1", ""],
    "restrictedWhileLocked": ["NobodyHandlesThisIntent", "\x1b[31m"],
    "brokers": ["localhost", "a:0", "b:99999", "a:1\x1b", "h" * 5_000],
}


def quoted(value):
    """A text as YAML, whatever it holds."""
    return '"' + "".join(c if c.isalnum() and c.isascii() else f"\\U{ord(c):08x}" for c in value) + '"'


@judge
def settings_that_nothing_can_have(desk):
    """In the file and in the environment: `check`, `up` and `work` agree."""
    for setting, values in SETTINGS.items():
        variable = "INTENTD_" + "".join(f"_{c}" if c.isupper() else "_" if c == "." else c for c in setting).upper()
        for value in values:
            is_list = setting in ("monitoring.hosts", "restrictedWhileLocked", "brokers")
            text = f"[{quoted(value)}]" if is_list else quoted(value)

            def check(words, environment, *expected):
                answer = desk.refuses_alike(["--config", desk.configuration(words)], *expected, environment=environment)
                expect("hunter2" not in answer.errors, f"the password is shown: {answer.text}")
                expect(len(answer.errors) < 2_000, f"the message has {len(answer.errors)} characters: {answer.text}")

            what = f"{setting} {value[:40]!r}"
            desk.collect(what, lambda: check(f"{setting}: {text}", {}, f"{desk.directory / 'c.yaml'}:1", setting))
            if value:
                desk.collect(f"{what} in the environment", lambda: check("", {variable: value}, variable))


#: Commands that take an id, and where it is put.
WITH_ID = [
    ["ask", "SomeIntent", "--user", "ID"], ["ask", "--unchecked", "ID"], ["list", "--user", "ID"], ["list", "--intent", "ID"],
    ["show", "ID"], ["audit", "show", "ID"], ["audit", "export", "ID"], ["replay", "--interaction", "ID"],
    ["replay", "--user", "ID"], ["vocabulary", "show", "--user", "ID"], ["vocabulary", "remove", "--user", "ID"],
    ["vocabulary", "set", "--type", "contactName", "--user", "ID"], ["up", "--demo-user", "ID"], ["leave", "ID"],
    ["dead-letters", "list", "--filter", "user=ID"], ["dead-letters", "redrive", "--filter", "interaction=ID"],
    ["work", "resolve", "--name", "ID"],
]  # fmt: skip


@judge
def ids_that_nothing_can_have(desk):
    """Empty and over-long ids are refused at once; those with control characters are never printed as they are."""
    for words in WITH_ID:
        for value in ("", "x" * 1_025, "ä" * 513):
            command = [word.replace("ID", value) if word.endswith("ID") else word for word in words]
            desk.collect(words, lambda: desk.refuses([*command, "--config", desk.configuration("")], statuses=(64,)))
        if words[0] == "up":
            continue
        for value in ("\x1b[2J\x1b[31mred", "bell\x07", "a\nb", "\x9b31m", "\u202eabc", "../../x", "%00", "a/b"):
            command = [word.replace("ID", value) if word.endswith("ID") else word for word in words]
            # There is no broker and there are no records: what it is refused for may be that.
            any_status = (*STATUSES, 69, 0)
            desk.collect(words, lambda: desk.refuses([*command, "--config", desk.configuration("")], statuses=any_status))
    for option in ("--prefix", "--brokers", "--log-level", "--log-format"):
        for value in ("", "\x1b[31m", "x y", "z" * 300):
            desk.collect((option, value[:40]), lambda: desk.refuses_alike([option, value, "--config", desk.configuration("")], option))


@judge
def many_of_everything(desk):
    """Thousands of intents, parameters, values and keys, right and wrong: in time, and with a message that can be read."""
    many = range(20_000)
    right = {
        "documents": "".join(f"---\nname: A{n}\n" for n in many),
        "intents": "intents:\n" + "".join(f"- name: A{n}\n" for n in many),
        "parameters": "name: A\nparameters:\n" + "".join(f"- {{name: p{n}, type: string}}\n" for n in many),
        "values": "name: A\nparameters:\n- name: p\n  type: string\n  values:\n" + "".join(f"  - v{n}\n" for n in many),
    }
    wrong = {
        "documents of one name": "---\nname: A\n" * len(many),
        "intents of one name": "intents:\n" + "- name: A\n" * len(many),
        "dependencies": "name: A\nparameters:\n- name: p\n  type: string\n  dependsOn:\n" + "".join(f"  - v{n}\n" for n in many),
        "unknown keys": "".join(f"k{n}: v\n" for n in many),
        "unknown types": "name: A\nparameters:\n" + "".join(f"- {{name: p{n}, type: t{n}}}\n" for n in many),
    }
    for name, text in right.items():
        file = desk.write("many.yaml", text)
        check = ["config", "check", "--config", desk.configuration(f"definitions: [{file}]")]
        desk.collect(name, lambda: expect((answer := desk.run(check)).status == 0, answer.text))
    for name, text in wrong.items():
        file = desk.write("many.yaml", text)
        options = ["--config", desk.configuration(f"definitions: [{file}]")]
        desk.collect(name, lambda: desk.refuses_alike(options, f"{file}:", length=30_000))
    settings = {
        "settings": "".join(f"k{n}: v\n" for n in many),
        "properties": "kafka:\n" + "".join(f"  k{n}: v\n" for n in many),
        "confirmations": "intents:\n" + "".join(f"  k{n}: v\n" for n in many),
        "locked": "restrictedWhileLocked:\n" + "".join(f"- k{n}\n" for n in many),
    }
    for name, text in settings.items():
        file = desk.write("many.yaml", text)
        desk.collect(name, lambda: desk.refuses_alike(["--config", file], f"{file}:", length=30_000))


@judge
def several_documents(desk):
    """Each document of a definitions file is a definition, with the file's own lines; other files hold one."""
    two = desk.write("two.yaml", "# two\nname: FirstIntent\n---\nname: SecondIntent\n---\n")
    answer = desk.run(["config", "check", "--config", desk.configuration(f"definitions: [{two}]")])
    expect(answer.status == 0 and "FirstIntent" in answer.output and "SecondIntent" in answer.output, answer.text + answer.output)
    wrong = desk.write("wrong.yaml", "name: FirstIntent\n---\nname: SecondIntent\ntitel: x\n---\nname: FirstIntent\n")
    file = desk.configuration(f"definitions: [{wrong}]")
    desk.refuses_alike(["--config", file], f"{wrong}:4: titel", f"{wrong}:6: FirstIntent is declared twice")
    bomb = desk.write("behind.yaml", "name: FirstIntent\n---\n" + bombs()["aliases"] + "\n")
    desk.refuses_alike(["--config", desk.configuration(f"definitions: [{bomb}]")], f"{bomb}:8: ")
    desk.refuses_alike(["--config", desk.write("c2.yaml", "prefix: a\n---\nprefix: b\n")], "c2.yaml:3: ", "second document")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--intentd", required=True, help="the program")
    parser.add_argument("--only", help="only judges whose names contain this")
    options = parser.parse_args()

    def call(one):
        desk = Desk(options)
        try:
            one(desk)
            expect(not desk.wrong, f"{len(desk.wrong)} of {desk.count}:\n" + "\n".join(text[:500] for text in desk.wrong[:20]))
            used = f"slowest {desk.slowest:.1f} s, largest {desk.largest:.0f} MiB"
            print(f"     {desk.count} commands, {used}", flush=True)
        finally:
            desk.close()

    passed, failed = run(JUDGES, options.only, call)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Mutants behind a switch: `switched.ndjson` describes how each one changes the sources, one build contains them all, and
INTENTD_TEST_MUTANT=number activates one of them. A mutant is killed when a test fails that should notice it.

  switched.py check                     every entry still finds its place (fast; part of the suite)
  switched.py build                     a copy of the tree with all mutants in it, and its tests
  switched.py run [--target NAME…] [--number N…] [--behaviours] [--simulation] [--own] [--again]
  switched.py report                    survivors by target
  switched.py choose --count N          adds entries, chosen evenly over targets and files by a fixed seed

An entry: `file`, `line` (its text without indentation) and `nth` if that text occurs several times, `from` and
`to` (expressions in that line; with `literal`, text inside of a string literal), `drop` (the statement is left out), or
`insert` (a statement before that line). `also` has more such changes of the same mutant. What does not fit into lines is
a `patch` beside the list, which asks `mutates(number)` itself.
`behaviours` are the numbers of the table in Behaviours.md that it breaks: a test that the table names must fail.
`hand` marks one that a person wrote besides those: `choose` does not count it as one of its own.
`tests` are the names of the suites or tests of which one must fail; without either, the suites of its target are run.
`simulation` is the name of one that the simulation must find, by a violation or by a crash: seeds are run, no tests.
`equivalent` says why no test can notice it.
"""

import argparse
import collections
import json
import math
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIST = ROOT / "Tests/Mutants/switched.ndjson"
TABLE = ROOT / "Sources/Core/IntentRuntime/Documentation.docc/Behaviours.md"
# A failed test in the runner's output.
FAILED = re.compile(r'^✘ Test (".*?"|\S+) (?:with|recorded|failed)')
# The tests that should notice a defect in a target: its own first, then those that use it.
SUITES = {
    "DeclaredIntents": [
        r"DeclaredIntentsTests|IntegrationTests\.ServiceCheckTests", "IntentOperationsTests", "IntentCommandsTests", "IntegrationTests",
    ],
    "EmbeddedBroker": ["EmbeddedBrokerTests", "KafkaLogTests", "IntegrationTests"],
    "InMemoryLog": ["InMemoryLogTests", "IntentRuntimeTests", "IntentSimulationTests"],
    "IntentAudit": ["IntentAuditTests", "IntentCommandsTests", "IntegrationTests"],
    "IntentCommands": ["IntentCommandsTests", "IntegrationTests"],
    "Connections": ["EmbeddedBrokerTests", "IntentConsoleTests", "IntentCommandsTests"],
    "LocalHTTP": ["LocalHTTPTests", "IntentConsoleTests", "IntentCommandsTests"],
    "IntentConsole": ["IntentConsoleTests", "IntentCommandsTests"],
    "IntentOperations": ["IntentOperationsTests", "IntentCommandsTests", "IntentConsoleTests", "IntegrationTests"],
    "IntentEvents": [
        "IntentEventsTests", "IntentKitTests", "IntentRuntimeTests", "IntentRecordsTests", "IntentAuditTests", "IntegrationTests",
    ],
    "IntentKit": [
        "IntentKitTests", "DeclaredIntentsTests", "IntentRuntimeTests", "SampleAppsTests", "IntentTestingTests", "IntegrationTests",
    ],
    "IntentRuntime": [
        "IntentRuntimeTests", "IntentAuditTests", "IntentSimulationTests", "IntentCommandsTests", "IntegrationTests",
    ],
    "IntentScenarios": ["IntentScenariosTests", "IntentTestingTests", "IntentCommandsTests", "IntegrationTests"],
    "IntentLedger": ["IntentLedgerTests", "IntentAuditTests", "IntentCommandsTests", "IntegrationTests"],
    "IntentRecords": ["IntentRecordsTests", "IntentAuditTests", "IntentCommandsTests", "IntegrationTests"],
    "SQLiteStore": ["SQLiteStoreTests", "IntentLedgerTests", "IntentRecordsTests", "IntentAuditTests", "IntegrationTests"],
    "IntentTesting": ["IntentTestingTests", "SampleAppsTests"],
    "KafkaLog": ["KafkaLogTests", "IntegrationTests"],
    "LibCrypto": ["LibCryptoTests", "IntegrationTests"],
    "LibCurl": [
        r"IntegrationTests\.HTTPPostTests|IntegrationTests\.TLSPostTests", "DeclaredIntentsTests", "IntegrationTests",
    ],
    "OTLPTraces": [
        r"OTLPTracesTests|IntegrationTests\.OTLPExporterTests", "IntentRuntimeTests", "IntentCommandsTests", "IntegrationTests",
    ],
    "PostgreSQLLedger": ["PostgreSQLLedgerTests"],
    "PrometheusMetrics": ["PrometheusMetricsTests", "IntentOperationsTests", "IntentCommandsTests"],
    "SampleApps": ["SampleAppsTests", "IntegrationTests"],
    "SiriKitIntents": ["SiriKitIntentsTests", "SampleAppsTests", "IntentKitTests", "IntegrationTests"],
    "Telemetry": ["OTLPTracesTests", "IntentRuntimeTests", "IntegrationTests", "IntentCommandsTests"],
    "WireDocuments": ["WireRulesTests", "IntegrationTests", "IntentCommandsTests"],
    "WireRules": ["WireRulesTests", "DeclaredIntentsTests", "IntentRuntimeTests", "IntegrationTests"],
}
# The seeds of the simulation, and the seconds after which it hangs: what a hostile client or long tasks find, they find soon.
SEEDS = ((["--seeds", "60", "--hostile"], 300), (["--seeds", "100", "--tasks"], 300), (["--seeds", "3000"], 3_600))
# Where a server is named, the copy is built with the ledger on it.
TRAITS = ["--traits", "PostgreSQL"] if os.environ.get("INTENTD_TEST_POSTGRESQL") else []
SWITCH = '''\
import Foundation

private let acting = Int(ProcessInfo.processInfo.environment["INTENTD_TEST_MUTANT"] ?? "") ?? 0

/// Whether the mutant of that number acts.
public func mutates(_ number: Int) -> Bool { acting == number }
'''


def entries():
    return [json.loads(line) for line in LIST.read_text().splitlines() if line.strip()] if LIST.exists() else []


def changes(entry):
    """An entry's changes: one for each line that it changes."""
    return [{**change, "number": entry["number"]} for change in [entry, *entry.get("also", [])] if "file" in change]


def target(entry):
    return entry["file"].split("/")[2] if "file" in entry else "simulation"


def places(entry, lines):
    """The numbers of the lines that have the entry's text."""
    return [number for number, line in enumerate(lines) if line.strip() == entry["line"]]


def problem(entry):
    """What is wrong with an entry; nothing if the places of its changes are found."""
    if "patch" in entry:
        text = (LIST.parent / entry["patch"]).read_text()
        if f"mutates({entry['number']})" not in text:
            return f"{entry['patch']} does not ask mutates({entry['number']})"
        done = subprocess.run(
            ["patch", "-p1", "--dry-run", "--force", "-d", str(ROOT)], input=text, capture_output=True, text=True)
        return done.stdout.strip() if done.returncode else None
    return next(filter(None, map(problem_of_change, changes(entry))), None)


def problem_of_change(entry, cache={}):
    path = ROOT / entry["file"]
    if not path.exists():
        return "there is no such file"
    if path not in cache:
        cache[path] = path.read_text().split("\n")
    found = places(entry, cache[path])
    if not found:
        return f"the line is not there: {entry['line']}"
    if entry.get("nth", 0) >= len(found) or (len(found) > 1 and "nth" not in entry):
        return f"the line is there {len(found)} times, and `nth` says {entry.get('nth')}: {entry['line']}"
    if entry.get("drop") and entry["line"].startswith("defer"):
        return "a `defer` in a block of its own runs at once: change an expression in it with `from` and `to`"
    if "from" in entry and entry["line"].count(entry["from"]) != 1:
        return f"`from` is not once in the line: {entry['from']}"
    if "from" in entry and not entry.get("literal") and not is_expression(entry["from"]):
        return f"`from` is not one expression: {entry['from']}"
    return None


def is_expression(text):
    """Whether the text can be an operand: nothing of a list, of a declaration or of an unbalanced bracket."""
    depth = 0
    for character in re.sub(r'"(?:\\.|[^"\\])*"', '""', text):
        depth += (character in "([{") - (character in ")]}")
        if depth < 0 or (character == "," and depth == 0):
            return False
    return depth == 0 and not re.match(r"(let|var|if|guard|while|where)\b|\w+: ", text)


def check():
    wrong, seen = 0, collections.Counter()
    all_entries = entries()
    for entry in all_entries:
        said = problem(entry)
        seen[entry["number"]] += 1
        if said:
            wrong += 1
            print(f"{entry['number']}: {entry.get('file', entry.get('patch'))}: {said}")
    for number, count in seen.items():
        if count > 1:
            wrong += 1
            print(f"{number}: is in the list {count} times")
    tests = set(re.findall(r"\w+", "".join(file.read_text() for file in (ROOT / "Tests").rglob("*Tests/**/*.swift"))))
    for entry in all_entries:
        for name in entry.get("tests", []):
            if name.split("(")[0] not in tests:
                wrong += 1
                print(f"{entry['number']}: there is no test {name}")
    broken = {one for entry in all_entries for one in entry.get("behaviours", [])}
    missing = sorted(set(range(1, 94)) - broken)
    if missing:
        wrong += 1
        print(f"no mutant breaks the behaviours {missing}")
    print(f"{len(all_entries)} mutants, {wrong} with something wrong")
    return wrong == 0


# --- the copy -----------------------------------------------------------------------------------------------------


def mutated(text, chosen):
    """A file's text with its mutants."""
    lines = text.split("\n")
    for entry in chosen:
        number = places(entry, lines)[entry.get("nth", 0)] if "at" not in entry else entry["at"]
        entry["at"] = number
    # One expression may be a part of another one that is changed as well: the longer one first.
    for entry in sorted(chosen, key=lambda entry: -len(entry.get("from", ""))):
        line = lines[entry["at"]]
        indent = line[: len(line) - len(line.lstrip())]
        switch = f"mutates({entry['number']})"
        if entry.get("insert"):
            # On the same line: the numbers of the others stay as they are.
            lines[entry["at"]] = f"{indent}if {switch} {{ {entry['insert']} }}; {line.strip()}"
        elif entry.get("drop"):
            lines[entry["at"]] = f"{indent}if !{switch} {{ {line.strip()} }}"
        else:
            changed = f"({switch} ? ({entry['to']}) : ({entry['from']}))"
            if entry.get("literal"):
                # The text is escaped as in the source, except for quotes in a literal of several lines.
                to, given = ('"' + re.sub(r'(?<!\\)"', r'\\"', entry[one]) + '"' for one in ("to", "from"))
                changed = f"\\({switch} ? {to} : {given})"
            # Where another mutant has changed the same expression, its original comes last.
            before, found, after = line.strip().rpartition(entry["from"])
            if not found:
                raise ValueError(f"{entry['number']}: another mutant has changed the line: {line}")
            lines[entry["at"]] = indent + before + changed + after
    lines.insert(0, "public import MutantSwitch")
    return "\n".join(lines)


def patched(patches):
    """The texts of the files that the patches change, by name."""
    with tempfile.TemporaryDirectory() as directory:
        changed = set()
        for patch in patches:
            text = (LIST.parent / patch).read_text()
            for file in re.findall(r"^\+\+\+ b/(.*)$", text, re.M):
                path = pathlib.Path(directory, file)
                if file not in changed:
                    path.parent.mkdir(parents=True, exist_ok=True)
                    shutil.copy(ROOT / file, path)
                    changed.add(file)
            subprocess.run(
                ["patch", "-p1", "-s", "--no-backup-if-mismatch", "-d", directory], input=text, text=True, check=True)
        return {file: pathlib.Path(directory, file).read_text() for file in changed}


def make(tree, without=()):
    """A copy of the tree with all mutants; unchanged files keep their time, so little is rebuilt."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT, check=True, capture_output=True, text=True)
    files = {name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()}
    by_file = collections.defaultdict(list)
    chosen_entries = [entry for entry in entries() if entry["number"] not in without]
    for entry in chosen_entries:
        for change in changes(entry):
            by_file[change["file"]].append(change)
    patched_files = patched(entry["patch"] for entry in chosen_entries if "patch" in entry)
    texts = {
        file: mutated(patched_files.get(file) or (ROOT / file).read_text(), by_file[file])
        for file in by_file.keys() | patched_files.keys()
    }
    texts["Sources/MutantSwitch/MutantSwitch.swift"] = SWITCH
    texts["Package.swift"] = (ROOT / "Package.swift").read_text().replace("    .treatAllWarnings(as: .error),\n", "") + '''
for target in package.targets where target.type == .regular || target.type == .executable {
    target.dependencies.append("MutantSwitch")
}
package.targets.append(.target(name: "MutantSwitch"))
'''
    for folder, folders, names in os.walk(tree):
        folders[:] = [name for name in folders if name not in (".build", ".git")]
        for name in names:
            path = pathlib.Path(folder, name)
            if str(path.relative_to(tree)) not in files | texts.keys():
                path.unlink()
    for file in sorted(files | texts.keys()):
        path = tree / file
        content = texts[file].encode() if file in texts else (ROOT / file).read_bytes()
        if path.exists() and path.read_bytes() == content:
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        if file not in texts:
            shutil.copystat(ROOT / file, path)


def build(tree):
    """Builds the copy; reports the mutants that do not compile."""
    if not check_places():
        return False
    make(tree)
    done = subprocess.run(
        ["swift", "build", "-j", "2", "--build-tests", *TRAITS, "--package-path", str(tree)], capture_output=True, text=True)
    if done.returncode == 0:
        print("built")
        return True
    for line in sorted(set(re.findall(r"^(\S+\.swift:\d+:\d+: error: .*)$", done.stdout + done.stderr, re.M))):
        path, number = line.split(":")[0:2]
        line = pathlib.Path(path).read_text().split("\n")[int(number) - 1]
        numbers = " ".join(re.findall(r"mutates\((\d+)\)", line))
        print(f"{numbers}: {line}")
    if "error:" not in done.stdout + done.stderr:
        print((done.stdout + done.stderr)[-3000:])
    return False


def check_places():
    return not [print(f"{entry['number']}: {said}") for entry in entries() if (said := problem(entry))]


# --- running ------------------------------------------------------------------------------------------------------


def table():
    """The tests that the table of behaviours names."""
    found = {}
    for line in TABLE.read_text().splitlines():
        cells = [cell.strip() for cell in line.split("|")]
        if len(cells) == 6 and cells[1].isdigit():
            found[int(cells[1])] = re.findall(r"`([^`]+)`", cells[4])
    return found


def run_tests(tree, number, pattern, timeout, to_the_end=True):
    """The result of the tests of that name with that mutant: `passed`, or why not; at the first failure if that is enough.

    They have a directory for temporary files of their own, for one that is killed leaves its files behind.
    """
    with tempfile.TemporaryDirectory(prefix="mutant-", ignore_cleanup_errors=True) as directory:
        return run_tests_in(directory, tree, number, pattern, timeout, to_the_end)


def run_tests_in(directory, tree, number, pattern, timeout, to_the_end):
    binary = next((tree / ".build/debug").glob("*.xctest"))
    environment = {
        **os.environ, "INTENTD_TEST_MUTANT": str(number), "NO_COLOR": "1", "SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH": "4",
        "TMPDIR": directory,
    }
    began = time.monotonic()
    process = subprocess.Popen(
        [str(binary), "--testing-library", "swift-testing", "--filter", pattern], cwd=tree, env=environment,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", start_new_session=True)
    hung, is_over, heard = threading.Event(), threading.Event(), time.monotonic()

    def end():
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass

    def watch():
        # Tests that still say something after that time are slow, as on a busy machine, and do not hang.
        while not is_over.wait(1):
            now = time.monotonic()
            if now - began > 3 * timeout or (now - began > timeout and now - heard > 60):
                hung.set()
                return end()

    threading.Thread(target=watch, daemon=True).start()
    lines = []
    for line in process.stdout:
        heard = time.monotonic()
        lines.append(line)
        if not to_the_end and FAILED.match(line):
            end()
            break
    # One that has closed its output may still be about to exit: how it ends is its own verdict.
    process.wait()
    is_over.set()
    end()
    output, took = "".join(lines), time.monotonic() - began
    failed = next(filter(None, map(FAILED.match, lines)), None) or re.search(r"(Fatal error.*)", output)
    if hung.is_set():
        return "hung", took, output
    if failed or process.returncode != 0:
        return f"killed: {failed.group(1)[:120] if failed else f'exit {process.returncode}'}", took, output
    return ("passed" if re.search(r"Test run with [1-9]", output) else "ran nothing"), took, output


def simulate(tree, number):
    """How the simulation finds that mutant."""
    for seeds, limit in SEEDS:
        with tempfile.TemporaryDirectory(prefix="mutant-", ignore_cleanup_errors=True) as directory:
            try:
                done = subprocess.run(
                    [str(tree / ".build/debug/intent-simulation"), "--fail-fast", *seeds], capture_output=True, text=True,
                    errors="replace", env={**os.environ, "INTENTD_TEST_MUTANT": str(number), "TMPDIR": directory},
                    timeout=limit)
            except subprocess.TimeoutExpired:
                return "hung"
        output = done.stdout + done.stderr
        if done.returncode == 1:
            needed = output.splitlines()[-1].split(" ")[0]
            why = next((line for line in output.splitlines() if "does not hold" in line), "")
            return f"killed: after {needed} seeds ({why[:160]})"
        if done.returncode != 0:
            why = next((line for line in output.splitlines() if "Fatal error" in line), "")
            return f"killed: the process ended with {done.returncode} ({why[:160]})"
    return "survived"


def cited(output):
    """The behaviours that the names of the tests that failed cite."""
    names = re.findall(r'^✘ Test "(.*?)" (?:recorded|failed|with)', output, re.M)
    lists = [found for name in names for found in re.findall(r"[Bb]ehaviours? ([0-9]+(?:(?:, | and )[0-9]+)*)", name)]
    return {int(number) for found in lists for number in re.findall(r"[0-9]+", found)}


def baseline(tree, pattern):
    """The duration without a mutant; the tests must pass."""
    known = tree / ".build/baseline.json"
    times = json.loads(known.read_text()) if known.exists() else {}
    if pattern not in times:
        verdict, took, output = run_tests(tree, 0, pattern, 900)
        if verdict != "passed":
            print(output[-3000:])
            sys.exit(f"without a mutant {pattern} ends so: {verdict}")
        times[pattern] = took
        known.write_text(json.dumps(times))
    return times[pattern]


def patterns_of(entry, rows):
    """The suites for a mutant, run one after the other until one notices it."""
    if entry.get("tests"):
        return [rf"[./]({'|'.join(entry['tests'])})[/(]"]
    if entry.get("behaviours"):
        named = sorted({name for one in entry["behaviours"] for name in rows[one]})
        # Not \b: to Swift's regular expressions, names joined by a full stop are one word.
        return [rf"[./]({'|'.join(named)})/"]
    return [f"^({suites})[./]" for suites in SUITES[target(entry)]]


def run(tree, chosen, again, own, jobs, minutes):
    results_file = tree / ".build/results.json"
    results = json.loads(results_file.read_text()) if results_file.exists() else {}
    rows = table()
    half = "survived its own tests"

    def is_open(entry):
        known = results.get(str(entry["number"]))
        return again or known is None or (known == half and not own)

    todo = [entry for entry in chosen if is_open(entry)]

    end = time.monotonic() + 60 * minutes

    def one(entry):
        if time.monotonic() > end:
            return entry, None
        if "simulation" in entry:
            return entry, simulate(tree, entry["number"])
        behaviours = set(entry.get("behaviours", []))
        patterns = patterns_of(entry, rows)
        if results.get(str(entry["number"])) == half and not again:
            patterns = patterns[1:]
        verdict = "passed"
        for pattern in patterns[:1] if own else patterns:
            timeout = baseline(tree, pattern) * 3 + 30
            verdict, _, output = run_tests(tree, entry["number"], pattern, timeout, to_the_end=bool(behaviours))
            if verdict != "passed":
                if not cited(output) >= behaviours:
                    verdict += " (by no test that cites it)"
                break
        if verdict == "passed":
            verdict = half if own and len(patterns) > 1 else "survived"
        return entry, verdict

    with ThreadPoolExecutor(jobs) as pool:
        for entry, verdict in pool.map(one, todo):
            if verdict is None:
                continue
            results[str(entry["number"])] = verdict
            results_file.write_text(json.dumps(results, indent=1))
            place = f"{entry['file']}: {entry['line']}" if "file" in entry else entry["patch"]
            print(f"{entry['number']:4} {entry.get('simulation', target(entry)):18} {verdict}"
                  + (f"   {place}" if verdict.startswith("survived") else ""), flush=True)


def report(tree):
    results = json.loads((tree / ".build/results.json").read_text())
    rows = collections.defaultdict(collections.Counter)
    for entry in entries():
        verdict = results.get(str(entry["number"]), "not run")
        kind = "equivalent" if entry.get("equivalent") else verdict.split(":")[0]
        rows["simulation" if "simulation" in entry else target(entry)][kind] += 1
        rows["all"][kind] += 1
    print("| target | mutants | killed | survived | equivalent | survived, % |\n|---|--:|--:|--:|--:|--:|")
    too_many = False
    for name, counts in sorted(rows.items()):
        killed, survived = counts["killed"] + counts["hung"], counts["survived"] + counts["survived its own tests"] + counts["ran nothing"]
        share = 100 * survived / max(1, killed + survived)
        too_many = too_many or share > 15
        print(f"| {name} | {sum(counts.values())} | {killed} | {survived} | {counts['equivalent']} | {share:.0f} |")
    return not too_many


# --- choosing -----------------------------------------------------------------------------------------------------


def masked(text):
    """The text with strings and comments blanked, character for character."""
    out, i, n = list(text), 0, len(text)

    def blank(a, b):
        for k in range(a, b):
            if out[k] != "\n":
                out[k] = " "
    while i < n:
        if text.startswith("//", i):
            j = text.find("\n", i)
            j = n if j < 0 else j
        elif text.startswith('"""', i):
            j = text.find('"""', i + 3) + 3
        elif text[i] == '"':
            j = i + 1
            while j < n and text[j] not in '"\n':
                j += 2 if text[j] == "\\" else 1
            j += 1
        else:
            i += 1
            continue
        blank(i, j)
        i = j
    return "".join(out)


def elements(condition):
    """The parts of a condition between commas, outside of brackets."""
    parts, depth, start = [], 0, 0
    for i, char in enumerate(condition):
        if char in "([{":
            depth += 1
        elif char in ")]}":
            depth -= 1
        elif char == "," and depth == 0:
            parts.append((start, i))
            start = i + 1
    return parts + [(start, len(condition))]


def balanced(text):
    return all(text.count(a) == text.count(b) for a, b in ("()", "[]", "{}"))


def candidates(path):
    text = path.read_text()
    hidden, shown = masked(text).split("\n"), text.split("\n")
    for number, (line, plain) in enumerate(zip(hidden, shown)):
        stripped = line.strip()
        if not stripped or plain.strip() != plain.strip().split("//")[0].strip() or '"' in plain and "\\(" in plain:
            continue
        entry = {"file": str(path.relative_to(ROOT)), "line": plain.strip()}
        same = [i for i, other in enumerate(shown) if other.strip() == plain.strip()]
        if len(same) > 1:
            entry["nth"] = same.index(number)
        condition = re.match(r"\s*(?:\} else )?(?:if|guard|while) (.*?)(?: else)? \{", line)
        if condition and balanced(condition.group(1)):
            offset = condition.start(1)
            for a, b in elements(condition.group(1)):
                said = plain[offset + a: offset + b].strip()
                if not said or re.match(r"(let|var|case)\b", said) or re.search(r"\b(await|try|#available|is|as)\b|\{", said) or plain.count(said) != 1:
                    continue
                yield {**entry, "from": said, "to": f"!({said})"}
                for old, new in ((" < ", " <= "), (" > ", " >= "), (" <= ", " < "), (" >= ", " > ")):
                    if said.count(old) == 1 and " && " not in said and " || " not in said:
                        yield {**entry, "from": said, "to": said.replace(old, new)}
                for old, new in ((" && ", " || "), (" || ", " && ")):
                    if said.count(old) == 1:
                        yield {**entry, "from": said, "to": said.replace(old, new)}
        returned = re.match(r"\s*return (.*( == | != | < | > | <= | >= | && | \|\| ).*)$", line)
        if returned and balanced(line) and not re.search(r"\b(await|try)\b|[?{]", line):
            said = plain.strip()[len("return "):]
            if plain.count(said) == 1:
                yield {**entry, "from": said, "to": f"!({said})"}
        before = next((hidden[i].strip() for i in range(number - 1, -1, -1) if hidden[i].strip()), "")
        after = next((hidden[i].strip() for i in range(number + 1, len(hidden)) if hidden[i].strip()), "")
        whole = balanced(line) and not re.search(r"[,(\[:=+\-*&|?<>.]$|\breturn$|\belse$", before) and not re.match(r"[.?:+*&|)\],=<>]|- ", after)
        alone = before.endswith("{") and after.startswith("}")
        if alone and not re.match(r"(if|guard|for|while|\} else|else|.*func (?!.*->))", before):
            whole = False
        if before.endswith("{") and not re.match(r"(if|guard|for|while|switch|do|\} else|else|.*func |.*init)", before):
            whole = False
        inside = next((hidden[i] for i in range(number - 1, -1, -1)
                       if hidden[i].strip() and re.search(r"\b(func|init|var|subscript)\b.*\{$", hidden[i])
                       and len(hidden[i]) - len(hidden[i].lstrip()) < len(line) - len(line.lstrip())), "")
        if whole and "init" not in inside and "func" in inside:
            called = re.match(r"\s*(try |await |try await )?(self\.|[a-z]\w*\.)[\w.?!]+\(.*\)$", line)
            assigned = re.match(r"\s*(self\.[\w.]+|[a-z]\w*\.[\w.]+) [+\-|]?= \S.*[^{]$", line) or re.match(r"\s*[a-z]\w* [+\-]= \S+$", line)
            if called or assigned:
                yield {**entry, "drop": True}


def choose(count, per_target):
    known = entries()
    taken = {(change["file"], change["line"], change.get("nth")) for entry in known for change in changes(entry)}
    rng = random.Random(2026)
    by_target = {}
    for folder in sorted((ROOT / "Sources").glob("*/*")):
        files = sorted(path for path in folder.rglob("*.swift"))
        lists = []
        for path in files:
            found = list(candidates(path))
            rng.shuffle(found)
            if found:
                lists.append(found)
        if lists:
            rng.shuffle(lists)
            # One of each file, then a second of each: as evenly as possible.
            by_target[folder.name] = [found[k] for k in range(200) for found in lists if k < len(found)]
    size = {name: sum(len(p.read_text().splitlines()) for p in (ROOT / "Sources").glob(f"*/{name}/**/*.swift")) for name in by_target}
    weight = {name: math.sqrt(size[name]) for name in by_target}
    number = max([entry["number"] for entry in known], default=0)
    added = []
    for name, found in by_target.items():
        share = max(per_target, round(count * weight[name] / sum(weight.values())))
        share -= sum(1 for entry in known if target(entry) == name and not entry.keys() & {"behaviours", "hand", "simulation"})
        for entry in found:
            if share <= 0:
                break
            key = (entry["file"], entry["line"], entry.get("nth"))
            if key in taken:
                continue
            taken.add(key)
            number += 1
            share -= 1
            added.append({"number": number, **entry})
    with LIST.open("a") as file:
        for entry in added:
            file.write(json.dumps(entry, ensure_ascii=False) + "\n")
    print(f"{len(added)} added")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["check", "build", "run", "report", "choose"])
    parser.add_argument("--tree", type=pathlib.Path, default=ROOT / ".build/switched", help="where the copy is")
    parser.add_argument("--target", nargs="*", default=[])
    parser.add_argument("--number", nargs="*", type=int, default=[])
    parser.add_argument("--behaviours", action="store_true", help="those that break a behaviour")
    parser.add_argument("--simulation", action="store_true", help="those that the simulation must find")
    parser.add_argument("--again", action="store_true", help="also those whose end is known")
    parser.add_argument("--own", action="store_true", help="only the tests of its own target; a later run continues with the others")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=math.inf, help="begin none after that; a later run continues")
    parser.add_argument("--count", type=int, default=210)
    parser.add_argument("--per-target", type=int, default=5)
    said = parser.parse_args()
    match said.what:
        case "check":
            sys.exit(0 if check() else 1)
        case "build":
            sys.exit(0 if build(said.tree) else 1)
        case "run":
            chosen = [
                entry for entry in entries()
                if (not said.target or target(entry) in said.target) and (not said.number or entry["number"] in said.number)
                and (not said.behaviours or entry.get("behaviours")) and (not said.simulation or "simulation" in entry)
                and not entry.get("equivalent")
                and (TRAITS or target(entry) != "PostgreSQLLedger")
            ]
            run(said.tree, chosen, said.again, said.own, said.jobs, said.minutes)
        case "report":
            sys.exit(0 if report(said.tree) else 1)
        case "choose":
            choose(said.count, said.per_target)


if __name__ == "__main__":
    main()

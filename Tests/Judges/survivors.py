#!/usr/bin/env python3
"""`test` with handlers that end its process: their scenarios are named, and all others are played.

    survivors.py --hazardd PATH

PATH is the program of Tests/Examples/Hazards: intentd with a handler that calls fatalError() after its effect.
"""

import argparse
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

from judging import expect, until


def scenario(name, user):
    return {"name": name, "user": user, "intent": {"name": "DefuseIntent"}, "expect": {"code": "success"}}


def play(hazardd, directory, scenarios, *words):
    file = directory / "scenarios.jsonl"
    file.write_text("".join(json.dumps(one) + "\n" for one in scenarios))
    # The core of a process that is to crash would only take time.
    done = subprocess.run(
        ["bash", "-c", 'ulimit -c 0; exec "$@"', "bash", hazardd, "test", str(file), *words],
        capture_output=True,
        text=True,
        cwd=directory,
        timeout=300,
    )
    return done, done.stdout.strip().splitlines()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hazardd", required=True, type=lambda path: str(pathlib.Path(path).resolve()))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="intentd-survivors-") as directory:
        directory = pathlib.Path(directory)
        ordinary = [scenario(f"calm-{number}", f"calm-{number}") for number in range(20)]

        done, lines = play(options.hazardd, directory, ordinary)
        expect(done.returncode == 0, done.stdout + done.stderr)
        expect(lines[-1] == "Matched 20, Mismatched 0, ExecutionError 0", lines)
        print("     without a hazard: all matched, and replayed", flush=True)

        junit = directory / "junit.xml"
        done, lines = play(
            options.hazardd, directory, [*ordinary, scenario("the wrong wire", "killer-1")], "--junit", str(junit)
        )
        expect(done.returncode == 1, done.stdout + done.stderr)
        expect(lines[-1] == "Matched 20, Mismatched 0, ExecutionError 1", lines)
        said = next((line for line in lines if "the process died" in line), "")
        expect(
            re.search(r'the process died \(SIG(TRAP|ILL)\) while handle processed intent.confirmed of "the wrong wire"', said),
            done.stdout,
        )
        expect("the process died" in junit.read_text(), junit.read_text())
        print(f"    {said}", flush=True)

        killers = [scenario(f"wire-{number}", f"killer-{number}") for number in range(3)]
        done, lines = play(options.hazardd, directory, [*ordinary, *killers], "--data", str(directory / "kept"))
        expect(lines[-1] == "Matched 20, Mismatched 0, ExecutionError 3", done.stdout + done.stderr)
        expect(sum("the process died" in line for line in lines) == 3, done.stdout)
        print("     three hazards among twenty others: each is named", flush=True)

        done, _ = play(options.hazardd, directory, killers[:1], "--in-process")
        expect(done.returncode not in (0, 1), f"{done.returncode}: {done.stdout}")
        print("     --in-process ends with the handler", flush=True)

        # A parent that is killed ends its child.
        file = directory / "slow.jsonl"
        file.write_text(json.dumps(scenario("slow", "blocker-1")) + "\n")
        environment = os.environ | {"HAZARD_SECONDS": "120"}
        parent = subprocess.Popen(
            [options.hazardd, "test", str(file)], cwd=directory, env=environment, stderr=subprocess.DEVNULL
        )
        children = pathlib.Path(f"/proc/{parent.pid}/task/{parent.pid}/children")

        def child():
            found = [words for task in children.parent.parent.iterdir() for words in (task / "children").read_text().split()]
            return int(found[0]) if found else None

        number = until(child, 30, "no child was started")
        time.sleep(1)
        parent.send_signal(signal.SIGKILL)
        parent.wait()
        until(lambda: not pathlib.Path(f"/proc/{number}").exists(), 10, "the child outlives its parent")
        print("     a parent that is killed ends its child", flush=True)


if __name__ == "__main__":
    sys.exit(main())

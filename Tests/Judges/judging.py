"""The common parts of the judges: checks, waiting, and running one judge after the other."""

import argparse
import os
import socket
import sys
import time
import traceback


def expect(condition, message):
    if not condition:
        raise AssertionError(message)


def until(condition, seconds, message):
    """Waits for the condition to hold and returns its value."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        value = condition()
        if value:
            return value
        time.sleep(0.05)
    raise AssertionError(message)


def free_port():
    with socket.socket() as made:
        made.bind(("127.0.0.1", 0))
        return made.getsockname()[1]


def run(judges, only, call):
    """Runs the judges whose names contain `only`; returns how many passed and failed."""
    counts = [0, 0]
    for one in judges:
        if only and only not in one.__name__:
            continue
        start = time.monotonic()
        try:
            call(one)
            counts[0] += 1
            print(f"PASS {one.__name__} ({time.monotonic() - start:.1f} s)", flush=True)
        except Exception as error:
            counts[1] += 1
            print(f"FAIL {one.__name__}: {error}", flush=True)
            if not isinstance(error, AssertionError):
                traceback.print_exc()
    return counts


def judge_with(make, judges, description):
    """Runs the judges one after the other with what `make` makes of the program, closes it, and exits."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--intentd", required=True, help="the program")
    parser.add_argument("--only", default="", help="only judges whose names contain this")
    options = parser.parse_args()
    made = make(os.path.abspath(options.intentd))
    try:
        passed, failed = run(judges, options.only, lambda one: one(made))
    finally:
        made.close()
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed or not passed else 0)

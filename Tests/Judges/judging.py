"""The common parts of the judges: checks, waiting, and running one judge after the other."""

import socket
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

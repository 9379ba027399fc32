#!/usr/bin/env python3
"""Shows that a program that crashes by itself fails its judge, and leaves its log behind."""

import pathlib
import sys
import tempfile

import judging
from judging import Program, check_for_crashes, expect, run

CRASH = [sys.executable, "-c", "import os; print('last words', flush=True); os.abort()"]


def start(folder, **options):
    with open(folder / "log", "wb") as log:
        program = Program(CRASH, stdout=log, stderr=log, cwd=folder, **options)
    program.wait()
    return program


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        judging.os.environ["INTENTD_CRASHES"] = str(folder / "kept")
        start(folder, may_crash=True)
        check_for_crashes()
        crashed = start(folder)
        counts = run([lambda: None], None, lambda one: one())
        expect(counts == [0, 1], f"the judge counts {counts}")
        expect("SIGABRT" in crashed.kept and "last words" in crashed.kept, crashed.kept)
        kept = list((folder / "kept").glob("intentd-crash-*/log"))
        expect([log.read_text().strip() for log in kept] == ["last words"], f"kept: {kept}")
        check_for_crashes()
        killed = Program(["sleep", "60"])
        killed.kill()
        killed.wait()
        check_for_crashes()
    print("PASS judging_selftest")


if __name__ == "__main__":
    main()

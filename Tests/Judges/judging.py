"""The common parts of the judges: checks, waiting, starting programs, and running one judge after the other."""

import argparse
import os
import pathlib
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import traceback

#: The signals by which a process ends itself.
CRASHES = {signal.SIGILL, signal.SIGTRAP, signal.SIGSEGV, signal.SIGBUS, signal.SIGFPE, signal.SIGABRT}
#: How much of a log is printed.
TAIL = 4_000

# Programs inherit it: one that crashes leaves its memory.
resource.setrlimit(resource.RLIMIT_CORE, (resource.getrlimit(resource.RLIMIT_CORE)[1],) * 2)


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


class Program(subprocess.Popen):
    """A process that a judge starts and whose crash fails the judge, unless it is there to crash.

    The core and the log of one that crashes by itself are kept in a folder below $INTENTD_CRASHES, or the folder for
    temporary files.
    """

    started = []

    def __init__(self, command, *, may_crash=False, **options):
        self.command = command
        self.may_crash = may_crash
        self.kept = None
        self.began = time.time()
        self.folder = pathlib.Path(options.get("cwd") or os.getcwd())
        name = getattr(options.get("stdout"), "name", None)
        self.log_path = pathlib.Path(name) if isinstance(name, (str, os.PathLike)) else None
        super().__init__(command, **options)
        Program.started.append(self)

    @property
    def has_crashed(self):
        """Whether it ended by a signal of its own, and was not to."""
        status = self.poll()
        return not self.may_crash and status is not None and -status in CRASHES

    def keep(self):
        """Keeps core and log, once; says what it died of and where they are."""
        if self.kept is None:
            parent = os.environ.get("INTENTD_CRASHES")
            if parent:
                os.makedirs(parent, exist_ok=True)
            folder = pathlib.Path(tempfile.mkdtemp(prefix="intentd-crash-", dir=parent))
            log = self.log_path.read_bytes() if self.log_path and self.log_path.exists() else b""
            (folder / "log").write_bytes(log)
            words = " ".join(map(str, self.command))
            core = self._keep_core(folder)
            self.kept = (
                f"process {self.pid} crashed by {signal.Signals(-self.returncode).name}: {words}\n"
                f"log: {folder / 'log'}, core: {core}\n{log[-TAIL:].decode(errors='replace')}"
            )
        return self.kept

    def _keep_core(self, folder):
        """Moves the core to a folder; says where it is."""
        try:
            pattern = pathlib.Path("/proc/sys/kernel/core_pattern").read_text().strip()
        except OSError:
            pattern = "core"
        if pattern.startswith("|"):
            return f"given to {pattern[1:].split()[0]}"
        place = self.folder / os.path.dirname(pattern)
        for found in [*place.glob(f"*{self.pid}*"), place / "core"]:
            if found.is_file() and found.stat().st_mtime >= self.began - 1:
                return shutil.move(found, folder / "core")
        return "none was written"


def keep_crashes():
    """Keeps what programs have left that crashed by themselves, before their files are removed."""
    for program in Program.started:
        if program.has_crashed:
            program.keep()


def check_for_crashes():
    """Fails for each program that has crashed by itself since the last time."""
    crashed = [program for program in Program.started if program.has_crashed]
    Program.started = [program for program in Program.started if program.returncode is None]
    expect(not crashed, "\n".join(program.keep() for program in crashed))


def run(judges, only, call):
    """Runs the judges whose names contain `only`; returns how many passed and failed."""
    counts = [0, 0]
    for one in judges:
        if only and only not in one.__name__:
            continue
        start = time.monotonic()
        try:
            call(one)
            check_for_crashes()
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

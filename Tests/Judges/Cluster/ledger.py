"""PostgreSQL on a host of its own."""

import pathlib
import shutil
import subprocess
import tempfile

from pipeline import ROOT


class Ledger:
    """The server, with the means to break it."""

    def __init__(self, host):
        self.host = host
        self.is_stopped = False
        # Not below the deployment's directory: as root, the server runs as nobody.
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="intentd-postgresql-"))
        self.address = self.call("start", host.address)

    def call(self, what, *words):
        command = [str(ROOT / "Tests/postgresql.sh"), what, str(self.directory), *words]
        done = subprocess.run(self.host.command(*command), capture_output=True, text=True, timeout=120)
        if done.returncode:
            raise AssertionError(f"PostgreSQL: {what}: {done.stderr}")
        return done.stdout.strip()

    def start(self):
        self.call("start")

    def crash(self):
        """It ends without finishing anything, and recovers from its log when it is started."""
        self.call("stop", "immediate")

    def stop(self):
        """Open transactions are undone, and connections closed."""
        self.call("stop", "fast")

    def ask(self, statements):
        """A session on the server's host that runs these statements; does not wait for it."""
        command = self.host.command("psql", "-Xq", "-v", "ON_ERROR_STOP=1", "-c", statements, self.address)
        return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def cut(self):
        """Every connection ends."""
        self.ask("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'postgres' AND pid <> pg_backend_pid()").wait()

    def lock(self, seconds):
        """A session locks the table of effects for a while."""
        self.ask(f"BEGIN; LOCK TABLE effects; SELECT pg_sleep({seconds}); COMMIT")

    def close(self, keep):
        self.host.join()
        try:
            self.crash()
        except AssertionError:
            pass  # A fault has stopped it.
        if not keep:
            shutil.rmtree(self.directory)

"""The same figures from four sides under load: the console, `lag`, the records, and a Prometheus.

  figures.py --intentd PROGRAM [--minutes 10] [--rate 500] [--output FILE] [--screenshots DIRECTORY]

`intentd up` gets requests at a steady rate, and a Chromium keeps the console's overview open. Every ten seconds each side
is asked, one right after the other; afterwards, when everything is done, all have to say the same. The differences are
printed.
"""

import argparse
import json
import os
import pathlib
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import urllib.parse

from browsing import chromium, picture, seen, text
from judging import expect, free_port, until
from metrics import ROOT, Process, get

DEFINITION = """
name: OrderLemonade
confirmation: never
handler: record
parameters:
  - {name: flavour, type: string, required: true, values: [lemon, rhubarb]}
"""
TILES = {
    "Requests": "asked a second", "Completed": "ended a second", "Open": "open", "Dead letters": "dead letters",
    "Lag (records)": "behind",
}
# What has to agree under load, and within which share.
STEADY = {"asked a second": 0.05, "ended a second": 0.05}
SIDES = ("console", "lag", "records", "prometheus")
# Counts how often the open overview is brought up to date, and how long it waits at most.
FOLLOW = """window.versions = 0; window.longest = 0; let last = performance.now();
new MutationObserver(() => { versions++; const now = performance.now(); longest = Math.max(longest, now - last); last = now; })
    .observe(document.querySelector('[data-live]'), {childList: true});"""
FOLLOWED = "return [versions, longest / 1000, performance.memory.usedJSHeapSize / 1048576]"
TILE_TEXTS = "return [...document.querySelectorAll('.tile')].map((one) => [one.querySelector('h2').textContent, one.querySelector('p').textContent])"


class Observed:
    """A deployment in one process, and a Prometheus that reads its metrics every second."""

    def __init__(self, intentd):
        self.intentd = intentd
        self.directory = tempfile.mkdtemp(prefix="intentd-figures-")
        self.data = f"{self.directory}/data"
        self.monitoring, self.console = (f"127.0.0.1:{free_port()}" for _ in range(2))
        self.prometheus_port = free_port()
        self.definition = f"{self.directory}/lemonade.yaml"
        pathlib.Path(self.definition).write_text(DEFINITION)
        self.up = Process(
            intentd, "up", "--data", self.data, "--definitions", self.definition, log=f"{self.directory}/up.log",
            environment={"INTENTD_MONITORING_LISTEN": self.monitoring, "INTENTD_CONSOLE_LISTEN": self.console},
        )
        until(lambda: get(f"http://{self.monitoring}/readyz")[0] == 200, 60, "it is not ready")
        config = f"{self.directory}/prometheus.yaml"
        pathlib.Path(config).write_text(json.dumps({
            "global": {"scrape_interval": "1s"},
            "scrape_configs": [{"job_name": "intentd", "static_configs": [{"targets": [self.monitoring]}]}],
        }))
        self.prometheus = Process(
            "prometheus", f"--config.file={config}", f"--storage.tsdb.path={self.directory}/tsdb",
            f"--web.listen-address=127.0.0.1:{self.prometheus_port}", log=f"{self.directory}/prometheus.log",
        )
        until(lambda: self.query('up{job="intentd"}') == 1, 30, "Prometheus does not scrape it")
        self.browser = seen(chromium({"browser": "ALL"}))
        self.browser.get(f"http://{self.console}/")
        self.browser.execute_script(FOLLOW)
        until(lambda: text(self.browser, "[data-live-state]") == "Live", 20, "the overview is not live")

    def call(self, *words):
        done = subprocess.run([self.intentd, *words, "--data", self.data], capture_output=True, text=True, cwd=ROOT)
        expect(done.returncode == 0, f"{' '.join(words)}: {done.returncode} {done.stderr}")
        return done.stdout

    def query(self, text):
        query = urllib.parse.urlencode({"query": text})
        status, answer = get(f"http://127.0.0.1:{self.prometheus_port}/api/v1/query?{query}")
        result = json.loads(answer)["data"]["result"] if status == 200 else []
        return float(result[0]["value"][1]) if result else None

    def from_prometheus(self):
        return {
            "asked a second": self.query("sum(rate(intentd_interactions_started_total[1m]))"),
            "ended a second": self.query("sum(rate(intentd_interactions_ended_total[1m]))"),
            "open": self.query("intentd_interactions_open"),
            "dead letters": self.query("sum(intentd_dead_letters_total)") or 0,
            "behind": self.query("sum(intentd_consumer_lag)"),
            "asked": self.query("sum(intentd_interactions_started_total)"),
            "ended": self.query("sum(intentd_interactions_ended_total)"),
        }

    def from_console(self):
        """The figures that the open page shows."""
        figures = {}
        for title, words in self.browser.execute_script(TILE_TEXTS):
            digits = re.sub(r"/s|\s", "", words)
            if title in TILES and re.fullmatch(r"[\d.]+", digits):
                figures[TILES[title]] = float(digits)
        return figures

    def shoot(self, directory):
        """Pictures of the overview as it is now."""
        for width in (360, 1600):
            for dark in (False, True):
                seen(self.browser, width, dark)
                picture(self.browser, f"{directory}/load-{width}{'-dark' if dark else ''}.png")
        seen(self.browser)

    def from_lag(self):
        return {"behind": float(sum(json.loads(line)["lag"] for line in self.call("lag", "--json").splitlines()))}

    def from_records(self):
        now = int(time.time() * 1000)
        with sqlite3.connect(f"file:{self.data}/records.sqlite?mode=ro", uri=True) as records:

            def count(query, *values):
                return float(records.execute(f"SELECT count(*) FROM {query}", values).fetchone()[0])

            return {
                "asked a second": count("interactions WHERE requested_at > ?", now - 60_000) / 60,
                "ended a second": count("interactions WHERE ended_at > ?", now - 60_000) / 60,
                "open": count("interactions WHERE ended_at IS NULL"),
                "dead letters": count("dead_letters"),
                "asked": count("interactions"),
                "ended": count("interactions WHERE ended_at IS NOT NULL"),
            }

    def sides(self):
        return {"console": self.from_console(), "lag": self.from_lag(), "records": self.from_records(),
                "prometheus": self.from_prometheus()}

    def close(self):
        self.browser.quit()
        self.prometheus.end()
        self.up.end()
        shutil.rmtree(self.directory, ignore_errors=True)


def differences(sides):
    """What each side says of a figure, and how far they are apart, for figures that several have."""
    for name in dict.fromkeys(name for side in sides.values() for name in side):
        values = {side: sides[side][name] for side in SIDES if sides[side].get(name) is not None}
        if len(values) > 1:
            yield name, values, max(values.values()) - min(values.values())


def shown(value):
    return f"{value:,.1f}".removesuffix(".0")


def tell(when, sides):
    for name, values, apart in differences(sides):
        words = ", ".join(f"{side} {shown(value)}" for side, value in values.items())
        print(f"{when:>7}  {name}: {words}; apart by {shown(apart)}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--intentd", required=True)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--rate", type=int, default=500)
    parser.add_argument("--output", type=pathlib.Path, help="a file for every figure, as JSON lines")
    parser.add_argument("--screenshots", help="a directory for pictures of the overview under load")
    options = parser.parse_args()
    count = int(options.rate * options.minutes * 60)
    observed = Observed(os.path.abspath(options.intentd))
    output = open(options.output, "w") if options.output else None
    apart = {}
    feed = None
    try:
        events = f"{observed.directory}/events.ndjson"
        with open(events, "w") as file:
            for number in range(count):
                file.write(json.dumps({"type": "intent.requested", "subject": f"i{number}", "data": {
                    "intent": {"name": "OrderLemonade", "parameters": {"flavour": "lemon"}},
                    "user": {"id": f"u{number % 500}"}}}) + "\n")
        feed = Process(options.intentd, "produce", events, "--rate", str(options.rate), "--data", observed.data,
                       log=f"{observed.directory}/produce.log")
        began = time.monotonic()
        for number in range(1, int(options.minutes * 6) + 1):
            time.sleep(max(0, began + 10 * number - time.monotonic()))
            if feed.process.poll() is not None:
                break
            sides = observed.sides()
            seconds = time.monotonic() - began
            if output:
                output.write(json.dumps({"second": round(seconds, 1), **sides}) + "\n")
            if number % 6 == 0 or options.minutes < 2:
                tell(f"{seconds:.0f} s", sides)
            if options.screenshots and number == int(options.minutes * 3):
                observed.shoot(options.screenshots)
            # The last minute is full only after a minute, of load and of scrapes.
            for name, values, difference in differences(sides) if seconds >= 70 else ():
                apart.setdefault(name, []).append((difference, max(values.values())))
        status = feed.process.wait(120)
        expect(status == 0, f"produce ended with {status}")
        print(f"{count} requests were sent in {time.monotonic() - began:.0f} s", flush=True)
        versions, longest, memory = observed.browser.execute_script(FOLLOWED)
        errors = [line["message"] for line in observed.browser.get_log("browser") if line["level"] == "SEVERE"]
        print(f"the open overview was brought up to date {versions} times, after {longest:.1f} s at most; its page has"
              f" {memory:.0f} MiB of objects; {len(errors)} errors", flush=True)
        expect(not errors, errors)

        def settled():
            """The figures, once all sides have seen everything."""
            sides = observed.sides()
            wanted = {"open": 0, "dead letters": 0, "behind": 0, "asked": count, "ended": count}
            return sides if all(values == {side: wanted[name] for side in values}
                                for name, values, _ in differences(sides) if name in wanted) else None

        sides = until(settled, 120, f"the sides do not come to the same: {observed.sides()}")
        tell("the end", sides)
        for name, found in apart.items():
            found.sort()
            share = max(difference / most if most else 0 for difference, most in found)
            print(f"apart under load, {name}: median {shown(found[len(found) // 2][0])}, most {shown(found[-1][0])},"
                  f" at most {share:.1%}", flush=True)
            expect(share <= STEADY.get(name, float("inf")), f"{name}: the sides are {share:.1%} apart")
    finally:
        if output:
            output.close()
        if feed and feed.process.poll() is None:
            feed.end(signal.SIGKILL)
        observed.close()
    print("the sides agree")


if __name__ == "__main__":
    sys.exit(main())

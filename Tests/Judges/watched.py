"""A deployment with conversations, hostile ones among them, its console, and a browser that looks at it."""

import contextlib
import http.server
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import tempfile
import threading
import time
import urllib.error
import urllib.parse
import urllib.request

from confluent_kafka import Producer

from browsing import chromium, picture, seen
from judging import Program, expect, free_port, until

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Names and values that act as markup, SQL, paths or text direction where they are not treated as plain text.
HOSTILE = [
    "<script>document.title='owned'</script>", "\"><img src=x onerror=\"document.title='owned'\">", "'; DROP TABLE interactions;--",
    "javascript:document.title='owned'", "\u202eevil", "../../etc/passwd", "{{7*7}}${7*7}", "a" * 400, "O'Brien & Söhne", "%00%3Cb%3E",
]
PAGES = {
    "overview": ("/", "Overview", "Pipeline"),
    "interactions": ("/interactions", "Interactions", "Requested, UTC"),
    "dead-letters": ("/dead-letters", "Dead letters", "Failed at, UTC"),
    "intents": ("/intents", "Intents", "BookRestaurantTable"),
    "intent": ("/intents/INSendPaymentIntent", "INSendPaymentIntent", "Parameters"),
    "audit": ("/audit", "Audit", "Shadow run"),
    "insight": ("/insight", "Insight", "Requested"),
    "waiting": ("/waiting", "Waiting", "operator"),
    "pauses": ("/pauses", "Pauses", "Pause an intent or an app"),
    "operators": ("/operators", "Operators", "Interaction"),
    "talk": ("/talk?intent=BookRestaurantTable", "Talk", "User and device"),
}
# A service that takes its time, so that its turn is parked.
SLOW = """
name: WaitAMoment
confirmation: never
handler:
  http: {url: "http://127.0.0.1:%d/", timeout: PT1M}
parameters: []
"""
# A service that refuses everything: its requests become dead letters.
BROKEN = """
name: BreakDown
confirmation: never
handler:
  service: {url: "http://127.0.0.1:%d/broken", timeout: PT5S}
parameters: []
"""
# An intent whose handler changes: later it takes fewer flavours.
LEMONADE = """
name: OrderLemonade
confirmation: never
parameters:
  - {name: flavour, type: string, required: true, values: [%s]}
"""
FLAVOURS = ["lemon"] * 6 + ["rhubarb"] * 4 + ["mint"] * 2
TRACE = "0af7651916cd43dd8448eb211c80319c"
# What is drawn of a message.
DRAWN = "Hay </p><script>parent.document.title='owned'</script>"


class Slow(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        if self.path.startswith("/broken"):
            self.send_error(400)
            return
        time.sleep(1)
        self.send_response(200)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, *words):
        pass


class Watched:
    """A deployment with conversations, hostile ones among them, and its console."""

    def __init__(self, intentd, screenshots):
        self.intentd, self.screenshots = intentd, screenshots
        self.directory = tempfile.mkdtemp(prefix="intentd-console-")
        self.data = f"{self.directory}/data"
        self.address = f"127.0.0.1:{free_port()}"
        self.log = open(f"{self.directory}/up.log", "wb")
        self.service = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Slow)
        threading.Thread(target=self.service.serve_forever, daemon=True).start()
        self.port = self.service.server_address[1]
        definitions = self.definitions("", SLOW % self.port, "lemon, rhubarb, mint")
        self.up = Program(
            [intentd, "up", "--data", self.data, *definitions, "--demo-user", "me", "--allow-writes",
             "--trace-url", "http://traces.example/{trace}"],
            stdout=self.log, stderr=self.log, cwd=ROOT,
            env={**os.environ, "INTENTD_CONSOLE_LISTEN": self.address, "INTENTD_MONITORING_LISTEN": f"127.0.0.1:{free_port()}"},
        )
        until(lambda: self.get("/")[0] == 200, 60, "the console does not answer")
        self.converse()
        self.bury()
        until(lambda: "INSendPaymentIntent" in self.get("/interactions")[1], 30, "nothing was recorded")
        until(lambda: 'td class="id"' in self.get("/interactions?user=me&intent=INSendMessageIntent")[1]
              and "<iframe" in self.get(self.place("me", "INSendMessageIntent"))[1], 30, "nothing was drawn")
        until(lambda: "pill bad" in self.get("/dead-letters")[1], 30, "no dead letter was recorded")
        self.kept = None

    @contextlib.contextmanager
    def another_console(self, *options, data=None):
        """A second console, of the same data unless others are named; `get` and `open` use it meanwhile."""
        mine, self.address = self.address, f"127.0.0.1:{free_port()}"
        command = [self.intentd, "console", "--data", data or self.data, "--listen", self.address, *options]
        with open(f"{self.directory}/another.log", "ab") as log:
            process = Program(command, cwd=ROOT, stdout=log, stderr=log)
            try:
                until(lambda: self.get("/interactions")[0] == 200, 60, "the console does not answer")
                yield
            finally:
                self.address = mine
                process.send_signal(signal.SIGTERM)
                expect(process.wait(20) == 0, "the console did not leave cleanly")

    def definitions(self, prefix, slow, flavours):
        """The options that name the files of this deployment's own intents."""
        options = []
        for name, words in (("slow", slow), ("broken", BROKEN % self.port), ("lemonade", LEMONADE % flavours)):
            options += ["--definitions", f"{self.directory}/{prefix}{name}.yaml"]
            pathlib.Path(options[-1]).write_text(words)
        return options

    def close(self):
        if self.kept:
            self.kept.quit()
        self.up.send_signal(signal.SIGTERM)
        began = time.monotonic()
        expect(self.up.wait(30) == 0, "it did not leave cleanly")
        expect(time.monotonic() - began < 20, "it took long to leave")
        self.log.close()
        shutil.rmtree(self.directory)

    def converse(self):
        """Ordinary conversations, and some with hostile names."""
        rng = random.Random(7)
        lines = []
        for number in range(120):
            name = HOSTILE[number % len(HOSTILE)]
            user = name if number % 3 == 0 else rng.choice(["ada", "bob", "cleo", "diana"])
            subject = f"{name[:300]}-{number}" if number % 5 == 0 else f"dinner-{number}"
            intent = name if number % 17 == 0 else "BookRestaurantTable"
            parameters = {"restaurant": name if number % 2 else "Old Mill", "date": "2026-12-03"}
            lines.append({"type": "intent.requested", "subject": subject,
                          "data": {"intent": {"name": intent, "parameters": parameters}, "user": {"id": user}}})
            for kind, answer in (("r/1", {"value": "19:30"}), ("c/2", {})):
                if rng.random() < 0.8:
                    lines.append({"type": "prompt.answered", "data": {
                        "user": {"id": user}, "promptId": f"{subject}/{kind}", "action": "accept", **answer}})
        file = f"{self.directory}/events.ndjson"
        pathlib.Path(file).write_text("".join(json.dumps(line) + "\n" for line in lines))
        self.call("produce", file)
        self.call("ask", "INSendPaymentIntent", "payee=Jeff", "currencyAmount=12 USD", said="1\nyes\n")
        words = ["Celestra", {"spokenPhrase": HOSTILE[0], "pronunciationHint": "bang", "vocabularyIdentifier": HOSTILE[1]}]
        self.call("vocabulary", "set", "--user", "me", "--type", "contactName", said=json.dumps(words))
        message = {"type": "intent.requested", "subject": "drawn", "data": {
            "intent": {"name": "INSendMessageIntent", "parameters": {"recipients": [{"spokenPhrase": "Celestra"}], "content": DRAWN}},
            "user": {"id": "me"}}}
        slow = {"type": "intent.requested", "subject": "slow", "data": {
            "intent": {"name": "WaitAMoment", "parameters": {}}, "user": {"id": "waiter"}}}
        orders = [{"type": "intent.requested", "subject": f"lemonade-{number}", "data": {
            "intent": {"name": "OrderLemonade", "parameters": {"flavour": flavour}}, "user": {"id": "thirsty"}}}
            for number, flavour in enumerate(FLAVOURS)]
        broken = {"type": "intent.requested", "subject": "broken", "traceparent": f"00-{TRACE}-b7ad6b7169203331-00", "data": {
            "intent": {"name": "BreakDown", "parameters": {}}, "user": {"id": "unlucky"}}}
        pathlib.Path(file).write_text("".join(json.dumps(line) + "\n" for line in (message, slow, broken, *orders)))
        self.call("produce", file)

    def bury(self):
        producer = Producer({"bootstrap.servers": pathlib.Path(f"{self.data}/broker.address").read_text().strip()})
        for value in (b"not json <script>", b"\xff\xfe\x00", json.dumps({"intent": HOSTILE[0]}).encode()):
            producer.produce("intents.requests", value=value, headers={"ce_type": HOSTILE[0].encode()}, partition=0)
        producer.flush(10)

    def call(self, *words, said=""):
        done = subprocess.run([self.intentd, *words, "--data", self.data], cwd=ROOT, input=said, text=True,
                              capture_output=True, timeout=120)
        expect(done.returncode == 0, f"{words[0]} ended with {done.returncode}: {done.stderr}")

    def get(self, path, host=None, method="GET", form=None, origin=None):
        """The status, text and headers of a page."""
        data = urllib.parse.urlencode(form).encode() if form is not None else None
        request = urllib.request.Request(f"http://{self.address}{path}", data=data, method=method if data is None else "POST")
        for name, value in (("Host", host), ("Origin", origin)):
            if value:
                request.add_header(name, value)
        try:
            with urllib.request.urlopen(request, timeout=20) as reply:
                return reply.status, reply.read().decode(), reply.headers
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode(), error.headers
        except OSError:
            return None, "", {}

    def browser(self, width=1440, dark=False, script=True):
        """A browser of that width; kept, because starting one is slow."""
        if self.kept is None:
            self.kept = chromium({"browser": "ALL"})
        return seen(self.kept, width, dark, script)

    def open(self, browser, path):
        browser.get(f"http://{self.address}{path}")
        return browser

    def shoot(self, browser, name):
        if self.screenshots:
            picture(browser, f"{self.screenshots}/{name}.png")

    def place(self, user, intent=""):
        """The page of a user's latest interaction."""
        query = urllib.parse.urlencode({"user": user, "intent": intent})
        text = self.get(f"/interactions?{query}")[1]
        return text.split('<td class="id"><a href="')[1].split('"')[0]

    def all_pages(self):
        place = self.place("me", "INSendPaymentIntent")
        pages = dict(PAGES)
        pages["interaction"] = (place, "INSendPaymentIntent", "Conversation")
        pages["failed"] = (self.place("unlucky"), "BreakDown", "Conversation")
        letter = self.get("/dead-letters")[1].split('<td class="id"><a href="')[1].split('"')[0]
        pages["dead-letter"] = (letter, "Dead letter", "Headers")
        pages["state"] = (f"{place}/turns/1", "State at turn 1", "After the turn")
        pages["vocabulary"] = ("/vocabulary?user=me", "Vocabulary", "Celestra")
        pages["record"] = (f"/records/requests/{place.split('/')[2]}/{place.split('/')[3]}", "requests/", "Payload")
        return pages

#!/usr/bin/env python3
"""Plays the conversations of a corpus through the gateway: all end as the people in them ended.

    corpus.py --intentd PATH --corpus DIR [--door http|mcp] [--conversations N] [--at-once N]

Through MCP it needs the environment that `python.sh agents` makes. DIR holds `intents.json` and `scenarios.jsonl` in the format of `intentd test`. The users are clients of
`clients/python`, or of MCP's Python SDK, whose users answer elicitations; a service in this process handles the intents,
so that those that failed fail. Without the corpus it says so and passes: it is not part of the project.
"""

import argparse
import asyncio
import collections
import functools
import http.server
import json
import os
import pathlib
import shutil
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "clients" / "python"))

from intentd import AsyncClient

from judging import Program, check_for_crashes, expect, free_port, keep_crashes, until


class Service(http.server.ThreadingHTTPServer):
    """Handles intents as the scenarios say: the users whose scenario fails now are in `failing`."""

    daemon_threads = True
    request_queue_size = 256

    def __init__(self):
        self.failing = set()
        self.handled = collections.Counter()
        super().__init__(("127.0.0.1", 0), self.Handler)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = -1

        def do_POST(self):
            call = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            self.server.handled[self.headers["Idempotency-Key"]] += 1
            self.send_response(409 if call["user"]["id"] in self.server.failing else 200)
            self.send_header("Content-Length", "2")
            self.end_headers()
            self.wfile.write(b"{}")
            self.wfile.flush()

        def log_message(self, *_):
            pass


class Answers:
    """What a scenario's user says."""

    def __init__(self, scenario):
        self.answers = scenario.get("answers", {})
        self.confirmations = list(scenario.get("confirmations", ()))
        self.volunteered = scenario.get("volunteered", {})

    def to(self, prompt):
        """The arguments of an answer; None when the scenario has none."""
        if prompt["kind"] == "intentConfirmation":
            found = dict(self.confirmations.pop(0)) if self.confirmations else None
        else:
            found = {"value": self.answers[prompt["parameter"]]} if prompt["parameter"] in self.answers else None
        if found is not None and self.volunteered:
            found["corrections"] = self.volunteered | found.get("corrections", {})
            self.volunteered = {}
        return found


def difference(scenario, prompts, response):
    """What ended otherwise than it should have; None if nothing did. An elicitation does not say its prompt's kind."""
    found = {
        "code": response.get("code"), "status": response.get("status"), "prompts": prompts,
        "parameters": response.get("intent", {}).get("parameters"),
    }  # fmt: skip
    for name, value in scenario["expect"].items():
        if found[name] != value and not (name == "prompts" and prompts is None):
            return f"{scenario['name']}: its {name} is {found[name]}, not {value}"
    return None


async def hold(url, user, scenarios):
    """Plays a user's scenarios over HTTP; yields each with its prompts and its response."""
    async with AsyncClient(url, user=user) as client:
        for scenario in scenarios:
            answers, prompts = Answers(scenario), []
            yield scenario, None, None
            conversation = await client.ask(scenario["intent"]["name"], scenario["intent"]["parameters"], id=scenario["name"])
            async for prompt in conversation:
                prompts.append(prompt["kind"] + (f":{prompt['parameter']}" if prompt["parameter"] else ""))
                answer = answers.to(prompt)
                if answer is None:
                    await conversation.cancel("the scenario has no answer")
                else:
                    await conversation.answer(**answer)
            yield scenario, prompts, conversation.response


async def elicit(url, user, scenarios, titles):
    """The same with MCP: a tool's call, and elicitations. A form has no room for what a user volunteers beside a value,
    so that it is among the tool's arguments."""
    import httpx2
    import mcp
    from mcp.client.streamable_http import streamable_http_client

    current = {}

    async def answer(_, params):
        scenario, properties = current["scenario"], params.requested_schema.get("properties", {})
        if "value" in properties:
            parameter = titles[scenario["intent"]["name"]].get(properties["value"]["title"])
            if parameter not in scenario["answers"]:
                return mcp.types.ElicitResult(action="cancel")
            return mcp.types.ElicitResult(action="accept", content={"value": scenario["answers"][parameter]})
        if not current["confirmations"]:
            return mcp.types.ElicitResult(action="cancel")
        given = {name: schema.get("default") for name, schema in properties.items()}
        confirmation = current["confirmations"].pop(0)
        corrections = confirmation.get("corrections", {})
        # A form that comes back unchanged is a yes: somebody who only repeats what is in it continues with the next thing.
        while corrections and given | corrections == given and current["confirmations"]:
            confirmation = current["confirmations"].pop(0)
            corrections = confirmation.get("corrections", {})
        action = "accept" if corrections else confirmation["action"]
        return mcp.types.ElicitResult(action=action, content=given | corrections if action == "accept" else None)

    async with httpx2.AsyncClient(headers={"Intentd-User": user}, timeout=120) as http:
        transport = streamable_http_client(f"{url}/mcp", http_client=http)
        async with mcp.Client(transport, elicitation_callback=answer, input_required_max_rounds=50) as client:
            for scenario in scenarios:
                yield scenario, None, None
                current.update(scenario=scenario, confirmations=list(scenario.get("confirmations", ())))
                arguments = scenario["intent"]["parameters"] | scenario.get("volunteered", {})
                result = (await client.call_tool(scenario["intent"]["name"], arguments)).structured_content
                yield scenario, None, result


async def play(players, service, at_once):
    """Plays all users, each one's scenarios in order; returns what differs and how long conversations took."""
    room = asyncio.Semaphore(at_once)
    differences, seconds = [], []

    async def one(user, player):
        async with room:
            began = time.monotonic()
            async for scenario, prompts, response in player:
                if response is None:
                    (service.failing.discard if scenario["service"] == "success" else service.failing.add)(user)
                    began = time.monotonic()
                    continue
                seconds.append(time.monotonic() - began)
                found = difference(scenario, prompts, response)
                if found:
                    differences.append(found)

    await asyncio.gather(*(one(user, player) for user, player in players.items()))
    return differences, seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--intentd", required=True, help="the program")
    parser.add_argument("--corpus", type=pathlib.Path, required=True, help="the folder of the corpus")
    parser.add_argument("--door", choices=["http", "mcp"], default="http", help="how the users come in")
    parser.add_argument("--conversations", type=int, help="only so many of them")
    parser.add_argument("--at-once", type=int, default=64, help="how many users at a time")
    options = parser.parse_args()
    file = options.corpus / "scenarios.jsonl"
    if not file.exists():
        print(f"SKIP corpus: there is no {file}")
        return 0
    scenarios = [json.loads(line) for line in file.read_text().splitlines() if line.strip()][: options.conversations]
    users = collections.defaultdict(list)
    for scenario in scenarios:
        users[scenario["user"]].append(scenario)
    service = Service()
    folder, port = pathlib.Path(tempfile.mkdtemp(prefix="intentd-judge-")), free_port()
    log, up = open(folder / "up.log", "wb"), None
    try:
        handler = {"http": {"url": f"http://127.0.0.1:{service.server_address[1]}/", "codes": {"409": "failure"}}}
        declared = json.loads((options.corpus / "intents.json").read_text())
        declared = declared["intents"] if isinstance(declared, dict) else declared
        definitions = [{**one, "handler": handler} for one in declared]
        titles = {
            one["name"]: {parameter.get("title", parameter["name"]): parameter["name"] for parameter in one["parameters"]}
            for one in definitions
        }
        (folder / "intents.json").write_text(json.dumps(definitions))
        # One client of one machine asks for all users, each named by a header: without keys nobody checks who it is.
        (folder / "intentd.yaml").write_text(
            f"definitions: [{folder / 'intents.json'}]\ngateway:\n  listen: 127.0.0.1:{port}\n"
            "  limits: {userRate: 100000, userConcurrency: 10000, clientRate: 100000}\n"
        )
        words = ["--listen", f"127.0.0.1:{free_port()}", "--data", str(folder / "data"), "--config", str(folder / "intentd.yaml")]
        up = Program([os.path.abspath(options.intentd), "up", *words], stdout=log, stderr=log)
        url = f"http://127.0.0.1:{port}"

        def answers():
            expect(up.poll() is None, (folder / "up.log").read_text()[-2000:])
            try:
                return asyncio.run(AsyncClient(url, retry_for=0).interactions()) is not None
            except Exception:
                return False

        until(answers, 60, "the gateway does not answer")
        began = time.monotonic()
        make = functools.partial(elicit, titles=titles) if options.door == "mcp" else hold
        players = {user: make(url, user, own) for user, own in users.items()}
        differences, seconds = asyncio.run(play(players, service, options.at_once))
        took = time.monotonic() - began
        check_for_crashes()
        for found in differences[:20]:
            print(f"     {found}")
        twice = [key for key, count in service.handled.items() if count > 1]
        seconds.sort()
        print(
            f"     {options.door}: {len(seconds)} conversations in {took:.0f} s, half of them within {seconds[len(seconds) // 2]:.2f} s, "
            f"{len(service.handled)} handled, {len(twice)} of them asked again, {len(differences)} ended otherwise",
            flush=True,
        )
        print("FAIL corpus" if differences else "PASS corpus")
        return 1 if differences else 0
    finally:
        keep_crashes()
        if up:
            up.kill()
            up.wait()
        service.shutdown()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())

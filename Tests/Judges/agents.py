#!/usr/bin/env python3
"""The official clients of MCP and A2A use intents through two gateways: mcp, fastmcp and a2a-sdk.

    agents.py --intentd PATH [--only NAME]

Everything runs in one process but the gateways, which are restarted and whose replies are lost. Effects are made by a
service that counts them. The exit status is 0 when nothing failed; the last line says how many passed.
"""

import argparse
import asyncio
import collections
import contextlib
import http.client
import http.server
import itertools
import json
import pathlib
import re
import shutil
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid

import a2a.client
import fastmcp
import fastmcp.client.elicitation
import httpx
import mcp
import mcp_types
from a2a.types import a2a_pb2
from google.protobuf import json_format, struct_pb2

import tokens
from judging import Program, expect, free_port, keep_crashes, run, until
from webproxy import WebProxy

JUDGES = []
KEY = "intentd/idempotencyKey"
DEFINITIONS = """
intents:
  - name: OrderLunch
    title: Order lunch
    confirmation: always
    parameters:
      - {name: dish, type: string, required: true, prompt: Which dish?,
         values: [{value: soup, title: Soup of the day}, {value: curry, title: Red curry}]}
      - {name: people, type: integer, minimum: 1, maximum: 9, required: true, prompt: For how many?}
    handler: {http: {url: "http://127.0.0.1:PORT/lunch"}}
  - name: SlowLunch
    title: Cook lunch
    confirmation: never
    handler: {http: {url: "http://127.0.0.1:PORT/slow", timeout: PT60S}}
  - name: PayLunch
    title: Pay for lunch
    financial: true
    parameters:
      - {name: amount, type: currencyAmount, required: true, prompt: How much?}
    handler: {http: {url: "http://127.0.0.1:PORT/pay"}}
"""


def judge(run):
    JUDGES.append(run)
    return run


class Kitchen(http.server.ThreadingHTTPServer):
    """Makes the effects, and counts them by their keys."""

    daemon_threads = True

    def __init__(self):
        self.effects = collections.Counter()
        super().__init__(("127.0.0.1", 0), self.Handler)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            if self.path == "/slow":
                time.sleep(9)
            self.server.effects[(self.path, self.headers["Idempotency-Key"])] += 1
            answer = json.dumps({"done": True, "intent": body.get("intent")}).encode()
            with contextlib.suppress(OSError):
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

        def log_message(self, *words):
            pass

    def count(self, path):
        """The effects of a path: one for each key, however often a service is asked."""
        return len([key for key in self.effects if key[0] == path])


class Canteen:
    """intentd with two gateways."""

    def __init__(self, options):
        self.intentd = options.intentd
        self.orders = options.orders
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="intentd-judge-"))
        self.address = f"127.0.0.1:{free_port()}"
        self.kitchen = Kitchen()
        self.definitions = str(self.directory / "lunch.yaml")
        port = str(self.kitchen.server_address[1])
        pathlib.Path(self.definitions).write_text(DEFINITIONS.replace("PORT", port))
        self.ports = [free_port(), free_port()]
        self.gateways = [None, None]
        self.processes = []
        self.start_up()
        for number in (0, 1):
            self.start_gateway(number)

    def start(self, name, *words):
        log = open(self.directory / f"{name}.log", "ab")
        command = [self.intentd, *words, "--data", str(self.directory / name), "--definitions", self.definitions]
        process = Program(command, stdout=log, stderr=log, cwd=self.directory)
        self.processes.append(process)
        return process

    def start_up(self):
        log = self.directory / "up.log"
        before = log.stat().st_size if log.exists() else 0
        self.up = self.start("up", "up", "--listen", self.address)
        until(lambda: b"Ctrl-C" in log.read_bytes()[before:], 90, "up does not start")

    def start_gateway(self, number):
        words = ["--brokers", self.address, "--listen", f"127.0.0.1:{self.ports[number]}"]
        self.gateways[number] = self.start(f"gateway-{number}", "gateway", *words)
        until(lambda: self.answers(number), 60, f"gateway {number} does not answer")

    def answers(self, number):
        try:
            request = urllib.request.Request(f"{self.url(number)}/v1/interactions?limit=1")
            return urllib.request.urlopen(request, timeout=5).status == 200
        except OSError:
            return False

    def restart(self, number):
        self.gateways[number].kill()
        self.gateways[number].wait()
        self.start_gateway(number)

    def url(self, number=0):
        return f"http://127.0.0.1:{self.ports[number]}"

    def close(self):
        keep_crashes()
        for process in self.processes:
            if process.poll() is None:
                process.kill()
            process.wait()
        shutil.rmtree(self.directory, ignore_errors=True)


class Lossy(http.server.ThreadingHTTPServer):
    """Passes requests on to the gateways in turn, and loses every second reply to a call."""

    daemon_threads = True

    def __init__(self, canteen):
        self.canteen = canteen
        self.turn = itertools.count()
        super().__init__(("127.0.0.1", 0), self.Handler)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            is_call = json.loads(body).get("method") == "tools/call"
            turn = next(self.server.turn) if is_call else 1
            names = ["Content-Type", "Accept", "Mcp-Method", "Mcp-Name", "MCP-Protocol-Version", "Mcp-Session-Id"]
            headers = {name: self.headers[name] for name in names if self.headers[name]}
            # Two replies at each replica, one of which is lost.
            url = self.server.canteen.url(turn // 2 % 2) + self.path
            try:
                reply = urllib.request.urlopen(urllib.request.Request(url, body, headers), timeout=60)
            except urllib.error.HTTPError as error:
                reply = error
            answer = reply.read()
            if turn % 2 == 0:
                self.close_connection = True
                return
            with contextlib.suppress(OSError):
                self.send_response(reply.status)
                self.send_header("Content-Type", reply.headers["Content-Type"])
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

        def log_message(self, *words):
            pass


class Diner:
    """The user of an agent: answers what is asked, and remembers it."""

    def __init__(self, dish="2", people=2):
        self.asked = []
        self.answers = {"choice": {"choice": dish}, "value": {"value": people}}

    def content(self, schema):
        names = schema.get("properties", {})
        for name, content in self.answers.items():
            if name in names:
                return content
        return {}

    async def __call__(self, context, params):
        self.asked.append(params)
        schema = getattr(params, "requested_schema", None) or {}
        return mcp_types.ElicitResult(action="accept", content=self.content(schema))


def key():
    return f"lunch-{uuid.uuid4()}"


def shown(result):
    return result.structured_content


@judge
def an_mcp_client_orders_lunch(canteen):
    """Revision 2026-07-28: every prompt is an input-required result, and the client's user answers it."""

    async def order():
        diner = Diner()
        before = canteen.kitchen.count("/lunch")
        async with mcp.Client(f"{canteen.url()}/mcp", elicitation_callback=diner) as client:
            expect(client.protocol_version == "2026-07-28", f"negotiated {client.protocol_version}")
            tools = {tool.name: tool for tool in (await client.list_tools()).tools}
            expect(set(tools) == {"OrderLunch", "SlowLunch", "PayLunch", "answer"}, f"tools: {sorted(tools)}")
            expect(tools["PayLunch"].annotations.destructive_hint, "a payment is destructive")
            result = await client.call_tool("OrderLunch", {}, meta={KEY: key()})
        expect(not result.is_error, f"{result}")
        expect(shown(result)["intent"]["parameters"] == {"dish": "curry", "people": 2}, f"{shown(result)}")
        expect(len(diner.asked) == 3, f"{len(diner.asked)} questions: {[params.message for params in diner.asked]}")
        titles = diner.asked[0].requested_schema["properties"]["choice"]["oneOf"]
        expect([one["title"] for one in titles] == ["Soup of the day", "Red curry"], f"{titles}")
        expect(canteen.kitchen.count("/lunch") == before + 1, "one lunch")

    asyncio.run(order())


@judge
def an_older_client_is_asked_on_its_stream(canteen):
    """Revision 2025-11-25: initialize, a session, elicitations on the stream of the call."""

    async def order():
        diner = Diner(dish="1", people=3)
        async with mcp.Client(f"{canteen.url()}/mcp", mode="legacy", elicitation_callback=diner) as client:
            expect(client.protocol_version == "2025-11-25", f"negotiated {client.protocol_version}")
            result = await client.call_tool("OrderLunch", {"people": 3}, meta={KEY: key()})
        expect(shown(result)["intent"]["parameters"] == {"dish": "soup", "people": 3}, f"{shown(result)}")
        expect(len(diner.asked) == 2, f"{[params.message for params in diner.asked]}")

    asyncio.run(order())


@judge
def fastmcp_orders_lunch(canteen):
    async def order():
        async def ask(message, response_type, params, context):
            schema = getattr(params, "requested_schema", None) or {}
            content = Diner().content(schema)
            return fastmcp.client.elicitation.ElicitResult(action="accept", content=content)

        async with fastmcp.Client(f"{canteen.url(1)}/mcp", elicitation_handler=ask) as client:
            result = await client.call_tool("OrderLunch", {"dish": "curry"}, meta={KEY: key()})
        expect(result.structured_content["intent"]["parameters"] == {"dish": "curry", "people": 2}, f"{result}")

    asyncio.run(order())


@judge
def a_client_without_elicitation_answers_by_a_tool(canteen):
    async def order():
        async with mcp.Client(f"{canteen.url()}/mcp") as client:
            result = await client.call_tool("OrderLunch", {"dish": "soup"}, meta={KEY: key()})
            said = shown(result)
            expect(said["prompt"]["kind"] == "needsValue", f"{said}")
            people = {"interaction": said["interaction"], "promptId": said["prompt"]["promptId"], "value": "four"}
            said = shown(await client.call_tool("answer", people))
            expect(said["prompt"]["kind"] == "intentConfirmation", f"{said}")
            yes = {"interaction": said["interaction"], "promptId": said["prompt"]["promptId"], "action": "accept"}
            said = shown(await client.call_tool("answer", yes))
            expect(said["code"] == "success" and said["intent"]["parameters"]["people"] == 4, f"{said}")
            # The same answer again changes nothing.
            expect(shown(await client.call_tool("answer", yes))["code"] == "success", "a repeated answer")

    asyncio.run(order())


@judge
def lost_replies_repeat_nothing(canteen):
    """Every second reply is lost, and the repetition comes to the other replica: one effect each."""
    lossy = Lossy(canteen)
    url = f"http://127.0.0.1:{lossy.server_address[1]}/mcp"
    before = canteen.kitchen.count("/lunch")

    async def order(number):
        meta = {KEY: key()}
        diner = Diner(people=number % 9 + 1)
        for _ in range(40):
            with contextlib.suppress(Exception):
                async with mcp.Client(
                    url, mode="2026-07-28", elicitation_callback=diner, read_timeout_seconds=20, cache=None
                ) as client:
                    result = await client.call_tool("OrderLunch", {}, meta=meta)
                    if shown(result).get("state") == "ended":
                        expect(shown(result)["code"] == "success", f"{shown(result)}")
                        return
        raise AssertionError("no end after 40 attempts")

    async def everybody():
        places = asyncio.Semaphore(4)

        async def at_a_time(number):
            async with places:
                await order(number)

        await asyncio.gather(*[at_a_time(number) for number in range(canteen.orders)])

    asyncio.run(everybody())
    made = canteen.kitchen.count("/lunch") - before
    expect(made == canteen.orders, f"{made} lunches for {canteen.orders} orders")
    lossy.shutdown()


@judge
def a_broken_stream_continues_at_the_other_replica(canteen):
    """Revision 2025-11-25: the library comes back with Last-Event-ID, and what was called is not called again."""
    web = WebProxy(free_port(), canteen.ports[:1])
    web.start()
    web.listening.wait(10)
    before = canteen.kitchen.count("/slow")

    async def cook():
        async with mcp.Client(f"http://127.0.0.1:{web.port}/mcp", mode="legacy") as client:
            call = asyncio.create_task(client.call_tool("SlowLunch", {}, meta={KEY: key()}))
            # The service takes 9 s, and the stream begins after 2 s.
            await asyncio.sleep(4)
            expect(not call.done(), "the call has ended before its stream was cut")
            web.targets = canteen.ports[1:]
            web.cut()
            result = await asyncio.wait_for(call, 40)
        expect(shown(result)["code"] == "success", f"{shown(result)}")

    asyncio.run(cook())
    web.close()
    expect(web.counts["cut"] > 0, "nothing was cut")
    expect(canteen.kitchen.count("/slow") == before + 1, "one effect")


def exchange(canteen, method, params, number=0, tasks=True):
    """One request of revision 2026-07-28, as a program without a library sends it."""
    capabilities = {"extensions": {"io.modelcontextprotocol/tasks": {}}} if tasks else {}
    meta = params.setdefault("_meta", {})
    meta["io.modelcontextprotocol/protocolVersion"] = "2026-07-28"
    meta["io.modelcontextprotocol/clientCapabilities"] = capabilities
    body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    headers |= {"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": method}
    name = params.get("name") or params.get("taskId")
    if name:
        headers["Mcp-Name"] = name
    request = urllib.request.Request(f"{canteen.url(number)}/mcp", json.dumps(body).encode(), headers)
    try:
        text = urllib.request.urlopen(request, timeout=60).read().decode()
    except urllib.error.HTTPError as error:
        text = error.read().decode()
    if not text.startswith("{"):
        text = [line[6:] for line in text.splitlines() if line.startswith("data: ")][-1]
    return json.loads(text)


@judge
def tasks_survive_restarts(canteen):
    """A long call is a task: it is found after a restart of everything, by its id and by the same call."""
    before = canteen.kitchen.count("/slow")
    meta = {KEY: key()}
    task = exchange(canteen, "tools/call", {"name": "SlowLunch", "arguments": {}, "_meta": dict(meta)})["result"]
    expect(task["resultType"] == "task" and task["status"] == "working", f"{task}")
    canteen.up.kill()
    canteen.up.wait()
    canteen.start_up()
    for number in (0, 1):
        canteen.restart(number)

    def detailed():
        reply = exchange(canteen, "tasks/get", {"taskId": task["taskId"]}, 1)
        return reply["result"] if reply.get("result", {}).get("status") == "completed" else None

    done = until(detailed, 60, "the task does not end")
    expect(done["result"]["structuredContent"]["code"] == "success", f"{done}")
    again = exchange(canteen, "tools/call", {"name": "SlowLunch", "arguments": {}, "_meta": dict(meta)})["result"]
    expect(again["structuredContent"]["interaction"] == task["taskId"], f"{again}")
    expect(canteen.kitchen.count("/slow") == before + 1, "one effect")
    unknown = exchange(canteen, "tasks/get", {"taskId": "nobody's"})
    expect(unknown["error"]["code"] == -32602, f"{unknown}")
    without = exchange(canteen, "tasks/get", {"taskId": task["taskId"]}, tasks=False)
    expect(without["error"]["code"] == -32021, f"{without}")


def page(canteen, url, form=None):
    data = urllib.parse.urlencode(form).encode() if form else None
    request = urllib.request.Request(url, data, {"Origin": canteen.url()} if form else {})
    return urllib.request.urlopen(request, timeout=20).read().decode()


def press(canteen, url, action):
    """The user opens the page and presses a button."""

    def ready():
        text = page(canteen, url)
        return text if f'value="{action}"' in text else None

    text = until(ready, 20, f"no button {action}")
    fields = dict(re.findall(r'name="(secret|promptId)" value="([^"]*)"', text))
    page(canteen, url, fields | {"action": action})


@judge
def an_agent_cannot_pay_alone(canteen):
    """The agent's yes is refused at every door; the user's page confirms."""
    before = canteen.kitchen.count("/pay")

    async def pay():
        pages = []

        async def ask(context, params):
            expect(params.mode == "url", f"a payment is confirmed in a form: {params}")
            pages.append(params.url)
            action = "unlock" if len(pages) == 1 else "accept"
            await asyncio.to_thread(press, canteen, params.url, action)
            return mcp_types.ElicitResult(action="accept")

        async with mcp.Client(f"{canteen.url()}/mcp", elicitation_callback=ask) as client:
            result = await client.call_tool("PayLunch", {"amount": "12 EUR"}, meta={KEY: key()})
        expect(shown(result)["code"] == "success", f"{shown(result)}")
        expect(canteen.kitchen.count("/pay") == before + 1, "one payment")

        async with mcp.Client(f"{canteen.url()}/mcp") as client:
            said = shown(await client.call_tool("PayLunch", {"amount": "12 EUR"}, meta={KEY: key()}))
            expect(said["prompt"]["kind"] == "unlockRequired", f"{said}")
            await asyncio.to_thread(press, canteen, said["confirm"], "unlock")
            said = shown(await client.call_tool("answer", {"interaction": said["interaction"]}))
            expect(said["prompt"]["kind"] == "intentConfirmation" and said["confirm"], f"{said}")
            for words in ({"action": "accept"}, {"value": "yes"}, {"value": True}, {"corrections": {}}):
                yes = {"interaction": said["interaction"], "promptId": said["prompt"]["promptId"]} | words
                refused = await client.call_tool("answer", yes)
                expect(refused.is_error and shown(refused)["error"]["code"] == "userMustConfirm", f"{refused}")
            no = {"interaction": said["interaction"], "action": "decline"}
            expect(shown(await client.call_tool("answer", no))["endReason"] == "declined", "a no is allowed")
        expect(canteen.kitchen.count("/pay") == before + 1, "nothing was paid")

    asyncio.run(pay())


@judge
def forms_of_other_sites_confirm_nothing(canteen):
    reply = exchange(canteen, "tools/call", {"name": "PayLunch", "arguments": {"amount": "9 EUR"}}, tasks=False)
    url = reply["result"]["structuredContent"]["confirm"]
    fields = dict(re.findall(r'name="(secret|promptId)" value="([^"]*)"', page(canteen, url)))
    wrong = [
        ({"Origin": "https://evil.example"}, fields),
        ({"Origin": canteen.url(), "Sec-Fetch-Site": "cross-site"}, fields),
        ({"Origin": "null"}, fields),
        ({"Origin": canteen.url()}, fields | {"secret": "0" * 64}),
        ({"Origin": canteen.url()}, {"promptId": fields["promptId"]}),
    ]
    for headers, form in wrong:
        data = urllib.parse.urlencode(form | {"action": "unlock"}).encode()
        try:
            urllib.request.urlopen(urllib.request.Request(url, data, headers), timeout=20)
            raise AssertionError(f"accepted: {headers} {form}")
        except urllib.error.HTTPError as error:
            expect(error.code in (403, 409), f"{error.code} for {headers}")
            expect("frame-ancestors 'none'" in error.headers["Content-Security-Policy"], "no policy")


@judge
def the_page_belongs_to_its_user(canteen):
    """With tokens: an agent's yes is refused over HTTP too, and the page knows its user, by a token or its cookie."""
    issuer = tokens.Issuer(canteen.directory / "keys.json")
    port = free_port()
    settings = canteen.directory / "tokens.yaml"
    settings.write_text(
        f"gateway: {{keys: {issuer.file}, issuer: {tokens.ISSUER}, audience: [{tokens.AUDIENCE}], agents: [robot]}}\n"
    )
    words = ["--brokers", canteen.address, "--listen", f"127.0.0.1:{port}", "--config", str(settings)]
    gateway = canteen.start("gateway-tokens", "gateway", *words)
    origin = f"http://127.0.0.1:{port}"

    def call(method, path, token=None, body=None, **headers):
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        if path.startswith("/v1") and body is not None:
            body, headers["Content-Type"] = json.dumps(body), "application/json"
        elif body is not None:
            body = urllib.parse.urlencode(body)
            headers = {"Content-Type": "application/x-www-form-urlencoded", "Origin": origin} | headers
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        connection.request(method, path, body, headers)
        reply = connection.getresponse()
        return reply.status, reply.headers, reply.read().decode()

    anna, bert, robot = issuer.token("anna"), issuer.token("bert"), issuer.token("anna", client_id="robot")

    def is_ready():
        with contextlib.suppress(OSError):
            return call("GET", "/v1/interactions", anna)[0] == 200

    until(is_ready, 60, "the gateway with tokens is not ready")
    before = canteen.kitchen.count("/pay")
    pay = {"intent": "PayLunch", "parameters": {"amount": "9 EUR"}, "device": {"id": "d", "locked": False}}
    asked = json.loads(call("POST", "/v1/interactions", robot, pay, Prefer="wait=20")[2])
    expect(asked["prompt"]["kind"] == "intentConfirmation", f"{asked}")
    yes = {"promptId": asked["prompt"]["promptId"], "action": "accept"}
    status, _, text = call("POST", f"/v1/interactions/{asked['id']}/answers", robot, yes)
    expect(status == 403 and json.loads(text)["code"] == "userMustConfirm", f"{status} {text}")
    expect(asked["links"]["confirm"] in text, f"no address of the page: {text}")
    for path in ("/v1/signed-in", "/v1/devices/d/unlocked"):
        status, _, text = call("POST", path, robot, {})
        expect(status == 403 and json.loads(text)["code"] == "userMustConfirm", f"an agent at {path}: {status} {text}")

    page = urllib.parse.urlsplit(asked["links"]["confirm"]).path
    expired = issuer.token("anna", seconds=-900)
    for who, token, wanted in [("nobody", None, 401), ("an agent", robot, 403), ("another user", bert, 404),
                               ("an expired token", expired, 401), ("the user", anna, 200)]:
        expect(call("GET", page, token)[0] == wanted, f"the page for {who}")
    expect(call("POST", page, None, {"token": robot})[0] == 403, "an agent enters its token")
    expect(call("POST", page, None, {"token": "a\r\nb"})[0] == 401, "a token of two lines")
    status, headers, _ = call("POST", page, None, {"token": anna})
    cookie = headers["Set-Cookie"]
    expect(status == 303 and "HttpOnly; SameSite=Strict" in cookie and "Path=/confirm;" in cookie, f"{status} {cookie}")
    cookie = cookie.split(";")[0]
    form = dict(re.findall(r'name="(secret|promptId)" value="([^"]*)"', call("GET", page, Cookie=cookie)[2]))
    form["action"] = "accept"
    other = dict(re.findall(r'name="(secret|promptId)" value="([^"]*)"', call("GET", page, anna)[2]))
    expect(other["secret"] == form["secret"], "the code depends on the token alone")
    expect(call("POST", page, None, form, Cookie=cookie, Origin="https://evil.example")[0] == 403, "another site")
    expect(call("POST", page, None, form)[0] == 401, "a form without the cookie")
    expect(call("POST", page, None, form | {"secret": "0" * 64}, Cookie=cookie)[0] == 409, "a wrong code")
    expect(call("GET", f"/v1/interactions/{asked['id']}", Cookie=cookie)[0] == 401, "the cookie is for the page alone")
    expect(canteen.kitchen.count("/pay") == before, "nothing was paid yet")
    expect(call("POST", page, None, form, Cookie=cookie)[0] == 303, "the user's yes")
    paid = json.loads(call("GET", f"/v1/interactions/{asked['id']}", anna, Prefer="wait=20")[2])
    expect(paid["response"]["code"] == "success" and canteen.kitchen.count("/pay") == before + 1, f"{paid}")
    metadata = json.loads(call("GET", "/.well-known/oauth-protected-resource")[2])
    expect(metadata["authorization_servers"] == [tokens.ISSUER], f"{metadata}")
    challenge = call("POST", "/mcp", None, {})[1]["WWW-Authenticate"]
    expect("/.well-known/oauth-protected-resource" in challenge, f"{challenge}")
    gateway.kill()
    gateway.wait()


def message(data=None, text=None, task=None, id=None):
    parts = []
    if data is not None:
        value = struct_pb2.Value()
        json_format.ParseDict(data, value)
        parts.append(a2a_pb2.Part(data=value))
    if text is not None:
        parts.append(a2a_pb2.Part(text=text))
    made = a2a_pb2.Message(message_id=id or str(uuid.uuid4()), role=a2a_pb2.ROLE_USER, parts=parts)
    if task:
        made.task_id = task
    return a2a_pb2.SendMessageRequest(message=made)


@judge
def an_a2a_client_holds_a_conversation(canteen):
    before = canteen.kitchen.count("/lunch")

    async def converse(streaming):
        async with httpx.AsyncClient(timeout=60) as connection:
            card = await a2a.client.A2ACardResolver(connection, canteen.url()).get_agent_card()
            expect({skill.id for skill in card.skills} == {"OrderLunch", "SlowLunch", "PayLunch"}, f"{card.skills}")
            config = a2a.client.ClientConfig(httpx_client=connection, streaming=streaming)
            client = a2a.client.ClientFactory(config).create(card)

            async def send(request):
                """The task as it is after a message."""
                task = None
                async for event in client.send_message(request):
                    if event.HasField("task"):
                        task = event.task
                    elif event.HasField("status_update"):
                        task.status.CopyFrom(event.status_update.status)
                        task.metadata.CopyFrom(event.status_update.metadata)
                return task

            first = message({"intent": "OrderLunch", "parameters": {"dish": "soup"}})
            task = await send(first)
            expect(task.status.state == a2a_pb2.TASK_STATE_INPUT_REQUIRED, f"{task}")
            again = await send(first)
            expect(again.id == task.id, "the same message is the same task")
            answer = message(text="two", task=task.id)
            task = await send(answer)
            expect("OrderLunch" in str(task) or task.status.message.parts, f"{task}")
            yes = message({"action": "accept"}, task=task.id)
            done = await send(yes)
            expect(done.status.state == a2a_pb2.TASK_STATE_COMPLETED, f"{done}")
            repeated = await send(yes)
            expect(repeated.status.state == a2a_pb2.TASK_STATE_COMPLETED, f"{repeated}")
            found = await client.get_task(a2a_pb2.GetTaskRequest(id=task.id))
            expect(found.artifacts[0].artifact_id == "result", f"{found}")
            listed = await client.list_tasks(a2a_pb2.ListTasksRequest(page_size=5))
            expect(task.id in [one.id for one in listed.tasks], f"{listed}")

            other = await send(message({"intent": "OrderLunch"}))
            cancelled = await client.cancel_task(a2a_pb2.CancelTaskRequest(id=other.id))
            expect(cancelled.status.state == a2a_pb2.TASK_STATE_CANCELED, f"{cancelled}")
            payment = await send(message({"intent": "PayLunch", "parameters": {"amount": "9 EUR"}}))
            expect(payment.status.state == a2a_pb2.TASK_STATE_AUTH_REQUIRED, f"{payment}")
            expect("/confirm/" in payment.metadata["confirm"], f"{payment.metadata}")

    for streaming in (False, True):
        asyncio.run(converse(streaming))
    expect(canteen.kitchen.count("/lunch") == before + 2, "one lunch each")


@judge
def a_desktop_agent_speaks_on_standard_input(canteen):
    async def order(mode):
        arguments = ["mcp", "--brokers", canteen.address, "--definitions", canteen.definitions]
        arguments += ["--data", str(canteen.directory / "desktop")]
        server = mcp.StdioServerParameters(command=canteen.intentd, args=arguments)
        diner = Diner()
        async with mcp.Client(server, mode=mode, elicitation_callback=diner) as client:
            result = await client.call_tool("OrderLunch", {"people": 1}, meta={KEY: key()})
        expect(shown(result)["intent"]["parameters"] == {"dish": "curry", "people": 1}, f"{shown(result)}")

    for mode in ("auto", "legacy"):
        asyncio.run(order(mode))


@judge
def malformed_messages_get_their_errors(canteen):
    def post(body, **headers):
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        headers["Content-Type"] = "application/json"
        request = urllib.request.Request(f"{canteen.url()}/mcp", body, headers)
        try:
            reply = urllib.request.urlopen(request, timeout=20)
        except urllib.error.HTTPError as error:
            reply = error
        text = reply.read()
        return reply.status, json.loads(text) if text else None

    expect(post(b"{")[1]["error"]["code"] == -32700, "no JSON")
    expect(post(b"[]")[1]["error"]["code"] == -32600, "a batch")
    status, reply = post(b'{"jsonrpc":"2.0","id":1,"method":"tools/list"}')
    expect(status == 400 and reply["error"]["code"] == -32600, f"no session: {reply}")
    status, reply = post(
        b'{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}', MCP_Protocol_Version="1900-01-01"
    )
    expect(status == 400 and reply["error"]["code"] == -32022, f"an unknown revision: {reply}")
    meta = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": meta}}).encode()
    status, reply = post(body, MCP_Protocol_Version="2026-07-28", Mcp_Method="tools/call")
    expect(status == 400 and reply["error"]["code"] == -32020, f"another method in the header: {reply}")
    body = body.replace(b"tools/list", b"tools/lost")
    status, reply = post(body, MCP_Protocol_Version="2026-07-28", Mcp_Method="tools/lost")
    expect(status == 404 and reply["error"]["code"] == -32601, f"an unknown method: {reply}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--intentd", required=True, help="the program")
    parser.add_argument("--only", help="only judges whose names contain this")
    parser.add_argument("--orders", type=int, default=10, help="the orders whose replies are lost")
    options = parser.parse_args()
    canteen = Canteen(options)
    try:
        passed, failed = run(JUDGES, options.only, lambda one: one(canteen))
    finally:
        canteen.close()
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed or not passed else 0)


if __name__ == "__main__":
    main()

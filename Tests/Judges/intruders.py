#!/usr/bin/env python3
"""Hostile clients of the gateway: tokens, requests, bodies and connections that are wrong on purpose.

    intruders.py --intentd PATH [--only NAME] [--connections 5000]

One `intentd up` checks tokens of an issuer whose keys are here; another one has no keys and serves this machine's
browsers only. After each attack a user of good will is answered within three seconds, and nothing has ended or failed with a
5xx. The exit status is 0 when nothing failed; the last line says how many passed.
"""

import argparse
import concurrent.futures
import contextlib
import http.client
import json
import pathlib
import re
import resource
import socket
import subprocess
import sys
import time

from judging import expect, free_port, run, until
from pipeline import ROOT, House
from tokens import ALL, AUDIENCE, ISSUER, Issuer

ORIGIN = "https://app.example"
JUDGES = []


def judge(one):
    JUDGES.append(one)
    return one


class Answer:
    """A response, from a client of ours or cut out of raw bytes."""

    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    @property
    def json(self):
        return json.loads(self.body)

    def __str__(self):
        return f"{self.status} {self.body[:300]!r}"


class Door(House):
    """`up` with a gateway, and clients for it."""

    def __init__(self, options, has_keys):
        super().__init__(argparse.Namespace(**vars(options), brokers=None, definitions=None))
        self.issuer = Issuer(self.directory / "jwks.json")
        self.gateway_port = free_port()
        settings = f"gateway:\n  listen: 127.0.0.1:{self.gateway_port}\n  origins: [{ORIGIN}]\n"
        if has_keys:
            settings += f"  keys: {self.issuer.file}\n  issuer: {ISSUER}\n  audience: [{AUDIENCE}]\n"
        (self.directory / "intentd.yaml").write_text("samples: true\n" + settings)
        self.up = self.start("up", "--listen", self.address)
        until(lambda: self.get("/v1/interactions").status == 200, 60, "the gateway does not answer")

    def command(self, *words, definitions=True):
        return [*super().command(*words, definitions=False), "--config", str(self.directory / "intentd.yaml")]

    def call(self, method, path, body=None, token=None, headers=None, timeout=20):
        """A request of a client that means no harm, unless its parts do."""
        headers = dict(headers or {})
        if token is not False:
            headers.setdefault("Authorization", f"Bearer {self.issuer.token('ann') if token is None else token}")
        if body is not None and not isinstance(body, (bytes, str)):
            body = json.dumps(body)
            headers.setdefault("Content-Type", "application/json")
        connection = http.client.HTTPConnection("127.0.0.1", self.gateway_port, timeout=timeout)
        try:
            connection.request(method, path, body, headers)
            found = connection.getresponse()
            return Answer(found.status, {name.lower(): value for name, value in found.getheaders()}, found.read())
        except (OSError, http.client.HTTPException) as error:
            return Answer(0, {}, repr(error).encode())
        finally:
            connection.close()

    def get(self, path, **more):
        return self.call("GET", path, **more)

    def ask(self, user="ann", id=None, wait=0, more=None):
        headers = {"Idempotency-Key": id or f"i{time.monotonic_ns()}"} | ({"Prefer": f"wait={wait}"} if wait else {})
        body = {"intent": "BookRestaurantTable", "parameters": {"restaurant": "Old Mill"}}
        return self.call("POST", "/v1/interactions", body | (more or {}), self.issuer.token(user), headers)

    def raw(self, data, seconds=3):
        """Sends bytes, and returns everything that comes back until the end, or for that long."""
        with socket.create_connection(("127.0.0.1", self.gateway_port), timeout=seconds) as made:
            with contextlib.suppress(OSError):
                made.sendall(data)
            found = b""
            deadline = time.monotonic() + seconds
            while (left := deadline - time.monotonic()) > 0:
                made.settimeout(left)
                try:
                    piece = made.recv(65_536)
                except OSError:
                    break
                if not piece:
                    return found, True
                found += piece
            return found, False

    def is_well(self, what="", seconds=3):
        """A user of good will is answered within that time, and the process is the same."""
        expect(self.up.poll() is None, f"{what}: the process has ended with {self.up.returncode}")
        began = time.monotonic()
        found = self.get("/v1/interactions?limit=1")
        expect(found.status == 200, f"{what}: a user of good will gets {found}")
        expect(time.monotonic() - began < seconds, f"{what}: a user of good will waits {time.monotonic() - began:.1f} s")


def statuses(data):
    """The status of each response in what came back."""
    return [int(status) for status in re.findall(rb"HTTP/1\.1 (\d{3}) ", data)]


def check_problem(found, statuses, what):
    expect(found.status in statuses, f"{what}: {found}, not {statuses}")
    expect(found.headers.get("content-type", "").startswith("application/problem+json"), f"{what}: {found.headers}")
    problem = found.json
    expect(problem["status"] == found.status and problem["code"] and problem["detail"], f"{what}: {problem}")


# Tokens


@judge
def tokens_that_are_wrong_are_refused(door, _):
    for algorithm in door.issuer.keys:
        found = door.get("/v1/interactions", token=door.issuer.token("ann", algorithm))
        expect(found.status == 200, f"a token signed with {algorithm}: {found}")
    count = 0
    for what, token in door.issuer.wrong("ann").items():
        for method, path, body in (
            ("GET", "/v1/interactions", None), ("POST", "/v1/interactions", {"intent": "INNobodyIntent"}),
            ("GET", "/v1/events", None), ("GET", "/v1/intents", None), ("POST", "/v1/signed-in", {}),
        ):  # fmt: skip
            found = door.call(method, path, body, token)
            check_problem(found, (401,), f"{what} at {path}")
            expect("Bearer" in found.headers.get("www-authenticate", ""), f"{what}: no challenge in {found.headers}")
            count += 1
    for header in ({}, {"Authorization": "Basic YW5uOmFubg=="}, {"Authorization": door.issuer.token("ann")}, {"Authorization": "Bearer"}):
        check_problem(door.get("/v1/interactions", token=False, headers=header), (401,), f"{header}")
    check_problem(door.get(f"/v1/interactions?access_token={door.issuer.token('ann')}", token=False), (400, 401), "a token in the query")
    print(f"     {count} requests with wrong tokens were refused", flush=True)
    door.is_well()


@judge
def two_tokens_in_one_request_are_refused(door, _):
    token = door.issuer.token("ann")
    for second in (token, door.issuer.token("bob"), "x"):
        lines = f"GET /v1/interactions HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\nAuthorization: Bearer {second}\r\nConnection: close\r\n\r\n"
        found, _ = door.raw(lines.encode())
        expect(statuses(found) and statuses(found)[0] in (400, 401), f"two tokens: {found[:200]}")


@judge
def keys_rotate_and_may_disappear(door, _):
    old = door.issuer.rotate()
    new = door.issuer.token("ann")
    until(lambda: door.get("/v1/interactions", token=new).status == 200, 90, "a token of the new key is not accepted")
    until(lambda: door.get("/v1/interactions", token=old).status == 401, 90, "a token of the old key is still accepted")
    for name, text in (("no JSON", "{"), ("no keys", '{"keys": []}'), ("nothing", ""), ("a key without numbers", '{"keys": [{"kty": "EC"}]}')):
        door.issuer.file.write_text(text)
        check = time.monotonic() + 2
        while time.monotonic() < check:
            found = door.get("/v1/interactions", token=old)
            expect(found.status in (401, 503), f"{name}: a token of a key that was withdrawn gets {found}")
            time.sleep(0.2)
    door.issuer.file.unlink()
    time.sleep(1)
    expect(door.get("/v1/interactions", token=door.issuer.token("ann", key=door.issuer.keys["RS256"], algorithm="RS256", iss="x")).status in (401, 503), "no keys")
    door.issuer.publish()
    until(lambda: door.get("/v1/interactions").status == 200, 90, "the keys are back, and tokens are refused")


# Users


@judge
def others_interactions_are_not_found(door, _):
    id = f"secret-{time.monotonic_ns()}"
    made = door.ask("ann", id, wait=20)
    expect(made.status in (200, 201) and made.json["prompt"], f"ann cannot ask: {made}")
    prompt = made.json["prompt"]["promptId"]
    bob = door.issuer.token("bob")
    for method, path, body in (
        ("GET", f"/v1/interactions/{id}", None), ("DELETE", f"/v1/interactions/{id}", None),
        ("POST", f"/v1/interactions/{id}/answers", {"promptId": prompt, "action": "cancel"}),
        ("POST", f"/v1/interactions/{id}/report", {"code": "success"}),
    ):  # fmt: skip
        check_problem(door.call(method, path, body, bob), (404,), f"{method} {path} by another user")
    listed = door.get("/v1/interactions?limit=200", token=bob).json["interactions"]
    expect(not [one for one in listed if one["id"] == id], "another user's list has it")
    # The same id of another user is another interaction.
    expect(door.ask("bob", id, wait=20).json["prompt"]["user"]["id"] == "bob", "another user's request under that id")
    expect(door.get(f"/v1/interactions/{id}").json["prompt"]["user"]["id"] == "ann", "ann's interaction has changed")
    # A user in the body or in the query is not believed.
    found = door.ask("bob", f"{id}-2", wait=20, more={"user": {"id": "ann"}})
    expect(found.status == 400 or found.json["prompt"]["user"]["id"] == "bob", f"a user in the body: {found}")
    door.is_well()


@judge
def scopes_are_kept(door, _):
    read = door.issuer.token("ann", scope="intents.read")
    ask = door.issuer.token("ann", scope="intents.ask")
    none = door.issuer.token("ann", scope=None)
    body = {"intent": "INNobodyIntent"}
    expect(door.get("/v1/interactions", token=read).status == 200, "the scope read cannot read")
    for method, path, given, token in (
        ("POST", "/v1/interactions", body, read), ("POST", "/v1/interactions", body, none), ("GET", "/v1/interactions", None, ask),
        ("GET", "/v1/events", None, ask), ("PUT", "/v1/vocabularies/contactName", {"strings": ["x"]}, read),
        ("POST", "/v1/interactions/x/answers", {"promptId": "x/r/1"}, read),
        ("POST", "/v1/interactions", body, door.issuer.token("ann", scope="intents.asking INTENTS.ASK openid")),
    ):  # fmt: skip
        check_problem(door.call(method, path, given, token), (403,), f"{method} {path} without its scope")
    service = door.issuer.token("robot", scope=ALL + " intents.act-as")
    for name, token, statuses in (("a user", door.issuer.token("bob"), (403,)), ("a service", service, (200,))):
        found = door.get("/v1/interactions", token=token, headers={"Intentd-User": "ann"})
        expect(found.status in statuses, f"{name} acts for ann: {found}")
    found = door.get("/v1/interactions", token=service, headers={"Intentd-User": "a" * 5_000})
    expect(found.status in (400, 403, 431), f"a user's id of 5,000 bytes: {found}")


# Requests


def request(line, *headers, body=b"", token=None):
    lines = [line, "Host: localhost", f"Authorization: Bearer {token}", *headers]
    return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body


@judge
def malformed_requests_get_an_error(door, _):
    token = door.issuer.token("ann")
    get = "GET /v1/interactions HTTP/1.1"
    attacks = {
        "nothing": b"\r\n\r\n", "no HTTP": b"hello\r\n\r\n", "HTTP/0.9": b"GET /\r\n", "zeros": bytes(4_096),
        "TLS": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(500),
        "HTTP/2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes(60),
        "another version": request("GET / HTTP/9.9", token=token), "no method": request(" / HTTP/1.1", token=token),
        "a method of its own": request("BREW / HTTP/1.1", token=token), "CONNECT": request("CONNECT example.com:80 HTTP/1.1", token=token),
        "TRACE": request("TRACE / HTTP/1.1", token=token),
        "an absolute address": request("GET http://evil.example/v1/interactions HTTP/1.1", token=token),
        "a header without a colon": request(get, "x", token=token), "a header without a name": request(get, ": x", token=token),
        "a space in a name": request(get, "a b: c", token=token), "a space before the colon": request(get, "Content-Length : 5", token=token),
        "a folded header": request(get, "X-A: b\r\n c", token=token), "a zero in a header": request(get, "X-A: b\0c", token=token),
        "a lone CR": request(get, "X-A: b\rX-B: c", token=token), "bytes in a header": request(get, "X-A: \xff\xfe", token=token),
        "two hosts": request(get, "Host: evil.example", token=token),
        "no host": f"{get}\r\nAuthorization: Bearer {token}\r\n\r\n".encode(),
        "an address of 100 KB": request(f"GET /{'a' * 100_000} HTTP/1.1", token=token),
        "a header of 100 KB": request(get, f"X-A: {'a' * 100_000}", token=token),
        "5,000 headers": request(get, *[f"X-{number}: x" for number in range(5_000)], token=token),
        "an endless header": request(get, token=token)[:-4] + b"\r\nX-A: " + b"a" * 3_000_000,
        "a path of zeros": request("GET /v1/interactions/%00%00 HTTP/1.1", token=token),
        "half an escape": request("GET /v1/interactions/%z%4 HTTP/1.1", token=token),
        "an escape that is no UTF-8": request("GET /v1/interactions/%ff%fe HTTP/1.1", token=token),
        "a query of 10,000 members": request(f"GET /v1/interactions?{'&'.join(f'a{n}=1' for n in range(2_000))} HTTP/1.1", token=token),
    }  # fmt: skip
    for what, data in attacks.items():
        found, _ = door.raw(data, 4)
        got = statuses(found)
        expect(all(status < 500 or status in (501, 505) for status in got), f"{what}: {got} {found[-300:]}")
        expect(len(got) <= 2, f"{what}: {len(got)} responses")
        expect("uncaught" not in found.decode("latin-1"), what)
        expect(got[:1] < [400] or b"Content-Type: application/problem+json" in found, f"{what}: {found[-300:]}")
        door.is_well(what)
    print(f"     {len(attacks)} malformed requests", flush=True)


@judge
def files_are_not_served(door, _):
    for path in (
        "/../../../../etc/passwd", "/v1/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/..%2f..%2fetc%2fpasswd", "//etc/passwd",
        "/v1/intents/..%2f..%2f..%2fetc%2fpasswd", "/v1/interactions/..%2f..%2fx", "/.git/config", "/intentd.yaml", "/jwks.json",
        "/demo/../../etc/passwd", "/console.css/..", "/v1/openapi.json/../../x",
    ):  # fmt: skip
        found = door.get(path)
        expect(found.status in (400, 404), f"{path}: {found}")
        expect(b"root:" not in found.body and b"kty" not in found.body, f"{path} is served")


@judge
def headers_cannot_be_injected(door, _):
    for id in ("a%0d%0aSet-Cookie:%20x=1", "a%0aX-Injected:%201", "%c0%8d%c0%8ax"):
        found = door.get(f"/v1/interactions/{id}")
        expect(found.status in (400, 404), f"{id}: {found}")
        expect("set-cookie" not in found.headers and "x-injected" not in found.headers, f"{id}: {found.headers}")
    for key in ("a b", "\x01", "x" * 5_000, "é", ""):
        found = door.call("POST", "/v1/interactions", {"intent": "INNobodyIntent"}, headers={"Idempotency-Key": key.encode("latin-1")})
        expect(found.status in (400, 431), f"the key {key[:20]!r}: {found}")
    for name, value in (
        ("Prefer", "wait=99999999999999999999"), ("Prefer", "wait=-1"), ("Prefer", "wait=x"), ("Accept-Language", "," * 5_000),
        ("Accept-Language", "en;q=1e999"), ("traceparent", "x" * 4_000), ("Accept", "x/y;q=z"), ("Range", "bytes=0-0,1-1,2-2"),
        ("If-None-Match", "*"), ("Expect", "x"), ("Accept-Encoding", "zip-bomb"),
    ):  # fmt: skip
        found = door.get("/v1/interactions?limit=1", headers={name: value})
        expect(found.status in (200, 400, 406, 417, 431), f"{name}: {value[:30]}: {found}")
    for query in ("limit=0", "limit=-1", "limit=99999999999999999999", "limit=1e3", "limit=%31%00", "before=x", "before=9:9:9", "before=-1:-1", "open=maybe"):
        found = door.get(f"/v1/interactions?{query}")
        expect(found.status == 400, f"{query}: {found}")
    for position in ("x", "0", "-1:-1", "9" * 2_000, "AAAA", "eyJ4IjoxfQ", "..", "requests/0/0"):
        found = door.get("/v1/events", headers={"Last-Event-ID": position})
        expect(found.status in (400, 410, 431), f"the position {position[:20]}: {found}")


@judge
def requests_cannot_be_smuggled(door, _):
    token = door.issuer.token("ann")
    smuggled = request("GET /smuggled HTTP/1.1", token=token)
    post = "POST /v1/signed-in HTTP/1.1"
    attacks = {
        "both lengths": (["Content-Length: 4", "Transfer-Encoding: chunked"], b"0\r\n\r\n"),
        "both lengths, the other way": (["Transfer-Encoding: chunked", "Content-Length: 6"], b"0\r\n\r\nX"),
        "two lengths": (["Content-Length: 0", f"Content-Length: {len(smuggled)}"], b""),
        "a list of lengths": ([f"Content-Length: 0, {len(smuggled)}"], b""),
        "a length with a sign": (["Content-Length: +0"], b""),
        "a negative length": (["Content-Length: -1"], b""),
        "a hexadecimal length": (["Content-Length: 0x10"], b""),
        "an enormous length": (["Content-Length: 99999999999999999999999"], b""),
        "a length of words": (["Content-Length: zero"], b""),
        "an unknown encoding": (["Transfer-Encoding: xchunked"], b"0\r\n\r\n"),
        "identity": (["Transfer-Encoding: identity", "Content-Length: 0"], b""),
        "chunked in between": (["Transfer-Encoding: chunked, identity"], b"0\r\n\r\n"),
        "chunked twice": (["Transfer-Encoding: chunked", "Transfer-Encoding: chunked"], b"0\r\n\r\n"),
        "a tab": (["Transfer-Encoding:\tchunked", "Content-Length: 3"], b"0\r\n\r\n"),
        "a vertical tab": (["Transfer-Encoding: \x0bchunked", "Content-Length: 3"], b"0\r\n\r\n"),
        "a space before the colon": (["Transfer-Encoding : chunked", "Content-Length: 3"], b"0\r\n\r\n"),
        "a negative chunk": (["Transfer-Encoding: chunked"], b"-1\r\n\r\n"),
        "a chunk that overflows": (["Transfer-Encoding: chunked"], b"10000000000000000\r\nX\r\n0\r\n\r\n"),
        "a chunk with a prefix": (["Transfer-Encoding: chunked"], b"0x5\r\nAAAAA\r\n0\r\n\r\n"),
        "a chunk without its end": (["Transfer-Encoding: chunked"], b"5\r\nAAAAAXX0\r\n\r\n"),
    }  # fmt: skip
    for what, (headers, body) in attacks.items():
        found, _ = door.raw(request(post, *headers, body=body, token=token) + smuggled, 1.5)
        got = statuses(found)
        expect(b"smuggled" not in found and 404 not in got, f"{what}: the smuggled request was answered: {found[-300:]}")
        expect(all(status in (400, 411, 413, 501) for status in got), f"{what}: {got}")
    door.is_well()
    print(f"     {len(attacks)} attempts", flush=True)


@judge
def bodies_are_limited_and_checked(door, _):
    token = door.issuer.token("ann")
    good = b'{"intent": "INNobodyIntent"}'
    deep = b"[" * 200_000
    attacks = {
        "1 MiB": (b'{"intent": "' + b"a" * (1 << 20) + b'"}', (413,)),
        "depth": (b'{"intent": "x", "parameters": {"a": ' + deep + b"}}", (400, 413)),
        "depth of objects": (b'{"intent": "x", "parameters": ' + b'{"a":' * 20_000 + b"1" + b"}" * 20_000 + b"}", (400, 413)),
        "many members": (json.dumps({"intent": "x", "parameters": {str(n): n for n in range(15_000)}}).encode(), (201, 400, 413, 422)),
        "a number of 100,000 digits": (b'{"intent": "x", "parameters": {"a": ' + b"9" * 100_000 + b"}}", (201, 400, 413, 422)),
        "an exponent": (b'{"intent": "x", "parameters": {"a": 1e999999999}}', (201, 400, 422)),
        "NaN": (b'{"intent": "x", "parameters": {"a": NaN}}', (400,)),
        "half a surrogate": (b'{"intent": "\\ud800"}', (201, 400, 422)),
        "no UTF-8": (b'{"intent": "\xff\xfe"}', (400,)),
        "a zero": (b'{"intent": "a\\u0000b"}', (201, 400, 422)),
        "UTF-16": (good.decode().encode("utf-16"), (400,)),
        "no object": (b"[]", (400,)), "null": (b"null", (400,)), "nothing": (b"", (400,)), "half": (good[:-1], (400,)),
        "more than one": (good + good, (400,)), "no intent": (b"{}", (400,)), "a number as intent": (b'{"intent": 7}', (400,)),
        "parameters in a list": (b'{"intent": "x", "parameters": []}', (400,)),
        "an empty intent": (b'{"intent": ""}', (400, 422)),
    }  # fmt: skip
    for what, (body, wanted) in attacks.items():
        found = door.call("POST", "/v1/interactions", body, headers={"Content-Type": "application/json"})
        # A client that is refused while it still sends may lose the response.
        expect(found.status in wanted or (found.status == 0 and 413 in wanted), f"{what}: {found}")
        door.is_well(what)
    for type in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""):
        found = door.call("POST", "/v1/interactions", good, headers={"Content-Type": type})
        expect(found.status in (400, 415), f"the type {type!r}: {found}")
    found, _ = door.raw(request("POST /v1/interactions HTTP/1.1", "Content-Length: 10000000000", token=token), 2)
    expect(statuses(found) == [413], f"10 GB are announced: {found[:200]}")
    endless = request("POST /v1/interactions HTTP/1.1", "Transfer-Encoding: chunked", token=token) + b"ffff\r\n" + b"a" * 65_535 + b"\r\n"
    found, _ = door.raw(endless + (b"ffff\r\n" + b"a" * 65_535 + b"\r\n") * 64, 2)
    expect(statuses(found) in ([413], []), f"chunks without an end: {found[:200]}")
    door.is_well()


# Connections


def memory(process):
    return int(re.search(r"VmRSS:\s+(\d+)", pathlib.Path(f"/proc/{process.pid}/status").read_text())[1]) // 1024


@judge
def slow_clients_hold_up_nobody(door, _):
    token = door.issuer.token("slow")
    head = request("GET /v1/interactions HTTP/1.1", token=token)
    body = request("POST /v1/interactions HTTP/1.1", "Content-Type: application/json", "Content-Length: 200", token=token)
    made, before = [], memory(door.up)
    with contextlib.ExitStack() as stack:
        for number in range(300):
            one = stack.enter_context(socket.create_connection(("127.0.0.1", door.gateway_port), timeout=5))
            one.setblocking(False)
            made.append((one, (head, body, b"")[number % 3]))
        for step in range(8):
            for one, data in made:
                with contextlib.suppress(OSError):
                    one.send(data[step * 20 : step * 20 + 20] if step < 7 else b"")
            time.sleep(0.25)
            door.is_well("slow clients")
        # Others ask for everything, and read nothing.
        listing = request("GET /v1/openapi.json HTTP/1.1", token=token) * 200
        for _ in range(30):
            one = stack.enter_context(socket.create_connection(("127.0.0.1", door.gateway_port), timeout=5))
            one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
            one.setblocking(False)
            with contextlib.suppress(OSError):
                one.send(listing)
        for _ in range(8):
            time.sleep(0.25)
            door.is_well("clients that do not read")
        after = memory(door.up)
    print(f"     {before} MiB before, {after} MiB with 330 slow clients", flush=True)
    expect(after - before < 150, f"memory has grown by {after - before} MiB")


@judge
def many_connections_hold_up_nobody(door, _):
    count = door.options.connections
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(soft, count + 500)), hard))
    before = memory(door.up)
    with contextlib.ExitStack() as stack:
        for number in range(count):
            one = stack.enter_context(socket.create_connection(("127.0.0.1", door.gateway_port), timeout=10))
            if number % 2:
                one.send(b"GET / HTTP/1.1\r\nHost: localhost\r\n")
            if number % 500 == 0:
                door.is_well(f"{number} connections")
        door.is_well(f"{count} connections")
        print(f"     {before} MiB before, {memory(door.up)} MiB with {count} connections", flush=True)
    # All of them end at once.
    door.is_well("after them", 10)


@judge
def a_user_that_asks_too_much_is_slowed_down(door, _):
    token = door.issuer.token("greedy")

    def ask(_):
        return door.get("/v1/interactions?limit=1", token=token)

    # Several at once, since one after the other may take longer than the limit allows them to.
    with concurrent.futures.ThreadPoolExecutor(16) as pool:
        found = list(pool.map(ask, range(1_000)))
    late = [one for one in found if one.status == 429]
    expect(late and {one.status for one in found} == {200, 429}, f"{ {one.status for one in found} }")
    for one in late:
        check_problem(one, (429,), "too many")
        expect(0 < int(one.headers["retry-after"]) <= 60, f"Retry-After: {one.headers}")
    door.is_well("another user")
    until(lambda: ask(0).status == 200, 10, "the user is never served again")
    # Streams of events are requests in progress.
    with contextlib.ExitStack() as stack:
        refused = 0
        for _ in range(60):
            one = stack.enter_context(socket.create_connection(("127.0.0.1", door.gateway_port), timeout=5))
            one.sendall(request("GET /v1/events HTTP/1.1", token=token))
            refused += statuses(one.recv(4_096))[:1] == [429]
        expect(refused, "a user may follow events 60 times")
        door.is_well("another user")


# Browsers


@judge
def pages_of_other_origins_cannot_call(door, open_door):
    for method, headers in (("OPTIONS", {"Access-Control-Request-Method": "POST"}), ("GET", {})):
        for origin in ("https://evil.example", "null", "https://app.example.evil", "http://app.example", "https://app.example:444"):
            found = door.call(method, "/v1/interactions", headers={"Origin": origin, **headers}, token=False if method == "OPTIONS" else None)
            allowed = found.headers.get("access-control-allow-origin")
            expect(allowed is None, f"{method} from {origin}: {allowed}")
            expect("access-control-allow-credentials" not in found.headers, "credentials are allowed")
        found = door.call(method, "/v1/interactions", headers={"Origin": ORIGIN, **headers}, token=False if method == "OPTIONS" else None)
        expect(found.headers.get("access-control-allow-origin") == ORIGIN, f"{method} from {ORIGIN}: {found.headers}")
        expect("origin" in found.headers.get("vary", "").lower(), f"{method}: no Vary in {found.headers}")
    preflight = door.call("OPTIONS", "/v1/interactions", headers={"Origin": ORIGIN, "Access-Control-Request-Method": "POST"}, token=False)
    allowed = preflight.headers["access-control-allow-headers"].lower()
    for name in ("authorization", "content-type", "idempotency-key", "prefer", "last-event-id", "accept-language"):
        expect(name in allowed, f"the client's header {name} is not allowed: {allowed}")
    # Without keys everybody on this machine is the development user: no other page may use that.
    body = {"intent": "INNobodyIntent"}
    for headers in ({"Origin": "https://evil.example"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"}):
        found = open_door.call("POST", "/v1/interactions", body, token=False, headers=headers)
        check_problem(found, (403,), f"a page with {headers}")
    for host in ("evil.example", "evil.example:80", "127.0.0.1.evil.example", "", "localhost.evil"):
        found = open_door.get("/v1/interactions", token=False, headers={"Host": host})
        expect(found.status in (400, 421), f"addressed as {host!r}: {found}")
    for host in ("localhost", f"127.0.0.1:{open_door.gateway_port}"):
        found = open_door.get("/v1/interactions", token=False, headers={"Host": host})
        expect(found.status == 200, f"addressed as {host!r}: {found}")


@judge
def without_keys_only_this_machine_is_served(door, open_door):
    (open_door.directory / "wide.yaml").write_text("gateway:\n  listen: 0.0.0.0:0\n")
    for words in (["gateway", "--listen", "0.0.0.0:0"], ["gateway", "--listen", f"0.0.0.0:{free_port()}"]):
        command = [*open_door.command(*words), "--brokers", open_door.address]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=15, cwd=ROOT)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"{' '.join(words)} serves everybody without keys") from None
        expect(done.returncode in (64, 78) and "keys" in done.stderr, f"{words}: {done.returncode} {done.stderr[-500:]}")
    expect("keys" in open(open_door.up.log).read(), "up does not say that it has no keys")


@judge
def schemathesis_finds_nothing(door, _):
    made = subprocess.run([ROOT / "Tests/Judges/python.sh", "schemathesis"], capture_output=True, text=True, timeout=600)
    expect(made.returncode == 0, made.stderr)
    program = pathlib.Path(made.stdout.strip()).with_name("schemathesis")
    document = door.get("/v1/openapi.json")
    expect(document.status == 200, f"no document: {document}")
    path = door.directory / "openapi.json"
    path.write_bytes(document.body)
    found = subprocess.run(
        [
            program, "run", str(path), "--url", f"http://127.0.0.1:{door.gateway_port}", "--header",
            f"Authorization: Bearer {door.issuer.token('thesis')}", "--max-examples", "15", "--seed", "1", "--exclude-path",
            "/v1/events", "--request-timeout", "20", "--rate-limit", "40/s", "--no-color",
            # What no schema says is refused too: a day that no calendar has, an intent that nobody handles.
            "--exclude-checks", "positive_data_acceptance",
        ],
        capture_output=True, text=True, timeout=300, cwd=door.directory,
    )  # fmt: skip
    expect(found.returncode == 0, found.stdout[-6_000:] + found.stderr[-1_000:])
    print("     " + found.stdout.strip().splitlines()[-1], flush=True)
    door.is_well("schemathesis")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--intentd", required=True, help="the program")
    parser.add_argument("--connections", type=int, default=5_000, help="how many at a time")
    parser.add_argument("--only", default="", help="only judges whose names contain this")
    options = parser.parse_args()
    doors = []
    try:
        doors += [Door(options, True), Door(options, False)]
        passed, failed = run(JUDGES, options.only, lambda one: one(*doors))
    finally:
        for door in doors:
            door.close()
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())

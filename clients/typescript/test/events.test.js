// Tests of what needs no gateway: the parser of server-sent events, and errors.
import assert from "node:assert/strict";
import { test } from "node:test";
import { EventParser, GatewayError } from "../intentd.js";

function event(position, data = {}) {
  const body = { type: "prompt.issued", id: `e${position}`, interaction: "i", time: "t", data };
  return `event: prompt.issued\nid: ${position}\ndata: ${JSON.stringify(body)}\n\n`;
}

test("pieces of any size give the same events", () => {
  const text = `: open\n\nretry: 250\nid: p0\n\n${event("p1", { dialog: "Größe: 🍲?" })}${event("p2")}`;
  for (const end of ["\n", "\r\n", "\r"]) {
    const wire = new TextEncoder().encode(`${text.replaceAll("\n", end)}`);
    for (const size of [1, 2, 3, 7, wire.length]) {
      const parser = new EventParser();
      const found = [];
      for (let start = 0; start < wire.length; start += size) found.push(...parser.feed(wire.slice(start, start + size)));
      // A final carriage return is a line's end as soon as anything follows it.
      found.push(...parser.feed(new TextEncoder().encode(":\n")));
      assert.deepEqual(found.map((one) => one.position), ["p1", "p2"]);
      assert.equal(found[0].data.dialog, "Größe: 🍲?");
      assert.deepEqual([parser.position, parser.retry], ["p2", 0.25]);
    }
  }
});

test("an event that was cut off does not move the position", () => {
  const parser = new EventParser("p0");
  const encoder = new TextEncoder();
  assert.equal(parser.feed(encoder.encode(event("p1"))).length, 1);
  assert.deepEqual(parser.feed(encoder.encode(event("p2").slice(0, -1))), []);
  assert.equal(parser.position, "p1");
});

test("a position without an event is kept", () => {
  const parser = new EventParser();
  assert.deepEqual(parser.feed(new TextEncoder().encode("id: p7\n\n: comment\n\n")), []);
  assert.equal(parser.position, "p7");
});

test("problems are read, and a proxy's page is an error too", () => {
  const body = JSON.stringify({ code: "idConflict", detail: "The id is in use." });
  const error = GatewayError.of(409, new Headers(), body);
  assert.deepEqual([error.code, error.detail, error.isRetriable], ["idConflict", "The id is in use.", false]);
  for (const page of ["<h1>Bad Gateway</h1>", "null", ""]) {
    const error = GatewayError.of(502, new Headers({ "Retry-After": "2" }), page);
    assert.deepEqual([error.code, error.retryAfter, error.isRetriable], ["unavailable", 2, true]);
  }
});

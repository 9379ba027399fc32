// Tests against a gateway without keys that serves BookRestaurantTable; skipped without INTENTD_GATEWAY.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Client, ConversationTimeout, Unreachable } from "../intentd.js";

const gateway = process.env.INTENTD_GATEWAY;
const options = { skip: gateway ? false : "INTENTD_GATEWAY is not set" };
const table = ["BookRestaurantTable", { restaurant: "Old Mill" }];
const newClient = (more = {}) => new Client(gateway, { user: `ann é ${Math.random()}`, ...more });

function answerTo(prompt) {
  return prompt.kind === "needsValue" ? { value: { date: "2026-12-03", time: "19:30" }[prompt.parameter] } : {};
}

async function hold(conversation) {
  const asked = [];
  for await (const prompt of conversation) {
    asked.push(prompt.parameter ?? prompt.kind);
    await conversation.answer(answerTo(prompt));
  }
  return asked;
}

test("a conversation is held to its end", options, async () => {
  const client = newClient({ locale: "en-US", timeZone: "Europe/Berlin" });
  const conversation = await client.ask(...table);
  assert.deepEqual(await hold(conversation), ["date", "time", "intentConfirmation"]);
  assert.equal(conversation.response.code, "success");
  assert.deepEqual((await client.interactions()).map((one) => one.id), [conversation.id]);
});

test("the same request again continues, and another one is refused", options, async () => {
  const client = newClient();
  const first = await client.ask(...table);
  const again = await client.ask(...table, { id: first.id });
  assert.equal(again.prompt.promptId, first.prompt.promptId);
  await assert.rejects(client.ask(table[0], { restaurant: "Lemon Tree" }, { id: first.id }), { status: 409, code: "idConflict" });
  const continued = await client.conversation(first.id);
  await continued.answer(answerTo(await continued.nextPrompt()));
  assert.equal((await continued.nextPrompt()).parameter, "time");
  await assert.rejects(continued.end({ timeout: 1 }), ConversationTimeout);
  await continued.cancel({ reason: "changed my mind" });
  assert.equal((await continued.end({ timeout: 20 })).response.endReason, "abortedByUser");
});

test("events come once and in order, and continue behind a position", options, async () => {
  const client = newClient();
  const seen = [];
  const stop = new AbortController();
  let open;
  const opened = new Promise((resolve) => (open = resolve));
  const over = (async () => {
    for await (const event of client.events({ onOpen: open, signal: stop.signal })) {
      seen.push(event);
      if (event.type === "intent.responded" && event.data.terminal) return;
    }
  })();
  await opened;
  const conversation = await client.ask(...table);
  await hold(conversation);
  await over;
  const kinds = seen.map((event) => event.type).filter((type) => type !== "user-activity.created");
  assert.deepEqual(kinds, ["prompt.issued", "prompt.issued", "prompt.issued", "intent.responded"]);
  assert.equal(new Set(seen.map((event) => event.id)).size, seen.length);
  for await (const event of client.events({ after: seen[0].position, signal: stop.signal })) {
    assert.equal(event.id, seen[1].id);
    break;
  }
  const intents = await client.intents();
  assert.ok(intents.some((one) => one.name === "BookRestaurantTable" && one.parameters.properties.people));
});

test("a gateway that is not there is an error after the time for retries; a signal ends it before", async () => {
  await assert.rejects(new Client("http://127.0.0.1:9", { retryFor: 0.2 }).interaction("x"), Unreachable);
  const signal = AbortSignal.timeout(100);
  await assert.rejects(new Client("http://127.0.0.1:9").interaction("x", { signal }), { name: "TimeoutError" });
});

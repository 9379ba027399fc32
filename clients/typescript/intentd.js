// A client for intentd's gateway, for browsers and Node: request intents, answer prompts, follow events.

/** How long the gateway is asked to hold a request until something has happened, in seconds. */
const WAIT = 25;
/** The longest time for a reply that does not wait, in seconds. */
const TIMEOUT = 20;
/** The gateway sends a comment more often than that; a connection without a byte for longer is broken. In seconds. */
const SILENCE = 45;

/** The gateway refused a request. `code` says why; `detail` is for the developer of the client. */
export class GatewayError extends Error {
  constructor(status, code, detail, retryAfter = null) {
    super(`${status} ${code}: ${detail}`);
    this.name = "GatewayError";
    this.status = status;
    this.code = code;
    this.detail = detail;
    this.retryAfter = retryAfter;
    this.isRepeated = false;
  }

  get isRetriable() {
    return [429, 502, 503, 504].includes(this.status);
  }

  /** The error that a reply contains, also where a proxy wrote the reply. */
  static of(status, headers, text) {
    let problem = {};
    try {
      problem = JSON.parse(text) ?? {};
    } catch {
      // Another server's page: the status has to do.
    }
    const seconds = Number.parseFloat(headers.get("retry-after") ?? "");
    const code = problem.code ?? (status >= 502 && status <= 504 ? "unavailable" : "unknown");
    return new GatewayError(status, code, problem.detail ?? problem.title ?? "", Number.isNaN(seconds) ? null : seconds);
  }
}

/** The gateway could not be reached, or the connection ended before its reply was complete. */
export class Unreachable extends Error {
  constructor(cause) {
    super(`the gateway cannot be reached: ${cause?.message ?? cause}`, { cause });
    this.name = "Unreachable";
  }
}

/** Nothing that the client waited for has happened in time; `interaction` is as it was last seen. */
export class ConversationTimeout extends Error {
  constructor(interaction) {
    super(`interaction ${interaction.id} is still ${interaction.state}`);
    this.name = "ConversationTimeout";
    this.interaction = interaction;
  }
}

/** Pauses that double with each try up to a limit, with random parts so that clients do not come back together. */
function backoff(tries) {
  const longest = Math.min(10, 0.1 * 2 ** Math.min(tries, 20));
  return longest / 2 + (Math.random() * longest) / 2;
}

/** A random id. Pages that were not loaded over https have no `randomUUID`, and Node 18 has no `crypto`. */
function newID() {
  const source = globalThis.crypto;
  if (source?.randomUUID) return source.randomUUID();
  const bytes = new Uint8Array(16);
  if (source) source.getRandomValues(bytes);
  else bytes.forEach((_, index) => (bytes[index] = Math.floor(Math.random() * 256)));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function pause(seconds, signal) {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, seconds * 1000);
    signal?.addEventListener("abort", stop, { once: true });
  });
}

/** Aborts when the caller does, or when no byte came for that many seconds. */
class Deadline {
  constructor(seconds, signal) {
    this.seconds = seconds;
    this.outer = signal;
    this.controller = new AbortController();
    this.stop = () => this.controller.abort(signal.reason);
    if (signal?.aborted) this.stop();
    signal?.addEventListener("abort", this.stop, { once: true });
    this.extend();
  }

  get signal() {
    return this.controller.signal;
  }

  extend() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.controller.abort(new Error("no reply in time")), this.seconds * 1000);
  }

  end() {
    clearTimeout(this.timer);
    this.outer?.removeEventListener("abort", this.stop);
  }
}

/** Parses server-sent events in pieces of any size. */
export class EventParser {
  constructor(position = null) {
    this.position = position;
    /** What the gateway asks clients to wait before they connect again, in seconds. */
    this.retry = null;
    this.decoder = new TextDecoder();
    this.text = "";
    this.data = [];
    this.id = position;
  }

  /** The events that are complete with this piece. */
  feed(piece) {
    this.text += this.decoder.decode(piece, { stream: true });
    const found = [];
    for (;;) {
      const end = this.text.search(/[\r\n]/);
      if (end < 0) return found;
      // A line feed may follow.
      if (this.text[end] === "\r" && end + 1 === this.text.length) return found;
      const line = this.text.slice(0, end);
      this.text = this.text.slice(this.text.startsWith("\r\n", end) ? end + 2 : end + 1);
      const event = this.line(line);
      if (event) found.push(event);
    }
  }

  line(line) {
    if (line) {
      const colon = line.indexOf(":");
      const name = colon < 0 ? line : line.slice(0, colon);
      const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
      if (name === "data") this.data.push(value);
      else if (name === "id" && !value.includes("\0")) this.id = value;
      else if (name === "retry" && /^[0-9]+$/.test(value)) this.retry = Number(value) / 1000;
      return null;
    }
    // A blank line ends an event; one without data only moves the position.
    this.position = this.id;
    const text = this.data.join("\n");
    this.data = [];
    if (!text) return null;
    try {
      const body = JSON.parse(text);
      return { ...body, interaction: body.interaction ?? null, data: body.data ?? {}, position: this.position ?? "" };
    } catch {
      return null;
    }
  }
}

/** A client of one gateway, or of several behind one address. */
export class Client {
  constructor(url, { token = null, user = null, locale = null, timeZone = null, retryFor = 60, fetch = null } = {}) {
    this.url = String(url).replace(/\/+$/, "");
    this.token = token;
    this.locale = locale;
    this.timeZone = timeZone;
    this.retryFor = retryFor;
    this.fetch = fetch ?? ((...given) => globalThis.fetch(...given));
    this.headers = {};
    if (user !== null) this.headers["Intentd-User"] = encodeURIComponent(user);
    if (locale !== null) this.headers["Accept-Language"] = locale;
  }

  /** Requests an intent. The same `id` with the same request again continues the same conversation. */
  async ask(intent, parameters = {}, { id = newID(), wait = WAIT, signal, ...members } = {}) {
    const body = { intent, parameters, ...members };
    if (this.locale !== null) body.locale ??= this.locale;
    if (this.timeZone !== null) body.timeZone ??= this.timeZone;
    return new Conversation(this, await this.call("POST", "/v1/interactions", { body, key: id, wait, signal }));
  }

  /** Continues a conversation that this client or another one began. */
  async conversation(id, options) {
    return new Conversation(this, await this.interaction(id, options));
  }

  interaction(id, { after = null, wait = 0, signal } = {}) {
    const query = after === null ? "" : `?after=${after}`;
    return this.call("GET", `/v1/interactions/${encodeURIComponent(id)}${query}`, { wait, signal });
  }

  /** The user's interactions, newest first. */
  async interactions({ open = null, limit = 50, signal } = {}) {
    const found = [];
    let before = null;
    do {
      const query = new URLSearchParams({ limit: String(limit) });
      if (open !== null) query.set("open", String(open));
      if (before !== null) query.set("before", before);
      const page = await this.call("GET", `/v1/interactions?${query}`, { signal });
      found.push(...page.interactions);
      before = page.next ?? null;
    } while (before !== null && found.length < limit);
    return found.slice(0, limit);
  }

  /** The intents that can be requested, each with a JSON Schema of its parameters. */
  async intents(options) {
    return (await this.call("GET", "/v1/intents", options)).intents;
  }

  /** Continues interactions that wait until this device is unlocked. */
  async unlocked(device, options) {
    await this.call("POST", `/v1/devices/${encodeURIComponent(device)}/unlocked`, { key: newID(), ...options });
  }

  /** Continues interactions that wait until the user has signed in. */
  async signedIn(options) {
    await this.call("POST", "/v1/signed-in", { key: newID(), ...options });
  }

  /** Replaces the user's own words of a type, such as `contactName`. */
  async setVocabulary(type, strings, options) {
    const path = `/v1/vocabularies/${encodeURIComponent(type)}`;
    await this.call("PUT", path, { body: { strings }, key: newID(), ...options });
  }

  async removeVocabularies(options) {
    await this.call("DELETE", "/v1/vocabularies", { key: newID(), ...options });
  }

  /**
   * The user's events from now on, or after the position of an earlier event; each once and in order.
   *
   * It connects again after a break and continues. `onOpen` is called whenever a connection is open:
   * from then on no event is missed. It ends with the signal, or with a GatewayError that another try
   * does not mend, such as `positionExpired` after a longer break than the topics keep their events.
   */
  async *events({ after = null, onOpen, signal } = {}) {
    let position = after;
    let failures = 0;
    for (;;) {
      let least = 0;
      const parser = new EventParser(position);
      const deadline = new Deadline(SILENCE, signal);
      try {
        const headers = { Accept: "text/event-stream", ...(position ? { "Last-Event-ID": position } : {}) };
        const reply = await this.send("GET", "/v1/events", { headers, signal: deadline.signal });
        if (reply.status !== 200) throw GatewayError.of(reply.status, reply.headers, await reply.text());
        let isOpen = false;
        const reader = reply.body.getReader();
        for (;;) {
          const { done, value } = await reader.read();
          if (done) break;
          deadline.extend();
          failures = 0;
          const events = parser.feed(value);
          // The gateway begins with a position. A connection that breaks before it would continue somewhere else.
          if (!isOpen && parser.position) {
            isOpen = true;
            onOpen?.();
          }
          for (const event of events) {
            position = event.position;
            yield event;
          }
          position = parser.position;
        }
        least = parser.retry ?? 0;
      } catch (error) {
        if (signal?.aborted) throw signal.reason;
        if (error instanceof GatewayError) {
          if (!error.isRetriable) throw error;
          least = error.retryAfter ?? 0;
        } else if (!isFailureOfNetwork(error, deadline)) throw error;
        position = parser.position;
      } finally {
        deadline.controller.abort();
        deadline.end();
      }
      failures += 1;
      await pause(Math.max(least, backoff(failures)), signal);
    }
  }

  /** Sends a request until there is a reply that another try would not change, or the time is over. */
  async call(method, path, { body, key, wait = 0, signal } = {}) {
    const headers = { Accept: "application/json" };
    if (key !== undefined) headers["Idempotency-Key"] = key;
    if (body !== undefined) headers["Content-Type"] = "application/json";
    if (wait >= 1) headers.Prefer = `wait=${Math.floor(wait)}`;
    const text = body === undefined ? undefined : JSON.stringify(body);
    const end = Date.now() + this.retryFor * 1000;
    for (let tries = 1; ; tries += 1) {
      let problem;
      let least = 0;
      const deadline = new Deadline(TIMEOUT + wait, signal);
      try {
        const reply = await this.send(method, path, { headers, body: text, signal: deadline.signal });
        const content = await reply.text();
        if (reply.ok) return content ? JSON.parse(content) : null;
        problem = GatewayError.of(reply.status, reply.headers, content);
        least = problem.retryAfter ?? 0;
      } catch (error) {
        if (signal?.aborted) throw signal.reason;
        if (!isFailureOfNetwork(error, deadline)) throw error;
        problem = new Unreachable(error);
      } finally {
        deadline.end();
      }
      if (problem instanceof GatewayError && !problem.isRetriable) {
        problem.isRepeated = tries > 1;
        throw problem;
      }
      const seconds = Math.max(least, backoff(tries));
      if (Date.now() + seconds * 1000 > end) throw problem;
      await pause(seconds, signal);
    }
  }

  async send(method, path, { headers, body, signal }) {
    const token = typeof this.token === "function" ? await this.token() : this.token;
    const authorization = token === null ? {} : { Authorization: `Bearer ${token}` };
    return await this.fetch(this.url + path, {
      method,
      body,
      signal,
      headers: { ...this.headers, ...headers, ...authorization },
      cache: "no-store",
      credentials: "omit",
    });
  }
}

/** Whether `fetch` failed for the network's reasons: it throws a TypeError then, or the reason of the abort. */
function isFailureOfNetwork(error, deadline) {
  return deadline.signal.aborted || error instanceof TypeError || error?.name === "AbortError";
}

/** One interaction: iterate over its prompts, and answer each of them. */
export class Conversation {
  /** Prompts that were answered, each with the answer's id. */
  #answers = new Map();
  /** What was shown last: the prompt, and what makes it worth showing once more. */
  #shown = null;

  constructor(client, interaction) {
    this.client = client;
    /** The interaction as it was last seen. */
    this.interaction = interaction;
  }

  get id() {
    return this.interaction.id;
  }

  get response() {
    return this.interaction.response;
  }

  get hasEnded() {
    return this.interaction.state === "ended";
  }

  /** The open prompt, unless it has been answered. */
  get prompt() {
    const { prompt, rejection } = this.interaction;
    if (!prompt || this.hasEnded) return null;
    const answer = this.#answers.get(prompt.promptId);
    return answer === undefined || rejection?.eventId === answer ? prompt : null;
  }

  async *[Symbol.asyncIterator]() {
    for (let prompt = await this.nextPrompt(); prompt !== null; prompt = await this.nextPrompt()) yield prompt;
  }

  /** Waits for the next prompt; null when the interaction has ended. */
  async nextPrompt({ timeout = null, signal } = {}) {
    const end = timeout === null ? null : Date.now() + timeout * 1000;
    while (!this.hasEnded) {
      const prompt = this.prompt;
      // A rejected answer, and a prompt that is in front again, show the same prompt once more.
      const mark = prompt && `${prompt.promptId} ${prompt.expiresAt} ${this.interaction.rejection?.eventId ?? ""}`;
      if (prompt && mark !== this.#shown) {
        this.#shown = mark;
        return prompt;
      }
      await this.#wait(end, signal);
    }
    return null;
  }

  /** Answers the open prompt: with a value, with the index of an option, or with a yes (`answer()`). */
  async answer({ value, choice, action, corrections, promptId = this.prompt?.promptId, wait = WAIT, signal } = {}) {
    if (!promptId) throw new Error(`interaction ${this.id} has no open prompt: wait for one before answering`);
    const timeZone = this.client.timeZone ?? undefined;
    const body = { promptId, value, choice, action, corrections, timeZone };
    const key = newID();
    const path = `/v1/interactions/${encodeURIComponent(this.id)}`;
    try {
      this.#update(await this.client.call("POST", `${path}/answers`, { body, key, wait, signal }));
    } catch (error) {
      // An earlier try whose reply was lost may be the one that closed the prompt.
      if (error.code !== "superseded" || !error.isRepeated) throw error;
      this.#update(await this.client.interaction(this.id, { signal }));
    }
    this.#answers.set(promptId, key);
    return this.interaction;
  }

  /** Waits for the end, whatever is asked meanwhile. */
  async end({ timeout = null, signal } = {}) {
    const end = timeout === null ? null : Date.now() + timeout * 1000;
    while (!this.hasEnded) await this.#wait(end, signal);
    return this.interaction;
  }

  async cancel({ reason, signal } = {}) {
    const query = reason === undefined ? "" : `?${new URLSearchParams({ reason })}`;
    const path = `/v1/interactions/${encodeURIComponent(this.id)}${query}`;
    const found = await this.client.call("DELETE", path, { key: newID(), signal });
    if (found) this.#update(found);
    return this.interaction;
  }

  /** Reports what came of an interaction that was handed to the app. */
  async report(code, response = {}, { signal } = {}) {
    const path = `/v1/interactions/${encodeURIComponent(this.id)}/report`;
    await this.client.call("POST", path, { body: { code, response }, key: newID(), signal });
  }

  async #wait(end, signal) {
    let wait = WAIT;
    if (end !== null) {
      const left = (end - Date.now()) / 1000;
      if (left <= 0) throw new ConversationTimeout(this.interaction);
      wait = Math.max(1, Math.min(wait, left));
    }
    const began = Date.now();
    const before = this.interaction.revision;
    this.#update(await this.client.interaction(this.id, { after: before, wait, signal }));
    // A proxy may answer at once what the gateway would hold.
    if (this.interaction.revision === before && Date.now() - began < 200) await pause(0.2, signal);
  }

  #update(interaction) {
    if (interaction.revision >= this.interaction.revision) this.interaction = interaction;
  }
}

// The types of the client for intentd's gateway.

import type { JSONValue, Prompt, Rejection, Response as IntentResponse, StatusUpdate, UserActivity } from "./types.js";

export * from "./types.js";

export type State =
  | "queued"
  | "running"
  | "awaitingUser"
  | "awaitingUnlock"
  | "awaitingSignIn"
  | "awaitingApp"
  | "retrying"
  | "paused"
  | "awaitingOperator"
  | "ended";

/** One request and all that follows from it, at one moment. */
export interface Interaction {
  /** The id that the client chose. */
  id: string;
  /** The position of the request in the log; null until the gateway has read it. */
  request: string | null;
  state: State;
  /** Raised by every event of the interaction. */
  revision: number;
  intent: string | null;
  requestedAt: string;
  /** The time of its latest event. */
  updatedAt: string;
  endedAt: string | null;
  /** The open question. */
  prompt: Prompt | null;
  /** The latest response; the result if it is terminal. */
  response: IntentResponse | null;
  update: StatusUpdate | null;
  activities: UserActivity[];
  /** The latest event of the client that was rejected. */
  rejection: Rejection | null;
  links: { self: string; confirm?: string };
}

/** An event of the user: a prompt, a response, a rejection, an activity. */
export interface Event {
  /** Its type, such as `prompt.issued`. Ignore those that you do not know: later versions add types. */
  type: string;
  /** The event's own id. */
  id: string;
  /** The id of the interaction, if it belongs to one. */
  interaction: string | null;
  /** When it was written. */
  time: string;
  data: { [name: string]: JSONValue };
  /** Where it is in the stream: `events({ after: position })` continues behind it, on any replica. */
  position: string;
}

/** An intent that can be requested. */
export interface IntentDescription {
  name: string;
  title?: string;
  description?: string;
  /** A JSON Schema of its parameters. */
  parameters: { [name: string]: JSONValue };
  [member: string]: JSONValue | undefined;
}

export interface CallOptions {
  signal?: AbortSignal;
}

export interface AskOptions extends CallOptions {
  /** The interaction's id; the same id with the same request again continues the same conversation. */
  id?: string;
  /** How long to wait for the first prompt or the result, in seconds. */
  wait?: number;
  locale?: string;
  timeZone?: string;
  device?: { id?: string; locked?: boolean; appVersion?: string };
  groupIdentifier?: string;
  expiresAt?: string;
  setsAside?: string;
  presentation?: { context?: "snippet" | "card"; maximumSize?: { width: number; height: number } };
}

export interface AnswerOptions extends CallOptions {
  value?: JSONValue;
  /** The index of the chosen option, from 0. */
  choice?: number;
  /** `accept` without it. */
  action?: "accept" | "decline" | "cancel";
  /** New values of other parameters. */
  corrections?: { [parameter: string]: JSONValue };
  /** The prompt that is answered; the open one without it. */
  promptId?: string;
  wait?: number;
}

/** The gateway refused a request. `code` says why; `detail` is for the developer of the client. */
export class GatewayError extends Error {
  constructor(status: number, code: string, detail: string, retryAfter?: number | null);
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly retryAfter: number | null;
  /** Whether an earlier try of the same request may have succeeded: its reply was lost. */
  readonly isRepeated: boolean;
  /** Whether the same request may succeed later. */
  get isRetriable(): boolean;
}

/** The gateway could not be reached, or the connection ended before its reply was complete. */
export class Unreachable extends Error {}

/** Nothing that the client waited for has happened in time; `interaction` is as it was last seen. */
export class ConversationTimeout extends Error {
  readonly interaction: Interaction;
}

/** Parses server-sent events in pieces of any size. */
export class EventParser {
  constructor(position?: string | null);
  position: string | null;
  /** What the gateway asks clients to wait before they connect again, in seconds. */
  retry: number | null;
  feed(piece: Uint8Array): Event[];
}

export interface ClientOptions {
  /** A token, or a function that returns the current one. */
  token?: string | (() => string | Promise<string>) | null;
  /** The user for whom a service acts (scope `intents.act-as`). */
  user?: string | null;
  locale?: string | null;
  timeZone?: string | null;
  /** How long a request that gets no reply, or is asked to try again, is sent again, in seconds: it counts once. */
  retryFor?: number;
  /** In place of the global `fetch`. */
  fetch?: typeof fetch | null;
}

/** A client of one gateway, or of several behind one address. */
export class Client {
  constructor(url: string | URL, options?: ClientOptions);
  ask(intent: string, parameters?: { [name: string]: JSONValue }, options?: AskOptions): Promise<Conversation>;
  /** Continues a conversation that this client or another one began. */
  conversation(id: string, options?: CallOptions): Promise<Conversation>;
  interaction(id: string, options?: CallOptions & { after?: number | null; wait?: number }): Promise<Interaction>;
  /** The user's interactions, newest first. */
  interactions(options?: CallOptions & { open?: boolean | null; limit?: number }): Promise<Interaction[]>;
  intents(options?: CallOptions): Promise<IntentDescription[]>;
  /** Continues interactions that wait until this device is unlocked. */
  unlocked(device: string, options?: CallOptions): Promise<void>;
  /** Continues interactions that wait until the user has signed in. */
  signedIn(options?: CallOptions): Promise<void>;
  /** Replaces the user's own words of a type, such as `contactName`. */
  setVocabulary(type: string, strings: JSONValue[], options?: CallOptions): Promise<void>;
  removeVocabularies(options?: CallOptions): Promise<void>;
  /**
   * The user's events from now on, or after the position of an earlier event; each once and in order. `onOpen` is called
   * whenever a connection is open.
   */
  events(
    options?: CallOptions & { after?: string | null; onOpen?: () => void },
  ): AsyncGenerator<Event, never, void>;
}

/** One interaction: iterate over its prompts, and answer each of them. */
export class Conversation implements AsyncIterable<Prompt> {
  constructor(client: Client, interaction: Interaction);
  readonly client: Client;
  /** The interaction as it was last seen. */
  readonly interaction: Interaction;
  get id(): string;
  /** The open prompt, unless it has been answered. */
  get prompt(): Prompt | null;
  /** The latest response; the result when the interaction has ended. */
  get response(): IntentResponse | null;
  get hasEnded(): boolean;
  [Symbol.asyncIterator](): AsyncGenerator<Prompt, void, void>;
  /** Waits for the next prompt; null when the interaction has ended. */
  nextPrompt(options?: CallOptions & { timeout?: number | null }): Promise<Prompt | null>;
  /** Answers the open prompt: with a value, with the index of an option, or with a yes (`answer()`). */
  answer(options?: AnswerOptions): Promise<Interaction>;
  /** Waits for the end, whatever is asked meanwhile. */
  end(options?: CallOptions & { timeout?: number | null }): Promise<Interaction>;
  cancel(options?: CallOptions & { reason?: string }): Promise<Interaction>;
  /** Reports what came of an interaction that was handed to the app. */
  report(code: string, response?: { [name: string]: JSONValue }, options?: CallOptions): Promise<void>;
}

// A chat with the gateway that serves this page: choices, views, confirmation.
import { Client } from "/demo/intentd.js";

const [intent, talk, start, form, said, cancel] = ["intent", "talk", "start", "answer", "said", "cancel"].map((id) => document.getElementById(id));
const client = new Client(location.origin, { locale: navigator.language, timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone });
let conversation = null;
/** Takes what the user says to the open prompt. */
let take = null;

function element(name, text, parent, properties = {}) {
  const made = Object.assign(document.createElement(name), { textContent: text, ...properties });
  parent.append(made);
  return made;
}

function show(text, className = "", view = null, details = {}) {
  const line = element("li", text, talk, { className });
  const list = Object.entries(details).filter(([, value]) => value !== null);
  // What a handler has drawn is shown, and can do nothing.
  if (view) element("iframe", "", line, { sandbox: "", title: "View", height: view.desiredSize.height, srcdoc: view.html });
  else if (list.length) {
    const table = element("dl", "", line);
    for (const [name, value] of list) {
      element("dt", name, table);
      element("dd", typeof value === "string" ? value : JSON.stringify(value), table);
    }
  }
  line.scrollIntoView({ block: "end" });
  return line;
}

/** Shows a prompt, and waits for an answer: a button, or what is typed. */
function ask(prompt) {
  return new Promise((resolve) => {
    const line = show(prompt.dialog, "", prompt.view, prompt.kind === "intentConfirmation" ? prompt.intent.parameters : {});
    const buttons = (prompt.optionDisplays ?? []).map((display, choice) => [display.title, { choice }]);
    const isOffer = ["intentConfirmation", "confirmationRequired"].includes(prompt.kind);
    if (isOffer) buttons.push(["Yes", { action: "accept" }], ["No", { action: "decline" }]);
    if (prompt.kind === "authenticationRequired") buttons.push(["Sign in", "signIn"]);
    take = (answer, text) => {
      take = null;
      form.hidden = true;
      line.querySelectorAll("button").forEach((button) => button.remove());
      show(text, "mine");
      resolve(answer);
    };
    for (const [title, answer] of buttons) element("button", title, line, { onclick: () => take?.(answer, title) });
    form.hidden = isOffer || prompt.accepts.event !== undefined;
    said.type = prompt.accepts.value?.sensitive ? "password" : "text";
    said.focus();
  });
}

/** Shows that operators have paused what was requested; it continues by itself when they resume it. */
async function showPauses({ interaction }) {
  let seen = null;
  while (interaction.state !== "ended") {
    if (interaction.state === "paused" && interaction.revision !== seen) show(interaction.response.dialog);
    seen = interaction.revision;
    interaction = await client.interaction(interaction.id, { after: seen, wait: 25 });
  }
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  if (said.value) take?.({ value: said.value }, said.type === "password" ? "…" : said.value);
  said.value = "";
});

cancel.addEventListener("click", () => conversation?.cancel().catch((error) => show(error.message)));

start.addEventListener("submit", async (event) => {
  event.preventDefault();
  start.querySelector("button").disabled = true;
  show(intent.selectedOptions[0].textContent, "mine");
  try {
    conversation = await client.ask(intent.value, {}, { device: { id: "browser", locked: false } });
    cancel.disabled = false;
    // The end may come while a prompt is open: the user has cancelled.
    const end = conversation.end();
    // A failure ends the conversation below as well, which shows it.
    showPauses(conversation).catch(() => {});
    for await (const prompt of conversation) {
      const answer = await Promise.race([ask(prompt), end.then(() => null)]);
      if (answer === "signIn") await client.signedIn();
      else if (answer) await conversation.answer({ ...answer, promptId: prompt.promptId });
    }
    const { dialog, status, code, endReason, view, response } = conversation.response;
    show(dialog ?? code ?? endReason, "", view, status === "success" ? response : {});
  } catch (error) {
    show(error.message);
  } finally {
    [start.querySelector("button").disabled, cancel.disabled, form.hidden, take] = [false, true, true, null];
  }
});

for (const { name, title } of await client.intents()) element("option", title ?? name, intent, { value: name });

// Compiled, not run: the types allow what the documentation shows (tsc --noEmit --strict --target es2022 --moduleResolution node test/types.ts).
import { Client, Conversation, ConversationTimeout, GatewayError, type Interaction } from "../intentd.js";

export async function order(): Promise<string | null> {
  const client = new Client("http://127.0.0.1:8080", { token: async () => "…", locale: "de-DE" });
  const conversation: Conversation = await client.ask("OrderLunch", { dishes: ["soup"] }, { wait: 5, device: { locked: false } });
  try {
    for await (const prompt of conversation) {
      if (prompt.kind === "disambiguation") await conversation.answer({ choice: prompt.options.length - 1 });
      else if (prompt.accepts.value?.sensitive) await conversation.cancel({ reason: prompt.dialog });
      else await conversation.answer({ value: "19:30", corrections: { people: 4 } });
    }
  } catch (error) {
    if (error instanceof GatewayError && error.code === "forbidden") return error.detail;
    if (error instanceof ConversationTimeout) return error.interaction.state;
    throw error;
  }
  const last: Interaction = conversation.interaction;
  for await (const event of client.events({ after: null, signal: new AbortController().signal })) console.log(event.type);
  return last.response?.code ?? null;
}

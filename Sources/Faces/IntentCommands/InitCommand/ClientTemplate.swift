internal import Foundation
internal import WireDocuments

/// A client of the gateway that asks for an intent in a terminal: the output of `intentd init --client`.
enum ClientTemplate {
    /// The files; `package` is the path of intentd's package, or nil for a placeholder.
    static func files(
        intent: String,
        in language: ClientTypes.Language,
        package: String?
    ) -> [(name: String, text: String)] {
        let files =
            switch language {
            case .python:
                [
                    ("client.py", Self.pythonClient), ("requirements.txt", Self.requirements),
                    ("README.md", Self.pythonReadme),
                ]
            case .typescript:
                [
                    ("client.js", Self.typescriptClient), ("package.json", Self.manifest),
                    ("README.md", Self.typescriptReadme),
                ]
            }
        let path = package ?? "/path/to/intentd"
        let url = URL(filePath: path, directoryHint: .notDirectory).absoluteString
        let quoted = path.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        return files.map { name, text in
            let text = text.replacing("WANTED", with: intent)
            return (
                name,
                text.replacing("PACKAGE_URL", with: url).replacing("PACKAGE_QUOTED", with: quoted)
                    .replacing("PACKAGE", with: path)
            )
        }
    }

    /// The file that names the location of intentd's package.
    static func manifestName(_ language: ClientTypes.Language) -> String {
        switch language {
        case .python: "requirements.txt"
        case .typescript: "package.json"
        }
    }

    private static let pythonClient = #"""
        """Asks intentd's gateway for WANTED. Usage: python3 client.py [PARAMETER=VALUE …]"""
        import os
        import sys

        from intentd import Client, GatewayError


        def reply_to(prompt):
            """What the user says to a prompt, as arguments of an answer; None to cancel."""
            print(prompt["dialog"])
            for number, display in enumerate(prompt.get("optionDisplays", []), 1):
                print(f"  {number}  {display['title']}")
            said = input("> ").strip()
            if said == "cancel":
                return None
            if prompt["kind"] in ("intentConfirmation", "confirmationRequired") and said in ("", "yes", "no"):
                return {"action": "decline" if said == "no" else "accept"}
            # A number or words may also name an option.
            return {"value": said}


        def main():
            client = Client(
                os.environ.get("INTENTD_GATEWAY", "http://127.0.0.1:8080"), os.environ.get("INTENTD_TOKEN"), locale="en-US"
            )
            parameters = dict(argument.split("=", 1) for argument in sys.argv[1:])
            conversation = client.ask("WANTED", parameters)
            for prompt in conversation:
                answer = reply_to(prompt)
                if answer is None:
                    conversation.cancel()
                else:
                    conversation.answer(**answer)
            response = conversation.response
            print(response.get("dialog") or response["code"] or response["endReason"])
            return 0 if response["status"] == "success" else 1


        if __name__ == "__main__":
            try:
                sys.exit(main())
            except GatewayError as error:
                sys.exit(f"the gateway refused: {error}")
            except (EOFError, KeyboardInterrupt):
                sys.exit(130)

        """#

    private static let requirements = "intentd @ PACKAGE_URL/clients/python\n"

    private static let pythonReadme = """
        # A client for WANTED

        A program that asks intentd's gateway for WANTED, in Python.

        ```sh
        python3 -m venv .venv && .venv/bin/pip install -r requirements.txt
        intentd up --demo-user me                # in another terminal; it prints the address of its gateway
        .venv/bin/python client.py
        ```

        `INTENTD_GATEWAY` is the gateway's address (`http://127.0.0.1:8080` without it), `INTENTD_TOKEN` the user's token, which
        a gateway without keys does not need. `PACKAGE/clients/python/README.md` describes the client.

        """

    private static let typescriptClient = #"""
        // @ts-check
        // Asks intentd's gateway for WANTED. Usage: node client.js [PARAMETER=VALUE …]
        import { createInterface } from "node:readline";
        import { Client, GatewayError } from "intentd";

        const terminal = createInterface({ input: process.stdin });
        const lines = terminal[Symbol.asyncIterator]();
        const client = new Client(process.env.INTENTD_GATEWAY ?? "http://127.0.0.1:8080", {
          token: process.env.INTENTD_TOKEN ?? null,
          locale: "en-US",
        });

        /**
         * What the user says to a prompt, as an answer; null to cancel.
         * @param {import("intentd").Prompt} prompt
         * @returns {Promise<import("intentd").AnswerOptions | null>}
         */
        async function replyTo(prompt) {
          console.log(prompt.dialog);
          prompt.optionDisplays?.forEach((display, index) => console.log(`  ${index + 1}  ${display.title}`));
          process.stdout.write("> ");
          const line = await lines.next();
          const said = line.done ? "cancel" : line.value.trim();
          if (said === "cancel") return null;
          if (["intentConfirmation", "confirmationRequired"].includes(prompt.kind) && ["", "yes", "no"].includes(said)) {
            return { action: said === "no" ? "decline" : "accept" };
          }
          // A number or words may also name an option.
          return { value: said };
        }

        try {
          const given = process.argv.slice(2).map((argument) => argument.split(/=(.*)/s).slice(0, 2));
          const conversation = await client.ask("WANTED", Object.fromEntries(given));
          for await (const prompt of conversation) {
            const answer = await replyTo(prompt);
            if (answer === null) await conversation.cancel();
            else await conversation.answer(answer);
          }
          const response = conversation.response;
          console.log(response?.dialog ?? response?.code ?? response?.endReason);
          process.exitCode = response?.status === "success" ? 0 : 1;
        } catch (error) {
          if (!(error instanceof GatewayError)) throw error;
          console.error(`the gateway refused: ${error.message}`);
          process.exitCode = 1;
        } finally {
          terminal.close();
        }

        """#

    private static let manifest = """
        {
          "name": "client",
          "private": true,
          "type": "module",
          "dependencies": { "intentd": "file:PACKAGE_QUOTED/clients/typescript" }
        }

        """

    private static let typescriptReadme = """
        # A client for WANTED

        A program that asks intentd's gateway for WANTED, for Node 18 or newer. `tsc --noEmit --allowJs` checks its types.

        ```sh
        npm install
        intentd up --demo-user me                # in another terminal; it prints the address of its gateway
        node client.js
        ```

        `INTENTD_GATEWAY` is the gateway's address (`http://127.0.0.1:8080` without it), `INTENTD_TOKEN` the user's token, which
        a gateway without keys does not need. `PACKAGE/clients/typescript/README.md` describes the client.

        """
}

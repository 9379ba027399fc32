/// A declared intent with its service in Python and a scenario: the output of `intentd init --language python`.
enum PythonTemplate {
    static func files(intent: String, port: Int) -> [(name: String, text: String)] {
        [
            ("intent.yaml", Self.definition), ("service.py", Self.service), ("scenarios.jsonl", Self.scenarios),
            ("README.md", Self.readme),
        ]
        .map { name, text in
            (name, text.replacing("INTENT", with: intent).replacing("PORT", with: "\(port)"))
        }
    }

    private static let definition = """
        # An intent that users can request. `intentd config check --definitions intent.yaml` reports errors in this file.
        name: INTENT
        confirmation: byHandler
        handler:
          service:
            url: http://127.0.0.1:PORT
            timeout: PT5S
            codes: [failureSoldOut]
        parameters:
          - {name: item, type: string, required: true, reasons: {unknown: 10}, prompt: {en: "What would you like?"}}
          - {name: count, type: integer, required: true, minimum: 1, maximum: 99, prompt: {en: "How many?"}}

        """

    private static let service = #"""
        """Serves the calls of intentd for INTENT. Usage: python3 service.py"""
        import json
        import pathlib
        import sqlite3
        from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

        ITEMS = {"green tea": 40, "black tea": 40, "coffee": 10}  # the items and their stock
        DONE = pathlib.Path(__file__).with_name("done.db")


        def resolve(asked, said, key):
            """Resolves the parameters in asked["open"]: one of six outcomes for each."""
            found = [item for item in ITEMS if said["item"].lower() in item]
            if len(found) == 1:
                item = {"outcome": "success", "value": found[0]}
            elif found:
                item = {"outcome": "disambiguation", "options": found}
            else:
                item = {"outcome": "unsupported", "reason": "unknown"}
            outcomes = {"item": item, "count": {"outcome": "success", "value": said.get("count")}}
            return {"parameters": {name: outcomes[name] for name in asked["open"]}}


        def confirm(asked, said, key):
            """Whether the intent can be handled now, and what the user sees when asked to confirm. Makes no effects."""
            code = "ready" if said["count"] <= ITEMS[said["item"]] else "failureSoldOut"
            return {"code": code, "details": said, "requiresUserConfirmation": True}


        def handle(asked, said, key):
            """Handles the intent once per key: a repeated key gets the same answer."""
            with sqlite3.connect(DONE) as done:
                done.execute("INSERT OR IGNORE INTO done (key, what) VALUES (?, ?)", (key, json.dumps(said)))
                number = done.execute("SELECT rowid FROM done WHERE key = ?", (key,)).fetchone()[0]
            return {"code": "success", "details": {"number": number}}


        class Service(BaseHTTPRequestHandler):
            def do_POST(self):
                calls = {"INTENT/resolve": resolve, "INTENT/confirm": confirm, "INTENT/handle": handle}
                try:
                    asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                    call, said = calls[asked["intent"]["name"] + self.path], asked["intent"]["parameters"]
                    status, answer = 200, call(asked, said, self.headers["Idempotency-Key"])
                except (LookupError, TypeError, ValueError):
                    status, answer = 400, {}
                body = json.dumps(answer).encode()
                self.send_response(status)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)


        if __name__ == "__main__":
            sqlite3.connect(DONE).execute("CREATE TABLE IF NOT EXISTS done (key TEXT PRIMARY KEY, what TEXT)")
            ThreadingHTTPServer(("127.0.0.1", PORT), Service).serve_forever()

        """#

    private static let scenarios = #"""
        {"name": "which-tea-and-how-many", "user": "ann", "intent": {"name": "INTENT", "parameters": {"item": "tea"}}, "choices": {"item": "black tea"}, "answers": {"count": 2}, "confirmations": [{"action": "accept"}], "expect": {"code": "success", "parameters": {"item": "black tea", "count": 2}, "prompts": ["disambiguation:item", "needsValue:count", "intentConfirmation"]}}
        {"name": "nobody-has-that", "user": "bob", "intent": {"name": "INTENT", "parameters": {"item": "gold", "count": 1}}, "answers": {"item": "coffee"}, "confirmations": [{"action": "accept"}], "expect": {"code": "success", "parameters": {"item": "coffee", "count": 1}, "prompts": ["unsupported:item", "intentConfirmation"]}}
        {"name": "more-than-there-is", "user": "cid", "intent": {"name": "INTENT", "parameters": {"item": "coffee", "count": 50}}, "expect": {"code": "failureSoldOut", "endReason": "failed", "prompts": []}}

        """#

    private static let readme = """
        # INTENT

        An intent for intentd whose service is in Python.

        ```sh
        python3 service.py &
        intentd service check --definitions intent.yaml --value item=tea --value item=coffee --value count=2
        intentd test scenarios.jsonl --definitions intent.yaml
        intentd up --definitions intent.yaml
        intentd ask INTENT item=tea --definitions intent.yaml # in another terminal
        ```

        `intent.yaml` defines the intent, `service.py` resolves, confirms and handles it, and `scenarios.jsonl` holds
        conversations and their expected results.

        """
}

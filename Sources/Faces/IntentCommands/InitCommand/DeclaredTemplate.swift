/// An intent that needs no code, with scenarios: the output of `intentd init --declared`.
enum DeclaredTemplate {
    static func files(intent: String) -> [(name: String, text: String)] {
        [("intent.yaml", Self.definition), ("scenarios.jsonl", Self.scenarios), ("README.md", Self.readme)]
            .map { name, text in (name, text.replacing("INTENT", with: intent)) }
    }

    private static let definition = """
        # An intent that users can request. `intentd config check --definitions intent.yaml` reports errors in this file.
        name: INTENT
        # The user always confirms before the intent is handled. The other values are byHandler and never.
        confirmation: always
        parameters:
          - name: item
            type: string
            required: true
            values: [green tea, black tea, coffee]
            prompt: {en: "What would you like?"}
          - {name: count, type: integer, minimum: 1, maximum: 99, default: 1, prompt: {en: "How many?"}}

        """

    private static let scenarios = #"""
        {"name": "which-tea", "user": "ann", "intent": {"name": "INTENT", "parameters": {"item": "tea"}}, "choices": {"item": "black tea"}, "confirmations": [{"action": "accept"}], "expect": {"code": "success", "parameters": {"item": "black tea", "count": 1}, "prompts": ["disambiguation:item", "intentConfirmation"]}}
        {"name": "too-many", "user": "bob", "intent": {"name": "INTENT", "parameters": {"item": "Coffee", "count": 100}}, "answers": {"count": 2}, "confirmations": [{"action": "accept"}], "expect": {"code": "success", "parameters": {"item": "coffee", "count": 2}, "prompts": ["unsupported:count", "intentConfirmation"]}}
        {"name": "rather-not", "user": "cid", "intent": {"name": "INTENT", "parameters": {}}, "answers": {"item": "coffee"}, "confirmations": [{"action": "decline"}], "expect": {"endReason": "declined", "prompts": ["needsValue:item", "intentConfirmation"]}}

        """#

    private static let readme = """
        # INTENT

        An intent for intentd that needs no code: its record is its effect.

        ```sh
        intentd config check --definitions intent.yaml        # errors, with file and line
        intentd intents INTENT --definitions intent.yaml      # its parameters and codes
        intentd test scenarios.jsonl --definitions intent.yaml
        intentd up --definitions intent.yaml
        intentd ask INTENT item=tea --definitions intent.yaml # in another terminal
        ```

        `intent.yaml` defines the intent, `scenarios.jsonl` conversations and their expected results.

        """
}

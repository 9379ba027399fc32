import DeclaredIntents
import IntentKit
import IntentLab
import Testing

@Suite("Declared intents as registrations")
struct DeclaredRegistrationTests {
    private let booking: JSONValue = [
        "name": "BookTable", "title": "Book a table", "confirmation": "always",
        "parameters": [
            [
                "name": "city", "type": "string", "required": true, "sensitive": true,
                "prompt": ["en": "In which city?", "de-AT": "In welcher Stadt?", "en-GB": "Which town?"],
            ],
            ["name": "people", "type": "integer", "minimum": 1, "default": 2, "dependsOn": ["city"]],
            ["name": "notes", "type": "string", "list": true, "default": ["none"]],
            ["name": "time", "type": "time"],
        ],
    ]

    private func context(script: String? = nil) -> TurnContext { BareTurnHost().context(script: script) }

    @Test("The registry receives the definition's description")
    func describesIntentToRegistry() throws {
        let registration = try DeclaredFixture(self.booking).registration
        #expect(registration.intentName == "BookTable")
        #expect(registration.title == "Book a table")
        #expect(registration.effectiveConfirmation == .always)
        #expect(registration.codes == ["ready", "inProgress", "success", "failure", "failureRequiringAppLaunch"])
        #expect(registration.parameters.map(\.name) == ["city", "people", "notes", "time"])
        #expect(registration.parameters.map(\.isSensitive) == [true, false, false, false])
        #expect(registration.parameters[1].dependsOn == ["city"])
        #expect(!registration.usesLedger)
        #expect(registration.handlerName == "record")
        let declared = IntentExtension("declared") { registration }
        #expect(try IntentRegistry([declared]).intentNames == ["BookTable"])
    }

    @Test("R29: financial intents are always confirmed, and locked")
    func financialIntentsAreConfirmedAndLocked() throws {
        let registration = try DeclaredFixture(["name": "Pay", "financial": true, "confirmation": "never"]).registration
        #expect(registration.effectiveConfirmation == .always)
        let registry = try IntentRegistry([IntentExtension("declared") { registration }])
        #expect(registry["Pay"]?.isRestrictedWhileLocked == true)
        #expect(try DeclaredFixture(["name": "A"]).registration.confirmation == .byHandler)
    }

    @Test("R89: the user confirms what is financial, unless it is declared otherwise")
    func declaresConfirmingParty() throws {
        func party(_ members: JSONValue) throws -> ConfirmingParty {
            try DeclaredFixture(members).registration.effectiveConfirmingParty
        }
        #expect(try party(["name": "Pay", "financial": true]) == .user)
        #expect(try party(["name": "Tip", "financial": true, "confirmedBy": "agent"]) == .agent)
        #expect(try party(["name": "Note"]) == .agent)
        #expect(try party(["name": "Note", "confirmedBy": "user"]) == .user)
        #expect(try DeclaredFixture(["name": "Look", "readOnly": true]).registration.isReadOnly)
    }

    @Test("Defaults fill only what is still missing")
    func defaultsFillMissingValuesOnly() throws {
        let registration = try DeclaredFixture(self.booking).registration
        let bare = IntentSnapshot(name: "BookTable", parameters: ["city": "Paris", "people": .null, "notes": []])
        #expect(registration.complete(bare).parameters == ["city": "Paris", "people": 2, "notes": ["none"]])
        let full = IntentSnapshot(name: "BookTable", parameters: ["city": "Paris", "people": 5, "notes": ["window"]])
        #expect(registration.complete(full) == full)
    }

    @Test("Unknown parameters are not resolved")
    func ignoresUnknownParameters() async throws {
        #expect(try await DeclaredFixture(self.booking).resolve("x", "pizza") == nil)
    }

    @Test("R28: the user confirms the parameters as shown")
    func showsParametersAtConfirmation() async throws {
        let registration = try DeclaredFixture(self.booking).registration
        let intent = IntentSnapshot(name: "BookTable", parameters: ["city": "Paris", "people": 2])
        let response = try await registration.confirm(intent, self.context())
        #expect(response == HandlerResponse(code: "ready", details: intent.parameters))
    }

    @Test("R51: recorded intents succeed unless a scenario scripts a failure of the service")
    func recordedIntentsSucceedUnlessScripted() async throws {
        let registration = try DeclaredFixture(self.booking).registration
        let intent = IntentSnapshot(name: "BookTable", parameters: ["city": "Paris"])
        for script in [nil, "success"] {
            #expect(try await registration.handle(intent, self.context(script: script)).code == "success")
        }
        #expect(try await registration.handle(intent, self.context(script: "failure")).code == "failure")
    }

    @Test(
        "A prompt is chosen by locale: the same one, its language, another region of it",
        arguments: [
            ("en-GB", "Which town?"), ("en-US", "In which city?"), ("en", "In which city?"),
            ("de-DE", "In welcher Stadt?"), ("fr", nil),
        ]
    )
    func choosesPromptByLocale(locale: String, expected: String?) throws {
        let registration = try DeclaredFixture(self.booking).registration
        #expect(registration.dialog("city", locale) == expected)
        #expect(registration.dialog("people", locale) == nil)
    }

    @Test("The version is the definition's digest and does not depend on layout")
    func versionIsDigestOfDefinition() throws {
        func version(_ text: String) throws -> String {
            try DeclaredFixture(try JSONValue(parsing: text)).registration.handlerVersion
        }
        let first = try version(#"{"name":"A","title":"B"}"#)
        #expect(first == "88df893247df8941")
        #expect(try version(#"{ "title": "B", "name": "A" }"#) == first)
        #expect(try version(#"{"name":"A","title":"C"}"#) != first)
    }
}

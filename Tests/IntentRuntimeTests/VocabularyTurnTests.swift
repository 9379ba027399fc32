import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import Testing

@Suite("R25, R37: vocabularies in turns")
struct VocabularyTurnTests {
    /// Resolves the person, and reports which entry of which version decided.
    private struct NicknameHandler: IntentHandler {
        var handling: Handling<GreetIntent> {
            Resolve(by: self.resolveName, \.$name)
            Handle(self.handle)
        }

        func resolveName(for intent: GreetIntent, with context: TurnContext) async throws -> INStringResolutionResult {
            guard let name = intent.name, !name.isMissing else { return .needsValue() }
            let matches = Self.matches(name, context)
            return switch matches.count {
            case 0: .unsupported()
            case 1: .success(with: matches[0].identifier ?? matches[0].phrase)
            default: .disambiguation(with: matches.map { $0.identifier ?? $0.phrase })
            }
        }

        func handle(intent: GreetIntent, context: TurnContext) async throws -> IntentResponse<GreetIntent> {
            var response = self.greeting(intent)
            let match = Self.matches(intent.name ?? "", context).first
            response.details["source"] = match.map { .string($0.source.rawValue) } ?? .null
            response.details["version"] = match.map { .string($0.version) } ?? .null
            return response
        }

        static func matches(_ name: String, _ context: TurnContext) -> [VocabularyMatch] {
            context.vocabularyMatches(for: name, type: .contactName, parameter: "GreetIntent.name")
        }
    }

    /// Reads the user's whole vocabulary.
    private struct RollCallHandler: IntentHandler {
        var handling: Handling<GreetIntent> { Handle(self.handle) }

        func handle(intent: GreetIntent, context: TurnContext) async throws -> IntentResponse<GreetIntent> {
            let names = context.vocabulary(.contactName).map { JSONValue.string($0.spokenPhrase) }
            return IntentResponse(code: .success, details: ["names": .array(names)])
        }
    }

    private static let registrations = [IntentRegistration(usesLedger: false) { NicknameHandler() }]
    private static let shared = GlobalVocabularies([
        GlobalVocabulary(
            locale: "en",
            digest: "d1",
            terms: [
                "GreetIntent.name": [VocabularyTerm(identifier: "everybody", phrases: [.init("All"), .init("y'all")])]
            ]
        )
    ])

    private static func replace(
        _ pipeline: Pipeline,
        _ strings: JSONValue,
        type: String = "contactName",
        user: UserID = "u1"
    ) async throws {
        let data: JSONValue = ["user": ["id": user.json], "type": .string(type), "strings": strings]
        try await pipeline.send(.vocabularyReplaced, user: user, data: data)
    }

    /// The outcome of greeting somebody: the name that was resolved, or the kind of the prompt.
    private static func greet(
        _ pipeline: Pipeline,
        _ name: String,
        subject: InteractionID,
        user: UserID = "u1"
    ) async throws -> String {
        try await pipeline.request("GreetIntent", ["name": .string(name)], user: user, subject: subject)
        return Self.outcome(try await pipeline.next(of: subject))
    }

    private static func outcome(_ event: Event) -> String {
        guard event.type == EventType.intentResponded.rawValue else { return event.data["kind"]?.string ?? "" }
        return event.data["response"]?["greeting"]?.string ?? event.data["code"]?.string ?? ""
    }

    private static func journal(_ pipeline: Pipeline) async throws -> [TurnRecord] {
        try await pipeline.records(of: .journal)
            .compactMap { record in
                TurnRecord(record)
            }
    }

    @Test("A user's words are not another's (R37, behaviour 74)")
    func wordsBelongToOneUser() async throws {
        try await Pipeline.with(Self.registrations) { pipeline in
            try await Self.replace(
                pipeline,
                [["spokenPhrase": "boss", "vocabularyIdentifier": "celestra"]],
                user: "u1"
            )
            try await Self.replace(pipeline, [["spokenPhrase": "boss", "vocabularyIdentifier": "diana"]], user: "u2")
            #expect(try await Self.greet(pipeline, "Boss", subject: "a", user: "u1") == "Hello, celestra")
            #expect(try await Self.greet(pipeline, "Boss", subject: "b", user: "u2") == "Hello, diana")
            #expect(try await Self.greet(pipeline, "Boss", subject: "c", user: "u3") == "unsupported")
        }
    }

    @Test(
        "A vocabulary applies from its event on and not before, and replaces its whole type (R37, behaviours 75, 77)"
    )
    func vocabularyAppliesFromItsEventOn() async throws {
        try await Pipeline.with(Self.registrations) { pipeline in
            // All are in the log before the first answer comes: the order there decides, not the clock.
            try await pipeline.request("GreetIntent", ["name": "Sparks"], subject: "before")
            try await Self.replace(pipeline, [["spokenPhrase": "Sparks", "vocabularyIdentifier": "s1"], "Moon"])
            try await pipeline.request("GreetIntent", ["name": "Sparks"], subject: "first")
            try await Self.replace(pipeline, [["spokenPhrase": "Sparks", "vocabularyIdentifier": "s2"]])
            try await pipeline.request("GreetIntent", ["name": "Sparks"], subject: "second")
            try await pipeline.request("GreetIntent", ["name": "Moon"], subject: "gone")
            var outcomes: [String] = []
            for subject: InteractionID in ["before", "first", "second", "gone"] {
                outcomes.append(Self.outcome(try await pipeline.next(of: subject)))
            }
            #expect(outcomes == ["unsupported", "Hello, s1", "Hello, s2", "unsupported"])
        }
    }

    @Test("Replacing one type keeps the others; logout removes all (R37, behaviours 75, 79)")
    func logoutRemovesAllVocabularies() async throws {
        try await Pipeline.with(Self.registrations) { pipeline in
            try await Self.replace(pipeline, [["spokenPhrase": "Sparks", "vocabularyIdentifier": "s1"]])
            try await Self.replace(pipeline, ["the gang"], type: "contactGroupName")
            #expect(try await Self.greet(pipeline, "sparks", subject: "a") == "Hello, s1")
            try await pipeline.send(.vocabularyRemoved, data: ["user": ["id": "u1"]])
            #expect(try await Self.greet(pipeline, "sparks", subject: "b") == "unsupported")
            let removed = try await Self.journal(pipeline)
                .filter { $0.eventType == "vocabulary.removed" && $0.stage == .resolve }
            let keys = removed.flatMap(\.outputs).map(\.target).filter { $0.hasPrefix("state:") }.sorted()
            #expect(keys == ["state:v/contactGroupName", "state:v/contactName"])
        }
    }

    @Test("Of several entries the more important one is offered first (R37, behaviour 76)")
    func moreImportantEntriesComeFirst() async throws {
        try await Pipeline.with(Self.registrations) { pipeline in
            for (subject, order) in [("a", ["jeff-hoof", "jeff-mane"]), ("b", ["jeff-mane", "jeff-hoof"])] {
                let strings = order.map { ["spokenPhrase": "Jeff", "vocabularyIdentifier": .string($0)] as JSONValue }
                try await Self.replace(pipeline, .array(strings))
                try await pipeline.request("GreetIntent", ["name": "jeff"], subject: InteractionID(subject))
                let prompt = try await pipeline.next(of: InteractionID(subject))
                #expect(prompt.data["options"] == .array(order.map(JSONValue.string)))
                try await pipeline.answer(prompt, ["choice": 0])
                #expect(Self.outcome(try await pipeline.next(of: InteractionID(subject))) == "Hello, \(order[0])")
            }
        }
    }

    @Test("The user's own words come before those that all users share (R25, behaviour 80)")
    func ownWordsComeBeforeShared() async throws {
        try await Pipeline.with(Self.registrations, vocabularies: Self.shared) { pipeline in
            try await pipeline.request("GreetIntent", ["name": "Y'ALL"], subject: "shared")
            let shared = try await pipeline.next(of: "shared")
            #expect(shared.data["response"]?["source"] == "global")
            #expect(shared.data["response"]?["version"] == "en:d1")
            #expect(Self.outcome(shared) == "Hello, everybody")
            try await Self.replace(pipeline, [["spokenPhrase": "y'all", "vocabularyIdentifier": "the-herd"]])
            #expect(try await Self.greet(pipeline, "y'all", subject: "own") == "Hello, the-herd")
        }
    }

    @Test(
        "Only the app's events change a vocabulary: no turn of a request writes one (R37, behaviours 71, 81)"
    )
    func onlyAppWritesVocabularies() async throws {
        try await Pipeline.with(Self.registrations, vocabularies: Self.shared) { pipeline in
            try await Self.replace(pipeline, [["spokenPhrase": "Sparks", "vocabularyIdentifier": "s1"]])
            for (index, name) in ["sparks", "all", "nobody"].enumerated() {
                _ = try await Self.greet(pipeline, name, subject: "i\(index)")
            }
            try await pipeline.send(.vocabularyRemoved, data: ["user": ["id": "u1"]])
            _ = try await Self.greet(pipeline, "all", subject: "last")
            let writers = try await Self.journal(pipeline)
                .filter { record in record.outputs.contains { $0.target.hasPrefix("state:v/") } }
                .map(\.eventType)
            #expect(Set(writers) == ["vocabulary.replaced", "vocabulary.removed"])
            // What clients may not write is ignored, whoever sends it (R14): a handler's vocabulary has no event.
            for type in EventType.allCases where type.rawValue.hasPrefix("vocabulary.") { #expect(type.isInbound) }
        }
    }

    @Test(
        "The journal keeps which entry of which version decided, and no more of a large vocabulary (R37, behaviours 78, 82)"
    )
    func journalKeepsDecidingEntryOnly() async throws {
        try await Pipeline.with(Self.registrations, settings: .unhurried) { pipeline in
            let strings = (0..<2_000)
                .map { index in
                    ["spokenPhrase": .string("Contact \(index)"), "vocabularyIdentifier": .string("c\(index)")]
                        as JSONValue
                }
            try await Self.replace(pipeline, .array(strings))
            #expect(try await Self.greet(pipeline, "contact 1234", subject: "a") == "Hello, c1234")
            let journal = try await Self.journal(pipeline)
            let opening = try #require(journal.first { $0.stage == .resolve && $0.interactionID == "a" })
            let expected: JSONValue = [
                "words": "contact 1234", "user": .string(try await Self.positionOfReplacement(pipeline)),
                "matches": [
                    ["index": 1234, "means": "phrase", "identifier": "c1234", "phrase": "Contact 1234"]
                ],
            ]
            let read = JournalRead(
                kind: .vocabularyMatches,
                name: "contactName GreetIntent.name",
                result: .value(expected)
            )
            #expect(opening.reads == [read])
            for record in journal where record.interactionID == "a" { #expect(record.json.utf8.count < 2_500) }
            // Each stage received it once, when it came; no request carries it.
            let taken = journal.filter { $0.eventType == "vocabulary.replaced" && $0.outcome == .noted }
            let stages = taken.map(\.stage.rawValue)
            #expect(stages.sorted() == ["confirm", "handle", "resolve"])
            for record in try await pipeline.records(of: .resolved) + pipeline.records(of: .confirmed) {
                let event = try StoredRecord(record, topic: .resolved).decoded()
                if event.subject == "a" { #expect(record.value?.count ?? 0 < 2_500) }
            }
        }
    }

    private static func positionOfReplacement(_ pipeline: Pipeline) async throws -> String {
        for record in try await pipeline.records(of: .requests) {
            let stored = StoredRecord(record, topic: .requests)
            if try stored.decoded().type == "vocabulary.replaced" { return stored.position.description }
        }
        return ""
    }

    @Test(
        "A vocabulary that breaks a rule changes nothing, and its sender is told which string it was (R37)",
        arguments: [
            (
                #"{"type":"contactName","strings":["a",{"spokenPhrase":"\#(String(repeating: "é", count: 513))"}]}"#,
                "data.strings[1]: spokenPhrase has 1026 bytes of UTF-16; 1024 are the most (R37)"
            ),
            (
                #"{"type":"contactName","strings":[7]}"#,
                "data.strings[0]: an integer is no term: a string or an object is expected"
            ),
            (
                #"{"type":"contactName","strings":[{"spokenPhrase":"a","pronunciationHint":[]}]}"#,
                "data.strings[0]: pronunciationHint is an array, not a string"
            ),
            (#"{"type":"contactName","strings":["  "]}"#, "data.strings[0]: the string is empty"),
            (#"{"type":"contactNames","strings":["a"]}"#, #"data.type is "contactNames"; it is one of contactName, "#),
            (#"{"type":"contactName"}"#, "data.strings is missing; it is a list of terms"),
        ]
    )
    func invalidVocabularyChangesNothing(data: String, detail: String) async throws {
        try await Pipeline.with(Self.registrations, partitions: 1) { pipeline in
            try await Self.replace(pipeline, [["spokenPhrase": "Sparks", "vocabularyIdentifier": "s1"]])
            try await pipeline.send(.vocabularyReplaced, data: try JSONValue(parsing: data))
            let rejection = try await pipeline.next { $0.type == EventType.eventRejected.rawValue }
            #expect(rejection.data["reason"] == "invalid")
            #expect(rejection.data["detail"]?.string?.hasPrefix(detail) == true, "\(rejection.data)")
            #expect(try await Self.greet(pipeline, "sparks", subject: "a") == "Hello, s1")
        }
    }

    @Test("A vocabulary has at most 5,000 terms")
    func boundsNumberOfTerms() async throws {
        try await Pipeline.with(Self.registrations, partitions: 1) { pipeline in
            try await Self.replace(pipeline, .array(Array(repeating: "a", count: 5_001)))
            let rejection = try await pipeline.next { $0.type == EventType.eventRejected.rawValue }
            #expect(rejection.data["detail"] == "data.strings has 5001 terms; 5000 are the most")
        }
    }

    @Test("Turns that asked vocabularies replay to the same bytes from the journal alone (R42)")
    func replaysFromJournalAlone() async throws {
        let registrations =
            Self.registrations
            + [IntentRegistration(usesLedger: false) { RollCallHandler() }]
            .map { registration in
                var registration = registration
                registration.intentName = "RollCallIntent"
                return registration
            }
        try await Pipeline.with(registrations, vocabularies: Self.shared) { pipeline in
            try await Self.replace(pipeline, ["Moon", ["spokenPhrase": "Sparks", "vocabularyIdentifier": "s1"]])
            for (index, name) in ["sparks", "all", "nobody"].enumerated() {
                _ = try await Self.greet(pipeline, name, subject: "i\(index)")
            }
            try await pipeline.request("RollCallIntent", subject: "roll call")
            let response = try await pipeline.next(of: "roll call")
            #expect(response.data["response"]?["names"] == ["Moon", "Sparks"])
            // Without the user's state and without the global vocabulary.
            let outcomes = try await pipeline.replayAll(registrations)
            #expect(outcomes.count > 10)
            #expect(outcomes.allSatisfy { $0.isMatch })
        }
    }

    @Test("A handler that asks a vocabulary a different question than then diverges (R42)")
    func otherQueryDiverges() async throws {
        struct CuriousHandler: IntentHandler {
            var handling: Handling<GreetIntent> { Handle(self.handle) }

            func handle(intent: GreetIntent, context: TurnContext) async throws -> IntentResponse<GreetIntent> {
                _ = context.vocabularyMatches(for: intent.name ?? "", type: .photoTag)
                return self.greeting(intent)
            }
        }
        let then = [IntentRegistration(usesLedger: false) { GreetHandler() }]
        try await Pipeline.with(then) { pipeline in
            #expect(try await Self.greet(pipeline, "Moon", subject: "a") == "Hello, Moon")
            let outcomes = try await pipeline.replayAll([IntentRegistration(usesLedger: false) { CuriousHandler() }])
            #expect(outcomes.contains { !$0.isMatch && !$0.unrecordedReads.isEmpty })
        }
    }
}

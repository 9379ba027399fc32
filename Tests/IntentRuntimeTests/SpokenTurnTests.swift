import IntentEvents
import IntentKit
import IntentLab
import Testing

@testable import IntentRuntime

@Suite("R73: what users say in place of values", .timeLimit(.minutes(1)))
struct SpokenTurnTests {
    private struct TripIntent: Intent {
        static let intentName = "TripIntent"
        enum Code: String, IntentResponseCode {
            case ready
            case success
            case failure
        }

        @Parameter var day: CalendarDate?
        @Parameter var days: [CalendarDate]?
        @Parameter(in: Self.late...) var deadline: CalendarDate?
        @Parameter(isRequired: true, in: 1...12) var people: Int?
        @Parameter var note: String?
        @Parameter(isSensitive: true) var birthday: CalendarDate?

        /// The first of June 2027.
        private static var late: CalendarDate {
            guard let date = CalendarDate("2027-06-01") else { preconditionFailure("This is a date.") }
            return date
        }
    }

    private struct TripHandler: IntentHandler {
        var handling: Handling<TripIntent> {
            Handle { _, _ in IntentResponse(code: .success) }
        }
    }

    private struct PairIntent: Intent {
        static let intentName = "PairIntent"
        enum Code: String, IntentResponseCode {
            case ready
            case success
            case failure
        }

        @Parameter var people: Int?
    }

    /// Asks whether two people travel.
    private struct PairHandler: IntentHandler {
        var handling: Handling<PairIntent> {
            Resolve(\.$people) { said, _ in said.map { .success(with: $0) } ?? .confirmationRequired(with: 2) }
            Handle { _, _ in IntentResponse(code: .success) }
        }
    }

    private static let registrations = [
        IntentRegistration(confirmation: .never, usesLedger: false) { TripHandler() }
    ]
    /// Thursday, 26 November 2026, 12:00 in UTC.
    private static let noon = Timestamp(milliseconds: 1_795_694_400_000)

    private static func request(_ parameters: JSONObject, _ extra: JSONObject = [:]) -> StoredRecord {
        var data = extra
        data["intent"] = ["name": "TripIntent", "parameters": .object(parameters)]
        data["user"] = ["id": "u1"]
        return StillTurn.stored(.intentRequested, .object(data), on: .requests)
    }

    /// What a request leads to: the data of its prompt, or of the event that passes it on.
    private static func result(
        _ parameters: JSONObject,
        _ extra: JSONObject = [:],
        behaviour: Int? = nil
    ) async throws -> JSONValue {
        let result = try #require(
            try await StillTurn.run(
                Self.request(parameters, extra),
                in: .resolve,
                Self.registrations,
                at: Self.noon,
                behaviour: behaviour
            )
        )
        return try result.data(of: .promptIssued) ?? result.data(of: .intentResolved) ?? .null
    }

    // MARK: Requests

    @Test(
        "wordsAreAValue: one meaning is the value, and is reported back",
        arguments: [
            ("day", "tomorrow", "2026-11-27"), ("people", "three", 3), ("people", "drei", 3),
            ("day", "in zwei Wochen", "2026-12-10"),
        ] as [(String, String, JSONValue)]
    )
    func wordsAreAValue(name: String, said: String, value: JSONValue) async throws {
        var parameters: JSONObject = ["people": 2]
        parameters[name] = .string(said)
        let data = try await Self.result(parameters, ["locale": "de-DE"])
        #expect(data["intent"]?["parameters"]?[name] == value)
        let understood = data["interaction"]?["understood"]?[name]?.array?.first
        #expect(understood?["said"] == .string(said) && understood?["value"] == value)
        #expect(understood?["words"]?.string?.isEmpty == false)
    }

    @Test("wordsAreAmbiguous: the user chooses among several meanings")
    func wordsAreAmbiguous() async throws {
        let prompt = try await Self.result(["day": "5/6", "people": 2], ["locale": "en"])
        #expect(prompt["kind"] == "disambiguation" && prompt["item"] == "5/6")
        #expect(prompt["options"] == ["2027-05-06", "2027-06-05"])
        let titles = prompt["optionDisplays"]?.array?.compactMap { $0["title"]?.string } ?? []
        #expect(titles.count == 2 && titles.allSatisfy { prompt["dialog"]?.string?.contains($0) == true })
        #expect(titles.allSatisfy { $0.contains("2027") && !$0.contains("-") })
        #expect(prompt["understood"] == nil)
    }

    @Test("The meanings of ambiguous words for a sensitive parameter are offered as they are on the wire")
    func sensitiveMeaningsAreOnWire() async throws {
        let prompt = try await Self.result(["birthday": "5/6", "people": 2], ["locale": "en"])
        #expect(prompt["kind"] == "disambiguation" && prompt["options"] == ["2027-05-06", "2027-06-05"])
        #expect(prompt["optionDisplays"] == [["title": "2027-05-06"], ["title": "2027-06-05"]])
        #expect(prompt["dialog"]?.string?.contains("2027-05-06") == true)
    }

    @Test("wordsAreNone: a text without a meaning, and one that is too long, are refused unchanged")
    func wordsAreNone() async throws {
        for text in ["soonish", "tomorrow" + String(repeating: " please", count: 40)] {
            let prompt = try await Self.result(["day": .string(text), "people": 2])
            #expect(prompt["kind"] == "unsupported" && prompt["item"] == .string(text))
        }
    }

    @Test("readingBreaksABound: a meaning beyond a bound is refused as the value would be")
    func readingBreaksABound() async throws {
        let prompt = try await Self.result(["people": "twenty"])
        #expect(prompt["kind"] == "unsupported" && prompt["item"] == 20)
        #expect(prompt["reason"]?["name"] == "aboveMaximum")
    }

    @Test("Of several meanings, only those that the declaration allows count")
    func boundsDecideAmongMeanings() async throws {
        let data = try await Self.result(["deadline": "5/6", "people": 2], ["locale": "en"])
        #expect(data["intent"]?["parameters"]?["deadline"] == "2027-06-05")
    }

    @Test("Neither a text for a text parameter nor a value of the type is read")
    func valuesAreNotRead() async throws {
        let result = try #require(
            try await StillTurn.run(
                Self.request(["note": "tomorrow", "day": "2026-12-24", "people": 2]),
                in: .resolve,
                Self.registrations,
                at: Self.noon
            )
        )
        #expect(try result.data(of: .intentResolved)?["intent"]?["parameters"]?["note"] == "tomorrow")
        #expect(result.record.reads.isEmpty)
    }

    @Test("R58: a turn of behaviour 5 refuses words")
    func behaviour5ReadsNoWords() async throws {
        let prompt = try await Self.result(["day": "tomorrow", "people": 2], ["timeZone": 5], behaviour: 5)
        #expect(prompt["kind"] == "unsupported" && prompt["item"] == "tomorrow")
        #expect(prompt["accepts"]?["value"]?["words"] == nil)
    }

    @Test("anchorIsTheFirstTry: a turn that is tried again after midnight reads the same day")
    func anchorIsTheFirstTry() async throws {
        let environment = try StageEnvironment.tests(
            .resolve,
            Self.registrations,
            clock: ManualClock(at: Self.noon + 86_400_000)
        )
        let input = TurnInput(Self.request(["day": "tomorrow", "people": 2]), attempt: 2, firstTriedAt: Self.noon)
        let result = try #require(await Turn.run(input, in: environment, source: StateTable().source(user: "u1")))
        #expect(try result.data(of: .intentResolved)?["intent"]?["parameters"]?["day"] == "2026-11-27")
    }

    @Test("A turn reads 100 texts at most; the others are refused")
    func readsBoundedNumberOfTexts() async throws {
        let days = (0..<150).map { _ in JSONValue.string("tomorrow") }
        let prompt = try await Self.result(["days": .array(days), "people": 2])
        #expect(prompt["kind"] == "unsupported" && prompt["index"] == 100)
    }

    // MARK: Conversations

    @Test("Words in an answer, a list and a confirmation are read, and the turns replay")
    func conversationInWords() async throws {
        let registrations = [IntentRegistration(confirmation: .always, usesLedger: false) { TripHandler() }]
        try await Pipeline.with(registrations) { pipeline in
            let days: JSONValue = ["2026-12-24", "5/6", "7/8"]
            try await pipeline.request("TripIntent", ["days": days], subject: "i1", extra: ["locale": "en"])
            for index in [1, 2] as [Int64] {
                let prompt = try await pipeline.next(of: "i1")
                #expect(prompt.data["kind"] == "disambiguation" && prompt.data["index"] == .integer(index))
                #expect(prompt.data["options"]?.array?.count == 2)
                try await pipeline.answer(prompt, ["choice": 0])
            }
            let question = try await pipeline.next(of: "i1")
            #expect(question.data["parameter"] == "people")
            #expect(question.data["accepts"]?["value"]?["words"] == true)
            try await pipeline.answer(question, ["value": "six"])
            let confirmation = try await pipeline.next(of: "i1")
            #expect(confirmation.data["intent"]?["parameters"]?["people"] == 6)
            let understood = confirmation.data["understood"]?["people"]
            #expect(understood?["said"] == "six" && understood?["value"] == 6)
            #expect(understood?["display"]?["title"] == "6")
            #expect(confirmation.data["accepts"]?["value"]?["words"] == true)
            try await pipeline.answer(confirmation, ["value": "yes"])
            let end = try await pipeline.end(of: "i1")
            #expect(end.data["endReason"] == "nominal" && end.data["understood"]?["people"]?["value"] == 6)
            #expect(try await pipeline.replayAll(registrations).allSatisfy(\.isMatch))
        }
    }

    @Test("listOfWords: the values of a list are read one by one, and reported in their order")
    func listOfWords() async throws {
        let data = try await Self.result(["days": ["tomorrow", "2026-12-24", "today"], "people": "two"])
        #expect(data["intent"]?["parameters"]?["days"] == ["2026-11-27", "2026-12-24", "2026-11-26"])
        let words = data["interaction"]?["understood"]?["days"]?.array?.map { $0["said"] ?? .null }
        #expect(words == ["tomorrow", "today"])
    }

    @Test("correctedWordsForget: what was understood is forgotten when the parameter is set again")
    func correctedWordsForget() async throws {
        try await Pipeline.with(Self.registrations) { pipeline in
            try await pipeline.request("TripIntent", ["day": "tomorrow"], subject: "i1")
            let prompt = try await pipeline.next(of: "i1")
            #expect(prompt.data["understood"]?["day"]?["said"] == "tomorrow")
            try await pipeline.answer(prompt, ["value": 2, "corrections": ["day": "2030-01-01"]])
            #expect(try await pipeline.end(of: "i1").data["understood"] == nil)
        }
    }

    @Test(
        "An offered value is accepted or declined in words",
        arguments: [("ja", true, "de-DE"), ("yes", true, "de-DE"), ("nein", false, "de-DE"), ("oui", true, "fr-FR")]
    )
    func offerIsAnsweredInWords(said: String, isYes: Bool, locale: String) async throws {
        let registrations = [IntentRegistration(confirmation: .never, usesLedger: false) { PairHandler() }]
        try await Pipeline.with(registrations) { pipeline in
            try await pipeline.request("PairIntent", subject: "i1", extra: ["locale": .string(locale)])
            let offer = try await pipeline.next(of: "i1")
            #expect(offer.data["kind"] == "confirmationRequired" && offer.data["item"] == 2)
            try await pipeline.answer(offer, ["value": .string(said)])
            let next = try await pipeline.next(of: "i1")
            if isYes {
                #expect(next.data["terminal"] == true && next.data["intent"]?["parameters"]?["people"] == 2)
            } else {
                #expect(next.data["kind"] == "needsValue" && next.data["again"]?["reason"] == "declined")
            }
        }
    }

    @Test("wordsAreOff: without the setting words are refused, and no prompt says that it takes them")
    func wordsAreOff() async throws {
        var settings = RuntimeSettings()
        settings.readsWords = false
        try await Pipeline.with(Self.registrations, settings: settings) { pipeline in
            try await pipeline.request("TripIntent", ["day": "tomorrow"], subject: "i1")
            let prompt = try await pipeline.next(of: "i1")
            #expect(prompt.data["kind"] == "unsupported" && prompt.data["item"] == "tomorrow")
            #expect(prompt.data["accepts"]?["value"]?["words"] == nil)
        }
    }
}

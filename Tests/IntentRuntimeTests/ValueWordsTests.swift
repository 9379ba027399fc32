import IntentEvents
import IntentKit
import IntentRuntime
import Testing

@Suite("R63f, R63g: values and reasons are in the user's language")
struct ValueWordsTests {
    private enum SlotReason: Int, UnsupportedReason {
        case notOnTheHalfHour = 10
        case taken = 11

        var title: LocalizedText? { self == .taken ? ["en": "it is taken", "de": "schon vergeben"] : nil }
    }

    private static func parameter(_ typeName: String, isSensitive: Bool = false) -> ParameterDescription {
        ParameterDescription(
            name: "slot",
            typeName: typeName,
            isSensitive: isSensitive,
            accepts: { _ in true },
            isMissing: \.isNull
        )
    }

    private static func words(
        _ value: JSONValue,
        _ typeName: String,
        _ locale: String,
        isSensitive: Bool = false
    ) -> String {
        PromptOffer([], of: Self.parameter(typeName, isSensitive: isSensitive), nil).words(value, locale: locale)
    }

    @Test(
        "Values are said in each of intentd's languages, and not as they are on the wire",
        arguments: ["en", "de", "fr", "es"]
    )
    func valuesAreSaid(locale: String) {
        let values: [(JSONValue, String)] = [
            ("2026-12-03", "date"), ("09:15", "time"), ("2026-12-03T09:15:00+01:00", "dateTime"), ("PT90M", "duration"),
            (["amount": "1234.50", "currencyCode": "EUR"], "currencyAmount"),
        ]
        for (value, typeName) in values {
            let words = Self.words(value, typeName, locale)
            let onWire = value.string ?? "1234.50 EUR"
            #expect(!words.isEmpty && (words != onWire || typeName == "time"), "\(locale) \(typeName): \(words)")
        }
        #expect(Self.words("2026-12-03", "date", locale).contains("2026"))
    }

    @Test("A point in time is said with its offset, since the dialog asks no zone database")
    func pointInTimeHasOffset() {
        #expect(Self.words("2026-12-03T09:15:00+01:00", "dateTime", "en-GB").hasSuffix("(UTC+01:00)"))
    }

    @Test(
        "A value without such words is said as it is on the wire",
        arguments: [
            (2026, "integer", "en-US", "2026"), ("soonish", "date", "de", "soonish"),
            ("2026-12-03", "string", "de", "2026-12-03"), ("2026-12-03", "date", "it", "2026-12-03"),
        ] as [(JSONValue, String, String, String)]
    )
    func otherValuesStay(value: JSONValue, typeName: String, locale: String, words: String) {
        #expect(Self.words(value, typeName, locale) == words)
    }

    @Test("A sensitive value is said as it is on the wire, where masking finds it")
    func sensitiveValueStays() {
        #expect(Self.words("2026-12-03", "date", "de", isSensitive: true) == "2026-12-03")
    }

    private static func refusal(
        _ reason: SlotReason,
        _ locale: String,
        files: [String: PromptTexts.Language] = [:],
        showsDisplays: Bool = true
    ) -> String {
        var registration = IntentRegistration(usesLedger: false) { GreetHandler() }
        registration.parameters = [Self.parameter("time")]
        registration.constraints = [:]
        registration.dialog = { _, _ in nil }
        registration.prompts = PromptTexts(files)
        let prompt = Prompt(
            number: 1,
            kind: .unsupported,
            parameter: "slot",
            item: "09:15",
            reason: ReasonDescription(reason),
            expiresAt: Timestamp(milliseconds: 0)
        )
        let intent = IntentSnapshot(name: "GreetIntent")
        let dialog = PromptDialog(registration, intent: intent, locale: locale, showsDisplays: showsDisplays)
        return dialog.text(for: prompt)
    }

    @Test("A reason is said in the user's language: by a file, by itself, or in English by its name")
    func reasonIsInUsersLanguage() {
        #expect(Self.refusal(.taken, "de").contains("(schon vergeben)"))
        #expect(Self.refusal(.taken, "en-US").contains("(it is taken)"))
        #expect(Self.refusal(.notOnTheHalfHour, "en-US").contains("(not on the half hour)"))
        #expect(!Self.refusal(.notOnTheHalfHour, "de").contains("("))
        var file = PromptTexts.Language()
        file.reasons["taken"] = "belegt"
        #expect(Self.refusal(.taken, "de", files: ["de": file]).contains("(belegt)"))
    }

    @Test("R58: turns before behaviour 6 say values and reasons as they did")
    func earlierBehavioursSayAsTheyDid() {
        let text = Self.refusal(.notOnTheHalfHour, "de", showsDisplays: false)
        #expect(text.hasPrefix("09:15 geht nicht (not on the half hour)."))
    }

    @Test("A prompt keeps its reason's words in state, and does not send them")
    func promptKeepsReasonsWords() throws {
        let reason = ReasonDescription(SlotReason.taken)
        #expect(reason.json == ["code": 11, "name": "taken"])
        #expect(ReasonDescription(json: reason.stored) == reason)
    }
}

import IntentKit
import Testing

@Suite("Parameters are declared at the properties")
struct ParameterDeclarationTests {
    private struct LogSet: Intent {
        @Parameter(title: "Exercise", prompt: "Which exercise?") var exercise: String?
        @Parameter(name: "repetitions", isRequired: true, in: 1...100) var reps: Int?
        @Parameter(in: 0..., dependsOn: [\Self.$exercise, \Self.$reps], isSensitive: true) var weight: Double?
        @Parameter(values: ["warm-up", "drop set"], default: ["warm-up"]) var tags: [String]?
        @Parameter(prompt: ["en": "With whom?", "de-AT": "Mit wem?"]) var partner: INPerson?
    }

    private struct LogSetHandler: IntentHandler {
        var handling: Handling<LogSet> { Handle { _, _ in IntentResponse(code: .success) } }
    }

    private let registration = IntentRegistration { LogSetHandler() }

    @Test("Name, type, order, title, dependence and sensitivity are those of the properties")
    func describesProperties() throws {
        let parameters = self.registration.parameters
        #expect(parameters.map(\.name) == ["exercise", "repetitions", "weight", "tags", "partner"])
        #expect(parameters.map(\.typeName) == ["string", "integer", "number", "string", "person"])
        #expect(parameters.map(\.isList) == [false, false, false, true, false])
        #expect(parameters.map(\.title) == ["Exercise", nil, nil, nil, nil])
        #expect(parameters.map(\.dependsOn) == [[], [], ["exercise", "repetitions"], [], []])
        #expect(parameters.map(\.isSensitive) == [false, false, true, false, false])
        #expect(parameters[3].accepts("any text") && !parameters[3].accepts(["a list"]))
        #expect(parameters[1].accepts(7) && !parameters[1].accepts("seven"))
        #expect(self.registration.problem == nil)
        #expect(self.registration.intentName == "LogSet")
        #expect(self.registration.codes == Set(BasicResponseCode.allCases.map(\.rawValue)))
    }

    @Test("An intent has its values by their names on the wire; a value of another type is left out")
    func readsValuesByWireName() {
        let values: JSONObject = [
            "exercise": "squat", "repetitions": 5, "reps": 7, "weight": "heavy", "tags": ["drop set", "new"],
        ]
        let intent = LogSet(parameters: values)
        #expect(intent.exercise == "squat")
        #expect(intent.reps == 5)
        #expect(intent.weight == nil)
        #expect(intent.tags == ["drop set", "new"])
        #expect(intent.partner == nil)
    }

    @Test("An intent is a value: changing a copy leaves the original unchanged")
    func copiesAreIndependent() {
        let first = LogSet(parameters: ["exercise": "squat"])
        var second = first
        second.exercise = "press"
        second.reps = 3
        #expect(first.exercise == "squat" && first.reps == nil)
        #expect(second.exercise == "press" && second.reps == 3)
    }

    @Test("A prompt is in the user's language, else in that of another region, else the general one")
    func choosesPromptByLanguage() {
        #expect(self.registration.dialog("exercise", "de") == "Which exercise?")
        #expect(self.registration.dialog("partner", "en-US") == "With whom?")
        #expect(self.registration.dialog("partner", "de-AT") == "Mit wem?")
        #expect(self.registration.dialog("partner", "de") == "Mit wem?")
        #expect(self.registration.dialog("partner", "ja") == nil)
        #expect(self.registration.dialog("weight", "en") == nil)
    }

    @Test("A default is used where a value is still missing at the end, and nowhere else")
    func defaultsFillMissingValuesAtTheEnd() {
        let complete = self.registration.complete
        #expect(complete(IntentSnapshot(name: "LogSet")).parameters == ["tags": ["warm-up"]])
        let said = IntentSnapshot(name: "LogSet", parameters: ["tags": ["drop set"]])
        #expect(complete(said) == said)
        #expect(complete(IntentSnapshot(name: "LogSet", parameters: ["tags": []])).parameters == ["tags": ["warm-up"]])
    }

    // MARK: Mistakes

    private struct NotOnlyParameters: Intent {
        @Parameter var text: String?
        var cache: Int?
    }

    private struct OneNameTwice: Intent {
        @Parameter var text: String?
        @Parameter(name: "text") var words: String?
    }

    private struct OfAnother: Intent {
        @Parameter(dependsOn: [\LogSet.$exercise]) var text: String?
    }

    private struct OfValue: Intent {
        @Parameter var text: String?
        @Parameter(dependsOn: [\Self.text]) var words: String?
    }

    private struct OfItself: Intent {
        @Parameter(dependsOn: [Self.me]) var text: String?
        private static var me: any AnyKeyPath & Sendable { \Self.$text }
    }

    private struct UselessDefault: Intent {
        @Parameter(isRequired: true, default: 3) var number: Int?
    }

    private struct RefusedDefault: Intent {
        @Parameter(in: ...2, default: 3) var number: Int?
    }

    private struct ValueOutOfBounds: Intent {
        @Parameter(in: 1...3, values: [1, 2, 4]) var number: Int?
    }

    private struct ValueTwice: Intent {
        @Parameter(values: ["a", "b", "a"]) var text: String?
    }

    private struct NoValues: Intent {
        @Parameter(values: []) var text: String?
    }

    private struct OwnKeys: Intent {
        enum CodingKeys: String, CodingKey { case text = "words" }
        @Parameter var text: String?
    }

    private struct OwnInitializer: Intent {
        struct Refusal: Error {}
        @Parameter var text: String?
        init() {}
        init(from decoder: any Decoder) throws { throw Refusal() }
    }

    private struct AnyHandler<HandledIntent: Intent>: IntentHandler {
        var handling: Handling<HandledIntent> { Handle { _, _ in IntentResponse(code: .ready) } }
    }

    private static func problem<IntentType: Intent>(_ type: IntentType.Type) -> String {
        let extensions = [IntentExtension("Mistakes") { IntentRegistration { AnyHandler<IntentType>() } }]
        do throws(IntentRegistry.ConfigurationError) {
            _ = try IntentRegistry(extensions)
            return ""
        } catch {
            return error.description
        }
    }

    @Test("A mistake that Swift cannot find is an error at start that names the type and the property")
    func invalidDeclarationIsErrorAtStart() {
        #expect(Self.problem(LogSet.self) == "")
        let found = [
            Self.problem(NotOnlyParameters.self), Self.problem(OneNameTwice.self), Self.problem(OfAnother.self),
            Self.problem(OfValue.self), Self.problem(OfItself.self), Self.problem(UselessDefault.self),
            Self.problem(RefusedDefault.self), Self.problem(ValueOutOfBounds.self), Self.problem(ValueTwice.self),
            Self.problem(NoValues.self), Self.problem(OwnKeys.self), Self.problem(OwnInitializer.self),
        ]
        #expect(
            found == [
                "NotOnlyParameters.cache is not a @Parameter, and an intent holds nothing else: write @Parameter before "
                    + "it, or make it static.",
                "OneNameTwice.words has the name text, which another parameter already has: choose another one "
                    + "with @Parameter(name:).",
                "OfAnother.text depends on a property of LogSet: write \\OfAnother.$name with the name of a parameter.",
                "OfValue.words depends on a property that is not a parameter: write \\OfValue.$name with the name of a "
                    + "parameter.",
                "OfItself.text depends on itself: take it out of `dependsOn:`.",
                "UselessDefault.number: the user is asked for a required parameter, so its default would never be used.",
                "RefusedDefault.number: the default 3 is rejected by its own `in:` or `values:`.",
                "ValueOutOfBounds.number: 4 of `values:` is out of `in:`.",
                "ValueTwice.text: duplicate value in `values:`.",
                "NoValues.text: `values:` is empty.",
                "OwnKeys.text is not read under its own name: leave CodingKeys out, and write @Parameter(name:).",
                "OwnInitializer.init(from:) fails: leave it to the compiler.",
            ]
        )
    }

    // MARK: Mistakes of handlers

    private struct TwoResolvers: IntentHandler {
        var handling: Handling<LogSet> {
            Resolve(\.$exercise) { said, _ in said.map { .success(with: $0) } ?? .needsValue() }
            Resolve(\.$exercise) { _, _ in .notRequired() }
            Handle { _, _ in IntentResponse(code: .success) }
        }
    }

    private struct TwoConfirms: IntentHandler {
        var handling: Handling<LogSet> {
            Confirm { _, _ in IntentResponse(code: .ready) }
            Handle { _, _ in IntentResponse(code: .success) }
            Confirm { _, _ in IntentResponse(code: .failure) }
        }
    }

    @Test("Two resolvers of one parameter, or two other parts of one kind, are an error at start")
    func duplicatePartsAreErrorAtStart() {
        #expect(
            IntentRegistration { TwoResolvers() }.problem
                == "TwoResolvers has two resolvers of LogSet.exercise: keep one Resolve(\\.$exercise)."
        )
        #expect(
            IntentRegistration { TwoConfirms() }.problem == "TwoConfirms has 2 parts Confirm: at most one is allowed."
        )
    }
}

import DeclaredIntents
import IntentKit
import IntentLab

/// The intents of a run: generated from its seed, declared as in a file, some carried out by scripted handlers.
struct Catalogue: Sendable {
    /// The longest that an impatient intent's handler may take.
    static let timeout = Duration.seconds(3)

    /// The intents.
    let intents: [ModelIntent]

    init(intents: [ModelIntent]) {
        self.intents = intents
    }

    init(seed: UInt64, count: Int = 24) {
        var random = SeededNumbers(seed: seed &* 31 &+ 7)
        self.intents = (0..<count).map { Self.makeIntent($0, &random) }
    }

    private static func makeIntent(_ number: Int, _ random: inout SeededNumbers) -> ModelIntent {
        let count = Int.random(in: 0...5, using: &random)
        var intent = ModelIntent(
            name: "Intent\(number)",
            confirmation: random.pick(ModelIntent.Confirmation.allCases),
            parameters: (0..<count).map { Self.makeParameter($0, &random) }
        )
        intent.isFinancial = random.chance(15)
        intent.isRestricted = random.chance(20)
        intent.isScripted = number % 2 == 0
        intent.isImpatient = intent.isScripted && number % 8 == 0
        return intent
    }

    private static func makeParameter(_ number: Int, _ random: inout SeededNumbers) -> ModelParameter {
        let kinds: [ModelParameter.Kind] = [
            .text, .code, .words(random.pick(Sayings.lists)), .words(random.pick(Sayings.lists)), .number(1...12),
            .flag,
            .day(from: "2026-11-21"),
        ]
        var parameter = ModelParameter(name: "p\(number)", kind: random.pick(kinds))
        parameter.isRequired = random.chance(55)
        parameter.isList = random.chance(30)
        if random.chance(25) { parameter.any = "dontcare" }
        if !parameter.isRequired, random.chance(60) {
            let value = Self.plainValue(for: parameter)
            parameter.defaultValue = parameter.isList ? [value] : value
        }
        return parameter
    }

    private static func plainValue(for parameter: ModelParameter) -> JSONValue {
        switch parameter.kind {
        case .text: "something"
        case .code: "AA000"
        case .words(let words): .string(words[0])
        case .number(let range): .integer(Int64(range.lowerBound))
        case .flag: false
        case .day(let first): .string(first)
        }
    }

    /// The extensions for the registry: two, one of them with little time.
    func makeExtensions() throws -> [IntentExtension] {
        [
            try Self(intents: self.intents.filter { !$0.isImpatient })
                .makeExtension("patient", migrations: [ScriptedHandler.migration]),
            try Self(intents: self.intents.filter(\.isImpatient))
                .makeExtension("impatient", handlerTimeout: Self.timeout),
        ]
    }

    /// All intents as one extension.
    func makeExtension(
        _ name: String = "made up",
        migrations: [StoreMigration] = [],
        handlerTimeout: Duration? = nil
    ) throws -> IntentExtension {
        let file = DefinitionFile(["intents": .array(self.intents.map(\.definition))])
        guard file.problems.isEmpty else { throw Unreadable(problems: file.problems.map(String.init(describing:))) }
        let handler = ScriptedHandler()
        let registrations = zip(self.intents, file.definitions)
            .map { intent, definition in
                definition.makeRegistration(handledBy: intent.isScripted ? handler.makeRegistration(intent) : nil)
            }
        return IntentExtension(
            name,
            restrictedWhileLocked: Set(self.intents.filter(\.isRestricted).map(\.name)),
            migrations: migrations,
            handlerTimeout: handlerTimeout
        ) { registrations }
    }

    /// The generator has declared an invalid intent.
    struct Unreadable: Error {
        var problems: [String]
    }
}

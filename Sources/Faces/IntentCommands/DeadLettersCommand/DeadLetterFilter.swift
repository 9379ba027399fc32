import ArgumentParser
import IntentEvents
import IntentKit
import IntentOperations
import IntentRuntime

/// Selects dead letters: a letter must satisfy all of the conditions.
struct DeadLetterFilter: Sendable {
    /// The fields of conditions.
    enum Field: String, CaseIterable {
        /// `intentd_error`.
        case error
        /// A part of `intentd_detail`.
        case detail
        case type
        case user
        case interaction
        case intent
        /// The topic that it came from, without the prefix.
        case topic
        /// Not older than that.
        case since
        /// Not younger than that.
        case until
    }

    private var conditions: [@Sendable (DeadLetter) -> Bool] = []

    /// Reads conditions, each `field=value`.
    /// - Throws: `ValidationError`.
    init(_ texts: [String]) throws {
        self.conditions = try texts.map(Self.condition)
    }

    /// Whether everything is selected.
    var isEmpty: Bool { self.conditions.isEmpty }

    func selects(_ letter: DeadLetter) -> Bool { self.conditions.allSatisfy { $0(letter) } }

    private static func condition(_ text: String) throws -> @Sendable (DeadLetter) -> Bool {
        let names = Field.allCases.map(\.rawValue)
        guard let equals = text.firstIndex(of: "=") else {
            throw ValidationError("--filter: '\(text)' is not a condition, such as error=handlerFailed")
        }
        let name = String(text[..<equals])
        let value = String(text[text.index(after: equals)...])
        switch Field(rawValue: name) {
        case .error: return { $0.headers.error == value }
        case .detail: return { $0.headers.detail?.contains(value) ?? false }
        case .type: return { $0.type == value }
        case .user:
            let user = UserID(try IdentityArgument.read(value))
            return { $0.userID == user }
        case .interaction:
            let interaction = InteractionID(try IdentityArgument.read(value))
            return { $0.interactionID == interaction }
        case .intent: return { $0.intent?.name == value }
        case .topic: return { $0.headers.topic.map { $0 == value || $0.hasSuffix(".\(value)") } ?? false }
        case .since:
            let time = try TimeArgument.read(value).milliseconds
            return { $0.record.timestamp >= time }
        case .until:
            let time = try TimeArgument.read(value).milliseconds
            return { $0.record.timestamp <= time }
        case nil:
            throw ValidationError(
                "--filter: unknown field '\(name)'\(NearMiss.hint(name, among: names)); known fields are "
                    + names.joined(separator: ", ")
            )
        }
    }
}

/// Selects dead letters.
struct DeadLetterFilterOption: ParsableArguments {
    @Option(
        name: .customLong("filter"),
        help: ArgumentHelp(
            "Filter by field: error, detail (a substring), type, user, interaction, intent, topic, "
                + "since or until (a time, or a duration ago). Can be repeated.",
            valueName: "field=value"
        )
    )
    private var texts: [String] = []

    /// The conditions; `validate` has checked them.
    var value: DeadLetterFilter { get throws { try DeadLetterFilter(self.texts) } }

    func validate() throws { _ = try self.value }
}
